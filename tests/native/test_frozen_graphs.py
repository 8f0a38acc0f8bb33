"""Programs that load a frozen graph and run it become calls of functions; whatever does more stays on the bridge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import tensorflow as tf
from frozen_programs import PROGRAMS
from native import made_native, printed

import compat


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a frozen graph that TensorFlow 1 reads too."""
    weights = tf.constant([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, "x")])
    def net(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        z = tf.matmul(x, weights, name="z")
        return tf.nn.softmax(z), tf.norm(z)

    file = tmp_path_factory.mktemp("frozen") / "net.pb"
    compat.freeze(net, ["y", "norm"], file)
    return file


@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_tf1_computed(name: str, path: Path, run_legacy: Callable[..., str]) -> None:
    code = PROGRAMS[name].replace("PATH", str(path))
    text = made_native(code).text
    assert "Session" not in text and "import_graph_def" not in text
    expected = run_legacy(code)
    assert printed(text) == expected
    tf.config.run_functions_eagerly(True)
    try:
        assert printed(text) == expected
    finally:
        tf.config.run_functions_eagerly(False)
