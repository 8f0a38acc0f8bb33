"""Graphs that a script makes by name: what is built in their blocks, and run in their sessions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

BUILD = """\
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [None])
    w = tf.Variable(2.0)
    loss = tf.reduce_sum(x * w)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    init = tf.global_variables_initializer()
"""
RUN = """\
with tf.Session(graph=graph) as sess:
    sess.run(init)
    for _ in range(2):
        print("%.3f" % sess.run([loss, train], {x: [1.0, 2.0]})[0])
    print("%.3f" % w.eval())
"""
NATIVE = {
    "a block and a session": BUILD + RUN,
    "options": BUILD + RUN.replace("(graph=graph)", "(graph=graph, config=tf.ConfigProto(allow_soft_placement=True))"),
    "a session that is closed": BUILD
    + "sess = tf.Session(graph=graph)\nsess.run(init)\nprint(sess.run(loss, {x: [3.0]}))\nsess.close()\n",
    "both in one statement": BUILD.replace("graph.as_default():", "graph.as_default(), tf.Session() as sess:")
    + "    sess.run(init)\n    print(sess.run(loss, {x: [3.0]}))\n",
    "two blocks": BUILD
    + "with graph.as_default():\n    twice = loss * 2.0\n"
    + RUN
    + "with tf.Session(graph=graph) as sess:\n    tf.global_variables_initializer().run()\n"
    + "    print(sess.run(twice, {x: [1.0]}))\n",
    "a session inside": BUILD
    + "    with tf.Session() as sess:\n        sess.run(init)\n        print(sess.run(loss, {x: [3.0]}))\n",
    "in a function that runs": BUILD
    + "sess = tf.Session(graph=graph)\nsess.run(init)\n\n\ndef predict(values):\n    with graph.as_default():\n"
    + "        return sess.run(loss, {x: values})\n\n\nprint(predict([1.0]), predict([2.0]))\n",
    "built on in the session": BUILD + RUN.replace("    sess.run(init)\n", "    y = loss + 1.0\n    sess.run(init)\n"),
    "a session in the block": BUILD + "    sess = tf.Session()\nsess.run(init)\nprint(sess.run(loss, {x: [3.0]}))\n",
    "behind another graph": "import tensorflow as tf\n\nold = tf.Variable(1.0)\nsess = tf.Session()\n"
    + "sess.run(old.initializer)\nprint(sess.run(old * 2.0))\nsess.close()\n"
    + BUILD.partition("\n")[2]
    + RUN,
    "behind a reset": BUILD.replace("\n\n", "\n\ntf.reset_default_graph()\n") + RUN,
    "in a function": BUILD.partition("graph")[0]
    + "\ndef main():\n"
    + "".join(f"    {line}\n" for line in (BUILD.partition("tf\n\n")[2] + RUN).splitlines())
    + "\n\nmain()\n",
}


@pytest.mark.parametrize("code", NATIVE.values(), ids=NATIVE.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    result = made_native(code)
    assert "graph" not in result.text
    assert printed(result.text) == run_legacy(code)


MODEL = """\
import tensorflow as tf


class Model(object):
    def __init__(self, size):
        self.size = size
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None])
            self.w = tf.Variable(2.0)
            self.loss = tf.reduce_sum(self.x * self.w * self.size)
            self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)
            init = tf.global_variables_initializer()
        self.sess = tf.Session(graph=self.graph)
        self.sess.run(init)

    def fit(self, values):
        return self.sess.run([self.loss, self.train], {self.x: values})[0]

    def predict(self, values):
        with self.graph.as_default():
            return self.sess.run(self.loss, {self.x: values})


model = Model(2.0)
print(model.fit([1.0]), model.predict([2.0]))
"""


def test_the_graph_of_an_object(run_legacy: Callable[..., str]) -> None:
    result = made_native(MODEL)
    assert "graph" not in result.text
    assert printed(result.text) == run_legacy(MODEL)


OF_OBJECTS = {
    "two objects": ("model = Model(2.0)", "model = Model(3.0)\nmodel = Model(2.0)", "`tf.Graph` is not understood"),
    "asked from outside": ("print(model.fit", "print(model.graph.version)\nprint(model.fit", "`model.graph`, a graph"),
    "another one later": ("print(model.fit", "model.graph = None\nprint(model.fit", "`tf.Graph` is not understood"),
    "handed on": ("init = tf", "show(self.graph)\n            init = tf", "`self.graph`, a graph, is used for more"),
    "a session of another": ("graph=self.graph", "", "the session is not one of `self.graph`"),
}


@pytest.mark.parametrize("name", OF_OBJECTS)
def test_refused_for_objects(name: str) -> None:
    old, new, reason = OF_OBJECTS[name]
    assert old in MODEL
    refuses(MODEL.replace(old, new), reason)


DEFAULT = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.w = tf.Variable(2.0)
        self.loss = tf.reduce_sum(self.x * self.w)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())

    def predict(self, values):
        with self.sess.as_default():
            # of the session around
            return self.loss.eval({self.x: values})


net = Net()
print(net.predict([1.0]), net.predict([2.0]))
"""


def test_a_method_makes_its_session_the_default_one(run_legacy: Callable[..., str]) -> None:
    result = made_native(DEFAULT)
    assert "        # of the session around\n        return self.compute_loss(values).numpy()\n" in result.text
    assert printed(result.text) == run_legacy(DEFAULT)


def test_refused_where_the_block_names_the_session() -> None:
    refuses(DEFAULT.replace("as_default():", "as_default() as own:"), "`.as_default()` of a part of the graph")


MORE = "`graph`, a graph, is used for more than to build it"
REFUSED = {
    "asked for its operations": (
        "sess.run(init)",
        "print(graph.get_operations())\n    sess.run(init)",
        MORE,
    ),
    "another name": (
        "graph = tf.Graph()\n",
        "graph = tf.Graph()\nother = graph\n",
        MORE,
    ),
    "bound again": (RUN, f"{RUN}graph = None\n", "`tf.Graph` is not understood"),
    "two graphs": ("graph = tf.Graph()\n", "graph = tf.Graph()\nother = tf.Graph()\n", "`tf.Graph` is not understood"),
    "built beside it": (RUN, f"z = tf.placeholder(tf.float32)\n{RUN}", "a part of the graph is built beside `graph`"),
    "built before it, behind its name": (
        "graph = tf.Graph()\n",
        "graph = tf.Graph()\nz = tf.Variable(1.0)\n",
        "a part of the graph is built beside `graph`",
    ),
    "a session of another": ("tf.Session(graph=graph)", "tf.Session()", "the session is not one of `graph`"),
    "a session of another by its name": (
        "tf.Session(graph=graph)",
        "tf.Session(graph=tf.get_default_graph(), config=tf.ConfigProto())",
        "the session is not one of `graph`",
    ),
    "the other one is thrown away": (RUN, f"tf.reset_default_graph()\n{RUN}", "is thrown away beside another one"),
    "another beside it": (
        RUN,
        f"with tf.Graph().as_default():\n    z = tf.Variable(1.0)\n{RUN}",
        "`tf.Graph` is not understood",
    ),
    "in a loop": (
        "graph = tf.Graph()\n",
        "for _ in range(2):\n    graph = tf.Graph()\n",
        "`tf.Graph` is not understood",
    ),
    "a name of the block": (
        "graph.as_default():",
        "graph.as_default() as again:",
        MORE,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    code = BUILD + RUN
    assert old in code
    refuses(code.replace(old, new), reason)
