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

_CONTAINERS = ast.Dict | ast.List | ast.Tuple


def unknown_builders(facts: ProgramFacts, names: Mapping[str, Names]) -> list[Reason]:
    """The first such call of each function that builds and that no call was seen to reach.

    A call that is given something of a graph counts as building already.
    """
    recorder = facts.recorder
    unknown = [node for node in recorder.unresolved if node in facts.owners and node not in recorder.built]
    called: dict[str, ast.Call] = {}
    for node in unknown:
        if isinstance(node.func, ast.Attribute):
            called.setdefault(node.func.attr, node)
    unnamed = next((node for node in recorder.unnamed if node in unknown), None)
    found = []
    for function, known in _unseen(facts, names):
        call = called.get(function.name) or (unnamed if _is_named(function, known) else None)
        if call is not None and _builds(function, known):
            called.pop(function.name, None)
            whose = f"whose `{function.name}`" if call is not unnamed else "what"
            found.append(
                reason_at(
                    facts.owners[call],
                    "callee-unknown",
                    call,
                    f"nobody knows {whose} this calls; `{function.name}` of {known.module.path} builds",
                    "let one name hold objects of fewer classes, or make each object where it is used",
                )
            )
    element = next((node for node in unknown if isinstance(node.func, ast.Subscript | ast.Name)), None)
    held = next(_held(facts, names), None) if element is not None else None
    if element is not None and held is not None:
        line = f"line {held[0].lineno} of {held[1].module.path}"
        message = f"nobody knows which function `{ast.unparse(element.func)}` is; that of {line} builds"
        step = "call fewer functions by one name, or build each where it is used"
        found.append(reason_at(facts.owners[element], "callee-unknown", element, message, step))
    return found


def _held(facts: ProgramFacts, names: Mapping[str, Names]) -> Iterator[tuple[ast.Lambda, Names]]:
    """The functions without a name that build, that a list or dictionary holds, and that no call was seen to reach."""
    for known in names.values():
        for node in known.module.nodes:
            if not isinstance(node, ast.Lambda) or node in facts.recorder.visits:
                continue
            if isinstance(known.module.parents[node], _CONTAINERS) and _builds(node, known):
                yield node, known


def _is_named(function: ast.FunctionDef, names: Names) -> bool:
    """Whether a text may name a function: it, or the class that it makes objects of, stands in its module."""
    home = names.module.parents[function]
    return home is names.module.tree or (
        function.name == "__init__"
        and isinstance(home, ast.ClassDef)
        and names.module.parents[home] is names.module.tree
    )


def _unseen(facts: ProgramFacts, names: Mapping[str, Names]) -> Iterator[tuple[ast.FunctionDef, Names]]:
    for known in names.values():
        for node in known.module.nodes:
            if isinstance(node, ast.FunctionDef) and node not in facts.recorder.visits:
                yield node, known


def _builds(function: ast.FunctionDef | ast.Lambda, names: Names) -> bool:
    symbols = [names.of(call.func) or "" for call in ast.walk(function) if isinstance(call, ast.Call)]
    return any(symbol.startswith("tf.") and effect(symbol).name in _BUILDING for symbol in symbols)
