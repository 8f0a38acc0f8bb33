"""`tf.test` of TF 1.15."""

from unittest import mock as mock

from ..bridge.v1 import StubOutForTesting as StubOutForTesting
from ..bridge.v1 import assert_equal_graph_def as assert_equal_graph_def
from ..bridge.v1 import compute_gradient as compute_gradient
from ..bridge.v1 import compute_gradient_error as compute_gradient_error
from .case import StoreTestCase as StoreTestCase
from .case import TestCase as TestCase
from .case import with_sessions as with_sessions
from .case import with_store as with_store
from .case import without_graph as without_graph
from .environment import get_temp_dir as get_temp_dir
from .environment import is_gpu_available as is_gpu_available
from .environment import main as main
from .environment import test_src_dir_path as test_src_dir_path
from .local_cluster import create_local_cluster as create_local_cluster
