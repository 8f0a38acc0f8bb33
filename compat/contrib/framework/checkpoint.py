"""Reading checkpoints into variables, and into arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from ... import logging, train
from ...bridge.placeholders import placeholder
from ...variables.assignment import assign
from ...variables.collection import get_collection
from ...variables.graph_keys import GraphKeys
from ...variables.tracing import ambient_graph
from .variables import get_variable_full_name, op_name

Assignment = tuple[Any, dict[Any, np.ndarray]]


def load_checkpoint(filepattern: str) -> Any:
    """A reader of a checkpoint, or of the newest one in a folder. Stands for ``tf.contrib.framework.load_checkpoint``.

    Raises:
        ValueError: there is none.
    """
    return tf.train.load_checkpoint(filepattern)


def load_variable(checkpoint_dir: str, name: str) -> np.ndarray:
    """The value of one variable of a checkpoint. Stands for ``tf.contrib.framework.load_variable``."""
    return np.asarray(load_checkpoint(checkpoint_dir).get_tensor(name.removesuffix(":0")))


def list_variables(checkpoint_dir: str) -> list[tuple[str, list[int]]]:
    """Names and shapes of the variables of a checkpoint. Stands for ``tf.contrib.framework.list_variables``."""
    return [(name, list(shape)) for name, shape in tf.train.list_variables(checkpoint_dir)]


def assign_from_values(var_names_to_values: Mapping[str, np.ndarray]) -> Assignment:
    """Sets variables, by their names, to values in memory. Stands for ``tf.contrib.framework.assign_from_values``.

    Returns:
        Under the bridge the op to run and what to feed it; natively ``(None, {})``, the variables being set.

    Raises:
        ValueError: a name that belongs to no variable, or to several.
    """
    return _assignment([(_variable_named(name), value) for name, value in var_names_to_values.items()])


def assign_from_values_fn(var_names_to_values: Mapping[str, np.ndarray]) -> Callable[[Any], Any]:
    """:func:`assign_from_values` for a session later. Stands for ``tf.contrib.framework.assign_from_values_fn``."""
    operation, feeds = assign_from_values(var_names_to_values)
    return lambda session: None if operation is None else session.run(operation, feeds)


def _variable_named(name: str) -> Any:
    found = get_collection(GraphKeys.GLOBAL_VARIABLES, name)
    if not found:
        raise ValueError(f"Variable {name} wasn't found")
    if len(found) == 1:
        return found[0]
    exact = [variable for variable in found if op_name(variable) == name]
    if not exact:
        raise ValueError(f"Variable {name} doesn't uniquely identify a variable")
    return exact[0]


def _assignment(pairs: list[tuple[Any, np.ndarray]]) -> Assignment:
    if ambient_graph() is None:
        for variable, value in pairs:
            assign(variable, np.reshape(value, variable.shape))
        return None, {}
    feeds, operations = {}, []
    for variable, value in pairs:
        fed = placeholder(variable.dtype, variable.shape, name=f"placeholder/{op_name(variable)}")
        operations.append(assign(variable, fed))
        feeds[fed] = np.reshape(value, variable.shape)
    return tf.group(*operations), feeds


def assign_from_checkpoint(
    model_path: str, var_list: Sequence[Any] | Mapping[str, Any], ignore_missing_vars: bool = False
) -> Assignment:
    """Sets variables to the values of a checkpoint. Stands for ``tf.contrib.framework.assign_from_checkpoint``.

    Args:
        model_path: the checkpoint.
        var_list: variables, or a dict of a variable (or a list of them) by the name in the checkpoint.
        ignore_missing_vars: skips, with a warning, what the checkpoint lacks.

    Returns:
        Under the bridge the op to run and what to feed it; natively ``(None, {})``, the variables being set.

    Raises:
        ValueError: a variable that the checkpoint lacks, or has in another shape.
    """
    wanted: dict[str, list[Any]] = {}
    if isinstance(var_list, Mapping):
        wanted = {name: list(each) if isinstance(each, list | tuple) else [each] for name, each in var_list.items()}
    else:
        for variable in var_list:
            wanted.setdefault(get_variable_full_name(variable), []).append(variable)
    reader = load_checkpoint(model_path)
    pairs = []
    for name, variables in wanted.items():
        if not reader.has_tensor(name):
            problem = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(problem)
            logging.warning(problem)
            continue
        value = reader.get_tensor(name)
        for variable in variables:
            if tuple(variable.shape) != value.shape:
                raise ValueError(
                    f"Total size of new array must be unchanged for {name} lh_shape: [{value.shape}], "
                    f"rh_shape: [{variable.shape}]"
                )
            pairs.append((variable, value))
    return _assignment(pairs)


def assign_from_checkpoint_fn(
    model_path: str,
    var_list: Sequence[Any] | Mapping[str, Any],
    ignore_missing_vars: bool = False,
    reshape_variables: bool = False,
) -> Callable[..., None] | None:
    """A function of a session that restores variables from a checkpoint; the session may be left out of its call.

    Stands for ``tf.contrib.framework.assign_from_checkpoint_fn``. None, with a warning, when none are left.

    Args:
        reshape_variables: allows values of another shape with as many elements.

    Raises:
        ValueError: no variables.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = load_checkpoint(model_path)
        named = var_list if isinstance(var_list, Mapping) else {op_name(variable): variable for variable in var_list}
        for name in named:
            if not reader.has_tensor(name):
                logging.warning("Variable %s missing in checkpoint %s", name, model_path)
        var_list = {name: variable for name, variable in named.items() if reader.has_tensor(name)}
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = train.Saver(var_list, reshape=reshape_variables)
    return lambda session=None: saver.restore(session, model_path)
