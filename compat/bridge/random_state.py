"""Random operations with one sequence each, as TF1's kernels had.

A TF1 session kept one kernel per operation, so that a seeded operation went on with its sequence whatever was
fetched beside it. A TF2 function has kernels of its own: fetched by two different runs, the operation would start
again in the second. The graph keeps TF1's operations (they are what is exported); in the functions of its runs each
is a call of a function of its own, whose state lies outside of them all:

* for the operations that have a stateless kernel of the same bits, the generator's state is a resource;
* for all others a session of TensorFlow keeps the kernel, as TF1's did, and the function calls back to it.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import function_pb2, node_def_pb2

from ..private import op_def_registry
from . import runtime
from .function_calls import CALLING, rewrite_called

__all__ = ["RandomSequences"]

_PHILOX = 1
_STATELESS = {
    "RandomUniform": "StatelessRandomUniformV2",
    "RandomStandardNormal": "StatelessRandomNormalV2",
    "TruncatedNormal": "StatelessTruncatedNormalV2",
    "RandomUniformInt": "StatelessRandomUniformIntV2",
}
_SEEDED = frozenset(
    {
        *_STATELESS,
        "AllCandidateSampler",
        "FixedUnigramCandidateSampler",
        "LogUniformCandidateSampler",
        "Multinomial",
        "ParameterizedTruncatedNormal",
        "RandomCrop",
        "RandomGamma",
        "RandomPoisson",
        "RandomPoissonV2",
        "RandomShuffle",
        "SampleDistortedBoundingBox",
        "SampleDistortedBoundingBoxV2",
        "UniformCandidateSampler",
    }
)
"""Operations whose kernels hold a sequence where the attributes `seed` and `seed2` are not both 0."""
_LEARNING = frozenset({"LearnedUnigramCandidateSampler", "ThreadUnsafeUnigramCandidateSampler"})
"""Operations whose kernels remember what they were given, with and without a seed."""
_numbers = itertools.count()


class RandomSequences:
    """The sequences of one session: each random operation of the graph goes on with its own."""

    def __init__(self) -> None:
        self._name = f"random_sequences_{next(_numbers)}"
        self._draws: dict[str, str] = {}
        self._made: list[Any] = []
        self._handles: dict[str, str] = {}
        """By the names of functions: those of the states that their generators go on from."""
        weakref.finalize(self, _forget, self._draws, self._handles).atexit = False

    def share(self, function: str, operations: Iterable[tf.Operation]) -> tuple[str, ...]:
        """Has the registered `function`, made of `operations`, take its random numbers from here.

        Returns:
          The names of other functions that were made for it alone.
        """
        if not any(_draws(operation.node_def) or operation.type in CALLING for operation in operations):
            return ()
        copies: list[str] = []
        definition = self._shared(runtime.function_definition(function), function, "", copies)
        if definition is not None:
            runtime.remove_function(function)
            runtime.add_function(definition)
        return tuple(copies)

    def states(self) -> dict[str, tuple[int, ...]]:
        """The state of each sequence whose numbers a stateless kernel draws, by the name of its operation."""
        known = {path: self._handles[name] for path, name in self._draws.items() if name in self._handles}
        return {path: runtime.value_of_resource(state) for path, state in known.items()}

    def begin_again(self, path: str, state: tuple[int, ...]) -> None:
        """Has a sequence begin again if nothing was drawn since it had a state."""
        handle = self._handles.get(self._draws.get(path, ""))
        if handle is not None and runtime.value_of_resource(handle) == state:
            runtime.set_resource(handle, [0, *state[1:]])

    def _shared(
        self, definition: function_pb2.FunctionDef, name: str, path: str, copies: list[str]
    ) -> function_pb2.FunctionDef | None:
        """A function under a name, with its random operations replaced; None where it has none."""
        outputs: dict[str, str] = {}
        found = False
        for node in definition.node_def:
            if _draws(node):
                self._replace(node, f"{path}{node.name}", outputs)
                found = True
            else:

                def inner(body: Any, copy: str, called: str, before: str = f"{path}{node.name}/") -> Any:
                    return self._shared(body, copy, f"{before}{called}/", copies)

                found |= rewrite_called(node, name, inner, copies)
        if not found:
            return None
        for node in definition.node_def:
            for position, given in enumerate(node.input):
                node.input[position] = outputs.get(given, given)
        for key, given in list(definition.ret.items()):
            definition.ret[key] = outputs.get(given, given)
        definition.signature.name = name
        return definition

    def _replace(self, node: node_def_pb2.NodeDef, path: str, outputs: dict[str, str]) -> None:
        """Makes the node of a random operation a call of the function that draws its numbers."""
        inputs, results = _types(node)
        if path not in self._draws:
            self._draws[path] = self._define(node, inputs, results)
        for position, argument in enumerate(op_def_registry.get(node.op).output_arg):
            outputs[f"{node.name}:{argument.name}:0"] = f"{node.name}:output:{position}"
        node.op = "StatefulPartitionedCall"
        for key in list(node.attr):
            if not key.startswith("_"):
                del node.attr[key]
        node.attr["f"].func.name = self._draws[path]
        node.attr["Tin"].list.type.extend(dtype.as_datatype_enum for dtype in inputs)
        node.attr["Tout"].list.type.extend(dtype.as_datatype_enum for dtype in results)

    def _define(self, node: node_def_pb2.NodeDef, inputs: list[tf.DType], results: list[tf.DType]) -> str:
        """Registers the function that draws the numbers of a random operation, and gives its name."""
        name = f"__{self._name}_{len(self._draws)}"
        graph = tf.Graph()
        with graph.as_default():
            given = [tf.compat.v1.placeholder(dtype) for dtype in inputs]
            if node.op in _STATELESS:
                state = runtime.new_resource([0, node.attr["seed2"].i, node.attr["seed"].i])
                self._handles[name] = state
                drawn = [_next_numbers(node, state, given)]
            else:
                drawn = tf.numpy_function(_kernel(node, inputs, results), given, results)
        inside = [operation for operation in graph.get_operations() if operation.type != "Placeholder"]
        runtime.define_function(name, graph, inside, given, drawn, [])
        self._made.append(graph)  # it holds the Python function
        return name


def _forget(draws: dict[str, str], handles: dict[str, str]) -> None:
    for name in draws.values():
        runtime.remove_function(name)
    for state in handles.values():
        runtime.destroy_resource(state)


def _draws(node: node_def_pb2.NodeDef) -> bool:
    if node.op in _LEARNING:
        return True
    return node.op in _SEEDED and (node.attr["seed"].i != 0 or node.attr["seed2"].i != 0)


def _types(node: node_def_pb2.NodeDef) -> tuple[list[tf.DType], list[tf.DType]]:
    definition = op_def_registry.get(node.op)

    def kinds(arguments: Any) -> list[tf.DType]:
        return [tf.as_dtype(node.attr[each.type_attr].type if each.type_attr else each.type) for each in arguments]

    return kinds(definition.input_arg), kinds(definition.output_arg)


def _next_numbers(node: node_def_pb2.NodeDef, state: str, inputs: list[Any]) -> Any:
    """What the seeded operation of a node gives next; `state` names what its generator goes on from."""
    shape = inputs[0]
    with tf.device("/device:CPU:0"):
        # TF1's kernels skip 256 blocks of the generator for each number that they give, and so does this operation.
        before = tf.raw_ops.RngReadAndSkip(
            resource=runtime.resource(state),
            alg=_PHILOX,
            delta=tf.cast(tf.reduce_prod(tf.cast(shape, tf.int64)), tf.uint64),
        )
        start = tf.bitcast(before, tf.uint64)
    arguments: dict[str, Any] = {"shape": shape, "key": start[2:], "counter": start[:2], "alg": _PHILOX}
    if node.op == "RandomUniformInt":
        arguments.update(minval=inputs[1], maxval=inputs[2])
    else:
        arguments["dtype"] = tf.as_dtype(node.attr["dtype"].type)
    with tf.device(node.device or None):
        return getattr(tf.raw_ops, _STATELESS[node.op])(**arguments)


def _kernel(node: node_def_pb2.NodeDef, inputs: list[tf.DType], results: list[tf.DType]) -> Callable[..., Any]:
    """A Python function that runs the operation of a node, always by the same kernel."""
    graph = tf.Graph()
    with graph.as_default():
        given = [tf.compat.v1.placeholder(dtype) for dtype in inputs]
        attributes = {key: value for key, value in node.attr.items() if not key.startswith("_")}
        operation = graph.create_op(node.op, given, results, attrs=attributes)
    # The thread that asks is one of TensorFlow's own: were the kernel to wait for another, all might wait for ever.
    config = tf.compat.v1.ConfigProto(inter_op_parallelism_threads=-1, device_count={"GPU": 0})
    return tf.compat.v1.Session(graph=graph, config=config).make_callable(list(operation.outputs), feed_list=given)
