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
        self._needs = {}
        """What each operation waits for: pairs of the tensor, or None, and the operation that it is of."""
        self._roots = {}

    def note(self, graph, fetches, fed):
        """Which of the fetched operations give what is left open; to be called once for each run."""
        reached = self._ancestors(fetches, fed)
        updates = [each for each in reached if each.type.startswith(_UPDATES) and each.inputs[0].dtype._is_ref_dtype]
        before = {update: self._ancestors([update], fed) for update in updates}
        by_variable = {}
        for update in updates:
            by_variable.setdefault(self._variable(update), []).append(update)
        unordered = set()
        for reader in reached:
            if reader.type in _ALIASES or not by_variable:
                continue
            behind = None
            for tensor, _ in self._needed(reader)[1 if reader in before else 0 :]:
                found = by_variable.get(self._root(tensor), ()) if tensor is not None and tensor not in fed else ()
                if found and behind is None:
                    behind = self._ancestors([reader], fed)
                if any(reader not in before[each] and each not in behind for each in found):
                    unordered.add(reader)
        twice = {
            variable
            for variable, found in by_variable.items()
            if any(
                one is not other and not {one} & before[other] | {other} & before[one]
                for one in found
                for other in found
            )
        }
        self._variables |= twice
        for update in updates:
            given = [tensor.op for tensor in list(update.inputs)[1:] if tensor not in fed] + list(update.control_inputs)
            needed = self._ancestors(given, fed)
            if needed & (unordered | self._variables):
                self._variables.add(self._variable(update))
            elif (
                update.type == "Assign"
                and update.inputs[1].op.type != "RestoreV2"
                and self._variable(update) not in twice
            ):
                self._variables.discard(self._variable(update))
        return {each for each in fetches if self._ancestors([each], fed) & (unordered | self._variables)}

    def _ancestors(self, operations, fed):
        """The operations that some wait for, and these."""
        found, waiting = set(), list(operations)
        while waiting:
            operation = waiting.pop()
            if operation not in found:
                found.add(operation)
                waiting += [needed for tensor, needed in self._needed(operation) if tensor not in fed]
        return found

    def _needed(self, operation):
        if operation not in self._needs:
            needed = [(tensor, tensor.op) for tensor in operation.inputs]
            self._needs[operation] = needed + [(None, each) for each in operation.control_inputs]
        return self._needs[operation]

    def _root(self, tensor):
        """The operation whose memory a tensor is."""
        if tensor not in self._roots:
            root = tensor
            while root.op.type in _ALIASES or (root.dtype._is_ref_dtype and root.op.inputs):
                root = root.op.inputs[0]
            self._roots[tensor] = root.op
        return self._roots[tensor]

    def _variable(self, update):
        return self._root(update.inputs[0])


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
