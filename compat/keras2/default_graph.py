"""The graph of stand-alone Keras, which knew nothing else: the program's default graph, from its first use on.

A migrated script opens that graph, and a test or a builder has one. Where a library's function is called from elsewhere
(a prompt, a server, a test that was written later) nobody did, and `tf_keras` would train eagerly: another loop, with
other numbers, that refuses Keras 2.2's optimizers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tf_keras.src import backend
from tf_keras.src.optimizers import optimizer_v1
from tf_keras.src.utils import version_utils

from ..bridge import open_graph
from ..variables.store import eager_store

__all__ = ["BACKEND", "accept"]

_MAKERS = ("constant", "ones", "placeholder", "random_normal_variable", "random_uniform_variable", "variable", "zeros")


def _first(function: Callable[..., Any]) -> Callable[..., Any]:
    """What makes a layer, a tensor or an optimizer: opens the default graph, where nothing else is being built."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if tf.executing_eagerly() and eager_store() is None:
            open_graph()
        return function(*args, **kwargs)

    return called


BACKEND = {name: _first(getattr(backend, name)) for name in _MAKERS}
"""Functions of the backend that programs call."""


def accept() -> None:
    """Has layers, models and optimizers begin the graph, from now on in this process."""
    version_utils.should_use_v2 = _first(version_utils.should_use_v2)
    for optimizer in vars(optimizer_v1).values():
        if isinstance(optimizer, type) and issubclass(optimizer, optimizer_v1.Optimizer):
            optimizer.__init__ = _first(optimizer.__init__)
