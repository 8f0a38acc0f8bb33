"""Random operations in the bodies of loops and branches.

In TF 1.x they were operations of the one graph, each with a number of its own that went into its seed. TF2 counts them
anew in each body: under the seed of a graph, the first in every body would draw the same numbers.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.framework import random_seed as _random_seed

T = TypeVar("T")

_STEP = 100_003
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
            counted.setdefault(graph, _STEP * _next_number(graph))
        return body(*args, **kwargs)

    return build


def _next_number(graph: Any) -> int:
    """How many bodies there are now in all that is built together with this one."""
    while getattr(graph, "outer_graph", None) is not None and graph.outer_graph.building_function:
        graph = graph.outer_graph
    _bodies[graph] = _bodies.get(graph, 0) + 1
    return _bodies[graph]
