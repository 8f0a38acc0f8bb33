"""Runs that fetch and feed by the names of tensors: their steps look names up in the graph that the run was of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

# Closures over sessions of graphs of their own, which are called when no graph is entered.
DETECTORS = """\
import tensorflow as tf


def net(scale):
    x = tf.placeholder(tf.float32, [None], "input")
    w = tf.get_variable("w", initializer=scale)
    tf.identity(x * w, name="prob")
    tf.reduce_sum(x + w, name="total")


def load(sess, value):
    sess.run(tf.global_variables_initializer())
    sess.run(tf.assign(tf.global_variables()[0], value))


def make():
    with tf.Graph().as_default() as graph:
        sess = tf.Session(graph=graph)
        with tf.variable_scope("first"):
            net(2.0)
        load(sess, 3.0)
    return lambda image: sess.run(("first/prob:0", "first/total:0"), feed_dict={"first/input:0": image})


other = tf.Graph()
with other.as_default():
    net(5.0)
    second_sess = tf.Session(graph=other)
    load(second_sess, 7.0)
    second = lambda image: second_sess.run("prob:0", {"input:0": image})
    unused = lambda image: second_sess.run("total:0", {"input:0": image})

first = make()
for turn in range(2):
    prob, total = first([1.0, 2.0 + turn])
    print(prob.tolist(), total, second([1.0, 2.0]).tolist())
"""
# A script over one default graph, whose operations are fetched by name, too.
SCRIPT = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
w = tf.Variable(1.0, name="w")
tf.assign_add(w, x, name="grow")
tf.multiply(w, x, name="product")
tf.group(tf.assign(w, w * 2.0), name="double")


def main():
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for value in (1.0, 2.0, 3.0):
            print(sess.run("product:0", {"x:0": value}))
            sess.run("double")
            print(sess.run(["grow:0", "w:0"], feed_dict={"x:0": value}))


main()
"""
# The names are given elsewhere, or are those of parts that are built while the program runs.
GIVEN = """\
import tensorflow as tf


def ask(sess, name, feeds):
    return sess.run(name, feeds)


with tf.Graph().as_default():
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.square(x, name="y")
    sess = tf.Session()
print(ask(sess, "y:0", {"x:0": 3.0}))
print(ask(sess, "y:0", {"x:0": 4.0}))
"""
GROWING = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
with tf.Session() as sess:
    for turn in range(3):
        tf.add(x, float(turn), name="y%d" % turn)
        print(sess.run("y%d:0" % turn, {"x:0": 1.0}), sess.run("y0:0", {"x:0": 2.0}))
"""


@pytest.mark.parametrize("program", [DETECTORS, SCRIPT], ids=["detectors", "script"])
def test_known_names_are_fetches_and_inputs(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)


@pytest.mark.parametrize(("program", "tier"), [(GIVEN, "bridge"), (GROWING, "dynamic")], ids=["given", "growing"])
def test_names_of_which_nobody_knows_what_they_are(
    program: str, tier: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert tier in {site.tier for site in outcome.report.sites}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)


def test_a_run_by_names_where_its_graph_is_not_entered_is_told(tmp_path: Path) -> None:
    outcome = migrated(GIVEN, tmp_path)
    assert "graph-by-name" in {reason.code for site in outcome.report.sites for reason in site.reasons}
