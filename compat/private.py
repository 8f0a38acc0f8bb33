"""What `compat` uses of TensorFlow that TensorFlow does not export: nothing else imports from `tensorflow.python`.

Each of these may change with any version of TensorFlow: `tests/compat/test_private.py` asks the one that is installed
for every attribute of them that `compat` reads.
"""

from tensorflow.python.autograph.core import config as config
from tensorflow.python.client import device_lib as device_lib
from tensorflow.python.client import pywrap_tf_session as pywrap_tf_session
from tensorflow.python.client import timeline as timeline
from tensorflow.python.data.util import structure as structure
from tensorflow.python.eager import cancellation as cancellation
from tensorflow.python.eager import context as context
from tensorflow.python.eager import execute as execute
from tensorflow.python.eager import record as record
from tensorflow.python.feature_column import feature_column_v2 as feature_column_v2
from tensorflow.python.feature_column import feature_column_v2_types as feature_column_v2_types
from tensorflow.python.framework import convert_to_constants as convert_to_constants
from tensorflow.python.framework import func_graph as func_graph
from tensorflow.python.framework import function_def_to_graph as function_def_to_graph
from tensorflow.python.framework import indexed_slices as indexed_slices
from tensorflow.python.framework import kernels as kernels
from tensorflow.python.framework import op_def_registry as op_def_registry
from tensorflow.python.framework import ops as ops
from tensorflow.python.framework import random_seed as random_seed
from tensorflow.python.framework import stack as stack
from tensorflow.python.ops import array_ops as array_ops
from tensorflow.python.ops import clip_ops as clip_ops
from tensorflow.python.ops import control_flow_v2_func_graphs as control_flow_v2_func_graphs
from tensorflow.python.ops import init_ops as init_ops
from tensorflow.python.ops import math_ops as math_ops
from tensorflow.python.ops import resource_variable_ops as resource_variable_ops
from tensorflow.python.ops import variables as variables
from tensorflow.python.training import checkpoint_state_pb2 as checkpoint_state_pb2
from tensorflow.python.util import nest as nest
