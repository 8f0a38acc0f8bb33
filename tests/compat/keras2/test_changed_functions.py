"""What `tf_keras` computes otherwise than TF 1.15.5 did, and `compat.keras2` as it did: numbers of TF 1.15.5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.keras2 import backend, layers, losses, metrics, models


@pytest.fixture(autouse=True)
def _in_a_graph() -> Iterator[None]:
    with compat.Graph().as_default():
        yield
        backend.set_session(None)


def _filled(model: Any) -> Any:
    random = np.random.RandomState(1)
    model.set_weights([random.uniform(0.2, 0.8, size=weight.shape) for weight in model.get_weights()])
    return model


def test_a_softmax_is_no_sigmoid_and_a_text_names_an_adagrad_that_begins_at_zero() -> None:
    x = np.random.RandomState(0).normal(size=(7, 3)).astype("float32")
    y = np.eye(2, dtype="float32")[[0, 1, 1, 0, 1, 0, 0]]
    model = _filled(models.Sequential([layers.Dense(2, input_shape=(3,), activation="softmax")]))
    model.compile("adagrad", "binary_crossentropy", ["accuracy", "kullback_leibler_divergence", "cosine_proximity"])
    values = model.train_on_batch(x, y)
    assert model.metrics_names == ["loss", "acc", "kullback_leibler_divergence", "cosine_proximity"]
    np.testing.assert_allclose(values, [0.69896406, 0.42857143, 0.69896269, 0.70084965], rtol=1e-6)
    np.testing.assert_allclose(model.get_weights()[0][0], [0.45121318, 0.63119471], rtol=1e-6)


def test_what_a_mask_hides_counts_as_zero_and_batch_normalization_does_not_ask_it() -> None:
    given = layers.Masking(0.0, input_shape=(3, 1))
    model = _filled(models.Sequential([given, layers.BatchNormalization(), layers.LSTM(2, return_sequences=True)]))
    model.compile("sgd", "cosine_similarity", metrics=["mae"])
    long = np.array([[[1.0], [2.0], [0.0]], [[3.0], [0.0], [0.0]]])
    values = model.train_on_batch(long, np.array([[[1.0, 2.0]] * 3] * 2))
    np.testing.assert_allclose(values, [0.47625971, 1.08440912], rtol=1e-6)
    np.testing.assert_allclose(np.ravel(model.get_weights()[2:4]), [0.20806794, 0.39091888], rtol=1e-6)


@pytest.mark.parametrize("name", ["SimpleRNN", "LSTM", "GRU"])
def test_all_steps_of_a_recurrent_layer_have_one_dropout_mask(name: str) -> None:
    model = models.Sequential([getattr(layers, name)(1, dropout=0.5, return_sequences=True, input_shape=(4, 1))])
    kernel, recurrent, bias = model.get_weights()
    # Each step's output, or how the state grows, then tells the mask alone.
    model.set_weights([np.ones_like(kernel), np.zeros_like(recurrent), np.zeros_like(bias)])
    run = backend.function([model.input, backend.learning_phase()], [model.output])
    steps = run([np.ones((200, 4, 1)), 1])[0][:, :, 0]
    assert 2 <= len(np.unique(steps.round(4), axis=0)) <= 16
    assert len(np.unique(steps[:, 0].round(4))) >= 2


def test_decoded_paths_are_as_wide_as_the_longest() -> None:
    scores = np.full((2, 5, 3), 0.1)
    scores[0, :, 0], scores[0, 2, 2], scores[1, :, 1] = 0.8, 0.9, 0.8
    paths, _ = backend.ctc_decode(tf.constant(scores, tf.float32), tf.constant([5, 5]))
    assert backend.eval(paths[0]).tolist() == [[0, 0], [1, -1]]


def test_a_cosine_has_no_other_sign_as_a_loss() -> None:
    made = losses.get("cosine_proximity")(tf.constant([[1.0, 0.0]]), tf.constant([[3.0, 4.0]]))
    np.testing.assert_allclose(backend.eval(made), [0.6], rtol=1e-6)


def test_a_vector_is_one_value_of_a_binary_accuracy() -> None:
    labels, guesses = (compat.placeholder(tf.float32, [None]) for _ in range(2))
    metric = metrics.BinaryAccuracy(threshold=0.6)
    update, result = metric.update_state(labels, guesses), metric.result()
    with compat.Session() as session:
        session.run([each.initializer for each in metric.variables])
        session.run(update, {labels: [1.0, 0.0], guesses: [0.9, 0.8]})
        session.run(update, {labels: [1.0, 1.0, 0.0], guesses: [0.55, 0.7, 0.1]})
        assert session.run(result) == pytest.approx(0.5833334)  # the mean of 1/2 and 2/3, not 3 of 5
    assert metric.get_config() == {"name": "binary_accuracy", "dtype": "float32", "threshold": 0.6}


def test_each_element_has_a_huber_loss() -> None:
    labels, guesses = tf.constant([[0.0, 4.0], [2.0, 1.0]]), tf.constant([[0.5, 1.0], [2.0, 4.5]])
    each = [losses.Huber(1.5, reduction=kind)(labels, guesses) for kind in ("none", "sum", "sum_over_batch_size")]
    with compat.Session() as session:
        np.testing.assert_allclose(session.run(each[0]), [[0.125, 3.375], [0.0, 4.125]])
        assert session.run(each[1:]) == [7.625, 1.90625]
        named = losses.get("huber_loss")
        assert named.__name__ == "huber_loss"
        np.testing.assert_allclose(session.run(named(labels, guesses)), [[0.125, 2.5], [0.0, 3.0]])
