"""`tf-migrate freeze` and `freeze_graph`: what is frozen computes what the variables did."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner
from google.protobuf import text_format

import compat
from tf_migrate.freeze.command import command
from tf_migrate.options import UsageError

POINTS = np.float32([[1.0, 2.0], [-3.0, 0.5]])
EXPECTED = np.tanh(POINTS @ np.float32([[1.0], [2.0]]) + 0.5)

# A program of TensorFlow 1.15: its checkpoint, graph files and SavedModel in the folder given.
LEGACY = """
import sys
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable([[1.0], [2.0]], name="w")
b = tf.get_variable("b", [1], initializer=tf.constant_initializer(0.5), use_resource=True)
with tf.device("/cpu:0"):
    y = tf.tanh(tf.matmul(x, w) + b, name="y")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, sys.argv[1] + "/model")
    tf.train.write_graph(sess.graph_def, sys.argv[1], "graph.pb", as_text=False)
    tf.train.write_graph(sess.graph_def, sys.argv[1], "graph.pbtxt")
    tf.saved_model.simple_save(sess, sys.argv[1] + "/saved", {"x": x}, {"result": y})
"""
READ_BY_TF1 = """
import sys
import tensorflow as tf
graph_def = tf.GraphDef()
graph_def.ParseFromString(open(sys.argv[1], "rb").read())
tf.import_graph_def(graph_def, name="")
with tf.Session() as sess:
    print(sess.run(sys.argv[2] + ":0", {"x:0": [[1.0, 2.0], [-3.0, 0.5]]}).tolist())
"""


def run(*arguments: Any) -> str:
    done = CliRunner().invoke(command, [str(argument) for argument in arguments], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    assert done.return_value == 0
    return done.output


def computed(path: Path, output: str) -> np.ndarray[Any, Any]:
    """What the frozen graph computes of the points, as a function of TensorFlow 2."""
    graph_def = tf.compat.v1.GraphDef()
    graph_def.ParseFromString(path.read_bytes())
    assert not any("Variable" in node.op or node.op == "VarHandleOp" for node in graph_def.node)
    function = tf.compat.v1.wrap_function(lambda: tf.graph_util.import_graph_def(graph_def, name=""), [])
    return function.prune("x:0", f"{output}:0")(tf.constant(POINTS)).numpy()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the program above leaves behind, run as a graph of this TensorFlow."""
    folder = tmp_path_factory.mktemp("program")
    names = LEGACY.replace("import tensorflow as tf", "import tensorflow.compat.v1 as tf").replace(
        "sys.argv[1]", "FOLDER"
    )
    with tf.Graph().as_default():
        exec(names, {"FOLDER": str(folder)})
    return folder


def test_a_checkpoint_with_its_meta_graph(program: Path, tmp_path: Path) -> None:
    told = run(program / "model", tmp_path / "frozen.pb", "--outputs", "y")
    assert told.splitlines()[0].endswith("2 of them variables that became constants")
    assert told.splitlines()[1:] == ["  input   x float32[?, 2]", "  output  y float32[?, 1]"]
    np.testing.assert_allclose(computed(tmp_path / "frozen.pb", "y"), EXPECTED, rtol=1.3e-6)


@pytest.mark.parametrize("graph", ["graph.pb", "graph.pbtxt"])
def test_a_checkpoint_with_a_graph_of_its_own(graph: str, program: Path, tmp_path: Path) -> None:
    run(program, tmp_path / "frozen.pb", "--graph", program / graph, "--outputs", "y")
    np.testing.assert_allclose(computed(tmp_path / "frozen.pb", "y"), EXPECTED, rtol=1.3e-6)


def test_a_saved_model_of_tensorflow_1(program: Path, tmp_path: Path) -> None:
    assert "  output  y float32[?, 1]" in run(program / "saved", tmp_path / "frozen.pb")
    np.testing.assert_allclose(computed(tmp_path / "frozen.pb", "y"), EXPECTED, rtol=1.3e-6)


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable([[1.0], [2.0]], name="w")
        self.b = tf.Variable([0.5], name="b")

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
    def predict(self, x: tf.Tensor) -> dict[str, tf.Tensor]:
        y = tf.tanh(tf.matmul(x, self.w) + self.b)
        return {"x": y, "double": 2.0 * y}


def test_a_saved_model_of_tensorflow_2_has_the_names_of_its_signature(tmp_path: Path) -> None:
    model = Model()
    tf.saved_model.save(model, str(tmp_path / "saved"), signatures=model.predict)
    told = run(tmp_path / "saved", tmp_path / "frozen.pb")
    assert "  output  double float32[?, 1]" in told and "  output  output_x float32[?, 1]" in told
    np.testing.assert_allclose(computed(tmp_path / "frozen.pb", "double"), 2 * EXPECTED, rtol=1.3e-6)
    run(tmp_path / "saved", tmp_path / "one.pb", "--outputs", "double")
    np.testing.assert_allclose(computed(tmp_path / "one.pb", "double"), 2 * EXPECTED, rtol=1.3e-6)


def test_text_and_devices(program: Path, tmp_path: Path) -> None:
    run(program / "model", tmp_path / "frozen.pbtxt", "--outputs", "y")
    assert 'name: "w"' in (text := (tmp_path / "frozen.pbtxt").read_text()) and "device:" in text
    run(program / "model", tmp_path / "frozen.pbtxt", "--outputs", "y", "--clear-devices", "--force")
    assert "device:" not in (tmp_path / "frozen.pbtxt").read_text()


