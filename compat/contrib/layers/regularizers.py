"""Penalties on weights."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...variables.collection import add_to_collection, get_collection
from ...variables.graph_keys import GraphKeys
from ...variables.name_scope import name_scope

Regularizer = Callable[[Any], Any]


def _none(weights: Any) -> None:
    """The regularizer of scale zero."""


def _check_scale(scale: Any, name: str) -> bool:
    """Checks a scale and says whether it is a number and zero."""
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"{name} cannot be an integer: {scale}")
    if isinstance(scale, numbers.Real):
        if scale < 0.0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}")
        return scale == 0.0
    return False


def l1_regularizer(scale: Any, scope: str | None = None) -> Regularizer:
    """``scale · Σ|w|``. Stands for ``tf.contrib.layers.l1_regularizer``.

    Args:
        scale: a float, not an int; 0.0 gives a regularizer without a loss.

    Raises:
        ValueError: a negative scale, or an int.
    """
    if _check_scale(scale, "scale"):
        return _none

    def l1(weights: Any, name: str | None = None) -> Any:
        del name
        with name_scope(scope, "l1_regularizer", [weights]) as opened:
            by = tf.convert_to_tensor(scale, dtype=weights.dtype, name="scale")
            return tf.multiply(by, tf.reduce_sum(tf.abs(weights)), name=opened)

    return l1


def l2_regularizer(scale: Any, scope: str | None = None) -> Regularizer:
    """``scale · Σw² / 2``. Stands for ``tf.contrib.layers.l2_regularizer``; arguments as :func:`l1_regularizer`."""
    if _check_scale(scale, "scale"):
        return _none

    def l2(weights: Any) -> Any:
        with name_scope(scope, "l2_regularizer", [weights]) as opened:
            by = tf.convert_to_tensor(scale, dtype=weights.dtype, name="scale")
            return tf.multiply(by, tf.nn.l2_loss(weights), name=opened)

    return l2


def l1_l2_regularizer(scale_l1: Any = 1.0, scale_l2: Any = 1.0, scope: str | None = None) -> Regularizer | None:
    """``scale_l1 · Σ|w| + scale_l2 · Σw² / 2``. Stands for ``tf.contrib.layers.l1_l2_regularizer``."""
    _check_scale(scale_l1, "scale_l1")
    _check_scale(scale_l2, "scale_l2")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


def sum_regularizer(regularizer_list: Sequence[Regularizer | None], scope: str | None = None) -> Regularizer | None:
    """The sum of several regularizers, None of none. Stands for ``tf.contrib.layers.sum_regularizer``."""
    regularizers = [each for each in regularizer_list if each is not None]
    if not regularizers:
        return None

    def sum_reg(weights: Any) -> Any:
        with name_scope(scope, "sum_regularizer", [weights]) as opened:
            losses = [loss for loss in (each(weights) for each in regularizers) if loss is not None]
            return tf.add_n(losses, name=opened) if losses else None

    return sum_reg


def apply_regularization(regularizer: Regularizer, weights_list: Sequence[Any] | None = None) -> Any:
    """The sum of a regularizer over weights, added to ``REGULARIZATION_LOSSES`` too.

    Stands for ``tf.contrib.layers.apply_regularization``.

    Args:
        weights_list: the collection ``WEIGHTS`` by default.

    Raises:
        ValueError: there are no weights, or the regularizer's result is not a scalar.
    """
    weights = weights_list or get_collection(GraphKeys.WEIGHTS)
    if not weights:
        raise ValueError("No weights to regularize.")
    with name_scope("get_regularization_penalty", values=weights) as opened:
        penalties = [tf.constant(0.0) if loss is None else loss for loss in map(regularizer, weights)]
        for penalty in penalties:
            if penalty.shape.rank != 0:
                raise ValueError(
                    f"regularizer must return a scalar Tensor instead of a Tensor with rank {penalty.shape.rank}."
                )
        total = tf.add_n(penalties, name=opened)
        add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
        return total
