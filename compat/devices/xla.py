"""What the XLA devices of TensorFlow 1 (`/device:XLA_GPU:0`, `/device:XLA_CPU:0`) were for, in TensorFlow 2.

TensorFlow 2 has no such devices and runs what is put on them uncompiled, in silence. There XLA is no device but a way
to run operations on one: those of a traced function are marked to be compiled as one cluster.
"""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import attr_value_pb2

from ..private import kernels, ops, record

__all__ = ["XlaDevice", "xla_device"]

# Stand for values from outside of the cluster.
_BOUNDARY = frozenset({"Placeholder"})
_CONTROL_FLOW = frozenset({"Case", "If", "StatelessCase", "StatelessIf", "StatelessWhile", "While"})
# The kernels that XLA compiles from, on each device.
_COMPILED_KERNELS = {"CPU": "XLA_CPU_JIT", "GPU": "XLA_GPU_JIT"}


class XlaDevice:
    """What `xla_device` gives: a context for traced operations, and a decorator for functions."""

    def __init__(self, device: str | None) -> None:
        self._device = device
        self._entered: list[tuple[Any, int, contextlib.ExitStack]] = []

    def __enter__(self) -> XlaDevice:
        if tf.executing_eagerly():
            raise RuntimeError(
                "compat.xla_device: operations that run one by one cannot be compiled together; "
                "use it inside of a tf.function, or as a decorator of a function that holds these operations"
            )
        graph = ops.get_default_graph()
        scopes = contextlib.ExitStack()
        scopes.enter_context(self._compiling())
        self._entered.append((graph, len(graph.get_operations()), scopes))
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        graph, before, scopes = self._entered.pop()
        scopes.close()
        if kind is None:
            made = [operation for operation in graph.get_operations()[before:] if operation.type not in _BOUNDARY]
            _keep_whole(made)
            _check_compiled(made, self._device)
            _join_gradients(made, self._compiling)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        compiled = tf.function(function, jit_compile=True)
        if self._device is None:
            return compiled

        @functools.wraps(compiled)
        def run(*args: Any, **kwargs: Any) -> Any:
            with tf.device(self._device):
                return compiled(*args, **kwargs)

        return run

    @contextlib.contextmanager
    def _compiling(self) -> Iterator[None]:
        with contextlib.ExitStack() as scopes:
            if self._device is not None:
                scopes.enter_context(tf.device(self._device))
            scopes.enter_context(tf.xla.experimental.jit_scope())
            yield


def xla_device(device: str | None = None) -> XlaDevice:
    """Compiles operations with XLA: what `with tf.device("/device:XLA_GPU:0")` did in TF 1.15.

    As a context inside of a `tf.function` or a graph, the operations made in it become one compiled cluster, and so do
    those of their gradients, wherever `tf.gradients` or a `tf.GradientTape` asks for them. It nests in `tf.device`.
    As a decorator it compiles a function as a whole (`jit_compile=True`), which works in eager code too.

    Loops and branches inside are compiled whole. Those that a gradient is taken of keep intermediate values in a way
    that XLA cannot compile in a context: they run uncompiled there, and compiled in a decorated function.

    XLA's results may differ from those of the plain kernels in the last bits, and its random numbers do, as they did
    in TensorFlow 1.

    Args:
      device: the device to run on, such as "/gpu:0"; None stays on the device of the scopes around.

    Raises:
      RuntimeError: it is entered in eager code, where there is nothing to compile together.
      NotImplementedError: XLA cannot compile an operation, and soft placement is off
        (`tf.config.set_soft_device_placement(False)`); with soft placement, a warning names the operations,
        which run uncompiled.

    Example:
      >>> @tf.function
      ... def norm(x):
      ...     with xla_device():
      ...         squares = x * x
      ...     return tf.sqrt(tf.reduce_sum(squares))
      >>> print(norm(tf.constant([3.0, 4.0])).numpy())
      5.0
      >>> @xla_device("/cpu:0")
      ... def double(x):
      ...     return 2.0 * x
      >>> print(double(tf.constant(4.0)).numpy())
      8.0
    """
    return XlaDevice(device)


def _keep_whole(operations: Sequence[Any]) -> None:
    """Keeps loops and branches from being taken apart, for what they are taken apart into is in no cluster."""
    for operation in operations:
        if operation.type in _CONTROL_FLOW:
            operation._set_attr("_lower_using_switch_merge", attr_value_pb2.AttrValue(b=False))


def _check_compiled(operations: Sequence[Any], device: str | None) -> None:
    """Speaks up about operations that XLA has no kernels for."""
    kind = (tf.DeviceSpec.from_string(device).device_type if device else None) or "CPU"
    compiler = _COMPILED_KERNELS.get(kind.upper())
    if compiler is None:
        return
    left = [f"{operation.name} ({operation.type})" for operation in operations if not _has_kernel(operation, compiler)]
    if not left:
        return
    message = f"XLA has no kernel for {', '.join(left)}: take what it cannot compile out of compat.xla_device"
    with tf.init_scope():  # a graph being built has not the program's setting
        soft = tf.config.get_soft_device_placement()
    if not soft:
        raise NotImplementedError(message)
    warnings.warn(f"{message}; until then it runs uncompiled", stacklevel=3)


def _has_kernel(operation: Any, compiler: str) -> bool:
    if operation.type.endswith("PartitionedCall") or operation.type in _CONTROL_FLOW:
        return True  # XLA looks into the functions that it calls.
    return compiler in _kernels_of(operation.type)


@functools.cache
def _kernels_of(operation_type: str) -> frozenset[str]:
    _load_compiler()
    return frozenset(kernel.device_type for kernel in kernels.get_registered_kernels_for_op(operation_type).kernel)


@functools.cache
def _load_compiler() -> None:
    # XLA lists its kernels when it first compiles something.
    with tf.init_scope():
        tf.function(lambda x: -x, jit_compile=True)(tf.constant(0.0))


def _join_gradients(operations: Sequence[Any], compiling: Callable[[], Any]) -> None:
    """Makes the cluster one operation to the tapes that watch, so that its gradient is compiled as the cluster is.

    A tape calls the gradient functions of single operations, whose operations belong to no cluster. Recorded once more
    as one, the cluster's gradient is that of `tf.gradients`, which keeps to the clusters. A value that is used inside
    too is recorded alone, for its gradient is needed only where something outside uses it as well.
    """
    if not operations or not record.could_possibly_record():
        return
    made = {id(tensor): tensor for operation in operations for tensor in operation.outputs}
    used = {id(tensor): tensor for operation in operations for tensor in operation.inputs}
    inputs = [tensor for key, tensor in used.items() if key not in made]
    differentiable = [(key, t) for key, t in made.items() if t.dtype.is_floating or t.dtype.is_complex]
    last = [tensor for key, tensor in differentiable if key not in used]
    for outputs in [*([tensor] for key, tensor in differentiable if key in used), last]:
        if outputs and inputs:
            record.record_operation_backprop_only("XlaCluster", outputs, inputs, _gradient(outputs, inputs, compiling))


def _gradient(outputs: Sequence[Any], inputs: Sequence[Any], compiling: Callable[[], Any]) -> Callable[..., Any]:
    def backward(*gradients: Any) -> Any:
        graph = ops.get_default_graph()
        before = len(graph.get_operations())
        with compiling():
            results = tf.gradients(list(outputs), list(inputs), list(gradients))
        _keep_whole(graph.get_operations()[before:])
        return results

    return backward
