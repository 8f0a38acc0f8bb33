"""`PrintTensor` speaks at each run of a model, wherever that model goes, and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.keras import PrintTensor, print_tensor
from tests.compat.keras.saving import saved_and_loaded


def doubled(**options: Any) -> tf.keras.Model:
    x = tf.keras.Input([None])
    return tf.keras.Model(x, 2.0 * PrintTensor("x =", **options)(x))


def test_it_speaks_at_each_run_in_each_form(tmp_path: Path) -> None:
    said = tmp_path / "said"
    network = doubled(output_stream=f"file://{said}")
    x = tf.constant([[1.0, 2.0]])
    for form, run in saved_and_loaded(network, tmp_path):
        said.unlink(missing_ok=True)
        for _ in range(2):
            np.testing.assert_array_equal(run(x), [[2.0, 4.0]], err_msg=form)
        assert said.read_text().splitlines() == ["x = [[1 2]]"] * 2, form


def test_predict_and_fit_speak(tmp_path: Path) -> None:
    said = tmp_path / "said"
    network = doubled(output_stream=f"file://{said}")
    network.compile("sgd", "mse")
    network.predict(np.ones((4, 1)), batch_size=2, verbose=0)
    assert said.read_text().splitlines() == ["x = [[1]", " [1]]"] * 2


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float64", "string", "bool"])
def test_types_stay_as_they_are(dtype: str, tmp_path: Path) -> None:
    given = tf.constant(["1"]) if dtype == "string" else tf.cast([1], dtype)
    symbolic = PrintTensor(output_stream=f"file://{tmp_path}/said")(tf.keras.Input([2], dtype=dtype))
    assert tf.as_dtype(symbolic.dtype) == given.dtype
    np.testing.assert_array_equal(print_tensor(given, output_stream=f"file://{tmp_path}/said"), given)


def test_how_much_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    print_tensor(tf.range(9), summarize=1)
    print_tensor(tf.range(9), summarize=-1, output_stream="stdout")
    told = capfd.readouterr()
    assert told.err.strip() == "[0 ... 8]" and told.out.strip() == "[0 1 2 3 4 5 6 7 8]"


def test_gradients_pass(capfd: pytest.CaptureFixture[str]) -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = print_tensor(x) ** 2
    assert tape.gradient(y, x).numpy() == 6


def test_in_a_graph_of_tf1(graph: Any, tmp_path: Path) -> None:
    said = tmp_path / "said"
    x = compat.placeholder(tf.float32, [None])
    y = print_tensor(x, "fed", output_stream=f"file://{said}") * 2
    with compat.Session() as session:
        assert session.run(y, {x: [1.0]}).tolist() == [2.0]
    assert said.read_text() == "fed [1]\n"


def test_other_streams_are_errors() -> None:
    with pytest.raises(ValueError, match="output_stream"):
        PrintTensor(output_stream="printer")
