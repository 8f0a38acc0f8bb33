"""Contexts of a graph around code that builds and runs: each holds for the graph, whatever is built in between."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property

from tf_migrate.report.model import Reason
from tf_migrate.steps.building import SCOPES, yields
from tf_migrate.steps.part import Part
from tf_migrate.steps.plan import Insertion

_OF_GRAPH = {"tf.control_dependencies": "control_dependencies", "tf.device": "device"}
"""Those that eager code enters in TensorFlow 2 without a graph's knowing: the graph has its own."""
_UNKNOWN = frozenset(("tf.init_scope", "tf.variable_creator_scope"))
_BEGINNING = "compat.build(compat.get_default_graph)"


class Contexts(Part):
    """Has contexts hold for the graph where the statement that enters them runs something too."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        scopes: dict[ast.With, None] = {}
        for call, symbols in list(self.facts.recorder.symbols.items()):
            if not isinstance(call, ast.Call) or call not in self.facts.owners:
                continue
            item = self.facts.parent(call)
            entered = self.facts.parent(item) if isinstance(item, ast.withitem) else None
            if isinstance(entered, ast.With) and not self._is_mixed(entered):
                continue
            names = {_OF_GRAPH[symbol] for symbol in symbols & _OF_GRAPH.keys()}
            if names and (len(names) > 1 or symbols - _OF_GRAPH.keys()):
                self._refuse(call)
            elif names:
                self.plan_of(call).replaced[call.func] = f"compat.get_default_graph().{names.pop()}"
            elif symbols & _UNKNOWN and isinstance(entered, ast.With):
                self._refuse(call)
            elif symbols & SCOPES and isinstance(entered, ast.With):
                scopes.update(dict.fromkeys([entered, *self._entering(entered)]))
        for entered in scopes:
            around = [each for each in self.facts.around(entered) if each in scopes]
            if not around and self._may_be_first(entered):
                self.plan_of(entered).inserted.append(Insertion(_BEGINNING, entered, before=True))
        return self.reasons

    def _entering(self, node: ast.With) -> list[ast.With]:
        """The statements that enter a context manager of the program whose generator gives way in a block."""
        if not yields(node):
            return []
        function = next((each for each in self.facts.around(node) if isinstance(each, ast.FunctionDef)), None)
        calls = [call for call, callees in self.facts.recorder.callees.items() if function in callees]
        items = [self.facts.parent(call) for call in calls if call in self.facts.owners]
        found = [self.facts.parent(item) for item in items if isinstance(item, ast.withitem)]
        return [each for each in found if isinstance(each, ast.With)]

    def _refuse(self, call: ast.Call) -> None:
        self.refuse(
            "builds-and-runs",
            call,
            f"`{ast.unparse(call.func)}` holds for what is built, and something runs in it",
            "run it behind the block",
        )

    def _is_mixed(self, node: ast.With) -> bool:
        """Whether something is built and something runs in a block, or in one that a generator gives way to."""
        both = node in self.facts.building and node in self.facts.running
        return both or yields(node)

    def _may_be_first(self, node: ast.With) -> bool:
        """Whether a graph may begin with what is built in a block: nothing is there before that has its scopes."""
        return any(
            any(node in extent for extent in extents) and time == self._first_times[graph]
            for graph, rows in self._rows.items()
            for time, extents in rows.items()
        )

    @cached_property
    def _rows(self) -> dict[int, dict[int, list[set[ast.AST]]]]:
        """For graphs: the times at which values of them were made, with the statements around the places."""
        found: defaultdict[int, dict[int, list[set[ast.AST]]]] = defaultdict(dict)
        for node in self.facts.recorder.nodes:
            if node.place in self.facts.owners and node.graph is not None:
                extent = self.facts.recorder.built.get(node.place, set())
                found[id(node.graph)].setdefault(node.time, []).append(extent)
        return found

    @cached_property
    def _first_times(self) -> dict[int, int]:
        return {graph: min(rows) for graph, rows in self._rows.items()}
