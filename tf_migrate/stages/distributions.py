"""Probability distributions: what they are made of, and what their methods compute."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages.arguments import NOT_YET
from tf_migrate.stages.values import TENSORS, Refused, Stage, Value, combine, flatten, is_fed
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_CLASSES = "Bernoulli Beta Categorical Dirichlet Exponential Gamma Laplace Normal StudentT Uniform"
DISTRIBUTIONS = frozenset({f"tf.distributions.{name}" for name in _CLASSES.split()}) | {
    "tf.contrib.distributions.Categorical",
    "tf.contrib.distributions.Normal",
}
DIVERGENCES = frozenset({"tf.distributions.kl_divergence"})
_COMPUTING = "cdf entropy log_cdf log_prob mean mode prob stddev survival_function variance"
_METHODS = frozenset(_COMPUTING.split())
_PARAMETERS = frozenset({"concentration", "df", "loc", "logits", "probs", "rate", "scale"})
_CHECKS = {"validate_args": False, "allow_nan_stats": True}
_GIVEN = TENSORS | {Stage.PYTHON, Stage.STATIC}


def distribution(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """An object of a class of distributions: a part of the graph, as the tensors that it is made of."""
    for word in node.keywords:
        known = word.arg in _CHECKS and isinstance(word.value, ast.Constant) and word.value.value is _CHECKS[word.arg]
        if word.arg is None or (word.arg in _CHECKS and not known):
            raise Refused(node, f"`{symbol}` is told to check what it is given", "leave the checks out")
    variables = tuple(variable for value in flatten(evaluator.arguments(node)) for variable in value.variables)
    # What it was made with shares the memory of a variable.
    return replace(_computed(evaluator, node), symbol=symbol, variables=variables)


def divergence(evaluator: Evaluator, node: ast.Call) -> Value:
    """How far one distribution is from another."""
    return _computed(evaluator, node)


def method_of_distribution(evaluator: Evaluator, node: ast.Call, method: str, receiver: Value) -> Value:
    """The value of a method call on a distribution; `receiver` is evaluated already."""
    if method == "sample" and argument(node, "seed", 1) is None:
        if any(value.is_graph for value in flatten(evaluator.arguments(node))):
            raise Refused(node, "how many samples are drawn depends on the graph", NOT_YET)
        return Value(Stage.TENSOR, random=True, fed=is_fed(receiver))
    if method not in _METHODS:
        raise Refused(node, f"`.{method}()` of a distribution is not understood by the native tier", NOT_YET)
    return _computed(evaluator, node, receiver)


def parameter_of_distribution(node: ast.Attribute, value: Value) -> Value | None:
    """What a distribution was made with; None for anything else."""
    if value.symbol not in DISTRIBUTIONS or value.stage is not Stage.TENSOR or node.attr not in _PARAMETERS:
        return None
    return replace(value, symbol=None)


def _computed(evaluator: Evaluator, node: ast.Call, *others: Value) -> Value:
    """A tensor that is computed of what a call gives, and of other values."""
    given = [*evaluator.arguments(node), *others]
    if any(value.stage not in _GIVEN for value in flatten(given)):
        raise Refused(node, "a distribution is given something of the graph that is no tensor", NOT_YET)
    return replace(combine(given), stage=Stage.TENSOR)
