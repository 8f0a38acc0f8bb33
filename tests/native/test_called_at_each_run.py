"""Tests whose runs are calls of one function each: fed in turn, repeated, drawing, or with assignments between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes, refusals
from tests.native.test_traced_cases import CLASS, tiers
from tests.native.test_traced_modules import HEAD as MODULES
from tests.native.test_traced_modules import RUN

HEAD = (
    MODULES
    + """\
def twice(x):
    'What is expected.'
    return np.multiply(x, 2.0)


def noted(x):
    return STACK.append(x)


class Scaled(Module):
    def __init__(self):
        super(Scaled, self).__init__("scaled")

    @property
    def w(self):
        return self._w

    @property
    def doubled(self):
        return tf.multiply(2.0, self._w)

    def _build(self, x):
        self._w = tf.get_variable("w", [], initializer=tf.constant_initializer(2.0))
        return x * self._w


class Noisy(Module):
    def __init__(self, seed=None):
        super(Noisy, self).__init__("noisy")
        self._seed = seed

    def _build(self, x):
        return x + tf.random_normal([2])


"""
)
NATIVE = {
    "fed in turn": """\
        x = tf.placeholder(tf.float32, [None])
        scaled = Scaled()
        y = scaled(x)
        z = y + 1.0
{run}            first = sess.run(y, {x: [1.0]})
            second, third = sess.run([y, z], feed_dict={x: [2.0, 3.0]})
        self.assertAllClose(first, [2.0])
        self.assertAllClose(second, [4.0, 6.0])
        self.assertAllClose(third, [5.0, 7.0])
""",
    "in a loop": """\
        x = tf.placeholder(tf.float32, [None])
        y = Scaled()(x)
{run}            total = 0.0
            for i in range(3):
                total = total + np.sum(sess.run(y, {x: np.ones([i])}))
            self.assertAllClose(total, 6.0)
            if total > 5.0:
                total = sess.run(y, feed_dict={x: [total]})
        self.assertAllClose(total, [12.0])
""",
    "an assignment by a method": """\
        scaled = Scaled()
        y = scaled(tf.constant(3.0))
        given = np.array(5.0)
        change = scaled.w.assign(given)
{run}            self.assertAllClose(sess.run(y), 6.0)
            sess.run(change)
            self.assertAllClose(sess.run(y), 15.0)
            self.assertAllClose(sess.run(y + 1.0), 16.0)
""",
    "assignments of constants": """\
        scaled = Scaled()
        y = scaled(tf.constant(3.0))
        ten = tf.constant(10.0)
        w = scaled.w
        to_ten = tf.assign(w, ten)
        add = tf.assign_add(w, 1.0)
{run}            before = sess.run(y)
            sess.run(to_ten)
            sess.run(add)
        with self.test_session() as sess:
            sess.run(add)
            after = sess.run(y)
        self.assertAllClose([before, after], [6.0, 36.0])
""",
    "conditions, and comments above sessions": """\
        mode = tf.get_variable("mode", [], tf.string, tf.constant_initializer("high"), trainable=False)
        low = tf.constant("low")
        lower = tf.assign(mode, low)
        expected = twice(2.0)
        x = Scaled()(tf.constant(2.0))
        cases = {tf.equal(mode, "low"): lambda: -x, tf.equal(mode, "high"): lambda: x}
        y = tf.case(cases, default=lambda: 0.0 * x, exclusive=True)
        # High.
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            self.assertAllClose(sess.run(y), expected)
        # Low.
        with self.test_session() as sess:
            # From now on.
            sess.run(lower)
            self.assertAllClose(sess.run(y), -expected)
