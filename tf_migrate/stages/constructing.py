"""Classes whose constructors build a graph: they are read where objects are made, and so are their methods.

The constructor and what it calls are read as a part of the script, the methods that run the session behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping

from tf_migrate.stages.creation import exists_once
from tf_migrate.stages.decided import Decisions
from tf_migrate.stages.entering import Scopes
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.handing import require_all_handed, session_takers
from tf_migrate.stages.held import held_in, objects_given
from tf_migrate.stages.later import Waiting
from tf_migrate.stages.objects import (
    ObjectClass,
    class_of,
    entered_methods,
    is_of_import,
    require_methods,
    require_readable,
    running_methods,
)
from tf_migrate.stages.program import Unit
from tf_migrate.stages.receiving import Receiving
from tf_migrate.stages.runs import Run
from tf_migrate.stages.taking import is_named, leaks, require_named
from tf_migrate.stages.values import MOVED, SESSION, Binding, Refused, Stage, Value

_OTHER_GRAPHS = frozenset({"tf.Graph", "tf.reset_default_graph", "tf.get_variable_scope"})
_GONE = MOVED | {Stage.PLACEHOLDER, Stage.SESSION, Stage.FEED, Stage.INITIALIZER}


class Constructing(Receiving):
    """Reads the classes of objects, and sees to it that nothing else uses their parts of the graph.

    `related` are those of several objects that share collections which the program names.
    """

    classes: list[ObjectClass]
    objects: dict[ast.Call, ObjectClass]
    refusals: dict[ast.Call, Refused]
    devices: list[ast.With]

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.building: set[ObjectClass] = set()
        self.decisions = Decisions()
        self.related: set[ObjectClass] = set()

    def constructs(self, node: ast.Assign, scopes: Scopes) -> bool:
        """Takes the statement that makes the one object of a class that builds a graph."""
        known = self.objects.get(node.value) if isinstance(node.value, ast.Call) else None
        if known is None or known not in self.building or known.name is None:
            return False
        if self.depth:
            what = f"an object of `{known.node.name}`, which builds a graph, is made in a loop or a condition"
            raise Refused(node, what, "make it at the top of the script")
        self.place(node, scopes)
        given = self.given_to(known.calls[0], known.constructor, known)
        self._read_class(known, {**given, **self._held(known)}, scopes)
        self.store(known.name, Value(Stage.PYTHON, owner=known))
        return True

    def makes_objects(self, node: ast.stmt, scopes: Scopes) -> None:
        """Reads the classes of which a statement of the straight line makes one of several objects, before it."""
        calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
        # What is given to an object is made before it.
        for call in sorted(calls, key=lambda call: (call.end_lineno, call.end_col_offset)):
            known = self.objects.get(call)
            if known is None or known not in self.building or known.name is not None or call in self.evaluator.making:
                continue
            self._read_several(known, self.given_to_all(known))

    def made_by_others(self) -> None:
        """Reads the classes of which only other modules make objects, behind all else."""
        for known in self.classes:
            if known in self.building and not known.calls:
                own = known.constructor.args.args[0].arg
                self._read_several(known, {own: Value(Stage.PYTHON, owner=known)})

    def _read_several(self, known: ObjectClass, given: dict[str, Value]) -> None:
        start, sure = len(self.units), self.covered
        self._read_class(known, {**given, **self.defaults_of_all(known), **self._held(known)}, ())
        if len(given) > 1 and self.covered is not sure:
            what = f"`{known.node.name}` runs the initializer for all its objects, each time that one is made"
            raise Refused(known.constructor, what, "run it once, behind all objects")
        self._require_apart(known, self.units[start:])
        words = {method.name for method in known.methods.values() if method in self.evaluator.closed}
        self.evaluator.running_words |= words

    def _held(self, known: ObjectClass) -> dict[str, Value]:
        """The parameters of a constructor that hold objects of other classes."""
        given = objects_given(self.module, known, self.objects, self.made_objects) if self.users is None else {}
        return {name: Value(Stage.PYTHON, holds=owner) for name, owner in given.items()}

    def _require_apart(self, known: ObjectClass, units: list[Unit]) -> None:
        """Refuses what the several objects of a class would share, or what TF1 numbered among them."""
        names = self.evaluator.names
        graphs = any(use.symbol in _OTHER_GRAPHS for use in names.uses)
        if not (known.calls or graphs) and any(exists_once(names, unit.node, unit.scopes) for unit in units):
            # The modules that make objects have no TensorFlow: in the one graph of a process there is one object.
            return
        listed = [call for call in self.evaluator.listed if class_of(self.module, call) is known.node]
        lists = [listing for unit in units for listing in unit.lists if listing.call not in self.evaluator.apart]
        if known.calls and self.users is None and not graphs and all(listing.is_own for listing in lists):
            # Each object knows what those before it put into a collection.
            self.related.update([known] if lists else [])
            lists = []
        listed += [listing.call for listing in lists]
        found = [*listed, *(call for unit in units for call in (*unit.summaries, *unit.savers))]
        if found:
            what = f"`{ast.unparse(found[0].func)}` in `{known.node.name}`, of which there may be several objects,"
            raise Refused(found[0], f"{what} depends on the others", "make one object, bound to a name of its own")

    def _read_class(self, known: ObjectClass, given: Mapping[str, Value | Binding], scopes: Scopes) -> None:
        """Reads the constructor of a class with these parameters, and behind it the methods that run the session."""
        require_readable(known)
        later = self.entered_later(known)
        entered = {**entered_methods(self.module, known, [known.constructor, *later.values()]), **later}
        self.entrances.update(entered)
        self.evaluator.methods.update(dict.fromkeys(known.methods.values(), known))
        inside = {known.constructor, *entered.values()}
        running = running_methods(known, self.evaluator.names, self.is_running, inside)
        self.evaluator.closed.update(running)
        build = {
            method
            for method in later.values()
            if self.builds_only(known, method, running) or any(call in entered for call in ast.walk(method))
        }
        self.waiting[known] = Waiting(later, build, inside, running)
        self.enter_function(known.place, known.constructor, given, scopes)
        self.reads_on(known, known.constructor)

    def reads_on(self, known: ObjectClass, method: ast.FunctionDef) -> None:
        """Reads the methods that run the session, once the last method was read that builds for them."""
        waiting = self.waiting[known]
        ready = self.was_read(known, method)
        running = waiting.running if ready else []
        own = session_takers(running, self.sites, self.evaluator.takers, known.method_of, bound=True)
        self.evaluator.takers.update(own)
        for inner in running:
            sessions = dict.fromkeys(own.get(inner, ()), SESSION)
            self.read_running(inner, known.place, {"self": Value(Stage.PYTHON, owner=known), **sessions})
        for function in [
            function for function in self.expecting if ready and self.object_takers[function].known is known
        ]:
            self.read_function(function, self.expecting.pop(function))
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
        leak = leaks(self.module, known, self.object_takers)
        for name, binding in gone.items():
            for node in self.module.attributes.get(name, []):
                stored = not isinstance(node.ctx, ast.Load) and self._may_be(node, known, leak)
                if stored and self.module.function_of(node) not in inside and node is not binding.node:
                    what = f"`{ast.unparse(node)}`, a part of the graph, is bound again"
                    raise Refused(node, what, "give the other value a name of its own")

    def asks_held(self, run: Run) -> None:
        """Notes what a run's method calls the object whose parts it runs, where it is another one."""
        parts = (*run.reads.values(), *(feed.placeholder for feed in run.feeds))
        held = held_in(self.evaluator, run, parts)
        if held is not None and run.function is not None:
            self.held[run.function] = held

    def require_seen(self) -> None:
        """Refuses an object that is made nowhere, or a use of its part of the graph that the analysis did not meet."""
        self.require_given()
        several = next((known for known in self.made_objects if known.name is None), None)
        saver = next((call for unit in self.units for call in unit.savers), None)
        for known in self.made_objects:
            self._require_unplaced(known)
        for known in self.related:
            self._require_own_collections(known)
        for node in self.evaluator.used_locally:
            if (home := self.module.function_of(node)) in self.ends or home in self.evaluator.closed:
                what = f"`{ast.unparse(node)}` is bound by methods that build, and by others"
                raise Refused(node, what, "give the attribute of each another name")
        for call in self.evaluator.apart:
            self._require_own_averages(call)
        late = {listing.key for unit in self.units if unit.node in self.listed_late for listing in unit.lists}
        other = next((call for call, names in self.evaluator.joined.items() if late.intersection(names)), None)
        if other is not None:
            raise Refused(other, "this variable may join a collection that a method lists later", "list it by name")
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
            leak = leaks(self.module, known, self.object_takers)
            moved = [name for name, binding in gone.items() if binding.value.stage in _GONE]
            moved += [node.attr for node in self.evaluator.used_locally if class_of(self.module, node) is known.node]
            holding = (word for place, (word, _) in self.held.items() if class_of(self.module, place) is known.node)
            moved += [word.rpartition(".")[2] for word in holding]
            self._require_own(known, moved)
            require_named(self.module, known, self.object_takers, moved)
            require_methods(self.module, known, self.evaluator.closed, self.entered)
            for name, binding in gone.items():
                if binding.value.stage not in _GONE:
                    continue
                for node in self.module.attributes.get(name, []):
                    if (
                        isinstance(node.ctx, ast.Load)
                        and node not in self.evaluator.resolved
                        and node not in self.decisions.dead
                        and not self.is_handed(node)
                        and self._may_be(node, known, leak)
                    ):
                        what = f"`{ast.unparse(node)}`, a part of the graph, is used where no run is"
                        unseen = Refused(node, what, "fetch it in a run")
                        # A run that is refused may be what uses it.
                        raise next(iter(self.refusals.values()), unseen)

    def _require_unplaced(self, known: ObjectClass) -> None:
        """Refuses several objects of which one is made on a device: their code stands in the class."""
        calls = known.calls if known.name is None else ()
        placed = next((block for block in self.devices if any(call in ast.walk(block) for call in calls)), None)
        if placed is not None:
            what = f"an object of `{known.node.name}`, one of several, is made on a device"
            raise Refused(placed, what, "let the class say where its operations run")

    def _require_own_averages(self, call: ast.Call) -> None:
        """Refuses averages beside those of one object, which may be in a scope that begins as its own does."""
        made = (unit.node for unit in self.units if unit.averages)
        block = next(node for node in self._blocks(call) if isinstance(self.module.parents[node], ast.FunctionDef))
        other = next((node for node in made if block not in self._blocks(node)), None)
        if other is not None:
            what = "averages are moved beside those of the scope that is asked for updates"
            raise Refused(other, what, "ask for the updates of each object by themselves")

    def _blocks(self, node: ast.AST) -> Iterator[ast.AST]:
        """The blocks around a statement, innermost first."""
        return (place for place in self.module.around(node) if isinstance(place, ast.stmt))

    def _require_own_collections(self, known: ObjectClass) -> None:
        """Refuses collections that something else than the objects of one class may share."""
        made = [unit.node for unit in self.units if unit.creates] + [variable.call for variable in self.variables]
        other = next((node for node in made if class_of(self.module, node) is not known.node), None)
        if other is not None:
            what = f"variables beside those of several `{known.node.name}` objects may join their collections"
            raise Refused(other, what, "list the variables by name")

    def require_handed(self) -> None:
        """Refuses functions that a session is handed to, where not every call of them is seen."""
        sessions = self.evaluator.handings
        if sessions and self.sessions > 1:
            what = f"there are several sessions, and one is handed to `{sessions[0].function.name}`"
            raise Refused(sessions[0].argument, what, "use one session")
        require_all_handed(self.module, sessions, self._may_mean)
        tensors = [handed for given in self.given for handed in given.handed()]
        require_all_handed(self.module, tensors, self._may_mean, "a tensor")
        functions = [handed.function for handed in (*sessions, *tensors)]
        reached = next((item for item in functions if self.users is not None and self.users.may_reach(item.name)), None)
        if reached is not None:
            what = f"another module may use `{reached.name}`, which a session or tensors are handed to"
            raise Refused(reached, what, "keep them together")

    def _may_mean(self, node: ast.Attribute, function: ast.FunctionDef) -> bool:
        """Whether an attribute may be a method of an object of the script."""
        known = self.evaluator.methods[function]
        return self.evaluator.names.resolve(node) is None and self._may_be(
            node, known, leaks(self.module, known, self.object_takers)
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
        if is_named(self.module, known, self.object_takers, base):
            return True
        return leak is not None and not is_of_import(self.module, node.value)
