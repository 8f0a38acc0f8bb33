"""Layers of Keras 3 in a graph: their variables are in no collection, so nothing trains them, which is told."""

from __future__ import annotations

import warnings

import pytest
import tensorflow as tf

import compat


def _minimized(layer: type) -> None:
    x = compat.placeholder(tf.float32, [None, 3])
    loss = tf.reduce_mean(tf.square(compat.layers.dense(layer(3)(x), 1)))
    compat.train.GradientDescentOptimizer(0.1).minimize(loss)


def test_variables_of_keras_are_told_of(graph: object) -> None:
    with pytest.warns(UserWarning, match="not trained here, and TensorFlow 1 trained them"):
        _minimized(tf.keras.layers.Dense)


def test_nothing_is_told_of_layers_that_are_known(graph: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _minimized(compat.layers.Dense)
