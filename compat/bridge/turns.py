"""Sessions of one graph take turns: each has values of its own for the graph's variables, as TF1's had.

The variables are eager and hold one value. While a session has not been closed, what it left in them is put aside
when another one runs, and comes back at its next run.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

__all__ = ["Turns"]

_State = list[tuple[Any, Any]]


class Turns:
    """Whose values the variables of one graph hold.

    Args:
      variables: gives the graph's variables.
      counters: gives the states of its seeded random operations, which begin anew with each session.
    """

    def __init__(self, variables: Callable[[], Iterable[Any]], counters: Callable[[], Iterable[Any]]) -> None:
        self._variables = variables
        self._counters = counters
        self._holder: Callable[[], Any] = lambda: None
        self._aside: weakref.WeakKeyDictionary[Any, _State] = weakref.WeakKeyDictionary()
        self._free = threading.Condition()
        self._running = 0

    def begin(self, session: Any) -> None:
        """Makes it `session`'s turn until `end()`; waits for runs of another session to end."""
        with self._free:
            if self._holder() is not session:
                self._free.wait_for(lambda: self._running == 0)
                self._hand_over(session)
            self._running += 1

    def end(self) -> None:
        """Ends what `begin()` began."""
        with self._free:
            self._running -= 1
            if self._running == 0:
                self._free.notify_all()

    def _hand_over(self, session: Any) -> None:
        before = self._holder()
        with tf.init_scope():
            if before is not None and not before.closed:
                self._aside[before] = [
                    (variable, variable.read_value())
                    for variable in (*self._variables(), *self._counters())
                    if variable.is_initialized()
                ]
            if session in self._aside:
                for variable, value in self._aside.pop(session):
                    variable.assign(value)
            else:
                for counter in self._counters():
                    counter.assign(0)
        self._holder = weakref.ref(session)
