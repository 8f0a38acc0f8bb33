"""Runs of what is built where they run, of Python's values and variables alone: TensorFlow 2 computes it at once.

`sess.run(tf.one_hot(labels, 10))` in a function becomes `tf.one_hot(labels, 10).numpy()`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import cached_property

from tf_migrate.interpreter.recorder import Observation
from tf_migrate.interpreter.values import Const, External, Node, Opaque, Thing, Value, options
from tf_migrate.names.drawing import may_draw
from tf_migrate.semantics.effects import effect
from tf_migrate.steps.building import CONTEXTS
from tf_migrate.steps.part import Part
from tf_migrate.steps.paths import inside
from tf_migrate.steps.plan import Read

_COMPUTING = re.compile(r"tf\.(?:(?:image|linalg|math|nn|sparse|spectral|strings)\.)?[a-z]\w*$")
_READING = frozenset(("initialized_value", "read_value", "value"))
_OPERATORS = (ast.BinOp, ast.UnaryOp)
_OF_NAMES = frozenset(("get_operation_by_name", "get_operations", "get_tensor_by_name", "as_graph_element"))
"""What tells how many operations a graph has, or what they are called."""


class EagerValues(Part):
    """Finds runs whose fetches are computed where they stand."""

    def read(self, node: ast.Call, seen: Sequence[Observation], fetch: ast.expr) -> Read | None:
        """What a run becomes that fetches what nothing of the graph is needed for, and that nothing else needs."""
        if self._is_one(node, seen, fetch) and self._computes(fetch):
            return Read(node, fetch)
        return Read(node, fetch, nested=True) if self._is_first_state(node, seen, fetch) else None

    def _is_first_state(self, node: ast.Call, seen: Sequence[Observation], fetch: ast.expr) -> bool:
        """Whether a run fetches the zeros that a cell of TensorFlow's begins with."""
        method = fetch.func if isinstance(fetch, ast.Call) else None
        if not isinstance(method, ast.Attribute) or method.attr != "zero_state" or not isinstance(fetch, ast.Call):
            return False
        if not self.facts.owners[node].root.bindings.get("tf") or fetch in self.facts.recorder.unresolved:
            return False
        cells = [each.given.get(method.value) for each in seen]
        if not all(isinstance(cell, Thing) and cell.kind == "cell" for cell in cells) or fetch.keywords:
            return False
        return all(map(self._computes, fetch.args)) and self._is_one(node, seen, fetch, but=method.value)

    def _is_one(
        self, node: ast.Call, seen: Sequence[Observation], fetch: ast.expr, but: ast.expr | None = None
    ) -> bool:
        if self._counts or any(
            each.guessed or each.never or each.feeds is not None or each.hooked or each.others or not _is_tensor(each)
            for each in seen
        ):
            return False
        if any(self._holds(outer) for outer in self.facts.around(node)):
            return False
        given = (value for each in seen for path, value in each.given.items() if path is not but)
        return all(map(_is_plain, given))

    @cached_property
    def _counts(self) -> bool:
        """Whether the program may see which operations its graph has: by seeds, and by names."""
        modules = self.facts.modules.values()
        return self.facts.is_seeded or any(name in module.attributes for module in modules for name in _OF_NAMES)

    def _holds(self, node: ast.AST) -> bool:
        """Whether a block holds for what is built in it."""
        items = node.items if isinstance(node, ast.With) else []
        symbols = (self.facts.recorder.symbols.get(item.context_expr, set()) for item in items)
        return any(not found.isdisjoint(CONTEXTS) for found in symbols)

    def _computes(self, node: ast.expr) -> bool:
        """Whether an expression is made of functions of TensorFlow that only compute, and of plain values."""
        if isinstance(node, _OPERATORS):
            return all(self._computes(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
        if not isinstance(node, ast.Call):
            return not any(isinstance(inner, ast.Call) for inner in ast.walk(node))
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(keyword.arg in (None, "name") for keyword in node.keywords):
            return False
        if any(isinstance(argument, ast.Starred) for argument in node.args) or not all(map(self._computes, given)):
            return False
        symbols = self.facts.recorder.symbols.get(node, set())
        if not symbols and isinstance(node.func, ast.Attribute) and node.func.attr in _READING:
            return not given and self._computes(node.func.value)
        known = [symbol for symbol in symbols if _COMPUTING.match(symbol) and effect(symbol).name == "tensor"]
        return bool(symbols) and len(known) == len(symbols) and not any(may_draw(node, symbol) for symbol in symbols)


def _is_tensor(seen: Observation) -> bool:
    value = seen.fetches.value
    return seen.fetches.kind == "leaf" and isinstance(value, Node) and value.kind == "tensor"


def _is_plain(value: Value) -> bool:
    """Whether a value surely is none of a graph, but for a variable."""
    for part in inside(value, 3):
        for option in options(part):
            if isinstance(option, Node) and option.kind != "variable":
                return False
            data = isinstance(option, Thing) and option.kind == "data"
            if not data and not isinstance(option, Const | External | Node | Opaque):
                return False
    return True
