"""A frozen graph: what a `GraphDef` computes, as functions of its tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import graph_pb2

from .bridge.feeds import feed_values
from .bridge.functions import imported_function
from .private import op_def_registry

__all__ = ["FrozenGraph"]

# These count as stateful and hold nothing from one run to the next; of those that call functions, these tell.
_FORGETFUL = ("Assert", "Case", "GuaranteeConst", "If", "Print", "PrintV2", "StatefulPartitionedCall", "While")
_FORGETFUL_FAMILIES = ("TensorArray", "Stack")
_SEEDS = ("seed", "seed2")


class FrozenGraph:
    """A graph of constants, as `freeze_graph` of TF 1.15 writes it to a file.

    Stands for a `tf.Graph` of TF 1.15 into which `tf.import_graph_def` put one `GraphDef`, for the names of its
    tensors and for the sessions that ran it: :meth:`function` gives what one of their runs computed.

    Args:
      graph_def: the `GraphDef`.
      name: what the names of its tensors begin with, as for `tf.import_graph_def`; nothing where it is "".

    Raises:
      ValueError: the `GraphDef` has an operation that this TensorFlow lacks.

    Example:
      >>> @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, "x")])
      ... def doubled(x):
      ...     return 2.0 * x
      >>> graph = compat.FrozenGraph(compat.freeze(doubled, ["y"]))
      >>> graph.function(["import/x:0"], "import/y:0")([1, 2]).numpy()
      array([2., 4.], dtype=float32)
    """

    def __init__(self, graph_def: graph_pb2.GraphDef, name: str = "import") -> None:
        self._definition = graph_pb2.GraphDef()
        self._definition.CopyFrom(graph_def)  # it may be filled anew
        self._prefix = f"{name.rstrip('/')}/" if name else ""
        self._graph = tf.Graph()
        self._functions: dict[tuple[object, ...], Any] = {}
        self._drawn: dict[str, tuple[object, ...]] = {}
        with self._graph.as_default():
            tf.graph_util.import_graph_def(graph_def, name="")

    def function(self, inputs: Sequence[str], outputs: str | Sequence[str]) -> Any:
        """What a session computed when it was fed `inputs` and asked for `outputs`.

        Values are cast to the types of the inputs, and have to fit their shapes, as those of a `feed_dict` had to. A
        seeded random operation begins its sequence with each call of this method, as with each session of TF 1.15.

        Args:
          inputs: names of tensors, such as "x:0"; the arguments of the function take their places, in order. They may
            be any of the graph, placeholders or not.
          outputs: the name of a tensor, or a sequence of names.

        Returns:
          A callable that gives a tensor, or a list of tensors for a sequence of names.

        Raises:
          KeyError: there is no such tensor.
          ValueError: a name is an operation's and no tensor's, an input is given twice, an operation that the outputs
            need keeps a state between runs, such as a table or a queue, or draws seeded random numbers for another
            function already.
        """
        listed = [outputs] if isinstance(outputs, str) else list(outputs)
        fed, fetched = ([self._tensor(name) for name in names] for names in (inputs, listed))
        if len(set(inputs)) < len(inputs):
            raise ValueError(f"FrozenGraph: an input is given twice: {list(inputs)}")
        key = (*inputs, None, outputs if isinstance(outputs, str) else tuple(outputs))
        if key not in self._functions or self._is_seeded(key):
            part = _part(self._definition, [tensor.name for tensor in fed], [tensor.name for tensor in fetched])
            self._require_stateless(part, key)
            self._functions[key] = _function(part, fed, fetched, single=isinstance(outputs, str))
        return self._functions[key]

    def _tensor(self, name: str) -> tf.Tensor:
        own = name.removeprefix(self._prefix) if name.startswith(self._prefix) else None
        if own is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist: it begins with {self._prefix!r}"
            )
        return self._graph.get_tensor_by_name(own)

    def _is_seeded(self, key: tuple[object, ...]) -> bool:
        return key in self._drawn.values()

    def _require_stateless(self, part: graph_pb2.GraphDef, key: tuple[object, ...]) -> None:
        bodies = (function.node_def for function in part.library.function)
        for node in [node for nodes in (part.node, *bodies) for node in nodes]:
            definition = op_def_registry.get(node.op)
            if definition is None or not definition.is_stateful:
                continue
            if node.op in _FORGETFUL or node.op.startswith(_FORGETFUL_FAMILIES):
                continue
            seeds = [attribute.name for attribute in definition.attr if attribute.name in _SEEDS]
            if not seeds:
                raise ValueError(
                    f"FrozenGraph: {node.name} ({node.op}) keeps a state between runs, which functions do not share; "
                    "rewrite the program that loads this graph with --tier bridge"
                )
            if any(node.attr[name].i for name in seeds) and self._drawn.setdefault(node.name, key) != key:
                raise ValueError(
                    f"FrozenGraph: two functions would draw the seeded random numbers of {node.name}, each from the "
                    "beginning; take all that they give in one function, or rewrite the program with --tier bridge"
                )


def _function(part: graph_pb2.GraphDef, fed: Sequence[tf.Tensor], fetched: Sequence[tf.Tensor], *, single: bool) -> Any:
    names, outputs = ([tensor.name for tensor in tensors] for tensors in (fed, fetched))
    specs = [tf.TensorSpec(tensor.shape, tensor.dtype.base_dtype) for tensor in fed]
    run = imported_function(part, names, specs, outputs)

    def compute(*values: Any) -> Any:
        if len(values) != len(fed):
            raise TypeError(f"the function takes {len(fed)} values, not {len(values)}")
        if tf.executing_eagerly():
            values = tuple(feed_values(dict(zip(fed, values, strict=True))))
        found = run(*values)
        return found[0] if single else list(found)

    return compute


def _part(graph_def: graph_pb2.GraphDef, fed: Sequence[str], fetched: Sequence[str]) -> graph_pb2.GraphDef:
    """The nodes that `fetched` need behind what is fed."""
    nodes = {node.name: node for node in graph_def.node}
    needed: set[str] = set()
    waiting = list(fetched)
    while waiting:
        name, _, index = waiting.pop().partition(":")
        if f"{name}:{index or 0}" not in fed and (name := name.removeprefix("^")) not in needed:
            needed.add(name)
            waiting.extend(nodes[name].input)
    part = graph_pb2.GraphDef(versions=graph_def.versions, library=graph_def.library)
    for node in (node for node in graph_def.node if node.name in needed):
        copy = part.node.add()
        copy.CopyFrom(node)
        if "_class" in copy.attr:
            # A node may say that it stands on the device of one that is gone.
            places = copy.attr["_class"].list
            kept = [place for place in places.s if place.decode().removeprefix("loc:@") in needed]
            del places.s[:]
            places.s.extend(kept)
    return part
