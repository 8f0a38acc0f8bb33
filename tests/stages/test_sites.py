"""Where sessions run, told by what the receiver is."""

from __future__ import annotations

import textwrap

import pytest

from tf_migrate.files.source import read
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.names.run_sites import RunSite, find_sites
from tf_migrate.syntax.module import load


def sites_of(code: str) -> tuple[RunSite, ...]:
    """The sites of a program; TensorFlow is imported behind it, so that its lines stay what they are."""
    module = load(read("train.py", f"{textwrap.dedent(code)}\nimport tensorflow as tf\n".encode()))
    return find_sites(module, Names(module, Index([("train", False)], {})))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("sess = tf.Session()\nsess.run(x)", "Session.run"),
        ("with tf.Session(config=c) as s:\n    s.run(x)", "Session.run"),
        ("with tf.Graph().as_default(), tf.Session() as s:\n    s.run(x)", "Session.run"),
        ("def f(sess):\n    return sess.run(x)", "Session.run"),
        ("class A:\n    def f(self):\n        return self.sess.run(self.loss)", "Session.run"),
        (
            "class A:\n    def __init__(self):\n        self.s = tf.Session()\n    def f(self): self.s.run(1)",
            "Session.run",
        ),
        ("tf.get_default_session().run(x)", "Session.run"),
        ("with self.test_session() as s:\n    s.run(x)", "Session.run"),
        ("step = tf.Session().make_callable(x)", "make_callable"),
        ("with tf.train.MonitoredTrainingSession() as m:\n    m.run(x)", "MonitoredSession.run"),
        ("loss = tf.reduce_sum(x)\nloss.eval()", "Tensor.eval"),
        ("loss.eval(feed_dict={x: 1})", "Tensor.eval"),
        ("loss.eval({x: 1})", "Tensor.eval"),
        ("loss.eval({self.x: 1, y: 2}, sess)", "Tensor.eval"),
        ("loss.eval({self.inputs[0]: 1, inputs[name]: 2})", "Tensor.eval"),
        ("tf.reduce_sum(x).eval(session=s)", "Tensor.eval"),
        ("w = tf.Variable(0)\ny = w + 1\ny.eval()", "Tensor.eval"),
        ("with self.test_session():\n    self.assertAllEqual([0], average.eval())", "Tensor.eval"),
        ("with tf.Session():\n    print(model.outputs()[0].eval())", "Tensor.eval"),
        ("a, b = [tf.Session() for _ in range(2)]\nb.run(x)", "Session.run"),
        ("held = {'a': tf.Session()}\nheld['a'].run(x)", "Session.run"),
        ("held = dict(a=tf.Session(), b=tf.Session())\nfor s in held.values():\n    held['a'].run(x)", "Session.run"),
        ("for s in [tf.Session(), tf.Session()]:\n    s.run(x)", "Session.run"),
        ("def f():\n    return tf.Session()\none = f()\none.run(x)", "Session.run"),
        ("class A:\n    def f(self):\n        return tf.Session()\ns = A().f()\ns.run(x)", "Session.run"),
        (
            "class P:\n    def get(self):\n        return tf.Session()\np = P()\none = p.get()\none.run(x)",
            "Session.run",
        ),
        (
            "class P:\n    def get(self):\n        return tf.Session()\n"
            "class A:\n    def f(self):\n        self.p = P()\n        self.p.get().run(x)",
            "Session.run",
        ),
        ("from others import opened\nsess = opened()\nsess.run(x)", "Session.run"),
        ("with model.on(server.target) as sess:\n    sess.run(x)", "Session.run"),
        ("train.run(feed_dict={x: 1})", "Operation.run"),
        ("tf.global_variables_initializer().run()", "Operation.run"),
    ],
)
def test_a_session_runs_here(code: str, kind: str) -> None:
    (site,) = sites_of(code)
    assert site.kind == kind


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess\nsubprocess.run(['ls'])",
        "tf.app.run()",
        "tf.app.run(main=main)",
        "app = Flask()\napp.run()",
        "frame.eval('a + b')",
        "tree.eval({'a': 1})",
        "tree.eval({})",
        "model.eval()",
        "session = requests.Session()\nsession.run()",
        "sess = onnxruntime.InferenceSession(path)\nsess.run(None, feeds)",
        "runner.run(sess)",
        "class P:\n    def get(self):\n        return tf.Session()\n"
        "waiting = queue.Queue()\njob = waiting.get()\njob.run(2)",
        "x = tf.constant(1)\nx.numpy()",
        "with tf.Session():\n    network.eval()",
        "value = expression.eval()",
        "class Expression:\n    def eval(self): return 1\nwith tf.Session():\n    print(Expression().eval())",
    ],
)
def test_no_session_runs_here(code: str) -> None:
    assert sites_of(code) == ()


@pytest.mark.parametrize(
    ("code", "initializes"),
    [
        ("sess.run(tf.global_variables_initializer())", True),
        ("init = tf.global_variables_initializer()\nsess.run(init)", True),
        (
            "init = tf.group(tf.tables_initializer())\nsess.run(init)",
            True,
        ),
        ("sess.run([tf.global_variables_initializer(), tf.tables_initializer()])", True),
        ("sess.run(w.initializer)", True),
        ("sess.run([tf.global_variables_initializer(), loss])", False),
        ("init = tf.global_variables_initializer()\ninit = tf.group(init, train)\nsess.run(init)", False),
        ("sess.run(loss)", False),
    ],
)
def test_a_run_that_only_initializes(code: str, initializes: bool) -> None:
    (site,) = sites_of(code)
    assert site.initializer_only is initializes


def test_place_and_function() -> None:
    first, second = sites_of(
        """
        class Agent:
            def act(self, state):
                é = self.sess.run(self.q, {self.s: state})
                return é, self.sess.run(self.v)
        """
    )
    assert (first.line, first.column, first.function) == (4, 13, "Agent.act")
    assert (second.line, second.column) == (5, 19)


def test_sites_inside_one_call_are_all_found() -> None:
    assert [site.column for site in sites_of("print(sess.run(a), sess.run(b))")] == [7, 20]
