"""Variables under the names that they have in a checkpoint, written and read with TF1's own kernels."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from .. import variables as tf1
from ..bridge.graph import current_graph
from ..lookup.checkpoints import SavedTable
from ..lookup.tables import MutableTable
from ..variables.replicas import has_replicas
from . import checkpoint_damage
from .checkpoint_reader import object_graph_names
from .slot_creator import name_of


@dataclasses.dataclass(frozen=True)
class Saveable:
    """One variable, or one part of a partitioned one, under its name in checkpoints.

    Attributes:
        name: the name there.
        variable: the eager variable.
        slice_spec: which part of the named tensor it is, in TF1's notation (``"4 10 0,2:-"``); empty for all of it.
    """

    name: str
    variable: tf.Variable
    slice_spec: str = ""


@dataclasses.dataclass(frozen=True)
class Derived:
    """Tensors that are computed from a variable: a checkpoint holds them beside it, and it is restored from them.

    Attributes:
        variable: the variable.
        names: the tensors' names.
        values: computes them from the variable's value.
        value: computes the variable's value from them.
    """

    variable: tf.Variable
    names: tuple[str, ...]
    values: Callable[[Any], Sequence[Any]]
    value: Callable[[Sequence[Any]], Any]

    @property
    def name(self) -> str:
        """The variable's name."""
        return name_of(self.variable)

    def restore(self, tensors: Sequence[Any]) -> None:
        """Gives the variable the value that these tensors stand for."""
        value = tf.cast(self.value(tensors), self.variable.dtype)
        tf.raw_ops.AssignVariableOp(resource=self.variable.handle, value=value)


def keep_derived(derived: Derived) -> None:
    """Lets the savers of all variables save it; where code runs anew in a store, once for each variable."""
    kept = tf1.get_collection(tf1.GraphKeys.SAVEABLE_OBJECTS)
    if any(isinstance(each, Derived) and each.variable is derived.variable for each in kept):
        return
    if current_graph() is not None:
        tf1.add_to_collection(tf1.GraphKeys.SAVEABLE_OBJECTS, derived)
    else:
        tf1.current_store().keep(tf1.GraphKeys.SAVEABLE_OBJECTS, derived)


def saveables_of(var_list: Any) -> tuple[list[Saveable], list[SavedTable], list[Derived]]:
    """The variables, tables and derived tensors of a ``Saver``'s ``var_list``.

    It is a list, a dict of names, a store, or None for all.

    Raises:
        TypeError: an item is no variable.
        ValueError: two items have one name, or one item has two.
    """
    if var_list is None:
        var_list = [
            *tf1.global_variables(),
            *tf1.get_collection(tf1.GraphKeys.SAVEABLE_OBJECTS),
        ]
    elif isinstance(var_list, tf1.VariableStore):
        store = var_list
        var_list = store.members(tf1.GraphKeys.GLOBAL_VARIABLES) + store.members(tf1.GraphKeys.SAVEABLE_OBJECTS)
    if isinstance(var_list, Mapping):
        found = [saveable for name, item in sorted(var_list.items()) for saveable in _named(str(name), item)]
    else:
        found = [saveable for item in var_list for saveable in _named(None, item)]
        found.sort(key=lambda saveable: saveable.name)
    variables = [saveable for saveable in found if isinstance(saveable, Saveable)]
    _check_distinct(variables)
    # Of several tables of one name TF1 saved the last.
    tables = {saveable.name: saveable for saveable in found if isinstance(saveable, SavedTable)}
    return variables, list(tables.values()), [saveable for saveable in found if isinstance(saveable, Derived)]


def save(
    prefix: str, saveables: Sequence[Saveable], further: Mapping[str, Any], derived: Sequence[Derived] = ()
) -> None:
    """Writes one checkpoint in TF1's V2 format: the saveables, further values by name, and what is derived.

    Raises:
        tf.errors.FailedPreconditionError: a variable has no value yet.
        tf.errors.ResourceExhaustedError: the disk is full.
    """
    with tf.init_scope():
        for saveable in saveables:
            if not tf1.is_variable_initialized(saveable.variable):
                name = name_of(saveable.variable)
                raise tf.errors.FailedPreconditionError(None, None, f"Attempting to use uninitialized value {name}")
        further = dict(further)
        for each in derived:
            further.update(zip(each.names, each.values(each.variable.read_value()), strict=True))
        with checkpoint_damage.writing(prefix):
            tf.raw_ops.SaveV2(
                prefix=prefix,
                tensor_names=[saveable.name for saveable in saveables] + list(further),
                shape_and_slices=[saveable.slice_spec for saveable in saveables] + [""] * len(further),
                tensors=[saveable.variable.read_value() for saveable in saveables] + list(further.values()),
            )


