"""A training step over compat's layers against the same step over Keras's, both in a `tf.function`.

    python benchmarks/layer_speed.py

Prints the time per step of both and their ratio, interleaved in one process: convolution, batch normalization, pooling
and dense layers, gradients and plain gradient descent.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

import compat

ROUNDS = 15
STEPS = 10
IMAGES = np.random.RandomState(0).rand(32, 28, 28, 1).astype(np.float32)
LABELS = np.random.RandomState(1).randint(0, 10, 32)


def compat_step() -> Callable[[], Any]:
    """The step over compat.layers."""
    store = compat.VariableStore()

    def model(images: Any) -> Any:
        layers = compat.layers
        x = layers.conv2d(images, 16, 3, padding="same")
        x = tf.nn.relu(layers.batch_normalization(x, training=True))
        x = layers.max_pooling2d(x, 2, 2)
        x = layers.conv2d(x, 32, 3, padding="same", activation=tf.nn.relu)
        return layers.dense(layers.flatten(layers.max_pooling2d(x, 2, 2)), 10)

    store.build(model, tf.constant(IMAGES))

    def forward(images: Any) -> Any:
        with store:
            return model(images)

    return _step(forward, store.trainable_variables)


def keras_step() -> Callable[[], Any]:
    """The step over Keras's layers."""
    layers = tf.keras.layers
    stack = [
        layers.Conv2D(16, 3, padding="same"),
        layers.BatchNormalization(),
        layers.ReLU(),
        layers.MaxPooling2D(2, 2),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(2, 2),
        layers.Flatten(),
        layers.Dense(10),
    ]

    def forward(images: Any) -> Any:
        for layer in stack:
            images = layer(images, training=True) if layer is stack[1] else layer(images)
        return images

    forward(tf.constant(IMAGES))
    return _step(forward, [weight.value for layer in stack for weight in layer.trainable_weights])


def _step(forward: Callable[[Any], Any], variables: Any) -> Callable[[], Any]:
    @tf.function(autograph=False)
    def step(images: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            logits = forward(images)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.01 * gradient)
        return loss

    images, labels = tf.constant(IMAGES), tf.constant(LABELS)
    return lambda: step(images, labels).numpy()


def main() -> None:
    """Measures both in turns and prints the medians."""
    steps = {"compat.layers": compat_step(), "keras.layers": keras_step()}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for step in steps.values():
        step()
    for _ in range(ROUNDS):
        for name, step in steps.items():
            began = time.perf_counter()
            for _ in range(STEPS):
                step()
            times[name].append((time.perf_counter() - began) / STEPS)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, value in medians.items():
        print(f"{name:14} {value * 1e3:8.2f} ms per step")
    print(f"ratio          {medians['compat.layers'] / medians['keras.layers']:8.2f}")


if __name__ == "__main__":
    main()
