"""`tf.contrib.eager` of TF 1.15: what graph code uses of it."""

from tensorflow import executing_eagerly as executing_eagerly
from tensorflow import executing_eagerly as in_eager_mode
from tensorflow import function as defun

from ...behavior import enable_eager_execution as enable_eager_execution
from .both_modes import run_test_in_graph_and_eager_modes as run_test_in_graph_and_eager_modes
