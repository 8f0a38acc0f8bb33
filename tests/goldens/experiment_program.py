"""`Experiment`s and `learn_runner`, for TF 1.15 (`tf`) or the shims alike."""

import os

import numpy as np

STEPS = 14


def make_model_fn(tf):
    def model_fn(features, labels, mode, params):
        w = tf.get_variable("w", initializer=np.array([[0.5], [-1.0]], np.float32))
        outputs = tf.matmul(features["x"], w)
        if mode == tf.estimator.ModeKeys.PREDICT:
            exported = {"outputs": tf.estimator.export.PredictOutput({"y": outputs})}
            return tf.estimator.EstimatorSpec(mode, predictions=outputs, export_outputs=exported)
        loss = tf.reduce_mean(tf.square(outputs - labels))
        op = tf.train.AdamOptimizer(params.rate).minimize(loss, global_step=tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=op)

    return model_fn


def data(tf, epochs):
    random = np.random.RandomState(1)
    x = random.randn(8, 2).astype(np.float32)
    return tf.estimator.inputs.numpy_input_fn({"x": x}, x[:, :1] * 2, batch_size=4, num_epochs=epochs, shuffle=False)


def experiment_of(tf, config, hparams, evaluations, exports, **settings):
    estimator = tf.estimator.Estimator(make_model_fn(tf), config=config, params=hparams)
    evaluate = estimator.evaluate

    def recorded(*args, **kwargs):
        result = evaluate(*args, **kwargs)
        evaluations.append([kwargs.get("name"), int(result["global_step"]), float(result["loss"])])
        return result

    def receiver_fn():
        rows = tf.placeholder(tf.float32, [None, 2], name="rows")
        return tf.estimator.export.ServingInputReceiver({"x": rows}, {"rows": rows})

    def count(estimator, export_path, checkpoint_path, eval_result):
        exports.append([os.path.basename(os.fsdecode(export_path)), int(eval_result["global_step"])])
        return "counted"

    estimator.evaluate = recorded
    strategies = [
        tf.contrib.learn.ExportStrategy("counter", count),
        tf.contrib.learn.make_export_strategy(receiver_fn, exports_to_keep=2),
    ]
    return tf.contrib.learn.Experiment(
        estimator,
        data(tf, None),
        data(tf, 1),
        train_steps=STEPS,
        eval_steps=None,
        export_strategies=strategies,
        check_interval_secs=None,
        **settings,
    )


SCHEDULES = {
    "by default": (None, {}),
    "every five steps": ("train_and_evaluate", {"min_eval_frequency": 5}),
    "at the end": ("train_and_evaluate", {"min_eval_frequency": 0}),
    "each checkpoint": ("train_and_evaluate", {"checkpoint_and_export": True}),
    "local_run": ("local_run", {"local_eval_frequency": 7}),
    "in turns": ("continuous_train_and_eval", {"train_steps_per_iteration": 5}),
    "tenths": ("continuous_train_and_eval", {}),
    "test": ("test", {}),
    "train": ("train", {}),
}


def run_schedule(tf, folder, name):
    schedule, settings = SCHEDULES[name]
    evaluations, exports = [], []
    config = tf.contrib.learn.RunConfig(model_dir=folder, save_checkpoints_steps=3)
    result = tf.contrib.learn.learn_runner.run(
        lambda run_config, hparams: experiment_of(tf, run_config, hparams, evaluations, exports, **settings),
        run_config=config,
        schedule=schedule,
        hparams=tf.contrib.training.HParams(rate=0.05),
    )
    reader = tf.train.load_checkpoint(folder)
    return {
        "evaluations": evaluations,
        "exports": exports,
        "kept": len(os.listdir(os.path.join(folder, "export", "Servo"))) if schedule != "train" else 0,
        "result": float(result[0]["loss"]) if isinstance(result, tuple) else None,
        "checkpoints": [os.path.basename(path) for path in checkpoints(tf, folder)],
        "w": np.ravel(reader.get_tensor("w")).tolist(),
    }


def checkpoints(tf, folder):
    return tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths


def run(tf, folder):
    return {name: run_schedule(tf, os.path.join(folder, name.replace(" ", "_")), name) for name in SCHEDULES}
