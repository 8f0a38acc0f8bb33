"""Which names and attributes of a program hold its frozen graph, a session of it, or one of its tensors."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.stages.frozen.values import Graph, Import, Operation, Session, Tensor, Value, is_same
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

IMPORTS = frozenset({"tf.import_graph_def", "tf.graph_util.import_graph_def"})
_MAKERS = frozenset({"tf.Session", "tf.InteractiveSession"})
_LEFT = "keep what loads the frozen graph apart from the rest"
_NAME = re.compile(r"[\w./>:-]+")
_GIVEN = frozenset({"graph_def", "name", "return_elements", "input_map"})


class Reader:
    """Finds what the names of a module hold; `values` are kept by the key of a name or of an attribute."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names
        self.values: dict[Hashable, Value] = {}
        self.functions = {node.name: node for node in module.tree.body if isinstance(node, ast.FunctionDef)}
        self.imported = self._import()
        makers = [call for call in module.calls if names.resolve(call.func) == "tf.Graph"]
        if len(makers) > 1 or any(call.args or call.keywords for call in makers):
            raise Refused(makers[-1], "there are several graphs beside the frozen one", _LEFT)
        self.maker = makers[0] if makers else None
        self._read()
        self._require_single()

    def value(self, node: ast.AST | None) -> Value | None:
        """What an expression holds of the frozen graph; None for anything else."""
        if isinstance(node, ast.Name):
            return self.values.get(self.key(node))
        if isinstance(node, ast.Attribute):
            if (key := self.key(node)) in self.values:
                return self.values[key]
            return Graph(named=False) if node.attr == "graph" and self._is(node.value, Session) else None
        if isinstance(node, ast.Subscript):
            return self._output(node)
        if not isinstance(node, ast.Call):
            return None
        symbol = self.names.resolve(node.func)
        if symbol in ("tf.Graph", "tf.get_default_graph"):
            return Graph(named=symbol == "tf.Graph")
        if symbol in _MAKERS:
            return Session((node,))
        return self._of_call(node)

    def key(self, node: ast.AST) -> Hashable:
        """What a name, or an attribute of the object of a method, is kept by; None for other expressions."""
        if isinstance(node, ast.Name):
            scope = self.module.binding_scope(node)
            return None if scope is None else (id(scope), node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            owner = next((place for place in self.module.around(node) if isinstance(place, ast.ClassDef)), None)
            return None if owner is None else (owner, node.attr)
        return None

    def called(self, call: ast.Call) -> ast.FunctionDef | None:
        """The function of the module, or the method of the object, that a call means."""
        if isinstance(call.func, ast.Name):
            scope = self.module.binding_scope(call.func)
            alone = scope is self.module.root and len(scope.bindings[call.func.id]) == 1
            return self.functions.get(call.func.id) if alone else None
        key = self.key(call.func)
        if isinstance(key, tuple) and isinstance(key[0], ast.ClassDef):
            found = [node for node in key[0].body if isinstance(node, ast.FunctionDef) and node.name == key[1]]
            return found[0] if len(found) == 1 else None
        return None

    def gives_graph(self, function: ast.FunctionDef) -> bool:
        """Whether a function returns the graph, or takes it."""
        arguments = (*function.args.args, *function.args.kwonlyargs)
        scope = next(scope for scope in self.module.every_scope if scope.node is function)
        taken = any((id(scope), item.arg) in self.values for item in arguments)
        return taken or self._returned(function) is not None

    def pairs(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        """What each target of an assignment is given, as far as that is one expression."""
        for node in self.module.assignments:
            if isinstance(node, ast.With | ast.AsyncWith):
                yield from ((item.optional_vars, item.context_expr) for item in node.items if item.optional_vars)
            elif node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    yield from _unpacked(target, node.value)

    def _is(self, node: ast.expr, kind: type[Value]) -> bool:
        return isinstance(self.value(node), kind)

    def _output(self, node: ast.Subscript) -> Tensor | None:
        """`operation.outputs[0]`."""
        outputs, index = node.value, node.slice
        if not isinstance(outputs, ast.Attribute) or outputs.attr != "outputs":
            return None
        operation = self.value(outputs.value)
        if isinstance(operation, Operation) and isinstance(index, ast.Constant) and isinstance(index.value, int):
            return Tensor(operation.name, index.value, operation.inside)
        return None

    def _of_call(self, node: ast.Call) -> Value | None:
        function = self.called(node)
        if function is not None:
            return self._returned(function)
        if not isinstance(node.func, ast.Attribute) or not self._is(node.func.value, Graph):
            return None
        graph = self.value(node.func.value)
        if node.func.attr == "as_default" and not (node.args or node.keywords):
            return graph
        if node.func.attr not in ("get_tensor_by_name", "get_operation_by_name"):
            return None
        name = argument(node, "name", 0)
        written = name.value if isinstance(name, ast.Constant) else ""
        if name is None or not isinstance(written, str) or (written and not _NAME.fullmatch(written)):
            return None
        return Tensor(name) if node.func.attr == "get_tensor_by_name" else Operation(name)

    def _returned(self, function: ast.FunctionDef) -> Value | None:
        """The graph that a function makes and returns."""
        returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
        if len(returns) != 1 or self.module.function_of(returns[0]) is not function:
            return None
        value = self.value(returns[0].value)
        return value if isinstance(value, Graph) and value.named else None

    def _import(self) -> Import:
        calls = [call for call in self.module.calls if self.names.resolve(call.func) in IMPORTS]
        if len(calls) != 1:
            raise Refused(calls[-1], "graphs are imported in several places", _LEFT)
        call = calls[0]
        given = {"graph_def": argument(call, "graph_def", 0), **{word.arg: word.value for word in call.keywords}}
        words = [word.arg for word in call.keywords]
        mapped = given.get("input_map")
        odd = len(call.args) > 1 or not _GIVEN.issuperset(words) or (mapped is not None and not _is_none(mapped))
        graph_def, name = given["graph_def"], given.get("name", ast.Constant(None))
        if odd or graph_def is None or not isinstance(graph_def, ast.Name | ast.Attribute):
            raise Refused(
                call, "the import gives the graph inputs, or more", "import it by `graph_def` and `name` only"
            )
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str | None):
            raise Refused(call, "the name of the import is not written out", "write it out")
        statement = self.module.statement_of(call)
        if not isinstance(statement, ast.Expr | ast.Assign) or statement.value is not call:
            raise Refused(call, "what the import gives is used at once", "import the graph in a statement of its own")
        return Import(call, statement, graph_def, name.value)

    def _read(self) -> None:
        """Goes over what is assigned, passed and returned until nothing new is found."""
        known = -1
        while known < len(self.values):
            known = len(self.values)
            for target, found in self._assigned():
                self._keep(target, found)
            for parameter, found in self._passed():
                self._keep(parameter, found)

    def _assigned(self) -> Iterator[tuple[ast.expr, Value]]:
        yield from self._elements()
        for target, value in self.pairs():
            if (found := self.value(value)) is not None:
                yield target, found

    def _keep(self, target: ast.expr | ast.arg, found: Value) -> None:
        key = (id(self._scope_of(target)), target.arg) if isinstance(target, ast.arg) else self.key(target)
        if key is None:
            raise Refused(target, "a part of the frozen graph is kept in something else than a name", "name it")
        before = self.values.setdefault(key, found)
        if not is_same(before, found):
            raise Refused(target, f"`{_called(target)}` holds different parts of the frozen graph", "name each of them")
        if isinstance(before, Session) and isinstance(found, Session):
            self.values[key] = Session(tuple(dict.fromkeys(before.made + found.made)))

    def _scope_of(self, parameter: ast.arg) -> object:
        function = next(node for node in self.module.around(parameter) if isinstance(node, ast.FunctionDef))
        return next(scope for scope in self.module.every_scope if scope.node is function)

    def _elements(self) -> Iterator[tuple[ast.expr, Value]]:
        """The names that are given what `return_elements` asks for."""
        listed = argument(self.imported.call, "return_elements", 2)
        statement = self.imported.statement
        if not isinstance(statement, ast.Assign):
            return
        if listed is None or _is_none(listed):
            self._require_unread(statement)
            return
        targets = statement.targets[0]
        named = isinstance(targets, ast.Tuple | ast.List) and isinstance(listed, ast.Tuple | ast.List)
        if not named or len(targets.elts) != len(listed.elts) or len(statement.targets) > 1:  # type: ignore[attr-defined]
            raise Refused(statement, "what the import gives is not unpacked into names", "give each tensor a name")
        for target, name in zip(targets.elts, listed.elts, strict=True):  # type: ignore[attr-defined]
            if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
                raise Refused(name, "the name of a tensor is not written out", "write it out")
            yield target, Tensor(name, inside=True) if ":" in name.value else Operation(name, inside=True)

    def _require_unread(self, statement: ast.Assign) -> None:
        """Refuses what reads the None that an import gives where no elements are asked for."""
        for target in statement.targets:
            if not isinstance(target, ast.Name) or self.module.loads.get(target.id):
                raise Refused(target, "what the import gives is used, and that is nothing", "leave it out")

    def _passed(self) -> Iterator[tuple[ast.arg, Value]]:
        """The parameters that functions of the module are given the graph for."""
        for call in self.module.calls:
            function = self.called(call) if isinstance(call.func, ast.Name) else None
            if function is None:
                continue
            parameters = {item.arg: item for item in (*function.args.args, *function.args.kwonlyargs)}
            given = [*zip(function.args.args, call.args, strict=False)]
            given += [(parameters[word.arg], word.value) for word in call.keywords if word.arg in parameters]
            for parameter, value in given:
                if isinstance(found := self.value(value), Graph):
                    yield parameter, found

    def _require_single(self) -> None:
        """Refuses names that hold something else as well."""
        counted: dict[Hashable, int] = {}
        for target, _ in self._assigned():
            counted[self.key(target)] = counted.get(self.key(target), 0) + 1
        for scope in self.module.every_scope:
            for name, bound in scope.bindings.items():
                value = self.values.get((id(scope), name))
                if value is not None and len(bound) != (counted.get((id(scope), name)) or 1):
                    raise Refused(
                        self._place(name), f"`{name}` holds something else than the graph's as well", "name it"
                    )
        for key in [key for key in self.values if isinstance(key, tuple) and isinstance(key[0], ast.ClassDef)]:
            nodes = self.module.attributes[key[1]]
            stored = [node for node in nodes if not isinstance(node.ctx, ast.Load)]
            other = next((node for node in nodes if self.key(node) != key), None)
            if other is not None or len(stored) != counted.get(key):
                place = other or stored[0]
                raise Refused(place, f"`{ast.unparse(place)}` may hold something else as well", "name it otherwise")

    def _place(self, name: str) -> ast.AST:
        return next(iter(self.module.loads.get(name, ())), self.module.tree)


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    both = isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List)
    if both and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
        for inner, part in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
            yield from _unpacked(inner, part)
    else:
        yield target, value


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _called(target: ast.expr | ast.arg) -> str:
    return target.arg if isinstance(target, ast.arg) else ast.unparse(target)
