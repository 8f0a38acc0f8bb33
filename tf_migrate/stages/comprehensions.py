"""Comprehensions: over parts that are known one by one, over Python values, and over lists of variables."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages.containers import unpacked
from tf_migrate.stages.lists import TRAINABLE, Listing, note_makers
from tf_migrate.stages.pairs import assigned_each, is_list_of_variables
from tf_migrate.stages.values import LAYER, PYTHON, TENSOR, Stage, Value, Variable, container

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator


def comprehension(evaluator: Evaluator, node: ast.ListComp | ast.GeneratorExp) -> Value:
    """What a comprehension makes of what it iterates over."""
    generator, element = node.generators[0], node.elt
    iterated = evaluator.value(generator.iter)
    made = assigned_each(evaluator, node, element) or _of_variables(evaluator, node, iterated)
    if made is not None:
        return made
    if len(node.generators) == 1 and iterated.parts is not None:
        items = [unpacked(generator.target, part) for part in iterated.parts]
        if all(names is not None for names in items):
            values = tuple(evaluator.with_locals(names or {}, generator.ifs, element) for names in items)
            return replace(container(values), several=iterated.several)
    runs = any(inner in evaluator.sites for inner in ast.walk(element) if isinstance(inner, ast.Call))
    if (
        iterated.stage is Stage.PYTHON
        and len(node.generators) == 1
        and not runs
        and isinstance(generator.target, ast.Name)
    ):
        value = evaluator.with_locals({generator.target.id: PYTHON}, generator.ifs, element)
        if value.stage is Stage.LAYER:
            return LAYER
        counted = isinstance(node, ast.ListComp) and value.stage in (Stage.CONSTANT, Stage.TENSOR)
        if counted and not (value.variables or evaluator.creates):
            # A list of as many tensors as there are Python values.
            return Value(value.stage, random=value.random, fed=value.fed, several=True, loose=value.loose)
    return evaluator.other(node)


def _of_variables(evaluator: Evaluator, node: ast.ListComp | ast.GeneratorExp, iterated: Value) -> Value | None:
    """What is made of those variables of a list whose names pass a test, or of all variables of a store.

    Which these are is known only when the comprehension runs: it moves into the function that needs it.
    """
    generator = node.generators[0]
    stored = iterated.stage is Stage.VARIABLES and iterated.parts is None
    if not stored and not (generator.ifs and is_list_of_variables(iterated)):
        return None
    if len(node.generators) > 1 or not isinstance(generator.target, ast.Name):
        return None
    target = generator.target.id
    if not all(_tests_name(evaluator, condition, target) for condition in generator.ifs):
        return None
    evaluator.note_variables(iterated.variables)
    if isinstance(node.elt, ast.Name) and node.elt.id == target:
        listed = Value(Stage.VARIABLES, variables=iterated.variables, listed=iterated.listed)
        return listed if isinstance(node, ast.ListComp) else None
    # Other collections hold what optimizers keep as well, which the store does not know.
    known = all(listing.key == TRAINABLE for listing in iterated.listed)
    each = replace(TENSOR, variables=(*iterated.variables, *(_any_of(listing) for listing in iterated.listed)))
    made = evaluator.with_locals({target: each}, [], node.elt) if known else PYTHON
    if made.stage is not Stage.TENSOR or made.parts is not None:
        return None
    note_makers(evaluator, node, iterated.listed)
    return Value(Stage.TENSOR, random=made.random, fed=made.fed, several=True, loose=made.loose)


def _any_of(listing: Listing) -> Variable:
    """A variable of a store that is in a list, whichever that is."""
    return Variable(listing.unit, listing.call, "", None, True)


def _tests_name(evaluator: Evaluator, node: ast.expr, variable: str) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(_tests_name(evaluator, item, variable) for item in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) and _tests_name(evaluator, node.operand, variable)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if isinstance(node.ops[0], ast.Eq | ast.NotEq) and _is_name(sides[0], variable):
            sides.reverse()
        plain = len(sides) == 2 and isinstance(node.ops[0], ast.In | ast.NotIn | ast.Eq | ast.NotEq)
        return plain and _is_name(sides[1], variable) and _is_python(evaluator, sides[0])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        asks = node.func.attr in ("startswith", "endswith") and _is_name(node.func.value, variable)
        return asks and not node.keywords and all(_is_python(evaluator, item) for item in node.args)
    return False


def _is_name(node: ast.expr, variable: str) -> bool:
    return ast.unparse(node) == f"{variable}.name"


def _is_python(evaluator: Evaluator, node: ast.expr) -> bool:
    plain = isinstance(node, ast.Constant | ast.Name)
    return plain and evaluator.value(node).stage is Stage.PYTHON
