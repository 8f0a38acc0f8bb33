"""Graphs that sessions enter: their stores are entered in the place of those."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

A_FUNCTION = """\
import numpy as np
import tensorflow as tf


def predict(kind, rows):
    with tf.Session(graph=tf.Graph()) as sess:
        tf.set_random_seed(4)
        x = tf.placeholder(tf.float32, [None, 3])
        with tf.variable_scope(kind):
            w = tf.get_variable("w", [3, 2])
        y = tf.matmul(x, w)
        sess.run(tf.global_variables_initializer())
        return [v.name for v in tf.trainable_variables()], sess.run(y, {x: rows}).round(5).tolist()


print(predict("a", np.ones([1, 3])))
print(predict("b", np.ones([2, 3])))
"""

A_METHOD = """\
import tensorflow as tf


class Scorer(object):
    def __init__(self, scale):
        self.scale = scale

    def score(self, values):
        out = []
        with tf.device("/cpu:0"), tf.Session("", tf.Graph()) as session:
            total = tf.Variable(0.0, name="total")
            given = tf.placeholder(tf.float32, [])
            add = tf.assign_add(total, given * self.scale)
            tf.global_variables_initializer().run()
            for v in values:
                out.append(float(session.run(add, feed_dict={given: v})))
            out.append(float(total.eval()))
            print([v.name for v in tf.global_variables()], len(session.graph.get_operations()) > 3)
        return out


def main(_):
    v = tf.Variable(1.0)
    for s in (1.0, 2.0):
        print(Scorer(s).score([1.0, 2.0, 3.5]))
    print(v.name)


tf.app.run(main)
"""

FOR_THE_REST = """\
import numpy as np
import tensorflow as tf

# building the graph that a file holds
with tf.Graph().as_default() as other:
    a = tf.placeholder(tf.float32, [None, 2], name="a")
    b = tf.identity(tf.reduce_sum(a * a, 1), name="b")
definition = other.as_graph_def()

graph = tf.Graph()
sess = tf.InteractiveSession(graph=graph)
t_input = tf.placeholder(np.float32, name="input")
tf.import_graph_def(definition, {"a": t_input - 1.0})
layers = [op.name for op in graph.get_operations() if op.type == "Mul"]
print(layers)


def T(layer):
    return graph.get_tensor_by_name("import/%s:0" % layer)


def render(t_obj, start, count=3, step=0.1):
    t_score = tf.reduce_mean(t_obj)
    t_grad = tf.gradients(t_score, t_input)[0]
    img = start.copy()
    for _ in range(count):
        g, score = sess.run([t_grad, t_score], {t_input: img})
        img += g * step
        print("%.4f" % score)
    return img


print(render(T("b"), np.float32([[1.0, 2.0], [3.0, 4.0]])))
"""

FROM_MAIN = """\
import tensorflow as tf


def main():
    tf.set_random_seed(1)
    session = tf.InteractiveSession("", tf.Graph())
    tf.set_random_seed(7)
    x = tf.placeholder(tf.float32, [None, 3])
    w = tf.Variable(tf.random_normal([3, 1]), name="w")
    y = tf.matmul(x, w)
    loss = tf.reduce_mean(tf.square(y - 1.0))
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    tf.global_variables_initializer().run()
    for i in range(4):
        train.run({x: [[1.0, 2.0, float(i)]]})
        print("%.5f" % loss.eval({x: [[1.0, 2.0, 3.0]]}))
    print([v.name for v in tf.global_variables()][:2], session.graph is tf.get_default_graph())


if __name__ == "__main__":
    main()
"""

LEFT = """\
import tensorflow as tf

first = tf.constant(1.0, name="first")
graph = tf.Graph()
sess = tf.InteractiveSession(graph=graph)
x = tf.placeholder(tf.float32, [], name="x")
print(sess.run(x * 2.0, {x: 3.0}))
sess.close()
y = first + 1.0
with tf.Session() as again:
    print(again.run(y), y.name)
"""

KEPT_IN_A_DICTIONARY = """\
import tensorflow as tf


def build():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.multiply(x, 2.0, name="y")
    return graph


graphs = {"one": build()}
sess = tf.InteractiveSession(graph=graphs["one"])
print([op.name for op in tf.get_default_graph().get_operations()][0])
z = sess.graph.get_tensor_by_name("y:0") + 1.0
print(sess.run(z, {"x:0": 3.0}))
"""

ENTERED = [A_FUNCTION, A_METHOD, FOR_THE_REST, FROM_MAIN]


@pytest.mark.parametrize("program", ENTERED, ids=["in a function", "in a method", "for the rest", "from main"])
def test_a_graph_made_for_a_session(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    assert "compat.VariableStore()" in text
    assert "Session" not in text
    assert said_by(text, tmp_path) == run_legacy(program)


@pytest.mark.parametrize("program", [LEFT, KEPT_IN_A_DICTIONARY], ids=["left by hand", "kept in a dictionary"])
def test_a_graph_that_stays_on_the_bridge(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert "session-of-graph" in {reason.code for site in outcome.report.sites for reason in site.reasons}
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
