"""What surrounds statements of the straight line: the names of scopes, and updates that come first."""

from __future__ import annotations

import ast

from tf_migrate.stages.blocks import Blocks
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.values import Minimize, Reads, Refused, Stage


class Surroundings(Blocks):
    """Reads the blocks of scopes, and those of training steps that wait; `scoped` are the ones that go as they do."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.scoped: list[ast.With] = []

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
