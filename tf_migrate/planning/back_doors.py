"""Code that may bind any name of a script behind its back: through modules by name, what frames hold, or a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.names.summary import OF_SCRIPTS
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_HOLDING = ("__globals__", "_getframe", "f_globals")
_SCRIPT = "__main__"
_BUILT_IN = ("__builtin__", "__builtins__", "builtins")
_RUNNING = ("eval", "exec", "globals", "locals", "vars")
_BINDING = re.compile(r"\b(?:exec|globals|locals|setattr|vars|__\w+__)\b|:=")
"""What a text has to say so that it binds a name when it is evaluated."""
_LOOKING = ("copy", "items", "keys", "values")
_STEP = "give it functions to call, and bind names where they are read"


def require_no_back_door(names: Names) -> None:
    """Refuses a module whose names may be bound where nothing shows it, by itself or by another module of the tree."""
    place = next(_doors(names.module), None)
    if place is not None:
        raise Refused(place, "names of the module may be bound through `sys.modules`, `__main__` or a frame", _STEP)
    if OF_SCRIPTS in names.index.changed:
        raise Refused(names.module.tree, "another module may bind names of a script through `__main__`", _STEP)


def _doors(module: Module) -> Iterator[ast.AST]:
    for word in _HOLDING:
        yield from module.attributes.get(word, ())
    yield from (node for node in module.attributes.get("modules", ()) if _may_give_script(node, module))
    for word in _RUNNING:
        yield from (node for node in module.attributes.get(word, ()) if _name(node.value) in _BUILT_IN)
    for call in module.calls:
        texts = [item.value for item in call.args if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        if _SCRIPT in texts or (_name(call.func) == "getattr" and "modules" in texts) or _imports_itself(call):
            yield call
    if "eval" in module.loads and "eval" not in module.root.bindings and _BINDING.search(_texts(module)):
        yield module.loads["eval"][0]
    yield from (node for node, _ in module.imports if _imports_script(node))


def _name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def _may_give_script(node: ast.Attribute, module: Module) -> bool:
    """Whether `sys.modules` is used for more than for a look at what there is."""
    around = module.parents[node]
    if isinstance(around, ast.Attribute):
        return _name(node.value) == "sys" and around.attr not in _LOOKING
    if _name(node.value) != "sys" or isinstance(around, ast.Subscript):
        return isinstance(around, ast.Subscript)
    looked = isinstance(around, ast.Call) and _name(around.func) in ("len", "list", "print", "set", "sorted")
    return not (looked or isinstance(around, ast.Compare))


def _imports_itself(call: ast.Call) -> bool:
    """Whether a call imports, or asks for, the module that it stands in."""
    word = call.func.attr if isinstance(call.func, ast.Attribute) else _name(call.func)
    return word in ("__import__", "import_module", "reload") and any(_name(item) == "__name__" for item in call.args)


def _texts(module: Module) -> str:
    """All that stands in texts of a module."""
    texts = (node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant))
    return "\n".join(text for text in texts if isinstance(text, str))


def _imports_script(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        running = node.module in _BUILT_IN and any(alias.name in _RUNNING for alias in node.names)
        return running or node.module == _SCRIPT
    return isinstance(node, ast.Import) and any(alias.name == _SCRIPT for alias in node.names)
