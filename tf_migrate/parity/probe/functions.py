"""Calls of the functions that took the place of runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from recorder import flatten, numbers_of


def watch_functions(recorder: Any) -> None:
    """Records calls of the `tf.function`s whose names the settings give, file by file."""
    import tensorflow as tf

    plain = tf.function
    named = recorder.settings["functions"]

    def function(func: Callable[..., Any] | None = None, **words: Any) -> Any:
        if func is None:
            return lambda inner: function(inner, **words)
        made = plain(func, **words)
        code = getattr(func, "__code__", None)
        path = os.path.abspath(code.co_filename) if code is not None else ""
        if recorder.is_program(path) and func.__name__ in named.get(os.path.relpath(path, recorder.root), ()):
            return _Watched(made, func.__name__, recorder, words.get("input_signature"))
        return made

    tf.function = function


class _Watched:
    """A `tf.function` whose calls from plain code are recorded."""

    def __init__(self, made: Any, name: str, recorder: Any, signature: Any) -> None:
        self._made = made
        self._name = name
        self._recorder = recorder
        self._signature = signature

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)

    def __get__(self, instance: Any, owner: Any) -> Any:
        return _Watched(self._made.__get__(instance, owner), self._name, self._recorder, self._signature)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import tensorflow as tf

        if tf.inside_function() or not self._recorder.begin():
            return self._made(*args, **kwargs)
        event = None
        values: list[Any] = []
        try:
            result = self._made(*args, **kwargs)
            event = {"kind": "function", "name": self._name, "place": self._recorder.place()}
            values = [numbers_of(item.numpy() if hasattr(item, "numpy") else item) for item in flatten(result)]
        finally:
            self._recorder.end(event, values, self._inputs(args, kwargs))
        return result

    def _inputs(self, args: Any, kwargs: Any) -> list[Any]:
        specs = list(self._signature or ())
        given = [*zip(args, [*specs, *[None] * len(args)]), *((value, None) for value in kwargs.values())]
        inputs = []
        for value, spec in given:
            dtype = spec.dtype.as_numpy_dtype if spec is not None else None
            inputs.append(np.asarray(value.numpy() if hasattr(value, "numpy") else value, dtype))
        return inputs
