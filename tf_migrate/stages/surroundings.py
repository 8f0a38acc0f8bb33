"""What surrounds statements of the straight line: the names of scopes, and updates that come first."""

from __future__ import annotations

import ast
from dataclasses import replace

from tf_migrate.stages.arg_scopes import arg_scope, require_whole
from tf_migrate.stages.blocks import Blocks
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.metrics import require_update
from tf_migrate.stages.shadows import Average, updates_awaited
from tf_migrate.stages.updates import Minimize
from tf_migrate.stages.values import Reads, Refused, Stage, Value


class Surroundings(Blocks):
    """Reads the blocks of scopes, and those of training steps that wait or of arguments for layers.

    `scoped` are scopes and what goes as they do, `devices` what goes along with each statement in it.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.scoped: list[ast.With] = []
        self.devices: list[ast.With] = []
        self.scope_reads: dict[ast.With, Reads] = {}

    def decides(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> bool:
        """Takes a condition of the straight line that only asks whether there is a session."""
        branch = self.decisions.branch(self.evaluator, node) if isinstance(node, ast.If) and not self.depth else None
        if branch is None:
            return False
        self.block(branch, scopes)
        return True

    def scope_reads_of(self, item: ast.withitem) -> Reads:
        """What the arguments of a scope read."""
        assert isinstance(item.context_expr, ast.Call)
        with self.evaluator.collecting() as (reads, impure):
            for argument in (*item.context_expr.args, *(keyword.value for keyword in item.context_expr.keywords)):
                self.require_python(argument)
        if impure:
            raise Refused(impure[0], "the scope is given something that is computed there", "give it a name")
        return dict(reads)

    def waits(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        """Takes the training steps that a block makes wait for the updates of moving averages, and nothing else."""
        call, first = node.items[0].context_expr, len(self.units)
        assert isinstance(call, ast.Call) and isinstance(call.args[0], ast.Name)
        if self.evaluator.waits is not None:
            raise Refused(node, "a training step waits for several lists of updates", "add the lists")
        self.scoped.append(node)
        self.evaluator.waits = call.args[0]
        self.block(node.body, scopes)
        self.evaluator.waits = None
        for unit in self.units[first:]:
            steps = unit.value.stage is Stage.EFFECT and all(isinstance(item, Minimize) for item in unit.value.updates)
            if not steps:
                what = "something else than a training step is built where updates come first"
                raise Refused(unit.node, what, "leave the training steps alone in the block")

    def follows(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        """Takes averages, groups and tensors that a block makes wait for updates, and nothing else."""
        call, first, outer = node.items[0].context_expr, len(self.units), self.evaluator.awaited
        assert isinstance(call, ast.Call)
        self.scoped.append(node)
        self.evaluator.awaited = tuple(dict.fromkeys(outer + updates_awaited(self.evaluator, call)))
        self.block(node.body, scopes)
        self.evaluator.awaited = outer
        for unit in self.units[first:]:
            updates = unit.value.updates if unit.value.stage in (Stage.EFFECT, Stage.TENSOR) else ()
            made = any(item.unit >= first and not isinstance(item, Average) for item in updates)
            if made or not updates or unit.needs_store:
                what = "something else than averages, groups and tensors is built where updates come first"
                raise Refused(unit.node, what, "leave these alone in the block")

    def behind_updates(self, node: ast.Assign, value: Value, reads: Reads) -> Value:
        """What a statement gives that waits for updates: a run that fetches the tensor makes them.

        It is computed before them, so all that it is computed of has to be there: what reads a variable in the block
        saw the new value.
        """
        if not self.evaluator.awaited or value.stage is not Stage.TENSOR:
            return value
        for name, binding in reads.items():
            if binding.value.variables or binding.value.stage is Stage.VARIABLES:
                what = f"`{name}` is read where updates come first, which may change it"
                raise Refused(node, what, "compute with it outside of the block")
        return replace(value, updates=self.evaluator.awaited)

    def stands_behind(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        """Takes a block that waits for assertions or tensors: it goes along with the statements in it."""
        call, first = node.items[0].context_expr, len(self.units)
        assert isinstance(call, ast.Call)
        self.devices.append(node)
        with self.evaluator.collecting() as (reads, impure):
            self.evaluator.value(call.args[0])
        if impure:
            raise Refused(impure[0], "what a block waits for is computed there", "give it a name")
        self.scope_reads[node] = dict(reads)
        self.block(node.body, (*scopes, node))
        if any(unit.value.stage is not Stage.TENSOR or unit.creates for unit in self.units[first:]):
            what = "something else than tensors is computed where assertions or tensors come first"
            raise Refused(node, what, "leave the tensors alone in the block")

    def gives_arguments(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        """Takes a block that gives arguments to layers: it goes along with the statements in it."""
        call, first = node.items[0].context_expr, len(self.units)
        assert isinstance(call, ast.Call)
        given = arg_scope(self.evaluator, call)
        self.devices.append(node)
        self.scope_reads[node] = given.reads
        self.evaluator.arg_scopes.append(given)
        self.block(node.body, (*scopes, node))
        self.evaluator.arg_scopes.pop()
        stays = next((unit for unit in self.units[first:] if not unit.moves), None)
        if stays is not None:
            what = "something else than tensors is computed where layers are given arguments"
            raise Refused(stays.node, what, "leave the layers alone in the block")

    def taken_in_place(self, node: ast.stmt) -> bool:
        """Whether a statement gives a name to what a layer computes that moves averages in place."""
        calls, self.evaluator.in_place = self.evaluator.in_place, []
        if calls:
            require_whole(node, calls)
        return bool(calls)

    def taken_metric(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> bool:
        """Whether a statement gives a name to the update of a metric."""
        calls, self.evaluator.metrics = self.evaluator.metrics, []
        if calls:
            require_update(node, calls, scopes)
        return bool(calls)
