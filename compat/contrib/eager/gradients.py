"""Functions that compute gradients eagerly: `tf.contrib.eager.gradients_function` and its kin."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., tuple[Any, list[tuple[Any, Any]]]]:
    """`f`'s value and the gradients by the trainable variables that it uses.

    Stands for `tf.contrib.eager.implicit_value_and_gradients`.

    Args:
      f: gives a loss.

    Returns:
      A function of `f`'s arguments that gives the loss and (gradient, variable) pairs, for `apply_gradients`.

    Raises:
      ValueError: (when called) `f` gives None, or uses no trainable variable.
    """

    @functools.wraps(f)
    def both(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        with tf.GradientTape() as tape:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError(f"Cannot differentiate a function that returns None: {f}")
        variables = tape.watched_variables()
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return value, list(zip(tape.gradient(value, variables), variables, strict=True))

    return both


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., list[tuple[Any, Any]]]:
    """The gradients alone; stands for `tf.contrib.eager.implicit_gradients`.

    Example:
      >>> w = tf.Variable(3.0)
      >>> ((gradient, variable),) = implicit_gradients(lambda x: x * w)(2.0)
      >>> float(gradient), variable is w
      (2.0, True)
    """
    both = implicit_value_and_gradients(f)

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        return both(*args, **kwargs)[1]

    return gradients


def value_and_gradients_function(
    f: Callable[..., Any], params: Sequence[int | str] | None = None
) -> Callable[..., tuple[Any, list[Any]]]:
    """`f`'s value and the gradients by some of its arguments; `tf.contrib.eager.value_and_gradients_function`.

    Args:
      f: gives a loss.
      params: positions or names of the arguments; all positional ones when None.

    Returns:
      A function of `f`'s arguments that gives the loss and a list of gradients. Its `dy` is the loss's own gradient.
    """

    @functools.wraps(f)
    def both(*args: Any, dy: Any = None, **kwargs: Any) -> tuple[Any, list[Any]]:
        positions = range(len(args)) if params is None else [_position(f, param) for param in params]
        inputs = [tf.convert_to_tensor(arg) if place in positions else arg for place, arg in enumerate(args)]
        watched = [inputs[place] for place in positions]
        with tf.GradientTape() as tape:
            tape.watch(watched)
            value = f(*inputs, **kwargs)
        return value, tape.gradient(value, watched, output_gradients=dy)

    return both


def _position(f: Callable[..., Any], param: int | str) -> int:
    return param if isinstance(param, int) else list(inspect.signature(f).parameters).index(param)


def gradients_function(f: Callable[..., Any], params: Sequence[int | str] | None = None) -> Callable[..., list[Any]]:
    """The gradients alone; stands for `tf.contrib.eager.gradients_function`.

    Example:
      >>> [gradient.numpy() for gradient in gradients_function(lambda x: x * x)(3.0)]
      [np.float32(6.0)]
    """
    both = value_and_gradients_function(f, params)

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> list[Any]:
        return both(*args, **kwargs)[1]

    return gradients
