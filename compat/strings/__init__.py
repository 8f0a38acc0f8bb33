"""`tf.strings` of TF 1.15: what TF2 gave another meaning."""

from ..bridge.v1 import reduce_join as reduce_join
from ..bridge.v1 import string_length as length
from ..bridge.v1 import string_split_v2 as split
from ..bridge.v1 import string_to_hash_bucket as to_hash_bucket
from ..bridge.v1 import string_to_number as to_number
from ..bridge.v1 import substr_v2 as substr
