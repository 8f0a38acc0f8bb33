"""Which optimizer or average a slot variable belongs to.

In TF1 two optimizers over one variable never met: the graph numbered their slots (``w/Adam``, ``w/Adam_2``). In plain
TF2 each trace counts names from the start again, and the second optimizer, first traced in another function, would be
handed the first one's slots by name. So owners sign what they use, and a signed variable is passed over. Replicas of a
``tf.distribute`` strategy run the same code over the same slots, and each may have an optimizer of its own: they sign
each for themselves.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ..bridge.graph import current_graph
from ..variables.replicas import replica_number

_OWNERS = "_compat_slot_owners"


def obtain_for(owner: Any, create: Callable[[], tf.Variable], shared: bool = False) -> tf.Variable:
    """The first variable that ``create`` gives, called again for the next name, that no other living owner has.

    Args:
        owner: the optimizer or average, which is only referenced weakly; None asks for no owner.
        create: makes or finds the variable under the next free name of this pass.
        shared: take it even when it has an owner, as TF1 did in a scope with ``reuse``.
    """
    variable = create()
    if owner is None or shared or current_graph() is not None:
        return variable
    while _owner_of(variable) not in (None, id(owner)):
        variable = create()
    _owners_of(variable)[replica_number()] = weakref.ref(owner)
    return variable


def _owners_of(variable: tf.Variable) -> dict[int, weakref.ref[Any]]:
    if not hasattr(variable, _OWNERS):
        setattr(variable, _OWNERS, {})
    owners: dict[int, weakref.ref[Any]] = getattr(variable, _OWNERS)
    return owners


def _owner_of(variable: tf.Variable) -> int | None:
    reference = _owners_of(variable).get(replica_number())
    owner = None if reference is None else reference()
    return None if owner is None else id(owner)
