"""Sessions that are alive at once over one graph, each of which has its own part of it.

Each session of TensorFlow 1 had values of its own for all variables. Where what one runs has nothing in common with
what another one runs, but for placeholders, one state for both is the same.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property

from tf_migrate.interpreter.recorder import Observation
from tf_migrate.interpreter.values import MANY, Node, Thing, options
from tf_migrate.semantics.sessions import MAKES_NO_VARIABLE
from tf_migrate.steps.facts import ProgramFacts

_OWN = re.compile(
    r"tf\.(?:nn|layers|contrib\.layers)\.(?!apply_regularization|optimize_loss|summarize)[a-z]\w*$"
    r"|tf\.losses\.(?!add_|get_)\w+$"
    r"|(?:tf\.train\.\w+\.)?(?:minimize|apply_gradients|compute_gradients)$"
)
"""What makes variables of its own each time, where none are used again, and reads none but what it is given."""
_VARIABLES = frozenset({"tf.Variable", "tf.get_variable"})
_LONGEST = 300
"""Operations of so many inputs may have others."""


class DisjointSessions:
    """Tells of two sessions whether they have something in common."""

    def __init__(self, facts: ProgramFacts) -> None:
        self.facts = facts
        self._parts: dict[int, frozenset[object] | None] = {}

    def are_apart(self, one: Thing, other: Thing) -> bool:
        """Whether nothing that one session runs is a part of what another one runs."""
        mine, others = self._part_of(one), self._part_of(other)
        return mine is not None and others is not None and not self._has_reuse and mine.isdisjoint(others)

    def _part_of(self, session: Thing) -> frozenset[object] | None:
        """The operations, and what else has a state, of all that a session runs; None where that is not known."""
        if id(session) not in self._parts:
            self._parts[id(session)] = self._found(session)
        return self._parts[id(session)]

    def _found(self, session: Thing) -> frozenset[object] | None:
        if any(use.session is session and use.node not in self.facts.sites for use in self.facts.recorder.uses):
            return None  # it saves, restores, or starts queues
        found: set[object] = set()
        for node, every in self.facts.sites.items():
            for seen in every:
                if seen.session is None or session in options(seen.session):
                    part = frozenset[object]() if node in self.facts.removed else self._run(seen)
                    if part is None:
                        return None
                    found |= part
        return frozenset(found)

    def _run(self, seen: Observation) -> frozenset[object] | None:
        """What a run needs, but for what is fed."""
        leaves = [option for leaf in seen.fetches.leaves() for option in options(leaf)]
        nodes = [each for each in leaves if isinstance(each, Node)]
        if not seen.fetches.known or not nodes or len(nodes) < len(leaves):
            return None
        found: set[object] = set()
        pending = [each.time for each in nodes]
        known: set[int] = set()
        while pending:
            time = pending.pop()
            if time in known:
                continue
            known.add(time)
            op = self._ops.get(time)
            if op is None or not _is_known(op):
                return None
            if op.kind != "placeholder":
                found |= {time, *([id(op.maker)] if op.maker is not None else [])}
            pending += [each.time for each in (*op.inputs, *(op.changes or ()), *op.counts)]
        return frozenset(found)

    @cached_property
    def _ops(self) -> dict[int, Node]:
        return {made.time: made for made in reversed(self.facts.recorder.nodes)}

    @cached_property
    def _has_reuse(self) -> bool:
        """Whether the program may use variables again by their names."""
        for module in self.facts.modules.values():
            if not module.attributes.keys().isdisjoint(("reuse_variables", "AUTO_REUSE", "make_template")):
                return True
            for call in module.calls:
                for keyword in call.keywords:
                    plain = isinstance(keyword.value, ast.Constant) and keyword.value.value in (None, False)
                    if keyword.arg in ("reuse", "custom_getter") and not plain:
                        return True
        return False


def _is_known(op: Node) -> bool:
    """Whether an operation is one, needs what it was given, and nothing else that has a state."""
    if op.turn == MANY or len(op.inputs) > _LONGEST or op.kind in ("unknown", "initializer"):
        return False
    if op.kind == "variable":
        return op.symbol in _VARIABLES
    return op.kind == "placeholder" or bool(MAKES_NO_VARIABLE.match(op.symbol) or _OWN.match(op.symbol))
