"""Runs layer_cases.py in real TF 1.15.5 and keeps what it gave. Run it with Python 3.7: make_layers.py [module…].

For each case: the output, the gradients of a fixed weighting of it, the sum of the regularization losses, the names of
the variables in their order, and the variables that the update ops changed.
"""

import importlib
import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import tensorflow as tf


def record(cases, case):
    """What one case gives in TF1, as a dict of arrays."""
    kept = {}
    with tf.Graph().as_default(), tf.Session() as session:
        given = cases.input_for(case)
        x = tf.placeholder(tf.as_dtype(given.dtype), (None, *given.shape[1:]))
        outputs = case(tf, x)
        variables = tf.global_variables()
        for variable in variables:
            variable.load(cases.value_for(variable.name[:-2], variable.shape.as_list()), session)
        feed = {x: given}
        kept["output"] = session.run(outputs, feed)
        weighting = cases.value_for("weighting", kept["output"].shape)
        trained = tf.trainable_variables()
        sources = ([x] if given.dtype == np.float32 else []) + trained
        gradients = tf.gradients(tf.reduce_sum(outputs * weighting), sources)
        for index, gradient in enumerate(gradients):
            source = sources[index]
            if gradient is not None:
                key = "input" if source is x else source.name
                kept["gradient/" + key] = session.run(tf.convert_to_tensor(gradient), feed)
        losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
        kept["losses"] = np.array(session.run(losses, feed), np.float32)
        kept["names"] = np.array([variable.name for variable in variables], "U")
        kept["trainable"] = np.array([variable.name for variable in trained], "U")
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        session.run(updates, feed)
        if updates:
            for variable in variables:
                kept["after/" + variable.name] = session.run(variable)
    return kept


def record_double(cases, case):
    """The output for float64 inputs and variables."""
    with tf.Graph().as_default(), tf.Session() as session:
        given = cases.input_for(case).astype(np.float64)
        x = tf.placeholder(tf.float64, (None, *given.shape[1:]))
        outputs = case(tf, x)
        for variable in tf.global_variables():
            variable.load(cases.value_for(variable.name[:-2], variable.shape.as_list()), session)
        return session.run(outputs, {x: given})


def main(module):
    cases = importlib.import_module("goldens." + module)
    arrays = {}
    for case in cases.CASES:
        for key, value in record(cases, case).items():
            arrays[case.__name__ + "/" + key] = value
        if case in cases.IN_DOUBLE:
            arrays[case.__name__ + "/double"] = record_double(cases, case)
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), module.replace("_cases", "") + "s.npz")
    np.savez_compressed(target, **arrays)
    print(f"{target}: {len(cases.CASES)} cases, {len(arrays)} arrays")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["layer_cases", "contrib_layer_cases"]:
        main(name)