""",
    "numbers that bodies draw": """\
        noise = tf.random_normal([2])
        other = tf.cond(tf.constant(1) < tf.size(noise), lambda: tf.random_normal([2]), lambda: noise)
        def step(i, total):
            with tf.control_dependencies(None):
                once = tf.random_normal([2])
            return i + 1, total + once
        _, total = tf.while_loop(lambda i, _: i < 3, step, (0, noise))
        y = Scaled()(tf.stack([noise, other, total]))
{run}            values = sess.run(y)
        self.assertNotAlmostEqual(values[0][0], values[1][0])
        self.assertNotAlmostEqual(values[0][0], values[2][0])
        self.assertAllClose(values.shape, [3, 2])
""",
    "a monitored session": """\
        x = tf.placeholder(tf.float32, [])
        y = Scaled()(x)
        inverse = tf.contrib.distributions.softplus_inverse(y)
        with tf.train.MonitoredSession() as sess:
            first = sess.run(y, {x: 1.0})
            second = sess.run([y, inverse], feed_dict={x: 2.0})
        self.assertAllClose(first, 2.0)
        self.assertAllClose(second, [4.0, 3.981515])
""",
    "random numbers of one seed": """\
        y = Scaled()(tf.random_normal([2], seed=3)) / 2.0
{run}            first = sess.run(y)
            second = sess.run(y)
        self.assertAllClose(first, [1.0616621, -0.8785783])
        self.assertAllClose(second, [0.82711715, 1.6055218])
""",
    "random numbers": """\
        y = Scaled()(Noisy()(tf.zeros([2])))
        init = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())
        with self.test_session() as sess:
            sess.run(init)
            first = sess.run(y)
            second = sess.run(y)
        self.assertTrue((first != second).all())
        self.assertAllClose(first.shape, [2])
""",
}
TEST = f"{HEAD}{CLASS}    def testAny(self):\n"


@pytest.mark.parametrize("body", NATIVE.values(), ids=NATIVE.keys())
def test_each_run_is_a_call(body: str, tmp_path: Path) -> None:
    result = rewritten(TEST + body.replace("{run}", RUN))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "ession" not in result.text.partition("class AnyTest")[2]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1((TEST + body.replace("{run}", RUN) for body in NATIVE.values()), tmp_path, legacy_python)


def test_the_calls() -> None:
    text = rewritten(TEST + NATIVE["assignments of constants"].replace("{run}", RUN)).text
    assert text.endswith("""\
        before = tf.nest.map_structure(lambda value: value.numpy(), compute_y())
        compat.assign(w, tf.constant(10.0))
        compat.assign_add(w, 1.0)
        compat.assign_add(w, 1.0)
        after = tf.nest.map_structure(lambda value: value.numpy(), compute_y())
        self.assertAllClose([before, after], [6.0, 36.0])
""")


def test_comments_above_sessions() -> None:
    text = rewritten(TEST + NATIVE["conditions, and comments above sessions"].replace("{run}", RUN)).text
    assert 'low = tf.constant("low")' not in text
    assert text.endswith("""\
        # High.
        self.assertAllClose(tf.nest.map_structure(lambda value: value.numpy(), compute_y()), expected)
        # Low.
        # From now on.
        compat.assign(mode, tf.constant("low"))
        self.assertAllClose(tf.nest.map_structure(lambda value: value.numpy(), compute_y()), -expected)
