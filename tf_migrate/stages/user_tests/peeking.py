"""What a test asks, behind its first run, of the objects that its function made: sizes, names and the like.

The function is traced once, so these objects are there behind its call, as they were behind the building in
TensorFlow 1. Asking them is the same, as long as it builds nothing and takes no tensor for a value.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.stages.names_used import NOT_PLAIN, loads_of
from tf_migrate.stages.user_tests.allowed import Own, is_python, reach_of
from tf_migrate.stages.user_tests.asserting import EVALUATING
from tf_migrate.stages.user_tests.comparing import asserted_equal
from tf_migrate.stages.user_tests.reach import Found, Reach
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.callee import callee

_SHAPES = frozenset({"as_list", "dtype", "is_fully_defined", "name", "ndims", "num_elements", "shape"})
"""What gives no tensor, whatever it is asked of."""
_ASKING = frozenset({"as_list", "get_shape", "is_compatible_with", "is_fully_defined", "num_elements"})
"""Methods of TensorFlow's own objects that build nothing."""
_DENYING = frozenset({"assertIsNot", "assertNotEqual", "assertNotEquals", "assertNotIn"})
_DEPTH = 5


class _Builds(Exception):
    """Something of a graph is reached."""


class Peeks:
    """Tells which statements only ask; `building` is the code that makes the objects."""

    def __init__(self, names: Names, own: Own, building: Iterable[ast.AST]) -> None:
        self.names = names
        self.own = own
        reach = reach_of(own, Reach())
        try:
            reach.follow(names, building)
        except Refused:
            reach.named.clear()
        self.classes = reach.named
        members = (member for _, node in self.classes for member in node.body)
        self.methods = {member.name for member in members if isinstance(member, ast.FunctionDef)}

    def asked_in(self, item: ast.stmt, made: set[str]) -> set[str]:
        """The names among those that the function made which a statement asks; empty where it does anything else."""
        asked = loads_of(item) & made
        odd = any(isinstance(inner, NOT_PLAIN | ast.NamedExpr) for inner in ast.walk(item))
        if not self.classes or odd or any(asserted_equal(self.names.module, item, made)):
            return set()
        plain = self._only_asks(item, asked) and not self._builds(item)
        return asked if plain and not any(name.startswith("self.") for name in asked) else set()

    def given_by(self, node: ast.expr, made: set[str]) -> str | None:
        """The name, of those that the function made, that an expression is or asks; None elsewhere."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        plain = isinstance(root, ast.Name) and root.id in made and (root is node or not self._builds(node))
        return root.id if plain and isinstance(root, ast.Name) else None

    def _builds(self, item: ast.AST) -> bool:
        """Whether asking reaches anything of a graph: by properties and methods of the classes of these objects."""

        def stop(found: Found) -> None:
            if not is_python(found.symbol):
                raise _Builds

        reach = reach_of(self.own, Reach(on_symbol=stop, words=set()))
        for home, node in self.classes:
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    reach.waiting.setdefault(member.name, []).append((home, member))
        try:
            reach.follow(self.names, [item])
        except (_Builds, Refused):
            return True
        return reach.does_more

    def _only_asks(self, item: ast.stmt, asked: Container[str], depth: int = 0) -> bool:
        """Whether a statement reads attributes of these names, or gives them to methods of the test that do so."""
        parents = self.names.module.parents
        for node in ast.walk(item):
            if not (isinstance(node, ast.Name) and node.id in asked):
                continue
            around = parents[node]
            if isinstance(around, ast.Attribute):
                if not self._is_plain(item, around):
                    return False
            elif not (isinstance(around, ast.Call) and self._is_given(around, node, depth)):
                return False
        return True

    def _is_given(self, call: ast.Call, node: ast.Name, depth: int) -> bool:
        """Whether a call gives a name to a method of the test that only asks."""
        method = self._helper(call)
        if method is None or node not in call.args or depth > _DEPTH:
            return False
        place = call.args.index(node) + 1
        simple = all(isinstance(item, ast.Expr) for item in method.body) and not method.decorator_list
        if not simple or place >= len(method.args.args) or any(isinstance(item, ast.Starred) for item in call.args):
            return False
        given = {method.args.args[place].arg}
        return all(self._only_asks(item, given, depth + 1) for item in method.body)

    def _helper(self, call: ast.Call) -> ast.FunctionDef | None:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        found = [method for home, method in self.own.methods if method.name == name and home is self.names]
        every = [method for _, method in self.own.methods if method.name == name]
        return found[0] if len(every) == len(found) == 1 and ast.unparse(call.func) == f"self.{name}" else None

    def _is_plain(self, item: ast.stmt, first: ast.Attribute) -> bool:
        """Whether a chain of attributes gives what is no tensor, or is used where one could not be."""
        chain = list(self._chain(first))
        asked = chain[-1].attr
        if not all(self._is_known(node) for node in chain) or not isinstance(chain[-1].ctx, ast.Load):
            return False
        top = self._around(chain[-1])
        if isinstance(item, ast.Assign):
            return asked in _SHAPES or isinstance(item.value, ast.BinOp)
        outer = list(self._outer(top))
        if any(isinstance(node, ast.comprehension | ast.Lambda) for node in outer):
            return False
        methods = [ast.unparse(node.func) for node in outer if isinstance(node, ast.Call)]
        if any(method.rpartition(".")[2] in _DENYING for method in methods) and asked not in _SHAPES:
            return False
        # A function of NumPy takes no tensor.
        computed = isinstance(outer[0], ast.BinOp) and any(self._is_numpy(node) for node in outer)
        evaluated = any(method.startswith(EVALUATING) for method in methods) and not computed
        return isinstance(item, ast.Expr) and (asked in _SHAPES or not evaluated)

    def _is_numpy(self, node: ast.AST) -> bool:
        name = callee(node.func, self.names.module) if isinstance(node, ast.Call) else None
        return (name or "").startswith("numpy.")

    def _is_known(self, node: ast.Attribute) -> bool:
        """Whether an attribute that is called is a method that can be looked into, or one of shapes."""
        called = self._around(node) is not node
        return not called or node.attr in _ASKING or node.attr in self.methods

    def _chain(self, node: ast.Attribute) -> Iterator[ast.Attribute]:
        yield node
        around = self.names.module.parents[self._around(node)]
        if isinstance(around, ast.Attribute):
            yield from self._chain(around)

    def _around(self, node: ast.Attribute) -> ast.expr:
        """The call of an attribute, else the attribute itself."""
        around = self.names.module.parents[node]
        return around if isinstance(around, ast.Call) and around.func is node else node

    def _outer(self, node: ast.AST) -> Iterator[ast.AST]:
        while not isinstance(node, ast.stmt):
            node = self.names.module.parents[node]
            yield node
