"""The collection of losses: what `get_total_loss` adds up."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..variables.collection import get_collection
from ..variables.graph_keys import GraphKeys
from ..variables.store import current_pass

LOSSES = GraphKeys.LOSSES


def add_loss(loss: Any, loss_collection: str | None = LOSSES) -> None:
    """Puts a loss into a collection; stands for `tf.losses.add_loss`.

    It does nothing in an eager program, as in TF1, nor where no graph is open and no `VariableStore` is entered.
    """
    if not loss_collection:
        return
    try:
        building = current_pass()
    except ValueError:
        return
    if not building.always_new:
        building.add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = LOSSES) -> list[Any]:
    """The losses of a collection, those whose name matches `scope`; stands for `tf.losses.get_losses`."""
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The losses of regularizers; stands for `tf.losses.get_regularization_losses`."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> tf.Tensor:
    """Their sum, 0.0 when there is none; stands for `tf.losses.get_regularization_loss`."""
    losses = get_regularization_losses(scope)
    return tf.add_n(losses, name=name) if losses else tf.constant(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> tf.Tensor:
    """The sum of all losses, with those of regularizers; stands for `tf.losses.get_total_loss`.

    Raises:
      ValueError: there is no loss.
    """
    losses = get_losses(scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope)
    return tf.add_n(losses, name=name)
