"""Tests of `tf.test.TestCase`: each has a store of its own, in which it builds and whose steps it calls."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.steps.migration import assert_alike, migrated, said_by_tests

# Sessions that a test keeps, makes anew or never names; numbers that the seeds of each test give.
PIECES = """\
import numpy as np
import tensorflow as tf


def crop(x, border):
    return x[:, border:-border]


def scale(x, name="scale"):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [x.shape[-1]], initializer=tf.random_uniform_initializer(0.5, 1.5))
        return x * w


class PiecesTest(tf.test.TestCase):
    def test_crop(self):
        x = tf.ones([2, 8])
        out = crop(x, 2)
        with self.cached_session() as sess:
            value = sess.run(out)
            self.assertAllEqual(value.shape, (2, 4))

    def test_scale(self):
        with self.test_session():
            out = scale(tf.constant([[1.0, 2.0, 3.0]]))
            tf.global_variables_initializer().run()
            value = out.eval()
            print("scale", value.ravel())
            self.assertEqual([v.name for v in tf.global_variables()], ["scale/w:0"])

    def test_fed(self):
        x = tf.placeholder(tf.float32, [None, 3])
        y = tf.reduce_sum(crop(x, 1) * 2.0, axis=1)
        with self.session(use_gpu=True) as sess:
            rows = np.random.rand(2, 3)
            print("fed", sess.run(y, feed_dict={x: rows}), rows.sum())
            self.assertAllClose(y.eval({x: np.ones((4, 3))}), [2.0] * 4)

    def test_draw(self):
        noise = tf.random_normal([3])
        with self.cached_session() as sess:
            print("draw", sess.run(noise), sess.run(noise))
        with self.cached_session() as sess:
            print("again", sess.run(noise))

    def test_evaluate(self):
        x = scale(tf.ones([1, 2]), "one")
        self.evaluate(tf.global_variables_initializer())
        one, two = self.evaluate([x, x + 1.0])
        print("evaluate", one, two)
        self.assertAllClose(one + 1.0, two)
        with self.cached_session():
            self.assertAllClose(x + 1.0, two)

    def test_static(self):
        x = tf.placeholder(tf.float32, [None, 6])
        y = scale(crop(x, 1), "static")
        self.assertEqual(y.shape.as_list(), [None, 4])
        with self.assertRaises(ValueError):
            scale(y, "static")
        self.assertRaises(ValueError, scale, tf.ones([4]) + y, "static")
        print("static", [v.name for v in tf.trainable_variables()])

    def test_plain(self):
        self.assertEqual(3, 1 + 2)


if __name__ == "__main__":
    tf.test.main()
"""

# A base class that runs what its subclasses build, and tests with parameters.
CELL_CASE = """\
import numpy as np
import tensorflow as tf
from absl.testing import parameterized


class CellCase(parameterized.TestCase, tf.test.TestCase):
    units = 3

    def setUp(self):
        super(CellCase, self).setUp()
        self.rows = np.random.RandomState(3).randn(2, 4, 2).astype(np.float32)
        self.inputs = tf.placeholder(tf.float32, [None, 4, 2], name="inputs")

    def make_cell(self):
        raise NotImplementedError

    def run_cell(self, sess, steps):
        start = tf.random_uniform_initializer(-0.5, 0.5, seed=self.units)
        with tf.variable_scope("cell", initializer=start):
            outputs, state = tf.nn.dynamic_rnn(self.make_cell(), self.inputs[:, :steps], dtype=tf.float32)
        sess.run(tf.global_variables_initializer())
        return sess.run([outputs, state], feed_dict={self.inputs: self.rows})

    def check_gradients(self):
        start = tf.random_uniform_initializer(-0.5, 0.5, seed=7)
        with tf.variable_scope("cell", initializer=start):
            outputs, _ = tf.nn.dynamic_rnn(self.make_cell(), self.inputs, dtype=tf.float32)
        loss = tf.reduce_mean(tf.square(outputs))
        grads = tf.gradients(loss, tf.trainable_variables())
        with self.test_session() as sess:
            sess.run(tf.global_variables_initializer())
            return [float(np.abs(g).sum()) for g in sess.run(grads, {self.inputs: self.rows})]
