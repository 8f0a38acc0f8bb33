"""What every function that comes out is good for: traced once, debugged eagerly, saved as a SavedModel."""

from __future__ import annotations

import contextlib
import gc
import io
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

pytestmark = pytest.mark.usefixtures("small_heap")
GOLDEN = sorted((Path(__file__).parent / "golden").iterdir())


def _run(folder: Path) -> dict[str, Any]:
    with contextlib.redirect_stdout(io.StringIO()):
        return runpy.run_path(str(folder / "after.py"), run_name="__main__")


def _inside(value: Any) -> Iterator[Any]:
    """A value, and the attributes of an object of the script itself."""
    yield value
    if type(value).__module__ == "__main__" and not isinstance(value, type):
        yield from vars(value).values()


def _functions(names: dict[str, Any]) -> list[Any]:
    found = [inner for value in names.values() for inner in _inside(value)]
    return [value for value in found if hasattr(value, "get_concrete_function")]


@pytest.mark.filterwarnings("ignore:Even though the .tf.config")  # functions of datasets are traced all the same
@pytest.mark.parametrize("folder", GOLDEN, ids=lambda folder: folder.name)
def test_functions(folder: Path, tmp_path: Path) -> None:
    for number, function in enumerate(_functions(_run(folder))):
        given, variables = _values(function), _variables()
        _require_one_trace(function, given)
        _require_same_eagerly(function, given, variables)
        _require_saved(function, given, variables, tmp_path / str(number))


def _require_one_trace(function: Any, given: list[Any]) -> None:
    """TensorFlow traces a function that makes variables twice, and no more."""
    _arrays(function(*given))
    count = function.experimental_get_tracing_count()
    _arrays(function(*given))
    assert function.experimental_get_tracing_count() == count <= 2


def _require_same_eagerly(function: Any, given: list[Any], variables: list[Any]) -> None:
    before = [variable.numpy() for variable in variables]
    traced = [*_arrays(function(*given)), *(variable.numpy() for variable in variables)]
    for variable, value in zip(variables, before, strict=True):
        variable.assign(value)
    tf.config.run_functions_eagerly(True)
    try:
        eager = _arrays(function(*given))
    finally:
        tf.config.run_functions_eagerly(False)
    eager += [variable.numpy() for variable in variables]
    for ours, theirs in zip(eager, traced, strict=True):
        _require_same(ours, theirs)


def _require_saved(function: Any, given: list[Any], variables: list[Any], folder: Path) -> None:
    root = tf.Module()
    root.run, root.held = function, variables
    tf.saved_model.save(root, str(folder))
    loaded = tf.saved_model.load(str(folder))
    for ours, theirs in zip(_arrays(function(*given)), _arrays(loaded.run(*given)), strict=True):
        _require_same(ours, theirs)


def _require_same(ours: np.ndarray, theirs: np.ndarray) -> None:
    if np.issubdtype(np.asarray(ours).dtype, np.number):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
    else:
        np.testing.assert_array_equal(ours, theirs)


def _values(function: Any) -> list[Any]:
    specs = function.get_concrete_function().structured_input_signature[0]
    return [tf.ones([size or 2 for size in _shape(spec)], spec.dtype) for spec in specs]


def _shape(spec: Any) -> list[Any]:
    return [] if spec.shape.rank is None else spec.shape.as_list()


def _variables() -> list[Any]:
    """Every variable of the program, not of graphs: those of layers and optimizers are in no name of the script."""
    gc.collect()
    found = [item for item in gc.get_objects() if issubclass(type(item), tf.Variable)]
    return [variable for variable in found if hasattr(variable.handle, "numpy")]


def _arrays(result: Any) -> list[np.ndarray]:
    found = []
    for value in tf.nest.flatten(result):
        if isinstance(value, tf.data.Dataset):
            found += tf.nest.flatten(list(value.as_numpy_iterator()))
        elif value is not None:
            found.append(value.numpy())
    return found
