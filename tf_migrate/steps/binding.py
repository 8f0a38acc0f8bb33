"""Runs become steps: each is bound where the names of its place reach what it fetches and feeds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from tf_migrate.interpreter.recorder import Observation, Snapshot
from tf_migrate.interpreter.values import Const, Instance, Union, options
from tf_migrate.report.model import Reason, Tier
from tf_migrate.semantics.forwarding import hands_on_all
from tf_migrate.steps.building import Building
from tf_migrate.steps.eager_values import EagerValues
from tf_migrate.steps.facts import ProgramFacts, is_kind
from tf_migrate.steps.fetched_calls import FetchedCalls
from tf_migrate.steps.forwarded_runs import ForwardedRuns
from tf_migrate.steps.items import item_of, kind_of_items
from tf_migrate.steps.part import Part
from tf_migrate.steps.plan import (
    AtOnce,
    Built,
    DynamicRun,
    HandedRun,
    Hoist,
    ModulePlan,
    Read,
    Removal,
    Run,
    Step,
    StepCall,
    Verdict,
)
from tf_migrate.steps.scopes import Scope, Scopes
from tf_migrate.steps.wants import Wanted, Wants, is_text, outermost
from tf_migrate.steps.written_runs import WrittenRuns

_WORD = re.compile(r"\w+")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Binding(Part):
    """Finds the steps of a program."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan], building: Building) -> None:
        super().__init__(facts, plans)
        self.building = building
        self.wants = Wants(facts, plans)
        self.scopes = Scopes(facts, plans, building)
        self.written_runs = WrittenRuns(facts, plans)
        self.eager_values = EagerValues(facts, plans)
        self.fetched_calls = FetchedCalls(facts.recorder, facts.building)
        self.forwarded_runs = ForwardedRuns(facts, plans)
        self.steps: dict[tuple[object, ...], Step] = {}
        self._local: dict[ast.FunctionDef, set[str]] = {}
        """The names in tests, with those of their steps."""
        self._hoists: set[str] = set()

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what keeps the program from steps altogether."""
        for node in sorted(
            self.facts.sites, key=lambda each: (self.facts.owners[each].name, each.lineno, each.col_offset)
        ):
            plan = self.plan_of(node)
            if node in self.facts.folded:
                continue
            if node in self.facts.removed:
                fetch = self.facts.sites[node][0].fetch if node in self.facts.evaluated else None
                plan.runs.append(Removal(node, self.facts.statement(node)) if fetch is None else Built(node, fetch))
                plan.verdicts.append(Verdict(node, "native"))
                continue
            if node in self.facts.at_once and (fetch := self.facts.sites[node][0].fetch) is not None:
                made = self.facts.named_before.get(node)
                if made is None:
                    plan.runs.append(AtOnce(node, fetch))
                else:
                    plan.bare.add(made)
                    plan.dropped.add(self.facts.statement(node))
                plan.verdicts.append(Verdict(node, "native"))
                continue
            twins = self._twins.get(node, ())
            seen = _distinct([*self.facts.sites[node], *(each for one in twins for each in self._seen_of(one))])
            if twins and len({id(each.graph) for each in seen}) > 1 and any(map(_names_something, seen)):
                self.refuse("graph-by-name", node, "it runs by names of either of two graphs", "fetch tensors instead")
            if any(each.others for each in seen) and not hands_on_all(node):
                run, why, step = self._run_with_more(node, seen)
            else:
                run, why, step = self._run(node, seen)
            if run is None:
                self.reasons.append(
                    why or self.reason("arguments", node, "the arguments of a run are not known", "write them out")
                )
                continue
            if isinstance(run, DynamicRun | HandedRun) and any(map(_is_lost, seen)):
                self.refuse(
                    "graph-by-name",
                    node,
                    "it fetches by names of a graph that is not entered where it runs",
                    "run it where the graph is entered, or fetch tensors in place of names",
                )
            plan.runs.append(run)
            tier: Tier = "dynamic" if isinstance(run, DynamicRun | HandedRun) else "native"
            plan.verdicts.append(Verdict(node, tier, (why,) if why is not None and tier == "dynamic" else (), step))
        self._tell_of_twins()
        for call, every in self.forwarded_runs.calls().items():
            if self._built_in(call) and all(map(_initializes, every)):
                continue
            run, _, step = self._run(call, _distinct(every))
            if isinstance(run, StepCall | Read):
                self.plan_of(call).runs.append(run)
                self.plan_of(call).verdicts.append(Verdict(call, "native", (), step))
        return self.reasons

    def _tell_of_twins(self) -> None:
        """Runs that go with a branch have the verdicts of those that stay."""
        verdicts = {verdict.node: verdict for plan in self.plans.values() for verdict in plan.verdicts}
        for node, twins in self._twins.items():
            if node in verdicts:
                self.plan_of(node).verdicts += [replace(verdicts[node], node=each) for each in twins]

    @cached_property
    def _twins(self) -> dict[ast.Call, list[ast.Call]]:
        """For runs: those that go with a branch that does the same."""
        found: dict[ast.Call, list[ast.Call]] = {}
        for node in self.facts.sites:
            fold = self.facts.folded.get(node)
            twin = None if fold is None else fold.pairs.get(node)
            if isinstance(twin, ast.Call):
                found.setdefault(twin, []).append(node)
        return found

    def _seen_of(self, node: ast.Call) -> list[Observation]:
        """What was seen of a run that goes, at the place of that which stays."""
        return [self.facts.folded[node].seen(each) for each in self.facts.sites[node]]

    def _run(self, node: ast.Call, seen: Sequence[Observation]) -> tuple[Run | None, Reason | None, str | None]:
        fetch, feed = seen[0].fetch, seen[0].feed
        if hands_on_all(node):
            why = self.reason("star-arguments", node, "a run is given arguments by a star", "write its arguments out")
            return HandedRun(node), why, None
        if fetch is None or any(each.fetch is not fetch for each in seen):
            return (
                None,
                self.reason("run-of-others", node, "what a run fetches is given elsewhere", "write it out here"),
                None,
            )
        if isinstance(feed, ast.Constant):
            feed = None
        if self.wants.only_reads(seen, fetch):
            return Read(node, fetch), None, None
        if isinstance(fetch, ast.Name | ast.Attribute | ast.Call) and all(map(self.wants.reads_list, seen)):
            return Read(node, fetch, each=True), None, None
        dynamic = DynamicRun(node, fetch, feed)
        acting = self._acting(fetch, feed)
        if acting is not None:
            message = f"`{ast.unparse(acting)}` in what it fetches or feeds does more than look something up"
            return dynamic, self.reason("fetches-act", node, message, "call it in a statement before the run"), None
        if self._built_in(node):
            hoisted = self._hoisted(node, seen, fetch, feed)
            if hoisted is not None:
                return hoisted
            eager = self.eager_values.read(node, seen, fetch)
            if eager is not None:
                self.plan_of(node).built.difference_update(ast.walk(fetch))
                return eager, None, None
            why = self.reason("built-where-run", node, "what a run fetches is built where it runs", "build it before")
            return dynamic, why, None
        wanted = [self.wants.wanted(node, each, fetch, feed) for each in seen]
        for each in wanted:
            if isinstance(each, Reason):
                return self._written(node, seen, fetch, feed) or (dynamic, each, None)
        known = [each for each in wanted if isinstance(each, Wanted)]
        found = self._bound(node, seen, known)
        nested = any(each.nested for each in known)
        if isinstance(found, Reason) and any(outermost(key) is not key for each in known for key in each.keys):
            found, nested = self._bound(node, seen, [each.by_wholes() for each in known]), True
        if isinstance(found, Reason) and not nested and all(map(_may_feed_others, known)):
            found, nested = self._bound(node, seen, [replace(each, nested=True) for each in known]), True
        if isinstance(found, Reason):
            return (
                self._item(node, seen, known, fetch, feed)
                or self._written(node, seen, fetch, feed)
                or (dynamic, found, None)
            )
        step, callee = found
        arguments = (feed,) if nested and feed is not None else self.wants.arguments(feed, step)
        return StepCall(node, callee, arguments, self.wants.kept(node, fetch, seen)), None, step.target

    def _acting(self, fetch: ast.expr, feed: ast.expr | None) -> ast.AST | None:
        """What does more than look something up, of that which a step does not say but by names."""
        parts = fetch.elts if isinstance(fetch, ast.List | ast.Tuple) else [fetch]
        keys = [key for key in feed.keys if key is not None] if isinstance(feed, ast.Dict) else []
        return self.fetched_calls.acting(part for part in (*parts, *keys) if not self._built_in(part))

    def _item(
        self,
        node: ast.Call,
        seen: Sequence[Observation],
        wanted: Sequence[Wanted],
        fetch: ast.expr,
        feed: ast.expr | None,
    ) -> tuple[Run, None, str] | None:
        """A run of an item of a list or dictionary, another one each time: there is a step for each of them."""
        item = item_of(fetch, self.facts.around(node))
        if item is None or any(each.nested for each in wanted):
            return None
        path, key = item
        every = [self.scopes.container(path, each) for each in seen]
        kinds = {kind_of_items(container) for container in every}
        kind = kinds.pop() if len(kinds) == 1 else None
        if kind is None:
            return None
        whole = [
            replace(each, fetches=Snapshot(container), updates=())
            for each, container in zip(wanted, every, strict=True)
            if container is not None
        ]
        found = self._bound(node, seen, whole, kind)
        if isinstance(found, Reason):
            return None
        step, callee = found
        chosen = f"{callee}[{ast.unparse(key)}]"
        return StepCall(node, chosen, self.wants.arguments(feed, step)), None, step.target

    def _written(
        self, node: ast.Call, seen: Sequence[Observation], fetch: ast.expr, feed: ast.expr | None
    ) -> tuple[Run, None, str] | None:
        """A run that writes down what it fetches and feeds: its step stands before it."""
        found = self.written_runs.place(node, seen, fetch, feed)
        if found is None or self._built_in(self.facts.statement(node)):
            return None
        anchor, texts, needs = found
        frame = self.scopes.function_frame(seen[0].frame)
        step = self._step(Scope("own", frame, "", anchor, True, seen[0].time, ""), texts, needs)
        assert step is not None
        return StepCall(node, step.target, self.wants.arguments(feed, step)), None, step.target

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
        wanted = self.wants.wanted(node, seen[0], fetch, feed)
        display = isinstance(fetch, ast.List | ast.Tuple)
        snapshots = [part for _, part in seen[0].fetches.parts] if display else [seen[0].fetches]
        if isinstance(wanted, Reason) or wanted.nested or len(snapshots) != len(parts):
            return None
        names = {part: self._free_for_hoist(_word_of(part)) for part in built}
        own = [(names[part], each.value) for part, each in zip(parts, snapshots, strict=True) if part in names]
        frame = self.scopes.function_frame(seen[0].frame)
        scope = Scope("own", frame, "", statement, True, seen[0].time - 1, "")
        texts = self.scopes.texts(scope, wanted, seen[0], node, own)
        if texts is None:
            return None
        step = self._step(scope, texts)
        if step is None:
            return None
        plan.built -= elsewhere
        plan.hoisted += [Hoist(part, names[part], statement) for part in built]
        return (
            StepCall(node, step.target, self.wants.arguments(feed, step), self.wants.kept(node, fetch, seen)),
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

    def _bound(
        self, node: ast.Call, seen: Sequence[Observation], wanted: Sequence[Wanted], each_of: str = ""
    ) -> tuple[Step, str] | Reason:
        unreached = self.reason(
            "out-of-reach", node, "nothing names what it fetches where it was built", "keep it by a name"
        )
        for rows in self.scopes.scopes(node, seen, wanted):
            if self._is_of_library(node, rows[0]):
                continue
            texts = [
                self.scopes.texts(scope, each, one, node) for scope, each, one in zip(rows, wanted, seen, strict=True)
            ]
            first = texts[0] if all(text == texts[0] for text in texts) else self._of_all(rows, texts, seen)
            if first is None:
                continue
            needs: set[str] = set()
            for scope in rows if rows[0].guarded else ():
                needs |= scope.needs | self.scopes.missing(scope, first)
            step = self._step(rows[0], first, tuple(sorted(needs)), each_of)
            if step is not None:
                return step, rows[0].reach + step.target.rpartition(".")[2]
        for rows in self.scopes.scopes(node, seen, wanted):
            texts = [
                self.scopes.texts(scope, each, one, None) for scope, each, one in zip(rows, wanted, seen, strict=True)
            ]
            first = texts[0]
            if rows[0].kind == "own" and first is not None and all(text == first for text in texts):
                bound = self.steps.get(self._key(rows[0], first, (), each_of))
                if bound is not None:
                    return bound, rows[0].reach + bound.target.rpartition(".")[2]
        return unreached

    def _of_all(
        self,
        rows: Sequence[Scope],
        texts: Sequence[tuple[str | None, tuple[str, ...], tuple[str, ...]] | None],
        seen: Sequence[Observation],
    ) -> tuple[str | None, tuple[str, ...], tuple[str, ...]] | None:
        """What a run asks for that feeds more at one time than at another, by a dictionary that is made elsewhere."""
        known = [text for text in texts if text is not None]
        by_name = all(isinstance(each.feed, ast.Name | ast.Attribute | ast.Call) for each in seen)
        if len(known) < len(texts) or not by_name or len({text[:2] for text in known}) > 1:
            return None
        inputs = tuple(dict.fromkeys(each for _, _, given in known for each in given))
        there = all(self.scopes.holds(scope, each) for scope in rows for each in inputs)
        return (*known[0][:2], inputs) if there else None

    def _is_of_library(self, node: ast.Call, scope: Scope) -> bool:
        """Whether an object that a test makes would have a step for it: what tests run is no part of what they test."""
        if scope.kind != "object" or self._cases.isdisjoint(self.facts.around(node)):
            return False
        return not (isinstance(scope.root, Instance) and scope.root.cls.node in self._cases)

    def _step(
        self,
        scope: Scope,
        texts: tuple[str | None, tuple[str, ...], tuple[str, ...]],
        needs: tuple[str, ...] = (),
        each_of: str = "",
    ) -> Step | None:
        """The step of a scope; None where two of its inputs are the same."""
        fetches, updates, inputs = texts
        if len(set(inputs)) < len(inputs):
            return None
        key = self._key(scope, texts, needs, each_of)
        found = self.steps.get(key)
        if found is None:
            owner = self.plan_of(scope.anchor)
            prefix = f"{scope.name}." if scope.kind == "object" else ""
            name = self._name(texts, "steps" if each_of else "step", self._names_around(scope))
            found = Step(prefix + name, fetches, inputs, updates, scope.anchor, scope.before, needs, each_of)
            owner.steps.append(found)
            self.steps[key] = found
        return found

    def _key(
        self,
        scope: Scope,
        texts: tuple[str | None, tuple[str, ...], tuple[str, ...]],
        needs: tuple[str, ...],
        each_of: str,
    ) -> tuple[object, ...]:
        """What tells a step from others."""
        return (scope.anchor, scope.before, scope.name, *texts, needs, each_of)

    def _names_around(self, scope: Scope) -> list[set[str]]:
        """The names that a step may not have: those of a test that binds it for itself, else those of the program."""
        if scope.kind != "own" or scope.name:
            return [self._taken]
        around = [node for node in self.facts.around(scope.anchor) if isinstance(node, ast.FunctionDef)]
        outermost = around[-1] if around else None
        if outermost is None or self.facts.parent(outermost) not in self._cases:
            return [self._taken]
        if outermost not in self._local:
            self._local[outermost] = _names_in(outermost)
        return [self._local[outermost], self._hoists]

    @cached_property
    def _cases(self) -> set[ast.AST | None]:
        """The classes of tests."""
        return {one.node for cls in self.facts.recorder.tests.cases for one in cls.mro}

    def _name(
        self, texts: tuple[str | None, tuple[str, ...], tuple[str, ...]], ending: str, taken: Sequence[set[str]]
    ) -> str:
        fetches, updates, _ = texts
        source = updates[0] if updates else fetches or "run"
        words = [word for word in _WORD.findall(source) if not word.isdigit()]
        of_display = source[0] in "([{"
        if of_display and words[0] == "self":
            words = words[1:] or words
        word = words[0] if of_display and not updates else words[-1]
        for suffix in ("_op", "_step", "_optimizer"):
            word = word.removesuffix(suffix) or word
        base = f"{word.strip('_') or 'run'}_{ending}"
        return _free(f"run_{base}" if base[0].isdigit() else base, taken)

    def _free_for_hoist(self, base: str) -> str:
        """A name for what is built before a run, which the program does not have yet."""
        name = _free(base, [self._taken, *self._local.values()])
        self._hoists.add(name)
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


def _free(base: str, taken: Sequence[set[str]]) -> str:
    """A name that is not among some; it is among the first of them from now on."""
    name, count = base, 2
    while any(name in names for names in taken):
        name, count = f"{base}_{count}", count + 1
    taken[0].add(name)
    return name


def _names_in(function: ast.FunctionDef) -> set[str]:
    """The names that a function reads or binds, and those inside of it."""
    found: set[str] = set()
    for node in ast.walk(function):
        for field in ("id", "arg", "name", "asname", "rest"):
            word = getattr(node, field, None)
            found |= {word} if isinstance(word, str) else set()
        found.update(getattr(node, "names", ()) if isinstance(node, ast.Global | ast.Nonlocal) else ())
    return found


def _feeds_none(seen: Observation) -> bool:
    parts = () if seen.feeds is None else seen.feeds.parts
    return any(isinstance(key, Const) and key.value is None for key, _ in parts)


def _may_feed_others(wanted: Wanted) -> bool:
    """Whether a run does not feed the same inputs each time, as far as is known."""
    return wanted.optional or any(isinstance(key, Union) for key in wanted.keys)


def _distinct(seen: Sequence[Observation]) -> list[Observation]:
    """What was seen of a run without what says the same again; guesses count where there is nothing else."""
    certain = [each for each in seen if not each.guessed] or list(seen)
    # TensorFlow feeds nothing to None: what does so never runs.
    certain = [each for each in certain if not _feeds_none(each)] or certain
    found: dict[tuple[object, ...], Observation] = {}
    for each in certain:
        feeds = () if each.feeds is None else tuple(id(key) for key, _ in each.feeds.parts)
        owner = each.frame.receiver
        key = (*map(id, each.fetches.leaves()), *_open_in(each.fetches), feeds, id(owner), each.frame.code)
        found.setdefault((*key, 0), each)
        last = (*key, 1)
        found[last] = each
    return list({id(each): each for each in found.values()}.values())


def _open_in(fetches: Snapshot) -> Iterator[int]:
    """The containers in fetches of which nobody knows what they hold: two of them are two fetches."""
    if not fetches.closed:
        yield id(fetches.value)
    for _, part in fetches.parts:
        yield from _open_in(part)


def _initializes(seen: Observation) -> bool:
    return all(is_kind(leaf, "initializer") for leaf in seen.fetches.leaves())


def _names_something(seen: Observation) -> bool:
    """Whether a run fetches or feeds something by its name."""
    keys = [key for key, _ in seen.feeds.parts] if seen.feeds is not None else []
    return any(is_text(option) for value in (*seen.fetches.leaves(), *keys) for option in options(value))


def _is_lost(seen: Observation) -> bool:
    """Whether all that tells the graph of a run are names, and another graph is the default one there."""
    keys = [key for key, _ in seen.feeds.parts] if seen.feeds is not None else []
    return seen.graph is not seen.entered and all(map(is_text, [*seen.fetches.leaves(), *keys]))


def _word_of(node: ast.expr) -> str:
    """A name for what an expression gives: that of the function that it calls."""
    while isinstance(node, ast.Subscript):
        node = node.value
    function = node.func if isinstance(node, ast.Call) else node
    word = getattr(function, "attr", getattr(function, "id", "value"))
    return str(word).strip("_").lower() or "value"