"""

CELLS = """\
import numpy as np
import tensorflow as tf
from absl.testing import parameterized

from base import CellCase


class GruTest(CellCase):
    def make_cell(self):
        return tf.nn.rnn_cell.GRUCell(self.units)

    @parameterized.parameters(2, 4)
    def test_shapes(self, steps):
        with self.test_session() as sess:
            outputs, state = self.run_cell(sess, steps)
        print("gru", steps, np.round(state[0], 5))
        self.assertEqual(outputs.shape, (2, steps, 3))

    def test_gradients(self):
        print("gru gradients", " ".join("%.5f" % g for g in self.check_gradients()))


class LstmTest(CellCase):
    units = 2

    def make_cell(self):
        return tf.nn.rnn_cell.BasicLSTMCell(self.units)

    @parameterized.named_parameters(("short", 1), ("long", 3))
    def test_state(self, steps):
        with self.test_session() as sess:
            outputs, state = self.run_cell(sess, steps)
            print("lstm", steps, np.round(state.c[0], 5), np.round(state.h[0], 5))
            np.testing.assert_allclose(outputs[:, -1], state.h)

    def test_gradients(self):
        print("lstm gradients", " ".join("%.5f" % g for g in self.check_gradients()))


if __name__ == "__main__":
    tf.test.main()
"""

# Tests of a library in several modules, whose class another module has: training, sessions in turn, another graph.
DENSE = """\
import tensorflow as tf


class Dense(object):
    def __init__(self, units, name="dense"):
        self.units, self.name = units, name

    def __call__(self, x):
        with tf.variable_scope(self.name):
            kernel = tf.get_variable("kernel", [int(x.shape[1]), self.units])
            bias = tf.get_variable("bias", [self.units], initializer=tf.zeros_initializer())
            return tf.matmul(x, kernel) + bias


class Normal(object):
    def __init__(self, momentum=0.9):
        self.momentum = momentum

    def __call__(self, x, training):
        return tf.layers.batch_normalization(x, momentum=self.momentum, training=training)


def train(loss, rate, step=None):
    if rate <= 0.0:
        raise ValueError("the rate is to be positive")
    return tf.train.AdamOptimizer(rate).minimize(loss, global_step=step)
"""

FIT = """\
import tensorflow as tf

from blocks.dense import Dense, train


def fit(rows, turns, rate):
    x = tf.placeholder(tf.float32, [None, 3])
    loss = tf.reduce_mean(tf.square(Dense(1, "fit")(x)))
    op = train(loss, rate)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(turns):
            _, value = sess.run([op, loss], {x: rows})
    return value
"""

CASE = """\
import tensorflow as tf


class BlockTestCase(tf.test.TestCase):
    units = 2
"""

TEST_DENSE = """\
import numpy as np
import tensorflow as tf

from blocks.dense import Dense, Normal, train
from tests.case import BlockTestCase


class DenseTest(BlockTestCase):
    def get_input(self):
        return tf.reshape(tf.range(6, dtype=tf.float32), [2, 3])

    def _test_shape(self, units, expected):
        out = Dense(units)(self.get_input())
        with self.cached_session() as sess:
            sess.run(tf.global_variables_initializer())
            value = sess.run(out)
            print("shape", units, np.round(value, 5).ravel())
            self.assertAllClose(expected, value.shape)

    def test_two(self):
        self._test_shape(2, (2, 2))

    def test_four(self):
        self._test_shape(units=4, expected=(2, 4))

    def test_training(self):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        step = tf.train.get_or_create_global_step()
        loss = tf.reduce_mean(tf.square(Dense(1)(x) - 1.0))
        op = train(loss, 0.1, step)
        rows = np.random.randn(4, 3)
        with self.cached_session() as sess:
            sess.run(tf.global_variables_initializer())
            before = sess.run(loss, {x: rows})
            for _ in range(5):
                sess.run(op, feed_dict={x: rows})
            after, count = sess.run([loss, step], {x: rows})
        print("training %.5f %.5f" % (before, after), count)
        self.assertLess(after, before)
        self.assertEqual(5, count)


