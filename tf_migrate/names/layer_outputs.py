"""Where a module gives TensorFlow's own operations what Keras layers made, which Keras 3 refuses.

Told by one module's syntax tree. A layer's output is followed through names, attributes of `self`, operators and
arguments of the module's own functions. Who is passed on to Keras (a loss, a `Lambda`'s function, a layer's `call`)
gets tensors there, and is no such place, unless it closes over a layer's output.

>>> import ast
>>> text = '''
... import tensorflow as tf
... import ops
... x = tf.keras.Input((3,))
... m = tf.reduce_mean(tf.keras.layers.Dense(2)(x), 1)
... '''
>>> takers_of_layer_outputs(ast.parse(text))
'operations'
>>> takers_of_layer_outputs(ast.parse(text.replace("tf.reduce_mean", "ops.pooled")))
'modules'
>>> takers_of_layer_outputs(ast.parse(text.replace("tf.reduce_mean", "tf.keras.layers.dot")))
''
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Scope: TypeAlias = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# Functions of the backend that ask a layer's output what it is like.
_QUESTIONS = frozenset({"int_shape", "ndim", "dtype", "is_keras_tensor"})
_GROWTH = frozenset({"append", "extend", "insert"})
_STAR = "*"
# What Python gives of it is no tensor.
_PLAIN = frozenset({"len", "print", "str", "repr", "type", "isinstance", "hasattr", "id", "getattr", "setattr"})


def takers_of_layer_outputs(tree: ast.Module) -> Literal["", "modules", "operations"]:
    """What takes layers' outputs: operations of TensorFlow or Keras's backend, functions of other modules, or none."""
    outputs = _Outputs(tree)
    outputs.follow()
    if any(map(outputs.is_given, outputs.calls)):
        return "operations"
    return "modules" if any(map(outputs.is_handed, outputs.calls)) else ""


class _Outputs:
    """The names of a module that stand for what layers made."""

    def __init__(self, tree: ast.Module) -> None:
        self.around: dict[ast.AST, _Scope] = {}
        self.functions: dict[str, list[_Function]] = {}
        self.calls: list[ast.Call] = []
        self.tensorflow, self.keras, self.backend, self.others = _imported(tree)
        self.symbolic: dict[_Scope, set[str]] = {}
        self.models: set[str] = set()
        self.attributes: set[str] = set()
        self.returning: set[str] = set()
        self._enter(tree, tree)

    def _enter(self, node: ast.AST, scope: _Scope) -> None:
        for child in ast.iter_child_nodes(node):
            self.around[child] = scope
            if isinstance(child, ast.Call):
                self.calls.append(child)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions.setdefault(child.name, []).append(child)
            self._enter(child, child if isinstance(child, _SCOPES) else scope)

    def follow(self) -> None:
        """Finds the names, until no more are found."""
        while self._spread():
            pass

    def _spread(self) -> bool:
        before = self._count()
        for node, scope in self.around.items():
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                self._assign(targets, node.value, scope)
            elif isinstance(node, ast.For | ast.comprehension) and self.is_output(node.iter):
                self._bind([node.target], scope)
            elif isinstance(node, ast.Return) and isinstance(scope, ast.FunctionDef) and self._gives(node):
                self.returning.add(scope.name)
        for call in self.calls:
            self._pass_on(call)
            if (
                isinstance(call.func, ast.Attribute)
                and call.func.attr in _GROWTH
                and any(map(self.is_output, call.args))
            ):
                self._bind([call.func.value], self.around[call])
        return self._count() > before

    def _gives(self, node: ast.Return) -> bool:
        return node.value is not None and self.is_output(node.value)

    def _count(self) -> int:
        of_scopes = sum(map(len, self.symbolic.values()))
        return of_scopes + len(self.attributes) + len(self.returning) + len(self.models)

    def _assign(self, targets: Iterable[ast.expr], value: ast.expr, scope: _Scope) -> None:
        if self.is_output(value):
            self._bind(targets, scope)
        elif isinstance(value, ast.Call) and self._is_keras(value.func):
            self.models.update(target.id for target in targets if isinstance(target, ast.Name))

    def _bind(self, targets: Iterable[ast.expr], scope: _Scope) -> None:
        for target in targets:
            if isinstance(target, ast.Name):
                self.symbolic.setdefault(scope, set()).add(target.id)
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                self.attributes.add(target.attr)
            elif isinstance(target, ast.Subscript | ast.Starred):
                self._bind([target.value], scope)
            elif isinstance(target, ast.Tuple | ast.List):
                self._bind(target.elts, scope)

    def _pass_on(self, call: ast.Call) -> None:
        """Gives the parameters of the module's own functions what a call gives them."""
        name = _last(call.func)
        for function in self.functions.get(name, ()):
            names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
            skipped = 1 if names[:1] == ["self"] and isinstance(call.func, ast.Attribute) else 0
            given = dict(zip(names[skipped:], call.args, strict=False))
            given.update({word.arg: word.value for word in call.keywords if word.arg})
            found = {each for each, value in given.items() if self.is_output(value)}
            if found:
                self.symbolic.setdefault(function, set()).update(found)

    def is_output(self, node: ast.expr) -> bool:
        """Whether an expression gives what a layer made, or a nest of it."""
        if isinstance(node, ast.Name):
            return self._is_symbolic(node)
        if isinstance(node, ast.Call):
            return self._is_made(node)
        if isinstance(node, ast.Attribute):
            if node.attr in ("output", "input"):
                return self._is_layer(node.value)
            return isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self.attributes
        if isinstance(node, ast.Lambda | ast.Constant | ast.Compare | ast.JoinedStr):
            return False
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self.is_output(node.elt)
        if isinstance(node, ast.Subscript):
            return self.is_output(node.value)
        return any(self.is_output(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))

    def _is_symbolic(self, node: ast.Name) -> bool:
        scope: _Scope | None = self.around.get(node)
        while scope is not None:
            if node.id in self.symbolic.get(scope, ()):
                return True
            if isinstance(scope, _FUNCTIONS) and node.id in _parameters(scope):
                return False
            scope = self.around.get(scope)
        return False

    def _is_made(self, call: ast.Call) -> bool:
        of_keras = self._is_keras(call.func)
        if isinstance(call.func, ast.Call):
            return self._is_keras(call.func.func) or any(map(self.is_output, _arguments(call)))
        name = _last(call.func)
        if (of_keras and name == "Input") or name in self.returning:
            return True
        is_class = name[:1].isupper()
        return not is_class and name not in _PLAIN and any(map(self.is_output, _arguments(call)))

    def _is_layer(self, node: ast.expr) -> bool:
        """Whether an expression names a model or a layer."""
        if isinstance(node, ast.Name):
            return node.id in self.models
        if isinstance(node, ast.Call):
            return _last(node.func) == "get_layer"
        return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "layers"

    def _is_keras(self, func: ast.expr) -> bool:
        """Whether a function is Keras's, by how it is imported; what a star brought may be."""
        path = _path(func)
        if not path:
            return False
        if len(path) == 1 and _STAR in self.keras and path[0][:1].isupper():
            return path[0] not in self.functions
        return path[0] in self.keras or (path[0] in self.tensorflow and "keras" in path)

    def is_given(self, call: ast.Call) -> bool:
        """Whether a call is of an operation that gets what a layer made, or of a `Lambda` that closes over it."""
        path = _path(call.func)
        if not path or isinstance(call.func, ast.Call):
            return False
        if path[-1] == "Lambda" and call.args and self._is_keras(call.func):
            return any(map(self._closes_over, self._functions_of(call.args[0])))
        is_backend = path[0] in self.backend or ("backend" in path and "keras" in path)
        is_operation = path[0] in self.tensorflow and "keras" not in path and path[-1] != "print"
        if not (is_operation or (is_backend and path[-1] not in _QUESTIONS)):
            return False
        return any(map(self.is_output, _arguments(call)))

    def is_handed(self, call: ast.Call) -> bool:
        """Whether a call is of another module's function, and gives it what a layer made."""
        path = _path(call.func)
        if not path or path[-1][:1].isupper() or not any(map(self.is_output, _arguments(call))):
            return False
        by_star = len(path) == 1 and _STAR in self.others and path[0] not in self.functions
        return path[0] in self.others or (by_star and not hasattr(builtins, path[0]))

    def _functions_of(self, node: ast.expr) -> list[_Function]:
        if isinstance(node, ast.Lambda):
            return [node]
        return self.functions.get(node.id, []) if isinstance(node, ast.Name) else []

    def _closes_over(self, function: _Function) -> bool:
        inside = self.symbolic.get(function, set()) | _parameters(function)
        body = function.body if isinstance(function.body, list) else [function.body]
        names = (node for each in body for node in ast.walk(each) if isinstance(node, ast.Name))
        return any(name.id not in inside and self._is_symbolic(name) for name in names)


