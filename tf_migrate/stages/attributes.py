"""Attributes of parts of a graph: what a static shape tells, the parts of a state, what initializes a variable."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tf_migrate.stages import purity
from tf_migrate.stages.distributions import parameter_of_distribution
from tf_migrate.stages.flags import flag_of, is_left, stays
from tf_migrate.stages.iterators import initializer
from tf_migrate.stages.lists import KEYS
from tf_migrate.stages.operators import REPHRASE
from tf_migrate.stages.settings import is_setting
from tf_migrate.stages.values import PYTHON, STATIC, TENSOR, TENSORS, Locals, Refused, Stage, Value, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_MADE = frozenset({Stage.CONSTANT, Stage.TENSOR})
_OF_TENSORS = frozenset(
    {"consumers", "device", "dtype", "eval", "get_shape", "graph", "name", "op", "set_shape", "shape", "value_index"}
)


def attribute_of_graph(node: ast.Attribute, value: Value) -> Value:
    """The value of an attribute of a part of the graph, which has this value."""
    if value.parts is not None and value.fields is not None and node.attr in value.fields:
        return value.parts[value.fields.index(node.attr)]
    parameter = parameter_of_distribution(node, value)
    if parameter is not None:
        return parameter
    if value.stage in TENSORS and value.parts is None and node.attr in ("shape", "dtype"):
        return STATIC
    if value.stage is Stage.LAYER and node.attr in ("state_size", "output_size"):
        return STATIC
    if value.stage is Stage.TENSOR and node.attr in ("c", "h"):
        # The two parts of an LSTM's state.
        return TENSOR
    if value.stage is Stage.STATIC and node.attr in ("ndims", "rank", "value"):
        return STATIC
    if value.stage is Stage.VARIABLE and node.attr == "initializer":
        return Value(Stage.INITIALIZER, variables=value.variables)
    if value.iteration is not None and value.stage is Stage.ITERATOR and node.attr == "initializer":
        return initializer(node, value.iteration)
    raise Refused(node, f"`.{node.attr}` of a part of the graph is read", REPHRASE)


def is_remark(frame: Mapping[str, Value], target: ast.Attribute, value: Value) -> bool:
    """Whether an assignment keeps something with a tensor under a name of its own: `x.scope = scope`.

    It stays with the tensor in each trace. What reads it elsewhere is refused.
    """
    known = frame.get(target.value.id) if isinstance(target.value, ast.Name) else None
    kept = all(part.stage in TENSORS | {Stage.PYTHON} and part.function is None for part in flatten([value]))
    if known is None or known.stage not in _MADE or known.parts is not None or known.variables or not kept:
        return False
    return not (target.attr.startswith("_") or target.attr in _OF_TENSORS)


def is_stable(evaluator: Evaluator, node: ast.Attribute) -> bool:
    """Whether an attribute of a Python value stays what it is."""
    if node not in evaluator.stable:
        member = purity.is_stable_attribute(node, evaluator.module)
        kept = member and is_left(evaluator.names, node, evaluator.imports.own, evaluator.statement)
        evaluator.stable[node] = kept or is_setting(node, evaluator.names)
    return evaluator.stable[node]


def value_of_symbol(evaluator: Evaluator, node: ast.expr) -> Value:
    """The value of a symbol of TensorFlow that stands outside a call."""
    symbol = evaluator.names.resolve(node) or ""
    flag = flag_of(symbol)
    if flag is not None:
        if node not in evaluator.stable:
            evaluator.stable[node] = stays(evaluator.names, flag, evaluator.imports.own, evaluator.statement)
        if not evaluator.stable[node]:
            evaluator.note_impure(node)
        return PYTHON
    if not purity.is_plain_symbol(symbol):
        raise Refused(node, f"`{symbol}` is not understood here", "use a core operation of TensorFlow instead")
    return Value(Stage.PYTHON, symbol=symbol, text=KEYS.get(symbol), truth=True, is_none=False)


def attribute_of_block(evaluator: Evaluator, node: ast.Attribute, key: str | None) -> Value | None:
    """What the block that is evaluated has bound an attribute to; None where it has not."""
    held = next((frame for frame in reversed(evaluator.frames) if key in frame), None)
    if held is None or key is None:
        return None
    if not any(frame is held for frame in evaluator.visible()):
        raise Refused(node, f"`{ast.unparse(node)}` is bound in the block that calls this", "bind it before")
    if not isinstance(held, Locals):
        evaluator.inner.append((node, key))
    return held[key]
