"""The few calls into TensorFlow's own runtime that the bridge needs, all in this file.

A pruned function is made straight from a subset of a graph's operations, without copying the graph, and is
called through the eager runtime with its captured inputs at hand. Both are private interfaces of TensorFlow;
they exist unchanged from TF 2.16 to 2.21 (every test of `tests/compat/bridge` runs them on the installed one).
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from ..private import cancellation, context, execute, function_def_to_graph, ops, pywrap_tf_session

__all__ = [
    "ANONYMOUS",
    "HOST",
    "Body",
    "CancellationManager",
    "add_function",
    "body_of",
    "captured",
    "define_function",
    "destroy_resource",
    "forget_resource",
    "function_caller",
    "function_definition",
    "held",
    "is_handle_of_variable",
    "named_handle",
    "new_resource",
    "remove_function",
    "resource",
    "set_resource",
    "to_eager_tensor",
    "value_of_resource",
]

HOST = "/device:CPU:0"
"""Where feeds, queues, tables and iterators are."""
ANONYMOUS = "cd2c89b7-88b7-44c8-ad83-06c2a9158347"
"""The shared name of a resource that is a new one each time, and gone with its last handle."""

CancellationManager = cancellation.CancellationManager


def define_function(
    name: str,
    graph: ops.Graph,
    operations: Sequence[tf.Operation],
    inputs: Sequence[tf.Tensor],
    outputs: Sequence[tf.Tensor],
    targets: Sequence[tf.Operation],
) -> None:
    """Registers a function whose body is exactly `operations` of `graph`.

    Args:
      name: the function's name; unique in this process.
      graph: the graph that holds the operations.
      operations: the body; everything that `outputs` and `targets` reach, short of `inputs`.
      inputs: tensors of `graph` that become parameters.
      outputs: tensors of `graph` that become results.
      targets: operations of the body that must run although no result needs them.
    """
    with graph._c_graph.get() as c_graph:
        function = pywrap_tf_session.TF_GraphToFunction_wrapper(
            c_graph,
            name,
            False,
            [operation._c_op for operation in operations],
            [tensor._as_tf_output() for tensor in inputs],
            [tensor._as_tf_output() for tensor in outputs],
            # Left to itself, TensorFlow names results after their operations, and renames those.
            [b"result_of_run_%d" % position for position in range(len(outputs))],
            [operation._c_op for operation in targets],
            [],
            None,
            "",
        )
    context.context().add_c_function(function)
    pywrap_tf_session.TF_DeleteFunction(function)


class Body(NamedTuple):
    """What a registered function computes, to be imported into a graph.

    Attributes:
      graph_def: its operations, a placeholder for each parameter, and the functions that they call.
      inputs: the names of those placeholders.
      outputs: the names of the tensors that it gives.
      used: the names of all nodes that others take something of.
    """

    graph_def: Any
    inputs: list[str]
    outputs: list[str]
    used: frozenset[str]


def body_of(name: str) -> Body:
    """The body of a function that `define_function` registered."""
    definition = context.context().get_function_def(name)
    with ops.init_scope():
        graph_def, names = function_def_to_graph.function_def_to_graph_def(definition, include_library_functions=True)
    inputs = [argument.name for argument in definition.signature.input_arg]
    outputs = [names[definition.ret[result.name]] for result in definition.signature.output_arg]
    used = {each.removeprefix("^").split(":")[0] for node in graph_def.node for each in node.input}
    made = {node.name for node in graph_def.node}
    for node in graph_def.node:
        # Gradients are colocated with what they are gradients of, which the function itself may not need.
        places = node.attr["_class"].list.s if "_class" in node.attr else ()
        known = [place for place in places if place.decode().removeprefix("loc:@") in made]
        if len(known) < len(places):
            del node.attr["_class"]
            if known:
                node.attr["_class"].list.s.extend(known)
    return Body(graph_def, inputs, outputs, frozenset(used))


def captured(tensors: Sequence[tf.Tensor]) -> list[tf.Tensor]:
    """Eager tensors as captures of the function that is being traced."""
    graph = ops.get_default_graph()
    return [graph.capture(tensor) for tensor in tensors]


def is_handle_of_variable(tensor: Any) -> bool:
    """Whether an eager tensor stands for a variable, and not for a table, an iterator or anything else."""
    if tensor.dtype != tf.resource:
        return False
    data = getattr(tensor, "_handle_data", None)
    return data is not None and bool(data.is_set)


def add_function(definition: Any) -> None:
    """Makes a function known to this process, from its ``FunctionDef``."""
    context.context().add_function_def(definition)


def has_function(name: str) -> bool:
    """Whether a function is known to this process."""
    return bool(context.context().has_function(name))


def function_definition(name: str) -> Any:
    """The ``FunctionDef`` of a registered function, as a copy."""
    return context.context().get_function_def(name)


def remove_function(name: str) -> None:
    """Forgets a function that `define_function` registered."""
    # At the interpreter's end the module may be gone before the last function is.
    if context is not None and has_function(name):
        context.context().remove_function(name)


def function_caller(
    name: str, captures: Sequence[tf.Tensor], outputs: int, soft_placement: bool
) -> Callable[..., Sequence[Any]]:
    """A Python callable for the registered function `name`.

    Args:
      name: the function's name.
      captures: eager tensors passed after the call's own inputs.
      outputs: how many results the function has.
      soft_placement: whether operations may run elsewhere when the device asked for does not have them.

    Returns:
      A callable from a list of eager tensors, and optionally a `CancellationManager` that can end the call
      while it waits, to a list of eager tensors.
    """
    runtime = context.context()
    runtime.ensure_initialized()
    options = runtime.function_call_options
    if soft_placement:
        config = runtime.config
        config.allow_soft_placement = True
        options = context.FunctionCallOptions(executor_type=options.executor_type, config_proto=config)
    attributes = tuple(itertools.chain(*options.as_attrs().items()))
    captured = list(captures)

    def call(inputs: list[Any], manager: Any = None) -> Sequence[Any]:
        if manager is None:
            return execute.execute(name, outputs, inputs + captured, attributes, runtime) or ()
        return (
            execute.execute_with_cancellation(
                name, outputs, inputs + captured, attributes, runtime, cancellation_manager=manager
            )
            or ()
        )

    return call


def to_eager_tensor(value: np.ndarray[Any, Any], dtype: tf.DType) -> Any:
    """`value` as an eager tensor in the host's memory, whatever graph is being built; the array's is not shared."""
    context.context().ensure_initialized()
    return ops.EagerTensor(value.copy(), HOST, dtype.as_datatype_enum)


def resource(name: str) -> tf.Tensor:
    """The handle of what lies in this process under a name of its own: a tensor of int64, on the CPU."""
    with tf.device(HOST):
        return tf.raw_ops.VarHandleOp(dtype=tf.int64, shape=[3], shared_name=name)


def named_handle(handle: Any, shape: Any, dtype: tf.DType) -> Any:
    """A handle like the one that TensorFlow made for an eager variable, but known under a name of its own.

    What lies under a name can be forgotten and put there anew, which TensorFlow's own handles do not allow. It is gone
    with the last handle, and the name is free for the next variable like it: TensorFlow keeps a kernel of some 80 kB
    for each name that it was ever asked for.
    """
    kind = _Kind(handle.device, dtype, str(shape), handle._name or "")
    name = _taken(_FREE.setdefault(kind, []), "compat_variable")
    with context.eager_mode(), ops.device(handle.device):
        named = tf.raw_ops.VarHandleOp(dtype=dtype, shape=shape, shared_name=name, debug_name=kind.debug_name)
    named._handle_data = handle._handle_data
    named._parent_trackable = handle._parent_trackable
    named._name = handle._name
    named._unique_id = handle._unique_id
    finalizer = weakref.finalize(named, _destroy, name, shape, kind)
    finalizer.atexit = False
    return named


class _Kind(NamedTuple):
    """What a kernel that makes handles is made for, besides the name."""

    device: str
    dtype: tf.DType
    shape: str
    debug_name: str


_FREE: dict[_Kind, list[str]] = {}
"""The names of variables that are gone."""
_FREE_STATES: list[str] = []
"""The names of states of random sequences that are gone."""
_numbers = itertools.count()


def _taken(free: list[str], prefix: str) -> str:
    """One of the names that are free, or a new one."""
    try:
        return free.pop()
    except IndexError:
        return f"{prefix}_{next(_numbers)}"


def held(value: tf.Tensor, shape: Any) -> Any:
    """The eager handle of a variable that nobody else knows, and its value; both are gone with the handle."""
    with context.eager_mode():
        handle = tf.raw_ops.VarHandleOp(dtype=value.dtype, shape=shape, shared_name=ANONYMOUS)
        tf.raw_ops.AssignVariableOp(resource=handle, value=value)
    return handle


def forget_resource(handle: Any) -> None:
    """Forgets what lies under an eager handle."""
    with context.eager_mode(), ops.device(handle.device):
        tf.raw_ops.DestroyResourceOp(resource=handle, ignore_lookup_error=True)


def _destroy(name: str, shape: Any, kind: _Kind) -> None:
    with context.eager_mode(), ops.device(kind.device):
        forget_resource(
            tf.raw_ops.VarHandleOp(dtype=kind.dtype, shape=shape, shared_name=name, debug_name=kind.debug_name)
        )
    _FREE[kind].append(name)


def new_resource(value: Sequence[int]) -> str:
    """The name of the state of a random sequence, for `resource`, which has a value."""
    name = _taken(_FREE_STATES, "compat_random_sequences")
    set_resource(name, value)
    return name


def set_resource(name: str, value: Sequence[int]) -> None:
    """Puts a value where `resource(name)` finds it, whatever graph is being built."""
    with context.eager_mode():
        tf.raw_ops.AssignVariableOp(resource=resource(name), value=tf.constant(value, tf.int64))


def value_of_resource(name: str) -> tuple[int, ...]:
    """The value that `resource(name)` has."""
    with context.eager_mode():
        value = tf.raw_ops.ReadVariableOp(resource=resource(name), dtype=tf.int64)
        return tuple(int(each) for each in value.numpy())


def destroy_resource(name: str) -> None:
    """Forgets what `new_resource` made; the name is free for another one."""
    # At the interpreter's end the module may be gone before the last session is.
    if context is not None and context.context is not None:
        with context.eager_mode():
            forget_resource(resource(name))
        _FREE_STATES.append(name)
