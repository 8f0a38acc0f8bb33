"""Lists, tuples and dictionaries of graph elements: their parts, and what loops over them bind."""

from __future__ import annotations

import ast
from dataclasses import replace

from tf_migrate.stages.values import (
    LAYER,
    PYTHON,
    TENSORS,
    Refused,
    Stage,
    Value,
    combine,
    container,
    flatten,
    join,
    many,
    one_of,
)
from tf_migrate.syntax.module import Module

_NAMING = ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.List | ast.Dict | ast.Starred | ast.IfExp
_CHANGING = {"append": 1, "extend": 1, "reverse": 0}
_SERVING = frozenset({Stage.SESSION, Stage.INITIALIZER, Stage.FEED})


def part_of(node: ast.Subscript, base: Value) -> Value:
    """A part of a container whose parts are known."""
    assert base.parts is not None
    if base.several:
        return base if isinstance(node.slice, ast.Slice) else base.parts[0]
    key = constant_of(node.slice)
    if base.keys is not None and key in base.keys:
        return base.parts[len(base.keys) - 1 - base.keys[::-1].index(key)]
    if base.keys is None and isinstance(key, int) and -len(base.parts) <= key < len(base.parts):
        return base.parts[key]
    if base.keys is None and isinstance(node.slice, ast.Slice):
        return base
    stages = {part.stage for part in base.parts}
    if stages in ({Stage.VARIABLE}, {Stage.TENSOR}, {Stage.CONSTANT}):
        return Value(base.stage, variables=base.variables, random=base.random)
    raise Refused(
        node, "a container of graph elements is indexed by a value known only later", "index it by a constant"
    )


def zipped(node: ast.Call, values: list[Value]) -> Value:
    """What `zip` makes of containers; of one whose length is not known, as many parts as the others have."""
    turned = _transposed(values[0]) if len(values) == 1 and isinstance(node.args[0], ast.Starred) else None
    if turned is not None:
        return turned
    known = [value.parts for value in values if value.parts is not None and not value.several]
    length = min(map(len, known), default=1)
    columns = [
        value.parts
        if value.parts is not None and not value.several
        else (value.parts[0] if value.parts is not None else _element(value),) * length
        for value in values
    ]
    rows = tuple(container(parts) for parts in zip(*columns, strict=False))
    return container(rows) if known or not rows else many(rows[0])


def _element(value: Value) -> Value:
    """Each of the values that an expression gives as one."""
    return replace(one_of(value), variables=value.variables, listed=value.listed)


def _transposed(value: Value) -> Value | None:
    """What `zip(*rows)` makes of a list of rows: a list of columns; None where the rows are not known to be alike."""
    rows = value.parts or ()
    if not rows or any(row.parts is None or row.keys is not None for row in rows):
        return None
    if all(row.several for row in rows):
        return value if value.several else many(container(tuple(row.parts[0] for row in rows if row.parts)))
    if any(row.several for row in rows):
        return None
    columns = tuple(zip(*(row.parts for row in rows if row.parts), strict=False))
    return container(tuple(many(column[0]) if value.several else container(column) for column in columns))


def appended(held: Value, element: Value) -> Value | None:
    """What a list is that takes one more row of values, or one more cell; None for one that holds something else."""
    if element == LAYER and (held.items == () or held == LAYER):
        return LAYER
    if element.parts is None or element.keys is not None:
        return None
    if held.items == ():
        return many(element)
    alike = held.several and held.parts is not None and len(held.parts[0].parts or ()) == len(element.parts)
    return many(join(held.parts[0], element)) if alike and held.parts is not None else None


def is_listing(value: Value) -> bool:
    """Whether a value is a list or a tuple, of however many parts."""
    return value.keys is None and (value.parts is not None or value.several)


def arranged(name: str | None, value: Value) -> Value | None:
    """What Python's function of this name makes of a container, a tensor or a static shape; None for any other."""
    if value.parts is None:
        if name == "abs" and value.stage in TENSORS and not value.several:
            return combine([value])
        return many(container((PYTHON, value))) if name == "enumerate" and value.stage is Stage.STATIC else None
    if name in ("list", "tuple") or (name in ("reversed", "sorted") and value.several):
        return value
    if name in ("reversed", "sorted"):
        return container(value.parts[::-1])
    if name == "enumerate" and value.keys is None:
        rows = container(tuple(container((PYTHON, part)) for part in value.parts))
        return replace(rows, several=value.several)
    return None


def unpacked(target: ast.expr, value: Value) -> dict[str, Value] | None:
    """The names that a loop's target binds to the parts of a value."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    if isinstance(target, ast.Tuple) and value.parts is not None and len(target.elts) == len(value.parts):
        names: dict[str, Value] = {}
        for item, part in zip(target.elts, value.parts, strict=True):
            found = unpacked(item, part)
            if found is None:
                return None
            names.update(found)
        return names
    return None


def constant_of(node: ast.expr) -> object:
    """The value of a constant, negative numbers included; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return -value if isinstance(value, int) else None
    return None


def is_text(node: ast.expr) -> bool:
    """Whether an expression is a piece of text that stands in the code."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def is_formatting(node: ast.Call) -> bool:
    """Whether a call fills in a piece of text that stands in the code."""
    return isinstance(node.func, ast.Attribute) and node.func.attr == "format" and is_text(node.func.value)


def list_changed(node: ast.expr) -> str | None:
    """The name of the list that an expression puts something into, or turns round."""
    method = node.func if isinstance(node, ast.Call) and not node.keywords else None
    if (
        not isinstance(method, ast.Attribute)
        or not isinstance(method.value, ast.Name)
        or not isinstance(node, ast.Call)
    ):
        return None
    return method.value.id if _CHANGING.get(method.attr) == len(node.args) else None


def adds_one(call: ast.Call) -> bool:
    """Whether a call of a list's method puts one more element at its end."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "append"


def concatenated(parts: tuple[Value, ...], *, counted: bool) -> Value:
    """A list of lists one behind the other; where one is of any length, each element may be any of theirs."""
    if counted or any(part.stage not in TENSORS or part.parts is not None for part in parts):
        return container(parts)
    variables = tuple(dict.fromkeys(variable for part in parts for variable in part.variables))
    return many(replace(combine(parts), variables=variables))


def is_fresh(node: ast.expr) -> bool:
    """Whether an expression makes a list or dictionary."""
    plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("dict", "list")
    return plain or isinstance(node, ast.List | ast.Dict | ast.ListComp | ast.DictComp)


def is_named_again(module: Module, node: ast.Name) -> bool:
    """Whether a use of a list or dictionary may give it another name, or make it a part of something."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.Tuple):
        return not isinstance(module.parents.get(parent), ast.Return)
    return isinstance(parent, _NAMING)


def only_serves(node: ast.stmt, value: Value) -> bool:
    """Whether what a statement makes serves the session only, which goes; refuses one that makes something else too."""
    if value.stage not in _SERVING:
        return False
    if any(part.stage not in _SERVING for part in flatten([value])):
        what = "a session, an initializer or a feed is bound beside other values"
        raise Refused(node, what, "bind each in a statement of its own")
    return True
