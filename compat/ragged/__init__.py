"""`tf.ragged` of TF 1.15: what TF2 lacks."""

from ..bridge.v1 import RaggedTensorValue as RaggedTensorValue
from ..bridge.v1 import ragged_constant_value as constant_value
