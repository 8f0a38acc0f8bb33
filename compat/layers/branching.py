"""A branch that is taken at once where its condition is known, and by ``tf.cond`` where it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ..bodies import body


def known_bool(condition: Any) -> bool | None:
    """The value of a condition: a Python bool, 0, 1 or a constant tensor; None where it is not known yet."""
    if condition is None:
        return False
    if isinstance(condition, tf.Variable):
        return None
    if tf.is_tensor(condition):
        value = tf.get_static_value(condition)
        return None if value is None else bool(value)
    if isinstance(condition, bool) or condition in (0, 1):
        return bool(condition)
    raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(condition)}")


def smart_cond(condition: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = None) -> Any:
    """``true_fn()`` or ``false_fn()``; in a graph both are built where the condition is not known.

    Stands for ``tf.contrib.framework.smart_cond``.
    """
    known = known_bool(condition)
    if known is not None:
        return true_fn() if known else false_fn()
    return tf.cond(tf.cast(condition, tf.bool), body(true_fn), body(false_fn), name=name)
