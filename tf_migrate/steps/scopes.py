"""Where the step of a run can be bound: behind what built all that it fetches, where names reach that."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tf_migrate.interpreter.recorder import FunctionNode, Observation, Snapshot, Visit
from tf_migrate.interpreter.values import (
    ABSENT,
    Cell,
    Frame,
    Function,
    Instance,
    Items,
    Node,
    Table,
    Turn,
    Value,
    Wrapped,
    options,
    within,
)
from tf_migrate.steps.building import Building
from tf_migrate.steps.certainty import comes_to
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.part import Part
from tf_migrate.steps.paths import Named, Paths, inside, reachable
from tf_migrate.steps.plan import ModulePlan
from tf_migrate.steps.wants import Wanted, is_text
from tf_migrate.syntax.blocks import blocks
from tf_migrate.syntax.own_nodes import own_nodes, own_nodes_of

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class Scope:
    """Names from which a step can be bound: those of a frame, or of an object in a method that built it."""

    kind: str
    """`own` (the frame that runs), `outer` (one around it), `object`."""
    root: Cell
    name: str
    """The name of the object in its method; empty for a frame."""
    anchor: ast.stmt
    before: bool
    time: int
    """When the anchor ended: names have the values of then."""
    reach: str
    """How the run reaches the step: a prefix such as `self.` or `model.`."""
    guarded: bool = False
    """Whether attributes may be missing there: then the step is bound where they are not."""
    needs: frozenset[str] = frozenset()
    """Of those the ones that other objects miss."""


class Scopes(Part):
    """Finds the places from which the step of a run can be bound, and what it asks for in the names of each."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan], building: Building) -> None:
        super().__init__(facts, plans)
        self.building = building

    def scopes(self, node: ast.Call, seen: Sequence[Observation], wanted: Sequence[Wanted]) -> Iterator[list[Scope]]:
        """Places where the step may be bound, best first: for each, the scope of every time that the run was seen."""
        ways = (
            [lambda one, want: self._own(node, one, want, built_here=True)]
            + [lambda one, want, at=at: self._object(node, one, want, at) for at in range(8)]
            + [lambda one, want, at=at: self._outer(node, one, want, at) for at in range(4)]
            + [lambda one, want: self._own(node, one, want, built_here=False)]
            + [lambda one, want: self._own(node, one, want, built_here=None)]
            + [lambda one, want, at=at: self._object(node, one, want, at, guarded=True) for at in range(8)]
            + [lambda one, want: self._own(node, one, want, built_here=None, guarded=True)]
            + [lambda one, want: self._branch(one, want)]
        )
        for way in ways:
            rows = [way(one, want) for one, want in zip(seen, wanted, strict=True)]
            found = [row for row in rows if row is not None]
            if len(found) == len(rows) and all(
                row.anchor is found[0].anchor and row.reach == found[0].reach and row.before == found[0].before
                for row in found
            ):
                yield found

    def _nodes(self, wanted: Wanted) -> list[Value]:
        return [*wanted.fetches.leaves(), *wanted.updates, *wanted.keys]

    def _own(
        self, node: ast.Call, seen: Observation, wanted: Wanted, built_here: bool | None, *, guarded: bool = False
    ) -> Scope | None:
        """The frame that runs: behind the block by which all was built; first where that was built in it.

        With None it is behind what bound the run's own words, too.
        """
        frame = self.function_frame(seen.frame)
        if isinstance(frame.code, ast.Lambda) or built_here not in (None, self._builds(frame, seen, wanted)):
            return None
        mine = set(map(id, self._nodes(wanted))) if built_here is None else set()
        words = [seen.latest[leaf] for leaf, value in self._own_values(seen) if id(value) in mine]
        anchor = self._before(node, frame, max([self._made(seen, wanted), *words]), seen.time)
        return None if anchor is None else Scope("own", frame, "", anchor[0], False, anchor[1], "", guarded)

    def _branch(self, seen: Observation, wanted: Wanted) -> Scope | None:
        """The frame that runs, in the branch that built all: where it is not taken, names of the run are missing."""
        frame, nodes = self.function_frame(seen.frame), self._nodes(wanted)
        body = frame.code.body if isinstance(frame.code, ast.Module | ast.FunctionDef) else []
        if not all(isinstance(value, Node) and within(value.turn, seen.turn) for value in nodes):
            return None
        found = self._behind(frame, body, self._made(seen, wanted), seen.time, innermost=True)
        if found is None:
            return None
        named = [frame.at(name, found.time) for name in frame.written if isinstance(name, str)]
        known = all(any(value is each for each in named) for value in nodes)
        return replace(found, kind="own") if known else None

    def _builds(self, frame: Frame, seen: Observation, wanted: Wanted) -> bool:
        """Whether something of what is wanted was built since a frame began."""
        starts = [visit.start for visit in self.facts.recorder.visits.get(frame.code, ()) if visit.frame is frame]
        start = starts[0] if starts else 0
        every = [option for value in self._nodes(wanted) for option in options(value)]
        if any(map(is_text, every)):
            return self._grown(seen) >= start
        return any(option.time >= start for option in every if isinstance(option, Node))

    def _made(self, seen: Observation, wanted: Wanted) -> int:
        """When the last of what is wanted was made; what a name means is there once all that it may be was made."""
        nodes = self._nodes(wanted)
        made = [_made(value) for value in nodes]
        # The graph has grown when the moment that is noted has passed: a statement may have ended at that very one.
        return max(self._grown(seen) + 1 if any(map(is_text, nodes)) else 0, *made)

    def _grown(self, seen: Observation) -> int:
        """When the last that stays was made in a graph before a run."""
        made = self.facts.recorder.grown.get(id(seen.graph), ())
        return max((time for time, place in made if time < seen.time and place not in self.facts.gone), default=0)

    def function_frame(self, frame: Frame) -> Frame:
        """The frame of the function that a comprehension stands in."""
        while frame.kind == "comprehension" and frame.outer is not None:
            frame = frame.outer
        return frame

    def _before(self, node: ast.Call, frame: Frame, made: int, time: int) -> tuple[ast.stmt, int] | None:
        """The first statement, in a block around a run but in no loop, behind which all that was built stands."""
        module = self.facts.owners[node]
        inner: ast.AST = module.statement_of(node)
        levels: list[tuple[Sequence[ast.stmt], int, ast.AST]] = []
        while True:
            outer = module.parents.get(inner)
            if outer is None:
                break
            levels += [(block, block.index(inner), outer) for block in blocks(outer) if inner in block]
            if outer is frame.code:
                break
            inner = outer
        loops = [isinstance(outer, _LOOPS) for _, _, outer in levels]
        for at in range(len(levels) - 1, -1, -1):
            block, position, _ = levels[at]
            if any(loops[at:]):
                continue
            for statement in block[:position]:
                ends = self.facts.recorder.ends.get((id(frame), statement), ())
                ended = [end for end in ends if end < time]
                if ended and ended[-1] >= made and not self._is_dropped(statement):
                    last = self.building.ends.get(statement, statement)
                    later = [end for end in self.facts.recorder.ends.get((id(frame), last), ()) if end < time]
                    if last in block[:position] and later:
                        return last, later[-1]
        return None

    def _is_dropped(self, node: ast.stmt) -> bool:
        plan = self.plan_of(node)
        return node in plan.dropped or (isinstance(node, ast.With) and node in plan.unwrapped)

    def _outer(self, node: ast.Call, seen: Observation, wanted: Wanted, at: int) -> Scope | None:
        """A frame around the one that runs: of a closure, of the module."""
        frame: Frame | None = self.function_frame(seen.frame)
        assert frame is not None
        for _ in range(at + 1):
            frame = frame.outer
            while frame is not None and frame.kind in ("comprehension", "class"):
                frame = frame.outer
            if frame is None:
                return None
        body = frame.code.body if isinstance(frame.code, ast.Module | ast.FunctionDef) else []
        if frame.code not in self.facts.owners:
            return None
        made = self._made(seen, wanted)
        found = self._behind(frame, body, made, seen.time)
        if found is not None and any(map(is_text, self._nodes(wanted))) and not self._is_entered(found, seen):
            return self._behind(frame, body, made, seen.time, innermost=True)
        return found

    def _behind(
        self, frame: Frame, body: Sequence[ast.stmt], made: int, time: int, *, innermost: bool = False
    ) -> Scope | None:
        """Behind the first statement of a body by whose end all was built; in blocks that are entered once.

        Of statements in one another it is the outermost, or the innermost: of those that a `return` may leave, too.
        """
        for statement in body:
            leaves = not isinstance(statement, ast.Return) and _leaves(statement)
            for inner in _blocks(statement) if innermost or leaves else ():
                found = self._behind(frame, inner, made, time, innermost=True)
                if found is not None:
                    return found
            ends = [end for end in self.facts.recorder.ends.get((id(frame), statement), ()) if end < time]
            if leaves and ends and ends[-1] >= made:
                return None
            if ends and ends[-1] >= made and not self._is_dropped(statement):
                last = self.building.ends.get(statement, statement)
                later = [end for end in self.facts.recorder.ends.get((id(frame), last), ()) if end < time]
                if later and not isinstance(statement, ast.Return):
                    return Scope("outer", frame, "", last, False, later[-1], "")
            if not isinstance(statement, ast.With | ast.Try | ast.If):
                continue
            for inner in (statement.body, getattr(statement, "orelse", [])):
                if any((id(frame), each) in self.facts.recorder.ends for each in inner):
                    found = self._behind(frame, inner, made, time)
                    if found is not None:
                        return found
        return None

    def _object(
        self, node: ast.Call, seen: Observation, wanted: Wanted, at: int, *, guarded: bool = False
    ) -> Scope | None:
        """An object that the run reaches by a path: behind the method that built what it fetches."""
        paths = self._objects(node, seen)
        if at >= len(paths):
            return None
        text, owner = paths[at]
        made = self._made(seen, wanted)
        methods = sorted(self._methods(owner, seen.time), key=lambda each: not each.start <= made <= each.end)
        for visit in methods:  # first those that made it, not those that were called behind it
            own = self._own_of(seen, text, "", visit.end)
            if not self._reaches_all(owner, wanted, visit.end, own, seen.turn) or not isinstance(
                visit.node, ast.FunctionDef
            ):
                continue
            anchor = self._end_of(visit)
            name, reach = _first_parameter(visit.node), f"{text}."
            names = self._names_needed(owner, wanted, visit.end, own, seen.turn)
            ends = [(each.receiver, each.end) for each in self.facts.recorder.visits[visit.node] if not each.left]
            if anchor is not None and _are_bound(names, ends):
                return Scope("object", owner, name, anchor[0], anchor[1], visit.end, reach)
            if guarded and anchor is not None and all(isinstance(each, Instance) for each, _ in ends):
                needs = frozenset(f"{name}.{each}" for each in names if not _are_bound({each}, ends))
                return Scope("object", owner, name, anchor[0], anchor[1], visit.end, reach, guarded, needs)
            found = self._behind(visit.frame, visit.node.body, made, seen.time)
            if found is not None and not _are_bound(names, self._passes(found.anchor, visit)):
                found = self._behind(visit.frame, visit.node.body, made, seen.time, innermost=True)
            if found is not None and found.time <= visit.end and _are_bound(names, self._passes(found.anchor, visit)):
                return Scope("object", owner, name, found.anchor, False, found.time, reach)
        return self._during(text, owner, seen, wanted, made)

    def _during(self, text: str, owner: Instance, seen: Observation, wanted: Wanted, made: int) -> Scope | None:
        """The same, behind what built in a method that has not ended when the run happens."""
        for visit in self._building_methods.get(id(owner), ()):
            if not visit.start < seen.time <= visit.end or not isinstance(visit.node, ast.FunctionDef):
                continue
            found = self._behind(visit.frame, visit.node.body, made, seen.time)
            if found is None or visit.frame is self.function_frame(seen.frame):
                continue
            own = self._own_of(seen, text, "", found.time)
            names = self._names_needed(owner, wanted, found.time, own, seen.turn)
            reached = self._reaches_all(owner, wanted, found.time, own, seen.turn)
            if reached and _are_bound(names, self._passes(found.anchor, visit)):
                name = _first_parameter(visit.node)
                return Scope("object", owner, name, found.anchor, False, found.time, f"{text}.")
        return None

    def _passes(self, anchor: ast.stmt, visit: Visit) -> list[tuple[Value | None, int]]:
        """When calls of a method came by a statement, and for which object."""
        return [
            (each.receiver, end)
            for each in self.facts.recorder.visits[visit.node]
            if not each.left
            for end in self.facts.recorder.ends.get((id(each.frame), anchor), ())
        ]

    def _objects(self, node: ast.Call, seen: Observation) -> list[tuple[str, Instance]]:
        """The objects that expressions of the run name, with their paths."""
        frame = self.function_frame(seen.frame)
        found: dict[str, Instance] = {}
        texts = list(seen.latest)
        roots: list[ast.expr] = []
        for leaf in texts:
            while isinstance(leaf, ast.Attribute):
                leaf = leaf.value
                roots.append(leaf)
        if isinstance(node.func, ast.Attribute):
            place: ast.expr = node.func.value
            while isinstance(place, ast.Attribute):
                place = place.value
                roots.append(place)
        if frame.receiver is not None and isinstance(frame.code, ast.FunctionDef) and frame.code.args.args:
            roots.append(ast.Name(frame.code.args.args[0].arg, ast.Load()))
        for root in sorted(roots, key=lambda each: len(ast.unparse(each))):
            value = self._value_of(root, seen)
            if isinstance(value, Instance):
                found.setdefault(ast.unparse(root), value)
        return list(found.items())

    def _value_of(self, node: ast.expr, seen: Observation) -> Value | None:
        """The value of a path of plain names at the time of a run."""
        if isinstance(node, ast.Name):
            frame: Frame | None = seen.frame
            while frame is not None:
                value = frame.at(node.id, seen.time)
                if value is not ABSENT:
                    return value
                frame = frame.outer
            return None
        if isinstance(node, ast.Attribute):
            owner = self._value_of(node.value, seen)
            if isinstance(owner, Instance):
                value = owner.at(node.attr, seen.time)
                return None if value is ABSENT else value
        return None

    def container(self, node: ast.expr, seen: Observation) -> Value | None:
        """What a path of plain names means at the time of a run, where all of it is surely there."""
        found = self._value_of(node, seen)
        return found if isinstance(found, Items | Table) else None

    def _methods(self, owner: Instance, time: int) -> list[Visit]:
        """The calls of an object's methods that built, by their end."""
        return [visit for visit in self._building_methods.get(id(owner), ()) if visit.end < time]

    @cached_property
    def _building_methods(self) -> dict[int, list[Visit]]:
        found: dict[int, list[Visit]] = {}
        for node, visits in self.facts.recorder.visits.items():
            if node in self.facts.owners and node in self.facts.building:
                for visit in visits if not _is_getter(node, visits) else ():
                    found.setdefault(id(visit.receiver), []).append(visit)
        return {owner: sorted(visits, key=lambda visit: visit.end) for owner, visits in found.items()}

    def _reaches_all(self, owner: Instance, wanted: Wanted, time: int, own: list[Named], turn: Turn) -> bool:
        return None not in self._found(Paths(own, reachable(owner, "self", time), turn), wanted)

    def _names_needed(self, owner: Instance, wanted: Wanted, time: int, own: list[Named], turn: Turn) -> set[str]:
        """The attributes of an object by which a step names what it wants."""
        found = self._found(Paths(own, reachable(owner, "", time), turn), wanted)
        return {str(text).strip(".").split(".")[0].split("[")[0] for text in found}

    def _found(self, paths: Paths, wanted: Wanted) -> list[str | None]:
        """How each part of what is wanted is named; inputs by their container where the step takes that."""
        parts = [*wanted.fetches.leaves(), *wanted.updates]
        found = [paths.find(value) for value in (*parts, *(() if wanted.nested else wanted.keys))]
        return [*found, paths.container(wanted.keys)] if wanted.nested and wanted.keys else found

    def _end_of(self, visit: Visit) -> tuple[ast.stmt, bool] | None:
        """The last statement of a method, behind which a step can be bound; before a final `return`."""
        function = visit.node
        if not isinstance(function, ast.FunctionDef) or _returns_early(function):
            return None
        last = function.body[-1]
        at = len(function.body) - 1
        while at > 0 and self._is_dropped(last):
            at -= 1
            last = function.body[at]
        if isinstance(last, ast.Return):
            return last, True
        return last, False

    # -- texts --

    def texts(
        self,
        scope: Scope,
        wanted: Wanted,
        seen: Observation,
        node: ast.Call | None,
        first: Sequence[Named] = (),
    ) -> tuple[str | None, tuple[str, ...], tuple[str, ...]] | None:
        """Fetches, updates and inputs in the names of a scope; None where they are out of its reach.

        Without a `node` what may be missing there counts as there, for a step that another run has bound already.
        """
        others = reachable(scope.root, scope.name, scope.time)
        if scope.kind == "own" and isinstance(scope.root, Frame):
            self._add_outer(others, scope.root, scope.time)
        certain = node is None or (scope.kind == "own" and comes_to(self.facts, scope.anchor, node))
        if scope.kind in ("own", "outer"):
            own = self._own_words(scope, seen, certain)
        else:
            own = self._own_of(seen, scope.reach[:-1], scope.name, scope.time)
        paths = Paths([*first, *own], others, seen.turn)
        updates = [paths.find(value) for value in wanted.updates]
        inputs = [paths.container(wanted.keys)] if wanted.nested else [paths.find(value) for value in wanted.keys]
        empty = wanted.fetches.kind == "list" and not wanted.fetches.parts
        fetches = None if empty else paths.rendered(wanted.fetches)
        if None in updates or None in inputs or (fetches is None and not empty):
            return None
        if wanted.optional and (scope.guarded or self.missing(scope, (fetches, updates, inputs))):
            return None
        if not certain and not scope.guarded and self.missing(scope, (fetches, updates, inputs)):
            return None
        if any(map(is_text, self._nodes(wanted))) and not self._is_entered(scope, seen):
            return None
        if not self._still(scope, wanted, seen) or any(_changed(value) > scope.time for value in self._nodes(wanted)):
            return None
        return fetches, tuple(map(str, updates)), tuple(map(str, inputs))

    def missing(self, scope: Scope, texts: tuple[str | None, Sequence[object], Sequence[object]]) -> set[str]:
        """The attributes that a step of a frame reads and that an object may not have yet."""
        fetches, updates, inputs = texts
        every = [str(text) for text in (fetches, *updates, *inputs) if text is not None]
        if not isinstance(scope.root, Frame):
            return set()
        passes = [scope, *self._other_passes(scope, scope.root)]
        return {found for one in passes for text in every for found in _missing(one, text)}

    def _other_passes(self, scope: Scope, frame: Frame) -> Iterator[Scope]:
        """The same place in other calls of the function, which may not come to the run."""
        for visit in self.facts.recorder.visits.get(frame.code, ()):
            ends = self.facts.recorder.ends.get((id(visit.frame), scope.anchor), ())
            if visit.frame is not frame and ends:
                yield replace(scope, root=visit.frame, time=ends[-1])

    def holds(self, scope: Scope, text: str) -> bool:
        """Whether a text surely names something of the graph in a scope."""
        named = dict(reversed(reachable(scope.root, scope.name, scope.time)))
        return not scope.guarded and text in named and _is_of_graph(named[text])

    def _is_entered(self, scope: Scope, seen: Observation) -> bool:
        """Whether the graph of a run is the default one where its step is bound: names are looked up there."""
        found = self.facts.recorder.default_graphs.get((id(scope.root), scope.time))
        return found is not None and found is seen.graph

    def _still(self, scope: Scope, wanted: Wanted, seen: Observation) -> bool:
        return scope.time < seen.time and bool(wanted.keys or wanted.updates or wanted.fetches.leaves())

    def _add_outer(self, paths: list[Named], frame: Frame, time: int) -> None:
        outer = frame.outer
        names = {text for text, _ in paths}
        while outer is not None:
            if outer.kind != "class":
                paths += [
                    (text, value)
                    for text, value in reachable(outer, "", time)
                    if text.split(".")[0].split("[")[0] not in names
                ]
                names |= {text for text, _ in paths}
            outer = outer.outer

    def _own_words(self, scope: Scope, seen: Observation, certain: bool) -> list[Named]:
        """The run's own words, where they meant the same at the anchor, and are read for `certain` or never missing."""
        return [
            (ast.unparse(leaf), value)
            for leaf, value in self._own_values(seen)
            if seen.latest.get(leaf, scope.time + 1) <= scope.time and (certain or _has_name(scope, leaf))
        ]

    def _own_of(self, seen: Observation, text: str, name: str, time: int) -> list[Named]:
        """The run's own paths below an object, as a method of that object names them, that meant the same then."""
        return [
            (name + ast.unparse(leaf)[len(text) :], value)
            for leaf, value in self._own_values(seen)
            if ast.unparse(leaf).startswith((f"{text}.", f"{text}[")) and seen.inner.get(leaf, time + 1) <= time
        ]

    def _own_values(self, seen: Observation) -> list[tuple[ast.expr, Value]]:
        """The paths of a run's expressions with their values, as far as displays show which is which."""
        found: list[tuple[ast.expr, Value]] = []

        def match(expr: ast.expr | None, snapshot: Snapshot | None) -> None:
            if expr is None or snapshot is None:
                return
            if (
                isinstance(expr, ast.List | ast.Tuple)
                and snapshot.kind == "list"
                and len(expr.elts) == len(snapshot.parts)
            ):
                for inner, (_, part) in zip(expr.elts, snapshot.parts, strict=True):
                    match(inner, part)
            elif isinstance(expr, ast.BinOp) and snapshot.kind == "sum":
                for inner, (_, part) in zip((expr.left, expr.right), snapshot.parts, strict=True):
                    match(inner, part)
            elif isinstance(expr, ast.Dict) and snapshot.kind == "table" and len(expr.keys) == len(snapshot.parts):
                for key, inner, (value, part) in zip(expr.keys, expr.values, snapshot.parts, strict=True):
                    match(key, Snapshot(value))
                    match(inner, part)
            elif expr in seen.latest and snapshot.kind == "leaf":
                found.append((expr, snapshot.value))

        match(seen.fetch, seen.fetches)
        match(seen.feed, seen.feeds)
        for expr, snapshot in ((seen.fetch, seen.fetches), (seen.feed, seen.feeds)):
            display = None if expr is None else seen.shown.get(expr)
            if display is not None and snapshot is not None and isinstance(snapshot.value, Items | Table):
                before = len(found)
                match(display, snapshot)
                cell = snapshot.value
                made = min((cell.since(key) for key in cell.written), default=0)
                found[before:] = [each for each in found[before:] if seen.latest[each[0]] <= made]
        return [*found, *((leaf, value) for leaf, value in seen.words.items() if _is_of_graph(value))]


