"""What gives a run its session and does more: `get().run(f)`, where `get` prints, counts, or begins a new session.

The run goes, and its session with it; the call that gave it stays as a statement before the run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.interpreter.recorder import FunctionNode
from tf_migrate.report.model import Reason
from tf_migrate.steps.part import Part
from tf_migrate.steps.plan import Insertion
from tf_migrate.steps.sessions import TAKING
from tf_migrate.syntax.run_texts import root_of

_SILENT = (ast.Pass, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
_OPTIONS = frozenset({"ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions"})
"""What is made for a session alone."""
_LATER = (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.IfExp, ast.BoolOp)
"""What computes its parts later than its place says, more than once, or not at all."""


class SessionCalls(Part):
    """Keeps such calls, once it is known what of their functions goes."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        last: ast.stmt | None = None
        lost = [node for node in self.facts.recorder.sessions if isinstance(node, ast.expr) and self._is_lost(node)]
        for call in sorted(filter(self._does_more, lost), key=_place):
            statement = self.facts.statement(call)
            if statement is last or not self._comes_first(call, statement):
                self.refuse(
                    "session-call",
                    call,
                    f"`{ast.unparse(call)}` does more than give a session",
                    "call it in a statement of its own",
                )
                continue
            last = statement
            self.plan_of(call).inserted.append(Insertion(ast.unparse(call), statement, before=True))
        return self.reasons

    def _is_lost(self, node: ast.AST) -> bool:
        """Whether nothing is left of what gave a session: it was the session of a run, was entered, or handed on."""
        if node not in self.facts.owners or not self._functions(node):
            return False
        plan, chain = self.plan_of(node), [node]
        while isinstance(outer := self.facts.parent(chain[-1]), ast.Attribute | ast.keyword | ast.withitem) or (
            isinstance(outer, ast.Call) and outer.func is chain[-1]
        ):
            chain.append(outer)
        if any(each in self.facts.sites for each in (*chain[1:], outer)):
            return True
        gone: set[ast.AST] = {
            *plan.dropped_arguments,
            *plan.replaced,
            *plan.dropped_items,
            *plan.dropped,
            *plan.unwrapped,
        }
        return not gone.isdisjoint((*chain, outer, self.facts.statement(node)))

    def _functions(self, node: ast.AST) -> set[FunctionNode]:
        """The functions of the program that a call, or a property, calls."""
        return {*self.facts.callees(node), *self.facts.recorder.properties.get(node, ())} & self.facts.owners.keys()

    def _does_more(self, call: ast.AST, known: frozenset[FunctionNode] = frozenset()) -> bool:
        """Whether what a call calls still does something."""
        return any(
            self._gives_more(each.body, known | {each})
            if isinstance(each, ast.Lambda)
            else self._acts(each.body, known | {each})
            for each in self._functions(call) - known
        )

    def _acts(self, block: Sequence[ast.stmt], known: frozenset[FunctionNode]) -> bool:
        return any(self._statement_acts(node, known) for node in block)

    def _statement_acts(self, node: ast.stmt, known: frozenset[FunctionNode]) -> bool:
        plan = self.plan_of(node)
        if any(each.anchor is node for each in plan.inserted):
            return True
        if node in plan.dropped or isinstance(node, _SILENT):
            return False
        if isinstance(node, ast.Return):
            return node.value is not None and self._gives_more(node.value, known)
        if isinstance(node, ast.Assign):
            return plan.replaced.get(node.value) != "True" and not self._is_of_options(node)
        if isinstance(node, ast.Expr):
            return not isinstance(node.value, ast.Constant)
        if isinstance(node, ast.If):
            return self._gives_more(node.test, known) or self._acts([*node.body, *node.orelse], known)
        if isinstance(node, ast.With) and node in plan.unwrapped:
            return self._acts(node.body, known)
        return True

    def _gives_more(self, node: ast.expr, known: frozenset[FunctionNode]) -> bool:
        """Whether to compute an expression does something, but for the session that it makes."""
        return any(
            self._does_more(each, known) if self._functions(each) else not self._only_gives(each)
            for each in ast.walk(node)
            if isinstance(each, ast.Call) or self._functions(each)
        )

    def _only_gives(self, call: ast.AST) -> bool:
        """Whether a library's call gives a session and does nothing else: `tf.Session()`, not `pool.pop()`."""
        taking = isinstance(call, ast.Call) and getattr(call.func, "attr", "") in TAKING
        return self.facts.kinds(call) == {"session"} and not taking

    def _is_of_options(self, node: ast.Assign) -> bool:
        """Whether a local name is given options of a session, or an option its value."""
        function = self.facts.owners[node].function_of(node)
        shared = {
            name
            for each in ([] if function is None else ast.walk(function))
            if isinstance(each, ast.Global | ast.Nonlocal)
            for name in each.names
        }
        calls = [each for each in ast.walk(node.value) if isinstance(each, ast.Call)]
        roots = list(map(root_of, node.targets))
        return all(getattr(each.func, "attr", "") in _OPTIONS for each in calls) and all(
            root is not None and root not in shared | {"self", "cls"} for root in roots
        )

    def _comes_first(self, call: ast.expr, statement: ast.stmt) -> bool:
        """Whether a statement begins with a call, so that it may as well be made before that."""
        around = set[ast.AST]()
        for place in self.facts.around(call):
            if place is statement:
                break
            around.add(place)
        if isinstance(statement, ast.While) or any(isinstance(each, _LATER) for each in around):
            return False
        outer = self.facts.parent(statement)
        if isinstance(statement, ast.If) and isinstance(outer, ast.If) and outer.orelse == [statement]:
            return False
        own = set(ast.walk(call))
        return not any(each not in own | around for each in self._calls_before(call, statement))

    def _calls_before(self, call: ast.expr, statement: ast.stmt) -> Iterator[ast.Call]:
        for each in ast.walk(statement):
            if isinstance(each, ast.Call) and _place(each) < _place(call):
                yield each


def _place(node: ast.expr) -> tuple[int, int, int]:
    return node.lineno, node.col_offset, node.end_col_offset or 0
