"""Checkpoints of objects: what saves and restores them by a session."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.values import DATA, Arguments, Thing, Value
from tf_migrate.semantics.effects import Effect
from tf_migrate.semantics.sessions import Sessions

CHECKPOINT, MANAGER, STATUS = "checkpoint", "checkpoint_manager", "load_status"
KINDS = frozenset((CHECKPOINT, MANAGER, STATUS))


class ObjectCheckpoints(Sessions):
    """What `tf.train.Checkpoint`, its manager and its status do."""

    def _effect_checkpoint(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = Thing(CHECKPOINT, origin, node)
        for name, value in arguments.keywords:
            self.heap.write(made, name, value)
        return made

    def _effect_checkpoint_manager(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return Thing(MANAGER, origin, node)

    def call_checkpoint(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a checkpoint, its manager or its status."""
        if owner.kind == CHECKPOINT and name in ("restore", "read"):
            return Thing(STATUS, f"{owner.origin}.{name}", node)
        if owner.kind == STATUS and (name == "expect_partial" or name.startswith("assert_")):
            return owner
        if owner.kind == STATUS:
            self.initializing.add(node)
        self.runs_in(arguments, 0 if owner.kind == STATUS else 1, "session", node)
        return DATA
