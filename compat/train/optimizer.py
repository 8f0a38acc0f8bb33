"""The base of TF 1.x's optimizers, on TF2."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from ..bridge.graph import current_graph
from ..bridge.variable import GraphVariable
from ..variables.assignment import updated_together
from ..variables.replicas import has_replicas, is_in_its_replica
from ..variables.store import built_graph
from . import slot_creator
from .op_names import exact_name
from .slots_of_checkpoints import are_as_tf1
from .sparsity import as_dense_as_in_tf1
from .unknown_variables import warn_of_unknown_variables
from .updates import as_variable, deduplicate, target_of, update_variable

GradsAndVars = Sequence[tuple[Any, Any]]


class Optimizer(tf.__internal__.tracking.Trackable):  # type: ignore[misc]
    """Computes gradients and applies them with TF1's own update kernels. Stands for ``tf.train.Optimizer``.

    Under the bridge :meth:`minimize` and :meth:`apply_gradients` add operations to the graph and return the one to
    fetch. In plain TF2, eagerly or in a ``tf.function``, they update at once. Slots (momenta and the like) are made
    at the first call, under TF1's names, in the current ``VariableStore``; without one they are plain
    ``tf.Variable``s. Either way ``tf.train.Checkpoint(optimizer=...)`` saves them.

    Subclasses override what TF1's did: ``_create_slots``, ``_prepare``, ``_apply_dense``, ``_resource_apply_dense``,
    ``_apply_sparse``, ``_resource_apply_sparse``, ``_apply_sparse_duplicate_indices``, ``_finish``, ``_valid_dtypes``.
    Variables were no resource variables in TF1 unless asked for, so ``_apply_dense`` is called where a class has both.

    >>> optimizer = compat.train.GradientDescentOptimizer(0.1)
    >>> w = tf.Variable(2.0)
    >>> with tf.GradientTape() as tape:
    ...     loss = w * w
    >>> optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    >>> round(float(w), 6)
    1.6

    Args:
        use_locking: passed on to the kernels.
        name: the operations' name, and the last part of the slots' names.

    Raises:
        ValueError: ``name`` is empty.
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots: dict[str, dict[Any, tf.Variable]] = {}
        self._non_slot_dict: dict[Any, tf.Variable] = {}
        self._waiting: dict[Any, list[Any]] = {}

    def __dir__(self) -> list[str]:
        # tf.train.Checkpoint takes an object that lists `get_slot_names` for one whose slots are tracked by nothing
        # else, and refuses to save slots that a VariableStore tracks as well.
        return [name for name in super().__dir__() if name != "get_slot_names" or are_as_tf1()]

    def _trackable_children(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        children: dict[str, Any] = super()._trackable_children(*args, **kwargs)
        if not are_as_tf1():
            return children
        slots = {id(slot) for every in self._slots.values() for slot in every.values()}
        return {name: child for name, child in children.items() if id(child) not in slots}

    def _create_or_restore_slot_variable(self, slot_variable_position: Any, slot_name: str, variable: Any) -> Any:
        """What tf.train.Checkpoint restores a slot of TF1's form into; it waits for a slot that is not made yet."""
        slot = self.get_slot(variable, slot_name)
        if slot is None:
            self._waiting.setdefault((slot_name, _key(variable)), []).append(slot_variable_position)
        return slot

    def get_name(self) -> str:
        """The optimizer's name."""
        return self._name

    # -- what programs call ---------------------------------------------------------------------------------------

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """Computes the gradients of ``loss`` and applies them.

        Args:
            loss: a tensor of the graph or trace, or a callable that gives the loss (the only way when eager).
            global_step: a variable that is incremented after the update.
            var_list: what to train; all trainable variables when None.
            gate_gradients: ``GATE_NONE``, ``GATE_OP`` or ``GATE_GRAPH``: how far gradients wait for each other.
            aggregation_method: a ``tf.AggregationMethod``.
            colocate_gradients_with_ops: accepted; TF2 places gradients itself.
            name: name of the returned operation; the optimizer's when None.
            grad_loss: gradient of the loss itself; ones when None.

        Returns:
            The operation that updates, in a graph; None when eager.

        Raises:
            ValueError: nothing depends on any of the variables.
        """
        pairs = self.compute_gradients(
            loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        if all(grad is None for grad, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, "
                f"between variables {[str(v) for _, v in pairs]} and loss {loss}."
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """The pairs of gradient and variable; the gradient is None where the loss does not depend on the variable.

        Raises:
            RuntimeError: eager, and ``loss`` is not callable.
            ValueError: no variables, an unknown ``gate_gradients``, or a dtype that has no gradient.
        """
        del colocate_gradients_with_ops
        if callable(loss):
            return self._taped_gradients(loss, var_list, grad_loss)
        if tf.executing_eagerly():
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
            )
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  "
                f"Not {gate_gradients}"
            )
        self._assert_valid_dtypes([loss] if grad_loss is None else [loss, grad_loss])
        variables = tf1.trainable_variables() if var_list is None else tf.nest.flatten(var_list)
        if not variables:
            raise ValueError("No variables to optimize.")
        if var_list is None:
            warn_of_unknown_variables(loss)
        grads = tf.gradients(
            loss,
            [target_of(v) for v in variables],
            grad_ys=grad_loss,
            gate_gradients=gate_gradients == self.GATE_OP,
            aggregation_method=aggregation_method,
        )
        if gate_gradients == self.GATE_GRAPH:
            grads = _wait_for_all(grads)
        pairs = list(zip(grads, variables, strict=True))
        self._assert_valid_dtypes([v for grad, v in pairs if grad is not None and v.dtype != tf.resource])
        return pairs

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """Updates the variables, and increments ``global_step`` afterwards.

        In a replica of a ``tf.distribute`` strategy the gradients are summed over all replicas first, as in TF1: divide
        the loss by the global batch.

        Args:
            grads_and_vars: pairs as :meth:`compute_gradients` returns them; where the gradient is None, the variable
                stays as it is.
            global_step: an integer variable, or None.
            name: name of the returned operation; the optimizer's when None.

        Returns:
            The operation that updates, in a graph; None when eager.

        Raises:
            TypeError: a gradient is no tensor, ``tf.IndexedSlices`` or None.
            ValueError: there are no variables, or no gradients.
            NotImplementedError: a variable is a tensor, or a ``tf.distribute`` strategy has several replicas and this
                is called outside of ``strategy.run``.
        """
        pairs = [(as_dense_as_in_tf1(_as_gradient(grad), v), as_variable(v)) for grad, v in grads_and_vars]
        if not pairs:
            raise ValueError("No variables provided.")
        variables = [variable for grad, variable in pairs if grad is not None]
        if not variables:
            raise ValueError(f"No gradients provided for any variable: {[str(v) for _, v in pairs]}.")
        pairs = _summed_over_replicas(pairs)
        with slot_creator.creating():
            self._create_slots(variables)
        applied = updated_together(variables[0], lambda: self._apply_all(pairs, global_step, name))
        if current_graph() is not None:
            _collect_train_op(applied)
        return applied

    def get_slot(self, var: Any, name: str) -> tf.Variable | None:
        """The slot ``name`` of ``var``, or None where the optimizer has made none."""
        return self._slots.get(name, {}).get(_key(var))

    def get_slot_names(self) -> list[str]:
        """The slots' kinds (``["m", "v"]``), sorted."""
        return sorted(self._slots)

    def variables(self) -> list[tf.Variable]:
        """All variables that the optimizer has made for the current graph, sorted by name."""
        graphs = _graphs_asked_for()
        made = [v for (_, key), v in self._non_slot_dict.items() if key in graphs]
        made += [slot for slots in self._slots.values() for slot in slots.values() if _graph_of(slot) in graphs]
        return sorted(made, key=lambda variable: str(variable.name))

    # -- what subclasses override ---------------------------------------------------------------------------------

    def _valid_dtypes(self) -> set[tf.DType]:
        return {tf.float16, tf.bfloat16, tf.float32, tf.float64}

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        """Makes what the optimizer remembers for each variable; nothing unless overridden."""

    def _prepare(self) -> None:
        """Turns hyperparameters into tensors, once for each step."""

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not apply dense gradients")

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not apply dense gradients")

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not apply sparse gradients")

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not apply sparse gradients")

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any) -> Any:
        return self._apply_sparse(deduplicate(grad), var)

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Any:
        summed = deduplicate(tf.IndexedSlices(grad, indices))
        return self._resource_apply_sparse(summed.values, handle, summed.indices)

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Any:
        return tf.group(*[op for op in update_ops if op is not None], name=name_scope)

    # -- what subclasses call -------------------------------------------------------------------------------------

    def _slot_dict(self, slot_name: str) -> dict[Any, tf.Variable]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> tf.Variable:
        return self._slot(var, slot_name, lambda: slot_creator.create_slot(var, val, op_name, owner=self))

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> tf.Variable:
        return self._slot(
            var,
            slot_name,
            lambda: slot_creator.create_slot_with_initializer(var, initializer, shape, dtype, op_name, owner=self),
        )

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> tf.Variable:
        return self._slot(var, slot_name, lambda: slot_creator.create_zeros_slot(var, op_name, owner=self))

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any = None) -> tf.Variable:
        del colocate_with
        key = (name, current_graph())
        if key not in self._non_slot_dict:
            made = slot_creator.create_unnumbered(initial_value, name, self)
            self._non_slot_dict[key] = made
            self._track(made, name)
        return self._non_slot_dict[key]

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> tf.Variable | None:
        del graph
        found = (self._non_slot_dict.get((name, each)) for each in _graphs_asked_for())
        return next((variable for variable in found if variable is not None), None)

    def _non_slot_variables(self) -> list[tf.Variable]:
        return list(self._non_slot_dict.values())

    def _call_if_callable(self, param: Any) -> Any:
        return param() if callable(param) else param

    def _assert_valid_dtypes(self, tensors: Iterable[Any]) -> None:
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tf.as_dtype(tensor.dtype)
            if dtype not in valid:
                names = sorted(d.name for d in valid)
                raise ValueError(f"Invalid type {dtype!r} for {tensor.name}, expected: {names}.")

    # -- how it is done -------------------------------------------------------------------------------------------

    def _apply_all(self, pairs: Sequence[tuple[Any, Any]], global_step: Any, name: str | None) -> Any:
        """Makes all updates of a step, and gives the operation that ends it."""
        with tf1.name_scope(name, self._name) as scope:
            self._prepare()
            updates = []
            for grad, variable in pairs:
                if grad is not None:
                    with tf1.name_scope(f"update_{slot_creator.name_of(variable)}"):
                        updates.append(update_variable(self, grad, variable))
            return self._finish_step(updates, global_step, exact_name(scope) or self._name)

    def _slot(self, var: Any, slot_name: str, create: Callable[[], tf.Variable]) -> tf.Variable:
        slots, key = self._slot_dict(slot_name), _key(var)
        if key not in slots:
            slots[key] = made = create()
            self._track(made, slot_creator.name_of(made))
            for position in self._waiting.pop((slot_name, key), ()):
                position.restore(made)
        return slots[key]

    def _track(self, made: tf.Variable, name: str) -> None:
        self._maybe_initialize_trackable()
        self._track_trackable(made, name, overwrite=True)
        # A checkpoint restored before the slot existed has its value waiting.
        self._handle_deferred_dependencies(name=name, trackable=made)

    def _taped_gradients(self, loss: Callable[[], Any], var_list: Any, grad_loss: Any) -> list[tuple[Any, Any]]:
        with tf.GradientTape() as tape:
            if var_list is not None:
                tape.watch(var_list)
            value = loss()
        variables = tape.watched_variables() if var_list is None else tf.nest.flatten(var_list)
        return list(zip(tape.gradient(value, variables, grad_loss), variables, strict=True))

    def _finish_step(self, updates: Sequence[Any], global_step: Any, scope: str) -> Any:
        if global_step is None:
            return _operation(self._finish(updates, scope))
        finished = self._finish(updates, "update")
        with tf.control_dependencies([] if finished is None else [finished]):
            one = tf.constant(1, global_step.dtype)
            return tf.raw_ops.AssignAddVariableOp(resource=global_step.handle, value=one, name=scope)


