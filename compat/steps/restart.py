"""A second session over one graph."""

from __future__ import annotations

from ..variables.store import default_store

__all__ = ["restart"]


def restart() -> None:
    """Begins anew with the graph that is built so far, as a second session of TF 1.x did over it.

    It resets the store that is entered, or the program's own: variables get their initial values, random sequences,
    queues, tables and one-shot iterators begin anew. See :meth:`compat.VariableStore.reset`.

    Example:
      >>> with store:
      ...     with compat.building():
      ...         total = compat.get_variable("total", [], initializer=compat.zeros_initializer())
      ...     _ = total.assign(3.0)
      ...     compat.restart()
      ...     float(total.numpy())
      0.0
    """
    default_store().reset()
