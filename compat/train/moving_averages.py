"""Exponential moving averages of variables and tensors."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Sequence
from typing import Any

import tensorflow as tf

from .. import counting
from .. import variables as tf1
from ..bridge.graph import current_graph
from ..variables.assignment import update_alike
from ..variables.replicas import mean_over_replicas, replica_number
from ..variables.store import VariableStore, current_pass
from . import slot_creator
from .op_names import exact_name

_TURNS = "averages of tensors"
_by_turn: weakref.WeakKeyDictionary[VariableStore, dict[int, dict[Hashable, tf.Variable]]] = weakref.WeakKeyDictionary()
"""What each replica has of the averages of tensors, by scope and turn."""
_FLOATS = (tf.bfloat16, tf.float16, tf.float32, tf.float64)


class ExponentialMovingAverage:
    """Keeps shadows of variables: ``shadow = decay * shadow + (1 - decay) * variable``.

    Stands for ``tf.train.ExponentialMovingAverage``. The shadow of ``net/w`` is ``net/w/ExponentialMovingAverage``; a
    variable's starts at the variable's initial value, a tensor's at zero. Functions over one store may compute other
    parts of a graph, and number the names of their operations by themselves: they share shadows of tensors by turn.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> w, average = compat.Variable(1.0), compat.train.ExponentialMovingAverage(0.99)
    >>> update = average.apply([w])          # run it after each training step
    >>> average.average(w).name              # the shadow
    'Variable/ExponentialMovingAverage:0'

    Args:
        decay: between 0 and 1, a float or scalar tensor.
        num_updates: where given, the decay used is ``min(decay, (1 + num_updates) / (10 + num_updates))``.
        zero_debias: correct tensors' shadows for their start at zero.
        name: last part of the shadows' names.
    """

    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False, name: str = "ExponentialMovingAverage"
    ) -> None:
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[Any, tf.Variable] = {}

    @property
    def name(self) -> str:
        """Last part of the shadows' names."""
        return self._name

    def apply(self, var_list: Sequence[Any] | None = None) -> Any:
        """Makes shadows where there are none, and updates them.

        Args:
            var_list: variables or tensors of a floating dtype; all trainable variables when None.

        Returns:
            The operation that updates, in a graph; None when eager.

        Raises:
            TypeError: an item is not floating, or is a tensor when eager.
        """
        items = tf1.trainable_variables() if var_list is None else list(var_list)
        debiased = self.create_averages(items)
        with tf1.name_scope(self._name) as scope:
            decay = self._decay_now()
            updates = [
                assign_moving_average(self._averages[item.ref()], item, decay, item.ref() in debiased) for item in items
            ]
            return None if tf.executing_eagerly() else tf.group(*updates, name=exact_name(scope))

    def create_averages(self, items: Sequence[Any]) -> set[Any]:
        """Makes shadows where there are none; returns references to the tensors whose shadows are to be debiased.

        In plain TF2 a variable's shadow starts at its value at this moment, which is its initial one only before the
        first update.
        """
        for item in items:
            if not isinstance(item, tf.Variable) and tf.executing_eagerly():
                raise TypeError(
                    "ExponentialMovingAverage does not support non-Variable tensors when eager execution is enabled."
                )
        with slot_creator.creating():
            return {item.ref() for item in items if self._make_average(item)}

    def average(self, var: Any) -> tf.Variable | None:
        """The shadow of ``var``, or None."""
        return self._averages.get(var.ref())

    def average_name(self, var: Any) -> str:
        """The name of the shadow of ``var``, also where ``apply`` has not made one (for checkpoints)."""
        if var.ref() in self._averages:
            return slot_creator.name_of(self._averages[var.ref()])
        name = f"{slot_creator.name_of(var)}/{self._name}"
        graph = current_graph()
        return name if graph is None else str(graph.unique_name(name, mark_as_used=False))

    def variables_to_restore(self, moving_avg_variables: Sequence[Any] | None = None) -> dict[str, Any]:
        """For a ``Saver``: shadows' names to the variables that should take their values, other variables by their own.

        Args:
            moving_avg_variables: whose shadows to read; trainable variables and all that ``apply`` was given when None.
        """
        if moving_avg_variables is None:
            moving_avg_variables = [*tf1.trainable_variables(), *tf1.moving_average_variables()]
        averaged = {id(var): var for var in moving_avg_variables}.values()
        names = {self.average_name(var): var for var in averaged}
        taken = {var.name for var in averaged}
        for var in tf1.global_variables():
            if var.name not in taken:
                names.setdefault(slot_creator.name_of(var), var)
        return names

    def _make_average(self, item: Any) -> bool:
        """Makes the shadow of ``item`` if need be; says whether it is new and to be debiased."""
        if tf.as_dtype(item.dtype) not in _FLOATS:
            raise TypeError(f"The variables must be half, float, or double: {item.name}")
        if item.ref() in self._averages:
            return False
        if isinstance(item, tf.Variable):
            with counting.counted(24 if getattr(item, "shares_memory", False) else 14):
                made = slot_creator.create_slot(item, _initial_value_of(item), self._name, owner=self)
            if tf1.has_store():
                tf1.add_to_collection(tf1.GraphKeys.MOVING_AVERAGE_VARIABLES, item)
        else:
            made = self._average_of_tensor(item)
        self._averages[item.ref()] = made
        return self._zero_debias and not isinstance(item, tf.Variable)

    def _average_of_tensor(self, item: Any) -> tf.Variable:
        """The shadow of a tensor; that which an earlier pass made in the same scope at the same turn."""
        if current_graph() is not None or not tf1.has_store():
            return slot_creator.create_zeros_slot(item, self._name, owner=self)
        building = current_pass()
        scope = building.name_scope_name(), self._name
        turn = building.counters[_TURNS, scope] = building.counters.get((_TURNS, scope), 0) + 1
        known = _by_turn.setdefault(building.store, {}).setdefault(replica_number(), {})
        while (scope, turn) not in known:
            made = slot_creator.create_zeros_slot(item, self._name, owner=self)
            if all(made is not other for other in known.values()):
                known[scope, turn] = made
        return known[scope, turn]

    def _decay_now(self) -> tf.Tensor:
        decay = tf.convert_to_tensor(self._decay, name="decay")
        if self._num_updates is None:
            return decay
        updates = tf.cast(self._num_updates, tf.float32, name="num_updates")
        return tf.minimum(decay, (1.0 + updates) / (10.0 + updates))


