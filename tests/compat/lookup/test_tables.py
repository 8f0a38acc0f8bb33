"""Lookup tables against what TF 1.15.5 gave, natively and under the bridge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from compat.contrib import lookup

WORDS = ["emerson", "lake", "palmer"]
ASKED = ["lake", "and", "palmer", "emerson", "moog"]


def _index(buckets: int) -> Any:
    return lookup.index_table_from_tensor(WORDS, num_oov_buckets=buckets)


# The buckets are TF 1.15.5's for these words.
BUCKETS = [(0, [1, -1, 2, 0, -1]), (1, [1, 3, 2, 0, 3]), (5, [1, 5, 2, 0, 7])]


@pytest.mark.parametrize(("buckets", "expected"), BUCKETS)
def test_index_natively(buckets: int, expected: list[int]) -> None:
    table = _index(buckets)
    assert table.lookup(tf.constant(ASKED)).numpy().tolist() == expected
    assert tf.function(lambda: table.lookup(tf.constant(ASKED)))().numpy().tolist() == expected
    assert int(table.size()) == 3 + buckets


@pytest.mark.parametrize(("buckets", "expected"), BUCKETS)
def test_index_under_the_bridge(buckets: int, expected: list[int], graph: Any) -> None:
    table = _index(buckets)
    found = table.lookup(tf.constant(ASKED))
    with compat.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="not initialized"):
            session.run(found)
        session.run(compat.tables_initializer())
        assert session.run(found).tolist() == expected


def test_file_and_back(tmp_path: Path, graph: Any) -> None:
    vocabulary = tmp_path / "words.txt"
    vocabulary.write_text("\n".join(WORDS))
    there = lookup.index_table_from_file(str(vocabulary), num_oov_buckets=1)
    back = lookup.index_to_string_table_from_file(str(vocabulary), default_value="?")
    limited = lookup.index_table_from_file(str(vocabulary), vocab_size=2)
    sparse = tf.SparseTensor([[0, 0], [1, 1]], tf.constant(["palmer", "x"]), [2, 2])
    fetches = [
        there.lookup(tf.constant(ASKED)),
        back.lookup(tf.constant([2, 7], tf.int64)),
        limited.lookup(tf.constant(WORDS)),
        there.lookup(sparse),
    ]
    with compat.Session() as session:
        session.run(compat.tables_initializer())
        indices, words, few, found = session.run(fetches)
    assert indices.tolist() == [1, 3, 2, 0, 3]
    assert words.tolist() == [b"palmer", b"?"]
    assert few.tolist() == [0, 1, -1]
    assert found.values.tolist() == [2, 3]
    assert found.indices.tolist() == [[0, 0], [1, 1]]


def test_integer_keys_and_strong_hash() -> None:
    table = lookup.index_table_from_tensor(
        tf.constant([10, 20], tf.int64),
        num_oov_buckets=2,
        hasher_spec=lookup.StrongHashSpec((1, 2)),
        dtype=tf.int64,
    )
    found = table.lookup(tf.constant([20, 10, 99], tf.int64)).numpy().tolist()
    assert found[:2] == [1, 0]
    assert found[2] in (2, 3)


def test_mutable_under_the_bridge(graph: Any) -> None:
    table = lookup.MutableHashTable(tf.string, tf.int64, -1)
    put = table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    take = table.remove(tf.constant(["a"]))
    found, size = table.lookup(tf.constant(["a", "b"])), table.size()
    with compat.Session() as session:
        assert session.run(found).tolist() == [-1, -1]
        session.run(put)
        assert session.run(found).tolist() == [1, 2]
        session.run(take)
        assert session.run([found, size])[0].tolist() == [-1, 2]
        keys, values = session.run(table.export())
    assert (keys.tolist(), values.tolist()) == ([b"b"], [2])


def test_dense_natively() -> None:
    table = lookup.MutableDenseHashTable(tf.int64, tf.float32, [0.0, 0.0], empty_key=-1, deleted_key=-2)
    table.insert([1, 2], [[1.0, 2.0], [3.0, 4.0]])
    assert table.lookup(tf.constant([2, 5], tf.int64)).numpy().tolist() == [[3.0, 4.0], [0.0, 0.0]]


TABLES = """
import sys
import tensorflow as tf
words = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="words")
rows = tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.float32, [0.0, 0.0], -1, -2, name="rows")
tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="loose", checkpoint=False)
tf.get_variable("w", initializer=2.0)
put = [
    words.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)),
    rows.insert(tf.constant([7], tf.int64), tf.constant([[1.0, 2.0]])),
]
found = [words.lookup(tf.constant(["a", "b", "c"])), rows.lookup(tf.constant([7, 8], tf.int64))]
saver = tf.train.Saver()
"""
SAVE = """
with tf.Session() as session:
    session.run([tf.global_variables_initializer()] + put)
    saver.save(session, sys.argv[1])
