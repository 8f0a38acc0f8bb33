"""What sessions connect to: this process, alone or as a worker among others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import tensorflow as tf

__all__ = ["ServerValues", "check_target", "register_target"]


class Turns(Protocol):
    """Whose values the variables of one graph hold."""

    variables: Callable[[], Iterable[Any]]


class ServerValues:
    """The values of the variables on a server, which all graphs that run there share by name, as in TF1.

    Those of one graph hold them at a time, the one that ran last; another one takes them over.
    """

    def __init__(self) -> None:
        self._values: dict[str, tf.Tensor] = {}
        self._holder: Turns | None = None
        self._running = 0
        self._free = threading.Condition()

    def begin(self, turns: Turns) -> None:
        """Has the variables of a graph hold the server's values; waits for runs of another graph to end."""
        with self._free:
            if self._holder is not turns:
                self._free.wait_for(lambda: self._running == 0)
                with tf.init_scope():
                    self._keep()
                    self._give(turns)
                self._holder = turns
            self._running += 1

    def end(self) -> None:
        """Ends what ``begin()`` began."""
        with self._free:
            self._running -= 1
            if self._running == 0:
                self._free.notify_all()

    def leave(self, turns: Turns) -> None:
        """Keeps the values; the variables are about to hold those of a session that is not on the server."""
        with self._free:
            if self._holder is turns:
                self._keep()
                self._holder = None

    def _keep(self) -> None:
        for variable in self._holder.variables() if self._holder is not None else ():
            if variable.is_initialized():
                self._values[variable.op.name] = variable.read_value()

    def _give(self, turns: Turns) -> None:
        for variable in turns.variables():
            value = self._values.get(variable.op.name)
            if value is not None and value.dtype == variable.dtype and variable.shape.is_compatible_with(value.shape):
                variable.assign(value)


_checks: dict[str, Callable[[Any], None]] = {}
_values: dict[str, ServerValues] = {}


def register_target(target: str, check: Callable[[Any], None]) -> None:
    """Makes a target known; ``check`` gets the graph of each session on it, and raises where it cannot run."""
    _checks[target] = check
    _values[target] = ServerValues()


def check_target(target: str, graph: Any) -> ServerValues | None:
    """Checks that a graph can run where a session is to connect to; gives what lies there, None for no server.

    Raises:
      ValueError: the target is no server that this process made, or its check refuses the graph.
    """
    if not target:
        return None
    if target not in _checks:
        raise ValueError(
            f"compat.Session runs in this process only, not on {target!r}: move the program to tf.distribute, or give "
            "it the target of the compat.train.Server that this process is"
        )
    _checks[target](graph)
    return _values[target]
