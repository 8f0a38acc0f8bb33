"""The random operations that a comparison puts in the place of TensorFlow's own."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

from tf_migrate.cli import main
from tf_migrate.parity.command import command
from tf_migrate.parity.probe import random_numbers

WORD_VECTORS = """\
import tensorflow as tf
words = tf.placeholder(tf.int64, [4, 1])
vectors = tf.Variable(tf.random_normal([20, 3]), name="vectors")
weights = tf.Variable(tf.random_normal([20, 3]), name="weights")
biases = tf.Variable(tf.zeros([20]), name="biases")
inputs = tf.gather(vectors, words[:, 0])
nce = tf.reduce_mean(tf.nn.nce_loss(weights, biases, words, inputs, 5, 20))
softmax = tf.reduce_mean(tf.nn.sampled_softmax_loss(weights, biases, words, inputs, 5, 20))
drawn = tf.nn.uniform_candidate_sampler(words, 1, 4, True, 20)
train = tf.train.GradientDescentOptimizer(0.1).minimize(nce + softmax)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(3):
    print(sess.run([train, nce, softmax, drawn.sampled_candidates], {words: [[1], [2], [3], [i]]})[1:3])
"""


@pytest.fixture
def aligned(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """TensorFlow with the aligned operations, while the run's number is 0."""
    recorder = SimpleNamespace(step=0)
    modules = [importlib.import_module(f"tensorflow.python.ops.{name}") for name in random_numbers._MODULES]
    for module in (*modules, tf.raw_ops):
        for name, value in list(vars(module).items()):
            if callable(value):
                monkeypatch.setattr(module, name, value)
    random_numbers.align_random(recorder)
    yield recorder


def test_sampled_classes_and_how_often_they_are_expected(aligned: SimpleNamespace) -> None:
    true = tf.constant([[0, 7]], tf.int64)
    sample = tf.random.log_uniform_candidate_sampler
    with_repeats = sample(true, 2, 500, unique=False, range_max=10)
    chances = np.log((np.arange(10) + 2.0) / (np.arange(10) + 1.0)) / np.log(11.0)
    np.testing.assert_allclose(with_repeats.true_expected_count, [500 * chances[[0, 7]]], rtol=1e-6)
    counts = np.bincount(with_repeats.sampled_candidates, minlength=10)
    np.testing.assert_allclose(counts, 500 * chances, atol=40)

    each_once = sample(true, 2, 10, unique=True, range_max=10)
    assert sorted(each_once.sampled_candidates.numpy()) == list(range(10))
    assert (each_once.sampled_expected_count.numpy() > 0.5).all()


def test_each_run_draws_its_own(aligned: SimpleNamespace) -> None:
    def draw() -> list[int]:
        sampled = tf.random.uniform_candidate_sampler(tf.constant([[0]], tf.int64), 1, 6, unique=True, range_max=100)
        return list(sampled.sampled_candidates.numpy())

    first = draw()
    assert draw() == first
    aligned.step = 1
    assert draw() != first


def test_what_is_drawn_has_the_shape_that_tensorflow_tells(aligned: SimpleNamespace) -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        logits, rows = v1.placeholder(tf.float32, [1, 5]), v1.placeholder(tf.float32, [None, 4])
        assert v1.multinomial(logits, 1).shape == [1, 1]
        assert v1.random_normal(tf.concat([tf.shape(rows)[1:], [2]], 0)).shape == [4, 2]
        assert v1.random_uniform(tf.stack([tf.shape(rows)[0], 3])).shape.as_list() == [None, 3]
        word = tf.while_loop(
            lambda *_: True,
            lambda word: (tf.squeeze(v1.multinomial(tf.one_hot(word, 5), 1, output_dtype=tf.int32), [1]),),
            (tf.zeros([1], tf.int32),),
            maximum_iterations=3,
        )
        assert word[0].shape == [1]


def test_losses_of_sampled_classes_can_be_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(tmp_path / "none"))
    (tmp_path / "legacy").mkdir()
    (tmp_path / "legacy" / "train.py").write_text(WORD_VECTORS)
    with pytest.raises(SystemExit):
        main(["rewrite", str(tmp_path / "legacy"), "--output", str(tmp_path / "new"), "--quiet"])
    arguments = [str(tmp_path / "legacy"), str(tmp_path / "new"), "--", "train.py"]
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert done.return_value == 0, done.stdout


def test_classes_of_logits_are_drawn_in_the_type_that_is_asked_for(aligned: SimpleNamespace) -> None:
    from tensorflow.python.ops import gen_random_ops

    logits = tf.math.log(tf.constant([[0.1, 0.2, 0.7], [0.0, 1.0, 0.0]]))
    drawn = gen_random_ops.multinomial(logits, 2000, output_dtype=None)  # as `tf.multinomial` of TF 1.15 calls it
    assert drawn.dtype == tf.int64
    np.testing.assert_allclose(np.bincount(drawn[0]) / 2000, [0.1, 0.2, 0.7], atol=0.05)
    assert (drawn[1].numpy() == 1).all()
    assert tf.random.categorical(logits, 1, dtype=tf.int32).dtype == tf.int32


def test_classes_by_their_counts(aligned: SimpleNamespace, tmp_path: Path) -> None:
    true = tf.constant([[1]], tf.int64)
    sample = tf.random.fixed_unigram_candidate_sampler
    drawn = sample(true, 1, 800, unique=False, range_max=4, unigrams=[1.0, 16.0, 81.0, 0.0], distortion=0.5)
    counts = np.bincount(drawn.sampled_candidates, minlength=4)
    np.testing.assert_allclose(counts, 800 * np.array([1, 4, 9, 0]) / 14, atol=60)
    np.testing.assert_allclose(drawn.true_expected_count, [[800 * 4 / 14]], rtol=1e-6)
    (tmp_path / "counts.csv").write_text("a,1\nb,3\n")
    drawn = sample(true, 1, 800, unique=False, range_max=3, vocab_file=str(tmp_path / "counts.csv"), num_reserved_ids=1)
    np.testing.assert_allclose(np.bincount(drawn.sampled_candidates, minlength=3), [0, 200, 600], atol=60)
