"""Which statements of a module's top level add to the graph when they run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tf_migrate.module import Module
from tf_migrate.names import Names

# Calls that add nothing to a graph, or (app.run, test.main) open one themselves.
_NEUTRAL = (
    "tf.app",
    "tf.flags",
    "tf.gfile",
    "tf.logging",
    "tf.test.main",
    "tf.test.is_",
    "tf.ConfigProto",
    "tf.GPUOptions",
    "tf.OptimizerOptions",
    "tf.RegisterGradient",
    "tf.TensorShape",
    "tf.Dimension",
    "tf.as_dtype",
    "tf.DType",
    "tf.python_io",
    "tf.io.gfile",
    "tf.contrib.training.HParams",
    "tf.contrib.framework.add_arg_scope",
    "tf.contrib.slim.add_arg_scope",
    "tf.make_template",
    "tf.estimator",
    "tf.train.Features",
    "tf.train.Feature",
    "tf.train.Example",
    "tf.train.latest_checkpoint",
    "tf.disable_",
    "tf.enable_",
    "tf.resource_loader",
    "tf.sysconfig",
    "tf.load_op_library",
    "tf.errors",
)
_STARTERS = ("tf.app.run", "tf.test.main", "compat.app.run", "compat.test.main")
_PASSIVE = (ast.Import, ast.ImportFrom, ast.Global, ast.Pass)


class Building:
    """Answers for one module; a name counts when it, or what it calls in this module, reaches TensorFlow."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names

    def surely(self, statement: ast.stmt) -> bool:
        """Whether running the statement itself calls TensorFlow to build."""
        return any(self._is_building_call(call) for call in self._calls(statement))

    def possibly(self, statement: ast.stmt) -> bool:
        """Whether running the statement builds, or runs code of this module or of the tree that may build."""
        if isinstance(statement, _PASSIVE):
            return False
        return any(
            self._is_building_call(node) if isinstance(node, ast.Call) else self._leads_on(node)
            for node in _executed(statement, self.names)
            if isinstance(node, ast.Call | ast.Name)
        )

    @cached_property
    def functions(self) -> frozenset[str]:
        """Top-level functions and classes of the module that reach TensorFlow or another module of the tree."""
        definitions = {
            node.name: node
            for node in _top_level(self.module.tree.body)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        mentioned = {name: self._mentions(node) for name, node in definitions.items()}
        reaching = {name for name, (reaches, _) in mentioned.items() if reaches}
        while True:
            grown = reaching | {name for name, (_, calls) in mentioned.items() if calls & reaching}
            if grown == reaching:
                return frozenset(reaching)
            reaching = grown

    def _mentions(self, definition: ast.stmt) -> tuple[bool, set[str]]:
        loads: set[str] = set()
        for node in ast.walk(definition):
            if isinstance(node, ast.Name):
                loads.add(node.id)
                origin = self.names.origin(node)
                if origin is not None and self._reaches(node, origin):
                    return True, loads
        return False, loads

    def _reaches(self, node: ast.Name, origin: str) -> bool:
        if origin.startswith("@"):
            return self.names.index.reaches_tf1(origin[1:].partition("|")[0])
        top: ast.expr = node
        while isinstance(parent := self.module.parents.get(top), ast.Attribute):
            top = parent
        symbol = self.names.of(top) or ""
        return symbol.startswith("tf.") and not symbol.startswith(_NEUTRAL)

    def _is_building_call(self, call: ast.Call) -> bool:
        symbol = self.names.of(call.func)
        return symbol is not None and symbol.startswith("tf.") and not symbol.startswith(_NEUTRAL)

    def _leads_on(self, name: ast.Name) -> bool:
        if not isinstance(name.ctx, ast.Load):
            return False
        if name.id in self.functions:
            return True
        origin = self.names.raw_origin(name)
        return (
            origin is not None and origin.startswith("@") and self.names.index.reaches_tf1(origin[1:].partition("|")[0])
        )

    def _calls(self, statement: ast.stmt) -> Iterator[ast.Call]:
        return (node for node in _executed(statement, self.names) if isinstance(node, ast.Call))


def main_guard(statement: ast.stmt) -> ast.If | None:
    """The statement, if it is ``if __name__ == "__main__":``."""
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
        return None
    sides = [statement.test.left, *statement.test.comparators]
    name = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    value = any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
    return statement if name and value and isinstance(statement.test.ops[0], ast.Eq) else None


def _executed(statement: ast.AST, names: Names) -> Iterator[ast.AST]:
    """Nodes that run when the statement does: not the bodies of functions, nor what starts a program of its own."""
    stack = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call) and (names.of(node.func) or "") in _STARTERS:
            continue
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            stack += [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
        elif isinstance(node, ast.Lambda):
            stack += node.args.defaults
        else:
            stack += ast.iter_child_nodes(node)


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _top_level([*node.body, *node.orelse])