""")


LATER = "what is assigned may be another value by then"
BUILT = "        scaled = Scaled()\n        y = scaled(tf.constant(3.0))\n"
CASES = "what is called here may give `tf.case` a dictionary that is not written out"
REFUSED = {
    "conditions that are put into a dictionary": (
        "        x = Scaled()(tf.constant(2.0))\n        cases = {}\n        cases[x > 0.0] = lambda: x\n"
        "        y = tf.case(cases, default=lambda: -x, exclusive=True)\n{run}            sess.run(y)\n",
        CASES,
    ),
    "a dictionary of conditions that something else reads": (
        "        x = Scaled()(tf.constant(2.0))\n        cases = {x > 0.0: lambda: x}\n        size = len(cases)\n"
        "        y = tf.case(cases, default=lambda: -x, exclusive=True) * size\n{run}            sess.run(y)\n",
        CASES,
    ),
    "conditions that are made a dictionary": (
        "        x = Scaled()(tf.constant(2.0))\n        cases = dict([(x > 0.0, lambda: x)])\n"
        "        y = tf.case(cases, default=lambda: -x, exclusive=True)\n{run}            sess.run(y)\n",
        CASES,
    ),
    "a function that does more than compute": (
        "        x = tf.placeholder(tf.float32, [])\n        y = Scaled()(x)\n        seen = noted(2.0)\n"
        "{run}            sess.run(y, {x: 1.0})\n            self.assertEqual(sess.run(y, {x: 2.0}), seen)\n",
        "both building and what follows need what this does",
    ),
    "a list that building reads, filled in the block of the first run": (
        "        x = tf.placeholder(tf.float32, [])\n        given = [1.0]\n"
        "        y = Scaled()(x) + tf.constant(given)\n"
        "{run}            for i in range(2):\n                given.append(2.0)\n"
        "                sess.run(y, {x: 1.0})\n",
        "the block of the first run may change what building reads",
    ),
    "a list under another name": (
        "        x = tf.placeholder(tf.float32, [])\n        given = [1.0]\n        other = given\n"
        "        y = Scaled()(x) + tf.constant(other)\n{run}            for i in range(2):\n"
        "                given.append(2.0)\n                sess.run(y, {x: 1.0})\n",
        "the block of the first run may change what building reads",
    ),
    "a list that has another name": (
        "        x = tf.placeholder(tf.float32, [])\n        given = [1.0]\n        other = given\n"
        "        y = Scaled()(x) + tf.constant(given)\n{run}            for i in range(2):\n"
        "                other.append(2.0)\n                sess.run(y, {x: 1.0})\n",
        "the block of the first run may change what building reads",
    ),
    "an assignment of what changes under another name": (
        BUILT + "        given = np.ones([1])\n        kept = given[0:]\n        change = scaled.w.assign(given[0])\n"
        "{run}            sess.run(y)\n            kept *= 2.0\n            sess.run(change)\n",
        LATER,
    ),
    "a name that building reads, bound again in the block of the first run": (
        "        x = tf.placeholder(tf.float32, [])\n        given = 1.0\n        y = Scaled()(x) + given\n"
        "{run}            for given in [2.0, 3.0]:\n                sess.run(y, {x: given})\n",
        "the block of the first run may change what building reads",
    ),
    "an attribute that a method may read, bound in the block of the first run": (
        "        x = tf.placeholder(tf.float32, [])\n        y = Scaled()(x)\n"
        "{run}            for i in range(2):\n                self.units = i\n                sess.run(y, {x: 1.0})\n",
        "the block of the first run may change what building reads",
    ),
    "a monitored session with hooks": (
        "        y = Scaled()(tf.ones([2]))\n        hooks = []\n"
        "        with tf.train.MonitoredSession(hooks=hooks) as sess:\n            sess.run(y)\n",
        "the session runs inside a block of a test",
    ),
    "two monitored sessions": (
        "        y = Scaled()(tf.ones([2]))\n        with tf.train.MonitoredSession() as sess:\n"
        "            sess.run(y)\n        with tf.train.MonitoredSession() as sess:\n            sess.run(y)\n",
        "several sessions hold values of the same variables",
    ),
    "different placeholders": (
        "        x = tf.placeholder(tf.float32, [])\n        y = Scaled()(x)\n"
        "{run}            sess.run(y, {x: 1.0})\n            sess.run(y + 1.0)\n",
        "what each run builds anew draws random numbers, or remembers something",
    ),
    "what is fetched changes": (
        "        y = Scaled()(tf.ones([2]))\n        z = y\n"
        "{run}            for i in range(2):\n                sess.run(z)\n                z = i\n",
        "what is fetched depends on another run",
    ),
    "what is fetched is the loop's": (
        "        y = Scaled()(tf.ones([2]))\n{run}            for z in [y, y + 1.0]:\n                sess.run(z)\n",
        "what is fetched depends on another run",
    ),
    "what is asserted of the graph, and a loop that may not run": (
        "        y = Scaled()(tf.ones([2]))\n        self.assertEqual(y.get_shape(), [2])\n"
        "{run}            for _ in range(self.count):\n                sess.run(y)\n",
        "what builds may never be called",
    ),
    "a run within an error's block, in a loop": (
        "        y = Scaled()(tf.ones([2]))\n{run}            for _ in range(2):\n"
        "                with self.assertRaises(ValueError):\n                    sess.run(y)\n",
        "the session runs inside a block of a test",
    ),
    "random numbers of seeds of their own": (
        "        y = tf.random_normal([2], seed=1)\n        z = Scaled()(y)\n"
        "{run}            sess.run(z)\n            sess.run([y, z])\n",
        "each of several runs draws random numbers",
    ),
    "random numbers of seeds, by place": (
        "        y = tf.random_normal([2], 0.0, 1.0, tf.float32, 1)\n        z = Scaled()(y)\n"
        "{run}            sess.run(z)\n            sess.run([y, z])\n",
        "each of several runs draws random numbers",
    ),
    "a list that a run fills, and building reads": (
        "        found = []\n        y = Scaled()(tf.ones([2]))\n"
        "{run}            found.append(sess.run(y))\n        z = tf.constant(len(found))\n"
        "        with self.test_session() as sess:\n            sess.run(z)\n",
        "what is built behind a run depends on it",
    ),
    "a list that runs fill in a loop, and building reads": (
        "        found = []\n        y = Scaled()(tf.ones([2]))\n{run}            for _ in range(2):\n"
        "                found.append(sess.run(y))\n        z = tf.constant(len(found))\n"
        "        with self.test_session() as sess:\n            sess.run(z)\n",
        "what is built behind a run depends on it",
    ),
    "an assignment before all runs, of what changes": (
        BUILT + "        given = np.ones([])\n        change = scaled.w.assign(given)\n"
        "{run}            sess.run(change)\n            given *= 2.0\n            sess.run(y)\n",
        "what builds may be another thing at a later run",
    ),
    "an assignment before all runs, of random numbers": (
        BUILT + "        change = scaled.w.assign(tf.random_normal([]))\n"
        "{run}            sess.run(change)\n            sess.run(y)\n",
        "what each run builds anew draws random numbers, or remembers something",
    ),
    "an assignment of another tensor": (
        BUILT + "        change = scaled.w.assign(y)\n{run}            sess.run(y)\n            sess.run(change)\n",
        "the value of an assignment names `y`",
    ),
    "an assignment of what changes": (
        BUILT + "        given = np.ones([])\n        change = scaled.w.assign(given)\n"
        "{run}            sess.run(y)\n            given *= 2.0\n            sess.run(change)\n",
        LATER,
    ),
    "an assignment of a name that is bound again": (
        BUILT + "        given = 1.0\n        change = scaled.w.assign(given)\n"
        "{run}            given = sess.run(y)\n            sess.run(change)\n",
        LATER,
    ),
    "an assignment to what a property builds": (
        BUILT + "        change = tf.assign(scaled.doubled, 1.0)\n{run}            sess.run(y)\n"
        "            sess.run(change)\n",
        "what is assigned to is not known behind the building",
    ),
    "an assignment and two sessions": (
        BUILT + "        change = scaled.w.assign(1.0)\n        with tf.Session() as sess:\n"
        "            sess.run(tf.global_variables_initializer())\n            sess.run(y)\n"
        "            sess.run(change)\n"
        "        with self.test_session() as sess:\n            sess.run(y)\n",
        "several sessions hold values of the same variables",
    ),
}


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(body: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = refusals(TEST + body.replace("{run}", RUN), monkeypatch)
    assert found.startswith(reason)
