"""A quick walk gives what `ast.walk` gives, but for whether a name is read or bound."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import pytest

from tests.conftest import ROOT
from tf_migrate.syntax.own_nodes import children, every_node, walked


@pytest.mark.parametrize("name", ["tf_migrate/pipeline.py", "tf_migrate/interpreter/values.py", "tests/conftest.py"])
def test_it_goes_to_all_nodes(name: str) -> None:
    tree = ast.parse((ROOT / name).read_text())
    every = _without_contexts(ast.walk(tree))
    assert set(every_node(tree)) == set(every)
    assert walked(tree) == every
    for node in every:
        assert children(node) == _without_contexts(ast.iter_child_nodes(node))


def _without_contexts(nodes: Iterable[ast.AST]) -> list[ast.AST]:
    return [node for node in nodes if not isinstance(node, ast.expr_context)]