"""
LOAD = """
with tf.Session() as session:
    saver.restore(session, sys.argv[1])
    print([each.tolist() for each in session.run(found)])
"""


def _saved_here(path: str, restore: bool) -> list[Any]:
    with compat.Graph().as_default(), compat.Session() as session:
        names: dict[str, Any] = {}
        exec(TABLES.replace("import tensorflow as tf", "from tests.goldens.replay_rnn import TF1 as tf"), names)
        session.run(compat.global_variables_initializer())
        if restore:
            session.run(names["words"].insert(tf.constant(["gone"]), tf.constant([9], tf.int64)))
            names["saver"].restore(session, path)
            assert int(session.run(names["words"].size())) == 2
        else:
            session.run(names["put"])
            names["saver"].save(session, path)
        return [each.tolist() for each in session.run(names["found"])]


def test_tables_in_checkpoints_of_real_tf1(run_legacy: Any, tmp_path: Path) -> None:
    expected = [[1, 2, -1], [[1.0, 2.0], [0.0, 0.0]]]
    run_legacy(TABLES + SAVE, str(tmp_path / "theirs"))
    assert _saved_here(str(tmp_path / "theirs"), restore=True) == expected
    assert _saved_here(str(tmp_path / "ours"), restore=False) == expected
    assert tf.train.list_variables(str(tmp_path / "ours")) == tf.train.list_variables(str(tmp_path / "theirs"))
    assert str(expected) in run_legacy(TABLES + LOAD, str(tmp_path / "ours"))


def test_a_table_that_the_checkpoint_lacks(tmp_path: Path, graph: Any) -> None:
    w = compat.get_variable("w", initializer=2.0)
    with compat.Session() as session:
        session.run(w.initializer)
        path = compat.train.Saver([w]).save(session, str(tmp_path / "model"))
        session.run(w.assign(3.0))
        lookup.MutableHashTable(tf.string, tf.int64, -1, name="words")
        with pytest.raises(tf.errors.NotFoundError, match="Key words-keys not found in checkpoint"):
            compat.train.Saver().restore(session, path)
        assert session.run(w) == 3.0
    with pytest.raises(ValueError, match="saving it needs a session"):
        compat.train.Saver().save(None, path)


def test_a_table_is_saved_natively(tmp_path: Path) -> None:
    first, second = (lookup.MutableHashTable(tf.string, tf.int64, -1) for _ in range(2))
    first.insert(["a", "b"], [1, 2])
    second.insert(["c"], [3])
    path = compat.train.Saver({"words": first}).save(None, str(tmp_path / "model"))
    compat.train.Saver({"words": second}).restore(None, path)
    assert second.lookup(tf.constant(["a", "b", "c"])).numpy().tolist() == [1, 2, -1]


def test_in_a_dataset(graph: Any) -> None:
    table = _index(1)
    words = compat.data.make_initializable_iterator(tf.data.Dataset.from_tensor_slices(ASKED).map(table.lookup))
    element = words.get_next()
    with compat.Session() as session:
        session.run(compat.tables_initializer())
        session.run(words.initializer)
        assert [session.run(element) for _ in ASKED] == [1, 3, 2, 0, 3]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: lookup.index_table_from_file(""), ValueError),
        (lambda: lookup.index_table_from_file("x", num_oov_buckets=-1), ValueError),
        (lambda: lookup.index_table_from_tensor(WORDS, dtype=tf.float32), TypeError),
        (lambda: lookup.index_table_from_tensor(WORDS, dtype=tf.int32), TypeError),
        (lambda: _index(0).lookup(tf.constant([1])), TypeError),
        (lambda: _index(1).lookup(tf.constant([1])), TypeError),
        (lambda: lookup.StrongHashSpec((1,)), ValueError),
        (lambda: lookup.TextFileInitializer("x", tf.string, -1, tf.int64, -2), ValueError),
    ],
)
def test_wrong_use(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()
