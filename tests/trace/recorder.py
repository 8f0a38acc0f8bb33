"""Runs a program in TensorFlow 1.15.5 (Python 3.7) and writes down what its graph was.

`python recorder.py OUT.json PROGRAM.py [ARGUMENT ...]`: the folder it is called in is the user's, and a line is the
innermost one of the user's that made something. The recording has `lines` (path -> line -> number of ops), `variables`
in order, and `runs`: for each place, each set of what it fetched and fed.
"""

import collections
import json
import os
import runpy
import sys

import tensorflow as tf
from tensorflow.python.client import session
from tensorflow.python.framework import ops
from tensorflow.python.ops import resource_variable_ops, variables

FOLDER = os.path.join(os.path.realpath(os.getcwd()), "")
OWN = os.path.realpath(__file__)


def user_place():
    """The path and line of the innermost code of the user's."""
    frame = sys._getframe(1)
    while frame is not None:
        path = os.path.realpath(frame.f_code.co_filename)
        if path.startswith(FOLDER) and path != OWN:
            return path[len(FOLDER) :], frame.f_lineno
        frame = frame.f_back
    return None


class Recording:
    """What was seen so far."""

    def __init__(self):
        self.lines = collections.defaultdict(collections.Counter)
        self.origins = {}
        self.variables = []
        self.runs = {}
        self.depth = 0

    def watch_ops(self):
        make = ops.Graph._create_op_internal

        def made(graph, *args, **kwargs):
            op = make(graph, *args, **kwargs)
            place = user_place()
            if place is not None:
                self.lines[place[0]][place[1]] += 1
                self.origins[id(graph), op.name] = place
            return op

        ops.Graph._create_op_internal = made

    def watch_variables(self, cls):
        begin = cls.__init__

        def init(variable, *args, **kwargs):
            begin(variable, *args, **kwargs)
            if type(variable) is cls:
                dims = variable.shape.ndims
                self.variables.append(
                    {
                        "name": variable.name,
                        "shape": None if dims is None else variable.shape.as_list(),
                        "dtype": variable.dtype.base_dtype.name,
                        "trainable": bool(getattr(variable, "trainable", False)),
                        "at": user_place(),
                    }
                )

        cls.__init__ = init

    def watch_runs(self):
        run = session.BaseSession.run

        def ran(sess, fetches, feed_dict=None, *args, **kwargs):
            place = user_place()
            if place is not None and not self.depth:
                self.keep(sess.graph, place, fetches, feed_dict or {})
            self.depth += 1
            try:
                return run(sess, fetches, feed_dict, *args, **kwargs)
            finally:
                self.depth -= 1

        session.BaseSession.run = ran

    def keep(self, graph, place, fetches, feeds):
        with graph.as_default():
            wanted = session._FetchMapper.for_fetch(fetches).unique_fetches()
        keys = []
        for key in feeds:
            if isinstance(key, tf.SparseTensor):
                keys += [key.indices, key.values, key.dense_shape]
            else:
                keys += tf.contrib.framework.nest.flatten(key)
        fetched = sorted({self.describe(graph, each) for each in wanted}, key=str)
        fed = sorted({self.describe(graph, each) for each in keys}, key=str)
        row = self.runs.setdefault(
            (place, tuple(fetched), tuple(fed)),
            {
                "at": place,
                "fetches": fetched,
                "feeds": [(name, path, line, None) for name, _, path, line in fed],
                "times": 0,
            },
        )
        row["times"] += 1

    def describe(self, graph, thing):
        element = graph.as_graph_element(thing)
        op = element if isinstance(element, ops.Operation) else element.op
        return (element.name, op.type, *tuple(self.origins.get((id(graph), op.name), (None, None))))

    def as_data(self):
        lines = {
            path: {str(line): count for line, count in sorted(found.items())}
            for path, found in sorted(self.lines.items())
        }
        return {"lines": lines, "variables": self.variables, "runs": list(self.runs.values())}


def main():
    out = os.path.abspath(sys.argv[1])
    recording = Recording()
    recording.watch_ops()
    recording.watch_variables(variables.RefVariable)
    recording.watch_variables(resource_variable_ops.ResourceVariable)
    recording.watch_runs()
    sys.argv = sys.argv[2:]
    sys.path.insert(0, os.getcwd())
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as left:
        if left.code not in (None, 0):
            raise
    finally:
        with open(out, "w") as file:
            json.dump(recording.as_data(), file, indent=1)


main()
