"""Names of operations."""

from __future__ import annotations

from ..bridge.graph import current_graph


def exact_name(scope: str) -> str | None:
    """The name for an operation that is to be called exactly as its name scope, as TF1's results were.

    Only a bridge graph promises names. In a trace the scope's name may belong to another operation already, an
    argument's for instance, and TF2 refuses a second one.
    """
    return scope if current_graph() is not None else None
