"""What tests that become one function may reach: libraries, methods of the test itself, `setUp` of other modules."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.test_cases import fails, passes
from tests.native.test_traced_cases import RUN, module
from tests.native.trees import reasons
from tests.native.trees import rewritten as rewritten_tree
from tests.native.trees import tiers as tiers_of_tree

LIBRARIES = """\
import tensorflow as tf
import tensorflow_probability as tfp
from tensorflow_probability import distributions as tfd


class Wide(tfd.Normal):
    pass


def named(x, kind):
    if kind == tfp.distributions.Normal or kind == tfd.Categorical:
        return tf.identity(x)
    return -x


LAST = "z"
OTHER = LAST


def checked_keys(given, keys):
    before = None
    for key in keys:
        now = set(keys)
        if before and now != before:
            raise ValueError(key)
        before = now
    if any([word in keys for word in [LAST, "y"]]) or OTHER in keys:
        raise ValueError(keys)
    return given["a"]


def fields(item, *names):
    return [getattr(item, name) for name in names]


def copied(given):
    found = {}
    for key, value in given.items():
        if key not in found:
            found[key] = value
    return found


"""
READY = {
    "distributions of another library": """\
    def testEntropy(self):
        policy = tfp.distributions.Categorical(probs=[0.5, 0.5])
        with self.test_session() as sess:
            self.assertAllClose(sess.run(policy.entropy()), 0.6931472)
""",
    "distributions of another library, by another name": """\
    def testMean(self):
        with self.test_session() as sess:
            self.assertAllClose(sess.run(Wide(2.0, 1.0).mean()), 2.0)
""",
    "several runs that draw of a distribution": """\
    def testDraw(self):
        y = tf.distributions.Normal(Line(2.0)(1.0), 1.0).sample()
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            a = sess.run(y)
            b = sess.run(y)
            self.assertNotEqual(a, b)
            self.assertAllClose(a.shape, b.shape)
""",
    "distributions": """\
    def testLogProb(self):
        line = Line(2.0)
        normal = tf.distributions.Normal(line(0.0), 1.0)
        other = tf.distributions.Normal(1.0, 1.0)
        log_prob = normal.log_prob(1.0)
        distance = tf.distributions.kl_divergence(normal, other)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            first, second = sess.run([log_prob, distance])
            self.assertAllClose([first, second], [-0.9189385, 0.0])
""",
    "linear operators": """\
    def testOperator(self):
        operator = tf.linalg.LinearOperatorDiag([2.0, 3.0])
        y = operator.matvec([1.0, 1.0])
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y), [2.0, 3.0])
""",
    "what a library holds, compared": """\
    def testKind(self):
        y = named(Line(2.0)(1.0), tfp.distributions.Normal)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), 3.0)
""",
    "keys of a dictionary": """\
    def testKeys(self):
        y = copied({"a": tf.ones([2])})["a"]
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y), [1.0, 1.0])
""",
    "summaries and scopes of arguments": """\
    def testScope(self):
        dense = tf.contrib.layers.fully_connected
        with tf.contrib.framework.arg_scope([dense], weights_initializer=tf.ones_initializer()):
            y = dense(tf.ones([1, 2]), 1)
        y = tf.contrib.layers.layer_norm(y) + y
        tf.summary.histogram("y", y)
        mode = tf.estimator.ModeKeys.TRAIN
        if mode == "train" and not tf.executing_eagerly():
            tf.summary.scalar("sum", tf.reduce_sum(y))
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[2.0]])
""",
    "arguments that are called as tensors are": """\
    def testInner(self):
        def times(a, b):
            c = [a for a in (a, b)]
            return tf.multiply(*c)

        scaled = lambda b, by=2.0: by * b
        a, b = tf.ones([2]), tf.constant([1.0, 2.0])
        c = scaled(times(a, b))
        with self.test_session() as sess:
            self.assertAllClose(sess.run(c), [2.0, 4.0])
""",
    "a name that takes the tensor of its value": """\
    def testAgain(self):
        x = np.array([1.0, 2.0], np.float32)
        y = []
        given = x
        x = tf.constant(given)
        for item in (x, x):
            y.append(item)
        y = tf.add_n(y)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y), [2.0, 4.0])
""",
    "values in the order in which they are fed": """\
    def testOrder(self):
        given = iter([1.0, 2.0])
        x = tf.placeholder(tf.float32, [None])
        y = tf.placeholder(tf.float32, [])
        z = Line(2.0)(x) * y
        feed_dict = {y: next(given), x: [next(given)]}
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(z, feed_dict=feed_dict), [5.0])
""",
    "an error that is caught": """\
    def testCaught(self):
        y = Line(2.0)(assured([[1.0]]))
        message = "none"
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            try:
                sess.run(y)
            except tf.errors.InvalidArgumentError:
                message = "caught"
        self.assertEqual(message, "caught")
        self.assertAllClose(1.0, 1.0)
""",
    "a default that is not replaced": """\
    def testDefault(self):
        x = tf.placeholder_with_default(tf.ones([2]), shape=[None])
        y = Line(2.0)(x)
        self.assertEqual(y.shape.as_list(), [None])
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [3.0, 3.0])
""",
    "texts, and values that are true": """\
    def testTexts(self):
        y = checked_keys({"a": Line(2.0)(1.0)}, ["a", "b"])
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), 3.0)
""",
    "equal shapes and names": """\
    def testEqual(self):
        x = tf.ones([2])
        y = Line(2.0)(x)
        shape, other = x.get_shape(), y.get_shape()
        self.assertEqual(shape.as_list(), other.as_list())
        shape = y.get_shape()
        self.assertEqual(x.shape, y.shape)
        self.assertEqual(x.dtype, y.dtype)
        self.assertEqual([x], [x])
        self.assertIn("line", y.name + "line")
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [3.0, 3.0])
""",
    "methods beside one that runs": """\
    def _run(self, y):
        with self.test_session() as sess:
            return sess.run(y)

    def testFields(self):
        y = Wide([1.0, 1.0], 1.0 * fields(np.ones([2]), "ndim")[0]).mean()
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y), [1.0, 1.0])
""",
}


PROBABILITY = """import tensorflow as tf


class Normal(object):
    def __init__(self, loc, scale):
        self.loc, self.scale = loc, scale

    def mean(self):
        return self.loc * tf.ones_like(self.scale)


class Categorical(object):
    def __init__(self, probs):
        self.probs = tf.convert_to_tensor(probs)

    def entropy(self):
        return -tf.reduce_sum(self.probs * tf.math.log(self.probs))
