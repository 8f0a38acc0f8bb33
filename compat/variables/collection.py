"""Collections: lists that belong to a graph, by name.

Under the bridge they are the graph's. Natively variables stay in theirs as long as the store lives, and everything
else (losses, update ops, summaries) belongs to one pass over the graph-building code, as its tensors do.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from .graph_keys import GraphKeys
from .passes import Pass
from .store import current_pass, program_pass


def add_to_collection(name: Hashable, value: Any) -> None:
    """Adds ``value`` to the collection ``name``. Stands for ``tf.add_to_collection``."""
    program_pass().add_to_collection(name, value)


def add_to_collections(names: Any, value: Any) -> None:
    """Adds ``value`` to each of the collections (one name, or several). Stands for ``tf.add_to_collections``."""
    if names is None:
        return
    keys: Iterable[Hashable] = (names,) if isinstance(names, str) else dict.fromkeys(names)
    for key in keys:
        program_pass().add_to_collection(key, value)


def get_collection(key: Hashable, scope: str | None = None) -> list[Any]:
    """A copy of a collection, empty when nothing was added. Stands for ``tf.get_collection``.

    Args:
        key: its name, for instance ``GraphKeys.UPDATE_OPS``.
        scope: only items with a name that this regular expression matches at its start.
    """
    return current_pass().get_collection(key, scope) if Pass.any_begun else []


def get_collection_ref(key: Hashable) -> list[Any]:
    """The list of a collection itself, to change in place. Stands for ``tf.get_collection_ref``."""
    return program_pass().collection(key)


def get_all_collection_keys() -> list[Hashable]:
    """The names of all collections in use. Stands for ``Graph.get_all_collection_keys``."""
    return [key for key in current_pass().collection_keys() if isinstance(key, str)] if Pass.any_begun else []


def global_variables(scope: str | None = None) -> list[Any]:
    """The variables shared by all, as ``tf.global_variables``; ``scope`` as in :func:`get_collection`."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def all_variables() -> list[Any]:
    """Old name of :func:`global_variables`. Stands for ``tf.all_variables``."""
    return global_variables()


def local_variables(scope: str | None = None) -> list[Any]:
    """The variables that are not saved (of metrics, of queues), as ``tf.local_variables``."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """What slim and contrib.layers marked as model variables, as ``tf.model_variables``."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """The variables that optimizers train by default, as ``tf.trainable_variables``."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables that keep a moving average, as ``tf.moving_average_variables``."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)