class NormalTest(BlockTestCase):
    def test_moments(self):
        x = self._x()
        y = Normal(0.5)(x, training=True)
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        with self.cached_session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(updates)
            out = sess.run(y)
            mean = [v for v in tf.global_variables() if "mean" in v.name][0]
            print("moments", np.round(out[0], 4), mean.eval())

    def _x(self):
        return tf.constant(np.random.rand(5, 2).astype(np.float32))

    def test_graph(self):
        graph = tf.Graph()
        with graph.as_default():
            out = Dense(self.units)(self._x())
            init = tf.global_variables_initializer()
        with self.cached_session(graph=graph) as sess:
            sess.run(init)
            print("graph", sess.run(out).shape)

    def test_sessions_in_turn(self):
        out = Dense(1)(tf.ones([1, 2]))
        counter = tf.Variable(0, name="counter")
        more = counter.assign_add(2)
        init = tf.global_variables_initializer()
        for _ in range(2):
            with self.session() as sess:
                sess.run(init)
                print("turn", sess.run(more), sess.run(out).shape)


if __name__ == "__main__":
    tf.test.main()
"""

TEST_FIT = """\
import numpy as np
import tensorflow as tf

from blocks.fit import fit
from tests.case import BlockTestCase


class FitTest(BlockTestCase):
    def setUp(self):
        super(FitTest, self).setUp()
        self.rows = np.random.rand(6, 3)

    def test_fit(self):
        with tf.Graph().as_default():
            tf.set_random_seed(4)
            print("fit %.5f" % fit(self.rows, 3, 0.1))

    def test_longer(self):
        print("longer", fit(self.rows, 9, 0.1) < fit(self.rows, 2, 0.01) + 100)


if __name__ == "__main__":
    tf.test.main()
"""

# Errors that tests expect: where something is built, where it runs, and of a variable without a value.
ERRORS = """\
import numpy as np
import tensorflow as tf


def mix(x, ratio):
    if ratio < 0:
        raise ValueError("ratio")
    w = tf.get_variable("w", [int(x.shape[1])], initializer=tf.ones_initializer())
    tf.add_to_collection("mixed", w)
    if ratio > 1:
        raise AssertionError("ratio is too large")
    return x * w * ratio


class ErrorsTest(tf.test.TestCase):
    def test_building_raises(self):
        x = tf.ones([2, 3])
        with self.assertRaises(ValueError):
            mix(x, -1)
        with self.assertRaisesRegexp(AssertionError, "too large"):
            mix(x, 2)
        print("collection", len(tf.get_collection("mixed")))
        with self.assertRaises(ValueError):
            mix(x, 0.5)
        with tf.variable_scope("again"):
            out = mix(x, 0.5)
        with self.cached_session() as sess:
            sess.run(tf.global_variables_initializer())
            print("mixed", sess.run(out).sum(), [v.name for v in tf.global_variables()])

    def test_shapes_do_not_fit(self):
        with self.cached_session():
            with self.assertRaisesRegexp(ValueError, "Dimensions must be equal"):
                tf.add(tf.ones([2]), tf.ones([3])).eval()

    def test_run_raises(self):
        x = tf.placeholder(tf.int32, [])
        y = tf.gather([1.0, 2.0], tf.where(x > 5, x, 0))
        with self.test_session() as sess:
            with self.assertRaises(tf.errors.InvalidArgumentError):
                sess.run(y, {x: 9})
            print("gathered", sess.run(y, {x: 1}))

    def test_valueless(self):
        w = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
        with self.cached_session() as sess:
            with self.assertRaises(tf.errors.FailedPreconditionError):
                sess.run(w)
            sess.run(tf.global_variables_initializer())
            print("value", sess.run(w))

    def test_good(self):
        w = tf.get_variable("v", [2], initializer=tf.random_normal_initializer())
        with self.cached_session() as sess:
            sess.run(tf.global_variables_initializer())
            print("good", sess.run(w))

    def check(self, size):
        out = mix(tf.ones([1, size]), 0.5)
        with self.cached_session() as sess:
            sess.run(tf.global_variables_initializer())
            return sess.run(out)

    def test_check(self):
        print("check", self.check(2))
        with self.assertRaises(ValueError):
            self.check(3)


if __name__ == "__main__":
    tf.test.main()