"""


@pytest.fixture
def probability(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of distributions that can be imported."""
    folder = tmp_path / "tensorflow_probability"
    folder.mkdir()
    (folder / "__init__.py").write_text("from . import distributions")
    (folder / "distributions.py").write_text(PROBABILITY)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("tensorflow_probability", "tensorflow_probability.distributions"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.parametrize("methods", READY.values(), ids=READY.keys())
@pytest.mark.usefixtures("probability")
def test_what_may_be_reached(methods: str, tmp_path: Path) -> None:
    """Each of these passes in TF 1.15.5."""
    result = rewritten(LIBRARIES + module(methods))
    inside = [
        site for site in result.sites if not site.initializer_only and site.function not in ("ran", "AnyTest._run")
    ]
    assert {site.tier for site in inside} == {"native"}, [site.reason for site in inside]
    assert rewritten(result.text).text == result.text
    before = result.text.partition("    def test")[2].partition("@tf.function")[0]
    assert not any(word in before for word in ("tf.", "tfp.", "tfd."))
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


REFUSED = {
    "the test itself beside a method that runs": "        y = tfd.Normal(fields(self, 'given')[0], 1.0).mean()\n{run}"
    "            sess.run(y)\n\n    given = 2.0\n\n    def _run(self, y):\n        with self.session() as sess:\n"
    "            return sess.run(y)\n",
    "a tensor asserted to be in a list": "        y = Line(2.0)(1.0)\n        z = [y + 1.0, y]\n"
    "        self.assertIn(y, z)\n{run}            sess.run(y)\n",
    "several runs, of which the first ends with an error": "        y, z = Line(2.0)(1.0), assured([[1.0]])\n{run}"
    "            with self.assertRaises(ValueError):\n                sess.run(z)\n            sess.run(y)\n",
    "another part of a library": "        y = tfp.math.log1psquare(Line(2.0)(1.0))\n{run}            sess.run(y)\n",
    "a tensor that takes the name of a key": "        y = found_in({'a': Line(2.0)(1.0)})\n{run}"
    "            sess.run(y)\n",
    "a function of Python": "        y = tf.py_func(lambda x: 2.0 * x, [Line(2.0)(1.0)], tf.float32)\n"
    "{run}            sess.run(y)\n",
    "a default that is replaced": "        x = tf.placeholder_with_default(Line(2.0)(1.0), [])\n        y = x + 1.0\n"
    "{run}            sess.run(y, {x: 2.0})\n",
    "a run behind an error": "        y = Line(2.0)(1.0)\n{run}            try:\n                sess.run(y)\n"
    "            except ValueError:\n                sess.run(y + 1.0)\n",
    "a tensor that is true": "        y = [Line(2.0)(1.0)]\n        z = y if same(y[0], y[-1]) else []\n{run}"
    "            sess.run(z)\n",
    "what is fed is made behind what builds": "        x = tf.placeholder(tf.float32, [])\n        y = Line(2.0)(x)\n"
    "        given = iter([1.0])\n        feed_dict = {x: next(given)}\n{run}            sess.run(y, feed_dict)\n",
}
FOUND_IN = """\
def found_in(given):
    for key, value in given.items():
        key = value
        return tf.to_float(key == value)


"""


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_what_may_not_be_reached(body: str) -> None:
    test = f"    def testAny(self):\n{body.replace('{run}', RUN)}"
    result = rewritten(LIBRARIES + FOUND_IN + module(test))
    sites = [site for site in result.sites if site.function == "AnyTest.testAny" and not site.initializer_only]
    assert sites
    assert {site.tier for site in sites} == {"bridge"}
    assert all(site.reason and site.next_step for site in sites)


BASE = """import tensorflow as tf


class BaseTest(tf.test.TestCase):
    def setUp(self):
        super(BaseTest, self).setUp()
        self.given = [1.0, 2.0]
        tf.reset_default_graph()
"""
DERIVED = """import tensorflow as tf
from base import BaseTest


class AnyTest(BaseTest):
    def testSum(self):
        y = tf.reduce_sum(self.given)
        with self.test_session() as sess:
            self.assertAllClose(sess.run(y), 3.0)
"""


def test_a_set_up_of_another_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new graph in the place of an empty one changes nothing."""
    outcome = rewritten_tree(tmp_path, {"base.py": BASE, "any_test.py": DERIVED})
    assert tiers_of_tree(outcome) == {"native"}, reasons(outcome)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "base", raising=False)
    passes((tmp_path / "any_test.py").read_text(), tmp_path, 1)


@pytest.mark.parametrize(
    "replaced",
    ["self.given = tf.constant([1.0, 2.0])", "self.given = [1.0, 2.0]\n        tf.get_default_graph()"],
    ids=["a part of the graph", "a look at the graph"],
)
def test_a_set_up_of_another_module_that_builds(replaced: str, tmp_path: Path) -> None:
    base = BASE.replace("self.given = [1.0, 2.0]", replaced)
    outcome = rewritten_tree(tmp_path, {"base.py": base, "any_test.py": DERIVED})
    assert tiers_of_tree(outcome) == {"bridge"}
