"""An LSTM language model and a translator with attention train as they did in TF 1.15.5, from the same weights."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.goldens import rnn_training_models as models
from tests.goldens.replay_rnn import TF1

GOLDENS = np.load(Path(__file__).parents[2] / "goldens" / "rnn_training.npz")


def assign_initial_values(variables):
    with tf.init_scope():
        for variable in variables:
            variable.assign(models.initial_value(variable.name.split(":")[0], variable.shape.as_list()))


def native_steps(model, in_function):
    """One training step over a store: builds at the first call, steps from the second on."""
    store = compat.VariableStore()
    optimizer = compat.train.AdamOptimizer(models.LEARNING_RATE)

    def step(**feeds):
        with store, tf.GradientTape() as tape:
            loss = model.loss(TF1, **feeds)
            variables = store.trainable_variables
            gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, variables), models.CLIP)
            optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss

    store.build(step, **{key: tf.constant(value) for key, value in model.feeds(0).items()})
    assign_initial_values(store.trainable_variables)
    run = tf.function(step, autograph=False) if in_function else step
    return store.trainable_variables, lambda number: run(
        **{key: tf.constant(value) for key, value in model.feeds(number).items()}
    )


def bridged_steps(model):
    """One training step as a session's run."""
    session = compat.Session()
    inputs = {key: compat.placeholder(value.dtype, value.shape) for key, value in model.feeds(0).items()}
    loss = model.loss(TF1, **inputs)
    variables = compat.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), models.CLIP)
    optimizer = compat.train.AdamOptimizer(models.LEARNING_RATE)
    step = optimizer.apply_gradients(list(zip(gradients, variables, strict=True)))
    session.run(compat.global_variables_initializer())
    assign_initial_values(variables)
    return variables, lambda number: session.run(
        [loss, step], {inputs[key]: value for key, value in model.feeds(number).items()}
    )[0]


@pytest.mark.parametrize("name", list(models.MODELS))
@pytest.mark.parametrize(("mode", "steps"), [("eager", 5), ("function", models.STEPS), ("bridge", models.STEPS)])
def test_training_agrees_with_tf1(name, mode, steps):
    model = models.MODELS[name]
    with compat.Graph().as_default() if mode == "bridge" else contextlib.nullcontext():
        variables, step = bridged_steps(model) if mode == "bridge" else native_steps(model, mode == "function")
        losses = [float(step(number)) for number in range(steps)]
    expected = {key.split("|")[1]: GOLDENS[key] for key in GOLDENS.files if key.startswith(name + "|")}
    np.testing.assert_allclose(losses, expected.pop("losses")[:steps], rtol=2e-6)
    assert [variable.name.split(":")[0] for variable in variables] == list(expected)
    if steps == models.STEPS:
        for variable in variables:
            # Adam divides gradients by their size: their rounding shows in the weights more than in the loss.
            np.testing.assert_allclose(
                variable.numpy(), expected[variable.name.split(":")[0]], rtol=0, atol=1e-5, err_msg=variable.name
            )
