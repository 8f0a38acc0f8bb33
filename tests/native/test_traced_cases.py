"""Tests of users that become one function as a whole: what builds the graph moves into it, whatever that computes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import Rewritten, rewritten
from tests.native.test_cases import BRIDGED, fails, passes

HEAD = """\
import numpy as np
import tensorflow as tf
from absl.testing import parameterized


class Line(object):
    count = 0

    def __init__(self, slope, name="line"):
        self._slope = slope
        self._name = name

    def __call__(self, x):
        with tf.variable_scope(None, default_name=self._name):
            slope = tf.get_variable("slope", [], initializer=tf.constant_initializer(self._slope))
            self.slope = slope
            return self._finished(x * slope)

    def _finished(self, y):
        return y + tf.get_variable("start", [], initializer=tf.ones_initializer())

    def changed(self):
        return tf.assign_add(self.slope, 1.0)


class Counting(tf.nn.rnn_cell.BasicRNNCell):
    def call(self, inputs, state):
        tf.assign(tf.get_variable("calls", [], initializer=tf.zeros_initializer()), 1.0)
        return super(Counting, self).call(inputs, state)


def made(kind):
    def make(x):
        return kind(2.0)(x)
    return make


def checked(x):
    tf.assert_positive(x)
    return x


def assured(x):
    with tf.control_dependencies([tf.assert_equal(tf.rank(x), 1)]):
        return tf.identity(x)


def same(a, b):
    return a == b


def alike(a, b):
    return isinstance(a, int) and isinstance(b, int) and a == b


def noisy():
    return tf.constant(np.random.rand(), tf.float32)


def ran(y):
    with tf.Session() as sess:
        return sess.run(y)


"""
CLASS = "class AnyTest(tf.test.TestCase):\n"
SET_UP = """\
    def setUp(self):
        super(AnyTest, self).setUp()
        # What both tests take.
        self.x = tf.constant([1.0, 2.0])
        self.expected = [2.0, 4.0]
        self.loss = tf.reduce_sum(tf.square(self.x))

"""


def module(*methods: str, head: str = CLASS) -> str:
    return HEAD + head + "\n".join(methods)


def tiers(result: Rewritten) -> list[str]:
    """The tiers of the runs of the tests."""
    own = [site for site in result.sites if site.function != "ran" and not site.initializer_only]
    return [site.tier for site in own]


NATIVE = {
    "an object that makes variables": """\
    def testLine(self):
        line = Line(2.0)
        y = line(tf.constant([1.0, 2.0]))
        again = line(y)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            first, second = sess.run([y, again])
            self.assertAllClose(first, [3.0, 5.0])
            self.assertAllClose(second, [7.0, 11.0])
""",
    "the names of variables": """\
    def testNames(self):
        lines = [Line(2.0), Line(3.0, name="other"), Line(4.0)]
        y = tf.add_n([line(1.0) for line in lines])
        names = [line.slope.name for line in lines]
        self.assertEqual(names, ["line/slope:0", "other/slope:0", "line_1/slope:0"])
        with self.cached_session() as sess:
            tf.global_variables_initializer().run()
            self.assertAllClose(y.eval(), 12.0)
""",
    "a function that another makes": """\
    def testMade(self):
        x = tf.placeholder(tf.float32, [None], name="x")
        y = made(Line)(x)
        self.assertEqual(y.get_shape().as_list(), [None])
        init = tf.global_variables_initializer()
        with self.session() as sess:
            sess.run(init)
            feed_dict = {x: np.array([1.0, 2.0])}
            self.assertAllClose(sess.run(y, feed_dict=feed_dict), [3.0, 5.0])
""",
    "gradients of what setUp builds": SET_UP
    + """\
    def testGradient(self):
        gradients = tf.gradients([-self.loss], [self.x])
        with self.test_session() as sess:
            found = sess.run(gradients[0])
            self.assertAllClose(found, [-2.0, -4.0])
""",
    "several runs of which none is fed": SET_UP
    + """\
    def testBoth(self):
        with self.test_session() as sess:
            gradients = tf.gradients([self.loss], [self.x])
            third = tf.gradients([self.loss * 3.0], [self.x])
            self.assertAllClose(sess.run(third[0]), 3.0 * sess.run(gradients[0]))
""",
    "results that take the names of the tensors": """\
    def testRebound(self):
        line = Line(2.0)
        y = line(3.0)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            y, slope = sess.run([y, line.slope])
            self.assertAllClose(y, 7.0)
            self.assertAllClose(slope, 2.0)
""",
    "values that both sides need": """\
    def testValues(self):
        line = Line(2.0)
        given = [1.0, 2.0]
        y = line(given)
        expected = np.array([3.0, 5.0])
        self.assertEqual(line._slope, 2.0)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), expected)
