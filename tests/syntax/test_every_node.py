"""A quick walk gives what `ast.walk` gives."""

from __future__ import annotations

import ast

import pytest

from tests.conftest import ROOT
from tf_migrate.syntax.own_nodes import children, every_node, walked


@pytest.mark.parametrize("name", ["tf_migrate/pipeline.py", "tf_migrate/interpreter/values.py", "tests/conftest.py"])
def test_it_goes_to_all_nodes(name: str) -> None:
    tree = ast.parse((ROOT / name).read_text())
    assert set(every_node(tree)) == set(ast.walk(tree))
    assert walked(tree) == list(ast.walk(tree))
    for node in ast.walk(tree):
        assert children(node) == list(ast.iter_child_nodes(node))
