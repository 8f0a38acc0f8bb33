"""Initial values from a checkpoint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from .. import logging
from .. import variables as tf1
from ..bridge.graph import current_graph
from ..bridge.variable import GraphVariable
from .checkpoint_reader import load_checkpoint
from .checkpoint_state import latest_checkpoint
from .slot_creator import name_of
from .vocabulary_remapping import VocabInfo, remapped


def init_from_checkpoint(ckpt_dir_or_file: str, assignment_map: Mapping[str, Any]) -> None:
    """Lets variables start from a checkpoint's values. Stands for ``tf.train.init_from_checkpoint``.

    Under the bridge it changes the variables' initializers, as TF1 did; in plain TF2, where variables have values
    from the start, it assigns, and ``VariableStore.initialize`` assigns again.

    >>> with compat.Graph().as_default(), compat.Session() as session:
    ...     w = compat.get_variable("w", initializer=3.0)
    ...     session.run(w.initializer)
    ...     path = compat.train.Saver().save(session, "./model")
    >>> graph, session = compat.open_graph(), compat.Session()
    >>> mine = compat.get_variable("mine", [])
    >>> compat.train.init_from_checkpoint("./model", {"w": mine})
    >>> session.run(compat.global_variables_initializer())
    >>> session.run(mine)
    np.float32(3.0)

    Args:
        ckpt_dir_or_file: a checkpoint's path, or a folder, of which the latest is taken.
        assignment_map: names in the checkpoint to variables, lists of a variable's parts, or variables' names; or
            scopes to scopes (``"a/": "b/"``, ``"/": "b/"``), for all variables of the scope.

    Raises:
        ValueError: the checkpoint lacks a tensor, a shape differs, or a scope maps to no scope.
    """
    path = _checkpoint_path(ckpt_dir_or_file)
    shapes = load_checkpoint(path).get_variable_to_shape_map()
    known = _known_variables()
    for source, target in sorted(assignment_map.items()):
        if isinstance(target, str):
            pairs = _pairs_by_name(source, target, known, shapes, ckpt_dir_or_file)
        else:
            pairs = [(source, variable) for variable in _parts(target)]
        for name, variable in pairs:
            if name not in shapes:
                raise ValueError(f"Tensor {name} is not found in {ckpt_dir_or_file} checkpoint {shapes}")
            _check_shape(variable, name, shapes[name])
            _initialize_from(variable, path, name)
            logging.debug("Initialize variable %s from checkpoint %s with %s", variable.name, path, name)


def warm_start(
    ckpt_to_initialize_from: str,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Any = None,
    var_name_to_prev_var_name: Mapping[str, str] | None = None,
) -> None:
    """Lets the variables that match start from a checkpoint's values. Stands for ``tf.train.warm_start``.

    Args:
        ckpt_to_initialize_from: a checkpoint's path, or a folder.
        vars_to_warm_start: a regular expression over trainable variables' names, a list of such over all variables'
            names, a list of variables, or None for those alone that have a vocabulary.
        var_name_to_vocab_info: names of variables whose vocabulary changed to a ``VocabInfo``.
        var_name_to_prev_var_name: names of variables to those in the checkpoint, where they differ.

    Raises:
        ValueError: a name of ``var_name_to_prev_var_name`` or ``var_name_to_vocab_info`` is no chosen variable's.
    """
    previous, vocabularies = dict(var_name_to_prev_var_name or {}), dict(var_name_to_vocab_info or {})
    chosen: dict[str, list[Any]] = {}
    for variable in _to_warm_start(vars_to_warm_start):
        chosen.setdefault(_full_name(variable), []).append(variable)
    _check_used("var_name_to_prev_var_name", previous, chosen)
    _check_used("var_name_to_vocab_info", vocabularies, chosen)
    plain = {} if vars_to_warm_start is None else dict(chosen)
    path = _checkpoint_path(ckpt_to_initialize_from)
    for name, info in vocabularies.items():
        plain.pop(name, None)
        for variable in chosen[name]:
            _remap(variable, info, path, previous.get(name, name))
    if plain:
        init_from_checkpoint(path, {previous.get(name, name): parts for name, parts in plain.items()})


def _check_used(parameter: str, names: Iterable[str], chosen: Mapping[str, Any]) -> None:
    unused = sorted(set(names) - set(chosen))
    if unused:
        raise ValueError(f"You provided the following names in {parameter} that were not used: {unused}")


def _remap(variable: Any, info: VocabInfo, path: str, name: str) -> None:
    slices = getattr(variable, "_save_slice_info", None)
    rows, columns = variable.shape.as_list()
    offset = 0 if slices is None else slices.var_offset[0]
    _start_from(variable, lambda: remapped(info, (rows, columns), offset, path, name))


def _checkpoint_path(ckpt_dir_or_file: str) -> str:
    if not tf.io.gfile.isdir(ckpt_dir_or_file):
        return ckpt_dir_or_file
    found = latest_checkpoint(ckpt_dir_or_file)
    if found is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {ckpt_dir_or_file}")
    return str(found)


def _known_variables() -> dict[str, list[Any]]:
    """All variables by name; the parts of a partitioned one under its full name."""
    known: dict[str, list[Any]] = {}
    for variable in tf1.current_store().variables:
        known.setdefault(_full_name(variable), []).append(variable)
    return known


def _full_name(variable: Any) -> str:
    info = getattr(variable, "_save_slice_info", None)
    return name_of(variable) if info is None else str(info.full_name)


def _parts(target: Any) -> Sequence[Any]:
    return list(target) if isinstance(target, (list, tuple, tf1.PartitionedVariable)) else [target]


def _pairs_by_name(
    source: str, target: str, known: Mapping[str, list[Any]], shapes: Mapping[str, Any], checkpoint: str
) -> Iterable[tuple[str, Any]]:
    if target in known:
        return [(source, variable) for variable in known[target]]
    scope = target[: target.rindex("/")] if "/" in target else ""
    if not source.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {scope} should map to scope only {source}. "
            "Should be 'scope/': 'other_scope/'."
        )
    pairs = []
    for name in sorted(known):
        if scope and not name.startswith(scope + "/"):
            continue
        below = name[len(scope) + 1 :] if scope else name
        wanted = below if source == "/" else source + below
        if wanted not in shapes:
            raise ValueError(f"Tensor {wanted} ({below} in {source}) is not found in {checkpoint} checkpoint")
        pairs += [(wanted, variable) for variable in known[name]]
    return pairs


def _check_shape(variable: Any, name: str, shape: Sequence[int]) -> None:
    info = getattr(variable, "_save_slice_info", None)
    own = variable.shape if info is None else tf.TensorShape(info.full_shape)
    if not own.is_compatible_with(shape):
        raise ValueError(
            f"Shape of variable {variable.name} ({own}) doesn't match with shape of tensor {name} ({list(shape)}) "
            "from checkpoint reader."
        )


def _initialize_from(variable: Any, path: str, name: str) -> None:
    info = getattr(variable, "_save_slice_info", None)
    spec = "" if info is None else info.spec

    def read() -> tf.Tensor:
        (value,) = tf.raw_ops.RestoreV2(
            prefix=path,
            tensor_names=[name],
            shape_and_slices=[spec],
            dtypes=[variable.dtype],
            name="checkpoint_initializer",
        )
        value.set_shape(variable.shape)
        return value

    _start_from(variable, read)


def _start_from(variable: Any, read: Callable[[], tf.Tensor]) -> None:
    """Makes what ``read`` gives the variable's initial value."""
    graph = current_graph()
    if graph is not None and isinstance(variable, GraphVariable):
        with graph.as_default(), tf.control_dependencies(None), tf.device("/cpu:0"):
            variable.set_initial_value(read())
        return
    with tf.init_scope():
        variable.assign(read())
    tf1.current_store().set_initial_value(variable, read)


def _to_warm_start(chosen: Any) -> Iterable[Any]:
    if chosen is None or isinstance(chosen, str):
        return _matching(tf1.trainable_variables(), [".*" if chosen is None else chosen])
    if all(isinstance(item, str) for item in chosen):
        return _matching(tf1.global_variables(), chosen)
    return [part for item in chosen for part in _parts(item)]


def _matching(variables: Iterable[Any], patterns: Sequence[str]) -> list[Any]:
    return [v for v in variables if any(re.match(pattern, name_of(v)) for pattern in patterns)]
