"""Stacks of cuDNN's layers to compare with TF 1.15.5's cells for any device; Python 3.7 must read this."""

import zlib

import numpy as np

UNITS, DEPTH, BATCH, TIME = 3, 4, 3, 5
LENGTHS = np.array([5, 2, 4], np.int32)
# Name of a case: class of the layer, number of layers, direction.
CASES = {
    "lstm": ("CudnnLSTM", 1, "unidirectional"),
    "lstm_stacked": ("CudnnLSTM", 2, "unidirectional"),
    "lstm_both_ways": ("CudnnLSTM", 2, "bidirectional"),
    "gru": ("CudnnGRU", 2, "unidirectional"),
    "gru_both_ways": ("CudnnGRU", 2, "bidirectional"),
    "tanh": ("CudnnRNNTanh", 2, "unidirectional"),
    "relu_both_ways": ("CudnnRNNRelu", 1, "bidirectional"),
}


def value_for(name, shape):
    """A fixed value for the tensor of that name."""
    drawn = np.random.RandomState(zlib.crc32(name.encode()) % (2**31)).uniform(-0.5, 0.5, shape)
    return np.asarray(drawn, np.float32)


X = value_for("x", (TIME, BATCH, DEPTH))


def initial_state(layers, directions, parts):
    """The first state: `parts` arrays `[layers * directions, batch, n]`, h before c."""
    return [value_for(f"state{part}", (layers * directions, BATCH, UNITS)) for part in range(parts)]
