"""Code that only builds: it records operations in the graph of a store, once, where it stands."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

import tensorflow as tf

from ..variables.tracing import innermost_graph
from .graph import StoreGraph, current_store_graph

__all__ = ["build", "builder", "building"]

P = ParamSpec("P")
T = TypeVar("T")


@contextlib.contextmanager
def building() -> Iterator[Any]:
    """A block of code that builds: what it computes becomes operations of the store's graph. Gives the graph.

    Variables that the block makes have their first values where it ends. In another block that builds, and in a
    `tf.function`, `dataset.map` or a graph, it changes nothing.

    Raises:
      RuntimeError: the graph is half built, since a block before has raised.

    Example:
      >>> with store:
      ...     x = compat.Input(tf.float32, [])
      ...     with compat.building() as graph:
      ...         doubled = 2.0 * x
      >>> doubled.graph is graph, compat.run(doubled, {x: 21.0})
      (True, np.float32(42.0))
    """
    around = None if tf.executing_eagerly() else innermost_graph()
    if around is not None and not (isinstance(around, StoreGraph) and around is not current_store_graph()):
        yield around
        return
    with current_store_graph().building() as graph:
        yield graph


def builder(function: Callable[P, T]) -> Callable[P, T]:
    """Decorator of a function, method or constructor that only builds, and records operations in the store's graph.

    Parameters and body are as they were. It may call other builders, and `super().__init__`. Nothing is kept: called
    twice, it builds twice, as in TF 1.x.

    Raises:
      TypeError: it is a class, or builds when it is gone through, as a generator does.

    Example:
      >>> class Net:
      ...     @compat.builder
      ...     def __init__(self):
      ...         self.x = compat.Input(tf.float32, [])
      ...         self.w = compat.get_variable("w", [], initializer=compat.constant_initializer(3.0))
      ...         self.out = self.w * self.x
      >>> with store:
      ...     net = Net()
      >>> print(compat.run(net.out, {net.x: 2.0}))
      6.0
    """
    if inspect.isclass(function) or not callable(function):
        raise TypeError(f"compat.builder is for functions and methods (of a class: its constructor), not {function!r}")
    if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        raise TypeError(f"{function.__qualname__} builds when it is gone through: mark the code that does that")

    @functools.wraps(function)
    def builds(*args: P.args, **kwargs: P.kwargs) -> T:
        with building():
            return function(*args, **kwargs)

    return builds


def build(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Calls something that builds, and gives what it gives.

    Example:
      >>> with store:
      ...     x = compat.Input(tf.float32, [None])
      ...     total = compat.build(tf.reduce_sum, x)
      >>> print(compat.run(total, {x: [1.0, 2.0]}))
      3.0
    """
    with building():
        return function(*args, **kwargs)
