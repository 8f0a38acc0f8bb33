"""Classes of tests: TensorFlow 1 gave each test a graph of its own, so each is a small program by itself.

Those of Python's own `unittest.TestCase` shared the program's default graph, but where they made another. `setUp` runs
before each test, in its graph; helper methods are read where a test calls them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.names.case_classes import CASE, DEPTH, PLAIN_CASE, definition, is_case_without_graph
from tf_migrate.stages.objects import ObjectClass, class_of
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

_SKIPPING = ("unittest.skip", "unittest.skipIf", "unittest.skipUnless")
SHARED_SESSIONS = frozenset({"test_session", "cached_session"})
"""Methods that give the one session which a test keeps."""
OWN_SESSIONS = SHARED_SESSIONS | {"session"}
"""Methods of a test that give sessions."""
PLACED = frozenset({"use_gpu", "force_gpu"})
"""What these may be given: nothing that changes what is computed."""
RAISING = ("assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assertRaisesOpError")
"""Methods of a test that expect an error."""
_PARAMETERIZED = "absl.testing.parameterized"
_PATCHING = ("mock.patch.object", "unittest.mock.patch.object")
_LISTING = (f"{_PARAMETERIZED}.named_parameters", f"{_PARAMETERIZED}.parameters")


@dataclass(frozen=True, eq=False)
class Case:
    """A class of tests: `base` is what it derives from, `owner` what `self` is an object of.

    `lineage` are the classes of the tree between it and a library's `TestCase`, with the names of their modules, the
    nearest first. `apart` says that each test has a graph of its own.
    """

    base: ast.expr
    owner: ObjectClass
    lineage: tuple[tuple[Names, ast.ClassDef], ...] = ()
    apart: bool = True

    @property
    def node(self) -> ast.ClassDef:
        """The class."""
        return self.owner.node

    @property
    def tests(self) -> Iterator[ast.FunctionDef]:
        """The methods that a test runner calls, in order of the text."""
        return (inner for inner in self.node.body if isinstance(inner, ast.FunctionDef) and is_test(inner))

    def decorators(self, test: ast.FunctionDef) -> list[ast.expr]:
        """What decorates a test: itself, and by its class."""
        return [*self.node.decorator_list, *test.decorator_list]

    @property
    def helpers(self) -> Iterator[ast.FunctionDef]:
        """The methods that tests may call, and those that run around each."""
        return (method for method in self.owner.methods.values() if not is_test(method))


def is_test(method: ast.FunctionDef) -> bool:
    """Whether a test runner calls a method."""
    return method.name.startswith("test")


def cases(module: Module, names: Names) -> list[Case]:
    """The classes of tests that can be read: they derive from a library's `TestCase`, and nothing from them."""
    found = (_case(module, names, node) for node in module.tree.body if isinstance(node, ast.ClassDef))
    return [known for known in found if known is not None]


def derived_cases(module: Module, names: Names) -> list[Case]:
    """The classes of tests that derive from another class of tests of the tree, and from which nothing does."""
    found = (_case(module, names, node, derived=True) for node in module.tree.body if isinstance(node, ast.ClassDef))
    return [known for known in found if known is not None]


def _case(module: Module, names: Names, node: ast.ClassDef, *, derived: bool = False) -> Case | None:
    others = [base for base in node.bases if callee(base, module) != f"{_PARAMETERIZED}.TestCase"]
    if len(others) != 1 or (_root(names, others[0]) is not None) is derived:
        return None
    lineage = _lineage(names, others[0]) if derived else ()
    listing = all(_lists_parameters(module, item) for item in node.decorator_list)
    if not listing or node.keywords or len(module.root.bindings.get(node.name, [])) != 1 or lineage is None:
        return None
    # Inside the class its name only serves to call `super`.
    if any(class_of(module, load) is not node for load in module.loads.get(node.name, [])):
        return None
    if not all(_is_plain(inner) for inner in node.body):
        return None
    apart = not is_case_without_graph(names, node)
    return Case(others[0], ObjectClass(node, (), None, methods_of(node)), lineage, apart)


def _root(names: Names, base: ast.expr) -> str | None:
    """What a class derives from directly, where that is one of those that tests derive from in the end."""
    found = names.resolve(base) or callee(base, names.module)
    return found if found in (CASE, PLAIN_CASE) else None


