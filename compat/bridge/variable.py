"""Variables of bridged code: a graph's nodes to TF1 eyes, eager `tf.Variable`s to TF2's."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from .. import counting
from ..private import ops, resource_variable_ops, stack
from ..variables.identity import Identified
from ..variables.references import value_behind
from .graph import Graph, current_graph
from .initial_values import independent
from .runtime import forget_resource, named_handle

__all__ = ["GraphVariable"]


class GraphVariable(Identified, resource_variable_ops.UninitializedVariable):
    """A `tf.Variable` whose initial value is an operation of a `compat.Graph`, as in TF 1.15.

    It has no value before its initializer was run, restored or loaded. In graph code it reads like TF1's
    variable (`v.op`, `v.initializer`, `v.eval()`, `v.load()`, `sess.run(v)`); in eager code it is an ordinary
    `tf.Variable`.

    Args:
      graph: the graph that it belongs to.
      name: the full name, already unique among the graph's operations.
      initial_value: a tensor of the graph or a value, of shape `shape`; or a callable that gives one.
      shape: the static shape; taken from `initial_value` when None.
      dtype: the type; taken from `initial_value` when None.
      trainable: whether `tf.GradientTape` watches it by itself.
      validate_shape: False lets later values have another shape.
      constraint: a projection that optimizers apply after each update, or None.
      use_resource: whether what was read of it before an update stays as it was, for operations after the update.
      device: where the variable lives, or None for the placer's choice.

    Attributes:
      shares_memory: whether operations after an update see it through earlier reads, too, as with TF1's default.
      captured_handle: the graph's stand-in for the handle; None until there is one.

    Raises:
      ValueError: `validate_shape` is set and the initial value's shape is not fully known.
    """

    shares_memory = True
    captured_handle: tf.Tensor | None = None

    def __init__(
        self,
        *,
        graph: Graph,
        name: str,
        initial_value: Any,
        shape: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        validate_shape: bool = True,
        constraint: Callable[[tf.Tensor], tf.Tensor] | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        use_resource: bool | None = None,
    ) -> None:
        value = _initial_tensor(graph, name, initial_value, dtype)
        static = value.shape if shape is None else tf.TensorShape(shape)
        if validate_shape and not static.is_fully_defined():
            raise ValueError(f"initial_value must have a shape specified: {value}")
        properties = {
            "trainable": trainable,
            "name": name + "/",
            "shape": static if validate_shape else tf.TensorShape(None),
            "dtype": value.dtype.base_dtype,
            "constraint": constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
            "validate_shape": validate_shape,
        }
        try:
            super().__init__(**properties)
        except (tf.errors.InvalidArgumentError, tf.errors.NotFoundError):
            # The device asked for is not here. TF1 said so when the operations ran, and so do they here.
            with tf.device(None), tf.device("/cpu:0"):
                super().__init__(**properties)
        self._handle = named_handle(self._handle, properties["shape"], self.dtype)
        # The stores that hold the graph hold the variable; a strong reference here would be a cycle for life.
        self._graph = graph
        self._initial_value = value
        self.shares_memory = not use_resource
        graph.add_variable(self)
        with ops.name_scope(None), graph.as_default(), tf.control_dependencies(None):
            self.captured_handle = graph.capture(self.handle, name=f"{name}/handle")
            # TF1's: the variable, its assignment, its read; of resource variables whether it is initialized too.
            graph.operation_count.add(1 if use_resource else 0)
            self._element = tf.raw_ops.ReadVariableOp(resource=self.handle, dtype=self.dtype, name=name + "/")
            self._element.set_shape(properties["shape"])
            self._first_value = independent(graph, name, value)
            self._initializer = tf.raw_ops.AssignVariableOp(
                resource=self.handle, value=self._first_value, validate_shape=validate_shape, name=f"{name}/Assign"
            )

    @property
    def graph(self) -> Graph:
        """The `compat.Graph` in which the variable was made."""
        return self._graph

    @property
    def handle(self) -> tf.Tensor:
        """What operations know the variable by: in bodies of loops and branches, the graph's stand-in for it.

        So gradients that are built there find the reads that stand around.
        """
        if self.captured_handle is None or tf.executing_eagerly():
            return self._handle
        is_body = ops.get_default_graph() is not self._graph and current_graph() is self._graph
        return self.captured_handle if is_body else self._handle

    @property
    def op(self) -> tf.Operation:
        """The operation that carries the variable's name and gives its value."""
        return self._element.op

    @property
    def initializer(self) -> tf.Operation:
        """The operation that sets the initial value."""
        return self._initializer

    @property
    def initial_value(self) -> tf.Tensor:
        """The tensor of the initial value."""
        return self._initial_value

    def set_initial_value(self, value: tf.Tensor) -> None:
        """Makes `value`, a tensor of the graph, what the initializer sets from now on (`init_from_checkpoint`)."""
        self._initial_value = self._first_value = value
        self._initializer = tf.raw_ops.AssignVariableOp(resource=self.handle, value=value)

    def initialized_value(self) -> tf.Tensor:
        """The variable's value once it has one, else its initial value; for initializers of other variables."""
        with counting.counted(9 if self.shares_memory else 10):
            initialized = tf.raw_ops.VarIsInitializedOp(resource=self.handle)
            return tf.cond(initialized, self.read_value, lambda: self._first_value)

    def eval(self, session: Any = None) -> np.ndarray[Any, Any]:
        """The value in `session`, or in the default session."""
        return self._element.eval(session=session)

    def value(self) -> tf.Tensor:
        """The value as a tensor: for TF1's default variables the one made with them, which waits for no block."""
        if self.shares_memory and ops.get_default_graph() is self._graph:
            return self._element
        return super().value()

    def read_value(self) -> tf.Tensor:
        """The value as it is when the operation runs."""
        if self.shares_memory:
            with counting.counted(1):
                return tf.identity(self._read_variable_op(), name="read")
        with counting.counted(2):
            return super().read_value()

    def numpy(self) -> Any:
        """The value now, also while a graph is being built."""
        with tf.init_scope():
            return super().numpy()

    def forget_value(self) -> None:
        """Leaves the variable without a value, as before its initializer ran."""
        forget_resource(self.handle)

    def load(self, value: Any, session: Any = None) -> None:
        """Sets the value at once, without an operation in the graph."""
        array = np.asarray(value, self.dtype.as_numpy_dtype)
        if not self.shape.is_compatible_with(array.shape):
            raise ValueError(f"Cannot load a value of shape {array.shape} into {self.name} of shape {self.shape}")
        session = session or stack.get_default_session()
        with contextlib.nullcontext() if session is None else session.turn(), tf.init_scope():
            self.assign(array)

    def _as_graph_element(self) -> tf.Tensor:
        return self._element

    def _lazy_read(self, op: tf.Operation) -> Any:
        """What the `assign` and `scatter` methods return: in a graph, the value read after the update."""
        if current_graph() is None:
            return super()._lazy_read(op)
        with tf.control_dependencies([op]), counting.counted(0 if self.shares_memory else 1):
            return value_behind(self, op, op.type.removeprefix("Resource"))

    def __repr__(self) -> str:
        """What TensorFlow 1 wrote, since programs print their variables: its default ones were references."""
        dtype = f"{self.dtype.name}_ref" if self.shares_memory else self.dtype.name
        return f"<tf.Variable '{self.name}' shape={str(self.shape).replace('None', '?')} dtype={dtype}>"


def _initial_tensor(graph: Graph, name: str, initial_value: Any, dtype: Any) -> tf.Tensor:
    """The initial value as a tensor of `graph`, outside every loop, branch and control dependency."""
    with ops.name_scope(None), graph.as_default(), tf.control_dependencies(None):
        if callable(initial_value):
            with tf.name_scope(f"{name}/Initializer/"):
                initial_value = initial_value()
        return tf.convert_to_tensor(initial_value, dtype=dtype, name=f"{name}/initial_value")
