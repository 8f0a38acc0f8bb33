"""Recurrent layers of Keras with weights that a formula gives, for both TensorFlows."""

import numpy as np

SEQUENCES = np.sin(np.arange(2 * 5 * 3)).reshape(2, 5, 3).astype(np.float32)
IMAGES = np.sin(np.arange(2 * 3 * 4 * 4 * 1)).reshape(2, 3, 4, 4, 1).astype(np.float32)

CASES = {
    "LSTM": ("LSTM", {"units": 4}, SEQUENCES),
    "LSTM, sequences": ("LSTM", {"units": 4, "return_sequences": True, "implementation": 2}, SEQUENCES),
    "LSTM, sigmoid": ("LSTM", {"units": 4, "recurrent_activation": "sigmoid"}, SEQUENCES),
    "LSTM, hard_sigmoid by name": ("LSTM", {"units": 4, "activation": "hard_sigmoid"}, SEQUENCES),
    "GRU": ("GRU", {"units": 4}, SEQUENCES),
    "GRU, reset_after": ("GRU", {"units": 4, "reset_after": True, "recurrent_activation": "sigmoid"}, SEQUENCES),
    "ConvLSTM2D": ("ConvLSTM2D", {"filters": 2, "kernel_size": 3, "padding": "same"}, IMAGES),
}
CELLS = {"LSTMCell": 2, "GRUCell": 1}
POINTS = np.linspace(-4, 4, 9).astype(np.float32)


def weights(layer):
    """The weights by a formula, in the order of the layer, once it is built."""
    return [
        (0.3 * np.cos(np.arange(w.size) + n)).reshape(w.shape).astype(np.float32)
        for n, w in enumerate(layer.get_weights())
    ]


def outputs(keras, layers, to_array):
    """The values of all cases; ``layers`` holds the classes, ``to_array`` evaluates a tensor."""
    found = {}
    for name, (kind, words, given) in CASES.items():
        layer = getattr(layers, kind)(**words)
        layer.build(given.shape)
        layer.set_weights(weights(layer))
        found[name] = to_array(layer(keras.backend.constant(given))).ravel().tolist()
    for kind, states in CELLS.items():
        cell = getattr(layers, kind)(4)
        cell.build((2, 3))
        cell.set_weights(weights(cell))
        zeros = [keras.backend.constant(np.full([2, 4], 0.5, np.float32))] * states
        result, _ = cell(keras.backend.constant(SEQUENCES[:, 0]), zeros)
        found[kind] = to_array(result).ravel().tolist()
    return found
