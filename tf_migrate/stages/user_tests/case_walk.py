"""The way through one test of a class, as through a script: what the module defines, then `setUp`, then the test.

Each test of `tf.test.TestCase` begins with seeds that decide all its random numbers, those that variables begin with
among them. TensorFlow 1 derived them from the number of operations in the graph, so a test that draws any is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Sequence

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages import effects
from tf_migrate.stages.contexts import Kind
from tf_migrate.stages.entrances import UNREAD, clash
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.functions import mentions_graph
from tf_migrate.stages.layers import is_layer
from tf_migrate.stages.objects import require_readable
from tf_migrate.stages.program import Unit
from tf_migrate.stages.user_tests.cases import OWN_SESSIONS, PLACED, RAISING, SHARED_SESSIONS, Case, is_decorated
from tf_migrate.stages.user_tests.libraries import FREE
from tf_migrate.stages.values import (
    PYTHON,
    SESSION,
    STATIC,
    Refused,
    Stage,
    Value,
    flatten,
)
from tf_migrate.stages.walk import Walk
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

_RAISING = (*RAISING, "assertWarns")
# What compares the values of tensors, eager ones too, and not the tensors themselves.
_COMPARING = ("assertAll", "assertNotAll", "assertNear", "assertArrayNear", "assertNDArrayNear")
_FIXED = frozenset(
    f"tf.{name}" for name in ("zeros_initializer", "ones_initializer", "constant_initializer")
) | frozenset(f"tf.initializers.{name}" for name in ("zeros", "ones", "constant"))
_AROUND = ("tearDown", "setUpClass", "tearDownClass", "runTest", "run", "__init__", "id")
_STAYING = frozenset({Stage.PYTHON, Stage.CONSTANT})


class CaseEvaluator(Evaluator):
    """Evaluates the expressions of a test: what it asks its own object for, and what it may not draw or call."""

    case: Case
    entering: ast.expr | None = None

    def _call(self, node: ast.Call) -> Value:
        symbol = self.names.resolve(node.func) or ""
        drawn = symbol in effects.RANDOM or is_layer(symbol)
        if symbol == "tf.get_variable":
            drawn = argument(node, "initializer", 3) is None
        drawn = drawn or (symbol in effects.INITIALIZER_CLASSES and symbol not in _FIXED)
        if drawn and self.case.apart:
            what = f"`{symbol}` draws random numbers by the seed that each test begins with"
            raise Refused(node, what, "draw them with NumPy, and feed them")
        return super()._call(node)

    def _python_call(self, node: ast.Call) -> Value:
        function = node.func
        base = function.value if isinstance(function, ast.Attribute) else None
        if isinstance(base, ast.Name) and self._owner(base) is self.case.owner:
            return self._own_call(node, ast.unparse(function).rpartition(".")[2])
        self._require_known(node)
        return super()._python_call(node)

    def _own_call(self, node: ast.Call, method: str) -> Value:
        """A call of a method that the test has from `tf.test.TestCase`."""
        if method in OWN_SESSIONS:
            plain = all(word.arg in PLACED and isinstance(word.value, ast.Constant) for word in node.keywords)
            if node is not self.entering or node.args or not plain:
                raise Refused(node, f"this form of `self.{method}` is not understood", "enter it by `with`")
            return SESSION
        if method in _RAISING:
            if node is not self.entering:
                raise Refused(node, f"`self.{method}` calls what may build a graph", f"write `with self.{method}(…):`")
            self.require_python(*node.args, *(word.value for word in node.keywords))
            return PYTHON
        values = list(flatten(self.arguments(node)))
        stages = {value.stage for value in values}
        if method.startswith(_COMPARING) and stages <= _STAYING:
            self.note_impure(node)
            return PYTHON
        if method.startswith("assert") and Stage.STATIC in stages and stages <= {Stage.PYTHON, Stage.STATIC}:
            return STATIC
        if any(value.is_graph for value in values):
            what = f"a part of the graph is given to `self.{method}`"
            raise Refused(node, what, "fetch it in a run")
        self.note_impure(node)
        return PYTHON

    def _require_known(self, node: ast.Call) -> None:
        """Refuses what may build a part of the graph that nobody sees here."""
        root = node.func
        while isinstance(root, ast.Attribute | ast.Call | ast.Subscript):
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name):
            return
        imported = [found for found in self.module.scope_of(root).bindings.get(root.id, []) if isinstance(found, tuple)]
        if not imported and self.module.root.bindings.get(root.id):
            imported = [found for found in self.module.root.bindings[root.id] if isinstance(found, tuple)]
        if not imported:
            return
        origin = self.names.raw_origin(root)
        if origin is not None and origin.startswith("@"):
            free = not self.names.index.reaches_tf1(origin[1:].partition("|")[0])
        else:
            statement, alias = imported[0]
            name = statement.module if isinstance(statement, ast.ImportFrom) else alias.name
            free = (name or "").partition(".")[0] in FREE
        if not free:
            what = f"`{ast.unparse(node.func)}` may build a part of the graph"
            raise Refused(node, what, "build it with operations of TensorFlow in the test itself")


class CaseWalk(Walk):
    """Reads one test behind the module around it, of which the other classes of tests are left out."""

    evaluates = CaseEvaluator
    evaluator: CaseEvaluator

    def __init__(
        self, module: Module, names: Names, sites: tuple[RunSite, ...], case: Case, test: ast.FunctionDef
    ) -> None:
        super().__init__(module, names, sites, None)
        self.case = case
        self.test = test
        self.evaluator.case = case
        self.kept = False
        self.graph: ast.With | None = None
        """The block of the graph that the test makes."""
        # Each test is entered by itself; what the module calls besides is none of its own.
        self.entrances = {}

    def definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """A definition; one of the module that is not understood matters to a test that uses it."""
        if node is self.case.node:
            self.bind(node.name, PYTHON, node)
            return
        if self.home is not None:
            super().definition(node)
            return
        inside = any(call in self.sites for call in ast.walk(node) if isinstance(call, ast.Call))
        if inside or (isinstance(node, ast.ClassDef) and mentions_graph(self.evaluator, node)):
            what = f"`{node.name}` {'runs the session' if inside else 'uses TensorFlow'}"
            self.evaluator.unread[node] = Refused(node, what, "do it in the test itself")
            self.bind(node.name, PYTHON, node)
            return
        super().definition(node)

    def read_test(self) -> None:
        """Reads `setUp` and the test."""
        if not self.is_empty or self.sessions or self.runs:
            raise Refused(self.test, "a part of the graph is built outside the tests", "build it in the test")
        if is_decorated(self.module, self.test.decorator_list):
            raise Refused(self.test, f"`{self.test.name}` is decorated", "leave the decorators out")
        owner = self.case.owner
        require_readable(owner, self.test, *self.case.helpers)
        self.evaluator.methods.update(dict.fromkeys(owner.methods.values(), owner))
        for statement in owner.node.body:
            self._read_member(statement)
        given = {"self": Value(Stage.PYTHON, owner=owner)}
        before = len(self.units)
        if "setUp" in owner.methods:
            self._read_method(owner.methods["setUp"], given)
            self._require_staying()
        for decorator in self.case.decorators(self.test):
            self.require_python(decorator)
        begun = len(self.units)
        self._read_method(self.test, given)
        self._require_own_graph(self.units[begun:], set_up=begun > before)

    def _require_own_graph(self, units: Sequence[Unit], *, set_up: bool) -> None:
        """Refuses a test in whose graph something else may be than its own `units`; `set_up`: `setUp` builds."""
        inside = set() if self.graph is None else set(ast.walk(self.graph))
        if self.graph is not None and not inside.issuperset(unit.node for unit in units if unit.moves):
            raise Refused(self.graph, "the test makes a graph, and builds another", "write a test for each")
        if self.case.apart:
            return
        if set_up:
            raise Refused(self.test, "`setUp` builds in a graph that is not the test's", "build it in the tests")
        if self.graph is None and (self.variables or any(unit.needs_store for unit in units)):
            what = "the test keeps variables in the graph that all tests share"
            raise Refused(self.test, what, "build in `with tf.Graph().as_default():`")

    def _read_member(self, node: ast.stmt) -> None:
        """Reads what a class holds beside its tests."""
        owner = self.case.owner
        if isinstance(node, ast.Assign):
            self.require_python(node.value)
            for target in node.targets:
                assert isinstance(target, ast.Name)
                self.bind(owner.key(target.id), PYTHON, target)
        elif isinstance(node, ast.For):
            raise Refused(node, "the class computes what it holds in a loop", "compute it in a function")
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            if node.name in _AROUND and mentions_graph(self.evaluator, node):
                raise Refused(node, f"`{node.name}` uses TensorFlow", "do it in the tests")
            if node not in owner.methods.values() and mentions_graph(self.evaluator, node):
                what = f"`{node.name}` uses TensorFlow, and is no plain method"
                self.evaluator.unread[node] = Refused(node, what, "do it in the test itself")
                self.bind(owner.key(node.name), PYTHON, node)

    def _read_method(self, method: ast.FunctionDef, given: dict[str, Value]) -> None:
        odd = next((inner for inner in ast.walk(method) if isinstance(inner, UNREAD)), None)
        if odd is not None:
            what = f"`{method.name}` imports modules, binds names outside it, or is a generator"
            raise Refused(odd, what, "import at the top of the file, and pass values in and out")
        clashing = clash(self.module, method)
        if clashing is not None:
            raise clashing
        self.enter_function(method, method, given, ())

    def _require_staying(self) -> None:
        """Refuses a `setUp` that does more than compute constants: it stays as it is, for all tests."""
        moved = next((unit for unit in self.units if unit.value.stage not in _STAYING), None)
        if moved is not None or self.sessions:
            place = self.test if moved is None else moved.node
            raise Refused(place, "`setUp` builds a part of the graph", "build it in the tests, or in a helper of them")

    def kind_of(self, item: ast.withitem) -> Kind | None:
        """What one context is; those of the test make sessions too."""
        return "session" if self._is_own(item, OWN_SESSIONS) else super().kind_of(item)

    def begins_another(self, node: ast.With, scopes: tuple[ast.With, ...], *, graph: bool) -> None:
        """A block of sessions; the graph of a test is its own already."""
        if graph and (not self.is_empty or self.graph is not None):
            raise Refused(node, "a test builds several graphs", "write a test for each")
        if graph:
            self.graph = node

    def enter(self, item: ast.withitem) -> None:
        """Enters the context of a session; the test keeps one that all but `self.session` give."""
        call = item.context_expr
        if not (
            self._is_own(item, OWN_SESSIONS) and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        ):
            super().enter(item)
            return
        if call.func.attr not in SHARED_SESSIONS or not self.kept:
            # The end of a block does not close a session that the test keeps.
            self.opens(call, ast.Name(f"kept since {call.lineno}"))
        self.kept = self.kept or call.func.attr in SHARED_SESSIONS
        self.evaluator.entering = call
        value = self.evaluator.value(call)
        if item.optional_vars is not None:
            self.store(item.optional_vars, value)

    def compound(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> None:
        """A statement that holds blocks; what expects an error may not build, nor run."""
        raising = isinstance(node, ast.With) and any(self._is_own(item, _RAISING) for item in node.items)
        if raising and isinstance(node, ast.With):
            if any(mentions_graph(self.evaluator, statement) for statement in node.body):
                raise Refused(node, "an error is expected of building or running a graph", "leave it to the bridge")
            self.evaluator.entering = node.items[0].context_expr
        super().compound(node, scopes)

    def _is_own(self, item: ast.withitem, methods: Container[str]) -> bool:
        """Whether a context is made by one of these methods of the test."""
        function = item.context_expr.func if isinstance(item.context_expr, ast.Call) else None
        if not (isinstance(function, ast.Attribute) and function.attr in methods):
            return False
        return isinstance(function.value, ast.Name) and function.value.id == "self"
