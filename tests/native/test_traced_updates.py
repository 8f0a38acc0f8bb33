"""Tests that build updates of variables: each run makes those that what it fetches waits for, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.native import rewritten
from tests.native.originals import pass_in_tensorflow_1
from tests.native.test_cases import fails, passes
from tests.native.test_traced_cases import CLASS, tiers
from tests.native.test_traced_modules import HEAD as MODULES
from tests.native.test_traced_modules import RUN

HEAD = (
    MODULES.replace("import function\n", "import function\nfrom tensorflow.python.training import moving_averages\n")
    + """\
class Averaged(Module):
    def __init__(self, collection=None):
        super(Averaged, self).__init__("averaged")
        self._collection = collection
        self.decay = 0.5

    @property
    def mean(self):
        return self._mean

    @property
    def listed(self):
        return tf.reshape(self._mean, [1])

    def _build(self, x, training):
        self.given = tf.identity(x)
        initializer = tf.zeros_initializer()
        self._mean = tf.get_variable("mean", [], initializer=initializer, trainable=False)

        def update():
            moved = moving_averages.assign_moving_average(
                self._mean, tf.reduce_mean(x), self.decay, zero_debias=False, name="moved")
            return moved.op

        if utils.constant_value(training) is False:
            return x - self._mean
        y = utils.smart_cond(training, lambda: x - tf.reduce_mean(x), lambda: x - self._mean)
        done = utils.smart_cond(training, update, tf.no_op)
        if self._collection:
            tf.add_to_collection(self._collection, done)
            return y
        with tf.control_dependencies([done]):
            return tf.identity(y)


class AnyCase(tf.test.TestCase):
    def given(self, dtype=np.float32):
        values = np.array([1.0, 3.0], dtype)
        return values, tf.constant(values)


"""
)
NATIVE = {
    "in a collection": """\
        averaged = Averaged(tf.GraphKeys.UPDATE_OPS)
        y = averaged(tf.constant([1.0, 3.0]), True)
        z = averaged(tf.constant([1.0, 3.0]), False)
{run}            self.assertAllClose(sess.run(y), [-1.0, 1.0])
            self.assertAllClose(sess.run(z), [1.0, 3.0])
            sess.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
            self.assertAllClose(sess.run(z), [0.0, 2.0])
            self.assertAllClose(sess.run(averaged.mean), 1.0)
""",
    "that the output waits for": """\
        averaged = Averaged()
        y = averaged(tf.constant([1.0, 3.0]), True)
{run}            self.assertAllClose(sess.run(averaged.mean), 0.0)
            self.assertAllClose(sess.run(y), [-1.0, 1.0])
            self.assertAllClose(sess.run(averaged.mean), 1.0)
            values, mean = sess.run([y, averaged.mean])
        self.assertAllClose(values, [-1.0, 1.0])
        self.assertAllClose(mean, 1.5)
""",
    "by a flag that is fed": """\
        training = tf.placeholder(tf.bool, [])
        averaged = Averaged()
        y = averaged(tf.constant([1.0, 3.0]), training)
{run}            for flag, expected in ((True, [-1.0, 1.0]), (False, [0.0, 2.0]), (True, [-1.0, 1.0])):
                self.assertAllClose(sess.run(y, {training: flag}), expected)
            self.assertAllClose(sess.run(y, {training: False}), [-0.5, 1.5])
""",
    "by a flag that is fed, and averages that are read without it": """\
        training = tf.placeholder(tf.bool, [])
        averaged = Averaged()
        y = averaged(tf.constant([1.0, 3.0]), training)
{run}            self.assertAllClose(sess.run(averaged.mean), 0.0)
            self.assertAllClose(sess.run(y, {training: True}), [-1.0, 1.0])
            averages = (averaged.mean, averaged.listed)
            mean, listed = sess.run(averages)
            self.assertAllClose(mean, 1.0)
            self.assertAllClose(sess.run(y, {training: False}), [0.0, 2.0])
            self.assertAllClose(sess.run(averages)[1], listed)
            self.assertAllClose(listed, [1.0])
