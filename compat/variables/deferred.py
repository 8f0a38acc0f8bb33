"""Updates that a pass over the graph's code does not make at once: those of moving averages, for whoever asks for them.

In a graph of TF 1.x an update that a layer adds to a collection happens where a training step depends on it, and
nowhere else. A store that defers updates keeps to that: its collections hold what makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .store import current_pass


class DeferredUpdate:
    """An update that is made by the first :meth:`run`, in the function that computed what it needs.

    Attributes:
        name: the name scope that it belongs to, by which :func:`compat.get_collection` finds it.
    """

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self.name = name
        self._make: Callable[[], Any] | None = make

    def run(self) -> None:
        """Makes the update, once: so did a run of TF 1.x, however many training steps of it waited for the update."""
        make, self._make = self._make, None
        if make is not None:
            make()


def deferred(make: Callable[[], Any]) -> DeferredUpdate | None:
    """The update that ``make`` makes, deferred; None where the current pass makes updates at once."""
    building = current_pass()
    return DeferredUpdate(f"{building.name_scope_name()}/update", make) if building.defers_updates else None


def run_updates(updates: Iterable[Any]) -> None:
    """Makes the updates that a store with ``defer_updates`` has deferred; others have been made where they were built.

    Stands for ``tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS))`` around a training step of TF 1.x:
    call it in the ``tf.function`` of that step, behind the computation of the loss, with what
    :func:`compat.get_collection` gives there.

    Args:
        updates: what the collection holds.

    Example:
      >>> store = compat.VariableStore(defer_updates=True)
      >>> @tf.function
      ... def step(x):
      ...     with store:
      ...         y = compat.layers.batch_normalization(x, momentum=0.5, training=True)
      ...         updates = compat.get_collection(compat.GraphKeys.UPDATE_OPS)
      ...     run_updates(updates)
      ...     return y
      >>> _ = step(tf.constant([[2.0], [4.0]]))
      >>> print(store.find("batch_normalization/moving_mean").numpy())
      [1.5]
    """
    for update in updates:
        if isinstance(update, DeferredUpdate):
            update.run()