"""

# What TensorFlow 1.15.5 printed.
PIECES_PRINTED = """\
draw [ 1.0616621  -0.8785783   0.11187216] [-0.16650529 -0.3023496  -1.2736471 ]
again [-1.2204427  -1.0294424  -0.07638637]
evaluate [[1.4565817 0.7668108]] [[2.4565816 1.7668108]]
fed [1.5496218 0.7888541] 2.207480262528265
scale [1.4565817 1.5336215 4.493393 ]
static ['static/w:0']
"""
CELLS_PRINTED = """\
gru gradients 0.02304 0.01729 0.09447 0.03721
gru 2 [ 0.0409  -0.03059  0.22845]
gru 4 [0.09275 0.0075  0.10382]
lstm gradients 0.10382 0.05440
lstm 3 [-0.14807 -0.14338] [-0.07793 -0.07455]
lstm 1 [0.01124 0.0655 ] [0.00428 0.02921]
"""
DENSE_PRINTED = """\
shape 4 [-2.53088 -1.26326  1.70865  2.06141 -7.62945 -3.60234  2.5038   6.05122]
training 3.34960 0.64070 5
shape 2 [-2.65318  0.86659 -8.42019  0.84951]
graph (5, 2)
moments [-0.7654  1.9238] [0.19985323 0.15221184]
turn 2 (1, 1)
turn 2 (1, 1)
"""
FIT_PRINTED = """\
fit 0.03697
"""
ERRORS_PRINTED = """\
collection 1
mixed 3.0 ['w:0', 'again/w:0']
check [[0.5 0.5]]
good [ 1.0616621 -0.8785783]
gathered 1.0
value [0. 0.]
"""

LIBRARY = {
    "blocks/__init__.py": "",
    "blocks/dense.py": DENSE,
    "blocks/fit.py": FIT,
    "tests/__init__.py": "",
    "tests/case.py": CASE,
    "tests/test_dense.py": TEST_DENSE,
    "tests/test_fit.py": TEST_FIT,
}


@pytest.mark.parametrize(
    ("files", "printed"),
    [
        ({"test_pieces.py": PIECES}, {"test_pieces": (PIECES_PRINTED, ())}),
        ({"base.py": CELL_CASE, "cells_test.py": CELLS}, {"cells_test": (CELLS_PRINTED, ())}),
        # In TensorFlow 1 `test_longer` fails too: it makes the variables of a layer twice.
        (LIBRARY, {"tests.test_dense": (DENSE_PRINTED, ()), "tests.test_fit": (FIT_PRINTED, ("test_longer",))}),
    ],
    ids=["sessions", "parameters", "library"],
)
def test_the_same_numbers(
    files: dict[str, str], printed: dict[str, tuple[str, tuple[str, ...]]], tmp_path: Path
) -> None:
    outcome = migrated(files, tmp_path)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    assert {site.tier for site in outcome.report.sites} == {"native"}
    for path, text in outcome.contents.items():
        (tmp_path / path).write_bytes(text)
    for module, (wanted, failing) in printed.items():
        said, told = said_by_tests(tmp_path, module)
        assert_alike(said, wanted)
        assert re.findall(r"^(?:ERROR|FAIL): (\w+)", told, re.M) == [*failing]


def test_errors_that_are_expected(tmp_path: Path) -> None:
    outcome = migrated({"test_errors.py": ERRORS}, tmp_path)
    text = outcome.contents["test_errors.py"].decode()
    (tmp_path / "test_errors.py").write_text(text)
    said, told = said_by_tests(tmp_path, "test_errors")
    assert_alike(said, ERRORS_PRINTED)
    assert told.rstrip().endswith("OK (skipped=1)")
    # A variable without its value is nothing that steps know: this test alone stays as it was.
    assert text.count("@compat.test.with_sessions") == 1
    bridged = [site for site in outcome.report.sites if site.tier == "bridge"]
    assert {reason.code for site in bridged for reason in site.reasons} == {"uninitialized"}
    first = ERRORS[: ERRORS.index("def test_valueless")].count("\n") + 1
    assert {site.line - first in range(9) for site in bridged} == {True}
    assert {site.form for site in outcome.report.sites if site not in bridged} == {"steps"}
