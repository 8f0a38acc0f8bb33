"""`tf.lite.TFLiteConverter` of TF 1.15: programs that convert, what TF 1.15.5 computed, and what is converted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.lite import TFLiteConverter, TocoConverter
from tests.engine import migrated

pytestmark = pytest.mark.filterwarnings("ignore:.*tf.lite.Interpreter is deprecated")
DATA = np.array([[1.0, 2.0, -1.0, 0.5]], np.float32)
PRINTED = [[-0.4167, 0.4167]]


def _interpreted(content: bytes, data: Any) -> Any:
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], data)
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


def _net(graph: Any) -> tuple[Any, Any]:
    with graph.as_default():
        x = compat.placeholder(tf.float32, [None, 4], "x")
        third = compat.constant_initializer(0.3)
        line = compat.constant_initializer(np.linspace(-1, 1, 10))
        h = compat.layers.dense(x, 5, tf.nn.relu, kernel_initializer=third)
        return x, compat.layers.dense(h, 2, kernel_initializer=line, name="y")


def test_a_session_and_a_frozen_file(tmp_path: Path) -> None:
    graph = compat.Graph()
    x, y = _net(graph)
    with compat.Session(graph=graph) as session:
        with graph.as_default():
            session.run(compat.global_variables_initializer())
        converter = TFLiteConverter.from_session(session, [x], [y])
        frozen = compat.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), [y.op.name])
    np.testing.assert_allclose(_interpreted(converter.convert(), DATA), PRINTED, atol=5e-5)
    (tmp_path / "net.pb").write_bytes(frozen.SerializeToString())
    converter = TocoConverter.from_frozen_graph(str(tmp_path / "net.pb"), ["x"], [y.op.name])
    np.testing.assert_allclose(_interpreted(converter.convert(), DATA), PRINTED, atol=5e-5)


@pytest.mark.usefixtures("own_tensorflow")
def test_a_keras_file(tmp_path: Path) -> None:
    from compat import keras2

    file = str(tmp_path / "m.h5")
    with compat.Graph().as_default():
        batch, drop = keras2.layers.BatchNormalization(), keras2.layers.Dropout(0.5)
        model = keras2.Sequential([keras2.layers.Dense(3, input_shape=(4,), name="d"), batch, drop])
        model.set_weights([np.full(weight.shape, 0.3 + i, np.float32) for i, weight in enumerate(model.get_weights())])
        model.compile("sgd", "mse")
        expected = model.predict(DATA)
        model.save(file)
    converter = TFLiteConverter.from_keras_model_file(file, input_shapes={"d_input": [1, 4]})
    assert converter.get_input_arrays() == ["d_input"]
    np.testing.assert_allclose(_interpreted(converter.convert(), DATA), expected, rtol=1e-5)


def test_programs_that_convert() -> None:
    code = "import tensorflow as tf\n\n\ndef f(s, x, y):\n    return tf.lite.TFLiteConverter.from_session(s, x, y)\n"
    assert "return compat.lite.TFLiteConverter.from_session(s, x, y)" in migrated(code).text
    code = "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.save('m.h5')\n"
    last = "tf.lite.TFLiteConverter.from_keras_model_file('m.h5')\n"
    assert "model = tf.keras.Sequential" in migrated(code).text
    assert "model = compat.keras2.Sequential" in migrated(code + last).text
