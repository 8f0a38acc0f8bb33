"""Graphs become stores of variables: where they are made, entered and used as objects."""

from __future__ import annotations

import ast

from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.plan import ModulePlan, Reason

_STORE = "compat.VariableStore()"
_BEGINNING = "compat.VariableStore().enter_program()"
_RESETS = frozenset({"tf.reset_default_graph", "tensorflow.python.framework.ops.reset_default_graph"})
_PATHS = ast.Name | ast.Attribute | ast.Subscript


class GraphObjects:
    """Puts stores where graphs were; what it cannot put is a reason."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan]) -> None:
        self.facts = facts
        self.plans = plans
        self.reasons: list[Reason] = []

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for node, symbols in list(self.facts.recorder.symbols.items()):
            if node in self.facts.owners and isinstance(node, ast.Call) and symbols & _RESETS:
                self._plan(node).replaced[node] = _BEGINNING
        for node in [node for node in self.facts.recorder.sessions if node in self.facts.owners]:
            loads = isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            if loads and "graph" in self.facts.kinds(node):
                self._use(node)  # type: ignore[arg-type]
        return self.reasons

    def _plan(self, node: ast.AST) -> ModulePlan:
        return self.plans[self.facts.owners[node].name]

    def _refuse(self, node: ast.AST, message: str, next_step: str) -> None:
        module = self.facts.owners[node]
        line, _ = module.source.place(getattr(node, "lineno", 1))
        self.reasons.append(Reason("graph-object", module.path, line, message, next_step))

    def _use(self, node: ast.expr) -> None:
        """One expression that gives a graph."""
        plan, parent = self._plan(node), self.facts.parent(node)
        symbols = self.facts.recorder.symbols
        made = isinstance(node, ast.Call) and "tf.Graph" in symbols.get(node, ())
        if self.facts.kinds(node) - {"graph", "none"}:
            self._refuse(node, f"`{ast.unparse(node)}` is a graph or something else", "keep them apart")
        elif isinstance(parent, ast.Attribute) and parent.attr == "as_default":
            entered = self.facts.parent(parent)
            item = None if entered is None else self.facts.parent(entered)
            if not isinstance(entered, ast.Call) or not isinstance(item, ast.withitem):
                self._refuse(node, "a graph is entered without `with`", "enter it by `with`")
                return
            plan.replaced[entered] = _STORE if made else ast.unparse(node)
        elif made:
            plan.replaced[node] = _STORE
            if isinstance(parent, ast.Attribute | ast.Call | ast.keyword):
                self._refuse(node, "a graph without a name is used", "give it a name")
        elif isinstance(node, ast.Call):
            return  # a function of the program gives it
        elif self._is_object(node, parent):
            plan.replaced[node] = f"{ast.unparse(node)}.graph"

    def _is_object(self, node: ast.expr, parent: ast.AST | None) -> bool:
        """Whether a graph is used as an object of TensorFlow there, and not only kept or handed on."""
        call = self.facts.parent(parent) if isinstance(parent, ast.keyword) else parent
        if isinstance(call, ast.Call) and call.func is not node:
            makes_session = any(symbol.endswith("Session") for symbol in self.facts.recorder.symbols.get(call, ()))
            return not makes_session and not self.facts.callees(call)
        return isinstance(parent, ast.Attribute | ast.Compare)
