"""Each shim is named by a test: a row of the conformance grid (tests/goldens), a snippet, an example, or a test.

A shim is a function or class of `compat` that a row of the facts table gives in place of a name of TF 1.15.
"""

from __future__ import annotations

import ast
import functools
import importlib
from collections import Counter
from pathlib import Path
from typing import Any

import tensorflow as tf

import compat
from tf_migrate import facts
from tf_migrate.syntax.own_nodes import walked

TESTS = Path(__file__).resolve().parents[1]
# Where code of tests runs shims; elsewhere it is only rewritten.
PLACES = ("compat", "goldens", "facts", "freeze")
# What tests call the whole of TF1's names by.
ROOTS = ("compat", "tf1", "tf", "TF1")


def shims() -> dict[int, set[str]]:
    """Every shim without an example of its own, by its identity, with all the paths that rows give for it."""
    found: dict[int, set[str]] = {}
    for symbol in facts.symbols():
        fact = facts.lookup(symbol)
        if fact is not None and fact.action == "shim" and fact.kind in ("function", "class"):
            shim = _resolved(fact.target)
            if (getattr(shim, "__module__", None) or "").startswith("compat."):
                found.setdefault(id(shim), set()).add(fact.target)
    return {key: paths for key, paths in found.items() if not any(map(_is_shown, paths))}


def _is_shown(path: str) -> bool:
    """Whether the example in the shim's docstring, which is run as a test, calls it."""
    lines = (_resolved(path).__doc__ or "").splitlines()
    return any(f"{path.rpartition('.')[2]}(" in line for line in lines if line.lstrip().startswith((">>>", "...")))


def _resolved(path: str) -> Any:
    found: Any = compat
    parts = path.split(".")
    for position, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            importlib.import_module(".".join(parts[:position]))
        found = getattr(found, part)
    return found


@functools.cache
def names() -> tuple[set[str], set[str]]:
    """Pairs of names with a dot between them in the tests' code, and names alone, as attributes or strings."""
    pairs: set[str] = set()
    alone: set[str] = set()
    for path in (path for place in PLACES for path in (TESTS / place).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = walked(tree)
        aliases = _aliases(nodes)
        for node in nodes:
            if isinstance(node, ast.Attribute):
                alone.add(node.attr)
                owner = node.value
                if isinstance(owner, ast.Attribute):
                    pairs.add(f"{owner.attr}.{node.attr}")
                elif isinstance(owner, ast.Name):
                    pairs.update(f"{name}.{node.attr}" for name in {owner.id, aliases.get(owner.id, owner.id)})
            elif isinstance(node, ast.ImportFrom) and node.module:
                pairs.update(f"{node.module.rpartition('.')[2]}.{alias.name}" for alias in node.names)
                alone.update(alias.name for alias in node.names)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                alone.add(node.value)
    return pairs, alone


def _aliases(nodes: list[ast.AST]) -> dict[str, str]:
    """What names of a module stand for: `{"decoder": "tfexample_decoder"}` after `decoder = slim.tfexample_decoder`."""
    return {
        target.id: node.value.attr
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def untested(found: dict[int, set[str]], pairs: set[str], alone: set[str]) -> list[str]:
    """The shims that no test names, by their shortest paths."""
    shared = Counter(name for paths in found.values() for name in {path.rpartition(".")[2] for path in paths})

    def is_named(path: str) -> bool:
        *_, owner, name = path.split(".")
        if any(f"{root}.{name}" in pairs for root in (ROOTS if owner == "compat" else (owner,))):
            return True
        # Behind an alias, or got by its name: where nothing else is called that.
        return name in alone and shared[name] == 1 and not hasattr(tf, name)

    return sorted(min(paths, key=len) for paths in found.values() if not any(map(is_named, paths)))


def test_every_shim_is_named_by_a_test() -> None:
    found = shims()
    assert len(found) > 600
    assert untested(found, *names()) == []


def test_a_new_shim_would_be_told() -> None:
    found = {1: {"compat.layers.dense"}, 2: {"compat.layers.brand_new", "compat.contrib.slim.brand_new"}}
    assert untested(found, *names()) == ["compat.layers.brand_new"]
