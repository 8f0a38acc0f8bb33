"""Memory of variables that tensors share: TensorFlow 1 let a run's update change what such a tensor held."""

from __future__ import annotations

from collections.abc import Iterable

from tf_migrate.stages.values import TENSORS, Value, Variable, flatten


def sharing(values: Iterable[Value]) -> tuple[Variable, ...]:
    """The variables whose memory an operation may give on that moves or selects what it is given, and no more."""
    tensors = (value for value in flatten(values) if value.stage in TENSORS)
    return tuple(dict.fromkeys(variable for value in tensors for variable in value.variables))
