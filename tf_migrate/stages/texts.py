"""Questions about pieces of text that are known, the version of TensorFlow among them: one answer decides the way.

What asks for the version gets that of TensorFlow 1 in the migrated code, so the way is the one that the original took.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tf_migrate.names.canonical import Names
from tf_migrate.stages.values import Stage, Value

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_VERSION = "1.15.5"
_VERSIONS = ("tf.__version__", "tf.VERSION", "tf.version.VERSION")
ASKED = frozenset(f"{version}.{method}" for version in _VERSIONS for method in ("startswith", "endswith"))
"""The methods of the version that answer yes or no."""
_ORDER = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def asked_version(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """`tf.__version__.startswith("1.")`, of a text that is written out or not."""
    evaluator.require_python(*node.args, *(keyword.value for keyword in node.keywords))
    given = evaluator.value(node.args[0]).text if len(node.args) == 1 and not node.keywords else None
    if given is None:
        return Value(Stage.PYTHON)
    starts = symbol.endswith(".startswith")
    return Value(Stage.PYTHON, truth=_VERSION.startswith(given) if starts else _VERSION.endswith(given))


def compared(names: Names, node: ast.Compare, values: Sequence[Value]) -> Value | None:
    """What comparing two pieces of text gives, where both are known; else None.

    Of the version that is where it stands itself: another name of it may hold TensorFlow 2's.
    """
    sides = zip((node.left, *node.comparators), values, strict=True)
    texts = [_VERSION if names.resolve(side) in _VERSIONS else value.text for side, value in sides]
    order = _ORDER.get(type(node.ops[0]))
    if len(texts) != 2 or texts[0] is None or texts[1] is None or order is None:
        return None
    return Value(Stage.PYTHON, truth=order(texts[0], texts[1]))