def _imported(tree: ast.Module) -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    """The names that imports bind: of TensorFlow, of Keras, of Keras's backend, of anything else but NumPy."""
    tensorflow, keras, backend, others = set(), set(), set(), set()
    for path, bound in _imports(tree):
        if "backend" in path and "keras" in path:
            backend.add(bound)
        elif "keras" in path:
            keras.add(bound)
        elif path[0] == "tensorflow":
            tensorflow.add(bound)
        elif path[0] != "numpy":
            others.add(bound)
    return frozenset(tensorflow), frozenset(keras), frozenset(backend), frozenset(others)


def _imports(tree: ast.Module) -> Iterator[tuple[list[str], str]]:
    """The path of what an import brings, empty at its front where it is relative, and the name that it binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = alias.name.split(".")
                yield (path if alias.asname else path[:1]), alias.asname or path[0]
        elif isinstance(node, ast.ImportFrom):
            module = [""] if node.level else str(node.module).split(".")
            for alias in node.names:
                yield [*module, alias.name], alias.asname or alias.name


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(word.value for word in call.keywords)]


def _parameters(function: _Function) -> set[str]:
    arguments = function.args
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {each.arg for each in found if each is not None}


def _path(func: ast.expr) -> list[str]:
    path: list[str] = []
    while isinstance(func, ast.Attribute):
        path.append(func.attr)
        func = func.value
    return [func.id, *reversed(path)] if isinstance(func, ast.Name) else []


def _last(func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""