def _summed_over_replicas(pairs: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    elsewhere = any(has_replicas(variable) and not is_in_its_replica(variable) for _, variable in pairs)
    replica = tf.distribute.get_replica_context()
    if not elsewhere and tf.distribute.get_strategy().num_replicas_in_sync == 1:
        return list(pairs)
    if elsewhere or replica is None:
        raise NotImplementedError("TF1's optimizers run in the replicas here: call the step by strategy.run.")
    summed = iter(replica.all_reduce(tf.distribute.ReduceOp.SUM, [grad for grad, _ in pairs if grad is not None]))
    return [(None if grad is None else next(summed), variable) for grad, variable in pairs]


def _as_gradient(grad: Any) -> Any:
    if grad is None or isinstance(grad, (tf.Tensor, tf.IndexedSlices)):
        return grad
    try:
        return tf.convert_to_tensor(grad)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {grad}") from error


def _wait_for_all(grads: Sequence[Any]) -> list[Any]:
    present = [grad for grad in grads if grad is not None]
    parts = [part for grad in present for part in tf.nest.flatten(grad, expand_composites=True)]
    with tf.control_dependencies(parts):
        return [
            None if grad is None else tf.nest.map_structure(tf.identity, grad, expand_composites=True) for grad in grads
        ]


def _operation(applied: Any) -> Any:
    return applied.op if isinstance(applied, tf.Tensor) and not tf.executing_eagerly() else applied


def _collect_train_op(operation: Any) -> None:
    if not any(operation is op for op in tf1.get_collection(tf1.GraphKeys.TRAIN_OP)):
        tf1.add_to_collection(tf1.GraphKeys.TRAIN_OP, operation)


def _key(var: Any) -> Any:
    return var.ref()


def _graphs_asked_for() -> tuple[Any, ...]:
    """The graph that is built; outside of one none, and the one that was built in the store that eager code is in."""
    graph = current_graph()
    built = built_graph() if graph is None else None
    return (graph,) if built is None else (None, built)


def _graph_of(variable: Any) -> Any:
    return variable.graph if isinstance(variable, GraphVariable) else None
