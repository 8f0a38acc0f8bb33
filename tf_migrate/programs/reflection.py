"""Attributes that are reached by a text, and the objects that these may be: none of a class of a program's modules.

Such an object comes from Python itself, from a parser of the command line, or is a list, a dictionary or a number; a
parameter is what the calls of its function give, where all of these are known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tf_migrate.names.canonical import Names
from tf_migrate.stages.bound import given_to
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.parameters import defaults
from tf_migrate.syntax.unbound import is_global

_REFLECTION = frozenset({"getattr", "setattr", "delattr", "vars"})
_BACK_DOORS = ("__import__", "eval", "exec", "globals", "locals")
_WRITTEN = (
    ast.Constant | ast.JoinedStr | ast.Dict | ast.List | ast.Tuple | ast.Set
    | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
)  # fmt: skip
_PARSING = frozenset({"parse_args", "parse_known_args"})
_MAKING = frozenset(
    {*("bool", "bytes", "dict", "float", "frozenset", "int", "len", "list", "open", "range", "set", "str", "tuple")}
    | {"argparse.ArgumentParser", "argparse.Namespace", "collections.OrderedDict", "collections.defaultdict"}
    | {"configparser.ConfigParser", "json.load", "json.loads", "types.SimpleNamespace"}
)
"""Functions of Python's that give an object of their own, or of none that has a class here."""
_STARTING = "tf.app.run"


def reaching(names: Names) -> Iterator[ast.Call]:
    """The calls that reach attributes by a text, of what may be an object of a class of the module."""
    module = names.module
    for call in module.calls:
        if not (isinstance(call.func, ast.Name) and call.func.id in _REFLECTION and call.args):
            continue
        changes = call.func.id != "getattr" and _is_of_import(call.args[0], module)
        if changes or not (_is_another_name(call, module) or _Origins(names).is_foreign(call.args[0])):
            yield call


def _is_another_name(call: ast.Call, module: Module) -> bool:
    """Whether an attribute is asked for, or set, by a text that is written out and names nothing of the module."""
    named = call.args[1] if len(call.args) > 1 else None
    word = named.value if isinstance(named, ast.Constant) else None
    if not isinstance(word, str) or (word.startswith("__") and word.endswith("__")):
        return False
    bound = (scope.bindings for scope in module.every_scope)
    return word not in module.attributes and not any(word in names for names in bound)


