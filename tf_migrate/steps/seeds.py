"""Programs that seed their graph, or whose tests TensorFlow seeds, and that draw without seeds of their own.

TensorFlow 1 took the number of an operation in its graph as the second seed. Steps and the bridge build that graph, and
draw its numbers; functions that are written for each run have no such graph: their numbers would be others, in silence.
So would those of steps behind a statement that goes, and that made operations of the graph: these stay.
"""

from __future__ import annotations

import ast
from collections.abc import Set

from tf_migrate.names.canonical import Names
from tf_migrate.names.case_classes import has_graph_of_its_own
from tf_migrate.names.drawing import SEEDS, draws, draws_by_method
from tf_migrate.names.exports import Index
from tf_migrate.report.model import Reason
from tf_migrate.steps.part import Part, reason_at


def seeded(sliced: Set[str], index: Index, compat_module: str) -> dict[str, Names]:
    """Of modules those whose programs give the graph a seed and draw numbers that have none of their own.

    Each with the module that gives it. Both may stand in any module of a program: in one that this one imports, in one
    that imports it, or in one that these import.
    """
    calls: dict[str, tuple[Names, list[tuple[ast.Call, str]]]] = {}

    def read(name: str) -> list[tuple[ast.Call, str]]:
        if name not in calls and (module := index.tree(name)) is not None:
            known = Names(module, index, compat_module)
            calls[name] = known, _calls(known)
        return calls[name][1] if name in calls else []

    def gives(name: str) -> bool:
        module = index.tree(name)
        if module is None:
            return False
        text = module.source.text
        if any(_last(symbol) in text for symbol in SEEDS) and any(symbol in SEEDS for _, symbol in read(name)):
            return True
        read(name)
        return "TestCase" in text and _test_case(calls[name][0]) is not None

    def draw(name: str) -> bool:
        if any(draws(call, symbol) for call, symbol in read(name)):
            return True
        known = calls[name][0] if name in calls else None
        return known is not None and any(draws_by_method(known, call) for call in known.module.calls)

    found: dict[str, Names] = {}
    for program in sorted(set[str]().union(*(index.importing(name) for name in sliced))):
        modules = sorted(index.imported_by(program))
        waiting = sliced & index.imported_by(program) - found.keys()
        seeding = next(filter(gives, modules), None) if waiting else None
        if seeding is not None and any(map(draw, modules)):
            found |= dict.fromkeys(waiting, calls[seeding][0])
    return found


def _last(symbol: str) -> str:
    return symbol.rpartition(".")[2]


def _calls(names: Names) -> list[tuple[ast.Call, str]]:
    """The calls of a module that are TensorFlow's, each with its symbol."""
    return [(call, symbol) for call in names.module.calls if (symbol := names.of(call.func) or "").startswith("tf.")]


def _test_case(names: Names) -> ast.ClassDef | None:
    """The first class of a module that is a test of TensorFlow's, which gives the graph of each test a seed."""
    classes = (node for node in names.module.nodes if isinstance(node, ast.ClassDef))
    return next((node for node in classes if has_graph_of_its_own(names, node)), None)


def reason(names: Names) -> Reason:
    """Why a program of this module, which gives the seed, is not sliced."""
    module = names.module
    place: ast.AST | None = next((call for call in module.calls if names.of(call.func) in SEEDS), _test_case(names))
    assert place is not None
    return reason_at(
        module,
        "graph-seed",
        place,
        "the graph's seed and the number of each operation give the random numbers",
        "give random operations and initializers a seed of their own",
    )


class SeedNumbers(Part):
    """Keeps the numbers of operations in a graph that has a seed."""

    def plan(self) -> list[Reason]:
        """The runs of initializers that go, where what their own statements make cannot stay without them."""
        for run in sorted(self.facts.numbering & self.facts.removed, key=lambda node: (node.lineno, node.col_offset)):
            statement, seen = self.facts.statement(run), self.facts.sites[run]
            fetched = set() if seen[0].fetch is None else set(ast.walk(seen[0].fetch))
            same = all(each.fetch is seen[0].fetch for each in seen)
            if not same or not fetched.issuperset(self.facts.recorder.made.get(statement, ())):
                self.refuse(
                    "graph-seed",
                    run,
                    "what it runs is made in its own statement, and counts for what is drawn behind it",
                    "make it in a statement of its own, or the session behind all that draws",
                )
        return self.reasons
