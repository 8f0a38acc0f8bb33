"""Calls of the functions that took the place of runs."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from inside import Inside, updates_of
from recorder import flatten, numbers_of


def watch_functions(recorder: Any, names_of_handles: Callable[[], dict[int, str]]) -> None:
    """Records calls of the `tf.function`s whose names the settings give, file by file.

    `names_of_handles` gives the variables' names by the identity of their handles.
    """
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
            return _Watched(made, func.__name__, recorder, words, _Looking(plain, words, names_of_handles))
        return made

    tf.function = function


class _Watched:
    """A `tf.function` whose calls from plain code are recorded."""

    def __init__(self, made: Any, name: str, recorder: Any, words: Any, looking: _Looking) -> None:
        self._made = made
        self._name = name
        self._recorder = recorder
        self._words = words
        self._looking = looking

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)

    def __get__(self, instance: Any, owner: Any) -> Any:
        return _Watched(self._made.__get__(instance, owner), self._name, self._recorder, self._words, self._looking)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import tensorflow as tf

        if tf.inside_function() or not self._recorder.begin():
            return self._made(*args, **kwargs)
        event = None
        values: list[Any] = []
        gradients: list[Any] = []
        try:
            if self._recorder.looks_inside:
                result = self._looking.inside(self._made, args, kwargs, self._recorder)
            elif self._recorder.settings["gradients"]:
                result, gradients = self._looking.gradients(self._made, args, kwargs)
            else:
                result = self._made(*args, **kwargs)
            event = {"kind": "function", "name": self._name, "place": self._recorder.place()}
            values = [numbers_of(_array(item)) for item in flatten(result)]
        finally:
            self._recorder.end(event, values, self._inputs(args, kwargs), gradients)
        return result

    def _inputs(self, args: Any, kwargs: Any) -> dict[str, Any]:
        """What the function was given, by the placeholder's name where there was one, else the parameter's.

        The parts of a structure, such as an element of a dataset, have numbers behind its name.
        """
        import tensorflow as tf

        specs = list(self._words.get("input_signature") or ())
        given = inspect.signature(self._made.python_function).bind(*args, **kwargs).arguments
        inputs = {}
        for number, (name, value) in enumerate(given.items()):
            spec = specs[number] if number < len(specs) else None
            if spec is None or isinstance(spec, tf.TensorSpec):
                dtype = None if spec is None else spec.dtype.as_numpy_dtype
                inputs[getattr(spec, "name", None) or name] = np.asarray(_array(value), dtype)
                continue
            for place, part in enumerate(tf.nest.flatten(value, expand_composites=True)):
                inputs[f"{name}/{place}"] = np.asarray(_array(part))
        return inputs


class _Looking:
    """A function once more, giving beside its own results the tensors inside of it."""

    def __init__(self, plain: Any, words: Any, names_of_handles: Callable[[], dict[int, str]]) -> None:
        self._plain = plain
        self._words = words
        self._names = names_of_handles

    def inside(self, made: Any, args: Any, kwargs: Any, recorder: Any) -> Any:
        """Calls the function, writes all its tensors down, and gives its result."""
        result, values, inside, results = self._call(made, args, kwargs, lambda inside: inside.tensors)
        inside.save(recorder, values, results)
        return result

    def gradients(self, made: Any, args: Any, kwargs: Any) -> tuple[Any, list[tuple[str, Any]]]:
        """Calls the function: its result, and (variable's name, gradient) of all that optimizers are given."""
        result, values, inside, _ = self._call(
            made, args, kwargs, lambda inside: [tensor for _, tensor in inside.gradients()]
        )
        return result, [(name, value) for (name, _), value in zip(inside.gradients(), values)]

    def _call(self, made: Any, args: Any, kwargs: Any, chosen: Callable[[Inside], list[Any]]) -> Any:
        import tensorflow as tf

        python = made.python_function
        traced: list[Any] = []

        def whole(*given: Any) -> Any:
            result = python(*given)
            graph = tf.compat.v1.get_default_graph()
            results = [item if tf.is_tensor(item) else None for item in flatten(result)]
            wanted = [*(item for item in results if item is not None), *updates_of(graph)]
            traced[:] = [Inside(graph, wanted, {}, self._variable_of(graph)), results]
            return result, [tf.identity(tensor) for tensor in chosen(traced[0])]

        given = inspect.signature(python).bind(*args, **kwargs).args
        result, values = self._plain(whole, **self._words)(*given)
        inside, results = traced
        return result, [value.numpy() for value in values], inside, results

    def _variable_of(self, graph: Any) -> Callable[[Any], str | None]:
        names = self._names()
        known = {inner.name: names[id(outer)] for outer, inner in graph.captures if id(outer) in names}
        return lambda tensor: known.get(tensor.name)


def _array(value: Any) -> Any:
    return value.numpy() if hasattr(value, "numpy") else value
