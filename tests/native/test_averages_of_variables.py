"""`tf.train.ExponentialMovingAverage`: averages begin with the first values of variables, and follow what steps do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import tensorflow as tf

from tests.native.native import deciding_site, made_native, printed, refuses, rewritten

MODEL = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(1.0, name="w")
v = tf.Variable([1.0, 2.0], name="v")
loss = tf.reduce_mean(tf.square(x * w - 3.0)) + tf.reduce_sum(v * v)
count = tf.Variable(0, trainable=False, name="count")
step = tf.train.GradientDescentOptimizer(0.125).minimize(loss, global_step=count)
ema = tf.train.ExponentialMovingAverage(0.5)
"""
BEHIND = "with tf.control_dependencies([step]):\n    train = ema.apply([w, v])\n"
RUN = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(3):
    sess.run(train, {x: [1.0, 2.0]})
print([np.asarray(value).tolist() for value in sess.run([w, v, ema.average(w), ema.average(v)])])
"""
# What TF 1.15.5 prints, where the averages come behind the step.
AFTER = [1.7578125, [0.421875, 0.84375], 1.61328125, [0.5703125, 1.140625]]
# Where they come before it: they are one step late.
BEFORE = [1.7578125, [0.421875, 0.84375], 1.46875, [0.71875, 1.4375]]


def _numbers(text: str) -> object:
    return ast.literal_eval(text.strip().splitlines()[-1])


@pytest.mark.parametrize(
    "behind",
    [
        BEHIND,
        BEHIND.replace("[w, v]", "tf.trainable_variables()"),
        "params = [w, v]\n" + BEHIND.replace("[w, v]", "params"),
        "both = [step]\n" + BEHIND.replace("[step]", "both"),
        BEHIND.replace("train = ", "op = ") + "    train = tf.group(op)\n",
        BEHIND.replace("train = ", "op = ")
        + "    train = tf.no_op(name='train')\nwith tf.control_dependencies([op]):\n"
        "    train = tf.no_op()\n",
        BEHIND.replace("[w, v]", "[w]").replace("train", "one")
        + "    with tf.control_dependencies([one]):\n        train = ema.apply([v])\n",
        "with tf.name_scope('averages'):\n" + "".join(f"    {line}\n" for line in BEHIND.splitlines()),
        "ema.apply([w])\n" + BEHIND,
        "alias = ema\n" + BEHIND.replace("ema", "alias"),
    ],
    ids=["list", "trainable", "named", "named steps", "group", "no_op", "nested", "name scope", "twice", "alias"],
)
def test_averages_come_behind_the_step_that_they_wait_for(behind: str) -> None:
    result = made_native(MODEL + behind + RUN)
    assert _numbers(printed(result.text)) == AFTER
    assert not any("left open" in finding.message for finding in result.findings)


@pytest.mark.parametrize(
    ("beside", "run"),
    [
        ("train = tf.group(step, ema.apply([w, v]))\n", RUN),
        ("train = tf.group(ema.apply([w, v]), step)\n", RUN),
        ("op = ema.apply([w, v])\n", RUN.replace("run(train", "run([step, op]")),
        ("op = ema.apply([w, v])\nwith tf.control_dependencies([step]):\n    train = tf.group(op)\n", RUN),
        ("op = ema.apply([w, v])\nwith tf.control_dependencies([step, op]):\n    train = tf.no_op()\n", RUN),
    ],
    ids=["group", "the other way round", "one run", "a group that waits", "no_op"],
)
def test_where_the_order_is_open_averages_come_first_and_the_report_says_so(beside: str, run: str) -> None:
    # In TF 1.15.5 they came first in all steps of a net of some size, in most of a small one, not in these.
    result = made_native(MODEL + beside + run)
    assert _numbers(printed(result.text)) == BEFORE
    assert any("left open" in finding.message for finding in result.findings)


def test_the_number_of_updates_is_that_behind_the_step() -> None:
    model = MODEL.replace("Average(0.5)", "Average(0.75, num_updates=count)")
    text = made_native(model + BEHIND + RUN).text
    # What TF 1.15.5 prints.
    expected = [1.7578125, [0.421875, 0.84375], 1.7147618532180786, [0.48306381702423096, 0.9661276340484619]]
    ours = _numbers(printed(text))
    assert tf.nest.flatten(ours) == pytest.approx(tf.nest.flatten(expected), rel=1e-6)


def test_averages_are_variables_like_others() -> None:
    more = """\
average = ema.average(w)
y = x * average
load = tf.group(w.assign(ema.average(w)), v.assign(ema.average(v)))
reset = ema.average(w).assign(0.0)
"""
    end = """\
print(sess.run(y, {x: [2.0]}).tolist())
sess.run(load)
print(sess.run(w), sess.run([train, average], {x: [1.0]})[1])
sess.run(reset)
print(sess.run([average, w])[0])
"""
    text = made_native(MODEL + BEHIND + more + RUN + end).text
    assert text.count("ema.create_averages([w, v])\n") == 1
    # What TF 1.15.5 prints.
    assert printed(text).split()[-4:] == ["[3.2265625]", "1.6132812", "1.7866211", "0.0"]


def test_an_object_keeps_averages() -> None:
    code = """\
