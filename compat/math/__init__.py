"""`tf.math` of TF 1.15: what TF2 gave another meaning."""

from ..bridge.v1 import argmax as argmax
from ..bridge.v1 import argmin as argmin
from ..bridge.v1 import bincount as bincount
from ..bridge.v1 import confusion_matrix as confusion_matrix
from ..bridge.v1 import count_nonzero as count_nonzero
from ..bridge.v1 import in_top_k as in_top_k
from ..bridge.v1 import log_softmax as log_softmax
from ..bridge.v1 import reduce_all as reduce_all
from ..bridge.v1 import reduce_any as reduce_any
from ..bridge.v1 import reduce_logsumexp as reduce_logsumexp
from ..bridge.v1 import reduce_max as reduce_max
from ..bridge.v1 import reduce_mean as reduce_mean
from ..bridge.v1 import reduce_min as reduce_min
from ..bridge.v1 import reduce_prod as reduce_prod
from ..bridge.v1 import reduce_sum as reduce_sum
from ..bridge.v1 import scalar_mul as scalar_mul
from ..bridge.v1 import softmax as softmax
