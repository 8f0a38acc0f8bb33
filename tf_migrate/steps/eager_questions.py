"""Questions whether code is eager: that of a program in steps is, where it stood beside a graph in TensorFlow 1."""

from __future__ import annotations

import ast

from tf_migrate.report.model import Reason
from tf_migrate.steps.part import Part

_ASKING = frozenset(
    {
        *("tf.executing_eagerly", "tf.contrib.eager.executing_eagerly", "tf.contrib.eager.in_eager_mode"),
        "tensorflow.python.eager.context.executing_eagerly",
    }
)
_ENABLING = frozenset({"tf.enable_eager_execution", "tf.enable_v2_behavior", "tf.contrib.eager.enable_eager_execution"})


class EagerQuestions(Part):
    """Answers `tf.executing_eagerly()` as TensorFlow 1 did, in a program that is nowhere eager.

    Code that only builds gets that answer anyway.
    """

    def plan(self) -> list[Reason]:
        """Fills the plans; nothing of it stands in the way of steps."""
        symbols = self.facts.recorder.symbols
        if not any(found & _ENABLING for found in symbols.values()):
            for node, found in symbols.items():
                if found and found <= _ASKING and isinstance(node, ast.Call) and self._stands_beside(node):
                    self.plan_of(node).replaced[node] = "False"
        return self.reasons

    def _stands_beside(self, node: ast.Call) -> bool:
        """Whether a call is one of the program's, in code that does more than build."""
        return node in self.facts.owners and not any(map(self.facts.is_pure, self.facts.around(node)))