""",
    "by methods": """\
        averaged = Averaged()
        y = averaged(tf.constant([1.0, 3.0]), False)
        averaged.mean.assign_sub(5.0)
        added = averaged.mean.assign_add(2.0)
        doubled = averaged.mean.assign(2.0 * averaged.mean, read_value=False)
        with tf.control_dependencies([y]):
            replaced = averaged.mean.assign(7.0)
{run}            self.assertAllClose(sess.run(y), [1.0, 3.0])
            self.assertAllClose(sess.run(added), 2.0)
            self.assertIs(sess.run(doubled), None)
            self.assertAllClose(sess.run(y), [-3.0, -1.0])
            for _ in range(2):
                sess.run(added)
            value = sess.run(averaged.mean)
            self.assertAllClose(value, 8.0)
            self.assertAllClose(sess.run(replaced), 7.0)
            self.assertAllClose(sess.run(y), [-6.0, -4.0])
""",
    "of initial values that are drawn": """\
        v = tf.Variable(tf.random_normal([2]))
        w = tf.Variable(initial_value=tf.random_uniform([2], minval=5.0, maxval=6.0))
        copied = tf.group(v.assign(w))
{run}            before = sess.run([v, w])
            sess.run(copied)
            after = sess.run([v, w])
        self.assertAllClose(after[0], before[1])
        self.assertAllClose(after[1], before[1])
        self.assertTrue((before[0] != before[1]).all())
""",
    "in a branch, where no run can fetch them": """\
        flag = tf.placeholder(tf.bool, [])
        averaged = Averaged("own")
        y = tf.cond(flag, lambda: averaged(tf.constant([1.0, 3.0]), True), lambda: tf.ones([2]))
{run}            self.assertAllClose(sess.run(y, {flag: False}), [1.0, 1.0])
            self.assertAllClose(sess.run(y, {flag: True}), [-1.0, 1.0])
            self.assertAllClose(sess.run(averaged.mean), 0.0)
            with self.assertRaisesRegexp(ValueError, "has been marked as not fetchable"):
                sess.run(tuple(tf.get_collection("own")))
""",
    "beside what fails": """\
        averaged = Averaged()
        y = averaged(tf.constant([1.0, 3.0]), True)
        z = tf.gather(y, 5)
{run}            self.assertAllClose(sess.run(y), [-1.0, 1.0])
            self.assertAllClose(sess.run([y, averaged.mean])[1], 1.5)
            with self.assertRaises(tf.errors.InvalidArgumentError):
                sess.run(z)
""",
    "that the test waits for": """\
        averaged = Averaged("own")
        y = averaged(tf.constant([1.0, 3.0]), True)
        done = tf.get_collection("own")
        self.assertEqual(len(done), 1)
        with tf.control_dependencies(done):
            waiting = tf.identity(y)
        group = tf.group(*done)
{run}            self.assertAllClose(sess.run(y), [-1.0, 1.0])
            self.assertAllClose(sess.run(averaged.mean), 0.0)
            self.assertAllClose(sess.run(waiting), [-1.0, 1.0])
            self.assertAllClose(sess.run(averaged.mean), 1.0)
            self.assertIs(sess.run(group), None)
            self.assertAllClose(sess.run(averaged.mean), 1.5)
""",
    "constants beside values, and what is asked": """\
        values, x = self.given()
        averaged = Averaged()
        y = averaged(x, True)
{run}            first = sess.run(y)
            second, mean = sess.run([y, averaged.mean])
            expected = (1.0 - averaged.decay) * np.mean(values)
            expected = (1.0 - averaged.decay) * np.mean(values) + averaged.decay * expected
        self.assertAllClose(mean, expected)
        self.assertAllClose(first, values - np.sqrt(4.0 * averaged.decay + 2.0))
""",
    "asked in a loop": """\
        x = tf.placeholder(tf.float32, [None])
        averaged = Averaged()
        y = averaged(x, True)
{run}            for size in [1, 2]:
                given = np.ones([size])
                self.assertAllClose(sess.run(y, {x: given}), 0.0 * given)
                found = sess.run(y, {x: 2.0 * given})
                self.assertAllClose(found, given - np.sqrt(2.0 * averaged.decay))
