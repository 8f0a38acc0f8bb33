"""AutoGraph in a `tf.function` of the program: its own code is converted, that of the shims runs as it is written."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

CONVERTED = "__autograph_generated_file"
SHIMS = str(Path(compat.__file__).parent)


def _frames() -> list[str]:
    """The files of the functions that are running, without those of TensorFlow."""
    return [frame.filename for frame in traceback.extract_stack() if "/tensorflow/" not in frame.filename]


def _dense(x: tf.Tensor, initializer: Any) -> tf.Tensor:
    return compat.layers.dense(x, 1, kernel_initializer=initializer)


def _recurrent(x: tf.Tensor, initializer: Any) -> tf.Tensor:
    cell = compat.nn.rnn_cell.GRUCell(1, kernel_initializer=initializer)
    return cell(x, tf.zeros([2, 1]))[0]


def _normalized(x: tf.Tensor, initializer: Any) -> tf.Tensor:
    return compat.contrib.layers.fully_connected(
        x, 1, weights_initializer=initializer, normalizer_fn=compat.contrib.layers.batch_norm
    )


@pytest.mark.parametrize("network", [_dense, _recurrent, _normalized])
def test_shims_run_as_they_are(network: Any) -> None:
    """What they call of the program sees which functions called it."""
    seen: list[list[str]] = []

    def ones(shape: Any, dtype: Any = None, partition_info: Any = None) -> tf.Tensor:
        seen.append(_frames())
        return tf.ones(shape, dtype)

    store = compat.VariableStore()

    @tf.function
    def step(x: tf.Tensor) -> tf.Tensor:
        with store:
            return network(x, ones)

    step(np.ones([2, 3], np.float32))
    assert seen
    for files in seen:
        shims = next(place for place, file in enumerate(files) if file.startswith(SHIMS))
        assert not [file for file in files[shims:] if CONVERTED in file]


def test_code_of_the_program_is_converted() -> None:
    """Also where shims call it."""

    @tf.function
    def step(x: tf.Tensor) -> tf.Tensor:
        if x > 1.0:
            x = x + 1.0
        return compat.while_loop(lambda y: y < 10.0, lambda y: y * 2.0, [x])

    assert [float(step(tf.constant(value))) for value in (3.0, 0.625, 12.0)] == [16.0, 10.0, 13.0]
