"""`recorded` runs a program of TensorFlow 1 that was rewritten for the bridge, with its graph recorded in a store.

Its session becomes one that calls `compat.run`, steps, and their concrete functions.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import stack

import compat


class Stepping:
    """Stands for a session: every run is a step, its concrete function, or goes through `compat.run`, in turn."""

    def __init__(self, *args: Any, **options: Any) -> None:
        with tf.init_scope():
            self.graph = compat.get_default_graph()
            if getattr(self.graph, "stepped", False):
                self.graph.store.reset()  # A second session over the same graph.
            self.graph.stepped = True
        self._steps: dict[Any, Any] = {}
        self._calls = 0

    def run(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None) -> Any:
        feeds = dict(feed_dict or {})
        self._calls += 1
        with tf.init_scope():
            if self._calls == 1 and isinstance(fetches, tf.Operation) and fetches.name == "init":
                return None  # The first and only initializer: variables of a store begin by themselves.
            if self._calls % 3 == 1 or not isinstance(fetches, list):
                return compat.run(fetches, feeds)
            key = (*map(id, fetches), *map(id, feeds))
            if key not in self._steps:
                updates = [each for each in fetches if isinstance(each, tf.Operation)]
                results = [None if isinstance(each, tf.Operation) else each for each in fetches]
                values = [each for each in results if each is not None]
                self._steps[key] = fetches, compat.step(values, *feeds, updates=updates)
            step = self._steps[key][1]
            if self._calls % 3 == 2 and all(isinstance(each, tf.Tensor) for each in feeds):
                values = [tf.constant(np.asarray(value, each.dtype.as_numpy_dtype)) for each, value in feeds.items()]
                given = iter([each.numpy() for each in step.get_concrete_function(*feeds)(*values)])
            else:
                given = iter(step(*feeds.values()))
            return [None if isinstance(each, tf.Operation) else next(given) for each in fetches]

    def make_callable(self, fetches: Any, feed_list: Sequence[Any] = ()) -> Callable[..., Any]:
        return lambda *values: self.run(fetches, dict(zip(feed_list, values, strict=True)))

    def as_default(self) -> Any:
        return stack.default_session(self)

    def __enter__(self) -> Stepping:
        self._default = self.as_default()
        self._default.enforce_nesting = False
        self._default.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._default.__exit__(*error)

    def close(self) -> None:
        pass


def recorded(text: str) -> str:
    """What a program prints whose graph is recorded as steps."""
    text = text.replace("compat.Session(", "Stepping(").replace("compat.InteractiveSession(", "Stepping(")
    text = text.replace("compat.open_graph()", "pass")
    told = io.StringIO()
    with contextlib.redirect_stdout(told), compat.VariableStore(), compat.building():
        exec(compile(text, "program", "exec"), {"__name__": "__main__", "Stepping": Stepping})
    return told.getvalue()
