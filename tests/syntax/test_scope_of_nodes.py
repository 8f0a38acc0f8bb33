"""The scope that a node stands in, whatever kind of node it is."""

from __future__ import annotations

import ast

import pytest

from tf_migrate.files.source import read
from tf_migrate.syntax.module import load

CODE = """\
a, b = 1, 2


@wrapped(a, b)
def outer(x=(a, b)):
    for i, (j, k) in x:
        print(i + j)

    def inner(y):
        return [y + z for z in (x, y)]

    class Held:
        c = (a, x)

    return inner, Held
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a, b", None),
        ("(a, b)", None),
        ("i, (j, k)", "outer"),
        ("i + j", "outer"),
        ("print(i + j)", "outer"),
        ("return [y + z for z in (x, y)]", "inner"),
        ("[y + z for z in (x, y)]", "inner"),
        ("(a, x)", "Held"),
        ("return (inner, Held)", "outer"),
    ],
)
def test_where_a_node_stands(text: str, name: str | None) -> None:
    module = load(read("a.py", CODE.encode()))
    found = [node for node in ast.walk(module.tree) if isinstance(node, ast.expr | ast.stmt)]
    places = [node for node in found if ast.unparse(node).strip("()") == text.strip("()")]
    assert places
    for place in places:
        assert getattr(module.scope_of(place).node, "name", None) == name


def test_a_function_stands_in_the_scope_around_it() -> None:
    module = load(read("a.py", CODE.encode()))
    inner = next(node for node in ast.walk(module.tree) if isinstance(node, ast.FunctionDef) and node.name == "inner")
    assert getattr(module.scope_of(inner).node, "name", None) == "outer"