""",
    "an error that the run ends with": """\
    def testError(self):
        x = tf.placeholder(tf.float32, None)
        y = assured(x)
        with self.test_session() as sess:
            with self.assertRaises(tf.errors.InvalidArgumentError):
                sess.run(y, {x: 1.0})
        self.assertAllClose(3.0, 3.0)
""",
    "an error of building": """\
    def testShape(self):
        y = Line(2.0)([1.0, 2.0])
        with self.assertRaises(ValueError):
            tf.reshape(y, [3])
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [3.0, 5.0])
""",
    "lists of variables, and collections": """\
    def testLists(self):
        y = Line(2.0)(Line(3.0)([1.0, 2.0]))
        tf.losses.mean_squared_error([0.0, 0.0], y)
        (loss,) = tf.get_collection(tf.GraphKeys.LOSSES)
        tf.add_to_collection("mine", loss * 2.0)
        variables = tf.trainable_variables()
        self.assertEqual([v.name for v in variables][::2], ["line/slope:0", "line_1/slope:0"])
        self.assertEqual(len(tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)), 4)
        gradients = tf.gradients(tf.get_collection("mine"), variables)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            loss, gradients = sess.run([loss, gradients])
            self.assertAllClose(loss, 153.0)
            self.assertAllClose(gradients, [156.0, 96.0, 282.0, 48.0])
""",
    "numbers that are compared": """\
    def testAlike(self):
        y = Line(2.0)(tf.constant([1.0, 2.0]))
        size = y.shape[0].value
        y = y + 1.0 if alike(size, 2) else y
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [4.0, 6.0])
""",
    "random numbers": """\
    def testRandom(self):
        x, y = tf.random_normal([3]), tf.random_normal([3])
        w = tf.get_variable("w", [2, 3])
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            first, second, weights = sess.run([x, y, w])
            self.assertEqual(weights.shape, (2, 3))
            self.assertNotEqual(list(first), list(second))
            self.assertAllClose(first * 0.0, [0.0, 0.0, 0.0])
""",
    "a layer": """\
    def testLayer(self):
        y = tf.layers.dense(tf.ones([1, 2]), 3, kernel_initializer=tf.ones_initializer())
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), [[2.0, 2.0, 2.0]])
""",
}


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_a_test_as_one_function(methods: str, tmp_path: Path) -> None:
    """Each of these passes in TF 1.15.5."""
    result = rewritten(module(methods))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    test = result.text.partition("class AnyTest")[2]
    assert "ession" not in test and "autograph=False" in test
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_the_function() -> None:
    """What builds moves in its order, with its comments; what does not stays where it was."""
    test = """\
    def testLine(self):
        \"\"\"Lines.\"\"\"
        x = tf.placeholder(tf.float32, [None])
        # A line.
        line = Line(2.0)

        y = line(x)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            # Its points.
            self.assertAllClose(sess.run(y, {x: [1.0]}), [3.0])
"""
    assert (
        rewritten(module(test)).text.partition("    def testLine")[2]
        == """\
(self):
        \"\"\"Lines.\"\"\"

        store = compat.VariableStore()

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)], autograph=False)
        def compute_y(x):
            with store:
                # A line.
                line = Line(2.0)

                y = line(x)
                return y

        # Its points.
        self.assertAllClose(tf.nest.map_structure(lambda value: value.numpy(), compute_y([1.0])), [3.0])
"""
    )


def test_what_set_up_builds_is_a_method() -> None:
    """Functions repeat it; where a test builds a graph, or needs none of it, nothing changes."""
    result = rewritten(module(NATIVE["gradients of what setUp builds"], BRIDGED))
    assert "    def setUp(self):\n        super(AnyTest, self).setUp()\n        self._build()\n" in result.text
    assert "\n    def _build(self):\n        # What both tests take.\n        self.x = tf.constant" in result.text
    assert result.text.count("self._build()") == 2
    assert rewritten(result.text).text == result.text


def test_names_of_python_2(tmp_path: Path) -> None:
    test = """\
    def testAny(self):
        x = tf.constant([2.0, 4.0])
        y = Line(0.5)(x)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            values = sess.run(y)
            for number in xrange(2):
                self.assertAllClose(values[number], number + 2.0)
"""
    result = rewritten(module(test))
    assert tiers(result) == ["native"]
    passes(result.text.replace("xrange", "range"), tmp_path, 1)
    assert tiers(rewritten(module(test.replace("xrange", "yrange")))) == ["bridge"]


@pytest.mark.parametrize("methods", NATIVE.values(), ids=NATIVE.keys())
def test_beside_a_test_that_is_bridged(methods: str, tmp_path: Path) -> None:
    result = rewritten(module(methods, BRIDGED))
    assert tiers(result)[-1] == "bridge"
    assert set(tiers(result)[:-1]) == {"native"}
    passes(result.text, tmp_path, 2)


def test_parameters(tmp_path: Path) -> None:
    test = """\
    @parameterized.parameters((1.0, tf.float32), (3.0, tf.float64))
    def testLine(self, given, dtype):
        x = tf.placeholder(dtype, [])
        y = tf.to_float(x) + Line(given)(1.0)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y, {x: given}), 2.0 * given + 1.0)