""",
    "an assignment that nothing fetches": """\
        line = tf.get_variable("line", [], initializer=tf.ones_initializer(), use_resource=True)
        tf.assign(line, 5.0)
        y = 2.0 * line
        with tf.control_dependencies([y]):
            added = tf.assign_add(line, 1.0)
{run}            self.assertAllClose(sess.run(y), 2.0)
            self.assertAllClose(sess.run([y, added]), [2.0, 2.0])
            self.assertAllClose(sess.run(y), 4.0)
""",
    "of a layer, whose averages another one reads": """\
        x = tf.constant([[2.0], [4.0]])
        y = tf.layers.batch_normalization(x, momentum=0.5, training=True, name="norm")
        z = tf.layers.batch_normalization(x, momentum=0.5, training=False, name="norm", reuse=True)
{run}            self.assertAllClose(sess.run(tf.reduce_sum(y)), 0.0)
            self.assertAllClose(sess.run(z), [[2.0], [4.0]], atol=0.01)
""",
    "of a layer": """\
        x = tf.constant([[2.0], [4.0]])
        y = tf.layers.batch_normalization(x, momentum=0.5, training=True, name="norm")
        with tf.variable_scope("", reuse=True):
            mean = tf.get_variable("norm/moving_mean", [1])
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
{run}            self.assertAllClose(sess.run(tf.reduce_sum(y)), 0.0)
            self.assertAllClose(sess.run(mean), [0.0])
            sess.run(updates)
            self.assertAllClose(sess.run(mean), [1.5])
""",
    "that the first run makes": """\
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer(3.0))
        with tf.colocate_with(w):
            begun = tf.get_variable("begun", initializer=w.initialized_value() + 1.0)
        change = w.assign(tf.ones([2]))
        more = tf.assign_add(w, [2.0, 4.0])
        y = w * begun
{run}            sess.run(change)
            self.assertAllClose(sess.run(y), [4.0, 4.0])
            sess.run(more)
            self.assertAllClose(sess.run(more), [5.0, 9.0])
            self.assertAllClose(sess.run(y), [20.0, 36.0])
            sess.run(change)
            self.assertAllClose(sess.run([begun, w]), [[4.0, 4.0], [1.0, 1.0]])
""",
}
TEST = f"{HEAD}{CLASS.replace('tf.test.TestCase', 'AnyCase')}    def testAny(self):\n"


@pytest.mark.parametrize("body", NATIVE.values(), ids=NATIVE.keys())
def test_each_run_makes_what_it_needs(body: str, tmp_path: Path) -> None:
    result = rewritten(TEST + body.replace("{run}", RUN))
    assert set(tiers(result)) == {"native"}, [site.reason for site in result.sites]
    assert "ession" not in result.text.partition("class AnyTest")[2]
    assert rewritten(result.text).text == result.text
    passes(result.text, tmp_path, 1)
    fails(result.text.replace("assertAllClose", "assertNotAllClose"), tmp_path)


def test_they_pass_in_tensorflow_1(tmp_path: Path, legacy_python: Path) -> None:
    pass_in_tensorflow_1((TEST + body.replace("{run}", RUN) for body in NATIVE.values()), tmp_path, legacy_python)


def test_the_functions() -> None:
    text = rewritten(TEST + NATIVE["that the test waits for"].replace("{run}", RUN)).text
    assert (
        """
    def testAny(self):
        store = compat.VariableStore()

        def build():
            averaged = Averaged("own")
            y = averaged(tf.constant([1.0, 3.0]), True)
            done = compat.get_collection("own")
            self.assertEqual(len(done), 1)
            with tf.control_dependencies(done):
                waiting = tf.identity(y)
            group = tf.group(*done)
            return y, averaged.mean, waiting, group

        @tf.function(autograph=False)
        def compute_y():
            return store.compute(build, part=0)
"""
        in text
    )
    assert text.count("store.compute(build, part=") == 4


def test_a_run_that_reads_variables_takes_nothing() -> None:
    text = rewritten(
        TEST + NATIVE["by a flag that is fed, and averages that are read without it"].replace("{run}", RUN)
    ).text
    assert (
        """
        @tf.function(autograph=False)
        def compute_averages():
            return store.compute(build, compat.unfed(training_spec), part=2)
"""
        in text
    )
