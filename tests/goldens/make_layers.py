"""Runs layer_cases.py in real TF 1.15.5 and keeps what it gave. Run it with Python 3.7: make_layers.py [module…].

For each case: the output, the gradients of a fixed weighting of it, the sum of the regularization losses, the names of
the variables in their order, and the variables that the update ops changed.
"""

import importlib
import os
import sys

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

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


def record_precision(cases, case, dtype):
    """The output and the gradient of the input in another precision; None where TF1 cannot compute them."""
    with tf.Graph().as_default(), tf.Session() as session:
        given = cases.distinct(cases.input_for(case)).astype(dtype)
        x = tf.placeholder(dtype, (None, *given.shape[1:]))
        try:
            outputs = case(tf, x)
            for variable in tf.global_variables():
                variable.load(cases.value_for(variable.name[:-2], variable.shape.as_list()), session)
            gradient = tf.gradients(outputs * outputs, x)[0]
            output, gradient = session.run([outputs, x if gradient is None else gradient], {x: given})
        except (TypeError, ValueError, tf.errors.OpError):
            return None
        # Where the input is turned into numbers of another kind, there is no row.
        return (output, gradient) if output.dtype == dtype else None


def main(module):
    cases = importlib.import_module("tests.goldens." + module)
    arrays = {}
    for case in cases.CASES:
        for key, value in record(cases, case).items():
            arrays[case.__name__ + "/" + key] = value
        for dtype in [] if case in cases.BRIDGE_ONLY else ["float16", "float64"]:
            precise = record_precision(cases, case, dtype)
            if precise is not None:
                arrays["/".join([case.__name__, dtype, "output"])] = precise[0]
                arrays["/".join([case.__name__, dtype, "gradient"])] = precise[1]
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), module.replace("_cases", "") + "s.npz")
    np.savez_compressed(target, **arrays)
    print(f"{target}: {len(cases.CASES)} cases, {len(arrays)} arrays")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["layer_cases", "contrib_layer_cases"]:
        main(name)