@pytest.mark.filterwarnings("ignore:.*tf.lite.Interpreter is deprecated")
def test_tflite_converts_what_is_frozen(program: Path, tmp_path: Path) -> None:
    run(program / "model", tmp_path / "frozen.pb", "--outputs", "y")
    converter = tf.compat.v1.lite.TFLiteConverter.from_frozen_graph(str(tmp_path / "frozen.pb"), ["x"], ["y"])
    interpreter = tf.lite.Interpreter(model_content=converter.convert())
    (inside,), (outside,) = interpreter.get_input_details(), interpreter.get_output_details()
    interpreter.resize_tensor_input(inside["index"], POINTS.shape)
    interpreter.allocate_tensors()
    interpreter.set_tensor(inside["index"], POINTS)
    interpreter.invoke()
    np.testing.assert_allclose(interpreter.get_tensor(outside["index"]), EXPECTED, rtol=1e-5)


def test_there_and_back_with_real_tensorflow_1(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    run_legacy(LEGACY, str(tmp_path))
    run(tmp_path / "model", tmp_path / "frozen.pb", "--outputs", "y")
    run(tmp_path / "saved", tmp_path / "saved.pb")
    model = Model()
    tf.saved_model.save(model, str(tmp_path / "new"), signatures=model.predict)
    run(tmp_path / "new", tmp_path / "new.pb", "--outputs", "double")
    for file, output, factor in (("frozen.pb", "y", 1), ("saved.pb", "y", 1), ("new.pb", "double", 2)):
        printed = run_legacy(READ_BY_TF1, str(tmp_path / file), output)
        np.testing.assert_allclose(np.float32(eval(printed)), factor * EXPECTED, rtol=1.3e-6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "new.pb", "--outputs", "y"], "no such checkpoint"),
        (["model", "new.pb"], "say with --outputs which nodes to keep, such as y"),
        (["model", "new.pb", "--outputs", "z"], "the graph has no node 'z'"),
        (["model", "new.pb", "--outputs", "y:0"], "without `:0`"),
        (["model", "old.pb", "--outputs", "y"], "exists already"),
        (["model", "none/new.pb", "--outputs", "y"], "make it first"),
        (["model", "new.pb", "--outputs", "y", "--graph", "checkpoint"], "neither a GraphDef nor a MetaGraphDef"),
        (["model", "new.pb", "--outputs", "y", "--graph", "none.pb"], "none.pb"),
        (
            ["saved", "new.pb", "--signature", "train"],
            "there is no signature 'train'; name one with --signature: serving",
        ),
        (["saved", "new.pb", "--tags", "train"], "train"),
        (["saved", "new.pb", "--graph", "graph.pb"], "leave it out"),
    ],
)
def test_bad_input_writes_nothing(
    arguments: list[str], said: str, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program)
    Path("old.pb").write_bytes(b"old")
    before = {path: path.stat().st_mtime_ns for path in Path().rglob("*")}
    with pytest.raises(UsageError) as error:
        run(*arguments)
    assert said in str(error.value) and "\n" not in str(error.value)
    assert {path: path.stat().st_mtime_ns for path in Path().rglob("*")} == before


def test_a_checkpoint_of_another_graph(program: Path, tmp_path: Path) -> None:
    compat.train.Saver({"w": tf.Variable([1.0])}).save(None, str(tmp_path / "other"))
    with pytest.raises(UsageError, match="other"):
        run(tmp_path / "other", tmp_path / "new.pb", "--graph", program / "graph.pb", "--outputs", "y")
    assert not (tmp_path / "new.pb").exists()


def test_freeze_graph_of_compat(program: Path, tmp_path: Path) -> None:
    graph = compat.open_graph()
    try:
        frozen = compat.graph_util.freeze_graph(
            str(program / "graph.pbtxt"),
            "",
            False,
            str(program / "model"),
            "y",
            "save/restore_all",
            "save/Const:0",
            str(tmp_path / "frozen.pb"),
            True,
            "",
        )
        assert not any("device" in node.device for node in frozen.node)
        assert not graph.get_operations()
    finally:
        compat.close_graph()
        compat.reset_default_graph()
    np.testing.assert_allclose(computed(tmp_path / "frozen.pb", "y"), EXPECTED, rtol=1.3e-6)


def test_freeze_graph_of_messages(program: Path, tmp_path: Path) -> None:
    definition = tf.compat.v1.GraphDef()
    text_format.Parse((program / "graph.pbtxt").read_text(), definition)
    compat.graph_util.freeze_graph_with_def_protos(
        definition, None, str(program / "model"), "y", None, None, str(tmp_path / "frozen.pb"), True, ""
    )
    np.testing.assert_allclose(computed(tmp_path / "frozen.pb", "y"), EXPECTED, rtol=1.3e-6)


def test_only_some_variables_become_constants() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        left, right = compat.Variable(1.0, name="left"), compat.Variable(2.0, name="right")
        tf.add(left, right, name="sum")
        session.run(compat.global_variables_initializer())
        for words in ({"variable_names_whitelist": ["left"]}, {"variable_names_blacklist": ["right"]}):
            frozen = compat.graph_util.convert_variables_to_constants(session, session.graph_def, ["sum"], **words)
            kinds = {node.name: node.op for node in frozen.node}
            assert kinds["left"] == "Const" and kinds["right/handle"] == "VarHandleOp", os.linesep.join(kinds)
