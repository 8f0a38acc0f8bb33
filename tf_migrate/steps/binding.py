"""Runs become steps: what each fetches and feeds, and where its step is bound."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tf_migrate.interpreter.recorder import Observation, Snapshot, Visit
from tf_migrate.interpreter.values import (
    ABSENT,
    Cell,
    Const,
    Frame,
    Group,
    Instance,
    Items,
    Node,
    Table,
    Thing,
    Turn,
    Value,
    is_graph_or_none,
    options,
)
from tf_migrate.report.model import Reason, Tier
from tf_migrate.steps.building import Building
from tf_migrate.steps.facts import FunctionNode, ProgramFacts, is_kind
from tf_migrate.steps.part import Part
from tf_migrate.steps.paths import Named, Paths, inside, reachable
from tf_migrate.steps.plan import (
    AtOnce,
    DynamicRun,
    Hoist,
    ModulePlan,
    Read,
    Removal,
    Run,
    Step,
    StepCall,
    Verdict,
)
from tf_migrate.syntax.own_nodes import own_nodes

_WORD = re.compile(r"\w+")
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


@dataclass(frozen=True)
class Wanted:
    """What one run fetches and feeds, as values; keys in the order of the call."""

    fetches: Snapshot
    updates: tuple[Value, ...]
    keys: tuple[Value, ...]
    nested: bool = False
    """Whether there may be other keys too: then the step takes the container that all are in."""

    def by_wholes(self) -> Wanted:
        """The same, of the structures of tensors that keys are parts of."""
        inputs = {id(found): found for found in map(_outermost, self.keys)}
        return replace(self, keys=tuple(inputs.values()))


class Binding(Part):
    """Finds the steps of a program."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan], building: Building) -> None:
        super().__init__(facts, plans)
        self.building = building
        self.steps: dict[tuple[object, ...], Step] = {}

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what keeps the program from steps altogether."""
        for node in sorted(
            self.facts.sites, key=lambda each: (self.facts.owners[each].name, each.lineno, each.col_offset)
        ):
            plan = self.plan_of(node)
            if node in self.facts.removed:
                plan.runs.append(Removal(node, self.facts.statement(node)))
                plan.verdicts.append(Verdict(node, "native"))
                continue
            if node in self.facts.at_once and (fetch := self.facts.sites[node][0].fetch) is not None:
                plan.runs.append(AtOnce(node, fetch))
                plan.verdicts.append(Verdict(node, "native"))
                continue
            seen = _distinct(self.facts.sites[node])
            if any(each.others for each in seen):
                run, why, step = self._run_with_more(node, seen)
            else:
                run, why, step = self._run(node, seen)
            if run is None:
                self.reasons.append(
                    why or self.reason("arguments", node, "the arguments of a run are not known", "write them out")
                )
                continue
            if isinstance(run, DynamicRun) and any(map(_is_lost, seen)):
                self.refuse(
                    "graph-by-name",
                    node,
                    "it fetches by names of a graph that is not entered where it runs",
                    "run it where the graph is entered, or fetch tensors in place of names",
                )
            plan.runs.append(run)
            tier: Tier = "dynamic" if isinstance(run, DynamicRun) else "native"
            plan.verdicts.append(Verdict(node, tier, (why,) if why is not None and tier == "dynamic" else (), step))
        return self.reasons

    # -- one run --

    def _run(self, node: ast.Call, seen: Sequence[Observation]) -> tuple[Run | None, Reason | None, str | None]:
        fetch, feed = seen[0].fetch, seen[0].feed
        if fetch is None or any(each.fetch is not fetch for each in seen):
            return (
                None,
                self.reason("run-of-others", node, "what a run fetches is given elsewhere", "write it out here"),
                None,
            )
        if isinstance(feed, ast.Constant):
            feed = None
        if self._only_reads(seen, fetch):
            return Read(node, fetch), None, None
        if isinstance(fetch, ast.Name | ast.Attribute | ast.Call) and all(map(self._reads_list, seen)):
            return Read(node, fetch, each=True), None, None
        dynamic = DynamicRun(node, fetch, feed)
        if self._built_in(node):
            hoisted = self._hoisted(node, seen, fetch, feed)
            if hoisted is not None:
                return hoisted
            why = self.reason("built-where-run", node, "what a run fetches is built where it runs", "build it before")
            return dynamic, why, None
        wanted = [self._wanted(node, each, fetch, feed) for each in seen]
        for each in wanted:
            if isinstance(each, Reason):
                return dynamic, each, None
        known = [each for each in wanted if isinstance(each, Wanted)]
        found = self._bound(node, seen, known)
        nested = any(each.nested for each in known)
        if isinstance(found, Reason) and any(_outermost(key) is not key for each in known for key in each.keys):
            found, nested = self._bound(node, seen, [each.by_wholes() for each in known]), True
        if isinstance(found, Reason):
            return dynamic, found, None
        step, callee = found
        arguments = (feed,) if nested and feed is not None else self._arguments(feed, step)
        return StepCall(node, callee, arguments, self._kept(node, fetch, seen)), None, step.target

    def _run_with_more(
        self, node: ast.Call, seen: Sequence[Observation]
    ) -> tuple[Run | None, Reason | None, str | None]:
        """A run that is given options, or what tells how long it took."""
        fetch, feed = seen[0].fetch, seen[0].feed
        named = [(name, value) for name, value in zip(("options", "run_metadata"), node.args[2:], strict=False)]
        named += [(each.arg, each.value) for each in node.keywords if each.arg in ("options", "run_metadata")]
        if fetch is None or any(each.fetch is not fetch for each in seen):
            return None, None, None
        given = None if isinstance(feed, ast.Constant) else feed
        why = self.reason("run-options", node, f"a run is given `{named[0][0]}`", "run it without") if named else None
        return DynamicRun(node, fetch, given, tuple(named)), why, None

    def _hoisted(
        self, node: ast.Call, seen: Sequence[Observation], fetch: ast.expr, feed: ast.expr | None
    ) -> tuple[Run, None, str] | None:
        """A run whose fetches are built in its own statement, which runs once: they are built before it."""
        statement, plan = self.facts.statement(node), self.plan_of(node)
        parts = fetch.elts if isinstance(fetch, ast.List | ast.Tuple) else [fetch]
        built = [part for part in parts if self._built_in(part)]
        elsewhere = self._built_in(statement)
        if not elsewhere <= {place for part in built for place in ast.walk(part)} or not self._is_once(node, seen[0]):
            return None
        if any(map(self.building.runs_inside, built)):
            return None
        wanted = self._wanted(node, seen[0], fetch, feed)
        display = isinstance(fetch, ast.List | ast.Tuple)
        snapshots = [part for _, part in seen[0].fetches.parts] if display else [seen[0].fetches]
        if isinstance(wanted, Reason) or wanted.nested or len(snapshots) != len(parts):
            return None
        names = {part: self._free(_word_of(part)) for part in built}
        own = [(names[part], each.value) for part, each in zip(parts, snapshots, strict=True) if part in names]
        frame = self._function_frame(seen[0].frame)
        scope = Scope("own", frame, "", statement, True, seen[0].time - 1, "")
        texts = self._texts(scope, wanted, seen[0], own)
        if texts is None:
            return None
        step = self._step(scope, texts)
        if step is None:
            return None
        plan.built -= elsewhere
        plan.hoisted += [Hoist(part, names[part], statement) for part in built]
        return (
            StepCall(node, step.target, self._arguments(feed, step), self._kept(node, fetch, seen)),
            None,
            step.target,
        )

    def _built_in(self, node: ast.AST) -> set[ast.AST]:
        """The expressions in a node that build where they stand."""
        built, called = self.plan_of(node).built, self.building.called
        return {place for place in ast.walk(node) if place in built or place in called}

    def _is_once(self, node: ast.Call, seen: Observation) -> bool:
        """Whether a run happens once, and always when its statement does: in no loop and no condition."""
        statement = self.facts.statement(node)
        if not isinstance(statement, ast.Expr | ast.Assign | ast.Return | ast.AugAssign | ast.AnnAssign):
            return False
        source = self.facts.owners[node].source
        if source.text[source.line_starts[statement.lineno - 1] : source.start(statement)].strip():
            return False  # it shares its line with another statement
        code = seen.frame.code
        if isinstance(code, ast.Lambda):
            return False
        for place in self.facts.around(node):
            if place is code:
                break
            if isinstance(place, (*_LOOPS, ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension, ast.GeneratorExp)):
                return False
            if isinstance(place, ast.ListComp | ast.SetComp | ast.DictComp):
                return False
        return isinstance(code, ast.Module) or len(self.facts.recorder.visits.get(code, ())) == 1

    def _only_reads(self, seen: Sequence[Observation], fetch: ast.expr) -> bool:
        if not all(each.fetches.known and each.feeds is None and each.fetches.leaves() for each in seen):
            return False
        if any(each.hooked for each in seen):
            return False  # hooks are called around it
        if not all(is_kind(leaf, "variable") for each in seen for leaf in each.fetches.leaves()):
            return False
        if isinstance(fetch, ast.List | ast.Tuple):
            return all(part.kind == "leaf" for each in seen for _, part in each.fetches.parts)
        return all(each.fetches.kind == "leaf" for each in seen)

    def _reads_list(self, seen: Observation) -> bool:
        """Whether a run gives the values of a list of variables, however many they are."""
        if seen.feeds is not None or seen.hooked or not isinstance(seen.fetches.value, Items):
            return False
        leaves = [*seen.fetches.value.slots.items()]
        values = [part for _, slot in leaves for part in (slot.values if isinstance(slot, Group) else (slot,))]
        return seen.fetches.value.kind == "list" and bool(values) and all(is_kind(each, "variable") for each in values)

    # -- what it wants --

    def _wanted(self, node: ast.Call, seen: Observation, fetch: ast.expr, feed: ast.expr | None) -> Wanted | Reason:
        whole = _closed(seen.fetches)
        if not all(_is_of_graph(leaf) or _is_text(leaf) for leaf in whole.leaves()) or not whole.leaves():
            return self.reason("fetches-unknown", node, "what it fetches is not known", "fetch by a name")
        keys: list[Value] = []
        if feed is not None:
            if seen.feeds is None or seen.feeds.kind != "table":
                return self.reason(
                    "feeds-unknown", node, "the keys of what it feeds are not known", "feed a fixed dictionary"
                )
            keys = [_named(key) for key, _ in seen.feeds.parts]
            by_name = isinstance(feed, ast.Dict) and None not in feed.keys
            if not all(is_graph_or_none(key) or (by_name and _is_text(key)) for key in keys):
                return self.reason("feeds-unknown", node, "a key of what it feeds is not known", "feed placeholders")
            left_out = [_named(key) for key in seen.feeds.maybe]
            keys = list({id(key): key for key in (_whole(key, left_out) for key in keys)}.values())
            if any(is_kind(key, "placeholder") and not getattr(key, "default", False) for key in left_out):
                return self.reason(
                    "feeds-grow", node, "what it feeds grows while the program runs", "feed a fixed dictionary"
                )
        fetches, updates = self._split(node, whole, fetch)
        return Wanted(fetches, updates, tuple(keys), seen.feeds is not None and not seen.feeds.closed)

    def _split(self, node: ast.Call, fetches: Snapshot, fetch: ast.expr) -> tuple[Snapshot, tuple[Value, ...]]:
        """What gives results, and what only updates."""
        unused = isinstance(self.facts.parent(node), ast.Expr)
        effects = ("operation", "initializer", "assignment") if unused else ("operation", "initializer")
        if fetches.kind == "leaf":
            if unused and _is_all(fetches.value, *effects):
                return Snapshot(fetches.value, "list"), (fetches.value,)
            return fetches, ()
        if unused and all(_is_all(leaf, *effects) for leaf in fetches.leaves()):
            return Snapshot(fetches.value, "list"), tuple(fetches.leaves())
        positions = self._updates(node, fetch, fetches)
        if not positions:
            return fetches, ()
        updates = tuple(part.value for at, (_, part) in enumerate(fetches.parts) if at in positions)
        rest = [part for at, (_, part) in enumerate(fetches.parts) if at not in positions]
        if len(rest) == 1:
            return rest[0], updates
        return Snapshot(fetches.value, "list", tuple((Const(at), part) for at, part in enumerate(rest))), updates

    def _updates(self, node: ast.Call, fetch: ast.expr, fetches: Snapshot) -> set[int]:
        """The positions of fetched operations, where the targets that they are unpacked to can go with them."""
        targets = self._targets(node)
        if not isinstance(fetch, ast.List | ast.Tuple) or len(fetch.elts) != len(fetches.parts):
            return set()
        found = {
            at for at, (_, part) in enumerate(fetches.parts) if part.kind == "leaf" and is_kind(part.value, "operation")
        }
        if isinstance(self.facts.parent(node), ast.Expr):
            return found
        if targets is None or len(targets) != len(fetch.elts):
            return set()
        return {at for at in found if isinstance(targets[at], ast.Name) and self._is_unread(node, targets[at])}

    def _targets(self, node: ast.Call) -> list[ast.expr] | None:
        parent = self.facts.parent(node)
        if not isinstance(parent, ast.Assign) or parent.value is not node or len(parent.targets) != 1:
            return None
        target = parent.targets[0]
        if not isinstance(target, ast.Tuple | ast.List) or any(isinstance(each, ast.Starred) for each in target.elts):
            return None
        return target.elts

    def _is_unread(self, node: ast.Call, target: ast.expr) -> bool:
        """Whether nothing reads a name that a run binds to None."""
        if not isinstance(target, ast.Name):
            return False
        module = self.facts.owners[node]
        scope = module.scopes.get(target)
        return not any(module.binding_scope(load) is scope or module.scopes.get(load) is scope
                       for load in module.loads.get(target.id, ()))  # fmt: skip

    def _kept(self, node: ast.Call, fetch: ast.expr, seen: Sequence[Observation]) -> tuple[int, ...] | None:
        targets = self._targets(node)
        positions = self._updates(node, fetch, seen[0].fetches)
        if targets is None or not positions:
            return None
        return tuple(at for at in range(len(targets)) if at not in positions)

    def _arguments(self, feed: ast.expr | None, step: Step) -> tuple[ast.expr, ...]:
        """The values of a step's inputs in order, or the one dictionary that is keyed by them."""
        if feed is None:
            return ()
        if isinstance(feed, ast.Dict) and None not in feed.keys and len(feed.values) == len(step.inputs):
            return tuple(feed.values)
        return (feed,)

    # -- where its step is bound --

    def _bound(
        self, node: ast.Call, seen: Sequence[Observation], wanted: Sequence[Wanted]
    ) -> tuple[Step, str] | Reason:
        unreached = self.reason(
            "out-of-reach", node, "nothing names what it fetches where it was built", "keep it by a name"
        )
        for rows in self._scopes(node, seen, wanted):
            texts = [self._texts(scope, each, one) for scope, each, one in zip(rows, wanted, seen, strict=True)]
            if any(text is None or text != texts[0] for text in texts):
                continue
            first = texts[0]
            assert first is not None
            step = self._step(rows[0], first)
            if step is not None:
                return step, rows[0].reach + step.target.rpartition(".")[2]
        return unreached

    def _step(self, scope: Scope, texts: tuple[str | None, tuple[str, ...], tuple[str, ...]]) -> Step | None:
        """The step of a scope; None where two of its inputs are the same."""
        fetches, updates, inputs = texts
        if len(set(inputs)) < len(inputs):
            return None
        key = (scope.anchor, scope.before, scope.name, fetches, updates, inputs)
        found = self.steps.get(key)
        if found is None:
            owner = self.plan_of(scope.anchor)
            prefix = f"{scope.name}." if scope.kind == "object" else ""
            found = Step(prefix + self._name(texts), fetches, inputs, updates, scope.anchor, scope.before)
            owner.steps.append(found)
            self.steps[key] = found
        return found

    def _name(self, texts: tuple[str | None, tuple[str, ...], tuple[str, ...]]) -> str:
        fetches, updates, _ = texts
        source = updates[0] if updates else fetches or "run"
        words = [word for word in _WORD.findall(source) if not word.isdigit()]
        of_display = source[0] in "([{"
        if of_display and words[0] == "self":
            words = words[1:] or words
        word = words[0] if of_display and not updates else words[-1]
        for ending in ("_op", "_step", "_optimizer"):
            word = word.removesuffix(ending) or word
        base = f"{word.strip('_') or 'run'}_step"
        return self._free(f"run_{base}" if base[0].isdigit() else base)

    def _free(self, base: str) -> str:
        """A name that the program does not have yet."""
        taken = self._taken
        name, count = base, 2
        while name in taken:
            name, count = f"{base}_{count}", count + 1
        taken.add(name)
        return name

    @cached_property
    def _taken(self) -> set[str]:
        """The names of the program, and those that steps have got."""
        names: set[str] = set()
        for module in self.facts.modules.values():
            names |= set(module.loads) | set(module.attributes) | set(module.root.bindings)
            for scope in module.every_scope:
                names |= set(scope.bindings)
        return names

    # -- scopes --

    def _scopes(self, node: ast.Call, seen: Sequence[Observation], wanted: Sequence[Wanted]) -> Iterator[list[Scope]]:
        """Places where the step may be bound, best first: for each, the scope of every time that the run was seen."""
        ways = (
            [lambda one, want: self._own(node, one, want, built_here=True)]
            + [lambda one, want, at=at: self._object(node, one, want, at) for at in range(8)]
            + [lambda one, want, at=at: self._outer(node, one, want, at) for at in range(4)]
            + [lambda one, want: self._own(node, one, want, built_here=False)]
            + [lambda one, want: self._own(node, one, want, built_here=None)]
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

    def _own(self, node: ast.Call, seen: Observation, wanted: Wanted, built_here: bool | None) -> Scope | None:
        """The frame that runs: behind the block by which all was built; first where that was built in it.

        With None it is behind what bound the run's own words, too.
        """
        frame = self._function_frame(seen.frame)
        if isinstance(frame.code, ast.Lambda) or built_here not in (None, self._builds(frame, seen, wanted)):
            return None
        mine = set(map(id, self._nodes(wanted))) if built_here is None else set()
        words = [seen.latest[leaf] for leaf, value in self._own_values(seen) if id(value) in mine]
        anchor = self._before(node, frame, max([self._made(seen, wanted), *words]), seen.time)
        return None if anchor is None else Scope("own", frame, "", anchor[0], False, anchor[1], "")

    def _builds(self, frame: Frame, seen: Observation, wanted: Wanted) -> bool:
        """Whether something of what is wanted was built since a frame began."""
        starts = [visit.start for visit in self.facts.recorder.visits.get(frame.code, ()) if visit.frame is frame]
        start = starts[0] if starts else 0
        every = [option for value in self._nodes(wanted) for option in options(value)]
        if any(map(_is_text, every)):
            return self._grown(seen) >= start
        return any(option.time >= start for option in every if isinstance(option, Node))

    def _made(self, seen: Observation, wanted: Wanted) -> int:
        """When the last of what is wanted was made; what a name means is there once all that it may be was made."""
        nodes = self._nodes(wanted)
        made = [_made(value) for value in nodes]
        return max(self._grown(seen) if any(map(_is_text, nodes)) else 0, *made)

    def _grown(self, seen: Observation) -> int:
        """When the last that stays was made in a graph before a run."""
        made = self.facts.recorder.grown.get(id(seen.graph), ())
        return max((time for time, place in made if time < seen.time and place not in self.facts.gone), default=0)

    def _function_frame(self, frame: Frame) -> Frame:
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
            for name in ("body", "orelse", "finalbody"):
                block = getattr(outer, name, None)
                if isinstance(block, list) and inner in block:
                    levels.append((block, block.index(inner), outer))
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
        frame: Frame | None = self._function_frame(seen.frame)
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
        if found is not None and any(map(_is_text, self._nodes(wanted))) and not self._is_entered(found, seen):
            return self._behind(frame, body, made, seen.time, innermost=True)
        return found

    def _behind(
        self, frame: Frame, body: Sequence[ast.stmt], made: int, time: int, *, innermost: bool = False
    ) -> Scope | None:
        """Behind the first statement of a body by whose end all was built; in blocks that are entered once.

        Of statements in one another it is the outermost, or the innermost.
        """
        for statement in body:
            for inner in _blocks(statement) if innermost else ():
                found = self._behind(frame, inner, made, time, innermost=True)
                if found is not None:
                    return found
            ends = [end for end in self.facts.recorder.ends.get((id(frame), statement), ()) if end < time]
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

    def _object(self, node: ast.Call, seen: Observation, wanted: Wanted, at: int) -> Scope | None:
        """An object that the run reaches by a path: behind the method that built what it fetches."""
        paths = self._objects(node, seen)
        if at >= len(paths):
            return None
        text, owner = paths[at]
        made = self._made(seen, wanted)
        for visit in self._methods(owner, seen.time):
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
            if found is None or visit.frame is self._function_frame(seen.frame):
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
        frame = self._function_frame(seen.frame)
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

    def _methods(self, owner: Instance, time: int) -> list[Visit]:
        """The calls of an object's methods that built, by their end."""
        return [visit for visit in self._building_methods.get(id(owner), ()) if visit.end < time]

    @cached_property
    def _building_methods(self) -> dict[int, list[Visit]]:
        found: dict[int, list[Visit]] = {}
        for node, visits in self.facts.recorder.visits.items():
            if node in self.facts.owners and node in self.facts.building:
                for visit in visits:
                    found.setdefault(id(visit.receiver), []).append(visit)
        return {owner: sorted(visits, key=lambda visit: visit.end) for owner, visits in found.items()}

    def _reaches_all(self, owner: Instance, wanted: Wanted, time: int, own: list[Named], turn: Turn) -> bool:
        paths = Paths(own, reachable(owner, "self", time), turn)
        return all(paths.find(value) is not None for value in self._nodes(wanted))

    def _names_needed(self, owner: Instance, wanted: Wanted, time: int, own: list[Named], turn: Turn) -> set[str]:
        """The attributes of an object by which a step names what it wants."""
        paths = Paths(own, reachable(owner, "", time), turn)
        return {str(paths.find(value)).strip(".").split(".")[0].split("[")[0] for value in self._nodes(wanted)}

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

    def _texts(
        self,
        scope: Scope,
        wanted: Wanted,
        seen: Observation,
        first: Sequence[Named] = (),
    ) -> tuple[str | None, tuple[str, ...], tuple[str, ...]] | None:
        """Fetches, updates and inputs in the names of a scope; None where they are out of its reach."""
        others = reachable(scope.root, scope.name, scope.time)
        if scope.kind == "own" and isinstance(scope.root, Frame):
            self._add_outer(others, scope.root, scope.time)
        if scope.kind in ("own", "outer"):
            own = self._own_words(scope, seen)
        else:
            own = self._own_of(seen, scope.reach[:-1], scope.name, scope.time)
        paths = Paths([*first, *own], others, seen.turn)
        updates = [paths.find(value) for value in wanted.updates]
        inputs = [paths.container(wanted.keys)] if wanted.nested else [paths.find(value) for value in wanted.keys]
        empty = wanted.fetches.kind == "list" and not wanted.fetches.parts
        fetches = None if empty else paths.rendered(wanted.fetches)
        if None in updates or None in inputs or (fetches is None and not empty):
            return None
        if isinstance(scope.root, Frame) and any(_may_miss(scope, str(text)) for text in (fetches, *updates, *inputs)):
            return None
        if any(map(_is_text, self._nodes(wanted))) and not self._is_entered(scope, seen):
            return None
        if not self._still(scope, wanted, seen) or any(_changed(value) > scope.time for value in self._nodes(wanted)):
            return None
        return fetches, tuple(map(str, updates)), tuple(map(str, inputs))

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

    def _own_words(self, scope: Scope, seen: Observation) -> list[Named]:
        """The run's own words, where they meant the same at the anchor."""
        return [
            (ast.unparse(leaf), value)
            for leaf, value in self._own_values(seen)
            if seen.latest.get(leaf, scope.time + 1) <= scope.time and _has_name(scope, leaf)
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
            elif isinstance(expr, ast.Dict) and snapshot.kind == "table" and len(expr.keys) == len(snapshot.parts):
                for key, inner, (value, part) in zip(expr.keys, expr.values, snapshot.parts, strict=True):
                    match(key, Snapshot(value))
                    match(inner, part)
            elif expr in seen.latest and snapshot.kind == "leaf":
                found.append((expr, snapshot.value))

        match(seen.fetch, seen.fetches)
        match(seen.feed, seen.feeds)
        return found


def _feeds_none(seen: Observation) -> bool:
    parts = () if seen.feeds is None else seen.feeds.parts
    return any(isinstance(key, Const) and key.value is None for key, _ in parts)


def _distinct(seen: Sequence[Observation]) -> list[Observation]:
    """What was seen of a run without what says the same again; guesses count where there is nothing else."""
    certain = [each for each in seen if not each.guessed] or list(seen)
    # TensorFlow feeds nothing to None: what does so never runs.
    certain = [each for each in certain if not _feeds_none(each)] or certain
    found: dict[tuple[object, ...], Observation] = {}
    for each in certain:
        feeds = () if each.feeds is None else tuple(id(key) for key, _ in each.feeds.parts)
        owner = each.frame.receiver
        key = (*map(id, each.fetches.leaves()), feeds, id(owner), each.frame.code)
        found.setdefault((*key, 0), each)
        last = (*key, 1)
        found[last] = each
    return list({id(each): each for each in found.values()}.values())


@functools.cache
def _returns_early(function: ast.FunctionDef) -> bool:
    """Whether a function may end before its last statement."""
    return any(isinstance(inner, ast.Return) and inner is not function.body[-1] for inner in own_nodes(function))


def _named(value: Value) -> Value:
    """What a fetch or a key of a feed means: itself, or the tensor whose name it is."""
    return value.inner if isinstance(value, Thing) and value.kind == "name" and value.inner is not None else value


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a statement that are gone through once at most."""
    if isinstance(statement, ast.If):
        return [statement.body, statement.orelse]
    return [statement.body] if isinstance(statement, ast.With) else []


def _may_miss(scope: Scope, text: str) -> bool:
    """Whether an object may not have an attribute yet that a text reads in a frame."""
    paths = [node for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Attribute)]
    return any(
        option is ABSENT
        for path in paths
        for owner in _owners(scope, path.value)
        if path.attr in owner.written and not any(path.attr in each.slots for each in owner.cls.mro)
        for option in options(owner.at(path.attr, scope.time))
    )


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


def _whole(key: Value, left_out: Sequence[Value]) -> Value:
    """The structure of tensors that a key of feeds is one of, where a loop through it fills in the keys."""
    in_loop = isinstance(key, Node) and any(key is other for other in left_out)
    return key.whole if in_loop and isinstance(key, Node) and key.whole is not None else key


def _is_text(value: Value) -> bool:
    """Whether a fetch or a key of a feed is a known text: the name of a tensor or an operation."""
    return isinstance(value, Const) and isinstance(value.value, str)


def _is_lost(seen: Observation) -> bool:
    """Whether all that tells the graph of a run are names, and another graph is the default one there."""
    keys = [key for key, _ in seen.feeds.parts] if seen.feeds is not None else []
    return seen.graph is not seen.entered and all(map(_is_text, [*seen.fetches.leaves(), *keys]))


def _outermost(key: Value) -> Value:
    """The structure of tensors that a key of a feed is a part of; the key itself where there is none."""
    while isinstance(key, Node) and key.whole is not None:
        key = key.whole
    return key


def _word_of(node: ast.expr) -> str:
    """A name for what an expression gives: that of the function that it calls."""
    while isinstance(node, ast.Subscript):
        node = node.value
    function = node.func if isinstance(node, ast.Call) else node
    word = getattr(function, "attr", getattr(function, "id", "value"))
    return str(word).strip("_").lower() or "value"


def _first_parameter(function: FunctionNode) -> str:
    return function.args.args[0].arg if function.args.args else "self"


def _are_bound(names: set[str], places: Sequence[tuple[Value | None, int]]) -> bool:
    """Whether objects surely have attributes at some moments."""
    return bool(places) and all(
        isinstance(owner, Instance)
        and all(option is not ABSENT for name in names for option in options(owner.at(name, time)))
        for owner, time in places
    )


def _has_name(scope: Scope, leaf: ast.expr) -> bool:
    """Whether the name that a path begins with surely is bound in the frame of a scope, or is none of that frame."""
    names = [node.id for node in ast.walk(leaf) if isinstance(node, ast.Name)]
    values = [scope.root.at(name, scope.time) for name in names if name in scope.root.written]
    return all(option is not ABSENT for value in values for option in options(value))


def _closed(snapshot: Snapshot) -> Snapshot:
    """A snapshot whose containers that nobody knows item by item are leaves."""
    if snapshot.kind == "leaf":
        return snapshot
    if not snapshot.closed or snapshot.maybe:
        return Snapshot(snapshot.value)
    return Snapshot(snapshot.value, snapshot.kind, tuple((key, _closed(part)) for key, part in snapshot.parts))


def _is_of_graph(value: Value) -> bool:
    """Whether all of a value is of the graph."""
    if isinstance(value, Items | Table):
        inner = list(inside(value, 3))
        return bool(inner) and all(is_graph_or_none(_named(each)) for each in inner)
    return is_graph_or_none(_named(value))


def _is_all(value: Value, *kinds: str) -> bool:
    """Whether all of a value is of some kinds."""
    return all(is_kind(each, *kinds) for each in inside(value, 3))


def _made(value: Value) -> int:
    """When the last of a value was made."""
    times = [option.time for each in inside(value, 3) for option in options(each) if isinstance(option, Node)]
    return max([*times, _changed(value)], default=0)


def _changed(value: Value) -> int:
    """When a container was last changed; 0 for what is none."""
    if not isinstance(value, Items | Table):
        return 0
    return max((value.since(key) for key in value.written), default=0)
