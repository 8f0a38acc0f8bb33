"""`tf.manip` of TF 1.15."""

from ..bridge.v1 import batch_to_space_nd as batch_to_space_nd
from ..bridge.v1 import gather_nd as gather_nd
