"""Seeded random operations have one sequence each in a session, whatever is fetched beside them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.framework import op_def_registry

import compat
from compat.bridge import random_state


def _labels() -> tf.Tensor:
    return tf.constant([[1], [2]], tf.int64)


def _multinomial(logits: Any, count: int, seed: int) -> tf.Tensor:
    return compat.random.multinomial(logits, count, seed=seed)


def _looped(step: Callable[[], Any], count: int) -> tf.Tensor:
    return compat.while_loop(lambda i, s: i < count, lambda i, s: (i + 1, s + step()), [tf.constant(0), 0.0])[1]


def _branch(build: Callable[[], Any], other: Callable[[], Any]) -> tf.Tensor:
    return compat.cond(compat.placeholder_with_default(True, []), build, other)


OPERATIONS: dict[str, Callable[[], tf.Tensor]] = {
    "random_uniform": lambda: tf.random.uniform([2], seed=1),
    "random_normal": lambda: tf.random.normal([2], seed=2),
    "truncated_normal": lambda: tf.random.truncated_normal([2], seed=3),
    "random_uniform of integers": lambda: tf.random.uniform([2], 0, 100, tf.int32, seed=4),
    "multinomial": lambda: _multinomial(tf.math.log([[0.1, 0.2, 0.3, 0.4]]), 5, 5),
    "random_shuffle": lambda: tf.random.shuffle(tf.range(6), seed=7),
    "random_gamma": lambda: tf.random.gamma([1], [0.5, 2.0], seed=8),
    "random_poisson": lambda: compat.random.poisson([1.0, 5.0], [2], seed=9),
    "random_crop": lambda: tf.image.random_crop(tf.range(10), [3], seed=10),
    "uniform_candidate_sampler": lambda: tf.random.uniform_candidate_sampler(_labels(), 1, 3, True, 10, seed=12)[0],
    "log_uniform_candidate_sampler": lambda: tf.random.log_uniform_candidate_sampler(
        _labels(), 1, 3, True, 10, seed=13
    )[0],
    "fixed_unigram_candidate_sampler": lambda: tf.random.fixed_unigram_candidate_sampler(
        _labels(), 1, 3, True, 4, unigrams=[1.0, 2.0, 3.0, 4.0], seed=14
    )[2],
    "learned_unigram_candidate_sampler": lambda: tf.random.learned_unigram_candidate_sampler(
        _labels(), 1, 2, True, 10, seed=15
    )[2],
    "sample_distorted_bounding_box": lambda: compat.image.sample_distorted_bounding_box(
        [50, 50, 3], [[[0.1, 0.1, 0.8, 0.8]]], seed=17
    )[0],
    "parameterized_truncated_normal": lambda: tf.raw_ops.ParameterizedTruncatedNormal(
        shape=[2], means=[0.0], stdevs=[1.0], minvals=[-1.0], maxvals=[1.0], seed=19, seed2=2
    ),
    "dropout": lambda: compat.nn.dropout(tf.ones([4]), 0.5, seed=19),
    "in a loop": lambda: _looped(lambda: tf.random.uniform([], seed=21), 3),
    "in a branch": lambda: _branch(lambda: tf.random.normal([2], seed=22), lambda: tf.zeros([2])),
    "in a loop in a branch": lambda: _branch(
        lambda: _looped(lambda: tf.cast(_multinomial([[0.0, 0.0, 0.0]], 1, 24)[0, 0], tf.float32), 2),
        lambda: tf.constant(0.0),
    ),
}

TF1 = {
    "random_uniform": [[0.23904, 0.9204], [0.34305, 0.18962], [0.97841, 0.75413], [0.76375, 0.81384]],
    "random_normal": [[-0.85811, -0.19662], [-1.09776, 0.43241], [-0.05635, -0.16968], [0.37645, -0.20388]],
    "truncated_normal": [[1.06166, -0.87858], [0.82712, 1.60552], [-0.14378, 0.38764], [-1.22044, -1.02944]],
    "random_uniform of integers": [[65.0, 99.0], [60.0, 92.0], [31.0, 47.0], [3.0, 68.0]],
    "multinomial": [
        [1.0, 2.0, 3.0, 3.0, 0.0],
        [3.0, 2.0, 1.0, 3.0, 3.0],
        [3.0, 3.0, 2.0, 3.0, 3.0],
        [1.0, 2.0, 3.0, 3.0, 3.0],
    ],
    "random_shuffle": [
        [3.0, 0.0, 1.0, 4.0, 2.0, 5.0],
        [2.0, 4.0, 0.0, 1.0, 5.0, 3.0],
        [4.0, 0.0, 5.0, 1.0, 2.0, 3.0],
        [1.0, 0.0, 2.0, 4.0, 5.0, 3.0],
    ],
    "random_gamma": [[0.39912, 0.92572], [0.00382, 1.32735], [0.00339, 1.64176], [0.00381, 1.2635]],
    "random_poisson": [[1.0, 6.0, 1.0, 5.0], [2.0, 4.0, 0.0, 8.0], [1.0, 7.0, 1.0, 5.0], [2.0, 5.0, 2.0, 5.0]],
    "random_crop": [[0.0, 1.0, 2.0], [6.0, 7.0, 8.0], [7.0, 8.0, 9.0], [4.0, 5.0, 6.0]],
    "uniform_candidate_sampler": [[0.0, 5.0, 7.0], [1.0, 5.0, 6.0], [8.0, 0.0, 2.0], [6.0, 9.0, 1.0]],
    "log_uniform_candidate_sampler": [[4.0, 0.0, 3.0], [1.0, 9.0, 3.0], [4.0, 5.0, 8.0], [8.0, 6.0, 0.0]],
    "fixed_unigram_candidate_sampler": [
        [0.97185, 0.99972, 0.99668],
        [0.8704, 0.7599, 0.3439],
        [0.5904, 0.3439, 0.7599],
        [0.3, 0.6, 1.2],
    ],
    "learned_unigram_candidate_sampler": [[0.2, 0.2], [0.33333, 0.16667], [0.14286, 0.42857], [0.125, 0.125]],
    "sample_distorted_bounding_box": [[25.0, 23.0, 0.0], [3.0, 8.0, 0.0], [4.0, 15.0, 0.0], [6.0, 5.0, 0.0]],
    "parameterized_truncated_normal": [
        [0.86431, -0.50098],
        [-0.05376, -0.6226],
        [0.06604, -0.08679],
        [0.78818, -0.46147],
    ],
    "dropout": [[0.0, 2.0, 0.0, 0.0], [2.0, 0.0, 2.0, 2.0], [0.0, 2.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0]],
    "in a loop": [[1.34888], [1.62193], [2.23628], [1.73892]],
    "in a branch": [[-1.10206, 1.13586], [-0.62866, 0.34962], [0.77182, 0.66911], [0.60624, 0.20867]],
    "in a loop in a branch": [[1.0], [0.0], [2.0], [2.0]],
}
"""TF 1.15.5's numbers of four runs: alone, beside another tensor, in a dictionary with others, alone."""


