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


def run(programs, program):
    """All arrays of one program, by name."""
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = {
            name: tf.placeholder(value.dtype, program.shapes.get(name, value.shape), name=name)
            for name, value in program.feeds.items()
        }
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
        values, gradients = session.run([outputs, kept], {inputs[name]: value for name, value in program.feeds.items()})
        arrays = {f"out/{i}": value for i, value in enumerate(values)}
        arrays.update({"grad/" + name: value for name, value in gradients.items()})
        arrays["names"] = np.array(json.dumps([[v.op.name, v.shape.as_list()] for v in variables]))
        return arrays


def main(families):
    sys.path.insert(0, str(HERE.parent))
    for family in families or FAMILIES:
        programs = importlib.import_module("goldens." + family + "_programs")
        arrays = {}
        for name, program in programs.PROGRAMS.items():
            for key, value in run(programs, program).items():
                arrays[f"{name}|{key}"] = value
        np.savez_compressed(str(HERE / (family + ".npz")), **arrays)
        print(family, len(programs.PROGRAMS), "programs,", len(arrays), "arrays")


if __name__ == "__main__":
    main(sys.argv[1:])
