"""SavedModels written under the bridge: loaded again, by TF2, and by real TF 1.15.5."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import saved_model


def _save(folder: Path) -> None:
    x = compat.placeholder(tf.float32, [None, 2], name="x")
    weights = compat.get_variable("w", initializer=tf.constant([[1.0], [2.0]]))
    y = tf.matmul(x, weights, name="y")
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        saved_model.simple_save(session, str(folder), {"x": x}, {"y": y})


@pytest.fixture
def model(tmp_path: Path, graph: Any) -> Path:
    _save(tmp_path / "model")
    return tmp_path / "model"


def test_loaded_into_a_session(model: Path) -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        meta = saved_model.loader.load(session, [saved_model.tag_constants.SERVING], str(model))
        signature = meta.signature_def[saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY]
        y = saved_model.utils.get_tensor_from_tensor_info(signature.outputs["y"])
        assert session.run(y, {signature.inputs["x"].name: [[1.0, 10.0]]}).tolist() == [[21.0]]
        assert [variable.name for variable in compat.global_variables()] == ["w:0"]


def test_loaded_under_a_scope(model: Path) -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        saved_model.load(session, ["serve"], str(model), import_scope="other")
        assert session.run("other/y:0", {"other/x:0": [[1.0, 1.0]]}).tolist() == [[3.0]]


def test_loaded_by_tf2(model: Path) -> None:
    with tf.init_scope():
        served = tf.saved_model.load(str(model)).signatures["serving_default"]
        assert served(x=tf.constant([[1.0, 10.0]]))["y"].numpy().tolist() == [[21.0]]


def test_loaded_by_tf1(model: Path, run_legacy: Callable[..., str]) -> None:
    program = """
import sys, tensorflow as tf
with tf.Session() as session:
    meta = tf.saved_model.loader.load(session, ["serve"], sys.argv[1])
    print(session.run("y:0", {"x:0": [[1.0, 10.0]]}).tolist())
"""
    assert run_legacy(program, str(model)).strip() == "[[21.0]]"


def test_written_by_tf1(tmp_path: Path, graph: Any, run_legacy: Callable[..., str]) -> None:
    program = """
import sys, tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.matmul(x, tf.get_variable("w", initializer=tf.constant([[1.0], [2.0]])), name="y")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    tf.saved_model.simple_save(session, sys.argv[1], {"x": x}, {"y": y})
"""
    run_legacy(program, str(tmp_path / "old"))
    with compat.Session() as session:
        saved_model.loader.load(session, ["serve"], str(tmp_path / "old"))
        assert session.run("y:0", {"x:0": [[1.0, 10.0]]}).tolist() == [[21.0]]


def test_tables_and_assets_travel(tmp_path: Path, graph: Any) -> None:
    vocabulary = tmp_path / "words.txt"
    vocabulary.write_text("a\nb\n")
    name = tf.constant(str(vocabulary), name="vocabulary")
    table = compat.contrib.lookup.index_table_from_file(name)
    words = compat.placeholder(tf.string, [None], name="words")
    ids = table.lookup(words)
    builder = saved_model.builder.SavedModelBuilder(str(tmp_path / "model"))
    signature = saved_model.predict_signature_def({"words": words}, {"ids": ids})
    with compat.Session() as session:
        builder.add_meta_graph_and_variables(
            session, ["serve"], {"lookup": signature}, assets_collection=[name], main_op=compat.tables_initializer()
        )
    assert builder.save(as_text=True).endswith(b"saved_model.pbtxt")
    vocabulary.unlink()
    with compat.Graph().as_default(), compat.Session() as session:
        meta = saved_model.load(session, ["serve"], str(tmp_path / "model"))
        found = session.run(meta.signature_def["lookup"].outputs["ids"].name, {"words:0": ["b", "c"]})
    np.testing.assert_array_equal(found, [1, -1])


def test_errors(model: Path, tmp_path: Path) -> None:
    with compat.Session() as session:
        with pytest.raises(OSError, match="SavedModel file does not exist"):
            saved_model.load(session, ["serve"], str(tmp_path / "missing"))
        with pytest.raises(RuntimeError, match=r"tags \['train'\] could not be found.*\['serve'\]"):
            saved_model.load(session, ["train"], str(model))
    with pytest.raises(AssertionError, match="isn't empty"):
        saved_model.Builder(str(model))
    with pytest.raises(AssertionError, match="has not been saved yet"):
        saved_model.Builder(str(tmp_path / "new")).add_meta_graph(["serve"])
    with pytest.raises(ValueError, match="inputs cannot be None or empty"):
        saved_model.predict_signature_def({}, {})


def test_signatures(graph: Any) -> None:
    examples, numbers = compat.placeholder(tf.string, [None]), compat.placeholder(tf.float32, [None])
    regression = saved_model.regression_signature_def(examples, numbers)
    assert saved_model.is_valid_signature(regression)
    assert regression.outputs["outputs"].name == numbers.name
    assert saved_model.is_valid_signature(saved_model.classification_signature_def(examples, None, numbers))
    assert not saved_model.is_valid_signature(saved_model.build_signature_def())
    with pytest.raises(ValueError, match="must be of type string"):
        saved_model.regression_signature_def(numbers, numbers)
    sparse = compat.sparse_placeholder(tf.float32, [2, 2])
    info = saved_model.build_tensor_info(sparse)
    assert saved_model.get_tensor_from_tensor_info(info).values is sparse.values
