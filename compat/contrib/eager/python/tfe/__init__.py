"""`tf.contrib.eager.python.tfe` of TF 1.15: `tf.contrib.eager` itself."""

from tensorflow import Variable as Variable
from tensorflow import executing_eagerly as executing_eagerly
from tensorflow import executing_eagerly as in_eager_mode
from tensorflow import function as defun
from tensorflow import py_function as py_func

from .....behavior import enable_eager_execution as enable_eager_execution
from ...both_modes import run_all_tests_in_graph_and_eager_modes as run_all_tests_in_graph_and_eager_modes
from ...both_modes import run_test_in_graph_and_eager_modes as run_test_in_graph_and_eager_modes
from ...devices import list_devices as list_devices
from ...devices import num_gpus as num_gpus
from ...gradients import gradients_function as gradients_function
from ...gradients import implicit_gradients as implicit_gradients
from ...gradients import implicit_value_and_gradients as implicit_value_and_gradients
from ...gradients import value_and_gradients_function as value_and_gradients_function
from ...iterator import Iterator as Iterator
