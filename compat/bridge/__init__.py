"""The bridge: TF1's graph and session, kept by construction over TF2 functions and variables."""

from .conversions import register_session_run_conversion_functions as register_session_run_conversion_functions
from .devices import device as device
from .graph import Graph as Graph
from .graph import close_graph as close_graph
from .graph import get_default_graph as get_default_graph
from .graph import open_graph as open_graph
from .graph import reset_default_graph as reset_default_graph
from .graph import with_open_graph as with_open_graph
from .placeholders import placeholder as placeholder
from .placeholders import placeholder_with_default as placeholder_with_default
from .placeholders import sparse_placeholder as sparse_placeholder
from .session import InteractiveSession as InteractiveSession
from .session import Session as Session
from .session import get_default_session as get_default_session
