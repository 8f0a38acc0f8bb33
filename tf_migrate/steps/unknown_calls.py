"""Calls of methods of objects that nobody knows, by the names of functions of the program that build unseen."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tf_migrate.names.canonical import Names
from tf_migrate.report.model import Reason
from tf_migrate.semantics.effects import effect
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.part import reason_at

_BUILDING = frozenset({"assignment", "operation", "optimizer", "placeholder", "tensor", "variable"})


def unknown_builders(facts: ProgramFacts, names: Mapping[str, Names]) -> list[Reason]:
    """The first such call of each function that builds and that no call was seen to reach."""
    called: dict[str, ast.Call] = {}
    for node in facts.recorder.unresolved:
        if node in facts.owners and isinstance(node.func, ast.Attribute):
            called.setdefault(node.func.attr, node)
    found = []
    for function, known in _unseen(facts, names):
        if function.name in called and _builds(function, known):
            call = called.pop(function.name)
            found.append(
                reason_at(
                    facts.owners[call],
                    "callee-unknown",
                    call,
                    f"nobody knows whose `{function.name}` this calls; that of {known.module.path} builds",
                    "let one name hold objects of fewer classes, or make each object where it is used",
                )
            )
    return found


def _unseen(facts: ProgramFacts, names: Mapping[str, Names]) -> Iterator[tuple[ast.FunctionDef, Names]]:
    for known in names.values():
        for node in ast.walk(known.module.tree):
            if isinstance(node, ast.FunctionDef) and node not in facts.recorder.visits:
                yield node, known


def _builds(function: ast.FunctionDef, names: Names) -> bool:
    symbols = [names.of(call.func) or "" for call in ast.walk(function) if isinstance(call, ast.Call)]
    return any(symbol.startswith("tf.") and effect(symbol).name in _BUILDING for symbol in symbols)
