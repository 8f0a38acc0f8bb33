"""`tf.graph_util` of TF 1.15: GraphDefs cut to what is needed, and variables turned into constants."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import Any

from tensorflow.core.framework import graph_pb2

from .bridge.export import freeze, subgraph
from .bridge.freezing import freeze_graph as freeze_graph
from .bridge.freezing import freeze_graph_with_def_protos as freeze_graph_with_def_protos
from .bridge.graph import get_default_graph
from .bridge.v1 import must_run_on_cpu as must_run_on_cpu
from .bridge.v1 import tensor_shape_from_node_def_name as tensor_shape_from_node_def_name
from .optional_session import session_optional

__all__ = [
    "convert_variables_to_constants",
    "extract_sub_graph",
    "freeze_graph",
    "freeze_graph_with_def_protos",
    "must_run_on_cpu",
    "remove_training_nodes",
    "tensor_shape_from_node_def_name",
]


@session_optional(graph_pb2.GraphDef)
def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Sequence[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> Any:
    """The part of a graph that the outputs need, with constants in place of variables.

    Stands for `tf.graph_util.convert_variables_to_constants` of TF 1.15. Node names are kept.

    Args:
      sess: the session whose graph holds the variables. Without one it is the graph of the store that is entered; it
        may be left out then: `convert_variables_to_constants(graph_def, names)`.
      input_graph_def: the graph's `GraphDef`.
      output_node_names: names of the nodes to keep.
      variable_names_whitelist: the only variables that become constants; all when None or empty.
      variable_names_blacklist: variables that stay variables.

    Returns:
      A `GraphDef`.

    Raises:
      ValueError: an output is missing, or a variable is used where no constant can be.

    Example:
      >>> with compat.Graph().as_default(), compat.Session() as session:
      ...     weights = compat.Variable([1.0, 2.0], name="weights")
      ...     doubled = tf.multiply(weights, 2.0, name="doubled")
      ...     session.run(weights.initializer)
      ...     frozen = convert_variables_to_constants(session, session.graph_def, ["doubled"])
      >>> [node.op for node in frozen.node if node.name == "weights"]
      ['Const']
    """
    only, never = set(variable_names_whitelist or ()), set(variable_names_blacklist or ())
    graph = sess.graph if sess is not None else get_default_graph()
    with getattr(sess, "turn", contextlib.nullcontext)():
        return freeze(
            graph,
            input_graph_def,
            list(output_node_names),
            lambda name: (not only or name in only) and name not in never,
        )


def extract_sub_graph(graph_def: Any, dest_nodes: Sequence[str]) -> Any:
    """The nodes of `graph_def` that `dest_nodes` need; `tf.graph_util.extract_sub_graph` of TF 1.15.

    Raises:
      TypeError: `dest_nodes` is one string.
      ValueError: a node is missing.
    """
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    return subgraph(graph_def, dest_nodes)


def remove_training_nodes(input_graph: Any, protected_nodes: Sequence[str] | None = None) -> Any:
    """`input_graph` without `CheckNumerics` and pass-through `Identity` nodes, as TF 1.15's function of that name.

    Args:
      input_graph: a `GraphDef`.
      protected_nodes: names of nodes to keep.
    """
    protected = set(protected_nodes or ())
    controls = {name[1:] for node in input_graph.node for name in node.input if name.startswith("^")}
    skipped: dict[str, str] = {}
    for node in input_graph.node:
        passes = node.op in ("CheckNumerics", "Identity") and len(node.input) == 1
        if passes and not node.input[0].startswith("^") and node.name not in protected | controls:
            skipped[node.name] = node.input[0]
    kept = type(input_graph)(versions=input_graph.versions, library=input_graph.library)
    for node in input_graph.node:
        if node.name in skipped:
            continue
        copy = kept.node.add()
        copy.CopyFrom(node)
        for position, name in enumerate(copy.input):
            while name in skipped:
                name = skipped[name]
            copy.input[position] = name
    return kept
