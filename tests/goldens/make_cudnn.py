"""Writes cudnn.npz: what TF 1.15.5 gives for cudnn_cases.py. Run it with Python 3.7 from this folder.

cuDNN's layers themselves run on its devices only; their names are read from the graph, their numbers are those of the
cells that TF 1.15 has for other devices, as its documentation says.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf

from tests.goldens import cudnn_cases as cases

cudnn_rnn = tf.contrib.cudnn_rnn


def names_of(case, build_first):
    """Names of the variables, and of what a saver writes, when the layer is called, or built outside of its scope."""
    kind, layers, direction = cases.CASES[case]
    with tf.Graph().as_default(), tf.variable_scope("model"):
        layer = getattr(cudnn_rnn, kind)(layers, cases.UNITS, direction=direction)
        if build_first:
            layer.build([None, None, cases.DEPTH])
        layer(tf.constant(cases.X))
        (saveable,) = tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)
        variables = [variable.op.name for variable in tf.global_variables()]
        shapes = [list(each) for each in layer.canonical_weight_shapes]
        return [variables, [spec.name for spec in saveable.specs], shapes, len(layer.canonical_bias_shapes)]


def cell_of(kind):
    if kind == "CudnnLSTM":
        return cudnn_rnn.CudnnCompatibleLSTMCell(cases.UNITS)
    if kind == "CudnnGRU":
        return cudnn_rnn.CudnnCompatibleGRUCell(cases.UNITS)
    return tf.nn.rnn_cell.BasicRNNCell(cases.UNITS, activation=tf.tanh if kind.endswith("Tanh") else tf.nn.relu)


def state_of(kind, arrays, at):
    if kind == "CudnnLSTM":
        return tf.nn.rnn_cell.LSTMStateTuple(tf.constant(arrays[1][at]), tf.constant(arrays[0][at]))
    return tf.constant(arrays[0][at])


def stacked(kind, states):
    if kind == "CudnnLSTM":
        return [tf.stack([state.h for state in states]), tf.stack([state.c for state in states])]
    return [tf.stack(states)]


def run(case, lengths):
    kind, layers, direction = cases.CASES[case]
    directions = 1 if direction == "unidirectional" else 2
    arrays = cases.initial_state(layers, directions, 2 if kind == "CudnnLSTM" else 1)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(cases.X)
        states = [state_of(kind, arrays, at) for at in range(layers * directions)]
        cells = [[cell_of(kind) for _ in range(layers)] for _ in range(directions)]
        if directions == 1:
            cell = tf.nn.rnn_cell.MultiRNNCell(cells[0])
            outputs, finals = tf.nn.dynamic_rnn(cell, x, lengths, tuple(states), time_major=True)
        else:
            outputs, forward, backward = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(
                cells[0], cells[1], x, states[::2], states[1::2], sequence_length=lengths, time_major=True
            )
            finals = [state for pair in zip(forward, backward) for state in pair]  # noqa: B905 - Python 3.7
        total = tf.reduce_sum(outputs * outputs)
        wanted = [outputs, *stacked(kind, finals), tf.gradients(total, x)[0]]
        for variable in tf.global_variables():
            session.run(variable.assign(cases.value_for(variable.op.name, variable.shape.as_list())))
        return session.run(wanted)


def main():
    found = {}
    for case in cases.CASES:
        for build_first in (False, True):
            variables, saved, shapes, biases = names_of(case, build_first)
            where = case + ("/built" if build_first else "/called")
            found[where + "/variables"], found[where + "/saved"] = np.array(variables), np.array(saved)
            found[where + "/shapes"], found[where + "/biases"] = np.array(shapes), np.array(biases)
        for kind, lengths in (("whole", None), ("ended", cases.LENGTHS)):
            for position, value in enumerate(run(case, lengths)):
                found[f"{case}/{kind}/{position}"] = value
    np.savez_compressed(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cudnn.npz"), **found)


if __name__ == "__main__":
    main()