class _Origins:
    """Follows a value to what made it; `seen` are the names and functions that are being followed."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.module = names.module
        self.seen: set[object] = set()

    def is_foreign(self, node: ast.expr) -> bool:
        """Whether a value is no object of a class of the module."""
        if isinstance(node, _WRITTEN):
            return True
        if isinstance(node, ast.IfExp | ast.BoolOp):
            parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
            return all(map(self.is_foreign, parts))
        if isinstance(node, ast.Call):
            return self._makes_foreign(node)
        if isinstance(node, ast.Subscript):
            first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
            return first and isinstance(node.value, ast.Call) and self._parses(node.value)
        if isinstance(node, ast.Attribute):
            return _is_of_import(node, self.module) and not self._is_stored(node)
        return isinstance(node, ast.Name) and self._is_bound_to_foreign(node)

    def _is_stored(self, node: ast.Attribute) -> bool:
        stores = (other for other in self.module.attributes[node.attr] if not isinstance(other.ctx, ast.Load))
        return any(stores)

    def _is_bound_to_foreign(self, name: ast.Name) -> bool:
        scope = self.module.binding_scope(name)
        if scope is None or _is_imported(name, self.module):
            return True
        key = scope.node, name.id
        if key in self.seen:
            return True
        self.seen.add(key)
        inner = (node for node in ast.walk(scope.node) if isinstance(node, ast.Name) and node.id == name.id)
        stores = [
            node for node in inner if isinstance(node.ctx, ast.Store) and self.module.binding_scope(node) is scope
        ]
        function = scope.node if isinstance(scope.node, ast.FunctionDef) else None
        given = [] if function is None else [item for item in _parameters(function) if item.arg == name.id]
        if len(scope.bindings[name.id]) != len(stores) + len(given):
            return False
        taken = all(self._is_given_foreign(function, item) for item in given) if function is not None else True
        return taken and all(map(self._stores_foreign, stores))

    def _stores_foreign(self, node: ast.Name) -> bool:
        parent = self.module.parents[node]
        if isinstance(parent, ast.Assign | ast.NamedExpr | ast.AnnAssign):
            return all(map(self.is_foreign, given_to(node, self.module)))
        # `flags, rest = parser.parse_known_args()`
        statement = self.module.parents[parent] if isinstance(parent, ast.Tuple) else None
        value = statement.value if isinstance(statement, ast.Assign) else None
        return isinstance(value, ast.Call) and self._parses(value)

    def _is_given_foreign(self, function: ast.FunctionDef, parameter: ast.arg) -> bool:
        """Whether all calls of a function give it such a value for a parameter; none does where it is never named."""
        if parameter in (function.args.vararg, function.args.kwarg):
            return True
        if not self._is_plain(function) or any(self.module.loads.get(word) for word in _BACK_DOORS):
            return False
        loads = [load for load in self.module.loads.get(function.name, []) if is_global(self.module, load)]
        if not loads and function.name == "main":
            return False
        for load in loads:
            call = self.module.parents[load]
            call = self.module.parents[call] if isinstance(call, ast.keyword) else call
            if isinstance(call, ast.Call) and self.names.resolve(call.func) == _STARTING:
                continue
            if not (
                isinstance(call, ast.Call) and call.func is load and self._gives_foreign(call, function, parameter)
            ):
                return False
        return True

    def _gives_foreign(self, call: ast.Call, function: ast.FunctionDef, parameter: ast.arg) -> bool:
        if any(isinstance(item, ast.Starred) for item in call.args) or any(word.arg is None for word in call.keywords):
            return False
        listed = [item.arg for item in (*function.args.posonlyargs, *function.args.args)]
        given: Mapping[str, ast.expr] = {
            **dict(defaults(function.args)),
            **dict(zip(listed, call.args, strict=False)),
            **{str(word.arg): word.value for word in call.keywords},
        }
        return parameter.arg in given and self.is_foreign(given[parameter.arg])

    def _is_plain(self, function: ast.FunctionDef) -> bool:
        """Whether a function of the module's top is all that its name means."""
        top = self.module.parents[function] is self.module.tree and not function.decorator_list
        return top and len(self.module.root.bindings.get(function.name, [])) == 1

    def _makes_foreign(self, call: ast.Call) -> bool:
        if self._parses(call):
            return True
        if callee(call.func, self.module) in _MAKING:
            return True
        function = self._function(call.func)
        if function is None:
            return False
        if function in self.seen:
            return True
        self.seen.add(function)
        inner = [node for node in ast.walk(function) if self.module.function_of(node) is function]
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in inner):
            return True
        returned = (node.value for node in inner if isinstance(node, ast.Return) and node.value is not None)
        return all(map(self.is_foreign, returned))

    def _function(self, node: ast.expr) -> ast.FunctionDef | None:
        if not (isinstance(node, ast.Name) and is_global(self.module, node)):
            return None
        found = (item for item in self.module.tree.body if isinstance(item, ast.FunctionDef) and item.name == node.id)
        made = next(found, None)
        return made if made is not None and self._is_plain(made) else None

    def _parses(self, call: ast.Call) -> bool:
        """Whether a call gives what a parser read of the command line, and no object that it was given for that."""
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        own = any(getattr(function, "name", None) == method for function in self.module.functions)
        alone = len(call.args) < 2 and all(word.arg == "args" for word in call.keywords)
        return method in _PARSING and not own and alone


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    return [node for node in ast.walk(function.args) if isinstance(node, ast.arg)]


def _is_imported(name: ast.Name, module: Module) -> bool:
    scope = module.binding_scope(name)
    bound = [] if scope is None else scope.bindings[name.id]
    return bool(bound) and all(isinstance(item, tuple) for item in bound)


def _is_of_import(node: ast.expr, module: Module) -> bool:
    """Whether a value is a module, or another thing that is imported, or a part of one."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and _is_imported(root, module)
