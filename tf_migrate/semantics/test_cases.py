"""Tests of classes: the sessions that TensorFlow's `TestCase` makes, its assertions, and the parameters of tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.interpreter.core import is_none
from tf_migrate.interpreter.expressions import is_session
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    NONE,
    Arguments,
    Bound,
    Class,
    Const,
    External,
    Function,
    Instance,
    Items,
    Native,
    Partial,
    Table,
    Thing,
    Unknown,
    Value,
    items_of,
    options,
)
from tf_migrate.names.case_classes import CASE, PLAIN_CASE
from tf_migrate.semantics.estimators import Estimators
from tf_migrate.semantics.sessions import RunArguments, real_graph

_PARAMETERIZED = "absl.testing.parameterized."
_EXPANDING = frozenset(f"{package}.parameterized.expand" for package in ("parameterized", "nose_parameterized"))
_OF_TENSORFLOW = ("tf.", "tensorflow.", "compat.")
_PLAIN_CASES = frozenset((PLAIN_CASE, f"{_PARAMETERIZED}TestCase", "numpy.testing.TestCase"))
SESSIONS = frozenset(("session", "cached_session", "test_session"))
"""The methods of a test that give sessions: a graph is their first argument."""
_EVALUATING = ("assertAll", "assertNotAll", "assertDTypeEqual")
_KEPT = "cached_session()"
_MOST_ROWS = 12
"""Rows of parameters that are told apart."""


def is_test_case(cls: Class) -> bool:
    """Whether objects of a class are tests of Python's own `unittest`, or of TensorFlow."""
    origins = {base.origin if isinstance(base, External) else "" for base in cls.outside}
    return bool(origins) and origins <= _PLAIN_CASES | {CASE}


def has_graph(cls: Class) -> bool:
    """Whether each test of a class begins a graph of its own."""
    return any(isinstance(base, External) and base.origin == CASE for base in cls.outside)


