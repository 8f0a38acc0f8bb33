"""`tf.linalg` of TF 1.15: what TF2 lacks or gave another meaning."""

from ..bridge.v1 import matmul as matmul
from ..bridge.v1 import matrix_diag as diag
from ..bridge.v1 import matrix_diag_part as diag_part
from ..bridge.v1 import matrix_transpose as matrix_transpose
from ..bridge.v1 import matrix_transpose as transpose
from ..bridge.v1 import norm as norm
from ..bridge.v1 import tensor_diag_part as tensor_diag_part
from ..bridge.v1 import trace as trace
