"""Calls of TensorFlow 1 that draw random numbers: those that have no seed of their own take the graph's."""

from __future__ import annotations

import ast
import re

from tf_migrate.facts import keras_name

SEEDS = frozenset({"tf.set_random_seed", "tf.random.set_random_seed"})
"""Give the graph a seed."""
_DRAWING = re.compile(
    r"\.(?:random_\w+|random\.\w+|truncated_normal|multinomial|dropout\d*|alpha_dropout|shuffle|sample_distorted\w*"
    r"|(?:random_(?:normal|uniform)|truncated_normal|variance_scaling|uniform_unit_scaling|glorot_\w+|xavier)_initializer\w*"
    r"|(?:he|lecun)_\w+|orthogonal_initializer|xavier_initializer\w*|nce_loss|sampled_softmax_loss)$"
)
_UNSEEN = re.compile(r"(?i)random|shuffle|dropout|noise|sampl|rnn|decod|cell")
_WITH_DEFAULTS = re.compile(r"^tf\.(?:layers\.|contrib\.(?:layers|slim)\.|get_variable$)")
_OF_KERAS = re.compile(
    r"^tf\.keras\.layers\.(?:Dense|(?:Depthwise|Separable|LocallyConnected|Conv)\w+|Embedding|LSTM|GRU|SimpleRNN"
    r"|\w*Dropout\w*|GaussianNoise)$"
)
_INITIALIZERS = frozenset({"initializer", "kernel_initializer", "weights_initializer", "embeddings_initializer"})


def draws(call: ast.Call, symbol: str) -> bool:
    """Whether a call of a symbol draws numbers, and gives them no seed."""
    given = {keyword.arg for keyword in call.keywords}
    if symbol in SEEDS or None in given:
        return symbol not in SEEDS and _DRAWING.search(symbol) is not None
    if _WITH_DEFAULTS.match(symbol):
        made = symbol.rpartition(".")[2]
        layer = made in ("get_variable", "dense", "fully_connected", "embed_sequence") or made.startswith(
            ("conv", "separ")
        )
        return layer and given.isdisjoint(_INITIALIZERS)
    if _OF_KERAS.match(keras_name(symbol)):
        return given.isdisjoint({*_INITIALIZERS, "seed"})
    return _DRAWING.search(symbol) is not None and "seed" not in given


def may_draw(place: ast.AST, symbol: str) -> bool:
    """Whether what a symbol made at a place may draw: by itself, by an initializer or an object that it was given."""
    if isinstance(place, ast.Call) and any(keyword.arg == "seed" for keyword in place.keywords):
        return False
    drawing = _DRAWING.search(symbol) or _WITH_DEFAULTS.match(symbol) or _UNSEEN.search(symbol)
    return symbol not in SEEDS and (drawing is not None or not symbol.startswith("tf."))
