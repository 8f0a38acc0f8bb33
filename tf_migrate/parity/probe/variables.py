"""Variables of the migrated program: their values before the first run, and at the end."""

from __future__ import annotations

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
    recorder.before_first.append(made.begin)
    recorder.state = made.values
    recorder.at_end.append(made.end)
    return made.names_of_handles


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
    """The variables made so far, by the names that TensorFlow 1 gave them."""

    def __init__(self, recorder: Any) -> None:
        self.recorder = recorder
        self.variables: list[Any] = []
        self.places: list[Any] = []
        self.carried: dict[str, Any] = {}
        if recorder.settings["begins"]:
            with np.load(recorder.settings["begins"]) as file:
                self.carried = {name.replace("|", "/"): file[name] for name in file.files}

    def add(self, variable: Any) -> None:
        """A variable was made: inside the first call of a function it takes the original's value at once."""
        import tensorflow as tf

        self.variables.append(variable)
        self.places.append((self.recorder.place() or [])[:2] or None)
        if self.recorder.step and _is_made_in_a_trace(variable):
            value = self.carried.get(self.names()[-1])
            if value is not None and variable.shape.is_compatible_with(value.shape):
                with tf.init_scope():
                    variable.assign(value)

    def names(self) -> list[str]:
        """Their names as TensorFlow 1 gave them; where two graphs have the same, the later one counts."""
        found: list[str] = []
        taken: set[str] = set()
        for variable in self.variables:
            graph = hasattr(variable, "_graph")
            name = variable.op.name if graph else variable.name.split(":")[0]
            found.append(name if graph or name not in taken else self._numbered(name, taken))
            taken.add(found[-1])
        return found

    def _numbered(self, name: str, taken: set[str]) -> str:
        """What TensorFlow 1 called another variable of this name, if the original has one: plain TF2 numbers none."""
        base = re.sub(r"_\d+$", "", name)
        numbered = (f"{base}_{number}" for number in range(1, len(self.variables) + 1))
        return next((item for item in numbered if item in self.carried and item not in taken), name)

    def names_of_handles(self) -> dict[int, str]:
        """The names by the identity of the handles."""
        return {id(variable.handle): name for variable, name in zip(self.variables, self.names())}

    def end(self) -> None:
        """At the end: the values, and where each variable was made."""
        self.recorder.outcome["variables"] = dict(zip(self.names(), self.places))
        self.recorder.save_variables("final", self.values())

    def values(self) -> dict[str, Any]:
        """The values of those that have one."""
        import tensorflow as tf

        values = {}
        with tf.init_scope():
            for name, variable in zip(self.names(), self.variables):
                if name.endswith("random_state"):
                    continue
                try:
                    values[name] = variable.numpy()
                except Exception:
                    continue  # it has no value
        return values

    def begin(self) -> None:
        """Before the first run: the own values are kept, then the original's take their place."""
        import tensorflow as tf

        own = self.values()
        self.recorder.save_variables("initial", own)
        with tf.init_scope():
            for name, variable in zip(self.names(), self.variables):
                value = self.carried.get(name)
                if value is not None and name in own and np.shape(own[name]) == value.shape:
                    variable.assign(value.astype(variable.dtype.as_numpy_dtype))
