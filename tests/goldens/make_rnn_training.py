"""Makes rnn_training.npz with real TF 1.15.5: the losses of 50 steps, and the weights after them."""

import pathlib

import numpy as np
import tensorflow as tf

HERE = pathlib.Path(__file__).resolve().parent


def train(models, model):
    """Adam on clipped gradients."""
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = {key: tf.placeholder(value.dtype, value.shape) for key, value in model.feeds(0).items()}
        loss = model.loss(tf, **inputs)
        variables = tf.trainable_variables()
        gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), models.CLIP)
        step = tf.train.AdamOptimizer(models.LEARNING_RATE).apply_gradients(
            [pair for pair in zip(gradients, variables)]  # noqa: B905, C416
        )
        session.run(tf.global_variables_initializer())
        for variable in variables:
            variable.load(models.initial_value(variable.op.name, variable.shape.as_list()), session)
        losses = []
        for number in range(models.STEPS):
            feed = {inputs[key]: value for key, value in model.feeds(number).items()}
            losses.append(session.run([loss, step], feed)[0])
        arrays = {variable.op.name: session.run(variable) for variable in variables}
        arrays["losses"] = np.array(losses)
        return arrays


def main():
    from tests.goldens import rnn_training_models as models

    arrays = {}
    for name, model in models.MODELS.items():
        for key, value in train(models, model).items():
            arrays[f"{name}|{key}"] = value
        print(name, arrays[name + "|losses"][[0, -1]])
    np.savez_compressed(str(HERE / "rnn_training.npz"), **arrays)


if __name__ == "__main__":
    main()
