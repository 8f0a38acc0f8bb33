"""TF1's building blocks on TF2: what migrated code imports while it is being ported.

The shim for `tf.A.b` of TensorFlow 1.15 is `compat.A.b`.
"""

from .bridge import Graph as Graph
from .bridge import InteractiveSession as InteractiveSession
from .bridge import Session as Session
from .bridge import close_graph as close_graph
from .bridge import get_default_graph as get_default_graph
from .bridge import get_default_session as get_default_session
from .bridge import open_graph as open_graph
from .bridge import placeholder as placeholder
from .bridge import placeholder_with_default as placeholder_with_default
from .bridge import reset_default_graph as reset_default_graph
from .bridge import sparse_placeholder as sparse_placeholder
