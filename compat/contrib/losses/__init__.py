"""`tf.contrib.losses` of TF 1.15."""

from ...losses import add_loss as add_loss
from ...losses import get_losses as get_losses
from ...losses import get_regularization_losses as get_regularization_losses
from ...losses import get_total_loss as get_total_loss
from .functions import absolute_difference as absolute_difference
from .functions import compute_weighted_loss as compute_weighted_loss
from .functions import cosine_distance as cosine_distance
from .functions import hinge_loss as hinge_loss
from .functions import log_loss as log_loss
from .functions import mean_pairwise_squared_error as mean_pairwise_squared_error
from .functions import mean_squared_error as mean_squared_error
from .functions import sigmoid_cross_entropy as sigmoid_cross_entropy
from .functions import softmax_cross_entropy as softmax_cross_entropy
from .functions import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy
