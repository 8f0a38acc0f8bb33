"""Sessions of one graph take turns: each has values of its own for the graph's variables, as TF1's had.

The variables are eager and hold one value: that of the session that ran last, also when it has been closed. When
another one runs, what a session left that has not been closed is put aside, and comes back at its next run. A session
that runs for the first time finds no values. The values of sessions on a server are the server's, for all graphs.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from .targets import ServerValues

__all__ = ["Turns"]

_State = list[tuple[Any, Any]]


class Turns:
    """Whose values the variables of one graph hold.

    Args:
      variables: gives the graph's variables.
    """

    def __init__(self, variables: Callable[[], Iterable[Any]]) -> None:
        self.variables = variables
        self._holder: Callable[[], Any] = lambda: None
        self._taken = False
        self._server: ServerValues | None = None
        self._aside: weakref.WeakKeyDictionary[Any, _State] = weakref.WeakKeyDictionary()
        self._free = threading.Condition()
        self._running = 0

    def begin(self, session: Any) -> None:
        """Makes it `session`'s turn until `end()`; waits for runs of another session to end."""
        with self._free:
            if self._holder() is not session:
                self._free.wait_for(lambda: self._running == 0)
                with tf.init_scope():
                    self._hand_over(session)
            self._running += 1
        if session.server is not None:
            session.server.begin(self)

    def end(self) -> None:
        """Ends what `begin()` began."""
        if self._server is not None:
            self._server.end()
        with self._free:
            self._running -= 1
            if self._running == 0:
                self._free.notify_all()

    def succeed(self, session: Any) -> None:
        """Leaves a session the values of the one that ran last, as if it had run itself."""
        with self._free:
            self._holder = weakref.ref(session)

    def _hand_over(self, session: Any) -> None:
        before = self._holder()
        if self._server is not None and session.server is not self._server:
            self._server.leave(self)
        if before is not None and not before.closed and before.server is None:
            self._aside[before] = [
                (variable, variable.read_value()) for variable in self.variables() if variable.is_initialized()
            ]
        if self._taken and (session.server is None or session.server is not self._server):
            # What eager code put there before the first session is that one's.
            for variable in self.variables():
                variable.forget_value()
        for variable, value in self._aside.pop(session, ()):
            variable.assign(value)
        self._taken = True
        self._server = session.server
        self._holder = weakref.ref(session)