def _lineage(names: Names, base: ast.expr, depth: int = 0) -> tuple[tuple[Names, ast.ClassDef], ...] | None:
    """The classes of the tree from a base class up to a library's; None where they are not all known."""
    if _root(names, base) is not None:
        return ()
    found = definition(names, base)
    if found is None or depth > DEPTH:
        return None
    home, node = found
    others = [item for item in node.bases if callee(item, home.module) != f"{_PARAMETERIZED}.TestCase"]
    plain = len(others) == 1 and not node.decorator_list and not node.keywords and all(map(_is_plain, node.body))
    above = _lineage(home, others[0], depth + 1) if plain else None
    return None if above is None else ((home, node), *above)


def methods_of(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """The methods of a class that are called with its objects, as they stand there."""
    return {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef) and _is_method(inner)}


def _lists_parameters(module: Module, decorator: ast.expr) -> bool:
    """Whether a decorator of a class only says what each of its tests is called with."""
    return isinstance(decorator, ast.Call) and callee(decorator.func, module) in _LISTING


def _is_plain(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Name) for target in node.targets)
    if isinstance(node, ast.For):
        inner = (item for item in ast.walk(node) if isinstance(item, ast.stmt))
        return all(isinstance(item, ast.For | ast.If | ast.Assign | ast.Expr) for item in inner)
    described = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return described or isinstance(node, ast.Pass | ast.FunctionDef | ast.ClassDef)


def only_names(member: ast.stmt) -> bool:
    """Whether a statement of a class defines something, or binds what others define, and calls nothing for it."""
    if isinstance(member, ast.FunctionDef):
        return True
    if isinstance(member, ast.ClassDef):
        heads = (*member.decorator_list, *member.bases, *(word.value for word in member.keywords))
        functions = [item for item in member.body if isinstance(item, ast.FunctionDef)]
        heads = (*heads, *(value for item in functions for value in _evaluated(item)))
        return all(map(_names, heads)) and all(map(only_names, member.body))
    value = member.value if isinstance(member, ast.Assign | ast.Expr) else None
    return isinstance(member, ast.Pass) or (value is not None and _names(value))


def _evaluated(function: ast.FunctionDef) -> list[ast.expr]:
    """What is evaluated when a function is defined."""
    defaults = (*function.args.defaults, *function.args.kw_defaults)
    return [*function.decorator_list, *(value for value in defaults if value is not None)]


def _names(value: ast.expr) -> bool:
    """Whether an expression only names things, alone or in containers."""
    kinds = ast.Name | ast.Attribute | ast.Constant | ast.Tuple | ast.List | ast.Dict | ast.expr_context
    return all(isinstance(inner, kinds) for inner in ast.walk(value))


def _is_method(node: ast.FunctionDef) -> bool:
    """Whether a function of the class is called with the object, as it stands there."""
    given = node.args.posonlyargs + node.args.args
    return bool(given) and given[0].arg == "self" and (is_test(node) or not node.decorator_list)


def is_mocking(names: Names, decorator: ast.expr) -> bool:
    """Whether a decorator puts an object that the test is given in the place of a function of a module of the tree."""
    call = decorator if isinstance(decorator, ast.Call) else None
    if call is None or callee(call.func, names.module) not in _PATCHING or len(call.args) != 2 or call.keywords:
        return False
    home, name = names.origin(call.args[0]) or "", call.args[1]
    tree = names.index.tree(home[1:]) if home.startswith("@") and "|" not in home else None
    if tree is None or not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return False
    made = [item for item in tree.tree.body if isinstance(item, ast.FunctionDef) and item.name == name.value]
    return len(made) == len(tree.root.bindings.get(name.value, [])) == 1


def is_decorated(module: Module, decorated: Sequence[ast.expr]) -> bool:
    """Whether a test is decorated by anything but what a runner calls it with, and whether it calls it."""
    decorators = [item.func if isinstance(item, ast.Call) else item for item in decorated]
    names = [callee(item, module) or "" for item in decorators]
    return not all(name.startswith(f"{_PARAMETERIZED}.") or name in _SKIPPING for name in names)