@functools.cache
def _returns_early(function: ast.FunctionDef) -> bool:
    """Whether a function may end before its last statement."""
    return any(isinstance(inner, ast.Return) and inner is not function.body[-1] for inner in own_nodes(function))


@functools.cache
def _leaves(statement: ast.stmt) -> bool:
    """Whether a function may end within a statement, as it says itself."""
    return any(isinstance(inner, ast.Return) for inner in own_nodes_of([statement]))


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a statement that are gone through once at most."""
    if isinstance(statement, ast.If):
        return [statement.body, statement.orelse]
    return [statement.body] if isinstance(statement, ast.With) else []


def _missing(scope: Scope, text: str) -> set[str]:
    """The attributes that an object may not have yet of those that a text reads in a frame."""
    paths = [node for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Attribute)]
    return {
        ast.unparse(path)
        for path in paths
        for owner in _owners(scope, path.value)
        if not any(path.attr in each.slots for each in owner.cls.mro)
        if path.attr in owner.written or not _has_others(owner)
        if any(option is ABSENT for option in options(owner.at(path.attr, scope.time)))
    }


def _has_others(owner: Instance) -> bool:
    """Whether an object may have attributes that nobody saw it get."""
    return owner.open or any("__getattr__" in each.slots for each in owner.cls.mro)


def _owners(scope: Scope, node: ast.expr) -> list[Instance]:
    """The objects that a path may mean in a frame at the time of a scope."""
    found: list[Value] = []
    if isinstance(node, ast.Name):
        frame = scope.root if isinstance(scope.root, Frame) else None
        while frame is not None and not found:
            value = frame.at(node.id, scope.time)
            found = [] if value is ABSENT else list(options(value))
            frame = frame.outer
    elif isinstance(node, ast.Attribute):
        owners = _owners(scope, node.value)
        found = [option for owner in owners for option in options(owner.at(node.attr, scope.time))]
    return [option for option in found if isinstance(option, Instance)]


def _is_getter(node: ast.AST, visits: Sequence[Visit]) -> bool:
    """Whether a function computes an attribute: what is bound in it may ask for that attribute, and for ever."""
    classes = (visit.receiver.cls for visit in visits if isinstance(visit.receiver, Instance))
    values = (option for cls in classes for one in cls.mro for value in one.slots.values() for option in options(value))
    return any(
        isinstance(value, Wrapped)
        and value.kind == "property"
        and isinstance(value.function, Function)
        and value.function.node is node
        for value in values
    )


def _first_parameter(function: FunctionNode) -> str:
    return function.args.args[0].arg if function.args.args else "self"


def _are_bound(names: set[str], places: Sequence[tuple[Value | None, int]]) -> bool:
    """Whether objects surely have attributes at some moments."""
    return bool(places) and all(
        isinstance(owner, Instance)
        and all(option is not ABSENT for name in names for option in options(owner.at(name, time)))
        for owner, time in places
    )


def _is_of_graph(value: Value) -> bool:
    return all(isinstance(option, Node) for option in options(value))


def _has_name(scope: Scope, leaf: ast.expr) -> bool:
    """Whether the name that a path begins with surely is bound in the frame of a scope, or is none of that frame."""
    names = [node.id for node in ast.walk(leaf) if isinstance(node, ast.Name)]
    values = [scope.root.at(name, scope.time) for name in names if name in scope.root.written]
    return all(option is not ABSENT for value in values for option in options(value))


def _made(value: Value) -> int:
    """When the last of a value was made."""
    times = [option.time for each in inside(value, 3) for option in options(each) if isinstance(option, Node)]
    return max([*times, _changed(value)], default=0)


def _changed(value: Value) -> int:
    """When a container was last changed; 0 for what is none."""
    if not isinstance(value, Items | Table):
        return 0
    return max((value.since(key) for key in value.written), default=0)