class TestCases(Estimators):
    """What tests of classes do."""

    __test__ = False
    parameters: dict[tuple[ast.AST, int], list[Arguments]]
    """What the tests that are functions of a frame are called with, one row a test."""

    # -- parameters --

    def call_standard(self, origin: str, given: Arguments, node: ast.AST) -> Value | None:
        """Calls a function of a library with which programs build; None where it is another one."""
        if origin in _EXPANDING:
            return Native(origin, lambda inner, at: self._with_rows(given, origin, inner))
        if not origin.startswith(_PARAMETERIZED):
            return super().call_standard(origin, given, node)
        name = origin.removeprefix(_PARAMETERIZED)
        if name in ("parameters", "named_parameters"):
            return Native(name, lambda inner, at: self._with_rows(given, name, inner))
        return Native(name, lambda inner, at: inner.positional[0] if inner.positional else DATA)

    def _with_rows(self, given: Arguments, name: str, inner: Arguments) -> Value:
        function = inner.positional[0] if inner.positional else DATA
        if isinstance(function, Function):
            rows = list(self._rows(given, named=name == "named_parameters"))
            self.parameters[function.node, id(function.frame)] = rows[: _MOST_ROWS + 1]
        return function

    def _rows(self, given: Arguments, *, named: bool) -> Iterator[Arguments]:
        values = given.positional
        if len(values) == 1 and isinstance(values[0], Items) and "rest" not in values[0].slots:
            inner = items_of(values[0])
            values = inner if all(isinstance(each, Items | Table) for each in inner) else values
        for value in values:
            if isinstance(value, Table):
                pairs = [(str(key.value), item) for key, item in self.pairs(value) if isinstance(key, Const)]
                yield Arguments((), tuple(pair for pair in pairs if pair[0] != "testcase_name"), rest=DATA)
            elif isinstance(value, Items):
                yield Arguments(items_of(value)[named:], rest=DATA)
            else:
                yield Arguments((value,), rest=DATA)

    def decorated(self, decorator: Value, value: Value, node: ast.expr) -> Value:
        """What a decorator makes of a function: a library's leaves a test what a runner of tests calls."""
        of_library = (isinstance(decorator, External) and not decorator.origin.startswith(_OF_TENSORFLOW)) or (
            isinstance(decorator, Thing) and decorator.kind == "data"
        )
        is_test = isinstance(value, Function) and getattr(value.node, "name", "").startswith("test")
        if of_library and is_test and self.frame.kind == "class":
            return value
        return super().decorated(decorator, value, node)

    def calls_of(self, test: Value) -> list[Arguments]:
        """What a runner of tests calls a test with, each time."""
        key = (test.node, id(test.frame)) if isinstance(test, Function) else None
        rows = self.parameters.get(key, []) if key is not None else []
        return rows if 0 < len(rows) <= _MOST_ROWS else [Arguments(rest=DATA)]

    # -- a test's graph and sessions --

    def begin_test(self, cls: Class, node: ast.AST) -> None:
        """A test of a class begins, with an empty graph where it has one of its own: that stays as errors leave it."""
        self.outlives_errors = has_graph(cls)
        self.recorder.tests.cases[cls] = None
        if self.outlives_errors:
            self.graphs = [Thing("graph", "tf.reset_default_graph", node)]
            self.default_sessions.clear()
            self.recorder.repeated.add(node)
            self.recorder.symbols[node].add("tf.set_random_seed")

    def outside_attribute(self, value: Instance, name: str, node: ast.AST) -> Value:
        """An attribute of an object that none of its classes in the program has."""
        if not has_graph(value.cls):
            return super().outside_attribute(value, name, node)
        self.recorder.tests.cases[value.cls] = None
        if name in SESSIONS:
            return Native(name, lambda given, at: self._session_of_test(value, name, given, at))
        if name == "evaluate":
            return Native(name, lambda given, at: self._evaluated(value, given, at))
        if name.startswith("assertRaises"):
            return Native(name, self._expects)
        if name.startswith(_EVALUATING):
            return Native(name, lambda given, at: self._compares(value, given, at))
        if name.startswith(("assert", "fail", "skipTest", "subTest", "id", "get_temp_dir", "shortDescription")):
            return Native(name, lambda given, at: Thing("data", name, at))
        return super().outside_attribute(value, name, node)

    def _session_of_test(self, test: Instance, name: str, given: Arguments, node: ast.AST) -> Value:
        """A session: a new one, or the one that the test keeps."""
        graph, forced = given.get(0, "graph"), given.get(3, "force_gpu")
        if given.more:
            self.problem("session-use", node, "what a session is given is not spelled out", "write its arguments out")
        if forced is not None and not (isinstance(forced, Const) and not forced.value):
            self.problem("session-use", node, "a session forces all on a GPU", "place it by `tf.device`")
        if graph is not None and not is_none(graph) and not isinstance(graph, Thing):
            self.problem("session-use", node, "the graph of a session is not known", "give it by its name")
        has_own = isinstance(graph, Thing)
        keeps = name == "cached_session" or (name == "test_session" and not has_own)
        kept = self._kept_session(test) if keeps else None
        if kept is not None:
            return kept
        within = (("graph", real_graph(graph)),) if isinstance(graph, Thing) else ()
        made = self.session("tf.Session", Arguments((), within), node)
        if keeps:
            self.heap.write(test, _KEPT, made)
        return made

    def _kept_session(self, test: Instance) -> Value | None:
        found = self.heap.read(test, _KEPT)
        return next((each for each in options(found) if is_session(each)), None) if found is not ABSENT else None

    def _of_test(self, test: Instance, node: ast.AST) -> Value:
        """The session that a test evaluates in."""
        if self.default_sessions:
            return self.default_sessions[-1]
        kept = self._kept_session(test)
        if kept is None:
            kept = self.session("tf.Session", Arguments(), node)
            self.heap.write(test, _KEPT, kept)
        return kept

    def _evaluated(self, test: Instance, given: Arguments, node: ast.AST) -> Value:
        value = given.get(0, "tensors")
        if value is None:
            return DATA
        asked = RunArguments(value, given.place(0, "tensors"), None, None, ())
        return self.ran(self._of_test(test, node), asked, node, "run")

    def _compares(self, test: Instance, given: Arguments, node: ast.AST) -> Value:
        """An assertion: of tensors it takes the values."""
        if any(self.holds_graph(value) or self._is_unknown(value) for value in given.all()):
            session = self._of_test(test, node)
            self.runs(node)
            self.used(session, node)
            self.passed(self.graph_of(session), session)
        return NONE

    def _is_unknown(self, value: Value) -> bool:
        """Whether a value, or an item of it, may be anything."""
        inner = self.elements(value, self.frame.code)[0] if isinstance(value, Items) else ()
        return any(isinstance(option, Unknown) for each in (value, *inner) for option in options(each))

    def _expects(self, given: Arguments, node: ast.AST) -> Value:
        """`assertRaises`: it calls the function that it is given."""
        for at, value in enumerate(given.positional):
            if isinstance(value, Function | Bound | Partial):
                rest = Arguments(given.positional[at + 1 :], given.keywords, given.more, given.places[at + 1 :])
                self.call(value, rest, node)
                return NONE
        return Thing("data", "assertRaises", node)
