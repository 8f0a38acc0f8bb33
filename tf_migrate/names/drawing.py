"""Calls of TensorFlow 1 that draw random numbers: those that have no seed of their own take the graph's."""

from __future__ import annotations

import ast
import re

from tf_migrate.facts import keras_name
from tf_migrate.names.canonical import Names
from tf_migrate.names.eras import is_dataset, is_result

SEEDS = frozenset({"tf.set_random_seed", "tf.random.set_random_seed"})
"""Give the graph a seed."""
_DRAWING = re.compile(
    r"\.(?:random_\w+|random\.\w+|truncated_normal|multinomial|dropout\d*|alpha_dropout|shuffle|sample_distorted\w*"
    r"|(?:random_(?:normal|uniform)|truncated_normal|variance_scaling|uniform_unit_scaling|glorot_\w+|xavier)_initializer\w*"
    r"|(?:he|lecun)_\w+|orthogonal_initializer|xavier_initializer\w*|nce_loss|sampled_softmax_loss"
    r"|initializers\.(?:variance_scaling|uniform_unit_scaling|orthogonal|glorot_\w+|VarianceScaling|Orthogonal|Glorot\w+)"
    r"|\w+_candidate_sampler|shuffle_batch(?:_join)?|\w*input_producer|RandomShuffleQueue|shuffle_and_repeat)$"
)
_UNSEEN = re.compile(r"(?i)random|shuffle|dropout|noise|sampl|rnn|decod|cell")
_CELLS = re.compile(
    r"^tf\.(?:nn\.rnn_cell|contrib\.(?:rnn|grid_rnn))\.(?:(?!Multi|Fused)\w+Cell|DropoutWrapper|Attention\w*)$"
)
_WITH_DEFAULTS = re.compile(r"^tf\.(?:layers\.|contrib\.(?:layers|slim)\.|get_variable$)")
_OF_KERAS = re.compile(
    r"^tf\.keras\.layers\.(?:Dense|(?:Depthwise|Separable|LocallyConnected|Conv)\w+|Embedding|LSTM|GRU|SimpleRNN"
    r"|\w*Dropout\w*|GaussianNoise)$"
)
_NETWORK = re.compile(
    r"^tf\.contrib\.slim\.(?:python\.slim\.)?nets\.\w+\."
    r"(?!\w*(?:arg_scope|block)$|(?:Block|subsample|trunc_normal)$)\w+$"
)
_INITIALIZERS = frozenset({"initializer", "kernel_initializer", "weights_initializer", "embeddings_initializer"})
_LAYERS = frozenset(
    {
        *("get_variable", "dense", "fully_connected", "embed_sequence", "convolution"),
        *("linear", "relu", "relu6", "elu", "stack", "repeat"),
    }
)


def draws(call: ast.Call, symbol: str) -> bool:
    """Whether a call of a symbol draws numbers, and gives them no seed."""
    given = {keyword.arg for keyword in call.keywords}
    if makes_network(symbol):
        return True
    if symbol in SEEDS or None in given:
        return symbol not in SEEDS and _DRAWING.search(symbol) is not None
    if _WITH_DEFAULTS.match(symbol):
        made = symbol.rpartition(".")[2].lower()
        return (made in _LAYERS or made.startswith(("conv", "separ"))) and given.isdisjoint(_INITIALIZERS)
    if _OF_KERAS.match(keras_name(symbol)):
        return given.isdisjoint({*_INITIALIZERS, "seed"})
    return (_DRAWING.search(symbol) is not None and "seed" not in given) or makes_cell(call, symbol)


def makes_network(symbol: str) -> bool:
    """Whether a function builds several layers, each of which draws its weights behind those before it."""
    return _NETWORK.match(symbol) is not None


def makes_cell(call: ast.Call, symbol: str) -> bool:
    """Whether a call makes a cell that draws its weights, or numbers, where it is called, and has no seed for them."""
    given = {keyword.arg for keyword in call.keywords}
    return _CELLS.match(symbol) is not None and given.isdisjoint({*_INITIALIZERS, "seed", "variational_recurrent"})


def draws_by_method(names: Names, call: ast.Call) -> bool:
    """Whether a method draws numbers, and gives them no seed: `data.shuffle(100)`, `normal.sample()`."""
    if not isinstance(call.func, ast.Attribute) or names.of(call.func) is not None:
        return False
    if any(keyword.arg == "seed" for keyword in call.keywords):
        return False
    word, on = call.func.attr, call.func.value
    return (word == "shuffle" and len(call.args) < 2 and is_dataset(names, on)) or (
        word == "sample" and is_result(names, on)
    )


def may_draw(place: ast.AST, symbol: str) -> bool:
    """Whether what a symbol made at a place may draw: by itself, by an initializer or an object that it was given."""
    if isinstance(place, ast.Call) and any(keyword.arg == "seed" for keyword in place.keywords):
        return False
    drawing = _DRAWING.search(symbol) or _WITH_DEFAULTS.match(symbol) or _UNSEEN.search(symbol)
    return symbol not in SEEDS and (drawing is not None or not symbol.startswith("tf."))
