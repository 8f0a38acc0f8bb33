"""`tf.python_io` of TF 1.15."""

from ..bridge.v1 import TFRecordCompressionType as TFRecordCompressionType
from ..bridge.v1 import tf_record_iterator as tf_record_iterator
