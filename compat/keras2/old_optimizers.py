"""Optimizers of programs, derived from Keras 2.2's `Optimizer`, and what a file keeps of an optimizer.

An optimizer of Keras 2.2 builds its updates in `get_updates`: it counts the step by `K.update_add(self.iterations, 1)`
and asks `K.cast(self.iterations, …)` how many there were. TensorFlow 1 left the order of the two open. Measured with
four optimizers in six networks, three runs each: TF 1.15.5 took a count that is cast behind its increment in 25 of 36,
and one that is compared or added to before it in 35 of 36. Here it is always so, as for the optimizers of Keras itself.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
from tf_keras.src import backend
from tf_keras.src.optimizers import optimizer_v1
from tf_keras.src.saving.legacy import hdf5_format, saving_utils

from .facade import Facade
from .old_training import in_scope

__all__ = ["BACKEND", "accept"]

_COUNTS = threading.local()


@contextlib.contextmanager
def _counting(optimizer: Any) -> Iterator[None]:
    """Remembers by how much the updates that are built inside count the optimizer's steps on."""
    before = getattr(_COUNTS, "innermost", None)
    _COUNTS.innermost = (getattr(optimizer, "iterations", None), [])
    try:
        yield
    finally:
        _COUNTS.innermost = before


def _increments(x: Any) -> list[Any] | None:
    """What a count of steps is increased by, while its optimizer builds updates; None for what is no such count."""
    iterations, increments = getattr(_COUNTS, "innermost", None) or (None, None)
    return increments if iterations is not None and x is iterations else None


def _update_add(x: Any, increment: Any) -> Any:
    """`K.update_add`: adds to a variable."""
    increments = _increments(x)
    if increments is not None:
        increments.append(increment)
    return backend.update_add(x, increment)


def _cast(x: Any, dtype: Any) -> Any:
    """`K.cast`: a tensor of another type; of a count of steps what it is behind its increment."""
    for increment in _increments(x) or ():
        x = x + tf.cast(increment, x.dtype)
    return backend.cast(x, dtype)


def _counted(get_updates: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(get_updates)
    def updates(self: Any, *args: Any, **kwargs: Any) -> Any:
        with _counting(self):
            return get_updates(self, *args, **kwargs)

    return updates


def _derived(cls: type, **arguments: Any) -> None:
    """Has a program's own optimizer count its steps, and its variables be named, as those of Keras."""
    super(optimizer_v1.Optimizer, cls).__init_subclass__(**arguments)
    get_updates = vars(cls).get("get_updates")
    if callable(get_updates):
        cls.get_updates = in_scope(_counted(get_updates))  # type: ignore[attr-defined]


def _is_old(model: Any) -> bool:
    return isinstance(getattr(model, "optimizer", None), optimizer_v1.Optimizer) and model._is_graph_network


def _expecting_weights(model: Any) -> None:
    """Has the optimizer of a model that is being loaded get its weights with the updates that will train it."""
    saving_utils.try_build_compiled_arguments(model)
    if _is_old(model):

        def create(params: Any) -> None:
            del params, model.optimizer._create_all_weights
            model._make_train_function()

        model.optimizer._create_all_weights = create


def _loaded(load: Callable[..., Any]) -> Callable[..., Any]:
    """A model from a file, with its optimizer as the file has it; the file of one that never trained has none."""

    @functools.wraps(load)
    def loaded(*args: Any, **kwargs: Any) -> Any:
        model = load(*args, **kwargs)
        if _is_old(model):
            vars(model.optimizer).pop("_create_all_weights", None)
        return model

    return loaded


BACKEND = {"cast": _cast, "update_add": _update_add}


def accept() -> None:
    """Has optimizers of programs train, and files set optimizers, as in Keras 2.2; from now on in this process."""
    optimizer_v1.Optimizer.__init_subclass__ = classmethod(_derived)
    instead = {"try_build_compiled_arguments": _expecting_weights}
    hdf5_format.saving_utils = Facade(saving_utils, instead, lambda: True)
    hdf5_format.load_model_from_hdf5 = _loaded(hdf5_format.load_model_from_hdf5)
