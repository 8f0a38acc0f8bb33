"""Scopes and devices whose meaning stands in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.stages.values import PYTHON, SCOPE, Refused, Stage, Value, flatten
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_NAMES = ast.Constant | ast.Name | ast.Attribute
_PLAIN = re.compile(r"[A-Za-z0-9][\w.-]*")
_NUMBERED = re.compile(r"/?(?:device:)?[cg]pu:", re.IGNORECASE)
_DEVICE = re.compile(r"/?(?:device:)?[cg]pu(?::\d+)?", re.IGNORECASE)


def is_plain_scope(item: ast.withitem, module: Module) -> bool:
    """Whether a scope has just a name, written out or bound before, and nothing reads the scope itself."""
    call = item.context_expr
    assert isinstance(call, ast.Call)
    named = len(call.args) == 1 and not call.keywords and isinstance(call.args[0], _NAMES)
    variable = item.optional_vars
    unread = variable is None or (isinstance(variable, ast.Name) and not module.loads.get(variable.id))
    return named and unread


def is_written_out(scope: ast.With) -> bool:
    """Whether the name of a scope stands in the code."""
    call = scope.items[0].context_expr
    return isinstance(call, ast.Call) and bool(call.args) and isinstance(call.args[0], ast.Constant)


def has_plain_name(scope: ast.With) -> bool:
    """Whether a scope has a name that stands in the code, and is neither the root's nor one that is absolute."""
    call = scope.items[0].context_expr
    name = call.args[0] if isinstance(call, ast.Call) and call.args else None
    return isinstance(name, ast.Constant) and isinstance(name.value, str) and _PLAIN.fullmatch(name.value) is not None


def names_variables(names: Names, scope: ast.With) -> bool:
    """Whether the variables of layers and of `tf.get_variable` take a part of their names from a scope."""
    call = scope.items[0].context_expr
    return isinstance(call, ast.Call) and names.resolve(call.func) == "tf.variable_scope"


def enters(evaluator: Evaluator, item: ast.withitem, frame: dict[str, Value]) -> bool:
    """Whether a block of a function, whose names are in the frame, enters a scope or is on a device."""
    call, name = item.context_expr, item.optional_vars
    if not isinstance(call, ast.Call) or not isinstance(name, ast.Name | None) or not _opens(evaluator, call, frame):
        return False
    if name is not None:
        frame[name.id] = SCOPE if evaluator.names.resolve(call.func) == "tf.variable_scope" else PYTHON
    return True


def _opens(evaluator: Evaluator, call: ast.Call, frame: Mapping[str, Value]) -> bool:
    symbol = evaluator.names.resolve(call.func)
    if symbol == "tf.variable_scope":
        given = evaluator.arguments(call)
        if any(value.is_graph for value in given):
            raise Refused(call, "the scope depends on the graph", "give it a Python value")
        known = bool(given) and given[0].is_none is False
        evaluator.creates.add("named" if known else "layer")
    if symbol == "tf.device":
        return is_plain_device(evaluator, call) or _is_device(call, frame)
    return symbol in ("tf.name_scope", "tf.variable_scope")


def counts_apart(evaluator: Evaluator, call: ast.expr) -> bool:
    """Whether an expression opens a variable scope of a name, of which is known whether its variables are there."""
    if not isinstance(call, ast.Call) or evaluator.names.resolve(call.func) != "tf.variable_scope":
        return False
    words = {keyword.arg: keyword.value for keyword in call.keywords}
    name = call.args[0] if call.args else words.get("name_or_scope")
    if name is not None and evaluator.value(name).symbol == SCOPE.symbol:
        return False
    reuse = evaluator.value(words["reuse"]) if "reuse" in words else None
    known = reuse is None or (reuse.truth is not None and reuse.symbol is None)
    return name is not None and evaluator.value(name).is_none is False and known and len(call.args) == 1


def _is_device(call: ast.Call, frame: Mapping[str, Value]) -> bool:
    """Whether another device is written out; one that compiles what is on it needs a function that is traced."""
    device = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else call
    if call.keywords or not isinstance(device, str | None):
        return False
    traced = any(value.stage in (Stage.PLACEHOLDER, Stage.TENSOR) for value in flatten(frame.values()))
    return traced or "XLA_" not in (device or "")


def is_plain_device(evaluator: Evaluator, call: ast.Call) -> bool:
    """Whether the device of `tf.device(…)` is a CPU or GPU by its name, of which only the number may be computed."""
    name = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if isinstance(name, ast.Constant | ast.Name):
        text = evaluator.value(name).text
        return text is not None and _DEVICE.fullmatch(text) is not None
    begins = None if name is None else beginning(name)
    if begins is None or _NUMBERED.fullmatch(begins) is None:
        return False
    evaluator.require_python(name)
    return True


def beginning(node: ast.expr) -> str | None:
    """The text that comes before the one value that an expression puts at the end of it."""
    match node:
        case ast.BinOp(op=ast.Add(), left=ast.Constant(value=str(text))):
            return text
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str(text)), right=right):
            plain = text.endswith(("%d", "%i", "%s")) and not isinstance(right, ast.Tuple | ast.Dict)
            return text[:-2] if plain else None
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"), args=[_], keywords=[]):
            return next((text.removesuffix(end) for end in ("{}", "{0}") if text.endswith(end)), None)
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), ast.FormattedValue(format_spec=None)]):
            return text
    return None


def opened_by(module: Module, names: Names, scope: ast.expr) -> ast.With | None:
    """The innermost block around an expression in its function, where it is the one that opens what this means.

    The expression is the name that the block gives to its scope, or asks for the one that is open.
    """
    blocks = (place for place in module.around(scope) if isinstance(place, ast.With | ast.FunctionDef | ast.Lambda))
    around = next(blocks, None)
    if not isinstance(around, ast.With):
        return None
    call, name = around.items[-1].context_expr, around.items[-1].optional_vars
    meant = isinstance(scope, ast.Call) or (isinstance(name, ast.Name) and ast.unparse(scope) == name.id)
    opens = isinstance(call, ast.Call) and names.resolve(call.func) == "tf.variable_scope"
    return around if meant and opens else None
