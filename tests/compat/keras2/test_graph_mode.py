"""`compat.keras2` in graphs and sessions: the numbers and names that TF 1.15.5 gave for the same programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import keras2
from compat.keras2 import backend, layers, models, optimizers


@pytest.fixture(autouse=True)
def _in_a_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    with compat.Graph().as_default():
        yield
        backend.set_session(None)


def test_layers_on_a_placeholder_under_an_optimizer_of_tf1() -> None:
    rng = np.random.RandomState(0)
    x = compat.placeholder(tf.float32, [None, 8, 8, 1])
    y = compat.placeholder(tf.int64, [None])
    conv = layers.Conv2D(
        4, 3, activation="relu", kernel_initializer=compat.constant_initializer(np.linspace(-0.5, 0.5, 36))
    )
    hidden = layers.Flatten()(layers.MaxPool2D()(conv(x)))
    logits = layers.Dense(3, kernel_initializer=compat.constant_initializer(np.linspace(-0.2, 0.2, 108)))(hidden)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train = compat.train.AdamOptimizer(0.01).minimize(loss)
    names = ["conv2d/kernel:0", "conv2d/bias:0", "dense/kernel:0", "dense/bias:0"]
    assert [variable.name for variable in compat.trainable_variables()] == names
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        losses = [
            session.run([train, loss], {x: rng.normal(size=(6, 8, 8, 1)), y: rng.randint(0, 3, 6)})[1] for _ in range(4)
        ]
        compat.train.Saver().save(session, "./k/m.ckpt")
    np.testing.assert_allclose(losses, [1.10784, 1.04805, 0.84737, 1.38540], atol=1e-5)
    saved = sorted(name for name, _ in compat.train.list_variables("./k"))
    assert saved[:4] == ["beta1_power", "beta2_power", "conv2d/bias", "conv2d/bias/Adam"]


def test_batch_normalization_with_a_fed_phase() -> None:
    rng = np.random.RandomState(0)
    x = compat.placeholder(tf.float32, [None, 5])
    training = compat.placeholder_with_default(False, [])
    hidden = layers.Dense(4, kernel_initializer=compat.constant_initializer(0.1), use_bias=False)(x)
    normalization = layers.BatchNormalization(momentum=0.9)
    hidden = normalization(hidden, training=training)
    loss = tf.reduce_mean(tf.square(tf.reduce_sum(hidden, 1, keepdims=True) - 1.0))
    with tf.control_dependencies(normalization.updates):
        train = compat.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        feeds = [{x: rng.normal(size=(8, 5)) + 1, training: True} for _ in range(3)]
        losses = [session.run([loss, train], feed)[0] for feed in feeds]
        np.testing.assert_allclose(losses, [16.773918, 5.91707, 0.0067487], rtol=1e-4)
        np.testing.assert_allclose(session.run(normalization.moving_mean), [0.12426659] * 4, atol=1e-5)


def test_a_model_with_keras_own_session() -> None:
    rng = np.random.RandomState(0)
    model = models.Sequential(
        [layers.Dense(4, activation="relu", input_shape=(3,), name="one"), layers.Dense(2, name="two")]
    )
    model.compile("sgd", "mse")
    model.set_weights([rng.normal(size=weight.shape) for weight in model.get_weights()])
    x = rng.normal(size=(5, 3)).astype("float32")
    before = model.predict(x)
    saver, session = compat.train.Saver(), backend.get_session()
    path = saver.save(session, "./w/model.ckpt")
    model.fit(x, np.zeros((5, 2)), epochs=2, verbose=0)
    assert not np.allclose(model.predict(x), before)
    saver.restore(session, path)
    np.testing.assert_allclose(model.predict(x)[0], [4.0382, -3.9879], atol=1e-4)
    np.testing.assert_allclose(session.run(model.output, {model.input: x}), before, rtol=1e-6)
    gradient = tf.gradients(model.output, model.input)[0]
    np.testing.assert_allclose(session.run(gradient, {model.input: x})[0], [0.4722, 1.1128, -0.451], atol=1e-4)
    assert (model.input.op.name, model.output.op.name) == ("one_input", "two/BiasAdd")
    frozen = compat.graph_util.convert_variables_to_constants(
        session, session.graph.as_graph_def(), [model.output.op.name]
    )
    assert not [node for node in frozen.node if node.op == "VarHandleOp"]


def test_keys_of_metrics_and_the_callbacks_that_watch_them() -> None:
    rng = np.random.RandomState(0)
    x = rng.normal(size=(40, 4)).astype("float32")
    y = (x[:, 0] > 0).astype("float32")
    model = keras2.Sequential(
        [layers.Dense(3, activation="tanh", input_shape=(4,)), layers.Dense(1, activation="sigmoid")]
    )
    model.set_weights([rng.normal(scale=0.5, size=weight.shape) for weight in model.get_weights()])
    model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])
    stop = keras2.callbacks.EarlyStopping(monitor="val_acc", patience=1, mode="max")
    history = model.fit(
        x,
        y,
        validation_data=(x[:16], y[:16]),
        batch_size=10,
        epochs=6,
        shuffle=False,
        verbose=0,
        callbacks=[stop],
    )
    assert len(history.history["loss"]) == 2
    assert sorted(history.history) == ["acc", "loss", "val_acc", "val_loss"]
    assert model.predict_classes(x[:3]).shape == (3, 1)
    assert all(type(value) is float for value in model.evaluate(x, y, verbose=0))


def test_updates_of_an_optimizer_and_gradients_in_a_function() -> None:
    variable = backend.variable(np.ones(2, np.float32))
    updates = optimizers.SGD(0.1).get_updates(tf.reduce_sum(variable * variable), [variable])
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        session.run(updates)
        np.testing.assert_allclose(session.run(variable), [0.8, 0.8])
    given = layers.Input((2,))
    made = layers.Dense(1, kernel_initializer="ones")(given)
    gradients = backend.function([given, backend.learning_phase()], backend.gradients(made, given))
    np.testing.assert_allclose(gradients([np.zeros((1, 2)), 0])[0], [[1.0, 1.0]])


def test_an_optimizer_of_ones_own() -> None:
    class Plain(optimizers.Optimizer):
        def __init__(self, rate: float, name: str = "Plain") -> None:
            super().__init__(name=name)
            self._set_hyper("rate", rate)

        def _create_slots(self, var_list: object) -> None:
            pass

        def _resource_apply_dense(self, grad: tf.Tensor, var: tf.Variable, apply_state: object = None) -> object:
            return var.assign_sub(self._get_hyper("rate") * grad)

        def get_config(self) -> dict[str, float]:
            return {"rate": 0.1}

    model = models.Sequential([layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    model.compile(Plain(0.1), "mse")
    assert model.train_on_batch(np.ones((1, 2)), np.zeros((1, 1))) == pytest.approx(4.0)
    np.testing.assert_allclose(model.get_weights()[0], [[0.6], [0.6]], rtol=1e-6)
    assert (model.output_names, len(model.layers[0].inbound_nodes)) == (["dense"], 1)


def test_recurrent_layers_in_a_loop() -> None:
    model = models.Sequential([layers.LSTM(4, input_shape=(7, 3), return_sequences=True), layers.GRU(2)])
    model.set_weights([np.full(weight.shape, 0.1) for weight in model.get_weights()])
    np.testing.assert_allclose(model.predict(np.ones((1, 7, 3)))[0], [0.25445613, 0.25445613], atol=1e-5)


def test_a_dataset_stands_in_for_the_inputs() -> None:
    features = np.arange(12, dtype="float32").reshape(6, 2)
    data = tf.data.Dataset.from_tensor_slices((features, features[:, :1])).batch(3).repeat()
    model = models.Sequential([layers.Dense(1, use_bias=False, kernel_initializer="ones", input_shape=(2,))])
    model.compile(compat.train.GradientDescentOptimizer(0.001), "mse")
    history = model.fit(data, epochs=1, steps_per_epoch=2, verbose=0)
    np.testing.assert_allclose(history.history["loss"], [44.483209], rtol=1e-6)


def test_a_models_first_node_is_its_own() -> None:
    with compat.Graph().as_default():
        for inner in (
            models.Sequential([layers.Dense(2, input_shape=(3,)), layers.Dense(4)]),
            models.Model(given := layers.Input((3,)), layers.Dense(4)(given)),
        ):
            x, y = layers.Input((3,)), layers.Input((3,))
            outputs = [inner.outputs[0], inner(x), inner(y)]
            assert [inner.get_output_at(node) is output for node, output in enumerate(outputs)] == [True] * 3
            assert [inner.get_output_at(node - 3) is output for node, output in enumerate(outputs)] == [True] * 3
            assert inner.get_input_at(0) is inner.inputs[0]
            assert inner.get_input_at(1) is x
            assert tuple(inner.get_input_shape_at(0)) == (None, 3)
            assert tuple(inner.get_output_shape_at(2)) == (None, 4)
            with pytest.raises(ValueError, match="has only 3 inbound nodes"):
                inner.get_output_at(3)


def test_a_prediction_lets_go_what_training_left_in_metrics() -> None:
    model = models.Sequential([layers.Dense(1, input_shape=(1,))])
    model.set_weights([np.ones((1, 1)), np.zeros(1)])
    model.compile(optimizers.SGD(0.0), "mse", metrics=["mae"])
    x, y = np.array([[0.0], [2.0]]), np.zeros((2, 1))
    model.fit(x, y, verbose=0)
    assert model.train_on_batch(x[1:], y[1:])[1] == pytest.approx(4 / 3)  # with what `fit` left
    model.fit(x, y, verbose=0)
    model.predict(x)
    assert model.train_on_batch(x[1:], y[1:])[1] == 2.0


def test_digits_in_names_of_classes() -> None:
    class DenseL2Norm(layers.Layer):
        pass

    named = [made.name for made in (layers.ConvLSTM2D(1, 1), layers.LocallyConnected2D(1, 1), DenseL2Norm())]
    assert named == ["conv_lst_m2d", "locally_connected2d", "dense_l2norm"]
