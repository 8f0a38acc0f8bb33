"""Graphs that an object enters in its `__enter__`, or a script by hand. The output is TensorFlow 1.15.5's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

SCOPE = """\
import tensorflow as tf


class Scope(object):
    def __init__(self, name):
        self.name, self.graph = name, tf.Graph()

    def __enter__(self):
        print("enter", self.name)
        self.default = self.graph.as_default()
        self.default.__enter__()
        return self.graph

    def __exit__(self, *error):
        print("leave", self.name)
        self.default.__exit__(*error)


scope = Scope("main")
with scope as graph:
    x = tf.placeholder(tf.float32, [None])
    v = tf.get_variable("v", [], initializer=tf.constant_initializer(3.0))
    y = x * v
    init = tf.global_variables_initializer()
session = tf.Session(graph=graph)
session.run(init)
print(session.run(y, {x: [1.0, 2.0]}).tolist(), [op.name for op in graph.get_operations()][:2])
"""
ENGINE = """\
import numpy as np
import tensorflow as tf


class Engine(object):
    _graph = tf.Graph()
    _session = None
    runs = 0

    @classmethod
    def run(cls, *args, **kwargs):
        cls.runs += 1
        if cls._session is None:
            cls._session = tf.Session(graph=cls._graph)
        return cls._session.run(*args, **kwargs)

    def __enter__(self):
        self.context = self._graph.as_default()
        self.context.__enter__()
        return self

    def __exit__(self, *error):
        return self.context.__exit__(*error)


with Engine() as engine:
    x = tf.placeholder(tf.float64, name="x")
    z = tf.cumsum(x * 3.0 + 1.0)
    n = tf.get_variable("n", (), tf.int64, initializer=tf.zeros_initializer())
    bump = tf.count_up_to(n, 3)
    init = tf.global_variables_initializer()

Engine.run(init)
print(Engine.run(z, {x: np.arange(4)}).tolist())
try:
    while True:
        print(engine.run(bump))
except tf.errors.OutOfRangeError:
    print("enough", Engine.run(n), Engine.runs)
"""
BY_HAND = """\
import tensorflow as tf

first, second = tf.Graph(), tf.Graph()
entered = first.as_default()
entered.__enter__()
a = tf.placeholder(tf.int32, [], name="a")
twice = a * 2
entered.__exit__(None, None, None)
entered = second.as_default()
entered.__enter__()
b = tf.placeholder(tf.int32, [], name="a")
thrice = b * 3
entered.__exit__(None, None, None)
with tf.Session(graph=second) as session:
    print(session.run(thrice, {b: 2}), thrice.name)
with tf.Session(graph=first) as session:
    print(session.run(twice, {a: 2}), twice.name)
"""
CASES = {
    "scope": (SCOPE, "enter main\nleave main\n[3.0, 6.0] ['Placeholder', 'v/Initializer/Const']\n"),
    "engine": (ENGINE, "[1.0, 5.0, 12.0, 22.0]\n0\n1\n2\nenough 3 7\n"),
    "by hand": (BY_HAND, "6 mul:0\n4 mul:0\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_built_in_it_is_of_that_graph(name: str, tmp_path: Path) -> None:
    code, expected = CASES[name]
    outcome = migrated(code, tmp_path)
    assert {site.tier for site in outcome.report.sites} <= {"native", "dynamic"}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == expected
