"""Variables of the migrated program: their values before the first run, and at the end."""

from __future__ import annotations

import importlib
import re
from typing import Any

import numpy as np


def watch_variables(recorder: Any) -> Any:
    """Keeps every variable that the program makes, and gives them the original's initial values.

    Returns a function that gives their names by the identity of their handles.
    """
    from tensorflow.python.ops import resource_variable_ops as variables

    made = _Made(recorder)
    classes = (_unlifted(), variables.ResourceVariable, variables.UninitializedVariable)
    for cls in classes:
        _hook(cls, classes, made)
    recorder.before_each.append(made.begin)
    recorder.state = made.values
    recorder.at_end.append(made.end)
    _watch_restarts(recorder, made)
    return made.names_of_handles


def _watch_restarts(recorder: Any, made: _Made) -> None:
    """Keeps what variables hold where the program begins anew with its graph, as another session did."""
    try:
        stores = importlib.import_module(recorder.settings["shims"] + ".variables.store")
    except ImportError:
        return
    plain = stores.VariableStore.reset

    def reset(self: Any) -> None:
        made.before_restarts.update(made.values())
        plain(self)

    stores.VariableStore.reset = reset


def _unlifted() -> Any:
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    return polymorphic_function.UnliftedInitializerVariable


def _hook(cls: Any, classes: Any, made: _Made) -> None:
    plain = cls.__init__

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        plain(self, *args, **kwargs)
        if next(base for base in type(self).__mro__ if base in classes) is cls:
            made.add(self)

    cls.__init__ = __init__


def _is_made_in_a_trace(variable: Any) -> bool:
    """Whether a function is traced that makes the variable: as one of its own, or as one of a store."""
    from tensorflow.python.framework import ops

    eager = type(variable).__name__ == "ResourceVariable" and ops.get_default_graph().building_function
    return eager or type(variable).__name__ == "UnliftedInitializerVariable"


class _Made:
    """The variables made so far, by the names that TensorFlow 1 gave them.

    Graphs that a program builds one behind the other may have variables of one name: they are told apart by the order
    in which they are made.
    """

    def __init__(self, recorder: Any) -> None:
        self.recorder = recorder
        self.variables: list[Any] = []
        self.places: list[Any] = []
        self.names: list[str] = []
        self.waiting: list[tuple[Any, Any]] = []
        self.left: list[dict[str, Any]] = []
        self.before_restarts: dict[str, Any] = {}
        for path in recorder.settings["begins"]:
            with np.load(path) as file:
                self.left.append({name.replace("|", "/"): file[name] for name in file.files})

    def add(self, variable: Any) -> None:
        """A variable was made: inside the first call of a function it takes the original's value at once."""
        import tensorflow as tf

        name, value = self._taken(variable)
        self.variables.append(variable)
        self.names.append(name)
        self.places.append((self.recorder.place() or [])[:2] or None)
        if not (self.recorder.step and _is_made_in_a_trace(variable)):
            self.waiting.append((variable, value))
        elif value is not None and variable.shape.is_compatible_with(value.shape):
            with tf.init_scope():
                variable.assign(value)

    def _taken(self, variable: Any) -> tuple[str, Any]:
        """Its name in TensorFlow 1 and what it began with, None where that is not known: the first that is left.

        Where two graphs have the same, the later one is left; plain TensorFlow 2 numbers no variable of its name.
        """
        graph = hasattr(variable, "_graph")
        name = variable.op.name if graph else variable.name.split(":")[0]
        base = re.sub(r"_\d+$", "", name)
        for values in self.left:
            numbered = () if graph else (f"{base}_{number}" for number in range(1, len(self.variables) + 1))
            found = next((word for word in (name, *numbered) if word in values), None)
            if found is not None:
                return found, values.pop(found)
        return name, None

    def names_of_handles(self) -> dict[int, str]:
        """The names by the identity of the handles."""
        return {id(variable.handle): name for variable, name in zip(self.variables, self.names)}

    def end(self) -> None:
        """At the end: the values, and where each variable was made."""
        self.recorder.outcome["variables"] = dict(zip(self.names, self.places))
        self.recorder.save_variables("final", self.values())
        self.recorder.save_variables("restarted", self.before_restarts)

    def values(self) -> dict[str, Any]:
        """The values of those that have one."""
        named = ((name, _value(variable)) for name, variable in zip(self.names, self.variables))
        return {name: value for name, value in named if value is not None}

    def begin(self) -> None:
        """Before a run: the own values are kept, then the original's take their place where they are new."""
        import tensorflow as tf

        if self.recorder.step == 0:
            self.recorder.save_variables("initial", self.values())
        waiting, self.waiting = self.waiting, []
        for variable, value in waiting:
            own = _value(variable)
            if own is None:
                self.waiting.append((variable, value))
            elif value is not None and np.shape(own) == value.shape:
                with tf.init_scope():
                    variable.assign(value.astype(variable.dtype.as_numpy_dtype))


def _value(variable: Any) -> Any:
    """The value of a variable; None where it has none."""
    import tensorflow as tf

    with tf.init_scope():
        try:
            return variable.numpy()
        except Exception:
            return None
