"""Where an imported name lives after the migration: in TensorFlow 2, among the shims, or nowhere.

Decided by the symbol alone, so that a module and those that import the name from it agree without asking each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tf_migrate import facts
from tf_migrate.facts import Fact
from tf_migrate.facts.shims import Shims, shim_path


@dataclass(frozen=True)
class Home:
    """``place`` is where to import from; ``path`` the dotted path there, ``tf.`` or ``compat.`` included."""

    place: Literal["tf", "compat"]
    path: str


def public(fact: Fact) -> Fact:
    """The row that decides: a private path that TensorFlow 1 offered as public API too means that API's row."""
    private = not fact.symbol.startswith("tf.") and fact.action in ("rename", "call")
    if not private or fact.symbol.rpartition(".")[2] != fact.target.rpartition(".")[2]:
        return fact
    known = facts.lookup(fact.target)
    return fact if known is None or known.action == "same" else known


def home(shims: Shims, symbol: str) -> Home | None:
    """The home of a symbol that is imported or bound by itself; None where it has none."""
    fact = facts.lookup(symbol)
    if fact is not None and (known := public(fact)) is not fact:
        return home(shims, known.symbol)
    shim = shim_path(symbol)
    if fact is not None and fact.action == "same":
        return Home("tf", symbol)
    if fact is None or fact.kind == "module":
        if fact is not None and fact.action == "shim" and shims.has_module(fact.target):
            return Home("compat", fact.target)
        if symbol.startswith("tf.") and shims.has_module(shim):
            return Home("compat", shim)
        return Home("tf", fact.target) if fact is not None and fact.action == "rename" else None
    if fact.action == "rename":
        return Home("tf", fact.target)
    if fact.action == "shim":
        return Home("compat", fact.target) if shims.has(fact.target) else None
    if fact.action == "call":
        # The shim takes TF 1's arguments, so that no call far away needs to be found and edited.
        return Home("compat", shim) if shims.has(shim) else Home("tf", fact.target)
    return None
