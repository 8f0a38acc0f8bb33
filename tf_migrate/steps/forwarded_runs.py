"""Calls of functions that only run what they are given: each can be a run by itself.

`tflib.run(loss, feed)` becomes a step where `tflib.run` does nothing else; the function stays for those who call it
with what nobody knows.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tf_migrate.interpreter.recorder import Observation
from tf_migrate.semantics.forwarding import prelude
from tf_migrate.steps.part import Part


class ForwardedRuns(Part):
    """Finds the calls that are as good as runs, once it is known which statements go."""

    def calls(self) -> dict[ast.Call, list[Observation]]:
        """The calls, with what was seen of them."""
        found = {
            call: [each for each in seen if not each.never] or seen
            for call, seen in self.facts.recorder.forwarded.items()
            if call in self.facts.owners and self._is_run(call)
        }
        return dict(sorted(found.items(), key=lambda item: (self.facts.owners[item[0]].name, item[0].lineno)))

    def _is_run(self, call: ast.Call) -> bool:
        """Whether a call calls nothing but a function whose run is all that it does."""
        callees = [*self.facts.callees(call)]
        if len(callees) != 1 or call in self.facts.recorder.unresolved or call in self.facts.sites:
            return False
        function = callees[0]
        if not isinstance(function, ast.FunctionDef) or function not in self.facts.owners:
            return False
        last = function.body[-1]
        inner = last.value if isinstance(last, ast.Return | ast.Expr) else None
        if not isinstance(inner, ast.Call) or inner in self.facts.removed or not self._goes(prelude(function)):
            return False
        return inner in self.facts.sites or (inner in self.facts.recorder.forwarded and self._is_run(inner))

    def _goes(self, body: Sequence[ast.stmt], depth: int = 3) -> bool:
        """Whether nothing is left of some statements."""
        return all(node in self.plan_of(node).dropped or self._calls_nothing(node, depth) for node in body)

    def _calls_nothing(self, node: ast.stmt, depth: int) -> bool:
        """Whether a statement does nothing, or only calls functions of which nothing is left."""
        if isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            return True
        call = node.value if isinstance(node, ast.Expr) else None
        if not depth or not isinstance(call, ast.Call) or call.args or call.keywords:
            return False
        callees = self.facts.callees(call)
        return (
            bool(callees)
            and call not in self.facts.recorder.unresolved
            and all(
                isinstance(each, ast.FunctionDef)
                and each in self.facts.owners
                and not each.decorator_list
                and self._goes(each.body, depth - 1)
                for each in callees
            )
        )
