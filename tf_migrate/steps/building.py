"""Which code builds: functions that become builders, and blocks of statements in code that also runs."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tf_migrate.interpreter.recorder import FunctionNode
from tf_migrate.interpreter.scopes import bound_names
from tf_migrate.interpreter.statements import expects_error
from tf_migrate.report.model import Reason
from tf_migrate.semantics.test_cases import has_graph
from tf_migrate.steps.facts import RESETS, ProgramFacts
from tf_migrate.steps.part import Part
from tf_migrate.steps.plan import Block, ModulePlan
from tf_migrate.syntax.blocks import blocks

SCOPES = frozenset(
    (
        "tf.variable_scope",
        "tf.name_scope",
        "tf.op_scope",
        "tf.variable_op_scope",
        "tensorflow.python.framework.ops.name_scope",
    )
)
CONTEXTS = SCOPES | {
    *("tf.control_dependencies", "tf.device", "tf.colocate_with", "tf.init_scope", "tf.variable_creator_scope"),
}
"""What a statement enters that holds for what is built in it."""
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Assert, ast.Pass, ast.Delete)
_COMPOUND = (ast.With, ast.For, ast.While, ast.If, ast.Try)


class Building(Part):
    """Marks the code of a program that builds."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan]) -> None:
        super().__init__(facts, plans)
        self.ends: dict[ast.stmt, ast.stmt] = {}
        """For statements of a block of building: the last one of the block."""
        self.called: set[ast.expr] = set()
        """Calls of builders in statements that run."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for node in [node for node in self.facts.building if isinstance(node, ast.Expr) and node in self.facts.owners]:
            if expects_error(node.value) and node in self.facts.running and not self._is_in_store(node):
                self.refuse("builds-half", node, "it expects that building fails half way", "write it as a block")
        for module in self.facts.modules.values():
            if module.tree in self.facts.building:
                self._body(module.tree.body)
        for function in self.facts.functions():
            both = function in self.facts.building and (
                function in self.facts.running or function in self.facts.recorder.tests.around
            )
            if both and isinstance(function, ast.Lambda):
                self._origins(function)
            elif both and not isinstance(function, ast.Lambda):
                self._body(function.body)
            elif (
                function in self.facts.recorder.entries
                and isinstance(function, ast.FunctionDef)
                and self._is_builder(function)
            ):
                self.plan_of(function).builders.add(function)
        return self.reasons

    # -- statements --

    def _body(self, body: Sequence[ast.stmt]) -> None:
        group: list[ast.stmt] = []
        between: list[ast.stmt] = []
        for node in body:
            builds, runs = node in self.facts.building, node in self.facts.running
            if isinstance(node, ast.Import | ast.ImportFrom):
                builds = runs = False  # what it executes is in the body of its module
            if node in self.plan_of(node).dropped:
                self._group(group)
                group, between = [], []
                continue
            if self._changes_graph(node):
                self._group(group)
                group, between = [], []
                if builds and isinstance(node, _COMPOUND):
                    self._inside(node)
            elif builds and not runs and not yields(node):
                group += [*between, node]
                between = []
            elif not builds and not runs and isinstance(node, _SIMPLE) and not yields(node):
                between += [node] if group else []
            else:
                self._group(group)
                group, between = [], []
                if builds:
                    self._inside(node)
        self._group(group)

    def _changes_graph(self, node: ast.stmt) -> bool:
        """Whether a statement begins another graph, or enters one."""
        if isinstance(node, ast.With):
            enters = [self._enters(item) for item in node.items]
            return any(enters) or node in self.plan_of(node).unwrapped or self._enters_by_method(node)
        symbols = self.facts.recorder.symbols
        return any(symbols.get(inner, set()) & (RESETS | {"tf.Graph"}) for inner in ast.walk(node))

    def _enters(self, item: ast.withitem) -> bool:
        call = item.context_expr
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return False
        return call.func.attr == "as_default" and "graph" in self.facts.kinds(call.func.value)

    def _enters_by_method(self, node: ast.With) -> bool:
        """Whether an object of the program enters a graph where it is entered itself, by its `__enter__`."""
        recorder = self.facts.recorder
        return any(
            node in extent and any(getattr(each, "name", "") == "__enter__" for each in self.facts.around(place))
            for place, extent in recorder.entered.items()
            if place in self.facts.owners
        )

    def _group(self, group: list[ast.stmt]) -> None:
        """Makes a block of statements that build, or builders of the functions that they call."""
        if not group:
            return
        if any(self._enters_context(node) or self._expects_error(node) for node in group):
            self._block(group)
            return
        called: set[ast.FunctionDef] = set()
        for statement in group:
            for inner in ast.walk(statement):
                for origin in self.facts.recorder.made.get(inner, ()):
                    if isinstance(inner, ast.stmt):
                        functions = self._builders_called(origin)
                        if functions is None:
                            self._block(group)
                            return
                        called |= functions
        for function in called:
            self.plan_of(function).builders.add(function)

    def _block(self, group: Sequence[ast.stmt]) -> None:
        """Makes a block of what builds, without the definitions and plain statements around that."""
        making = [node for node in group if self._makes(node)]
        if making:
            self.plan_of(group[0]).blocks.append(Block(making[0], making[-1]))
        self.ends.update(dict.fromkeys(group, group[-1]))

    def _makes(self, node: ast.stmt) -> bool:
        """Whether a statement builds itself, and does not only define a function that does."""
        defines = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        return bool(self.facts.recorder.made.get(node)) if defines else node in self.facts.building

    def _enters_context(self, node: ast.stmt) -> bool:
        """Whether a statement enters something that holds for what is built: a scope, a device, what comes first."""
        symbols = self.facts.recorder.symbols
        return any(
            not symbols.get(inner, set()).isdisjoint(CONTEXTS)
            for statement in ast.walk(node)
            if isinstance(statement, ast.With)
            for item in statement.items
            for inner in ast.walk(item.context_expr)
        )

    def _is_in_store(self, node: ast.AST) -> bool:
        """Whether a statement is of a test whose graph stays as errors leave it."""
        cases = {one.node for cls in self.facts.recorder.tests.cases if has_graph(cls) for one in cls.mro}
        return not cases.isdisjoint(self.facts.around(node))

    def _expects_error(self, node: ast.stmt) -> bool:
        """Whether a statement expects that building raises: it does so inside of the block, which ends as others do."""
        items = (item for inner in ast.walk(node) if isinstance(inner, ast.With) for item in inner.items)
        calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Expr))
        return any(expects_error(item.context_expr) for item in items) or any(
            expects_error(each.value) for each in calls
        )

    def _builders_called(self, origin: ast.AST) -> set[ast.FunctionDef] | None:
        """The functions that a call runs, where they only build and can be marked; None elsewhere."""
        callees = self.facts.callees(origin)
        if not isinstance(origin, ast.Call) or not callees or origin in self.facts.recorder.unresolved:
            return None
        if not all(self._is_builder(function) for function in callees):
            return None
        return {function for function in callees if isinstance(function, ast.FunctionDef)}

    def _is_builder(self, function: FunctionNode) -> bool:
        return (
            isinstance(function, ast.FunctionDef)
            and function in self.facts.owners
            and self.facts.is_pure(function)
            and not bound_names(function).generates
            and not self._enters_graph(function)
        )

    def _enters_graph(self, function: ast.FunctionDef) -> bool:
        return any(
            self._changes_graph(node)
            for node in ast.walk(function)
            if isinstance(node, ast.stmt) and node is not function
        )

    # -- statements that build and run --

    def _inside(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._origins(node)
            if isinstance(node, ast.ClassDef):
                self._body(node.body)
            return
        self._origins(node)
        for block in (*blocks(node), *(handler.body for handler in getattr(node, "handlers", ()))):
            self._body(block)

    def _origins(self, node: ast.stmt | ast.Lambda) -> None:
        """The places of a statement, or of a lambda, that build where something runs too."""
        made = {origin for origin in self.facts.recorder.made.get(node, ()) if origin in self.facts.owners}
        holders = {origin: self._holder(origin, made) for origin in made}
        for origin in [origin for origin, holder in holders.items() if holder is None]:
            self._origin(node, origin, origin in holders.values())

    def _holder(self, origin: ast.AST, made: set[ast.AST]) -> ast.AST | None:
        """The expression that builds an argument of its own by itself: none where something runs in between."""
        for outer in self.facts.around(origin):
            if isinstance(outer, ast.stmt | ast.Lambda) or self._runs(outer):
                return None
            if outer in made:
                return outer
        return None

    def _calls_what_runs(self, origin: ast.AST) -> bool:
        """Whether a call calls functions that run: what its arguments build is not built by them."""
        callees = self.facts.callees(origin)
        return origin not in self.facts.recorder.unresolved and not self.facts.running.isdisjoint(callees)

    def runs_inside(self, node: ast.AST) -> bool:
        """Whether something in an expression runs."""
        return any(map(self._runs, ast.walk(node)))

    def _runs(self, node: ast.AST) -> bool:
        return node in self.facts.recorder.ran or not self.facts.running.isdisjoint(self.facts.callees(node))

    def _origin(self, node: ast.stmt | ast.Lambda, origin: ast.AST, within: bool) -> None:
        """One place of a statement that builds, in a statement that also runs; `within` where its parts build too."""
        if self._is_gone(origin) or self.facts.at_once.intersection([origin, *self.facts.around(origin)]):
            return
        if origin is node and self._enters_what_builds(node):
            return
        runs = self.runs_inside(origin)
        if self._calls_builders(origin):
            if not within or self._calls_what_runs(origin):
                if isinstance(origin, ast.expr) and not runs:
                    self.called.add(origin)
                return
        elif isinstance(origin, ast.Call) and not within:
            self.plan_of(origin).built.add(origin)  # its arguments are there before it builds
            return
        if isinstance(origin, ast.expr) and not runs and self._can_be_lambda(origin):
            self.plan_of(origin).built.add(origin)
            self.plan_of(origin).built_whole.add(origin)
            return
        self.refuse(
            "builds-and-runs",
            origin if hasattr(origin, "lineno") else node,
            "one statement builds and runs",
            "build in a statement of its own before it runs",
        )

    def _calls_builders(self, origin: ast.AST) -> bool:
        """Whether an expression is a call of functions of the program which build by themselves: they are marked."""
        callees = self.facts.callees(origin)
        if not callees or origin in self.facts.recorder.unresolved:
            return False
        functions = [function for function in callees if function in self.facts.building]
        if not all(self._is_builder(each) or each in self.facts.running for each in functions):
            return False
        for function in functions:
            if self._is_builder(function) and isinstance(function, ast.FunctionDef):
                self.plan_of(function).builders.add(function)
        return True

    def _enters_what_builds(self, node: ast.AST) -> bool:
        """Whether what a statement makes without a call is made by properties, operators and generators.

        Those that run too have their blocks, the others are marked.
        """
        functions = self.facts.recorder.entering.get(node, set())
        builders = [function for function in functions if function not in self.facts.running]
        if not functions or not all(isinstance(each, ast.FunctionDef) and self._is_builder(each) for each in builders):
            return False
        for function in builders:
            if isinstance(function, ast.FunctionDef):
                self.plan_of(function).builders.add(function)
        return all(function in self.facts.owners for function in functions)

    def _can_be_lambda(self, node: ast.expr) -> bool:
        """Whether an expression means the same in a function of its own."""
        binds = ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await | ast.Starred
        if any(isinstance(inner, binds) for inner in ast.walk(node)):
            return False
        scopes = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
        around = next((outer for outer in self.facts.around(node) if isinstance(outer, scopes)), None)
        return not isinstance(around, ast.ClassDef)

    def _is_gone(self, origin: ast.AST) -> bool:
        if origin not in self.facts.owners:
            return False
        return origin in self.facts.folded or self.facts.statement(origin) in self.plan_of(origin).dropped


def yields(node: ast.stmt) -> bool:
    """Whether a generator gives way to others in a statement."""
    pending: list[ast.AST] = [node]
    while pending:
        inner = pending.pop()
        if isinstance(inner, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            pending += ast.iter_child_nodes(inner)
    return False