import numpy as np
import tensorflow as tf
class Model(object):
    def __init__(self, decay):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(tf.ones([2, 1]), name="weights")
        self.ema = tf.train.ExponentialMovingAverage(decay)
        step = tf.train.MomentumOptimizer(0.125, 0.5).minimize(tf.reduce_mean(tf.matmul(self.x, self.w)))
        with tf.control_dependencies([step]):
            self.train = self.ema.apply([self.w])
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
    def fit(self, batch):
        self.sess.run(self.train, {self.x: batch})
    def averaged(self):
        return self.sess.run(self.ema.average(self.w))
model = Model(0.5)
for _ in range(3):
    model.fit(np.ones([3, 2]))
print(model.averaged().tolist())
"""
    # What TF 1.15.5 prints.
    assert _numbers(printed(made_native(code).text)) == [[0.640625], [0.640625]]


def test_savers_save_averages_under_their_names_and_restore_them(tmp_path: Path) -> None:
    path = str(tmp_path / "model")
    end = f"path = saver.save(sess, {path!r})\nsess.run(train, {{x: [1.0]}})\nsaver.restore(sess, path)\n"
    text = made_native(MODEL + BEHIND + "saver = tf.train.Saver()\n" + RUN + end + RUN.splitlines()[-1]).text
    assert _numbers(printed(text)) == AFTER
    averages = ["v/ExponentialMovingAverage", "w/ExponentialMovingAverage"]
    # What TF 1.15.5 saves.
    assert sorted(name for name, _ in tf.train.list_variables(path)) == sorted(["count", "v", "w", *averages])


def test_a_saver_made_before_the_averages_leaves_them_out(tmp_path: Path) -> None:
    path = str(tmp_path / "model")
    alone = MODEL.replace(MODEL.splitlines()[-2] + "\n", "")
    code = f"{alone}saver = tf.train.Saver()\ntrain = ema.apply([w, v])\n{RUN}saver.save(sess, {path!r})\n"
    printed(made_native(code).text)
    assert sorted(name for name, _ in tf.train.list_variables(path)) == ["count", "v", "w"]


SECOND = "second = tf.train.GradientDescentOptimizer(0.25).minimize(loss)\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("train = ema.apply()\n", "which variables are averaged is not known"),
        ("train = ema.apply([loss])\n", "tensors are averaged outside of a function"),
        ("train = ema.apply([w, w])\n", "a variable is averaged twice at once"),
        ("def build():\n    return ema.apply([w, v])\ntrain = build()\n", "called inside a function or a run"),
        ("ema = tf.train.ExponentialMovingAverage(tf.sigmoid(w))\ntrain = ema.apply([w])\n", "`decay` of averages"),
        ("ema = tf.train.ExponentialMovingAverage(0.5, count + 1)\ntrain = ema.apply([w])\n", "`num_updates` of"),
        (
            "def make():\n    return tf.train.ExponentialMovingAverage(0.5)\nema = make()\n",
            "variables are made by a statement that computes nothing",
        ),
        ("with tf.variable_scope('a'):\n    train = ema.apply([w, v])\n", "made in a variable scope"),
        ("y = ema.average(w) * 2.0\ntrain = ema.apply([w, v])\n", "something that has none so far"),
        (f"{BEHIND}one = tf.variables_initializer([ema.average(w)])\n", "an average is initialized by itself"),
        ("train = tf.group(w.assign(w * 2.0), ema.apply([w, v]))\n", "assigns to a variable and averages it"),
        (f"{SECOND}{BEHIND}train = tf.group(train, second)\n", "wait for some of the updates"),
        (BEHIND + "    " + SECOND, "something else than averages, assignments, groups and tensors"),
        (
            "with tf.control_dependencies([w.assign(2.0)]):\n    train = ema.apply([w])\n",
            "averages wait for something else than",
        ),
        (f"{BEHIND}names = ema.variables_to_restore()\n", "`.variables_to_restore()` of averages"),
        (f"{BEHIND}other = tf.train.ExponentialMovingAverage(0.25)\nboth = other.apply([v])\n", "has several averages"),
        (f"{BEHIND}train = tf.group(train, ema.apply([w]))\n", "updates `ema.average(w)` twice"),
    ],
)
def test_what_is_not_sure_is_refused(code: str, reason: str) -> None:
    refuses(MODEL + code + RUN, reason)


def test_what_comes_too_late_is_refused() -> None:
    begin, end = RUN[: RUN.index("for")], RUN[RUN.index("for") :]
    refuses(
        f"{MODEL}init = tf.global_variables_initializer()\n{BEHIND}{RUN}".replace(
            "global_variables_initializer())\nfor", "no_op())\nfor"
        ).replace("sess.run(tf.no_op())", "sess.run(init)"),
        "created after the initializer",
    )
    refuses(MODEL + begin + "sess.run(step, {x: [1.0]})\n" + BEHIND + end, "may have changed")
    again = f"{MODEL}{BEHIND}{RUN}sess.run(tf.global_variables_initializer())\nprint(sess.run(ema.average(w)))\n"
    refuses(again, "initialized again after they were used")
    assert deciding_site(again).tier == "bridge"
    assert rewritten(again).text.count("ExponentialMovingAverage") == 1