"""
    result = rewritten(module(test, head="class AnyTest(tf.test.TestCase, parameterized.TestCase):\n"))
    assert tiers(result) == ["native"]
    passes(result.text, tmp_path, 2)


RUN = "        with self.test_session() as sess:\n            sess.run(tf.global_variables_initializer())\n"
REFUSED = {
    "a look into the graph": "        y = Line(2.0)(1.0)\n        self.assertEqual(len(y.graph.get_operations()), 9)\n"
    "{run}            sess.run(y)\n",
    "an update by a method of the variable": "        line = Line(2.0)\n        y = line(1.0)\n"
    "        line.slope.count_up_to(3)\n{run}            sess.run(y)\n",
    "an update in a method that TensorFlow calls": "        cell = Counting(2)\n"
    "        y, _ = tf.nn.dynamic_rnn(cell, tf.ones([1, 3, 2]), dtype=tf.float32)\n{run}            sess.run(y)\n",
    "a function of a name that is computed": "        y = Line(2.0)(getattr(tf, 'ze' + 'ros')([2]))\n{run}"
    "            sess.run(y)\n",
    "values of tensors that are asserted": "        y = Line(2.0)(1.0)\n"
    "        self.assertAllClose(tf.ones([2]), [1.0, 1.0])\n{run}            sess.run(y)\n",
    "an assertion that nothing waits for": "        y = checked(tf.ones([2]))\n{run}            sess.run(y)\n",
    "tensors that are compared": "        a = tf.ones([2])\n        y = [a] if same(a, a) else []\n{run}"
    "            sess.run(y)\n",
    "a session in what is called": "        y = Line(2.0)(1.0)\n        ran(y)\n{run}            sess.run(y)\n",
    "a part of the graph beside a run": "        y = Line(2.0)(1.0)\n{run}            v = sess.run(y)\n"
    "        self.assertIsNotNone(y)\n        self.assertEqual(v, Line(2.0)(1.0).dtype)\n        print(v, y.graph)\n",
    "a run that another one decides on": "        line = Line(2.0)\n        y = line(1.0)\n{run}"
    "            a = sess.run(y)\n            b = sess.run(line(a))\n",
    "variables that begin anew": "        y = Line(2.0)(1.0)\n{run}            a = sess.run(y)\n"
    "            sess.run(tf.global_variables_initializer())\n            b = sess.run(y)\n",
    "a placeholder that is not fed": "        x = tf.placeholder(tf.float32, [])\n        y = Line(2.0)(1.0)\n"
    "        z = y * x\n{run}            sess.run(y)\n",
    "something fetched by its name": "        y = Line(2.0)(1.0)\n{run}            sess.run(y.name)\n",
    "random numbers in another order": "        y = Line(2.0)(noisy())\n        a = np.random.rand()\n{run}"
    "            sess.run(y)\n        print(a)\n",
    "a list that building may fill": "        given = [1.0]\n        y = Line(2.0)(given)\n        size = len(given)\n"
    "{run}            sess.run(y)\n        print(size)\n",
    "a name that is bound again": "        given = 1.0\n        y = Line(2.0)(given)\n        given = 2.0\n{run}"
    "            sess.run(y)\n        print(given)\n",
    "the session handed on": "        y = Line(2.0)(1.0)\n{run}            sess.run(y)\n            print(sess)\n",
    "what is built at the top of the module": "        y = Line(2.0)(OUTSIDE)\n{run}            sess.run(y)\n",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(body: str) -> None:
    head = "OUTSIDE = tf.placeholder(tf.float32, [])\n\n\n" if "OUTSIDE" in body else ""
    test = f"    def testAny(self):\n{body.replace('{run}', RUN)}"
    result = rewritten(module(test, head=head + CLASS))
    sites = [site for site in result.sites if site.function == "AnyTest.testAny" and not site.initializer_only]
    assert sites
    assert {site.tier for site in sites} == {"bridge"}
    assert all(site.reason and site.next_step for site in sites)


def test_what_parameters_may_call() -> None:
    test = """\
    @parameterized.parameters((lambda line: line.slope.assign_add(1.0),))
    def testAny(self, change):
        line = Line(2.0)
        y = line(1.0)
        change(line)
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), 3.0)
"""
    head = "class AnyTest(tf.test.TestCase, parameterized.TestCase):\n"
    assert tiers(rewritten(module(test, head=head))) == ["bridge"]
    harmless = test.replace("line.slope.assign_add(1.0)", "line.slope")
    assert tiers(rewritten(module(harmless, head=head))) == ["native"]
