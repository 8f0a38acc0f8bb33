"""Which statements of a module's top level add to the graph when they run."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Module

# What adds nothing to a graph by being called.
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
_INITIALIZER_CLASSES = """
    tf.zeros_initializer tf.ones_initializer tf.constant_initializer tf.random_normal_initializer
    tf.random_uniform_initializer tf.truncated_normal_initializer tf.glorot_uniform_initializer
    tf.glorot_normal_initializer tf.uniform_unit_scaling_initializer tf.variance_scaling_initializer
    tf.orthogonal_initializer tf.contrib.layers.xavier_initializer tf.contrib.layers.xavier_initializer_conv2d
    tf.contrib.layers.variance_scaling_initializer tf.initializers.zeros tf.initializers.ones
    tf.initializers.constant tf.initializers.random_normal tf.initializers.random_uniform
    tf.initializers.truncated_normal tf.initializers.variance_scaling tf.initializers.he_normal
    tf.initializers.he_uniform tf.initializers.glorot_uniform tf.initializers.glorot_normal
"""
INITIALIZER_CLASSES = frozenset(_INITIALIZER_CLASSES.split())
"""Classes of initializers: an object adds nothing to a graph before a variable begins with what it gives."""
_NAMING = ast.Dict | ast.IfExp | ast.Lambda | ast.List | ast.Name | ast.Subscript | ast.Tuple
_TEST_RUNNERS = ("tf.test.main", "compat.test.main")  # each test opens a graph of its own


class Building:
    """Answers for one module; a name counts when it, or what it calls in this module, reaches TensorFlow."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names

    def possibly(self, statement: ast.stmt) -> bool:
        """Whether running the statement builds, or calls code of this module or of the tree that may build."""
        calls = list(_executed(statement, self.names))
        if any(_builds(self.names.of(call.func)) for call in calls):
            return True
        decorators = {id(decorator) for decorator in _decorators(statement)}  # they build nothing of their own
        return any(self._leads_on(call) for call in calls if id(call) not in decorators)

    def reaches(self, node: ast.stmt) -> bool:
        """Whether a function or class mentions TensorFlow, what of this module does, or a module of the tree."""
        names = (name for name in self.functions if name != getattr(node, "name", None))
        return _holds(node, self._reaching_lines) or any(_holds(node, self._lines_of(name)) for name in names)

    def _leads_on(self, call: ast.Call) -> bool:
        """Whether the function called, or one passed to it, is of this module or the tree and reaches TensorFlow."""
        if self.names.of(call.func) == "tf.app.run" and not (call.args or call.keywords):
            return "main" in self.functions
        function = _root(call.func)
        passed = (*call.args, *(keyword.value for keyword in call.keywords))
        if function is not None and (function.id in self.functions or self._leads_to_tree(function)):
            return True
        if any(isinstance(value, ast.Name) and value.id in self.functions for value in passed):
            return True
        own = isinstance(call.func, ast.Name) and call.func.id in self._definitions
        return own and any(root is not None and self._leads_to_tree(root) for root in map(_root, passed))

    @cached_property
    def _definitions(self) -> dict[str, ast.stmt]:
        """Top-level functions and classes of the module, and variables that may be, or hold, such of the tree."""
        found: dict[str, ast.stmt] = {}
        for node in _top_level(self.module.tree.body):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.value, _NAMING):
                found.update((target.id, node) for target in node.targets if isinstance(target, ast.Name))
        return found

    @cached_property
    def functions(self) -> frozenset[str]:
        """Those definitions of the module that reach TensorFlow or another module of the tree."""
        definitions = self._definitions
        reaching = {name for name, node in definitions.items() if _holds(node, self._reaching_lines)}
        calls = {
            name: {other for other in definitions if _holds(node, self._lines_of(other))}
            for name, node in definitions.items()
        }
        while True:
            grown = reaching | {name for name, others in calls.items() if others & reaching}
            if grown == reaching:
                return frozenset(reaching)
            reaching = grown

    def _lines_of(self, name: str) -> list[int]:
        return [node.lineno for node in self.module.loads.get(name, ())]

    @cached_property
    def _reaching_lines(self) -> list[int]:
        """Lines that mention TensorFlow, or a module of the tree that does, in order."""
        lines = [use.root.lineno for use in self.names.uses if _builds(use.symbol)]
        for name in self.module.loads:
            lines += [node.lineno for node in self.module.loads[name] if self._leads_to_tree(node)]
        return sorted(lines)

    def _leads_to_tree(self, node: ast.Name) -> bool:
        origin = self.names.raw_origin(node)
        module = self.names.maker(node.id) if origin is None else origin[1:].partition("|")[0]
        if module is None or (origin is not None and not origin.startswith("@")):
            return False
        index = self.names.index
        if any(name.startswith(f"{module}.") and index.reaches_tf1(name) for name in index.imports(self.module.name)):
            return True  # `import package.module`, which is reached through the package's name
        inner = index.resolve(origin) or ""  # `from package import module`, where the package does not import it
        return index.reaches_tf1(module) or (inner.startswith("@") and index.reaches_tf1(inner[1:].partition("|")[0]))


def _root(node: ast.expr) -> ast.Name | None:
    """The name that an expression begins with."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node if isinstance(node, ast.Name) else None


def _builds(symbol: str | None) -> bool:
    if symbol is None or symbol in INITIALIZER_CLASSES:
        return False
    return symbol.startswith("tf.") and not symbol.startswith(_NEUTRAL)


def _holds(node: ast.stmt, lines: list[int]) -> bool:
    """Whether one of the sorted lines lies inside a statement."""
    place = bisect_left(lines, node.lineno)
    return place < len(lines) and lines[place] <= (node.end_lineno or node.lineno)


def main_guard(statement: ast.stmt) -> ast.If | None:
    """The statement, if it is ``if __name__ == "__main__":``."""
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
        return None
    sides = [statement.test.left, *statement.test.comparators]
    name = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    value = any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
    return statement if name and value and isinstance(statement.test.ops[0], ast.Eq) else None


def _executed(statement: ast.AST, names: Names) -> Iterator[ast.Call]:
    """Calls that run when the statement does: not in bodies of functions, nor in what runs tests."""
    stack = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            if (names.of(node.func) or "") in _TEST_RUNNERS:
                continue
            yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            stack += [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
        elif isinstance(node, ast.Lambda):
            stack += node.args.defaults
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            stack += ast.iter_child_nodes(node)


def _decorators(statement: ast.stmt) -> Iterator[ast.expr]:
    """Decorators of the function or class that the statement makes, and of those in the class's body."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield from statement.decorator_list
    if isinstance(statement, ast.ClassDef):
        for node in statement.body:
            yield from _decorators(node)


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _top_level([*node.body, *node.orelse])
