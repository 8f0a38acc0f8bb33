"""`compat.feature_column` gives TF 1.15.5's tensors from TF2's columns, with its variable names."""

import json
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.goldens import canned_program, recovery_program

GOLDENS = Path(__file__).parents[2] / "goldens"

COLUMN = tf.feature_column


@pytest.mark.usefixtures("cpu")
def test_layers_of_all_columns_are_tf1s():
    want = json.loads((GOLDENS / "canned.json").read_text())["layers"]
    got = canned_program.layers(recovery_program.Shims())
    values, wanted = got.pop("values"), want.pop("values")
    assert got == want
    for value, expected in zip(values, wanted, strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-6)


def test_words_from_a_file_and_weights(tmp_path, graph):
    path = tmp_path / "words"
    path.write_text("a\nb\nc\n")
    words = COLUMN.categorical_column_with_vocabulary_file("word", str(path), 3)
    weighted = COLUMN.weighted_categorical_column(words, "share")
    features = {"word": tf.constant([["a", "c"], ["b", "?"]]), "share": tf.constant([[1.0, 10.0], [2.0, 5.0]])}
    total = compat.feature_column.linear_model(features, weighted)
    (weights, _) = compat.trainable_variables()
    with compat.Session() as session:
        session.run([compat.global_variables_initializer(), compat.tables_initializer()])
        session.run(compat.assign(weights, [[1.0], [2.0], [3.0]]))
        assert session.run(total).tolist() == [[31.0], [4.0]]


def test_an_embedding_starts_from_a_checkpoint(tmp_path):
    with compat.Graph().as_default(), compat.Session() as session:
        compat.get_variable("old", initializer=tf.constant([[1.0], [2.0]]))
        session.run(compat.global_variables_initializer())
        path = compat.train.Saver().save(session, str(tmp_path / "m"))
    kinds = COLUMN.categorical_column_with_identity("kind", 2)
    column = COLUMN.embedding_column(kinds, 1, ckpt_to_load_from=path, tensor_name_in_ckpt="old")
    with compat.Graph().as_default(), compat.Session() as session:
        rows = compat.feature_column.input_layer({"kind": tf.constant([[1], [0]])}, [column])
        session.run(compat.global_variables_initializer())
        assert session.run(rows).tolist() == [[2.0], [1.0]]


def test_gradients_reach_embeddings_row_by_row(graph):
    column = COLUMN.embedding_column(COLUMN.categorical_column_with_identity("kind", 4), 2)
    rows = compat.feature_column.input_layer({"kind": tf.constant([[1], [1], [3]])}, [column])
    (table,) = compat.trainable_variables()
    (gradient,) = tf.gradients(rows, [table])
    assert isinstance(gradient, tf.IndexedSlices)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert session.run(tf.convert_to_tensor(gradient))[:, 0].tolist() == [0.0, 2.0, 0.0, 1.0]


def test_shared_embeddings_are_refused_with_a_way_out(graph):
    columns = COLUMN.shared_embeddings([COLUMN.categorical_column_with_identity("x", 2)], 1)
    with pytest.raises(ValueError, match=r"no shared embeddings.*get_variable"):
        compat.feature_column.input_layer({"x": tf.constant([[1]])}, columns)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ([COLUMN.categorical_column_with_identity("x", 2)], "embedding_column or indicator_column"),
        ([COLUMN.numeric_column("x"), COLUMN.numeric_column("x")], "Duplicate feature column name"),
        ([], "must not be empty"),
        ({"x": 1}, "found dict"),
        (["x"], "must be a _FeatureColumn"),
    ],
)
def test_wrong_columns_say_what_is_wrong(columns, says, graph):
    with pytest.raises(ValueError, match=says):
        compat.feature_column.input_layer({"x": tf.constant([[1]])}, columns)
