"""The base class of layers."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from ..variables.deferred import deferred
from ..variables.graph_keys import GraphKeys
from ..variables.lookup import get_variable
from ..variables.partition import PartitionedVariable
from ..variables.passes import Pass
from ..variables.scope import VariableScope
from ..variables.store import current_pass
from ..variables.variable_scope import variable_scope
from .identifiers import initializer_for
from .input_spec import as_tensors, check_inputs
from .naming import numbered, snake_case


class Layer:
    """A function with variables that are made when it is first called. Stands for ``tf.layers.Layer``.

    Subclasses make their variables in :meth:`build` with :meth:`add_weight` and compute in :meth:`call`. The variables
    lie in a variable scope: ``name`` where it is given, else the class name in snake case, numbered (``dense``,
    ``dense_1``) in the order in which layers are first called.

    Args:
        trainable: whether its variables are trained.
        name: its scope.
        dtype: dtype of its variables, by default that of the first input.
        activity_regularizer: a function of the output whose result, divided by the batch size, is a loss.

    Attributes:
        input_spec: an :class:`InputSpec`, or a list of them, that inputs are checked against.
        built: whether :meth:`build` has run.
    """

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        scope = kwargs.pop("_scope", None)
        self._reuse = kwargs.pop("_reuse", None)
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        kwargs.pop("autocast", None)
        self._given_input_shape = kwargs.pop("input_shape", None)
        if kwargs:
            raise TypeError("Keyword argument not understood:", next(iter(kwargs)))
        self.trainable = trainable
        self.built = False
        self.input_spec: Any = None
        self.stateful = False
        self._dtype = None if dtype is None else tf.as_dtype(dtype).name
        self._trainable_weights: list[Any] = []
        self._non_trainable_weights: list[Any] = []
        self._losses: list[Any] = []
        self._updates: list[Any] = []
        self._regularized: list[tuple[str, Any, Callable[[Any], Any]]] = []
        self._building: Pass | None = None
        self._scope: VariableScope | None = None
        self._current_scope: VariableScope | None = None
        self._set_name(name)
        if scope:
            with variable_scope(scope) as captured:
                self._scope = captured

    # -- names and scopes ---------------------------------------------------------------------------------------------

    def _set_name(self, name: Any) -> None:
        self._base_name = name.name if isinstance(name, VariableScope) else name or snake_case(type(self).__name__)
        if isinstance(name, str) and name:
            self._name = name
            return
        self._name = numbered(snake_case(type(self).__name__))

    @property
    def name(self) -> str:
        """The name given, else one made of the class name; the variables' prefix is :attr:`scope_name`."""
        return self._name

    @property
    def scope_name(self) -> str:
        """The name of the variable scope.

        Raises:
            ValueError: the layer has not been called yet.
        """
        if not self._scope:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet. The scope '
                "name is determined the first time the layer instance is called. You must therefore call the layer "
                "before querying `scope_name`."
            )
        return self._scope.name

    def _set_scope(self, scope: Any = None) -> None:
        if self._scope is not None:
            return
        if self._reuse:
            opened = variable_scope(scope if scope is not None else self._base_name)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as captured:
            self._scope = captured

    def _name_scope(self) -> str:
        """The name scope of its operations, absolute."""
        scope = self._current_scope
        return scope.original_name_scope if scope is not None else ""

    def _begin(self, building: Pass) -> None:
        """Starts with a new pass or eager call: losses and updates are collected anew, the scope's name is taken."""
        if self._building is building and not building.always_new:
            return
        first = self._building is None
        self._building = building
        self._losses, self._updates = [], []
        if first or self._scope is None:
            return
        opened = building.scopes.opened
        opened[self._scope.name] = max(1, opened.get(self._scope.name, 0))
        for name, variable, regularizer in self._regularized:
            self._add_weight_loss(name, variable, regularizer)

    # -- state --------------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> str | None:
        """Name of the dtype of its variables; None before it is known."""
        return self._dtype

    @property
    def activity_regularizer(self) -> Any:
        """The regularizer of the output, or None."""
        return self._activity_regularizer

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that are trained; none when the layer is not trainable."""
        return list(self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that are not trained."""
        if self.trainable:
            return list(self._non_trainable_weights)
        return [*self._trainable_weights, *self._non_trainable_weights]

    @property
    def weights(self) -> list[Any]:
        """All variables, the trained ones first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def trainable_variables(self) -> list[Any]:
        """The same as :attr:`trainable_weights`."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The same as :attr:`non_trainable_weights`."""
        return self.non_trainable_weights

    @property
    def variables(self) -> list[Any]:
        """The same as :attr:`weights`."""
        return self.weights

    @property
    def losses(self) -> list[Any]:
        """The losses of this pass."""
        return list(self._losses)

    @property
    def updates(self) -> list[Any]:
        """The update ops of this pass; none when the layer is not trainable."""
        return list(self._updates) if self.trainable or self.stateful else []

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses of this pass; ``inputs`` is accepted and not told apart."""
        return self.losses

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The update ops of this pass; ``inputs`` is accepted and not told apart."""
        return self.updates

    def count_params(self) -> int:
        """How many numbers its variables hold.

        Raises:
            ValueError: the layer has not been built.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. "
                "You can build it manually via: `layer.build(batch_input_shape)`."
            )
        return int(sum(np.prod(weight.shape.as_list()) for weight in self.weights))

    # -- variables, losses, updates -----------------------------------------------------------------------------------

    def add_weight(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: tf.VariableSynchronization = tf.VariableSynchronization.AUTO,
        aggregation: tf.VariableAggregation = tf.VariableAggregation.NONE,
        partitioner: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Makes a variable in the layer's scope, or gets it where the layer reuses, and returns it.

        Args as :func:`compat.get_variable`; ``initializer`` may be a name. The ``regularizer``'s loss joins
        ``REGULARIZATION_LOSSES`` when the variable is new.
        """
        kwargs.pop("experimental_autocast", None)
        if kwargs:
            raise TypeError("Unknown keyword argument:", next(iter(kwargs)))
        on_read = synchronization == tf.VariableSynchronization.ON_READ
        if on_read and trainable:
            raise ValueError(
                "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
                "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
            )
        wanted = bool(not on_read if trainable is None else trainable and not on_read) and self.trainable
        dtype = tf.as_dtype(dtype or self.dtype or tf.float32)
        self._set_scope(None)
        building = current_pass()
        existing = {id(variable) for variable in building.variables.values()}
        with variable_scope(self._scope, reuse=self.built or self._reuse, auxiliary_name_scope=False) as scope:
            self._current_scope = scope
            with building.name_scope(self._name_scope()):
                variable = get_variable(
                    name,
                    shape=() if shape is None else shape,
                    dtype=dtype,
                    initializer=_initializer(name, initializer_for(initializer), scope, dtype),
                    trainable=wanted,
                    constraint=constraint,
                    partitioner=partitioner,
                    use_resource=use_resource or scope.use_resource,
                    synchronization=synchronization,
                    aggregation=aggregation,
                )
                if regularizer and not any(id(part) in existing for part in _parts(variable)):
                    self._regularized.append((name, variable, regularizer))
                    self._add_weight_loss(name, variable, regularizer)
        self._track(variable, wanted, building)
        return variable

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """Old name of :meth:`add_weight`."""
        return self.add_weight(*args, **kwargs)

    def _track(self, variable: Any, wanted: bool, building: Pass) -> None:
        # A custom getter may have made it untrainable.
        if wanted and not building.always_new:
            in_training = {id(each) for each in building.collection(GraphKeys.TRAINABLE_VARIABLES)}
            wanted = all(id(part) in in_training for part in _parts(variable))
        (self._trainable_weights if wanted else self._non_trainable_weights).extend(_parts(variable))

    def _add_weight_loss(self, name: str, variable: Any, regularizer: Callable[[Any], Any]) -> None:
        for part in _parts(variable):
            with tf.name_scope(f"{name}/Regularizer"):
                loss = regularizer(part)
            if loss is not None:
                self.add_loss(loss)

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds a loss, a list of them, or functions that make them, to the layer and ``REGULARIZATION_LOSSES``."""
        del inputs
        for each in _listed(losses):
            loss = each() if callable(each) else each
            if loss is None:
                continue
            loss = tf.convert_to_tensor(loss)
            self._losses.append(loss)
            _collect(GraphKeys.REGULARIZATION_LOSSES, [loss])

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds an update, a list of them, or functions that make them; :meth:`__call__` puts them in ``UPDATE_OPS``."""
        del inputs
        for each in _listed(updates):
            update = (deferred(each) or each()) if callable(each) else each
            if isinstance(update, tf.Tensor | tf.Variable) and not tf.executing_eagerly():
                update = getattr(update, "op", update)
            self._updates.append(update)

    # -- calling ------------------------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Makes the variables, for inputs of that shape. For subclasses to override; called once."""
        del input_shape
        self.built = True

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Computes the output. For subclasses to override."""
        return inputs

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Builds the layer when this is the first call, and calls it.

        Args:
            inputs: a tensor or a nest of tensors; NumPy arrays and numbers are converted.
            scope: (keyword) the variable scope to lie in, when the layer has none yet.
        """
        self._set_scope(kwargs.pop("scope", None))
        building = current_pass()
        self._begin(building)
        inputs = as_tensors(inputs)
        reuse = True if self.built else self._reuse
        with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as scope:
            self._current_scope = scope
            if "scope" in _arguments(type(self).call):
                kwargs["scope"] = scope
            with building.name_scope(self._name_scope()):
                self._build_once(inputs)
                check_inputs(self.input_spec, inputs, self.name)
                outputs = self.call(inputs, *args, **kwargs)
                self._regularize_activity(outputs)
        _collect(GraphKeys.UPDATE_OPS, self.updates)
        return outputs

    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The same as calling the layer."""
        return self(inputs, *args, **kwargs)

    def _build_once(self, inputs: Any) -> None:
        if self.built:
            return
        flat = tf.nest.flatten(inputs)
        check_inputs(self.input_spec, inputs, self.name)
        if self._dtype is None and flat and hasattr(flat[0], "dtype"):
            self._dtype = flat[0].dtype.name
        shapes = tf.nest.map_structure(lambda each: each.shape, inputs) if flat else ()
        self.build(shapes)
        self.built = True

    def _regularize_activity(self, outputs: Any) -> None:
        if self._activity_regularizer is None:
            return
        with tf.name_scope("ActivityRegularizer"):
            for output in tf.nest.flatten(outputs):
                loss = self._activity_regularizer(output)
                self.add_loss(loss / tf.cast(tf.shape(output)[0], loss.dtype))

    def __deepcopy__(self, memo: dict[int, Any]) -> Layer:
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        for key, value in self.__dict__.items():
            shared = key in ("_scope", "_current_scope", "_building") or isinstance(value, tf.Tensor | tf.Variable)
            setattr(made, key, copy.copy(value) if key == "_scope" else value if shared else copy.deepcopy(value, memo))
        return made


def _initializer(name: str, initializer: Any, scope: VariableScope, dtype: tf.DType) -> Any:
    """The initializer given, else the scope's; None leaves it to ``get_variable``, as for floats it is the same."""
    chosen = scope.initializer if initializer is None else initializer
    if chosen is None and not (dtype.is_floating or dtype.is_integer or dtype.is_bool):
        raise ValueError(f"An initializer for variable {name} of type {dtype.base_dtype} is required")
    return chosen


def _parts(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _collect(key: str, elements: list[Any]) -> None:
    """Adds elements to a collection, each once."""
    if not elements:
        return
    building = current_pass()
    if building.always_new:
        return
    present = {id(each) for each in building.collection(key)}
    for element in elements:
        if id(element) not in present:
            building.add_to_collection(key, element)


@functools.cache
def _arguments(function: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(function).parameters)
