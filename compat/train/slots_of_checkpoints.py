"""In which form a checkpoint of objects holds the slots of optimizers.

TF1 wrote them beside the variables that they are for (``w/.OPTIMIZER_SLOT/optimizer/m``). To ``tf.train.Checkpoint``
our optimizers' slots are ordinary dependencies, since a `VariableStore` that is saved with them tracks them as well.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from ..variables.store import VariableStore

__all__ = ["are_as_tf1", "as_tf1"]

_AS_TF1: ContextVar[bool] = ContextVar("whether slots are saved as TF1 saved them", default=False)


def are_as_tf1() -> bool:
    """Whether slots are saved as TF1 saved them."""
    return _AS_TF1.get()


@contextlib.contextmanager
def as_tf1(checkpoint: Any) -> Iterator[None]:
    """Saves slots as TF1 did, where no store in the checkpoint has them too."""
    stored = any(isinstance(each, VariableStore) for each in checkpoint._trackable_children().values())
    token = _AS_TF1.set(not stored)
    try:
        yield
    finally:
        _AS_TF1.reset(token)