def _initial_value_of(variable: Any) -> Any:
    if current_graph() is not None:
        return slot_creator.primary_value(variable)
    return variable.read_value


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """``variable -= (1 - decay) * (variable - value)``; ``moving_averages.assign_moving_average`` of TF 1.15.

    Args:
        variable: the running average.
        value: a tensor of its shape.
        decay: between 0 and 1, a float or scalar tensor.
        zero_debias: divide by ``1 - decay ** updates``, from two more variables ``<variable>/biased`` and
            ``<variable>/local_step``; for averages that start at zero.
        name: name of the result.

    Returns:
        The new average.
    """
    with tf1.name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rate = tf.cast(tf.convert_to_tensor(1.0 - decay, name="decay"), variable.dtype)
        value = mean_over_replicas(value)
        if zero_debias:
            return _assign_debiased(variable, value, rate)
        return update_alike("AssignSub", variable, (variable - value) * rate, name=exact_name(scope))


def weighted_moving_average(
    value: Any,
    decay: Any,
    weight: Any,
    truediv: bool = True,
    collections: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """The moving average of ``value * weight`` over that of ``weight``.

    Stands for ``moving_averages.weighted_moving_average`` of TF 1.15.

    Args:
        value, weight: tensors of static shapes that broadcast.
        decay: between 0 and 1.
        truediv: accepted; floating values divide alike.
        collections: those of the two variables ``value_x_weight`` and ``weight``; ``[GLOBAL_VARIABLES]`` by default.
        name: name of the variable scope, ``WeightedMovingAvg`` by default.
    """
    del truediv
    with tf1.variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        options: dict[str, Any] = {"initializer": _zeros, "trainable": False, "collections": collections}
        total = tf1.get_variable("value_x_weight", shape=value.shape, dtype=value.dtype, **options)
        weights = tf1.get_variable("weight", shape=weight.shape, dtype=weight.dtype, **options)
        numerator = assign_moving_average(total, value * weight, decay, zero_debias=False)
        denominator = assign_moving_average(weights, weight, decay, zero_debias=False)
        return tf.divide(numerator, denominator, name=scope.name if current_graph() is not None else None)


def _assign_debiased(variable: Any, value: Any, rate: tf.Tensor) -> Any:
    with tf1.variable_scope(slot_creator.name_of(variable)):
        options: dict[str, Any] = {"dtype": variable.dtype, "initializer": _zeros, "trainable": False}
        biased = tf1.get_variable(_free_name("biased"), shape=variable.shape, **options)
        local_step = tf1.get_variable(_free_name("local_step"), shape=[], **options)
    new_biased = update_alike("AssignSub", biased, (biased - value) * rate)
    steps = update_alike("AssignAdd", local_step, tf.ones([], variable.dtype))
    # `rate` is 1 - decay already; TF1 subtracts it again, which rounds.
    return update_alike("Assign", variable, new_biased / (1 - tf.pow(1.0 - rate, steps)))


def _free_name(name: str) -> str:
    scope = tf1.get_variable_scope()
    if scope.reuse or current_graph() is None:
        return name
    taken = {slot_creator.name_of(variable) for variable in scope.global_variables()}
    full = f"{scope.name}/{name}"
    number = 0
    while (f"{full}_{number}" if number else full) in taken:
        number += 1
    return f"{name}_{number}" if number else name


def _zeros(shape: Any, dtype: Any = tf.float32, partition_info: Any = None) -> tf.Tensor:
    del partition_info
    return tf.zeros(shape, dtype)
