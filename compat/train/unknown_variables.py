"""Variables of a graph that none of its collections knows: Keras 3 makes them, and TF 1.x's Keras did otherwise."""

from __future__ import annotations

import warnings
from typing import Any

import tensorflow as tf

from ..bridge.graph import Graph


def warn_of_unknown_variables(loss: Any) -> None:
    """Tells of variables that ``loss`` depends on and that ``minimize`` does not train, as TF 1.x did by default.

    Args:
        loss: a tensor of the graph under construction.
    """
    graph = loss.graph
    if not isinstance(graph, Graph):
        return
    made = [
        inside
        for outside, inside in graph.captures
        if outside.dtype == tf.resource and id(outside) not in graph.variables_by_handle
    ]
    gradients = tf.gradients(loss, made) if made else []
    names = [inside.op.name for inside, found in zip(made, gradients, strict=True) if found is not None]
    if names:
        warnings.warn(
            f"the loss depends on variables that are in no collection of the graph, as those of Keras 3 are: they are "
            f"not trained here, and TensorFlow 1 trained them ({', '.join(names)}); use compat.layers, or give "
            f"`minimize` all variables by `var_list`",
            UserWarning,
            stacklevel=4,
        )
