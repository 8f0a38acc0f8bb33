"""Operators: arithmetic, comparisons and choices between values of the graph."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace

from tf_migrate.names.canonical import Names
from tf_migrate.stages.containers import concatenated, is_text
from tf_migrate.stages.demand import kind_of_operator, slope
from tf_migrate.stages.loose import loose_in_operator
from tf_migrate.stages.shared_memory import sharing
from tf_migrate.stages.texts import compared
from tf_migrate.stages.values import (
    LAYER,
    PYTHON,
    STATIC,
    TENSORS,
    Refused,
    Stage,
    Value,
    combine,
    container,
    flatten,
    join,
    moving,
)

REPHRASE = "write it with TensorFlow operations, or keep it out of the graph"


class Operators:
    """Evaluates expressions that are made of others by operators."""

    names: Names

    @abstractmethod
    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""

    def _starred(self, node: ast.Starred) -> Value:
        return self.value(node.value)

    def _slice(self, node: ast.Slice) -> Value:
        parts = [self.value(part) for part in (node.lower, node.upper, node.step) if part is not None]
        return container(tuple(parts))

    def _binop(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Add) and left.parts is not None and right.parts is not None:
            return concatenated(left.parts + right.parts, counted=not (left.several or right.several))
        if isinstance(node.op, ast.Add) and left.listed and right.listed:
            return replace(left, listed=left.listed + right.listed)
        cells = left.stage is Stage.LAYER and all(part.symbol is None for part in flatten([left]))
        if isinstance(node.op, ast.Mult) and cells and right.stage is Stage.PYTHON:
            return LAYER
        made = self._operation(node, [left, right])
        # A power of 1 is no operation of its own.
        return replace(made, variables=sharing([left])) if isinstance(node.op, ast.Pow) else made

    def _operation(self, node: ast.expr, values: list[Value]) -> Value:
        graph = [value for value in flatten(values) if value.is_graph]
        if not graph:
            return PYTHON
        if all(value.stage is Stage.STATIC for value in graph):
            return STATIC
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and is_text(node.left):
            raise Refused(node, "a part of the graph is formatted as text", REPHRASE)
        if any(value.stage not in TENSORS and value.stage is not Stage.STATIC for value in graph):
            raise Refused(node, "an operator is applied to something of the graph that is no tensor", REPHRASE)
        known = replace(combine(values), moves=moving(values), loose=loose_in_operator(node, values))
        return replace(known, slope=slope(kind_of_operator(node), values))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not) and value.is_graph and value.stage is not Stage.STATIC:
            raise Refused(node, "`not` of a tensor", "use tf.logical_not")
        if isinstance(node.op, ast.Not) and value.truth is not None:
            return Value(Stage.PYTHON, truth=not value.truth)
        return self._operation(node, [value])

    def _compare(self, node: ast.Compare) -> Value:
        values = [self.value(item) for item in (node.left, *node.comparators)]
        if all(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops):
            return self._identity(node, values)
        known = compared(self.names, node, values)
        if known is not None:
            return known
        ordered = all(isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for operator in node.ops)
        tensors = any(value.stage in TENSORS for value in flatten(values))
        if tensors and not (ordered and len(node.ops) == 1):
            raise Refused(node, "TF1 compares tensors by identity here", "compare with tf.equal or `is`")
        return self._operation(node, values)

    def _identity(self, node: ast.Compare, values: list[Value]) -> Value:
        """`x is None`, where it is known whether `x` is."""
        if len(values) != 2 or not values[1].is_none:
            return PYTHON
        known = False if values[0].is_graph else values[0].is_none
        if known is None:
            return PYTHON
        return Value(Stage.PYTHON, truth=known is isinstance(node.ops[0], ast.Is))

    def _boolop(self, node: ast.BoolOp) -> Value:
        values = [self.value(item) for item in node.values]
        ends = isinstance(node.op, ast.Or)
        for item, value in zip(node.values, values, strict=True):
            if value.truth is None or not isinstance(item, ast.Compare | ast.BoolOp):  # another one may mean more
                break
            if value.truth is ends:
                return Value(Stage.PYTHON, truth=ends)
        else:
            return Value(Stage.PYTHON, truth=not ends)
        return self._choice(node, values)

    def _choice(self, node: ast.expr, values: list[Value]) -> Value:
        graph = [value for value in flatten(values) if value.is_graph]
        if not graph:
            return PYTHON
        if all(value.stage is Stage.STATIC for value in graph):
            return STATIC
        raise Refused(node, "the graph depends on a condition", "choose with an `if` statement of its own function")

    def _ifexp(self, node: ast.IfExp) -> Value:
        test = self.value(node.test)
        if test.stage not in (Stage.PYTHON, Stage.STATIC):
            raise Refused(node, "a tensor is used as a condition", "use tf.cond or tf.where")
        if test.truth is not None:
            return self.value(node.body if test.truth else node.orelse)
        return join(self.value(node.body), self.value(node.orelse))


def expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The outermost expressions of a node, itself included."""
    if isinstance(node, ast.expr):
        yield node
    else:
        for child in ast.iter_child_nodes(node):
            yield from expressions(child)
