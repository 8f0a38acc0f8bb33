"""One execution of a program: from its script to the end, over abstract values."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager

from tf_migrate.interpreter.core import MOST_STATEMENTS, Exhausted, is_none
from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    Arguments,
    Bound,
    Class,
    Frame,
    Function,
    Thing,
    Value,
    join,
    options,
)
from tf_migrate.names.exports import Index
from tf_migrate.semantics.test_cases import is_test_case
from tf_migrate.semantics.variable_scopes import VariableScopes
from tf_migrate.syntax.run_texts import names_session

_RECURSION_LIMIT = 20_000
_TESTS = 4
"""How many times as long as a script the tests of a module may be."""
_SHORTEST = 1_000
"""Statements that a test may have, however long others of its class are."""


class Machine(VariableScopes):
    """Executes one entry of a tree and keeps in a recorder what it showed."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        self.early = {}
        self.raised = []
        self.caught = []
        self.initializing = set()
        self._handed = set()
        self._owners = {}
        self._summaries = {}
        self._spent = defaultdict(int)
        self._learnt = set()
        self._methods = {}
        self.function_attributes = {}
        self.made_sessions = []
        self.hooked = {}
        self.raw_sessions = set()
        self.ages = {}
        self.parameters = {}
        self.made_by = {}
        self.instances = []
        self.closures = {}
        self._seen = set()

    def run_script(self, name: str) -> Frame | None:
        """Executes a module as the script of a program; what the budget does not reach is a problem of the program."""
        self.script = name
        with self._within_budget(name, None, "the program", "split it into scripts", lambda: True):
            return self.load_module(name)
        return None

    @contextmanager
    def _within_budget(
        self, name: str, node: ast.AST | None, what: str, next_step: str, is_needed: Callable[[], bool]
    ) -> Iterator[None]:
        """Executes something of a module: one program's bad luck must not lose the others.

        Where the budget ends it, and what it did not reach `is_needed`, that is a problem, as an internal error is.
        """
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
        try:
            yield
        except (Exhausted, RecursionError):
            if name in self.modules and is_needed():
                module = self.modules[name].module
                self.recorder.problem(
                    "budget", module, node or module.tree, f"{what} is too long to be followed", next_step
                )
        except Exception as error:
            if name in self.modules:
                place = self.stack[-1].statements[-1:] if self.stack else []
                module = self.stack[-1].module if place else self.modules[name].module
                message = f"internal error ({type(error).__name__})"
                at = place[0] if place else node or module.tree
                self.recorder.problem("internal", module, at, message, "please report it with the file")
        finally:
            sys.setrecursionlimit(limit)
            self.stack, self.caught = [], []

    def run_tests(self, name: str, left_out: Set[ast.AST] = frozenset()) -> None:
        """Executes the tests of a module, each on an object of its own, behind what sets it up.

        What a runner of tests gives a function (fixtures, parameters) is not known: such functions are left out, and
        so are the tests that are to be.
        """
        frame = self.modules.get(name)
        if frame is None:
            return
        budget = _TESTS * MOST_STATEMENTS
        for value in list(frame.slots.values()):
            if isinstance(value, Class) and value.node is not None and is_test_case(value):
                budget = self._run_case(value, frame, budget, left_out)

    def _run_case(self, cls: Class, frame: Frame, budget: int, left_out: Set[ast.AST]) -> int:
        """Executes the tests of a class; gives how many statements are left for those of others."""
        methods = {key for one in cls.mro for key in one.slots if isinstance(key, str)}
        tests = sorted(name for name in methods if name.startswith("test"))
        begun, most = False, MOST_STATEMENTS // 4
        for test in tests:
            method, _ = self.lookup(cls, test)
            if isinstance(method, Function) and method.node in left_out:
                continue
            for given in self.calls_of(method):
                most = min(budget, most)
                self.give(most)
                around = ["setUp", test, "tearDown"] if begun else ["setUpClass", "setUp", test, "tearDown"]
                self._run_test(cls, frame, around, given)
                begun = True
                budget -= most - max(0, self.left)
                if self.left < 0:
                    most = max(most // 4, _SHORTEST)  # others of the class may be as long
        return budget

    def _run_test(self, cls: Class, frame: Frame, methods: Sequence[str], given: Arguments) -> None:
        code = cls.node or frame.code
        test, _ = self.lookup(cls, methods[-2])
        self.stack = [frame]
        self.begin_test(cls, code)

        def blames_test() -> bool:
            self.recorder.tests.current = test.node if isinstance(test, Function) else None
            return True

        with self._within_budget(frame.module.name, code, f"`{methods[-2]}`", "split it", blames_test):
            made = self.call(cls, Arguments(), code)
            for name in methods:
                method = self.attribute(cls if name == "setUpClass" else made, name, code)
                if isinstance(method, Bound):
                    function, is_test = method.function, name == methods[-2]
                    self.recorder.tests.current = function.node if is_test and isinstance(function, Function) else None
                    if isinstance(function, Function):
                        (self.recorder.entries if is_test else self.recorder.tests.around).add(function.node)
                    self.call(method, given if is_test else Arguments(), code)
        self.recorder.tests.current = None

    def run_function(self, module: str, path: Sequence[str], is_unseen: Callable[[], bool]) -> None:
        """Calls a function or method that no script of the tree calls, with arguments that nobody knows.

        It is left out where nothing of it `is_unseen` any more, once there is an object of its class.
        """
        frame = self.modules.get(module) or self.run_script(module)
        if frame is None:
            return
        self.give(MOST_STATEMENTS // 4)
        self.stack = [frame]
        node = _definition(frame.module.tree, path)
        with self._within_budget(module, node, f"`{'.'.join(path)}`", "split it", is_unseen):
            self._called(frame, path, is_unseen)

    def _called(self, frame: Frame, path: Sequence[str], is_unseen: Callable[[], bool]) -> None:
        value: Value = frame
        for name in path:
            if isinstance(value, Class):
                value = self._object_of(value)
            value = self.attribute(value, name, frame.code)
        value = self._as_method(value, frame)
        for anything in (False, True):
            if is_unseen():
                self._guess(value, frame, is_unseen, anything=anything)

    def _as_method(self, value: Value, frame: Frame) -> Value:
        """A function as the method of an object, where a class of the program has it: `predict = flow.predict`."""
        if not isinstance(value, Function):
            return value
        classes = (each for module in self.modules.values() for each in module.slots.values())
        slots = ((cls, *slot) for cls in classes if isinstance(cls, Class) for slot in cls.slots.items())
        for cls, name, held in slots:
            if isinstance(held, Function) and held.node is value.node:
                return self.attribute(self._object_of(cls), str(name), frame.code)
        return value

    def run_closure(self, module: str, node: ast.AST, is_unseen: Callable[[], bool]) -> None:
        """Calls what a definition made that nothing was seen to call: a lambda, or a function within another."""
        frame, function = self.modules.get(module), self.closures.get(node)
        if frame is None or function is None:
            return
        self.give(MOST_STATEMENTS // 4)
        self.stack = [frame]
        with self._within_budget(module, node, f"`{function.name}`", "split it", is_unseen):
            self._guess(function, frame, is_unseen)

    def _guess(self, value: Value, frame: Frame, is_unseen: Callable[[], bool], *, anything: bool = False) -> None:
        """Calls a function with arguments that nobody knows; with `anything` those that may be left out too."""
        function = value.function if isinstance(value, Bound) else value
        if isinstance(function, Function):
            spec, code = function.node.args, frame.code
            names = [each.arg for each in (*spec.posonlyargs, *spec.args)][isinstance(value, Bound) :]
            needed = len(names) - len(function.defaults)
            given = tuple(self._given(name, code) for name in names[:needed])
            optional = [
                *zip(names[needed:], function.defaults, strict=False),
                *zip((each.arg for each in spec.kwonlyargs), function.keyword_defaults, strict=True),
            ]
            named = tuple(
                (name, self._given(name, code) if default is None else join(default, self._given(name, code)))
                for name, default in optional
                if default is None or anything or (names_session(name) and is_none(default))
            )
            self.recorder.entries.add(function.node)
            self.guesses += 1
            try:
                _, log = self.heap.attempt(
                    lambda: self._called_through(value, Arguments(given, named, rest=DATA), is_unseen, frame.code)
                )
            finally:
                self.guesses -= 1
            if isinstance(value, Bound):
                # The next method finds what this one made; what it made anew may be as it was.
                first = {place: row for place, row in log.items() if _is_unset(row[0].slots.get(row[1], ABSENT))}
                self.heap.merge([first])
                self.heap.merge([{place: row for place, row in log.items() if place not in first}], exhaustive=False)

    def _called_through(self, function: Value, given: Arguments, is_unseen: Callable[[], bool], node: ast.AST) -> None:
        """Calls a function, and what functions it gives: those of a decorator that nothing uses."""
        for found in options(self.call(function, given, node)):
            if isinstance(found, Function) and is_unseen():
                self.hand_over(found, node)

    def _object_of(self, cls: Class) -> Value:
        made = [each for each in self.instances if cls in each.cls.mro]
        if made:
            return made[-1]
        constructor, _ = self.lookup(cls, "__init__")
        given: tuple[Value, ...] = ()
        if isinstance(constructor, Function):
            code = constructor.node
            given = tuple(self._given(each.arg, code) for each in code.args.args[1:])
            self.recorder.entries.add(code)
        return self.call(cls, Arguments(given), cls.node or self.frame.code)

    def _given(self, name: str, node: ast.AST) -> Value:
        """An argument: of what is called a session, a session."""
        if names_session(name):
            return Thing("session", "tf.Session", node, self.graph)
        return DATA


def _definition(node: ast.AST, path: Sequence[str]) -> ast.AST:
    """The function or method of these names."""
    for name in path:
        inside = (each for each in ast.walk(node) if isinstance(each, ast.FunctionDef | ast.ClassDef))
        node = next((each for each in inside if each.name == name), node)
    return node


def _is_unset(value: Value) -> bool:
    """Whether nothing is bound, or None until something is made."""
    return value is ABSENT or is_none(value)