@pytest.mark.parametrize("name", OPERATIONS)
def test_one_sequence_whatever_is_fetched_beside(name: str, graph: Any) -> None:
    drawn, other, labels = OPERATIONS[name](), tf.constant(0), _labels()

    def draws() -> list[list[float]]:
        with compat.Session() as session:
            values = [
                session.run(drawn),
                session.run([other, drawn])[1],
                session.run({"a": (drawn, labels)})["a"][0],
                session.run(drawn),
            ]
        return [np.round(np.ravel(value).astype("float64"), 5).tolist() for value in values]

    first = draws()
    np.testing.assert_allclose(first, TF1[name], atol=2e-5)
    assert draws() == first, "a new session begins anew"


def test_two_open_sessions_have_sequences_of_their_own(graph: Any) -> None:
    drawn = tf.random.shuffle(tf.range(6), seed=7)
    one, two = compat.Session(), compat.Session()
    assert one.run(drawn).tolist() == two.run(drawn).tolist() == TF1["random_shuffle"][0]
    assert one.run(drawn).tolist() == TF1["random_shuffle"][1]
    assert two.run([drawn])[0].tolist() == TF1["random_shuffle"][1]


def test_operations_of_equal_seeds_do_not_share_a_sequence(graph: Any) -> None:
    one, two = (tf.random.shuffle(tf.range(6), seed=7) for _ in range(2))
    with compat.Session() as session:
        assert session.run(one).tolist() == TF1["random_shuffle"][0]
        assert session.run(two).tolist() == TF1["random_shuffle"][0]
        assert [value.tolist() for value in session.run([one, two])] == [TF1["random_shuffle"][1]] * 2


def test_many_at_once_do_not_wait_for_each_other(graph: Any) -> None:
    drawn = [tf.random.shuffle(tf.range(6), seed=7) for _ in range(40)]
    with compat.Session() as session:
        assert [value.tolist() for value in session.run(drawn)] == [TF1["random_shuffle"][0]] * 40


def test_gradients_go_through_what_is_drawn(graph: Any) -> None:
    alpha = compat.placeholder(tf.float32, [])
    drawn = tf.random.gamma([], alpha, seed=8)
    (gradient,) = compat.gradients(tf.square(drawn), [alpha])
    with compat.Session() as session:
        value, slope = session.run([drawn, gradient], {alpha: 2.0})
    np.testing.assert_allclose([value, slope], [0.7670185, 0.9889567], rtol=1e-4)


def test_what_a_session_made_is_gone_with_it(graph: Any) -> None:
    drawn = [tf.random.shuffle(tf.range(6), seed=7), tf.random.uniform([2], seed=1)]
    session = compat.Session()
    session.run(drawn)
    made = list(session.sequences._draws.values())
    assert len(made) == 2 and all(context.context().has_function(name) for name in made)
    session.close()
    del session
    gc.collect()
    assert not any(context.context().has_function(name) for name in made)


def test_every_operation_with_seeds_is_known() -> None:
    """Those of TensorFlow's registry that have the attributes; what is left out says why."""
    without_state = {
        "ComputeAccidentalHits": "draws nothing",
        "CudnnRNNCanonicalToParams": "draws nothing",
        "CudnnRNNCanonicalToParamsV2": "draws nothing",
        "CudnnRNNParamsSize": "draws nothing",
        "CudnnRNNParamsToCanonical": "draws nothing",
        "CudnnRNNParamsToCanonicalV2": "draws nothing",
        "FractionalAvgPool": "takes a seed only where each run gets the same regions",
        "FractionalMaxPool": "takes a seed only where each run gets the same regions",
        "RandomShuffleQueue": "the queue holds the sequence",
        "RandomShuffleQueueV2": "the queue holds the sequence",
    }
    on_gpus = {name for name in _seeded_operations() if name.startswith("CudnnRNN")} - set(without_state)
    known = random_state._SEEDED | random_state._LEARNING
    assert _seeded_operations() - set(without_state) - on_gpus <= known
    assert known <= _seeded_operations()


def _seeded_operations() -> set[str]:
    names = (name for name in dir(tf.raw_ops) if name[0].isupper())
    definitions = (definition for name in names if (definition := op_def_registry.get(name)) is not None)
    seeded = {each.name for each in definitions if {"seed", "seed2"} <= {attribute.name for attribute in each.attr}}
    return {name for name in seeded if "Dataset" not in name}  # the iterators of datasets hold their sequences
