"""Writes ops.npz: what TF 1.15.5 gives for op_cases.py. Run it with Python 3.7 from this folder."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf

from tests.goldens import op_cases as cases


def flat(value):
    """Arrays in the order of `tf.nest.flatten`, which both sides share."""
    return [np.asarray(part) for part in tf.nest.flatten(value)]


def run(case):
    with tf.Graph().as_default(), tf.Session() as session:
        result = case(tf, tf)
        parts = [part.name for part in tf.nest.flatten(result)]
        return flat(session.run(result)), parts


def run_gradient(case, dtype):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(cases.X.astype(dtype))
        value = case(tf, tf, x)
        return session.run([value, tf.convert_to_tensor(tf.gradients(value, x)[0])])


def run_metric(case, dtype="float32"):
    with tf.Graph().as_default(), tf.Session() as session:
        feeds = (
            tf.placeholder(tf.int64, [4]),
            tf.placeholder(dtype, [4]),
            tf.placeholder(dtype, [4]),
            tf.placeholder(dtype, [1, 4]),
        )
        value, update = case(tf, tf, *feeds)
        session.run(tf.local_variables_initializer())
        updates = []
        for rows in zip(cases.TRUTH, cases.SCORES, cases.WEIGHTS, cases.RANKED):  # noqa: B905 - Python 3.7
            updates.append(session.run(update, dict(zip(feeds, rows))))  # noqa: B905
        names = [value.name, *sorted(variable.name for variable in tf.local_variables())]
        return session.run(value), np.stack(updates), names


def main():
    arrays = {}
    for group in ("LOSSES", "FUNCTIONS"):
        for name, case in getattr(cases, group).items():
            values, parts = run(case)
            for position, value in enumerate(values):
                arrays[f"{group}/{name}/{position}"] = value.astype("U") if value.dtype.kind in "OS" else value
            if group == "LOSSES":
                arrays[f"{group}/{name}/name"] = np.array(parts[0])
    for name, case in cases.GRADIENTS.items():
        dtypes = ["float32", *filter(None, [cases.PRECISIONS.get(name)])]
        for dtype in dtypes:
            value, gradient = run_gradient(case, dtype)
            arrays[f"GRADIENTS/{name}/{dtype}/value"] = value
            arrays[f"GRADIENTS/{name}/{dtype}/gradient"] = gradient
    for name, case in cases.METRICS.items():
        value, updates, names = run_metric(case)
        arrays[f"METRICS/{name}/value"] = value
        arrays[f"METRICS/{name}/updates"] = updates
        arrays[f"METRICS/{name}/names"] = np.array(names)
        try:
            value, updates, _ = run_metric(case, "float64")
        except (TypeError, ValueError):
            # This metric takes no float64, or the case casts to float32 itself.
            continue
        arrays[f"METRICS/{name}/float64/value"] = value
        arrays[f"METRICS/{name}/float64/updates"] = updates
    np.savez_compressed(os.path.join(os.path.dirname(os.path.abspath(__file__)), "ops.npz"), **arrays)


if __name__ == "__main__":
    main()
