"""What surrounds statements of the straight line: the names of scopes, conditions, and arguments for layers."""

from __future__ import annotations

import ast

from tf_migrate.stages.arg_scopes import arg_scope, require_whole
from tf_migrate.stages.contexts import context_of
from tf_migrate.stages.metrics import require_update
from tf_migrate.stages.values import Reads, Refused
from tf_migrate.stages.waiting import Waiting


class Surroundings(Waiting):
    """Reads the blocks of scopes and of arguments for layers, and what their statements leave to be told."""

    def decides(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> bool:
        """Takes a condition of the straight line that only asks whether there is a session."""
        branch = self.decisions.branch(self.evaluator, node) if isinstance(node, ast.If) and not self.depth else None
        if branch is None:
            return False
        self.block(branch, scopes)
        return True

    def surrounds(self, node: ast.With, scopes: tuple[ast.With, ...]) -> None:
        """Takes a block of a scope or of devices, or of both: each goes along with the statements in it."""
        others = [ast.copy_location(ast.With([item], node.body), node) for item in node.items[1:]]
        for item, block in zip(node.items, (node, *others), strict=True):
            (self.devices if context_of(item, self.evaluator) == "device" else self.scoped).append(block)
            self.scope_reads[block] = self.scope_reads_of(item)
        self.block(node.body, (*scopes, node, *others))

    def scope_reads_of(self, item: ast.withitem) -> Reads:
        """What the arguments of a scope read."""
        assert isinstance(item.context_expr, ast.Call)
        with self.evaluator.collecting() as (reads, impure):
            for argument in (*item.context_expr.args, *(keyword.value for keyword in item.context_expr.keywords)):
                self.require_python(argument)
        if impure:
            raise Refused(impure[0], "the scope is given something that is computed there", "give it a name")
        return dict(reads)

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
