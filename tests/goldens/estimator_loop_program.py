"""`train_and_evaluate` with exporters, and warm starts, for TF 1.15 (`tf`) or the shims alike."""

import os

import numpy as np

OLD_WORDS, NEW_WORDS = ["red", "green", "blue"], ["blue", "pink", "red", "grey"]
# Chosen so that the loss on the evaluation data falls, rises and falls again.
RATES = [0.1, -0.05, 0.2, 0.2, 0.1]


def make_model_fn(tf):
    def model_fn(features, labels, mode):
        w = tf.get_variable("w", initializer=np.array([[0.5], [-1.0]], np.float32))
        outputs = tf.matmul(features["x"], w)
        if mode == tf.estimator.ModeKeys.PREDICT:
            exported = {"outputs": tf.estimator.export.PredictOutput({"y": outputs})}
            return tf.estimator.EstimatorSpec(mode, predictions=outputs, export_outputs=exported)
        loss = tf.reduce_mean(tf.square(outputs - labels))
        step = tf.train.get_or_create_global_step()
        rate = tf.gather(tf.constant(RATES), tf.cast(step, tf.int32) // 2)
        op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=op)

    return model_fn


def data(tf, epochs):
    random = np.random.RandomState(1)
    x = random.randn(4, 2).astype(np.float32)
    return tf.estimator.inputs.numpy_input_fn({"x": x}, x[:, :1] * 2, batch_size=4, num_epochs=epochs, shuffle=False)


def train_and_evaluate(tf, folder, throttle):
    exports, evaluations = [], []

    def receiver_fn():
        rows = tf.placeholder(tf.float32, [None, 2], name="rows")
        return tf.estimator.export.ServingInputReceiver({"x": rows}, {"rows": rows})

    estimator = tf.estimator.Estimator(make_model_fn(tf), folder, tf.estimator.RunConfig(save_checkpoints_steps=2))
    export_saved_model, evaluate = estimator.export_saved_model, estimator.evaluate

    def recorded_export(export_dir_base, *args, **kwargs):
        exports.append([os.path.basename(export_dir_base), os.path.basename(kwargs["checkpoint_path"])])
        return export_saved_model(export_dir_base, *args, **kwargs)

    def recorded_evaluation(*args, **kwargs):
        result = evaluate(*args, **kwargs)
        evaluations.append([int(result["global_step"]), float(result["loss"])])
        return result

    estimator.export_saved_model, estimator.evaluate = recorded_export, recorded_evaluation
    exporters = [
        tf.estimator.BestExporter("best", receiver_fn),
        tf.estimator.BestExporter("best_anew", receiver_fn, event_file_pattern=None),
        tf.estimator.LatestExporter("latest", receiver_fn, exports_to_keep=2),
        tf.estimator.FinalExporter("final", receiver_fn),
    ]
    metrics, exported = tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(data(tf, None), max_steps=9),
        tf.estimator.EvalSpec(data(tf, 1), steps=None, exporters=exporters, throttle_secs=throttle),
    )
    kept = {name: len(os.listdir(os.path.join(folder, "export", name))) for name in ("best_anew", "latest", "final")}
    return {
        "evaluations": evaluations,
        "exports": exports,
        "kept": kept,
        "given": [path is not None for path in exported],
        "metrics": {key: float(value) for key, value in metrics.items()},
        "again": list(
            tf.estimator.train_and_evaluate(
                estimator, tf.estimator.TrainSpec(data(tf, None), max_steps=9), tf.estimator.EvalSpec(data(tf, 1))
            )
        ),
    }


STOPS = {
    "stop_if_no_decrease_hook": {"max_steps_without_decrease": 2},
    "stop_if_no_increase_hook": {"max_steps_without_increase": 4, "min_steps": 2},
    "stop_if_lower_hook": {"threshold": 0.9},
    "stop_if_higher_hook": {"threshold": 1.2, "min_steps": 5},
}


