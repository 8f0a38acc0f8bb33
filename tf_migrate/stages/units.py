"""The statements of the straight line as units: where each has to go, and all that it makes, reads and lists."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from tf_migrate.stages.containers import only_serves
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.iterating import begins_later
from tf_migrate.stages.moving import require_moves
from tf_migrate.stages.program import Unit
from tf_migrate.stages.rates import is_made_in_place
from tf_migrate.stages.scopes import names_variables
from tf_migrate.stages.surroundings import Surroundings
from tf_migrate.stages.values import AT_THE_TOP, MOVED, PYTHON, Reads, Refused, Value


class Units(Surroundings):
    """Adds a unit for each statement, and refuses those that may not go where they would have to."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.units: list[Unit] = []

    def place_value(
        self, node: ast.stmt, scopes: tuple[ast.With, ...], value: Value, reads: Reads, impure: Sequence[ast.expr]
    ) -> None:
        """Adds a unit for a statement with this value, once it is sure that the statement may go where it has to."""
        inside = self.depth > 0
        if self.fills_queues(node, value):
            self.dropped.append(node)
        elif inside and (value.stage in MOVED or value.stage in AT_THE_TOP) and not self._may_grow(node, value):
            raise Refused(node, "the graph grows inside a loop or a condition", "build the graph before it is run")
        impure = [inner for inner in impure if not is_made_in_place(inner, value)]
        changing = [inner for inner in impure if inner not in self.evaluator.seeded]
        if value.stage in MOVED and changing:
            what = f"`{ast.unparse(changing[0])}` is computed while the graph is built"
            step = "assign it to a name in a statement of its own, before it is used in the graph"
            raise Refused(changing[0], what, step)
        if begins_later(value) or only_serves(node, value):
            self.dropped.append(node)
        self._add(node, scopes, value, reads)
        drawn, chosen = self.evaluator.drawn(impure), inside and value.stage in MOVED
        self.units[-1] = replace(self.units[-1], repeats=not impure, seeded=drawn, chosen=chosen)

    def _may_grow(self, node: ast.stmt, value: Value) -> bool:
        """Whether a statement in a block may build a part of the graph."""
        return self.chooses(node, value) or self.lists_in_method(node, value)

    def place(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> None:
        """Adds a unit for a statement that stays where it is."""
        self._add(node, scopes, PYTHON)

    def _add(self, node: ast.stmt, scopes: tuple[ast.With, ...], value: Value, reads: Reads | None = None) -> None:
        self.require_inside(node, value)
        gradients, self.evaluator.gradients = tuple(self.evaluator.gradients), []
        summaries = tuple(self.evaluator.summaries)
        self.evaluator.summaries.clear()
        if summaries and (self.depth or getattr(node, "value", None) is not summaries[0]):
            raise Refused(node, "a summary is made inside another expression", "make it in a statement of its own")
        creates, self.evaluator.creates = frozenset(self.evaluator.creates), set()
        named, self.evaluator.named = frozenset(self.evaluator.named), set()
        makers, finders, either = self.evaluator.taken_makers()
        known = self.evaluator.taken_made()
        if makers and self.depth:
            raise Refused(node, "a layer is built inside a block", "build it at the top of the script")
        if creates and value.stage not in MOVED:
            raise Refused(node, "variables are made by a statement that computes nothing", "return what they compute")
        if creates:
            self.evaluator.storing.append(len(self.units))
            self.creating.append(node)
        self._makes_shadows(node, scopes)
        index, seen = len(self.units), dict(reads or {})
        around, scopes = scopes, tuple(scope for scope in scopes if scope not in self.devices)
        for scope in around:
            if creates or scope in self.devices:
                seen.update(self.scope_reads.get(scope, {}))
        savers = tuple(self.evaluator.savers)
        self.evaluator.savers.clear()
        self.saved.update(dict.fromkeys(savers, self.made))
        if savers and self.again:
            raise Refused(node, "a Saver is made where variables were initialized twice", "initialize them once")
        if savers and (self.depth or getattr(node, "value", None) is not savers[0]):
            raise Refused(node, "a Saver is made inside a block or another expression", "make it in a statement")
        lists = self.taken_lists(node, value, gradients)
        unit = Unit(index, node, scopes, value, (), seen, gradients, summaries, savers, around, creates, lists)
        averages, in_place = self.evaluator.taken_averages(index, scopes), self.taken_in_place(node)
        adds = self.taken_metric(node, around)
        moved, self.evaluator.moved = frozenset(self.evaluator.moved), []
        require_moves(node, moved, value)
        unit = replace(unit, named=named, makers=makers, made=known, finders=finders, either=either, moved=moved)
        self.units.append(
            replace(
                unit,
                averages=averages,
                in_place=in_place or adds or bool(moved),
                adds=adds,
                hidden=self.taken_hidden(node, value),
                differentiates=self.evaluator.taken_derived(),
            )
        )

    def _makes_shadows(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> None:
        """Counts a statement that makes averages of variables: they begin with the first values of these."""
        if not self.evaluator.shadowed:
            return
        self.evaluator.shadowed = False
        if self.ran or self.depth:
            what = "averages are made where the variables may have changed"
            raise Refused(node, what, "call `apply` before anything runs")
        if any(names_variables(self.evaluator.names, scope) for scope in scopes):
            raise Refused(node, "averages are made in a variable scope", "call `apply` outside of it")
        self.creating.append(node)
