"""`tf.losses` of TF 1.15."""

from .classification import sigmoid_cross_entropy as sigmoid_cross_entropy
from .classification import softmax_cross_entropy as softmax_cross_entropy
from .classification import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy
from .collection import add_loss as add_loss
from .collection import get_losses as get_losses
from .collection import get_regularization_loss as get_regularization_loss
from .collection import get_regularization_losses as get_regularization_losses
from .collection import get_total_loss as get_total_loss
from .reduction import Reduction as Reduction
from .reduction import compute_weighted_loss as compute_weighted_loss
from .regression import absolute_difference as absolute_difference
from .regression import cosine_distance as cosine_distance
from .regression import hinge_loss as hinge_loss
from .regression import huber_loss as huber_loss
from .regression import log_loss as log_loss
from .regression import mean_pairwise_squared_error as mean_pairwise_squared_error
from .regression import mean_squared_error as mean_squared_error