def early_stopping(tf, folder):
    """By hook: where training ended, what was evaluated, and TF1's mark of it."""
    found = {}
    for name, options in sorted(STOPS.items()):
        config = tf.estimator.RunConfig(save_checkpoints_steps=2)
        estimator = tf.estimator.Estimator(make_model_fn(tf), os.path.join(folder, name), config)
        make = getattr(tf.estimator.experimental, name)
        hook = make(estimator, "loss", run_every_secs=None, run_every_steps=1, **options)
        metrics, _ = tf.estimator.train_and_evaluate(
            estimator,
            tf.estimator.TrainSpec(data(tf, None), max_steps=9, hooks=[hook]),
            tf.estimator.EvalSpec(data(tf, 1), steps=None, throttle_secs=0),
        )
        found[name] = {
            "metrics": {key: float(value) for key, value in metrics.items()},
            "names": sorted(estimator.get_variable_names()),
            "stopped": bool(estimator.get_variable_value("signal_early_stopping/STOP")),
            "folder": os.path.basename(estimator.eval_dir()),
        }
    return found


def matrix_model_fn(tf, scope, rows, columns, optimizer):
    def model_fn(features, labels, mode):
        with tf.variable_scope(scope):
            by_row = tf.get_variable("by_row", [rows, 2], initializer=tf.ones_initializer())
            by_column = tf.get_variable("by_column", [2, columns], initializer=tf.ones_initializer())
            plain = tf.get_variable("plain", [2], initializer=tf.ones_initializer())
        loss = tf.reduce_sum(by_row) * 3.0 + tf.reduce_sum(by_column * 2.0) + tf.reduce_sum(plain)
        loss = loss + 0.0 * tf.reduce_sum(features["x"]) + tf.reduce_sum(tf.square(by_row[0]))
        op = optimizer().minimize(loss, global_step=tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=op)

    return model_fn


def warm_start(tf, folder):
    """Variables of models that begin from an older one's: by settings, by path."""
    old_words, new_words = (os.path.join(folder, name) for name in ("old.txt", "new.txt"))
    for path, lines in ((old_words, OLD_WORDS), (new_words, NEW_WORDS)):
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")

    def momentum():
        return tf.train.MomentumOptimizer(0.1, 0.9)

    def still():
        return tf.train.GradientDescentOptimizer(0.0)

    old = os.path.join(folder, "old")
    tf.estimator.Estimator(matrix_model_fn(tf, "m", 3, 3, momentum), old).train(data(tf, None), steps=3)
    info = tf.estimator.VocabInfo

    def twos(shape):
        return tf.fill(shape, 2.0)

    settings = tf.estimator.WarmStartSettings(
        old,
        vars_to_warm_start=".*by_.*",
        var_name_to_vocab_info={
            "n/by_row": info(new_words, 4, 1, old_words, backup_initializer=twos),
            "n/by_column": info(new_words, 3, 1, old_words, old_vocab_size=-1, axis=1),
        },
        var_name_to_prev_var_name={"n/by_row": "m/by_row", "n/by_column": "m/by_column"},
    )
    only_vocabulary = tf.estimator.WarmStartSettings(
        old, None, {"m/by_row": info(old_words, 3, 0, old_words, backup_initializer=twos)}
    )
    cases = [("n", 5, 4, settings), ("m", 3, 3, old), ("m", 3, 3, only_vocabulary)]
    found = []
    for number, (scope, rows, columns, start) in enumerate(cases):
        model = matrix_model_fn(tf, scope, rows, columns, still)
        estimator = tf.estimator.Estimator(model, os.path.join(folder, str(number)), warm_start_from=start)
        estimator.train(data(tf, None), steps=1)
        names = [scope + "/by_row", scope + "/by_column", scope + "/plain", "global_step"]
        found.append({name: estimator.get_variable_value(name).tolist() for name in names})
    return found


def run(tf, folder):
    """What the programs compute, as JSON."""
    results = {}
    for name, throttle in (("each", 0), ("throttled", 600)):
        results[name] = train_and_evaluate(tf, os.path.join(folder, name), throttle)
    results["early_stopping"] = early_stopping(tf, os.path.join(folder, "stops"))
    results["warm_start"] = warm_start(tf, folder)
    return results
