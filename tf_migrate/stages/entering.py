"""Functions that are read where they are called: those that build a graph and run it.

Functions that only run the script's graph are read where they are defined, or where the object is made that each call
of them hands over.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from tf_migrate.names.exports import Users
from tf_migrate.stages.alternatives import alternatives
from tf_migrate.stages.entrances import local_names, require_alone, require_entrance, require_own_names
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.graph_seeds import require_own_seed, resetting
from tf_migrate.stages.handing import running_function, session_takers
from tf_migrate.stages.later import Later
from tf_migrate.stages.named_graphs import named_graph
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.program import Unit
from tf_migrate.stages.taking import Taken
from tf_migrate.stages.targets import bound_in
from tf_migrate.stages.values import AT_THE_TOP, LEFT, MOVED, PYTHON, SESSION, Binding, Reads, Refused, Stage, Value

# What the body of a function that runs the session may not hold.
_UNREAD = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | ast.Nonlocal | ast.Yield
_HANDED = frozenset({Stage.PLACEHOLDER, Stage.TENSOR})
_ONE_GRAPH = "build each graph in a script of its own"
Scopes: TypeAlias = tuple[ast.With, ...]


class Entering(Later):
    """Reads the bodies of functions as a part of the script.

    `entered` are the calls whose functions were read there, `ends` the bindings at the end of each of these,
    `handed` the sessions that a call hands to a function, `object_takers` the functions that each call hands an
    object, `expecting` those of them whose object is not made yet, and `held` what functions call the objects of which
    they run parts.
    """

    units: list[Unit]
    graphs: list[int]
    statement: ast.stmt
    users: Users | None

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.entered: dict[ast.AST, ast.FunctionDef] = {}
        self.ends: dict[ast.FunctionDef, Reads] = {}
        self.made_objects: dict[ObjectClass, dict[str, Binding]] = {}
        self.finals: list[Reads] = []
        self.returning: list[ast.Assign] = []
        self.object_takers: dict[ast.FunctionDef, Taken] = {}
        self.held: dict[ast.AST, tuple[str, ObjectClass]] = {}
        self.expecting: dict[ast.FunctionDef, ast.Call] = {}
        self.named_graph = named_graph(evaluator.module, evaluator.names)
        self.within: ast.stmt | None = None
        self.behind = False

    @abstractmethod
    def block(self, statements: list[ast.stmt], scopes: Scopes) -> None:
        """Reads the statements of a block."""

    @abstractmethod
    def place(self, node: ast.stmt, scopes: Scopes) -> None:
        """Adds a unit for a statement that stays where it is."""

    @abstractmethod
    def place_value(
        self, node: ast.stmt, scopes: Scopes, value: Value, reads: Reads, impure: Sequence[ast.expr]
    ) -> None:
        """Adds a unit for a statement with a value, once it is sure that it may go where it has to."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the graph is built so far."""
        first = self.graphs[-1] if self.graphs else 0
        return not self.variables[self.evaluator.earlier :] and not any(unit.moves for unit in self.units[first:])

    @property
    def _is_untouched(self) -> bool:
        """Whether there is no part of a graph, and no session: functions that run one may have been defined.

        What a method throws away may be of an object that was made before.
        """
        held = any(binding.value.is_graph for binding in self.evaluator.env.values())
        return self.is_empty and not (self.sessions or held or self.home in self.evaluator.methods)

    @abstractmethod
    def finish(self) -> None:
        """Checks what can be known only at the end of a graph."""

    @abstractmethod
    def forget(self, names: set[str], node: ast.stmt, depth: int) -> None:
        """Names that a statement binds hold values of their own behind it."""

    @abstractmethod
    def reads_on(self, known: ObjectClass, method: ast.FunctionDef) -> None:
        """Reads the methods that run the session, once the last method was read that builds for them."""

    def begins_graph(self, node: ast.Expr, scopes: Scopes) -> bool:
        """Takes `tf.reset_default_graph()`: what was built before it is of no use behind it."""
        call = node.value
        reset = resetting(self.module, self.evaluator.names, node)
        if reset is None or not isinstance(call, ast.Call):
            return False
        if self.evaluator.graph is not None:
            raise Refused(node, "the default graph is thrown away beside another one", _ONE_GRAPH)
        if not reset.seeded:
            require_own_seed(self.module, self.evaluator.names, node)
        if self.depth or scopes or not self._is_untouched:
            self.leaves_graph(node, scopes)
        self.evaluator.require_python(*call.args, *(word.value for word in call.keywords))
        self.dropped += [item for item in [reset.statement] if item not in self.dropped]
        self.place(node, ())
        return True

    def alternates(self, node: ast.stmt, scopes: Scopes) -> bool:
        """Takes a condition whose branches build a graph each, and run it."""
        plain = isinstance(node, ast.If) and not (self.depth or scopes or self.sessions) and self.is_empty
        found = alternatives(self.evaluator, self.entrances, node) if plain and isinstance(node, ast.If) else None
        if found is None:
            return False
        for test in found[0]:
            self.require_python(test)
        before = dict(self.evaluator.env)
        for branch in found[1]:
            self.evaluator.env = dict(before)
            self.block(branch, ())
            if self.sessions or not self.is_empty:
                self.leaves_graph(node, ())
        self.evaluator.env.update(before)
        self.forget(self.bound_by(node), node, self.depth)
        self.behind = True
        return True

    def names_graph(self, node: ast.Assign, scopes: Scopes) -> bool:
        """Takes `graph = tf.Graph()`: the graph that blocks build behind it."""
        graph, function = self.named_graph, self.evaluator.module.function_of(node)
        if graph is None or graph.made is not node or self.depth or scopes:
            return False
        owner = self.evaluator.methods.get(function) if isinstance(function, ast.FunctionDef) else None
        if isinstance(node.targets[0], ast.Attribute) and (owner is None or owner.name is None or self.users):
            return False
        if graph.odd is not None:
            what = f"`{ast.unparse(graph.odd)}`, a graph, is used for more than to build it and to run it"
            raise Refused(graph.odd, what, "use it for `as_default` and for sessions only")
        require_own_seed(self.module, self.evaluator.names, node)
        if not self.is_empty:
            self.leaves_graph(node, scopes)
            self.within = None
        self.evaluator.graph = graph
        self.dropped.append(node)
        self.place(node, ())
        self.store(node.targets[0], PYTHON)
        return True

    def leaves_graph(self, node: ast.stmt, scopes: Scopes) -> None:
        """Another graph begins: nothing behind this may see what was built before."""
        if self.depth or scopes or self.evaluator.described or self.evaluator.closed:
            raise Refused(node, "the graph is thrown away and another one begins", _ONE_GRAPH)
        self.finish()
        self.finals.append(dict(self.evaluator.env))
        for name, binding in self.evaluator.env.items():
            if binding.value.is_graph:
                self.evaluator.env[name] = Binding(LEFT, len(self.units), 0, node)
        self.begin_anew()
        self.graphs.append(len(self.units))
        self.within, self.behind = node, False

    def begins_another(self, node: ast.With, scopes: Scopes, *, graph: bool) -> None:
        """A block of sessions; one in a graph of its own leaves behind what was built before."""
        named = self.evaluator.graph
        if named is not None and any(map(named.is_entered, node.items)):
            self.evaluator.graph_blocks.append(node)
        elif graph and named is not None:
            raise Refused(node, "a graph is built beside one that has a name", _ONE_GRAPH)
        elif graph:
            require_own_seed(self.module, self.evaluator.names, node)
            if not self.is_empty:
                self.leaves_graph(node, scopes)

    def closes(self, node: ast.With) -> None:
        """The end of a block of sessions; the graph of one is not built on behind it."""
        super().closes(node)
        if node in self.evaluator.graph_blocks:
            self.evaluator.graph_blocks.remove(node)
        self.behind = self.behind or node is self.within

    def require_inside(self, node: ast.stmt, value: Value) -> None:
        """Refuses to build on behind the block of a graph: that belongs to the graph around it."""
        building = value.stage in MOVED | AT_THE_TOP or bool(self.evaluator.creates)
        if building and self.behind:
            raise Refused(node, "a part of the graph is built behind the block of another one", _ONE_GRAPH)
        graph = self.evaluator.graph
        if graph is not None and building and value.stage is not Stage.SESSION and not self.evaluator.graph_blocks:
            what = f"a part of the graph is built beside `{graph.name}`"
            raise Refused(node, what, f"build it in `{graph.name}.as_default()`")

    def running_function(self, node: ast.FunctionDef, site: ast.Call) -> None:
        """A function of the script that runs the script's graph: its body is read where it is defined, or named."""
        require_entrance(self.module, self.evaluator.names, node)
        for load in self.module.loads.get(node.name, []):
            call = self.module.parents[load]
            if not (isinstance(call, ast.Call) and call.func is load):
                raise Refused(
                    load, f"`{node.name}`, which runs the session, is passed on", f"call `{node.name}` itself"
                )
        called = partial(running_function, self.evaluator)
        self.evaluator.takers.update(session_takers([node], self.sites, self.evaluator.takers, called, bound=False))
        self.evaluator.closed.add(node)
        taken = self.object_takers.get(node)
        if taken is not None and taken.known not in self.made_objects:
            self.expecting[node] = site
        elif not self.takes_ahead(node, site):
            self.read_function(node, site)
        self.bind(node.name, Value(Stage.PYTHON, function=node), node)

    def read_function(self, node: ast.FunctionDef, site: ast.Call) -> None:
        """Reads a function that runs the session, and may be given an object."""
        given = dict.fromkeys(self.evaluator.takers.get(node, ()), SESSION)
        taken = self.object_takers.get(node)
        if taken is not None:
            given[taken.name] = Value(Stage.PYTHON, owner=taken.known)
            self.held[node] = taken.name, taken.known
        self.read_running(node, site, given)

    @abstractmethod
    def takes_ahead(self, node: ast.FunctionDef, site: ast.Call) -> bool:
        """Leaves a function for later if it means something that the script binds further down."""

    @abstractmethod
    def read_running(self, node: ast.FunctionDef, site: ast.AST, known: Mapping[str, Value]) -> None:
        """Reads a function or method that runs the session, as soon as all is known that it is given."""

    def read_body(self, node: ast.FunctionDef, site: ast.AST, known: Mapping[str, Value | Binding]) -> None:
        """Reads a body that may run at any time from here on."""
        odd = next((inner for inner in ast.walk(node) if inner is not node and isinstance(inner, _UNREAD)), None)
        if self.depth or node.decorator_list or odd is not None:
            raise Refused(
                site, f"the session runs inside the function `{node.name}`", "run it at the top of the script"
            )
        before = dict(self.evaluator.env)
        self.depth += 1
        for name in bound_in(node) | {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}:
            value = known.get(name, PYTHON)
            if isinstance(value, Binding):
                self.evaluator.env[name] = value
            else:
                self.bind(name, value, node)
        self.evaluator.running.append(node)
        self.block(node.body, ())
        self.evaluator.running.pop()
        self.depth -= 1
        self.evaluator.env = before

    def enters(self, node: ast.Expr, scopes: Scopes) -> bool:
        """Takes the call of a function that builds a graph and runs it: its statements are read here."""
        call = node.value
        function = self.entrances.get(call) if isinstance(call, ast.Call) else None
        if function is None or not isinstance(call, ast.Call):
            return False
        if function not in self.evaluator.methods:
            nested = bool(self.depth or scopes)
            require_alone(node, function, nested=nested, empty=self.is_empty and not self.sessions)
        elif self.depth:
            raise Refused(node, f"`{function.name}`, which builds a graph, is called in a block", "call it outside")
        self.place(node, scopes)
        owner = self.evaluator.methods.get(function)
        self.enter_function(call, function, self.given_to(call, function, owner), scopes)
        if owner in self.waiting and self.waiting[owner].holds(call):
            self.reads_on(owner, function)
        return True

    def enter_function(
        self, place: ast.AST, function: ast.FunctionDef, given: Mapping[str, Value | Binding], scopes: Scopes
    ) -> None:
        """Reads the statements of a function as a part of the script; `given` are its parameters."""
        with self.inside(place, function, given):
            self.block(function.body, scopes)

    @contextmanager
    def inside(self, place: ast.AST, function: ast.FunctionDef, given: Mapping[str, Value | Binding]) -> Iterator[None]:
        """What is read here stands in a function that is called at `place`, with these parameters."""
        local = local_names(self.module, require_own_names(function))
        hidden = {name: binding for name, binding in self.evaluator.env.items() if name in local}
        self.entered[place] = function
        outer, self.home = self.home, function
        parameters = {inner.arg: inner for inner in ast.walk(function.args) if isinstance(inner, ast.arg)}
        for name in local:
            known = given.get(name, PYTHON)
            if isinstance(known, Binding):
                self.evaluator.env[name] = known
            else:
                self.bind(name, known, parameters.get(name, function))
        yield
        self.ends[function] = dict(self.evaluator.env)
        self.home = outer
        for name in local:
            self.evaluator.env.pop(name, None)
        self.evaluator.env.update(hidden)

    def says_options(self, node: ast.Assign, scopes: Scopes) -> bool:
        """Takes a statement that only says what the sessions are told."""
        if node not in self.evaluator.options.statements:
            return False
        if self.depth:
            what = "options of the session are set inside a loop or a condition"
            raise Refused(node, what, "set them by `tf.config`")
        self.evaluator.require_python(*(item.value for item in self.evaluator.options.said if item.statement is node))
        self.dropped.append(node)
        self.place(node, scopes)
        return True

    def names_again(self, node: ast.Assign, value: Value, scopes: Scopes) -> bool:
        """Takes `self.x = x` for a placeholder, or for what another object made: both names mean the same."""
        key = self.evaluator.key_of(node.targets[0]) if len(node.targets) == 1 else None
        known = self.evaluator.env.get(self.evaluator.key_of(node.value) or "")
        if known is None or key is None or "." not in key or value.parts is not None or self.depth:
            return False
        given = isinstance(node.value, ast.Name) and known.attribute is not None and value.stage in _HANDED
        if not (given or (value.stage is Stage.PLACEHOLDER and isinstance(known.node, ast.Name))):
            return False
        self.dropped.append(node)
        self.place(node, scopes)
        self.evaluator.env[key] = known
        return True
