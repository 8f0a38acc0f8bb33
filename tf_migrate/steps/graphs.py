"""Graphs become stores of variables: where they are made, entered and used as objects."""

from __future__ import annotations

import ast

from tf_migrate.report.model import Reason
from tf_migrate.semantics.sessions import STAYS
from tf_migrate.steps.facts import RESETS
from tf_migrate.steps.part import Part
from tf_migrate.steps.sessions import STORE, graphs_given

_BEGINNING = "compat.VariableStore().enter_program()"
_DEFAULT = "tf.get_default_graph"
_BUILT = "compat.build(compat.get_default_graph)"
_CODE = "graph-object"


class GraphObjects(Part):
    """Puts stores where graphs were; what it cannot put is a reason."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for node, symbols in list(self.facts.recorder.symbols.items()):
            if node in self.facts.owners and isinstance(node, ast.Call) and symbols & RESETS:
                self.plan_of(node).replaced[node] = _BEGINNING
            elif node in self.facts.owners and _DEFAULT in symbols and isinstance(self.facts.parent(node), ast.Assign):
                # It may be the first word of the program: the graph is there once something is built.
                self.plan_of(node).replaced[node] = _BUILT  # type: ignore[index]
        for node in [node for node in self.facts.recorder.sessions if node in self.facts.owners]:
            loads = isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            if loads and "graph" in self.facts.kinds(node):
                self._use(node)  # type: ignore[arg-type]
        return self.reasons

    def _use(self, node: ast.expr) -> None:
        """One expression that gives a graph."""
        plan, parent = self.plan_of(node), self.facts.parent(node)
        made = self.facts.makes_graph(node)
        if self.facts.kinds(node) - {"graph", "none"}:
            self.refuse(_CODE, node, f"`{ast.unparse(node)}` is a graph or something else", "keep them apart")
        elif isinstance(parent, ast.Attribute) and parent.attr == "as_default":
            entered = self.facts.parent(parent)
            outer = None if entered is None else self.facts.parent(entered)
            acts = isinstance(node, ast.Call) and not made
            if isinstance(entered, ast.Call) and isinstance(outer, ast.Expr) and not acts:
                plan.dropped.add(outer)  # it enters nothing
            elif isinstance(entered, ast.Call) and isinstance(outer, ast.withitem | ast.Assign | ast.Expr):
                plan.replaced[entered] = STORE if made else ast.unparse(node)  # a store is its own context
            else:
                self.refuse(_CODE, node, "a graph is entered without `with`", "enter it by `with`")
        elif made and self._is_of_entered_session(node, parent):
            return  # `with tf.Session(graph=tf.Graph()):` enters the store itself
        elif made:
            plan.replaced[node] = STORE
            if isinstance(parent, ast.Attribute | ast.Call | ast.keyword):
                self.refuse(_CODE, node, "a graph without a name is used", "give it a name")
        elif isinstance(node, ast.Call):
            return  # a function of the program gives it
        elif self._is_object(node, parent):
            plan.replaced[node] = f"{ast.unparse(node)}.graph"

    def _is_of_entered_session(self, node: ast.expr, parent: ast.AST | None) -> bool:
        """Whether a graph is made for a session that enters it: `with tf.Session(graph=tf.Graph()):`."""
        call = self.facts.parent(parent) if isinstance(parent, ast.keyword) else parent
        if not isinstance(call, ast.Call) or not self.facts.makes_session(call) or node not in graphs_given(call):
            return False
        return STAYS in self.facts.recorder.symbols[call] or isinstance(self.facts.parent(call), ast.withitem)

    def _is_object(self, node: ast.expr, parent: ast.AST | None) -> bool:
        """Whether a graph is used as an object of TensorFlow there, and not only kept or handed on."""
        call = self.facts.parent(parent) if isinstance(parent, ast.keyword) else parent
        if isinstance(call, ast.Call) and call.func is not node:
            return not self.facts.makes_session(call) and not self.facts.callees(call)
        return isinstance(parent, ast.Attribute | ast.Compare)
