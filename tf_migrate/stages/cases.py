"""Classes of tests: TensorFlow 1 gave each test a graph of its own, so each is a small program by itself.

`setUp` runs before each test, in its graph; helper methods are read where a test calls them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.stages import purity
from tf_migrate.stages.objects import ObjectClass, class_of
from tf_migrate.syntax.module import Module

_CASE = "tf.test.TestCase"
_PARAMETERIZED = "absl.testing.parameterized"


@dataclass(frozen=True, eq=False)
class Case:
    """A class of tests: `base` is the `tf.test.TestCase` that it derives from, `owner` what `self` is an object of."""

    base: ast.expr
    owner: ObjectClass

    @property
    def node(self) -> ast.ClassDef:
        """The class."""
        return self.owner.node

    @property
    def tests(self) -> Iterator[ast.FunctionDef]:
        """The methods that a test runner calls, in order of the text."""
        return (inner for inner in self.node.body if isinstance(inner, ast.FunctionDef) and is_test(inner))

    @property
    def helpers(self) -> Iterator[ast.FunctionDef]:
        """The methods that tests may call, and those that run around each."""
        return (method for method in self.owner.methods.values() if not is_test(method))


def is_test(method: ast.FunctionDef) -> bool:
    """Whether a test runner calls a method."""
    return method.name.startswith("test")


def cases(module: Module, names: Names) -> list[Case]:
    """The classes of tests that can be read: those that derive from `tf.test.TestCase`, and from which nothing does."""
    found = (_case(module, names, node) for node in module.tree.body if isinstance(node, ast.ClassDef))
    return [known for known in found if known is not None]


def _case(module: Module, names: Names, node: ast.ClassDef) -> Case | None:
    bases = [base for base in node.bases if names.resolve(base) == _CASE]
    others = [base for base in node.bases if base not in bases]
    if len(bases) != 1 or any(purity.callee(base, module) != f"{_PARAMETERIZED}.TestCase" for base in others):
        return None
    if node.decorator_list or node.keywords or len(module.root.bindings.get(node.name, [])) != 1:
        return None
    # Inside the class its name only serves to call `super`.
    if any(class_of(module, load) is not node for load in module.loads.get(node.name, [])):
        return None
    if not all(_is_plain(inner) for inner in node.body):
        return None
    methods = {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return Case(
        bases[0], ObjectClass(node, (), None, {name: methods[name] for name in methods if _is_method(methods[name])})
    )


def _is_plain(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Name) for target in node.targets)
    described = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return described or isinstance(node, ast.Pass | ast.FunctionDef | ast.ClassDef)


def _is_method(node: ast.FunctionDef) -> bool:
    """Whether a function of the class is called with the object, as it stands there."""
    given = node.args.posonlyargs + node.args.args
    return bool(given) and given[0].arg == "self" and (is_test(node) or not node.decorator_list)


def is_decorated(module: Module, test: ast.FunctionDef) -> bool:
    """Whether a test is decorated by anything but the parameters that a runner calls it with."""
    decorators = [item.func if isinstance(item, ast.Call) else item for item in test.decorator_list]
    names = [purity.callee(item, module) or "" for item in decorators]
    return not all(name.startswith(f"{_PARAMETERIZED}.") for name in names)
