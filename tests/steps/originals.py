"""Runs programs in TensorFlow 1.15.5, in whose Python this file runs, and gives what they print.

What a run leaves open comes out as `OPEN`: values that read a variable which the same run updates, where neither waits
for the other; and what is computed of variables that such values have gone into. A variable that is fetched itself, or
by another name, is read behind its updates, and is not left open.

It takes a list of programs as JSON, and gives such a list; None for a program that fails.
"""

import contextlib
import io
import json
import sys

import numpy as np
import tensorflow as tf

OPEN = 987654.0
_ALIASES = ("Identity", "Reshape", "Squeeze", "ExpandDims", "StopGradient")
_UPDATES = ("Assign", "Apply", "SparseApply", "Scatter")


class Orders:
    """What is left open in the runs of a program."""

    def __init__(self):
        self._variables = set()
        """Those that hold something that was left open."""

    def note(self, graph, fetches, fed):
        """Which of the fetched operations give what is left open; to be called once for each run."""
        reached = _ancestors(fetches, fed)
        updates = [each for each in reached if each.type.startswith(_UPDATES) and each.inputs[0].dtype._is_ref_dtype]
        before = {update: _ancestors([update], fed) for update in updates}
        unordered = set()
        for reader in reached:
            for tensor in list(reader.inputs)[1 if reader in before else 0 :]:
                found = [each for each in updates if tensor not in fed and _variable(each) is _root(tensor)]
                behind = _ancestors([reader], fed) if found and reader.type not in _ALIASES else set()
                if behind and any(reader not in before[each] and each not in behind for each in found):
                    unordered.add(reader)
        twice = {
            _variable(one)
            for one in updates
            for other in updates
            if one is not other
            and _variable(one) is _variable(other)
            and not {one} & before[other] | {other} & before[one]
        }
        self._variables |= twice
        for update in updates:
            given = [tensor.op for tensor in list(update.inputs)[1:] if tensor not in fed] + list(update.control_inputs)
            needed = _ancestors(given, fed)
            if needed & (unordered | self._variables):
                self._variables.add(_variable(update))
            elif update.type == "Assign" and update.inputs[1].op.type != "RestoreV2" and _variable(update) not in twice:
                self._variables.discard(_variable(update))
        return {each for each in fetches if _ancestors([each], fed) & (unordered | self._variables)}


def _ancestors(operations, fed):
    """The operations that some wait for, and these."""
    found, waiting = set(), list(operations)
    while waiting:
        operation = waiting.pop()
        if operation not in found:
            found.add(operation)
            waiting += [tensor.op for tensor in operation.inputs if tensor not in fed]
            waiting += operation.control_inputs
    return found


def _root(tensor):
    """The operation whose memory a tensor is."""
    while tensor.op.type in _ALIASES or (tensor.dtype._is_ref_dtype and tensor.op.inputs):
        tensor = tensor.op.inputs[0]
    return tensor.op


def _variable(update):
    return _root(update.inputs[0])


def _like(operation, value):
    """`OPEN` in the shape of a value, or in a summary of scalars."""
    if not isinstance(value, bytes):
        return np.full(np.shape(value), OPEN)
    if not operation.type.endswith("Summary"):
        return value  # The path that a saver has written to.
    summary = tf.Summary.FromString(value)
    for each in summary.value:
        each.simple_value = OPEN
    return summary.SerializeToString()


def _run(run, orders):
    """`Session.run`, with `OPEN` in place of what is left open."""

    def runs(self, fetches, feed_dict=None, options=None, run_metadata=None):
        graph = self.graph
        flat = [graph.as_graph_element(each) for each in tf.contrib.framework.nest.flatten(fetches)]
        operations = [each if isinstance(each, tf.Operation) else each.op for each in flat]
        fed = {graph.as_graph_element(each) for each in feed_dict or ()}
        results = run(self, fetches, feed_dict, options, run_metadata)
        unordered = orders.note(graph, operations, fed)
        values = tf.contrib.framework.nest.flatten_up_to(fetches, results)
        shown = []
        for operation, value in zip(operations, values):  # noqa: B905 - Python 3.7
            is_open = value is not None and operation in unordered
            shown.append(_like(operation, value) if is_open else value)
        return tf.contrib.framework.nest.pack_sequence_as(fetches, shown)

    return runs


def main():
    """Runs what standard input gives."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    base = tf.Session.__mro__[1]
    run, found = base.run, []
    for text in json.load(sys.stdin):
        told = io.StringIO()
        base.run = _run(run, Orders())
        try:
            with contextlib.redirect_stdout(told), tf.Graph().as_default():
                exec(compile(text, "program", "exec"), {"__name__": "__main__"})
            found.append(told.getvalue())
        except Exception as error:
            print(repr(error), file=sys.stderr)
            found.append(None)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
