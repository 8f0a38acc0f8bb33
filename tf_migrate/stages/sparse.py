"""Sparse tensors of constants: eager code makes them where they stand, and operations on sparse tensors take them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages.values import Refused, Stage, Value, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

SPARSE = "tf.SparseTensor"
TAKING = frozenset({"tf.edit_distance", "tf.sparse_tensor_dense_matmul"})
"""Operations that take sparse tensors, and give dense ones."""
_MADE_OF = frozenset({Stage.PYTHON, Stage.CONSTANT})


def sparse_tensor(evaluator: Evaluator, node: ast.Call) -> Value:
    """`tf.SparseTensor(indices, values, shape)` of Python values and constants."""
    if evaluator.active or any(value.stage not in _MADE_OF for value in flatten(evaluator.arguments(node))):
        raise Refused(node, f"`{SPARSE}` is made of tensors, or in a function", "make it of Python values, at the top")
    return Value(Stage.SPARSE)


def is_taken(value: Value, symbol: str) -> bool:
    """Whether an operation takes a value that is a sparse tensor."""
    return value.stage is Stage.SPARSE and symbol in TAKING
