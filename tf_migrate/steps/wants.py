"""What runs fetch and feed, as values of the graph, and which of their results are used."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tf_migrate.interpreter.recorder import Observation, Snapshot
from tf_migrate.interpreter.values import (
    Const,
    Group,
    Items,
    Node,
    Table,
    Thing,
    Value,
    is_graph_or_none,
    options,
)
from tf_migrate.report.model import Reason
from tf_migrate.steps.facts import is_kind
from tf_migrate.steps.part import Part
from tf_migrate.steps.paths import inside
from tf_migrate.steps.plan import Step


@dataclass(frozen=True)
class Wanted:
    """What one run fetches and feeds, as values; keys in the order of the call."""

    fetches: Snapshot
    updates: tuple[Value, ...]
    keys: tuple[Value, ...]
    nested: bool = False
    """Whether there may be other keys too: then the step takes the container that all are in."""
    optional: bool = False
    """Whether some keys are fed on some ways only: what they mean has to be there on all."""

    def by_wholes(self) -> Wanted:
        """The same, of the structures of tensors that keys are parts of."""
        inputs = {id(found): found for found in map(outermost, self.keys)}
        return replace(self, keys=tuple(inputs.values()))


class Wants(Part):
    """Tells what each run of a program asks for."""

    def only_reads(self, seen: Sequence[Observation], fetch: ast.expr) -> bool:
        """Whether a run only gives the values of variables, each by itself."""
        if not all(each.fetches.known and each.feeds is None and each.fetches.leaves() for each in seen):
            return False
        if any(each.hooked for each in seen):
            return False  # hooks are called around it
        if not all(is_kind(leaf, "variable") for each in seen for leaf in each.fetches.leaves()):
            return False
        if isinstance(fetch, ast.List | ast.Tuple):
            return all(part.kind == "leaf" for each in seen for _, part in each.fetches.parts)
        return all(each.fetches.kind == "leaf" for each in seen)

    def reads_list(self, seen: Observation) -> bool:
        """Whether a run gives the values of a list of variables, however many they are."""
        if seen.feeds is not None or seen.hooked or not isinstance(seen.fetches.value, Items):
            return False
        leaves = [*seen.fetches.value.slots.items()]
        values = [part for _, slot in leaves for part in (slot.values if isinstance(slot, Group) else (slot,))]
        return seen.fetches.value.kind == "list" and bool(values) and all(is_kind(each, "variable") for each in values)

    def wanted(self, node: ast.Call, seen: Observation, fetch: ast.expr, feed: ast.expr | None) -> Wanted | Reason:
        """What a run asks for at one time; where that is not known, why it goes on as `compat.run`."""
        whole = _closed(seen.fetches)
        if not all(_is_of_graph(leaf) or is_text(leaf) for leaf in whole.leaves()) or not whole.leaves():
            return self.reason("fetches-unknown", node, "what it fetches is not known", "fetch by a name")
        keys: list[Value] = []
        if feed is not None:
            if seen.feeds is None or seen.feeds.kind != "table":
                return self.reason(
                    "feeds-unknown", node, "the keys of what it feeds are not known", "feed a fixed dictionary"
                )
            keys = [_named(key) for key, _ in seen.feeds.parts]
            by_name = isinstance(feed, ast.Dict) and None not in feed.keys
            if not all(is_graph_or_none(key) or (by_name and is_text(key)) for key in keys):
                return self.reason("feeds-unknown", node, "a key of what it feeds is not known", "feed placeholders")
            left_out = [_named(key) for key in seen.feeds.maybe]
            keys = list({id(key): key for key in (_whole(key, left_out) for key in keys)}.values())
            if not all(isinstance(option, Node) for key in left_out for option in options(key)):
                return self.reason(
                    "feeds-grow", node, "what it feeds grows while the program runs", "feed a fixed dictionary"
                )
        fetches, updates = self._split(node, whole, fetch)
        nested = seen.feeds is not None and not seen.feeds.closed
        return Wanted(fetches, updates, tuple(keys), nested, seen.feeds is not None and bool(seen.feeds.maybe))

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

    def kept(self, node: ast.Call, fetch: ast.expr, seen: Sequence[Observation]) -> tuple[int, ...] | None:
        """The positions of the targets that stay, where those of updates go; None where all stay."""
        targets = self._targets(node)
        positions = self._updates(node, fetch, seen[0].fetches)
        if targets is None or not positions:
            return None
        return tuple(at for at in range(len(targets)) if at not in positions)

    def arguments(self, feed: ast.expr | None, step: Step) -> tuple[ast.expr, ...]:
        """The values of a step's inputs in order, or the one dictionary that is keyed by them."""
        if feed is None:
            return ()
        if isinstance(feed, ast.Dict) and None not in feed.keys and len(feed.values) == len(step.inputs):
            return tuple(feed.values)
        return (feed,)


def _named(value: Value) -> Value:
    """What a fetch or a key of a feed means: itself, or the tensor whose name it is."""
    return value.inner if isinstance(value, Thing) and value.kind == "name" and value.inner is not None else value


def _whole(key: Value, left_out: Sequence[Value]) -> Value:
    """The structure of tensors that a key of feeds is one of, where a loop through it fills in the keys."""
    return outermost(key) if any(key is other for other in left_out) else key


def is_text(value: Value) -> bool:
    """Whether a fetch or a key of a feed is a known text: the name of a tensor or an operation."""
    return isinstance(value, Const) and isinstance(value.value, str)


def outermost(key: Value) -> Value:
    """The structure of tensors that a key of a feed is a part of; the key itself where there is none."""
    while isinstance(key, Node) and key.whole is not None:
        key = key.whole
    return key


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
    # A run of what is a number on some ways raises there, and so does its step where it is called.
    numbers = [option for option in options(value) if isinstance(option, Const) and not is_text(option)]
    left = [option for option in options(value) if option not in numbers]
    return is_graph_or_none(_named(value)) or (bool(left) and all(map(is_graph_or_none, left)))


def _is_all(value: Value, *kinds: str) -> bool:
    """Whether all of a value is of some kinds."""
    return all(is_kind(each, *kinds) for each in inside(value, 3))
