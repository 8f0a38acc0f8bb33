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
_DEPTH = 10
_PARAMETERIZED = "absl.testing.parameterized"


@dataclass(frozen=True, eq=False)
class Case:
    """A class of tests: `base` is what it derives from, `owner` what `self` is an object of.

    `lineage` are the classes of the tree between it and `tf.test.TestCase`, with the names of their modules, the
    nearest first.
    """

    base: ast.expr
    owner: ObjectClass
    lineage: tuple[tuple[Names, ast.ClassDef], ...] = ()

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


def derived_cases(module: Module, names: Names) -> list[Case]:
    """The classes of tests that derive from another class of tests of the tree, and from which nothing does."""
    found = (_case(module, names, node, derived=True) for node in module.tree.body if isinstance(node, ast.ClassDef))
    return [known for known in found if known is not None]


def _case(module: Module, names: Names, node: ast.ClassDef, *, derived: bool = False) -> Case | None:
    others = [base for base in node.bases if purity.callee(base, module) != f"{_PARAMETERIZED}.TestCase"]
    if len(others) != 1 or (names.resolve(others[0]) == _CASE) is derived:
        return None
    lineage = _lineage(names, others[0]) if derived else ()
    if node.decorator_list or node.keywords or len(module.root.bindings.get(node.name, [])) != 1 or lineage is None:
        return None
    # Inside the class its name only serves to call `super`.
    if any(class_of(module, load) is not node for load in module.loads.get(node.name, [])):
        return None
    if not all(_is_plain(inner) for inner in node.body):
        return None
    return Case(others[0], ObjectClass(node, (), None, methods_of(node)), lineage)


def _lineage(names: Names, base: ast.expr, depth: int = 0) -> tuple[tuple[Names, ast.ClassDef], ...] | None:
    """The classes of the tree from a base class up to `tf.test.TestCase`; None where they are not all known."""
    if names.resolve(base) == _CASE:
        return ()
    made = names.definition(base)
    home, name = names, base.id if isinstance(base, ast.Name) else ""
    if made is not None:
        module = names.index.tree(made[0])
        if module is None:
            return None
        home, name = Names(module, names.index, names.compat_module), made[1]
    found = [item for item in home.module.tree.body if isinstance(item, ast.ClassDef) and item.name == name]
    if len(found) != 1 or len(home.module.root.bindings.get(name, [])) != 1 or depth > _DEPTH:
        return None
    (node,) = found
    others = [item for item in node.bases if purity.callee(item, home.module) != f"{_PARAMETERIZED}.TestCase"]
    plain = len(others) == 1 and not node.decorator_list and not node.keywords and all(map(_is_plain, node.body))
    above = _lineage(home, others[0], depth + 1) if plain else None
    return None if above is None else ((home, node), *above)


def methods_of(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """The methods of a class that are called with its objects, as they stand there."""
    return {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef) and _is_method(inner)}


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
