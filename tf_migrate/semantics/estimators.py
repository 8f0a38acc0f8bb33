"""What a model function gives to an estimator: a record of tensors, which others may ask for too.

An estimator itself has a graph and a session of its own, and stays on the bridge with the script that makes it.
"""

from __future__ import annotations

import ast

from tf_migrate.interpreter.values import NONE, Arguments, Items, Value
from tf_migrate.semantics.effects import Effect
from tf_migrate.semantics.supervisors import Supervisors

MODES = {"TRAIN": "train", "EVAL": "eval", "PREDICT": "infer"}
"""The values of `tf.estimator.ModeKeys`."""
_FIELDS = (
    *("mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs", "training_chief_hooks"),
    *("training_hooks", "scaffold", "evaluation_hooks", "prediction_hooks"),
)


class Estimators(Supervisors):
    """What the records of model functions are."""

    def _effect_spec(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        """`tf.estimator.EstimatorSpec`, a named tuple; its loss is a scalar, whatever shape it was given in."""
        given = [arguments.get(at, name) for at, name in enumerate(_FIELDS)]
        values = [NONE if value is None else value for value in given]
        if values[1] is NONE:
            values[1] = self.table()
        if values[2] is not NONE:
            values[2] = self.node("tensor", origin, node)
        if values[4] is NONE:
            values[4] = self.table()
        made = Items("tuple", _FIELDS)
        self.heap.born(made)
        self.new_list(made, values)
        return made
