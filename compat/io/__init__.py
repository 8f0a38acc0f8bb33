"""`tf.io` of TF 1.15: what TF2 lacks or gave another meaning."""

from ..bridge.v1 import TFRecordCompressionType as TFRecordCompressionType
from ..bridge.v1 import decode_csv as decode_csv
from ..bridge.v1 import decode_raw as decode_raw
from ..bridge.v1 import parse_example as parse_example
from ..bridge.v1 import parse_single_example as parse_single_example
from ..bridge.v1 import serialize_many_sparse as serialize_many_sparse
from ..bridge.v1 import serialize_sparse as serialize_sparse
from ..bridge.v1 import tf_record_iterator as tf_record_iterator
