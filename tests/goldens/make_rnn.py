"""Makes rnn.npz, contrib_rnn.npz, seq2seq.npz … with real TF 1.15.5 (Python 3.7): `python make_rnn.py [FAMILY]`.

For each program of <family>_programs.py: its outputs, the gradients of their weighted sum, and the variables' names in
the order of creation.
"""

import importlib
import json
import pathlib
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.util import nest

HERE = pathlib.Path(__file__).resolve().parent
FAMILIES = ["rnn", "contrib_rnn", "seq2seq", "legacy_seq2seq", "crf"]


def objective(outputs):
    """The sum of the floating outputs, each element with its own weight."""
    total = 0.0
    for output in nest.flatten(outputs):
        if output.dtype.is_floating:
            weights = np.cos(0.5 * np.arange(7)).astype(output.dtype.as_numpy_dtype)
            flat = tf.reshape(output, [-1])
            repeated = tf.gather(weights, tf.range(tf.size(flat)) % 7)
            total += tf.cast(tf.reduce_sum(flat * repeated), tf.float64)
    return total


def placeholders(feeds, shapes, unknown):
    """A placeholder for each feed; with `unknown`, the first dimension is not known beforehand."""
    known = {name: [None, *value.shape[1:]] if unknown else value.shape for name, value in feeds.items()}
    return {
        name: tf.placeholder(value.dtype, shapes.get(name, known[name]), name=name) for name, value in feeds.items()
    }


def run(programs, program, feeds, unknown=False):
    """All arrays of one program, by name."""
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = placeholders(feeds, program.shapes, unknown)
        outputs = nest.flatten(program.build(tf, **inputs))
        floating = [name for name in sorted(inputs) if inputs[name].dtype.is_floating]
        variables = tf.global_variables()
        wanted = tf.trainable_variables() + [inputs[name] for name in floating]
        gradients = tf.gradients(objective(outputs), wanted) if wanted else []
        session.run(tf.global_variables_initializer())
        for variable in variables:
            variable.load(
                programs.initial_value(variable.op.name, variable.shape.as_list()).astype(
                    variable.dtype.base_dtype.as_numpy_dtype
                ),
                session,
            )
        names = [v.op.name for v in tf.trainable_variables()] + floating
        kept = {name: tf.convert_to_tensor(g) for name, g in zip(names, gradients) if g is not None}  # noqa: B905
        values, gradients = session.run([outputs, kept], {inputs[name]: value for name, value in feeds.items()})
        arrays = {f"out/{i}": value for i, value in enumerate(values)}
        arrays.update({"grad/" + name: value for name, value in gradients.items()})
        arrays["names"] = np.array(json.dumps([[v.op.name, v.shape.as_list()] for v in variables]))
        return arrays


def attempt(*arguments, **options):
    """As `run`; None where TF1 cannot."""
    try:
        return run(*arguments, **options)
    except (TypeError, ValueError, AttributeError, AssertionError, tf.errors.OpError):
        return None


def run_all(programs, program):
    """The arrays of a program, those in other precisions, and whether TF1 could do without the size of the batch."""
    arrays = run(programs, program, program.feeds)
    arrays["unknown"] = np.array(attempt(programs, program, program.feeds, unknown=True) is not None)
    given = [name for name, value in program.feeds.items() if value.dtype == np.float32]
    for dtype in ["float16", "float64"] if given else []:
        feeds = {name: value.astype(dtype) if name in given else value for name, value in program.feeds.items()}
        precise = attempt(programs, program, feeds) or {}
        wanted = {"grad/" + name for name in given}
        kept = {key: value for key, value in precise.items() if key.startswith("out/") or key in wanted}
        if any(value.dtype == dtype for key, value in kept.items() if key.startswith("out/")):
            arrays.update({dtype + "/" + key: value for key, value in kept.items()})
    return arrays


def main(families):
    for family in families or FAMILIES:
        programs = importlib.import_module("tests.goldens." + family + "_programs")
        arrays = {}
        for name, program in programs.PROGRAMS.items():
            for key, value in run_all(programs, program).items():
                arrays[f"{name}|{key}"] = value
        np.savez_compressed(str(HERE / (family + ".npz")), **arrays)
        print(family, len(programs.PROGRAMS), "programs,", len(arrays), "arrays")


if __name__ == "__main__":
    main(sys.argv[1:])
