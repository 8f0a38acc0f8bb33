"""`Model.summary()` as TF 1.15 and Keras 2.2 drew it: no blank lines, no bytes, shapes and connections as they were.

>>> from compat.keras2 import layers, models
>>> models.Sequential([layers.Dense(2, input_shape=(3,), name="only")], name="small").summary(line_length=40)
Model: "small"
________________________________________
Layer (type)      Output Shape    Param
========================================
only (Dense)      (None, 2)       8
========================================
Total params: 8
Trainable params: 8
Non-trainable params: 0
________________________________________
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tensorflow as tf
from tf_keras.src.utils import layer_utils

__all__ = ["install"]

_HEADS = "Layer (type)", "Output Shape", "Param #", "Connected to"
_CHAIN_WIDTH, _CHAIN_ENDS = 65, (0.45, 0.85, 1.0)
_NETWORK_WIDTH, _NETWORK_ENDS = 98, (0.33, 0.55, 0.67, 1.0)
_draw_now = layer_utils.print_summary


def _nodes(model: Any) -> list[Any]:
    """The calls of layers that make up a network."""
    return [node for at_depth in model._nodes_by_depth.values() for node in at_depth]


def _is_chain(model: Any) -> bool:
    """Whether each layer has one call, which follows on that of another one: nothing is said of connections then."""
    if type(model).__name__ == "Sequential" or not model._is_graph_network:
        return True
    nodes = _nodes(model)
    if any(len(at_depth) > 1 for at_depth in model._nodes_by_depth.values()):
        return False
    if any(len(tf.nest.flatten(node.inbound_layers)) > 1 for node in nodes):
        return False
    return all(sum(node in nodes for node in layer._inbound_nodes) < 2 for layer in model.layers)


def _line(fields: Iterable[Any], ends: Sequence[int]) -> str:
    """The fields, each cut where its column ends, with a space before the next."""
    line = ""
    for place, (field, end) in enumerate(zip(fields, ends, strict=False)):
        line = f"{line[:-1]} {field}" if place else str(field)
        line = line[:end].ljust(end)
    return line


def _shape(model: Any, layer: Any) -> Any:
    if getattr(model, "_inferred_input_shape", None) is not None:  # a `Sequential` that only called its layers
        return "multiple"
    try:
        return layer.output_shape
    except AttributeError:
        return "multiple"
    except RuntimeError:  # of a layer that only ran eagerly
        return "?"


def _connections(layer: Any, nodes: list[Any]) -> list[str]:
    """The calls whose results the layer's calls in this model take: name, number of the call, number of the result."""
    return [
        f"{before.name}[{call}][{place}]"
        for node in layer._inbound_nodes
        if node in nodes
        for before, call, place in zip(
            *map(tf.nest.flatten, (node.inbound_layers, node.node_indices, node.tensor_indices)), strict=True
        )
    ]


def _count(weights: Iterable[Any]) -> int:
    return int(layer_utils.count_params(list(weights)))


def _draw(
    model: Any,
    line_length: int | None = None,
    positions: Sequence[float] | None = None,
    print_fn: Callable[[str], object] | None = None,
    **newer: Any,
) -> None:
    """Prints a line for each layer of a model, and how many numbers its weights are."""
    if any(newer.values()):  # what TF 1.15 did not know
        _draw_now(model, line_length, positions, print_fn, **newer)
        return
    show = print if print_fn is None else print_fn
    is_chain = _is_chain(model)
    width = line_length or (_CHAIN_WIDTH if is_chain else _NETWORK_WIDTH)
    ends = positions or (_CHAIN_ENDS if is_chain else _NETWORK_ENDS)
    columns = [int(width * end) for end in ends] if ends[-1] <= 1 else [int(end) for end in ends]
    show(f'Model: "{model.name}"')
    show("_" * width)
    show(_line(_HEADS[: 3 if is_chain else 4], columns))
    show("=" * width)
    nodes = [] if is_chain else _nodes(model)
    last = len(model.layers) - 1
    for place, layer in enumerate(model.layers):
        fields = f"{layer.name} ({type(layer).__name__})", _shape(model, layer), layer.count_params()
        first, *others = _connections(layer, nodes) or [""]
        show(_line(fields if is_chain else (*fields, first), columns))
        for other in others:
            show(_line(("", "", "", other), columns))
        show(("=" if place == last else "_") * width)
    trained = _count(getattr(model, "_collected_trainable_weights", model.trainable_weights))
    fixed = _count(model.non_trainable_weights)
    show(f"Total params: {trained + fixed:,}")
    show(f"Trainable params: {trained:,}")
    show(f"Non-trainable params: {fixed:,}")
    show("_" * width)


def install() -> None:
    """Has models draw their summaries as they did."""
    layer_utils.print_summary = _draw
