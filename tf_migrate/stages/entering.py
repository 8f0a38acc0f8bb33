"""Functions that are read where they are called: those that build a graph and run it, and constructors of objects.

Functions that only run the script's graph are read where they are defined, methods that do behind the constructor.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from tf_migrate.names.exports import Users
from tf_migrate.stages.creation import exists_once
from tf_migrate.stages.entrances import local_names, require_alone, require_entrance, require_own_names
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.handing import require_all_handed, running_function, session_takers
from tf_migrate.stages.later import Later, Waiting
from tf_migrate.stages.objects import (
    ObjectClass,
    class_of,
    entered_methods,
    is_of_import,
    leaks,
    require_named,
    require_readable,
    running_methods,
)
from tf_migrate.stages.program import Unit
from tf_migrate.stages.targets import bound_in
from tf_migrate.stages.values import AT_THE_TOP, LEFT, MOVED, PYTHON, SESSION, Binding, Reads, Refused, Stage, Value

# What the body of a function that runs the session may not hold.
_UNREAD = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | ast.Nonlocal | ast.Yield
_ONE_GRAPH = "build each graph in a script of its own"
_OTHER_GRAPHS = frozenset({"tf.Graph", "tf.reset_default_graph", "tf.get_variable_scope"})
Scopes: TypeAlias = tuple[ast.With, ...]
_GONE = MOVED | {Stage.PLACEHOLDER, Stage.SESSION, Stage.FEED, Stage.INITIALIZER}


class Entering(Later):
    """Reads the bodies of functions as a part of the script.

    `entered` are the calls whose functions were read there, `ends` the bindings at the end of each of these,
    `handed` the sessions that a call hands to a function, `takers` the functions that each call hands an object, and
    `expecting` those of them whose object is not made yet.
    """

    units: list[Unit]
    classes: list[ObjectClass]
    objects: dict[ast.Call, ObjectClass]
    users: Users | None
    graphs: list[int]
    statement: ast.stmt
    refusals: dict[ast.Call, Refused]

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.entered: dict[ast.AST, ast.FunctionDef] = {}
        self.ends: dict[ast.FunctionDef, Reads] = {}
        self.building: set[ObjectClass] = set()
        self.made_objects: dict[ObjectClass, dict[str, Binding]] = {}
        self.finals: list[Reads] = []
        self.returning: list[ast.Assign] = []
        self.takers: dict[ast.FunctionDef, ObjectClass] = {}
        self.expecting: dict[ast.FunctionDef, ast.Call] = {}
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
        """Whether nothing of a graph is built so far."""
        return not self.variables and not any(unit.moves for unit in self.units)

    @abstractmethod
    def finish(self) -> None:
        """Checks what can be known only at the end of a graph."""

    def begins_graph(self, node: ast.Expr, scopes: Scopes) -> bool:
        """Takes `tf.reset_default_graph()`: what was built before it is of no use behind it."""
        call = node.value
        if not isinstance(call, ast.Call) or self.evaluator.names.resolve(call.func) != "tf.reset_default_graph":
            return False
        self.leaves_graph(node, scopes)
        self.dropped.append(node)
        self.place(node, ())
        return True

    def leaves_graph(self, node: ast.stmt, scopes: Scopes) -> None:
        """Another graph begins: nothing behind this may see what was built before."""
        if self.depth or scopes or self.creating or self.evaluator.described or self.evaluator.closed:
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
        if graph and not self.is_empty:
            self.leaves_graph(node, scopes)

    def closes(self, node: ast.With) -> None:
        """The end of a block of sessions; the graph of one is not built on behind it."""
        super().closes(node)
        self.behind = self.behind or node is self.within

    def require_inside(self, node: ast.stmt, value: Value) -> None:
        """Refuses to build on behind the block of a graph: that belongs to the graph around it."""
        building = value.stage in MOVED | AT_THE_TOP or bool(self.evaluator.creates)
        if building and self.behind:
            raise Refused(node, "a part of the graph is built behind the block of another one", _ONE_GRAPH)

    def running_function(self, node: ast.FunctionDef, site: ast.Call) -> None:
        """A function of the script that runs the script's graph: its body is read where it is defined."""
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
        known = self.takers.get(node)
        if known is None or known in self.made_objects:
            self._read_function(node, site)
        else:
            self.expecting[node] = site
        self.bind(node.name, Value(Stage.PYTHON, function=node), node)

    def _read_function(self, node: ast.FunctionDef, site: ast.Call) -> None:
        """Reads a function that runs the session, and may be given an object."""
        given = dict.fromkeys(self.evaluator.takers.get(node, ()), SESSION)
        known = self.takers.get(node)
        if known is not None and known.name is not None:
            given[known.name.id] = Value(Stage.PYTHON, owner=known)
        self._read(node, site, given)

    def _read(self, node: ast.FunctionDef, site: ast.AST, known: dict[str, Value]) -> None:
        """Reads a body that may run at any time from here on."""
        odd = next((inner for inner in ast.walk(node) if inner is not node and isinstance(inner, _UNREAD)), None)
        if self.depth or node.decorator_list or odd is not None:
            raise Refused(
                site, f"the session runs inside the function `{node.name}`", "run it at the top of the script"
            )
        before = dict(self.evaluator.env)
        self.depth += 1
        for name in bound_in(node) | {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}:
            self.bind(name, known.get(name, PYTHON), node)
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
            self._reads_on(owner, function)
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
        """Takes `self.x = x` for a placeholder: both names mean the one that is fed."""
        key = self.evaluator.key_of(node.targets[0]) if len(node.targets) == 1 else None
        known = self.evaluator.env.get(self.evaluator.key_of(node.value) or "")
        alone = value.stage is Stage.PLACEHOLDER and value.parts is None and not self.depth
        if known is None or key is None or "." not in key or not alone or not isinstance(known.node, ast.Name):
            return False
        self.dropped.append(node)
        self.place(node, scopes)
        self.evaluator.env[key] = known
        return True

    def constructs(self, node: ast.Assign, scopes: Scopes) -> bool:
        """Takes the statement that makes the one object of a class that builds a graph."""
        known = self.objects.get(node.value) if isinstance(node.value, ast.Call) else None
        if known is None or known not in self.building or known.name is None:
            return False
        if self.depth:
            what = f"an object of `{known.node.name}`, which builds a graph, is made in a loop or a condition"
            raise Refused(node, what, "make it at the top of the script")
        self.place(node, scopes)
        self._read_class(known, self.given_to(known.calls[0], known.constructor, known), scopes)
        self.store(known.name, Value(Stage.PYTHON, owner=known))
        return True

    def makes_objects(self, node: ast.stmt, scopes: Scopes) -> None:
        """Reads the classes of which a statement of the straight line makes one of several objects, before it."""
        for call in ast.walk(node):
            known = self.objects.get(call) if isinstance(call, ast.Call) else None
            if known is None or known not in self.building or known.name is not None or call in self.evaluator.making:
                continue
            if scopes:
                what = f"an object of `{known.node.name}`, one of several, is made inside a scope"
                raise Refused(node, what, "make it outside, and let the class open the scope")
            self._read_several(known, self.given_to_all(known))

    def made_by_others(self) -> None:
        """Reads the classes of which only other modules make objects, behind all else."""
        for known in self.classes:
            if known in self.building and not known.calls:
                own = known.constructor.args.args[0].arg
                self._read_several(known, {own: Value(Stage.PYTHON, owner=known)})

    def _read_several(self, known: ObjectClass, given: dict[str, Value]) -> None:
        start, sure = len(self.units), self.covered
        self._read_class(known, given, ())
        if len(given) > 1 and self.covered is not sure:
            what = f"`{known.node.name}` runs the initializer for all its objects, each time that one is made"
            raise Refused(known.constructor, what, "run it once, behind all objects")
        self._require_apart(known, self.units[start:])
        words = {method.name for method in known.methods.values() if method in self.evaluator.closed}
        self.evaluator.running_words |= words

    def _require_apart(self, known: ObjectClass, units: list[Unit]) -> None:
        """Refuses what the several objects of a class would share, or what TF1 numbered among them."""
        names = self.evaluator.names
        graphs = any(use.symbol in _OTHER_GRAPHS for use in names.uses)
        if not (known.calls or graphs) and any(exists_once(names, unit.node, unit.scopes) for unit in units):
            # The modules that make objects have no TensorFlow: in the one graph of a process there is one object.
            return
        listed = [call for call in self.evaluator.listed if class_of(self.module, call) is known.node]
        listed += [listing.call for unit in units for listing in unit.lists]
        found = [*listed, *(call for unit in units for call in (*unit.summaries, *unit.savers))]
        if found:
            what = f"`{ast.unparse(found[0].func)}` in `{known.node.name}`, of which there may be several objects,"
            raise Refused(found[0], f"{what} depends on the others", "make one object, bound to a name of its own")

    def _read_class(self, known: ObjectClass, given: Mapping[str, Value | Binding], scopes: Scopes) -> None:
        """Reads the constructor of a class with these parameters, and behind it the methods that run the session."""
        require_readable(known)
        later = self.entered_later(known)
        entered = {**entered_methods(self.module, known), **later}
        self.entrances.update(entered)
        self.evaluator.methods.update(dict.fromkeys(known.methods.values(), known))
        inside = {known.constructor, *entered.values()}
        running = running_methods(known, self.evaluator.names, self.sites, inside)
        self.evaluator.closed.update(running)
        build = {method for method in later.values() if self.builds_only(known, method, running)}
        self.waiting[known] = Waiting(later, build, inside, running)
        self.enter_function(known.place, known.constructor, given, scopes)
        self._reads_on(known, known.constructor)

    def _reads_on(self, known: ObjectClass, method: ast.FunctionDef) -> None:
        """Reads the methods that run the session, once the last method was read that builds for them."""
        waiting = self.waiting[known]
        ready = self.was_read(known, method)
        running = waiting.running if ready else []
        own = session_takers(running, self.sites, self.evaluator.takers, known.method_of, bound=True)
        self.evaluator.takers.update(own)
        for inner in running:
            sessions = dict.fromkeys(own.get(inner, ()), SESSION)
            self._read(inner, known.place, {"self": Value(Stage.PYTHON, owner=known), **sessions})
        for function in [function for function in self.expecting if ready and self.takers[function] is known]:
            self._read_function(function, self.expecting.pop(function))
        waiting.running = [] if running else waiting.running
        self._require_kept(known, waiting.inside)

    def _require_kept(self, known: ObjectClass, inside: Container[object]) -> None:
        """Refuses attributes of the graph that are bound again later, or that something else may read."""
        gone = {
            attribute.attr: binding
            for attribute in ast.walk(known.node)
            if isinstance(attribute, ast.Attribute)
            and (binding := self.evaluator.env.get(known.key(attribute.attr))) is not None
            and binding.value.is_graph
        }
        self.made_objects[known] = gone
        leak = leaks(self.module, known, self.takers)
        for name, binding in gone.items():
            for node in self.module.attributes.get(name, []):
                stored = not isinstance(node.ctx, ast.Load) and self._may_be(node, known, leak)
                if stored and self.module.function_of(node) not in inside and node is not binding.node:
                    what = f"`{ast.unparse(node)}`, a part of the graph, is bound again"
                    raise Refused(node, what, "give the other value a name of its own")

    def require_seen(self) -> None:
        """Refuses an object that is made nowhere, or a use of its part of the graph that the analysis did not meet."""
        several = next((known for known in self.made_objects if known.name is None), None)
        saver = next((call for unit in self.units for call in unit.savers), None)
        if several is not None and saver is not None:
            what = f"a Saver goes by the names that the variables of several `{several.node.name}` objects got"
            raise Refused(saver, what, "give each object a name, and a Saver the variables to save")
        if several is not None and self.sessions > 1:
            what = f"there are several sessions, and several objects of `{several.node.name}`"
            raise Refused(several.place, what, "use one session")
        for known in sorted(self.building - self.made_objects.keys(), key=lambda known: known.node.lineno):
            what = f"the object of `{known.node.name}`, which builds a graph, is made in a function or a class"
            raise Refused(known.place, what, "make it at the top of the script")
        for known, gone in self.made_objects.items():
            leak = leaks(self.module, known, self.takers)
            moved = [name for name, binding in gone.items() if binding.value.stage in _GONE]
            self._require_own(known, moved)
            require_named(self.module, known, moved)
            for name, binding in gone.items():
                if binding.value.stage not in _GONE:
                    continue
                for node in self.module.attributes.get(name, []):
                    if (
                        isinstance(node.ctx, ast.Load)
                        and node not in self.evaluator.resolved
                        and self._may_be(node, known, leak)
                    ):
                        what = f"`{ast.unparse(node)}`, a part of the graph, is used where no run is"
                        unseen = Refused(node, what, "fetch it in a run")
                        # A run that is refused may be what uses it.
                        raise next(iter(self.refusals.values()), unseen)

    def require_handed(self) -> None:
        """Refuses functions that a session is handed to, where not every call of them is seen."""
        handings = self.evaluator.handings
        require_all_handed(self.module, handings, self._may_mean, several=self.sessions > 1)
        others = self.users
        reached = next((item for item in handings if others is not None and others.may_reach(item.function.name)), None)
        if reached is not None:
            what = f"another module may use `{reached.function.name}`, which a session is handed to"
            raise Refused(reached.function, what, "keep them together")

    def _may_mean(self, node: ast.Attribute, function: ast.FunctionDef) -> bool:
        """Whether an attribute may be a method of an object of the script."""
        known = self.evaluator.methods[function]
        return self.evaluator.names.resolve(node) is None and self._may_be(
            node, known, leaks(self.module, known, self.takers)
        )

    def _require_own(self, known: ObjectClass, gone: list[str]) -> None:
        """Refuses what other modules may see of a class, or may change in it."""
        if self.users is None:
            return
        if known.node.name in self.users.bases:
            raise Refused(known.node, f"another module derives a class from `{known.node.name}`", "keep them together")
        read = self.ends.keys() | self.evaluator.handed.keys()
        built_in = {method.name for method in known.methods.values() if method in read} - {"__init__"}
        reached = next((name for name in (*gone, *sorted(built_in)) if self.users.may_reach(name)), None)
        if reached is not None:
            what = f"another module may use `{reached}` of `{known.node.name}`, a part of the graph"
            raise Refused(known.node, what, "give that module a method that runs it")

    def _may_be(self, node: ast.Attribute, known: ObjectClass, leak: ast.AST | None) -> bool:
        """Whether an attribute may be one of the object: by its own names, or where it was handed on, by any."""
        base = node.value
        if not isinstance(base, ast.Name):
            return leak is not None
        if base.id == "self":
            return class_of(self.module, node) is known.node
        if known.name is not None and base.id == known.name.id:
            return True
        return leak is not None and not is_of_import(self.module, node.value)
