"""Tests for sessions: what asks whether there is one goes with what it decides, or goes on to ask for a flag.

`if sess is None: sess = tf.Session()` goes. Where a function does something else when it is given none, its parameter
stays, and those who gave it a session give it True.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tf_migrate.report.model import Reason
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.part import Part
from tf_migrate.steps.plan import ModulePlan
from tf_migrate.syntax.none_tests import none_test
from tf_migrate.syntax.own_nodes import every_node

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class SessionTests(Part):
    """Takes the tests for sessions out of a program, or leaves them as tests for a flag."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan]) -> None:
        super().__init__(facts, plans)
        self.flags: set[ast.arg] = set()
        """Parameters that tell whether a session was given."""
        self._tests: dict[ast.expr, ast.expr] = {}
        self._gone = {fold.test.test for fold in facts.folds}

    def takes(self, node: ast.expr) -> bool:
        """Whether a session is only asked for, by an expression: that is kept as a test."""
        test = node
        while isinstance(outer := self.facts.parent(test), ast.Compare | ast.UnaryOp):
            test = outer
        asked, _ = none_test(test) or (None, None)
        bare = test is node and not (
            isinstance(outer, ast.If | ast.IfExp | ast.Assert | ast.While) and outer.test is test
        )
        if asked is not node or bare:
            return False
        if test not in self._gone:
            self._tests[test] = node
        return True

    def plan(self) -> list[Reason]:
        """Fills the plans, once all else that is done with sessions has gone; gives what stands in the way."""
        for test, asked in self._tests.items():
            outer = self.facts.parent(test)
            if isinstance(outer, ast.stmt) and self._goes(outer, test, asked):
                self.plan_of(test).dropped.add(outer)
            elif self._chooses_session(test):
                continue  # what it chooses goes, and the choice with it
            elif not self._keep_as_name(test, asked) and not self._keep_as_parameter(asked):
                self.refuse("session-use", test, f"`{ast.unparse(test)}` decides something", "decide by something else")
        return self.reasons

    def _chooses_session(self, test: ast.expr) -> bool:
        """Whether a test stands in an expression that gives a session: `sess if sess is not None else tf.Session()`."""
        outer = self.facts.parent(test)
        return isinstance(outer, ast.IfExp) and outer.test is test and self.facts.kinds(outer) == {"session"}

    def _goes(self, outer: ast.stmt, test: ast.expr, asked: ast.expr) -> bool:
        """Whether a statement goes with its test: nothing is left of what it decides."""
        _, if_none = none_test(test) or (None, True)
        if isinstance(outer, ast.Assert):
            return not if_none and self._is_given(asked)
        if not isinstance(outer, ast.If):
            return False
        plan = self.plan_of(outer)
        dropped, inside = plan.dropped, set(ast.walk(outer))
        if any(each.anchor in inside for each in plan.inserted):
            return False
        taken = outer.orelse if if_none else outer.body
        if self._only_leaves(outer, if_none):
            return True
        never_none = self.facts.kinds(asked) == {"session"}
        return dropped.issuperset(taken if never_none else [*outer.body, *outer.orelse])

    def _only_leaves(self, outer: ast.If, if_none: bool) -> bool:
        """Whether a function is left where there is a session already, and does nothing but make one behind that."""
        block = getattr(self.facts.parent(outer), "body", ())
        leaves = [ast.unparse(node) for node in outer.body] == ["return"] and not outer.orelse
        if if_none or not leaves or outer not in block:
            return False
        return self.plan_of(outer).dropped.issuperset(block[block.index(outer) + 1 :])

    def _is_given(self, asked: ast.expr) -> bool:
        """Whether it always is a session, as all calls of a function give their parameter one."""
        parameter, function = self._parameter(asked), self.facts.owners[asked].function_of(asked)
        if parameter is None:
            return self.facts.kinds(asked) == {"session"}
        calls = [callees[function] for callees in self.facts.recorder.callees.values() if function in callees]
        places = [place for mapping in calls for place, became in mapping.items() if became is parameter]
        return len(places) == len(calls) and all(self.facts.kinds(place) == {"session"} for place in places)

    def _keep_as_name(self, test: ast.expr, asked: ast.expr) -> bool:
        """Whether a name tells whether a session was made: then it tells the same of what is set up beside it."""
        outer, plan, text = self.facts.parent(test), self.plan_of(test), ast.unparse(asked)
        if not isinstance(outer, ast.If) or outer.orelse:
            return False
        made = [
            node
            for node in every_node(self.facts.owners[test].tree)
            if isinstance(node, ast.Assign) and any(ast.unparse(target) == text for target in node.targets)
            if node in plan.dropped or plan.replaced.get(node.value) == "True"
        ]
        if not made or any(self.facts.kinds(node.value) != {"session"} for node in made):
            return False
        for node in made:
            plan.dropped.discard(node)
            plan.replaced[node.value] = "True"
        return True

    # -- parameters --

    def _keep_as_parameter(self, asked: ast.expr) -> bool:
        """Whether a parameter can go on to tell whether something was given; it is kept as a flag then."""
        parameter = self._parameter(asked)
        flags: set[ast.arg] = set()
        pending = [] if parameter is None else [parameter]
        while pending:
            one = pending.pop()
            if one in flags:
                continue
            flags.add(one)
            forwarding = self._forwarding(one)
            if forwarding is None or not self._is_asked_first(one):
                return False
            pending += forwarding
        self.flags |= flags
        return bool(flags)

    def _forwarding(self, parameter: ast.arg) -> list[ast.arg] | None:
        """The parameters that are handed on to one; None where something else may be given than a session or None."""
        found: list[ast.arg] = []
        for callees in self.facts.recorder.callees.values():
            for mapping in callees.values():
                for place in [place for place, became in mapping.items() if became is parameter]:
                    if place not in self.facts.owners or not self.facts.kinds(place) <= {"session", "none"}:
                        return None
                    if self.facts.kinds(place) == {"session", "none"}:
                        handed = self._parameter(place)
                        if handed is None:
                            return None
                        found.append(handed)
        return found

    def _parameter(self, node: ast.expr) -> ast.arg | None:
        """The parameter that a name means."""
        function = self.facts.owners[node].function_of(node)
        if not isinstance(node, ast.Name) or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        return next((each for each in _parameters(function) if each.arg == node.id), None)

    def _is_asked_first(self, parameter: ast.arg) -> bool:
        """Whether a parameter is asked for, and handed on, before its name means anything else."""
        function = self.facts.parent(self.facts.parent(parameter) or parameter)
        if function is None:
            return False
        uses = [node for node in every_node(function) if isinstance(node, ast.Name) and node.id == parameter.arg]
        bound = [node.lineno for node in uses if not isinstance(node.ctx, ast.Load)]
        asked = [node for node in uses if node in self._handed_on or node in self._tests.values()]
        if not bound:
            return True
        loops = any(isinstance(outer, _LOOPS) for node in asked for outer in self.facts.around(node))
        return not loops and all(node.lineno <= min(bound) for node in asked)

    @cached_property
    def _handed_on(self) -> set[ast.expr]:
        """What is given to functions of the program."""
        every = self.facts.recorder.callees.values()
        return {place for callees in every for mapping in callees.values() for place in mapping}


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.arg]:
    yield from (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
