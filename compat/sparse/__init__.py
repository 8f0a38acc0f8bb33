"""`tf.sparse` of TF 1.15: what TF2 lacks or gave another meaning."""

from ..bridge.v1 import sparse_add as add
from ..bridge.v1 import sparse_concat as concat
from ..bridge.v1 import sparse_merge as merge
from ..bridge.v1 import sparse_reduce_max as reduce_max
from ..bridge.v1 import sparse_reduce_max_sparse as reduce_max_sparse
from ..bridge.v1 import sparse_reduce_sum as reduce_sum
from ..bridge.v1 import sparse_reduce_sum_sparse as reduce_sum_sparse
from ..bridge.v1 import sparse_segment_mean as segment_mean
from ..bridge.v1 import sparse_segment_sqrt_n as segment_sqrt_n
from ..bridge.v1 import sparse_segment_sum as segment_sum
from ..bridge.v1 import sparse_split as split
