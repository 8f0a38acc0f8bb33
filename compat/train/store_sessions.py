"""What readies the one session of a store, for those that watch over its steps."""

from __future__ import annotations

from typing import Any, Protocol

from ..steps.graph import StoreGraph
from ..steps.step import run
from .session_manager import SessionManager


class Readiness(Protocol):
    """Operations that ready local variables, and that tell what has no value."""

    local_init_op: Any
    ready_op: Any
    ready_for_local_init_op: Any


class StoreSessionManager(SessionManager):
    """Readies variables that have their first values already: only initializers that the program gives run.

    Args:
        graph: the store's graph.
        operations: what readies its session.
        given: the initializer of variables and the one of local variables, where the program gives them.
    """

    def __init__(self, graph: StoreGraph, operations: Readiness, given: tuple[Any, Any]) -> None:
        super().__init__(
            local_init_op=operations.local_init_op,
            ready_op=operations.ready_op,
            ready_for_local_init_op=operations.ready_for_local_init_op,
            graph=graph,
        )
        self._given = given

    def _session(self, master: str, config: Any) -> Any:
        return self._graph.session

    def _run_init_op(self, session: Any, init_op: Any, init_feed_dict: Any) -> None:
        if self._given[0] is not None or init_feed_dict:
            run(init_op, init_feed_dict)

    def _run_local_init_op(self, session: Any) -> None:
        if self._given[1] is not None:
            super()._run_local_init_op(session)