def restore(
    prefix: str,
    saveables: Sequence[Saveable],
    reshape: bool,
    further: Mapping[str, tf.DType],
    derived: Sequence[Derived] = (),
) -> list[tf.Tensor]:
    """Gives the variables the checkpoint's values: all of them, or none when something does not fit.

    Args:
        prefix: the checkpoint's path.
        saveables: what to restore.
        reshape: take a value of another shape and as many elements.
        further: names and types of other values to read.
        derived: what replaces the values of its variables, which the checkpoint need not hold.

    Returns:
        The other values, in their order.

    Raises:
        tf.errors.DataLossError: the checkpoint is damaged.
        tf.errors.NotFoundError: names that the checkpoint lacks.
        tf.errors.InvalidArgumentError: shapes or dtypes that differ.
    """
    replaced = {id(each.variable) for each in derived}
    saveables = [saveable for saveable in saveables if id(saveable.variable) not in replaced]
    further = {**further, **{name: each.variable.dtype for each in derived for name in each.names}}
    with tf.init_scope():
        with checkpoint_damage.reading(prefix):
            reader = tf.train.load_checkpoint(prefix)
        keys = _keys(reader, [saveable.name for saveable in saveables] + list(further))
        with checkpoint_damage.reading(prefix):
            values = tf.raw_ops.RestoreV2(
                prefix=prefix,
                tensor_names=keys,
                shape_and_slices=[saveable.slice_spec for saveable in saveables] + [""] * len(further),
                dtypes=[saveable.variable.dtype for saveable in saveables] + list(further.values()),
            )
        count = len(saveables)
        fitting = [_fit(saveable, value, reshape) for saveable, value in zip(saveables, values[:count], strict=True)]
        for saveable, value in zip(saveables, fitting, strict=True):
            if has_replicas(saveable.variable):
                saveable.variable.assign(value)
            else:
                tf.raw_ops.AssignVariableOp(resource=saveable.variable.handle, value=value)
        held = dict(zip(further, values[count:], strict=True))
        for each in derived:
            each.restore([held.pop(name) for name in each.names])
        return list(held.values())


def _named(name: str | None, item: Any) -> Iterable[Saveable | SavedTable | Derived]:
    if isinstance(item, tf.Variable):
        info = getattr(item, "_save_slice_info", None)
        if info is None:
            yield Saveable(name or name_of(item), item)
        else:
            yield Saveable(name or info.full_name, item, info.spec)
    elif isinstance(item, (SavedTable, Derived)):
        yield item
    elif isinstance(item, MutableTable):
        yield SavedTable(item, name or item.name)
    elif isinstance(item, (tf1.PartitionedVariable, list, tuple)):
        for part in item:
            yield from _named(name, part)
    else:
        raise TypeError(f"Variable to save is not a Variable: {item}")


def _check_distinct(saveables: Sequence[Saveable]) -> None:
    names: set[tuple[str, str]] = set()
    variables: set[int] = set()
    for saveable in saveables:
        if (saveable.name, saveable.slice_spec) in names:
            raise ValueError(f"At least two variables have the same name: {saveable.name}")
        if id(saveable.variable) in variables:
            raise ValueError(f"The same saveable will be restored with two names: {saveable.name}")
        names.add((saveable.name, saveable.slice_spec))
        variables.add(id(saveable.variable))


def _keys(reader: Any, names: Sequence[str]) -> list[str]:
    """The checkpoint's keys for these names; object-based checkpoints keep variables' names beside theirs."""
    present = reader.get_variable_to_shape_map()
    missing = [name for name in names if name not in present]
    if not missing:
        return list(names)
    names_to_keys = object_graph_names(reader)
    if names_to_keys is None:
        raise tf.errors.NotFoundError(None, None, _missing_message(missing))
    absent = sorted(name for name in names if name not in names_to_keys)
    if absent:
        extra = sorted(set(names_to_keys) - set(names))
        raise tf.errors.NotFoundError(
            None,
            None,
            f"Existing variables not in the checkpoint: {', '.join(absent)}. Variables of the object-based checkpoint "
            f"which don't exist now: {', '.join(extra)}.",
        )
    return [names_to_keys[name] for name in names]


def _missing_message(missing: Sequence[str]) -> str:
    message = f"Key {missing[0]} not found in checkpoint"
    return message if len(missing) == 1 else f"{message} (and {len(missing) - 1} more: {', '.join(missing[1:])})"


def _fit(saveable: Saveable, value: tf.Tensor, reshape: bool) -> tf.Tensor:
    shape = saveable.variable.shape
    if shape.is_compatible_with(value.shape):
        return value
    if reshape and shape.is_fully_defined() and shape.num_elements() == value.shape.num_elements():
        return tf.reshape(value, shape)
    raise tf.errors.InvalidArgumentError(
        None,
        None,
        f"Assign requires shapes of both tensors to match. lhs shape= {_written(shape)} rhs shape= "
        f"{_written(value.shape)} (variable {name_of(saveable.variable)}, checkpoint tensor {saveable.name})",
    )


def _written(shape: tf.TensorShape) -> str:
    return str(np.array(shape.as_list()).tolist()).replace(" ", "") if shape.rank is not None else "<unknown>"
