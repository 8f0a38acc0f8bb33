"""Random numbers that an operation with a seed draws when it draws first, outside of graphs too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf


def first_draw(draw: Callable[..., Any], *arguments: Any, **words: Any) -> Any:
    """What `draw(*arguments, **words)` gives as an operation of its own: the beginning of its sequence of numbers.

    In TensorFlow 1 each operation of a graph that was given a seed had a sequence of its own, so that two variables
    with one seed began alike. In eager code all calls of a function with one seed go on with one sequence.

    Args:
        draw: a function of `tf.random`, with its `arguments` and `words`, a seed among them.

    Returns:
        A tensor. In a graph, or a function that is traced, it is what `draw` gives there.

    Example:
      >>> first, second = (first_draw(tf.random.normal, [3], seed=7) for _ in range(2))
      >>> bool(tf.reduce_all(first == second))
      True
    """
    if not tf.executing_eagerly():
        return draw(*arguments, **words)
    return tf.function(draw)(*arguments, **words)


def drawn(draw: Callable[..., Any], *arguments: Any, seed: int | None, **words: Any) -> Any:
    """`draw(*arguments, seed=seed, **words)`, by `first_draw` where there is a seed."""
    if seed is None:
        return draw(*arguments, **words)
    return first_draw(draw, *arguments, seed=seed, **words)
