"""The way through a script: its statements in order, each with its stage, and its runs.

`with tf.Session()` dissolves into the straight line of the script. Loops, conditions and `try` stay what they are;
inside them, and inside functions, a session may run, but the graph may not grow.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tf_migrate.names.building import main_guard
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Users
from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.blocks import stays
from tf_migrate.stages.containers import list_changed
from tf_migrate.stages.contexts import Kind, context_of
from tf_migrate.stages.entrances import entrances
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.freezing import analyse_freezing, names_what_is_frozen
from tf_migrate.stages.functions import mentions_graph
from tf_migrate.stages.input_functions import input_functions
from tf_migrate.stages.iterating import initializes_variables
from tf_migrate.stages.layer_objects import require_named
from tf_migrate.stages.monitored import monitor
from tf_migrate.stages.objects import class_obstacle, object_classes
from tf_migrate.stages.options import session_options
from tf_migrate.stages.restarts import Restart, restart
from tf_migrate.stages.runs import analyse_run
from tf_migrate.stages.summaries import shows_graph
from tf_migrate.stages.taking import object_takers
from tf_migrate.stages.units import Units
from tf_migrate.stages.values import (
    AMBIGUOUS,
    CONSTANT,
    MONITOR,
    OPTIMIZER,
    PYTHON,
    TENSOR,
    Refused,
    Stage,
    Value,
    Variable,
    flatten,
)
from tf_migrate.syntax.module import Module


class Walk(Units):
    """Goes through the statements in order; what it finds is collected in its attributes."""

    evaluates = Evaluator

    def __init__(self, module: Module, names: Names, sites: tuple[RunSite, ...], users: Users | None) -> None:
        self.module = module
        self.names = names
        self.sites = {site.node: site for site in sites}
        options = session_options(module, names, self.calls())
        super().__init__(self.evaluates(module, names, self.sites, options, self.run, self.called, self.saver_used))
        self.dissolved: list[ast.With] = []
        self.refusals: dict[ast.Call, Refused] = {}
        self.graphs: list[int] = []
        self.entrances = entrances(module, names)
        self.input_functions = input_functions(module, names)
        self.users = users
        self.classes = [
            known
            for known in object_classes(module, shared=users is not None)
            if self.evaluator.imports.class_of_layers(names, known.node) is None
        ]
        self.objects = {call: known for known in self.classes for call in known.calls}
        self.object_takers = object_takers(module, self.classes)
        self.statement: ast.stmt = ast.Pass()

    def calls(self) -> Iterable[ast.Call]:
        """The calls that may concern the graph."""
        return self.module.calls

    def finish(self) -> None:
        """Checks what can be known only at the end of a graph."""
        self.reads_unnamed()
        self.require_one_session(self.sessions)
        self.require_handed()
        require_named(self.names, self.evaluator.opened_apart, self.units, self.variables)
        made = self.variables[self.evaluator.earlier :]
        makers: list[ast.AST] = [*(variable.call for variable in made), *self.creating]
        if self.covered is not None and self.made > self.covered:
            late = max(makers, key=lambda node: getattr(node, "lineno", 0))
            raise Refused(late, "this variable is created after the initializer", "create it before the initializer")

    def block(self, statements: list[ast.stmt], scopes: tuple[ast.With, ...]) -> None:
        """The statements of one block of the straight line, or of a compound statement in it."""
        for statement in statements:
            self.reads_ahead(statement)
            self.statement = self.evaluator.statement = statement
            self.evaluator.unit = len(self.units)
            self._one(statement, scopes)
            self._require_reached()
            self.reads_given()

    def _require_reached(self) -> None:
        """Refuses variables that a statement made and no name reaches: the expression would make them anew."""
        reached = {variable.call for variable in self.variables}
        lost = next((call for call in self.evaluator.created if call not in reached), None)
        if lost is not None:
            raise Refused(lost, "a variable is created inside an expression", "create it in a statement of its own")
        self.evaluator.created.clear()

    def _one(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.definition(node)
        elif isinstance(node, ast.With) and (self.depth == 0 or self._is_default(node)):
            self._with(node, scopes)
        elif self.depth == 0 and (guard := main_guard(node)) is not None and not guard.orelse:
            self.block(guard.body, scopes)
        elif self.decides(node, scopes) or self.alternates(node, scopes):
            pass
        elif isinstance(node, ast.If | ast.For | ast.While | ast.Try | ast.With):
            self.compound(node, scopes)
        else:
            self._simple(node, scopes)

    def definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """A definition of a function or class."""
        known = next((known for known in self.classes if known.node is node), None)
        if known is not None and self.depth == 0 and mentions_graph(self.evaluator, node):
            self.building.add(known)
            self.bind(node.name, PYTHON, node)
            return
        inside = next(
            (inner for inner in ast.walk(node) if isinstance(inner, ast.Call) and self.is_running(inner)), None
        )
        if inside is not None and node not in self.entrances.values():
            if not isinstance(node, ast.FunctionDef):
                raise Refused(inside, "the session runs inside a class", "the native tier reads scripts so far")
            self.running_function(node, inside)
            return
        if isinstance(node, ast.FunctionDef):
            self._takes_defaults(node)
            self.bind(node.name, Value(Stage.PYTHON, function=node), node)
            return
        layers = None
        if isinstance(node, ast.ClassDef):
            layers = self.evaluator.imports.class_of_layers(self.names, node)
        for method in layers.methods.values() if layers is not None else ():
            self._takes_defaults(method)
        if isinstance(node, ast.ClassDef) and layers is None and mentions_graph(self.evaluator, node):
            place, why = class_obstacle(self.module, node, shared=self.users is not None) or (node, "stands in a block")
            what = f"`{node.name}` uses TensorFlow, and {why}"
            raise Refused(place, what, "build the graph in a plain class, or in functions")
        self.bind(node.name, PYTHON, node)

    def _takes_defaults(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *(item for item in node.args.kw_defaults if item)):
            self.takes_default(default)

    def _is_default(self, node: ast.With) -> bool:
        """Whether a block does nothing but make a session, or a graph that has a name, the default one."""
        return all(_asks_for_default(item) and self.kind_of(item) in ("session", "graph") for item in node.items)

    def _with(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        kinds = {self.kind_of(item) for item in node.items}
        if kinds <= {"session", "graph"}:
            self.begins_another(node, scopes, graph="graph" in kinds)
            self.dissolved.append(node)
            for item in node.items:
                self.enter(item)
            self.block(node.body, scopes)
            self.closes(node)
        elif kinds <= {"scope", "device"} and [self.kind_of(item) for item in node.items].count("scope") < 2:
            self.surrounds(node, scopes)
        elif kinds == {"monitored"} and len(node.items) == 1:
            self._monitored(node, scopes)
        elif kinds == {"arguments"} and len(node.items) == 1:
            self.gives_arguments(node, scopes)
        elif kinds == {"waiting"} and len(node.items) == 1:
            self.waits(node, scopes)
        else:
            self.compound(node, scopes)

    def _monitored(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        """A monitored session: its block stays one, for what is done when it ends."""
        self.begins_alone(node)
        self.place(node, scopes)
        self.evaluator.monitor = found = monitor(self.evaluator, node)
        if found.step is not None and self.units[found.step.unit].scopes:
            raise Refused(found.step.call, "the global step is made inside a scope", "make it outside")
        self.compound(node, scopes)
        self.bind(found.name, AMBIGUOUS, node)

    def kind_of(self, item: ast.withitem) -> Kind | None:
        """What one context is."""
        return context_of(item, self.evaluator)

    def enter(self, item: ast.withitem) -> None:
        """Enters the context of a session or a graph."""
        call = item.context_expr
        if isinstance(call, ast.Call) and self.names.resolve(call.func) == "tf.Session":
            self.opens(call, item.optional_vars)
            value = self.evaluator.value(call)
            if item.optional_vars is not None:
                self.store(item.optional_vars, value)
        elif isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and self.kind_of(item) == "session":
            self.evaluator.value(call.func.value)

    def compound(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> None:
        """A statement that holds blocks."""
        if isinstance(node, ast.For) and self.fills(node, scopes):
            return
        if isinstance(node, ast.If | ast.For | ast.While) and self.moves_whole(node, scopes):
            return
        if not self.depth:
            self.makes_objects(node, scopes)
        bound = self.bound_by(node)
        looping = isinstance(node, ast.For | ast.While)
        self.forget(bound if looping else set(), node, self.depth + 1)
        before = dict(self.evaluator.env)
        self.depth += 1
        for child in ast.iter_child_nodes(node):
            self._child(child, scopes)
            if isinstance(node, ast.For) and child is node.iter:
                self.store(node.target, PYTHON)
        self.depth -= 1
        if isinstance(node, ast.If) and not self.depth:
            self.branches(node)
        bound = {name for name in bound if not (self.is_chosen(name, node) or self.settles(name, node))}
        joined = {name for name in bound if self.joins(name, node, before)}
        self.evaluator.env.update({name: binding for name, binding in before.items() if name in bound})
        self.forget(bound, node, self.depth)
        for name in sorted(joined):
            self.bind(name, OPTIMIZER, node)

    def _child(self, child: ast.AST, scopes: tuple[ast.With, ...]) -> None:
        if isinstance(child, ast.stmt):
            self.block([child], scopes)
        elif self.evaluator.monitor is not None and child in self.evaluator.monitor.node.items:
            self.bind(self.evaluator.monitor.name, MONITOR, child)
        elif isinstance(child, ast.ExceptHandler | ast.withitem | ast.match_case):
            if isinstance(child, ast.ExceptHandler) and child.name:
                self.bind(child.name, PYTHON, child)
            for inner in ast.iter_child_nodes(child):
                self._child(inner, scopes)
            if isinstance(child, ast.withitem) and child.optional_vars is not None:
                self.store(child.optional_vars, PYTHON)
        elif isinstance(child, ast.expr) and not isinstance(getattr(child, "ctx", None), ast.Store):
            self.require_python(child)

    def _simple(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> None:
        if not self.depth:
            self.makes_objects(node, scopes)
        if isinstance(node, ast.Assign):
            self._assign(node, scopes)
        elif isinstance(node, ast.AugAssign):
            self._augment(node, scopes)
        elif isinstance(node, ast.Expr):
            self._expression(node, scopes)
        elif isinstance(node, ast.Assert):
            self.asserts(node, scopes)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr) and not isinstance(getattr(child, "ctx", None), ast.Store | ast.Del):
                    self.require_python(child)
            for name in self.bound_by(node):
                self.bind(name, PYTHON, node)
            self.place(node, scopes)

    def _assign(self, node: ast.Assign, scopes: tuple[ast.With, ...]) -> None:
        taken = self.says_options(node, scopes) or self.constructs(node, scopes) or self.fills(node, scopes)
        taken = taken or self.names_graph(node, scopes)
        if taken or self.builds_to_run(node, scopes) or self.names_to_run(node, scopes):
            return
        if names_what_is_frozen(self.evaluator, node):
            self.dropped.append(node)
            self.place(node, scopes)
            self.store(node.targets[0], PYTHON)
            return
        value, reads, impure = self.evaluator.collect(node.value)
        for target in node.targets:
            reads = self.goes_on(node, target, value, reads)
        value = self.behind_updates(node, value, reads)
        if value.random and not value.fed and self.is_initial(node):
            # The one variable that begins with it draws it once.
            value = CONSTANT
        if self.names_again(node, value, scopes):
            return
        if value.stage is Stage.PLACEHOLDER and value.node is not node.value:
            # Functions take the placeholder under its first name.
            value = replace(TENSOR, node=value.node)
        value = self.iterates(node, value)
        self.require_named(node, value)
        for target in node.targets:
            self.reach(target)
        for made, target in _sessions_made(value, node.value, node.targets[0]):
            self.opens(made, target)
        if value.stage is Stage.INITIALIZER and not value.variables and initializes_variables(value):
            self.builds_initializer(part.node for part in flatten([value]))
        self.place_value(node, scopes, value, reads, impure)
        for target in node.targets:
            value = self.store(target, value)
        names = tuple(name for name in self.names_of(node.targets) if not self.is_key(name, value))
        self.units[-1] = replace(self.units[-1], value=value, binds=names)
        if self.units[-1].describes:
            self.evaluator.described.append((names[0], self.evaluator.env[names[0]]))

    def _augment(self, node: ast.AugAssign, scopes: tuple[ast.With, ...]) -> None:
        key = self.evaluator.key_of(node.target)
        old = None if key is None else self.evaluator.env.get(key)
        if key is None or (not isinstance(node.target, ast.Name) and (old is None or not old.value.is_graph)):
            self.reach(node.target)
            self.require_python(node.value)
            self.place(node, scopes)
            return
        load = self.read_again(node.target)
        operation = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
        value, reads, impure = self.evaluator.collect(operation)
        reads = self.goes_on(node, node.target, value, reads)
        if old is not None and old.value.stage not in (Stage.PYTHON, Stage.TENSOR, Stage.CONSTANT):
            raise Refused(node, f"`{ast.unparse(node.target)}` is changed in place", "bind the result to a new name")
        self.place_value(node, scopes, value, reads, impure)
        self.store(node.target, value)
        self.units[-1] = replace(self.units[-1], binds=(key,))
        if self.units[-1].hidden:
            self.described_by(node)

    def _expression(self, node: ast.Expr, scopes: tuple[ast.With, ...]) -> None:
        if isinstance(node.value, ast.Constant):
            self.place(node, scopes)
            return
        if list_changed(node.value) is not None and self.moves_whole(node, scopes):
            return
        if self.prints(node, scopes) or self.begins_graph(node, scopes) or self.enters(node, scopes):
            return
        if self.depth == 0 and shows_graph(self.evaluator, node.value):
            self.dropped.append(node)
            self.place(node, scopes)
            return
        value, reads, impure = self.evaluator.collect(node.value)
        if value.stage is Stage.SESSION and self.depth:
            raise Refused(node, "the session is closed inside a block", "close it at the end")
        if value.stage is Stage.EFFECT and self.depth:
            raise Refused(node, "an update is built inside a loop or a condition", "build it before")
        if value.stage is Stage.STATIC and stays(reads):
            self.place(node, scopes)
            return
        described = bool(self.evaluator.hidden) or self.evaluator.summaries == [node.value]
        self.place_value(node, scopes, TENSOR if described else value, reads, impure)
        if described:
            self.described_by(node, value)

    def restart(self, statement: ast.stmt, had: Iterable[Variable]) -> Restart | None:
        """What another run of the initializer does to variables that had values; None where that cannot be written."""
        return restart(self, statement, had)

    def run(self, site: RunSite) -> Value:
        """The value of running the session: Python's."""
        if self.is_analysed(site):
            return PYTHON
        initializes = site.initializer_only or self.runs_initializer(site)
        if initializes and self.evaluator.monitor is not None and self.depth:
            raise Refused(
                site.node, "an initializer runs in a monitored session", "run it before, or in a plain session"
            )
        if initializes:
            self.initialize(site, self.statement)
            return PYTHON
        self.notes_analysed(site.node)
        try:
            self.require_values(site.node)
            settled = self.has_values_in_branch(site.node)
            initialized = self.covered is not None or bool(self.evaluator.running) or settled
            depth = self.depth + bool(self.evaluator.frames)
            if site.freezes:
                run = analyse_freezing(self.evaluator, self.units, site, self.statement, depth, initialized=initialized)
            else:
                run = analyse_run(self.evaluator, site, self.statement, depth, initialized=initialized)
            self.asks_held(run)
        except Refused as refused:
            self.refusals[site.node] = refused
            return PYTHON
        self.runs.append(replace(run, ready=frozenset(self.ready), stale=self.stale, restarts=tuple(self.restarts)))
        self.takes(site)
        self.ran = self.ran or not (self.evaluator.running or settled)
        return PYTHON


def _sessions_made(value: Value, node: ast.expr, target: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The expressions that give an assignment its sessions, and what each is bound to."""
    if isinstance(node, ast.Tuple | ast.List) and value.parts is not None and len(value.parts) == len(node.elts):
        targets: list[ast.expr] = [ast.Subscript(target, ast.Constant(at)) for at in range(len(node.elts))]
        if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == len(node.elts):
            targets = target.elts
        for part, inner, place in zip(value.parts, node.elts, targets, strict=True):
            yield from _sessions_made(part, inner, place)
    elif value.stage is Stage.SESSION:
        yield node, target


def _asks_for_default(item: ast.withitem) -> bool:
    """Whether a context is `something.as_default()`, without a name."""
    call = item.context_expr
    method = call.func if isinstance(call, ast.Call) and not (call.args or call.keywords) else None
    default = isinstance(method, ast.Attribute) and method.attr == "as_default" and item.optional_vars is None
    return default and isinstance(method, ast.Attribute) and isinstance(method.value, ast.Name | ast.Attribute)
