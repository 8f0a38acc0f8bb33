"""`tf.contrib.util` of TF 1.15."""

from tensorflow import get_static_value as constant_value
from tensorflow import make_ndarray as make_ndarray
from tensorflow import make_tensor_proto as make_tensor_proto
