"""Every place that runs a session is in the report, by whatever name it does."""

from __future__ import annotations

import re
import textwrap

import pytest

from tests.native.native import printed, rewritten

HEAD = """\
import functools
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
w = tf.Variable(2.0)
y = x * w
train = w.assign_add(1.0)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""


def sites_of(code: str) -> list[int]:
    """The lines of the runs in the report; all but initializers stay on the bridge, each for a reason."""
    result = rewritten(code)
    found = [site for site in result.sites if not site.initializer_only]
    assert all(site.tier == "bridge" and site.reasons for site in found)
    return [site.line for site in found]


def marked(code: str) -> list[int]:
    """The lines that end in `# run`."""
    return [number for number, line in enumerate(code.splitlines(), 1) if re.search(r"# run$", line)]


PROGRAMS = {
    "another name": (
        """\
        run = sess.run
        print(run(y, {x: 3.0}))  # run
        """,
        "6.0\n",
    ),
    "handed to a function": (
        """\
        def evaluate(op, run):
            return run(op, {x: 1.0})  # run
        print(evaluate(y, sess.run))
        """,
        "2.0\n",
    ),
    "handed on as a default and by keyword": (
        """\
        def inner(fetch):
            return fetch(w)  # run
        def outer(op=y, get=sess.run):
            print(inner(fetch=get))
            return get(op, {x: 5.0})  # run
        print(outer())
        """,
        "2.0\n10.0\n",
    ),
    "a partial call": (
        """\
        step = functools.partial(sess.run, [train, y])  # run
        print(step(feed_dict={x: 2.0})[1] in (4.0, 6.0))  # run
        """,
        "True\n",
    ),
    "an attribute": (
        """\
        class Agent:
            def __init__(self, session):
                self._get = functools.partial(session.run, y)  # run

            def act(self, value):
                return self._get({x: value})  # run
        print(Agent(sess).act(4.0))
        """,
        "8.0\n",
    ),
    "handed to a library": (
        """\
        print(list(map(sess.run, [w, w])))  # run
        """,
        "[2.0, 2.0]\n",
    ),
    "in a dictionary": (
        """\
        actions = {
            "get": sess.run,  # run
        }
        print(actions["get"](w))
        """,
        "2.0\n",
    ),
    "a tensor's method": (
        """\
        get = y.eval
        print(get({x: 6.0}, sess))  # run
        """,
        "12.0\n",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_runs_by_other_names(name: str) -> None:
    body, shown = PROGRAMS[name]
    code = HEAD + textwrap.dedent(body)
    assert sites_of(code) == marked(code)
    assert re.sub(r"np\.float32\(([\d.]+)\)", r"\1", printed(rewritten(code).text)) == shown


MODELS = """\
import tensorflow as tf


class Model:
    def __init__(self):
        self.x = tf.Variable(1.5)
        self.w = {}
        self.all = []
        for name in ("a", "b"):
            self.w[name] = tf.Variable(0.5)
        self.both = [self.x + 1.0, self.x + 2.0]


class Trainer:
    def __init__(self):
        self.model = Model()
        self.sess = tf.InteractiveSession()
        self.sess.run(tf.global_variables_initializer())

    def show(self, name):
        print(self.model.x.eval(self.sess))  # run
        print(self.model.w[name].eval())  # run
        print([each.eval() for each in self.model.both], self.model.both[0].eval())  # run


Trainer().show("a")
"""


def test_methods_of_what_attributes_and_subscripts_hold() -> None:
    assert sorted(set(sites_of(MODELS))) == marked(MODELS)
    assert printed(rewritten(MODELS).text).startswith("1.5\n0.5\n")


OPTIMIZER = """\
import tensorflow as tf

w = tf.Variable(5.0)
loss = tf.square(w - 3.0)
optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, method="L-BFGS-B")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    optimizer.minimize(sess)  # run
    tf.contrib.opt.ScipyOptimizerInterface(loss, method="CG").minimize(session=sess)  # run
"""


def test_an_optimizer_that_runs_the_session() -> None:
    assert sites_of(OPTIMIZER) == marked(OPTIMIZER)
    (first, *_) = [site for site in rewritten(OPTIMIZER).sites if site.line == marked(OPTIMIZER)[0]]
    assert first.reasons[0].code == "handed-run"


OTHERS = """\
import functools
import tensorflow as tf


def rate(step):
    return tf.train.exponential_decay(0.1, step, 10, 0.5)


class Pool:
    def run(self):
        return self

    def minimize(self, session):
        return session


run = Pool().run
partial = functools.partial(Pool().run)
Pool().minimize("sess")
net = {"eval": print}
net["eval"](1)
"""


OWN = """\
import tensorflow as tf


class Model:
    def eval(self, sess):
        return sess.run(self.y)  # run


def report(model, sess):
    return model.best.eval(sess)
"""


def test_a_method_of_the_users_own_is_no_run() -> None:
    assert sites_of(OWN) == marked(OWN)


def test_other_methods_of_those_names_are_no_runs() -> None:
    assert rewritten(OTHERS).sites == ()
