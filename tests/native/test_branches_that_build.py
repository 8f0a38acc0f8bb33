"""Training steps and tensors that a branch builds: `if phase == "train": …`; and the Savers that save what they make.

The outputs are those of TensorFlow 1.15.5.
"""

from __future__ import annotations

import pytest

from tests.native.native import made_native, printed, refuses

HEAD = """\
import os, tempfile
import numpy as np
import tensorflow as tf
path = os.path.join(tempfile.mkdtemp(), "model.ckpt")
data = np.ones((2, 2))
train = len(np.ones(KIND)) == 1
"""
NET = """\
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable([[1.0], [2.0]], name="w")
y = tf.matmul(x, w)
"""
BRANCH = """\
if train:
    loss = tf.reduce_mean(y ** 2)
    step = tf.train.AdamOptimizer(0.1).minimize(loss)
"""
RUNS = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
if train:
    for _ in range(2):
        print("%.4f" % sess.run([loss, step], {x: data})[0])
print(sess.run(y, {x: data}).astype(float).round(4).tolist())
"""
SAVER = "saver = tf.train.Saver()\n"
SAVED = """\
saver.save(sess, path)
print(sorted(name for name, _ in tf.train.list_variables(path)))
"""
TRAINED = "9.0000\n7.8400\n[[2.6005], [2.6005]]\n"
BUILT = "[[3.0], [3.0]]\n"
SLOTS = "['beta1_power', 'beta2_power', 'w', 'w/Adam', 'w/Adam_1']\n"
SCRIPT = NET + BRANCH + RUNS
STEP = "    step = tf.train.AdamOptimizer(0.1).minimize(loss)\n"
OPTIMIZER = "    rate = 0.1\n    optimizer = tf.train.AdamOptimizer(rate)\n    step = optimizer.minimize(loss)\n"
TWICE = "else:\n    twice = w.assign(w * 2.0)\n"
ALL_ELSE = RUNS + "if not train:\n    sess.run(twice)\n    print(sess.run(w).tolist())\n"
WITHIN = """\
sess = tf.Session()
if train:
    loss = tf.reduce_mean(y ** 2)
    step = tf.train.AdamOptimizer(0.1).minimize(loss)
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        print("%.4f" % sess.run([loss, step], {x: data})[0])
else:
    sess.run(tf.global_variables_initializer())
print(sess.run(y, {x: data}).astype(float).round(4).tolist())
"""
CLASS = """\
class Model(object):
    def __init__(self, sess, phase):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable([[1.0], [2.0]], name="w")
        self.y = tf.matmul(self.x, self.w)
        if phase == "train":
            self.loss = tf.reduce_mean(self.y ** 2)
            self.optimizer = tf.train.AdamOptimizer(0.1)
            self.step = self.optimizer.minimize(self.loss)

    def train(self):
        for _ in range(2):
            print("%.4f" % self.sess.run([self.loss, self.step], {self.x: data})[0])

    def sample(self):
        return self.sess.run(self.y, {self.x: data}).astype(float).round(4).tolist()


sess = tf.Session()
"""
ONE = """\
model = Model(sess, "train" if train else "test")
sess.run(tf.global_variables_initializer())
if train:
    model.train()
