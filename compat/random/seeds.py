"""Seeds of TF 1.15: of the graph, and the pair that a random operation gets."""

from __future__ import annotations

import contextlib
from typing import Any

from ..bridge.graph import current_graph, is_default_graph, seed_default_graph
from ..default_seed import default_seed
from ..private import random_seed as _random_seed
from ..variables.store import built_graph, eager_store


def set_random_seed(seed: int | None) -> None:
    """Sets the seed of the graph being built; stands for `tf.set_random_seed` and `tf.random.set_random_seed`.

    In plain TF2 it sets the seed of the program (`tf.random.set_seed`). TF1 mixed the number of operations in the graph
    into the random numbers that follow from a graph seed alone: they are TF1's on the bridge, as far as it counts the
    same operations (see `compat.bridge.operation_count`), and others elsewhere. Those of an explicit op seed are TF1's.

    Example:
      >>> set_random_seed(42)
    """
    graph, store = current_graph(), eager_store()
    if is_default_graph(graph) or (graph is None and (store is None or store.is_default())):
        seed_default_graph(seed)
    elif graph is not None:
        graph.seed = seed
    elif store is not None:
        store.seed = seed
        default_seed.give(seed)


def get_seed(op_seed: int | None) -> tuple[Any, Any]:
    """The two seeds of an operation whose own is `op_seed`; stands for `tf.get_seed` and `tf.random.get_seed`.

    Between blocks that build they are those of the graph that the blocks build, as in TF1.

    Returns:
      (graph seed, op seed); (None, None) when neither was set.
    """
    graph = built_graph()
    with contextlib.nullcontext() if graph is None else graph.as_default():
        first, second = _random_seed.get_seed(op_seed)
        if (asked := current_graph()) is not None:
            asked.operation_count.answered()
    return first, second
