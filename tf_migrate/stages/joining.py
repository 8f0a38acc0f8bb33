"""Sums and products that may be lists, which hold the items of the lists that they are made of."""

from __future__ import annotations

import ast

from tf_migrate.stages import arrays, purity
from tf_migrate.stages.bound import home_of, known_of
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

_NUMBERS = frozenset({"abs", "bool", "float", "int", "len", "round", "str"})
_PASSING = frozenset({"enumerate", "list", "max", "min", "range", "reversed", "sorted", "sum", "tuple", "zip"})
_DEEPEST = 9


def is_joined(side: ast.AST, node: ast.BinOp, module: Module) -> bool:
    """Whether what is computed may be a list that holds items of one side of it which can be changed.

    Numbers and arrays are computed anew. A list is joined to another list, or repeated a whole number of times.
    """
    other = node.right if node.left is side else node.left
    if not isinstance(node.op, ast.Add | ast.Mult) or (isinstance(side, ast.expr) and _is_flat(side, module)):
        return False
    return not _is_no_list(other, module, isinstance(node.op, ast.Mult))


def _is_no_list(node: ast.expr, module: Module, whole: bool, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a value is no list, and where a `whole` number counts, not such a one either, but a tensor, say."""
    if isinstance(node, ast.Constant):
        return not (whole and isinstance(node.value, int))
    if isinstance(node, ast.UnaryOp | ast.Compare):
        return not whole
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        computed = not isinstance(node.op, ast.Add | ast.Mult) or all(
            _is_no_list(s, module, False, seen) for s in sides
        )
        return (computed and not whole) or any(_is_no_list(side, module, True, seen) for side in sides)
    if isinstance(node, ast.Subscript):
        return _is_no_list(node.value, module, True, seen)
    if isinstance(node, ast.Call):
        name = callee(node.func, module) or ""
        number = name in _NUMBERS or _is_array(node, module)
        return _is_of_graph(node, module) or name == "float" or (number and not whole)
    if not isinstance(node, ast.Name | ast.Attribute) or (key := _key(node, module)) in seen:
        return False
    bound = known_of(node, module)[1]
    return bool(bound) and all(_is_no_list(value, module, whole, seen | {key}) for value in bound)


def _is_flat(node: ast.expr, module: Module, levels: int = 1, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a value holds no more than so many lists inside each other, and nothing else that can be changed.

    One level is a number, a text, an array, a tensor, or a container of numbers and texts; none is a number or a text.
    """
    if purity.is_immutable(node, module) or isinstance(node, ast.UnaryOp | ast.Compare):
        return True
    if isinstance(node, ast.BinOp):
        joins = isinstance(node.op, ast.Add | ast.Mult)
        return not joins or all(_is_flat(item, module, levels, seen) for item in (node.left, node.right))
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return levels > 0 and all(_is_flat(item, module, levels - 1, seen) for item in node.elts)
    if isinstance(node, ast.Subscript):
        return _is_flat(node.value, module, levels + (not isinstance(node.slice, ast.Slice | ast.Tuple)), seen)
    if isinstance(node, ast.Call):
        name = callee(node.func, module) or ""
        given = [*node.args, *(word.value for word in node.keywords)]
        passed = name in _PASSING and all(_is_flat(item, module, levels, seen) for item in given)
        return name in _NUMBERS or passed or (levels > 0 and _is_array(node, module))
    if not isinstance(node, ast.Name | ast.Attribute) or levels > _DEEPEST:
        return False
    key = f"{_key(node, module)} {levels}"
    bound = known_of(node, module)[1]
    return key in seen or (bool(bound) and all(_is_flat(value, module, levels, seen | {key}) for value in bound))


def _is_array(call: ast.Call, module: Module) -> bool:
    """Whether a call gives a tensor or an array: it is one of TensorFlow's or NumPy's, or of a method of an array."""
    name = callee(call.func, module) or ""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    own = any(getattr(function, "name", None) == method for function in module.functions)
    return _is_of_graph(call, module) or arrays.gives_one(name) or (arrays.is_method_of_arrays(method) and not own)


def _key(node: ast.Name | ast.Attribute, module: Module) -> str:
    word = node.id if isinstance(node, ast.Name) else f".{node.attr}"
    return f"{word} {id(home_of(node, module))}"


def _is_of_graph(node: ast.Call, module: Module) -> bool:
    return (callee(node.func, module) or "").partition(".")[0] in ("tensorflow", "tf")
