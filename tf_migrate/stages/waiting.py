"""Blocks that wait, `with tf.control_dependencies(...):`: what they wait for, and what may be built in them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from tf_migrate.stages.behind import require_seen_anew, require_waits
from tf_migrate.stages.blocks import Blocks
from tf_migrate.stages.containers import list_changed
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.lists import UPDATES, collected
from tf_migrate.stages.shadows import Average
from tf_migrate.stages.updates import Apply, Assign, Minimize, Update
from tf_migrate.stages.values import TENSORS, Reads, Refused, Stage, Value, flatten

_GIVEN = ast.List | ast.Tuple | ast.Name | ast.Attribute
_COMPUTED = TENSORS - {Stage.CONSTANT, Stage.VARIABLE}


@dataclass(frozen=True)
class Waited:
    """What a block waits for: a list of the updates that layers made, updates that are known, or else tensors."""

    listed: ast.expr | None = None
    updates: tuple[Update, ...] = ()


def waited_for(evaluator: Evaluator, call: ast.Call) -> Waited | None:
    """What a block waits for; None where it is anything else, or not of one kind."""
    given = call.args[0] if len(call.args) == 1 and not call.keywords else None
    binding = evaluator.env.get(given.id) if isinstance(given, ast.Name) else None
    if binding is not None and binding.value.stage is Stage.UPDATES:
        return Waited(listed=given)
    if isinstance(given, ast.Call) and _asks_for_updates(evaluator, given):
        return Waited(listed=given)
    if not isinstance(given, _GIVEN):
        return None
    try:
        with evaluator.aside():
            parts = list(flatten([evaluator.value(given)]))
    except Refused:
        # What else is wrong with it is for the block to say.
        return None
    updates = tuple(dict.fromkeys(update for part in parts for update in part.updates))
    if updates and all(part.stage is Stage.EFFECT for part in parts):
        return Waited(updates=updates)
    tensors = bool(parts) and not updates and all(part.stage in _COMPUTED for part in parts)
    return Waited() if tensors else None


def _asks_for_updates(evaluator: Evaluator, call: ast.Call) -> bool:
    """Whether a block waits for `tf.get_collection(tf.GraphKeys.UPDATE_OPS)` as it stands there."""
    asked = evaluator.names.resolve(call.func) == "tf.get_collection" and collected(evaluator, call) == UPDATES
    return asked and bool(evaluator.storing)


class Waiting(Blocks):
    """Reads blocks that wait.

    `scoped` are blocks that go as their statements do, `devices` those that go along with each statement in them,
    `scope_reads` what the blocks themselves read.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.scoped: list[ast.With] = []
        self.devices: list[ast.With] = []
        self.scope_reads: dict[ast.With, Reads] = {}

    def waits(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        """Takes a block that waits for something."""
        call = node.items[0].context_expr
        waited = waited_for(self.evaluator, call) if isinstance(call, ast.Call) else None
        assert waited is not None
        if waited.listed is not None:
            self._waits_for_layers(node, scopes, waited.listed)
        elif waited.updates:
            self._waits_for_updates(node, scopes, waited.updates)
        else:
            self._waits_for_tensors(node, scopes)

    def _waits_for_layers(self, node: ast.With, scopes: tuple[ast.With, ...], listed: ast.expr) -> None:
        """Takes the training steps that a block makes wait for the updates of moving averages, and nothing else."""
        first = len(self.units)
        if self.evaluator.waits is not None:
            raise Refused(node, "a training step waits for several lists of updates", "add the lists")
        self.scoped.append(node)
        self.evaluator.waits = listed
        self.block(node.body, scopes)
        self.evaluator.waits = None
        for unit in self.units[first:]:
            steps = unit.value.stage is Stage.EFFECT and all(
                isinstance(item, Minimize | Apply) for item in unit.value.updates
            )
            if not steps:
                what = "something else than a training step is built where updates come first"
                raise Refused(unit.node, what, "leave the training steps alone in the block")

    def _waits_for_updates(self, node: ast.With, scopes: tuple[ast.With, ...], waited: tuple[Update, ...]) -> None:
        """Takes averages, assignments, groups and tensors that a block makes wait for updates, and nothing else."""
        first, outer = len(self.units), self.evaluator.awaited
        self.scoped.append(node)
        self.evaluator.awaited = tuple(dict.fromkeys(outer + waited))
        self.block(node.body, scopes)
        self.evaluator.awaited = outer
        for unit in self.units[first:]:
            updates = unit.value.updates if unit.value.stage in (Stage.EFFECT, Stage.TENSOR) else ()
            waiting = all(isinstance(item, Assign | Average) and item.after for item in updates if item.unit >= first)
            if not waiting or not updates or unit.needs_store:
                what = "something else than averages, assignments, groups and tensors is built where updates come first"
                raise Refused(unit.node, what, "leave these alone in the block")

    def behind_updates(self, node: ast.Assign, value: Value, reads: Reads) -> Value:
        """What a statement gives that waits for updates: a run that fetches the tensor makes them."""
        if not self.evaluator.awaited or value.stage is not Stage.TENSOR:
            return value
        if value.parts is not None or value.several:
            raise Refused(node, "several tensors of one statement wait for updates", "give each a statement")
        require_waits(self.evaluator, node.value)
        require_seen_anew(self.evaluator, node.value, reads)
        return replace(value, updates=self.evaluator.awaited, variables=())

    def _waits_for_tensors(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        """Takes a block that waits for assertions or tensors: it goes along with the statements in it."""
        call, first = node.items[0].context_expr, len(self.units)
        assert isinstance(call, ast.Call)
        self.devices.append(node)
        with self.evaluator.collecting() as (reads, impure):
            self.evaluator.value(call.args[0])
        if impure:
            raise Refused(impure[0], "what a block waits for is computed there", "give it a name")
        self.scope_reads[node] = dict(reads)
        self._require_header(node, reads)
        self.block(node.body, (*scopes, node))
        if any(unit.value.stage is not Stage.TENSOR or unit.creates for unit in self.units[first:]):
            what = "something else than tensors is computed where assertions or tensors come first"
            raise Refused(node, what, "leave the tensors alone in the block")

    def _require_header(self, node: ast.With, reads: Reads) -> None:
        """Refuses a block that gives what it waits for another meaning: its header goes along with each statement."""
        for statement in node.body[:-1] if isinstance(node.body[-1], ast.Assign) else node.body:
            bound = self.bound_by(statement) & reads.keys()
            if bound:
                what = f"`{min(bound)}` means something else inside the block that waits for it"
                raise Refused(statement, what, "give the new value another name")
        for inner in (inner for statement in node.body for inner in ast.walk(statement)):
            name = list_changed(inner) if isinstance(inner, ast.Call) else None
            if isinstance(inner, ast.Subscript) and not isinstance(inner.ctx, ast.Load):
                name = self.evaluator.key_of(inner.value)
            if name in reads:
                what = f"`{name}` is changed inside the block that waits for what it holds"
                raise Refused(inner, what, "make another list")
