"""What sessions connect to: this process, alone or as a worker among others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["check_target", "register_target"]

_checks: dict[str, Callable[[Any], None]] = {}


def register_target(target: str, check: Callable[[Any], None]) -> None:
    """Makes a target known; ``check`` gets the graph of each session on it, and raises where it cannot run."""
    _checks[target] = check


def check_target(target: str, graph: Any) -> None:
    """Checks that a graph can run where a session is to connect to.

    Raises:
      ValueError: the target is no server that this process made, or its check refuses the graph.
    """
    if not target:
        return
    if target not in _checks:
        raise ValueError(
            f"compat.Session runs in this process only, not on {target!r}: move the program to tf.distribute, or give "
            "it the target of the compat.train.Server that this process is"
        )
    _checks[target](graph)
