"""Random operations in functions, and in the bodies of loops and branches.

In TF 1.x they were operations of the one graph, each with a number of its own that went into its seed. TF2 counts them
anew in each: under the seed of a graph, the first in every function and body would draw the same numbers.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import tensorflow as tf

from .private import context, func_graph, ops
from .private import random_seed as _random_seed

T = TypeVar("T")

_STEP = 100_003
_FUNCTION_STEP = 10_000_019
_UNSEEDED = frozenset({"no seed"})
_sequences: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
"""How many sequences there are under each seed that the program was given, by the generator that TF2 made of it."""
_firsts: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
_bodies: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()


def apart(body: Callable[..., T]) -> Callable[..., T]:
    """A function that builds a body whose random operations draw other numbers than those of other bodies.

    The numbers of an operation with a seed of its own stay what they are.
    """

    @functools.wraps(body, updated=())
    def build(*args: Any, **kwargs: Any) -> T:
        graph = None if tf.executing_eagerly() else ops.get_default_graph()
        if getattr(graph, "outer_graph", None) is not None:
            counted = _random_seed._graph_to_seed_dict
            counted.setdefault(graph, _next_number(graph))
        return body(*args, **kwargs)

    return build


def _next_number(graph: Any) -> int:
    """What the operations of another body are counted from, among all that is built together with it."""
    while getattr(graph, "outer_graph", None) is not None and graph.outer_graph.building_function:
        graph = graph.outer_graph
    _bodies[graph] = _bodies.get(graph, 0) + 1
    return _firsts.get(graph, 0) + _STEP * _bodies[graph]


def new_sequence() -> None:
    """Has the function that is being traced draw numbers of its own under the seed of the program.

    There is no such thing in TF 1.15, where each operation of the one graph got a seed of its own of the graph's. In
    TF2 every function begins with the same: without this call the first random operations of two functions draw the
    same numbers. It is called before the function draws. Operations with a seed of their own keep theirs, and nothing
    changes outside of a function. Behind `tf.random.set_seed` the sequences are counted anew, as the operations of the
    next graph were in TF 1.15: under the same seed, what does the same draws the same.

    Example:
      >>> tf.random.set_seed(42)
      >>> @tf.function
      ... def noise():
      ...     new_sequence()
      ...     return tf.random.uniform([])
      >>> @tf.function
      ... def other():
      ...     new_sequence()
      ...     return tf.random.uniform([])
      >>> bool(noise() == other())
      False
    """
    graph = None if tf.executing_eagerly() else ops.get_default_graph()
    if isinstance(graph, func_graph.FuncGraph) and graph not in _firsts:
        seeded = context.context()._rng or _UNSEEDED
        _sequences[seeded] = _sequences.get(seeded, 0) + 1
        _firsts[graph] = _FUNCTION_STEP * _sequences[seeded]
        _random_seed._graph_to_seed_dict.setdefault(graph, _firsts[graph])
