"""The short way of a call that has been made before: no key is looked up again, and no value is looked at twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from ..bridge.feeds import feed_values
from ..bridge.runtime import to_eager_tensor
from ..bridge.session import Run, Session

__all__ = ["Plan"]


class _Value:
    """Makes the tensor of one input of what a call gives for it.

    Args:
      tensor: the input, or another tensor of the graph.
    """

    def __init__(self, tensor: tf.Tensor) -> None:
        self._tensor = tensor
        self._dtype = tensor.dtype.base_dtype
        # A variable that is fed by its handle is given an array all the same.
        self._array_dtype = None if self._dtype == tf.resource else np.dtype(self._dtype.as_numpy_dtype)
        self._sizes = None if tensor.shape.rank is None else tensor.shape.as_list()

    def __call__(self, value: Any) -> Any:
        if type(value) is np.ndarray and value.dtype == self._array_dtype and self._fits(value.shape):
            return to_eager_tensor(value, self._dtype)
        return feed_values({self._tensor: value})[0]

    def _fits(self, shape: Sequence[int]) -> bool:
        sizes = self._sizes
        if sizes is None:
            return True
        return len(sizes) == len(shape) and all(
            known is None or known == size for known, size in zip(sizes, shape, strict=True)
        )


class Plan:
    """What a step does with values that come in the same way as before.

    Args:
      session: what runs it.
      run: how the results are computed.
      tensors: what the values are for, in the order of the run.
    """

    def __init__(self, session: Session, run: Run, tensors: Iterable[tf.Tensor]) -> None:
        self.session = session
        self._run = run
        self._values = [_Value(tensor) for tensor in tensors]

    @property
    def size(self) -> int:
        """How many values it takes."""
        return len(self._values)

    def is_possible(self) -> bool:
        """Whether the run has nothing to look after but its values."""
        pruned = self._run.pruned
        return not (pruned.startups or pruned.may_wait or pruned.needs_value)

    def __call__(self, values: Iterable[Any]) -> Any:
        """The results of a call."""
        given = [make(value) for make, value in zip(self._values, values, strict=True)]
        return self._run.at_once(self.session, given)