print(model.sample())
"""
TWO = """\
first, second = Model(sess, "train"), Model(sess, "test")
sess.run(tf.global_variables_initializer())
first.train()
print(first.sample())
print(second.sample())
"""
EARLY = CLASS.replace('        if phase == "train":\n', '        if phase != "train":\n            return\n').replace(
    "            self.", "        self."
)
PROGRAMS = {
    "a step": (SCRIPT, TRAINED, BUILT),
    "an optimizer with a name, and its rate": (SCRIPT.replace(STEP, OPTIMIZER), TRAINED, BUILT),
    "an assignment in the other branch": (NET + BRANCH + TWICE + ALL_ELSE, TRAINED, f"{BUILT}[[2.0], [4.0]]\n"),
    "branches in branches": (
        SCRIPT.replace(BRANCH, "if KIND < 3:\n" + "".join(f"    {line}\n" for line in BRANCH.splitlines())),
        TRAINED,
        BUILT,
    ),
    "a branch of several": (SCRIPT.replace(BRANCH, f"if KIND == 3:\n    pass\nel{BRANCH}"), TRAINED, BUILT),
    "runs in the branch": (NET + WITHIN, TRAINED, BUILT),
    "a function": (
        "def main():\n" + "".join(f"    {line}\n" for line in SCRIPT.splitlines()) + "\n\nmain()\n",
        TRAINED,
        BUILT,
    ),
    "a constructor": (CLASS + ONE, TRAINED, BUILT),
    "a constructor that returns before": (EARLY + ONE, TRAINED, BUILT),
    "objects of two kinds": (CLASS + TWO, TRAINED + BUILT, TRAINED + BUILT),
}


@pytest.mark.parametrize(("code", "trained", "built"), PROGRAMS.values(), ids=PROGRAMS.keys())
def test_computes_what_tf1_computed(code: str, trained: str, built: str) -> None:
    for kind, output in ((1, trained), (2, built)):
        assert printed(made_native((HEAD + code).replace("KIND", str(kind))).text) == output


def test_a_tensor_of_the_branch_that_is_not_taken_is_missed_as_before() -> None:
    runs = (
        RUNS.split("if train:")[0]
        + 'try:\n    print(sess.run(loss, {x: data}))\nexcept NameError:\n    print("none")\n'
    )
    assert printed(made_native((HEAD + NET + BRANCH + runs).replace("KIND", "2")).text) == "none\n"


def test_functions_stand_where_the_branch_built() -> None:
    text = made_native((HEAD + NET + BRANCH + TWICE + ALL_ELSE).replace("KIND", "1")).text
    lines = [line for line in text.splitlines() if not line.startswith("        ")]
    start = lines.index("if train:")
    assert lines[start : start + 10] == [
        "if train:",
        "    optimizer = compat.train.AdamOptimizer(0.1)",
        "",
        "    @compat.fast_dispatch",
        "    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])",
        "    def train_step(x):",
        "else:",
        "",
        "    @tf.function",
        "    def twice():",
    ]


LAYER = NET.replace("tf.matmul(x, w)", "tf.layers.dense(tf.matmul(x, w), 1, kernel_initializer=tf.ones_initializer())")
OTHER = "other = tf.train.AdamOptimizer(0.2).minimize(tf.reduce_sum(y))\n"
SAVING = {
    "the slots of the optimizer": (NET + BRANCH + SAVER + RUNS + SAVED, TRAINED + SLOTS, f"{BUILT}['w']\n"),
    "in a branch of a branch": (
        NET + BRANCH.replace("if train:", "if not (KIND == 2):") + SAVER + RUNS + SAVED,
        TRAINED + SLOTS,
        f"{BUILT}['w']\n",
    ),
    "layers that other runs make": (
        LAYER + BRANCH + SAVER + RUNS.replace("2):", "0):") + SAVED,
        "[[3.0], [3.0]]\n['beta1_power', 'beta2_power', 'dense/bias', 'dense/bias/Adam', 'dense/bias/Adam_1', "
        "'dense/kernel', 'dense/kernel/Adam', 'dense/kernel/Adam_1', 'w', 'w/Adam', 'w/Adam_1']\n",
        "[[3.0], [3.0]]\n['dense/bias', 'dense/kernel', 'w']\n",
    ),
    "in a constructor": (
        CLASS.replace("\n    def train", "        self.saver = tf.train.Saver()\n\n    def train").replace(
            "        self.sess = sess\n", "        self.sess = sess\n        self.phase = phase\n"
        )
        + ONE
        + SAVED.replace("saver.", "model.saver."),
        TRAINED + SLOTS,
        f"{BUILT}['w']\n",
    ),
    "in a constructor that may have returned": (
        EARLY.replace("\n    def train", "        self.saver = tf.train.Saver()\n\n    def train")
        + ONE
        + "if train:\n    "
        + SAVED.replace("saver.", "model.saver.").replace("\nprint", "\n    print"),
        TRAINED + SLOTS,
        BUILT,
    ),
}


@pytest.mark.parametrize(("code", "trained", "built"), SAVING.values(), ids=SAVING.keys())
def test_savers_save_what_there_is(code: str, trained: str, built: str) -> None:
    for kind, output in ((1, trained), (2, built)):
        assert printed(made_native((HEAD + code).replace("KIND", str(kind))).text) == output


LATE = "another value by then"
GROWS = "the graph grows inside a loop or a condition"
REFUSED = {
    "one name in both branches": (
        BRANCH + "else:\n    step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))\n" + RUNS,
        GROWS,
    ),
    "in a loop": ("for _ in range(1):\n    if train:\n    " + BRANCH.partition("\n")[2].replace("\n", "\n    "), GROWS),
    "variables in the branch": (BRANCH.replace("y **", "tf.layers.dense(y, 1) **") + RUNS, GROWS),
    "variables behind it": (BRANCH + 'b = tf.Variable(1.0, name="b")\n' + RUNS, "behind a condition that builds"),
    "a value that changes": (
        BRANCH.replace("    loss = ", "    scale = [2.0]\n    loss = scale[0] * ") + "    scale[0] = 3.0\n" + RUNS,
        "`scale`, which the graph was built with, may be changed here",
    ),
    "a condition that changes": (BRANCH + "train = True\n" + SAVER + "train = False\n" + RUNS + SAVED, LATE),
    "a list that gets empty": (
        "kinds = [1]\n" + BRANCH.replace("if train", "if kinds") + "kinds.pop()\n" + SAVER + RUNS + SAVED,
        LATE,
    ),
    "a condition that is computed": (BRANCH.replace("if train", "if len(data) > 1") + SAVER + RUNS + SAVED, LATE),
    "optimizers whose variables are numbered": (
        BRANCH + OTHER + SAVER + RUNS + "sess.run(other, {x: data})\n",
        "beside those of others",
    ),
    "layers that only the branch runs": (
        "z = tf.layers.dense(y, 1)\n" + BRANCH.replace("y **", "z **") + SAVER + RUNS + SAVED,
        "variables that only the runs behind a condition use",
    ),
}


@pytest.mark.parametrize(("code", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_stays_on_the_bridge(code: str, reason: str) -> None:
    runs = "" if "sess" in code else RUNS
    refuses((HEAD + NET + code + runs).replace("KIND", "1"), reason)


@pytest.mark.parametrize("early", [False, True])
def test_a_saver_outside_of_the_constructor_that_decides(early: bool) -> None:
    code = (
        (EARLY if early else CLASS)
        + SAVER.join(ONE.partition("sess.run")[:1])
        + SAVER
        + "sess.run"
        + ONE.partition("sess.run")[2]
    )
    refuses((HEAD + code + SAVED).replace("KIND", "2"), LATE)


def test_a_saver_behind_a_function_that_returns_anywhere() -> None:
    early = EARLY.replace(
        '        if phase != "train":\n            return\n',
        '        for _ in [1]:\n            if phase != "train":\n                return\n',
    )
    code = early.replace("\n    def train", "        self.saver = tf.train.Saver()\n\n    def train")
    refuses((HEAD + code + ONE).replace("KIND", "2"), "may return before")
