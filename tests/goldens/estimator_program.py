"""A model under an Estimator, for TF 1.15 (`tf`) or the shims (`compat`) alike: its losses, metrics, predictions."""

import numpy as np


def data():
    random = np.random.RandomState(5)
    x = random.randn(24, 3).astype(np.float32)
    return x, (x.sum(1, keepdims=True) > 0).astype(np.float32)


def make_model_fn(tf, losses):
    def model_fn(features, labels, mode, params):
        kernel = tf.get_variable("kernel", initializer=np.linspace(-0.5, 0.5, 3, dtype=np.float32)[:, None])
        bias = tf.get_variable("bias", [1], initializer=tf.zeros_initializer())
        logits = features["x"] @ kernel + bias
        predictions = {"logits": logits, "twice": logits * 2.0}
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions=predictions)
        loss = tf.losses.sigmoid_cross_entropy(labels, logits)
        if mode == tf.estimator.ModeKeys.EVAL:
            metrics = {"mean_logit": tf.metrics.mean(logits), "mse": tf.metrics.mean_squared_error(labels, logits)}
            return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
        optimizer = tf.train.AdamOptimizer(params["learning_rate"])
        train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())

        class Record(tf.train.SessionRunHook):
            def before_run(self, run_context):
                return tf.train.SessionRunArgs(loss)

            def after_run(self, run_context, run_values):
                losses.append(float(run_values.results))

        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, training_hooks=[Record()])

    return model_fn


def run(tf, folder):
    """What the program computes, as JSON."""
    x, y = data()
    losses = []
    config = tf.estimator.RunConfig(save_checkpoints_steps=4, keep_checkpoint_max=2, log_step_count_steps=3)
    estimator = tf.estimator.Estimator(make_model_fn(tf, losses), folder, config, {"learning_rate": 0.1})
    inputs = tf.estimator.inputs

    def train_input(epochs):
        return inputs.numpy_input_fn({"x": x}, y, batch_size=10, num_epochs=epochs, shuffle=False)

    estimator.train(train_input(None), steps=6)
    estimator.train(train_input(None), max_steps=10)
    estimator.train(train_input(None), max_steps=10)
    estimator.train(train_input(1))
    evaluated = estimator.evaluate(train_input(1))
    evaluated_one = estimator.evaluate(train_input(1), steps=1)
    predicted = list(estimator.predict(inputs.numpy_input_fn({"x": x[:5]}, batch_size=2, shuffle=False)))
    return {
        "losses": losses,
        "evaluated": {key: float(value) for key, value in evaluated.items()},
        "evaluated_one": {key: float(value) for key, value in evaluated_one.items()},
        "predicted": [{key: value.tolist() for key, value in example.items()} for example in predicted],
        "names": sorted(estimator.get_variable_names()),
        "kernel": estimator.get_variable_value("kernel").tolist(),
        "checkpoint": estimator.latest_checkpoint()[len(folder) :],
    }
