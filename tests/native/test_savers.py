"""Savers without sessions: the same names and values in the file, and sessions that begin with what they restore."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import deciding_site, made_native, printed, refuses, rewritten, tier_of

MODEL = """\
import os, tempfile
import tensorflow as tf
path = os.path.join(tempfile.mkdtemp(), "model.ckpt")
x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 2]), name="w")
h = tf.layers.dense(tf.matmul(x, w), 2, kernel_initializer=tf.constant_initializer(0.5))
loss = tf.reduce_mean(tf.square(h))
train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
init = tf.global_variables_initializer()
saver = tf.train.Saver(max_to_keep=2)
"""
TRAIN = """\
with tf.Session() as sess:
    sess.run(init)
    for _ in range(2):
        print("%.4f" % sess.run([train, loss], {x: [[1.0, 2.0]]})[1])
    saved = saver.save(sess, path, global_step=2)
"""
AGAIN = """\
with tf.Session() as sess:
    sess.run(init)
    saver.restore(sess, saved)
    print("%.4f" % sess.run(loss, {x: [[1.0, 2.0]]}))
    sess.run(train, {x: [[1.0, 2.0]]})
    print("%.4f" % sess.run(loss, {x: [[1.0, 2.0]]}))
"""
LISTED = "print([name for name, _ in tf.train.list_variables(saved)])\n"
TRAIN_PLAIN = TRAIN.replace("sess.run([train, loss], {x: [[1.0, 2.0]]})[1]", "sess.run(loss, {x: [[1.0, 2.0]]})")
PLAIN = MODEL.replace(
    "h = tf.layers.dense(tf.matmul(x, w), 2, kernel_initializer=tf.constant_initializer(0.5))", "h = tf.matmul(x, w)"
)


def native(code: str) -> str:
    result = made_native(code)
    return result.text


TRAINABLE = MODEL.replace("(loss)", "(loss, global_step=step)").replace(
    "loss = ", 'step = tf.Variable(0, trainable=False, name="step")\nloss = '
)


RESTORED = """\
    sess.run(train, {x: [[1.0, 2.0]]})
    saver.restore(sess, saved)
    print("%.4f" % sess.run(loss, {x: [[1.0, 2.0]]}), sess.run(step))
    sess.run(train, {x: [[1.0, 2.0]]})
    print("%.4f" % sess.run(loss, {x: [[1.0, 2.0]]}))
"""


@pytest.mark.parametrize("given", ["tf.trainable_variables(), ", "var_list=tf.trainable_variables(), "])
def test_trainable_variables_are_saved_and_restored(given: str) -> None:
    text = native(TRAINABLE.replace("Saver(", f"Saver({given}") + TRAIN + RESTORED + LISTED)
    assert "[w, *store.trainable_variables], max_to_keep=2)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == "9.0000\n5.3222\n1.6889 3\n0.0540\n['dense/bias', 'dense/kernel', 'w']\n"


CHOICES = {
    "tf.trainable_variables('w')": "the variables of layers are asked for, and there are others beside them",
    "tf.trainable_variables()[:1]": "an operator is applied to something of the graph that is no tensor",
}


@pytest.mark.parametrize("listed", CHOICES)
def test_a_choice_of_trainable_variables_is_not_known(listed: str) -> None:
    refuses(MODEL.replace("Saver(", f"Saver({listed}, ") + TRAIN, CHOICES[listed])


def test_everything_is_saved_and_restored() -> None:
    train = TRAIN.replace(
        'print("%.4f" % sess.run([train, loss], {x: [[1.0, 2.0]]})[1])',
        '_, value = sess.run([train, loss], {x: [[1.0, 2.0]]})\n        print("%.4f" % value)',
    )
    text = native(MODEL + train + AGAIN + LISTED)
    assert "saver = compat.train.Saver([w, *store.variables, *optimizer.variables()], max_to_keep=2)" in text
    # What TensorFlow 1.15.5 prints.
    assert printed(text) == (
        "9.0000\n5.3222\n1.6889\n0.1050\n"
        "['dense/bias', 'dense/bias/Momentum', 'dense/kernel', 'dense/kernel/Momentum', 'w', 'w/Momentum']\n"
    )


def test_a_saver_of_some_variables_keeps_its_list() -> None:
    code = MODEL.replace("Saver(max", 'Saver({"weights": w}, max') + TRAIN_PLAIN + LISTED
    text = native(code)
    assert 'compat.train.Saver({"weights": w}, max_to_keep=2)' in text
    assert printed(text) == "9.0000\n9.0000\n['weights']\n"


def test_a_method_of_an_object_saves() -> None:
    code = """\
import os, tempfile
import tensorflow as tf

class Model:
    def __init__(self, sess):
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [])
        self.w = tf.Variable(2.0, name="w")
        self.y = self.w * self.x
        self.saver = tf.train.Saver()

    def save(self, path):
        return self.saver.save(self.sess, path)

    def predict(self, x):
        return self.sess.run(self.y, {self.x: x})

sess = tf.Session()
model = Model(sess)
sess.run(tf.global_variables_initializer())
saved = model.save(os.path.join(tempfile.mkdtemp(), "model"))
print(float(model.predict(3.0)))
"""
    text = native(code + LISTED)
    assert "self.saver = compat.train.Saver([self.w])" in text
    assert "return self.saver.save(None, path)" in text
    assert printed(text) == "6.0\n['w']\n"


def test_the_powers_of_adam_are_named_by_the_scope_of_the_step() -> None:
    plain = "train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)\n"
    scoped = 'with tf.name_scope("step"):\n    train = tf.train.AdamOptimizer(0.01).minimize(loss)\n'
    trained = TRAIN_PLAIN.replace("    saved", "    sess.run(train, {x: [[1.0, 2.0]]})\n    saved")
    names = "['step/beta1_power', 'step/beta2_power', 'w', 'w/Adam', 'w/Adam_1']\n"
    assert printed(native(PLAIN.replace(plain, scoped) + trained + LISTED)).endswith(names)


def test_the_powers_of_two_adams_are_numbered() -> None:
    plain = "train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)\n"
    steps = 'with tf.variable_scope("steps"):\n    train = tf.train.AdamOptimizer(0.01).minimize(loss)\n'
    steps += "more = tf.train.AdamOptimizer(0.1).minimize(loss)\n"
    runs = "    sess.run(more, {x: [[1.0, 2.0]]})\n    sess.run(train, {x: [[1.0, 2.0]]})\n    saved"
    text = native(PLAIN.replace(plain, steps) + TRAIN_PLAIN.replace("    saved", runs) + LISTED)
    # What TensorFlow 1.15.5 names them.
    names = "['beta1_power', 'beta2_power', 'steps/beta1_power', 'steps/beta2_power', 'steps/w/Adam', "
    assert printed(text).endswith(names + "'steps/w/Adam_1', 'w', 'w/Adam', 'w/Adam_1']\n")


WAYS = """\
sess = tf.Session()
found = tf.train.get_checkpoint_state(os.path.dirname(path))
if found and tf.train.checkpoint_exists(found.model_checkpoint_path):
    saver.restore(sess, found.model_checkpoint_path)
else:
    sess.run(tf.global_variables_initializer())
print("%.4f" % sess.run(loss, {x: [[1.0, 2.0]]}))
sess.run(train, {x: [[1.0, 2.0]]})
saver.save(sess, path)
print("%.4f" % sess.run(loss, {x: [[1.0, 2.0]]}))
"""


def test_a_checkpoint_where_there_is_one_and_the_initializer_where_there_is_none() -> None:
    text = native(MODEL + WAYS)
    assert "else:" not in text
    assert printed(text) == "9.0000\n5.3222\n"


REFUSED = {
    "another session that restores nothing": (
        TRAIN_PLAIN + AGAIN.replace("    saver.restore(sess, saved)\n", ""),
        "several sessions",
    ),
    "another session that restores only in one case": (
        TRAIN_PLAIN + AGAIN.replace("    saver.restore", "    if saved:\n        saver.restore"),
        "several sessions",
    ),
    "another session that saves what it did not restore": (
        TRAIN_PLAIN + "with tf.Session() as sess:\n    sess.run(init)\n    saver.save(sess, path)\n",
        "several sessions",
    ),
    "a save before the initializer": (
        "sess = tf.Session()\nsaver.save(sess, path)\nsess.run(init)\nsess.run(loss, {x: [[1.0, 2.0]]})\n",
        "before the initializer",
    ),
    "an initializer in one case only": (
        "sess = tf.Session()\nif len(path):\n    sess.run(init)\nprint(sess.run(loss, {x: [[1.0, 2.0]]}))\n",
        "in one case only",
    ),
    "variables that the Saver does not know": (
        WAYS.replace("print(", 'v = tf.Variable(1.0, name="v")\nprint(', 1),
        "after the initializer",
    ),
    "a step that is built and never runs": (TRAIN_PLAIN, "never runs"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    code, reason = REFUSED[name]
    code = PLAIN + code
    refuses(code, reason)


OBJECT = """\
import os, tempfile
import numpy as np
import tensorflow as tf

class Model(object):
    def __init__(self, size):
        self.x = tf.placeholder(tf.float32, [None, size])
        with tf.variable_scope("line"):
            w = tf.get_variable("w", [size, 1], initializer=tf.ones_initializer())
            shift = {"b": tf.Variable(0.5, name="b"), "c": tf.Variable(0.1, name="c")}
        h = tf.layers.dense(tf.matmul(self.x, w), 1, kernel_initializer=tf.ones_initializer())
        self.value = tf.squeeze(h, axis=1) + shift["b"] * shift["c"]
        self.loss = tf.reduce_mean(tf.square(self.value - 1.0))
        opt = tf.train.AdamOptimizer(0.1)
        self.train_op = opt.minimize(self.loss)

def train():
    path = os.path.join(tempfile.mkdtemp(), "model")
    model = Model(2)
    saver = tf.train.Saver(tf.global_variables(), max_to_keep=2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            _, loss = sess.run([model.train_op, model.loss], {model.x: np.ones([2, 2])})
            print("%.4f" % loss)
        saver.save(sess, path)
        print(" ".join(name for name, _ in tf.train.list_variables(path)))
    with tf.Session() as sess:
        saver.restore(sess, path)
        sess.run(model.train_op, {model.x: np.ones([2, 2])})
        print("%.4f" % sess.run(model.loss, {model.x: np.ones([2, 2])}))

if __name__ == "__main__":
    train()
"""
# What TensorFlow 1.15.5 prints, here and below.
OBJECT_PRINTED = """\
1.1025
0.2704
beta1_power beta2_power dense/bias dense/bias/Adam dense/bias/Adam_1 dense/kernel dense/kernel/Adam \
dense/kernel/Adam_1 line/b line/b/Adam line/b/Adam_1 line/c line/c/Adam line/c/Adam_1 line/w line/w/Adam line/w/Adam_1
0.0566
"""


def test_a_script_saves_what_an_object_made() -> None:
    text = native(OBJECT)
    assert "self.w = w = tf.Variable" in text
    assert "    model.train_step.get_concrete_function()\n    saver = compat.train.Saver([model.w, *model.shift" in text
    assert "*model.store.variables, *model.opt.variables()], max_to_keep=2)" in text
    assert printed(text) == OBJECT_PRINTED


METHODS = """\
import os, tempfile
import numpy as np
import tensorflow as tf

class Model(object):
    def __init__(self, sess, size):
        self.sess = sess
        self.size = size
        self._build()
        self.saver = tf.train.Saver()

    def _build(self):
        self.x = tf.placeholder(tf.float32, [None, self.size])
        w = tf.Variable(tf.ones([self.size, 1]), name="w")
        self.value = tf.squeeze(tf.matmul(self.x, w), axis=1)

    def w(self):
        return 3

    def predict(self, x):
        return self.sess.run(self.value, {self.x: x})

    def save(self, path):
        self.saver.save(self.sess, path)

    def load(self, path):
        checkpoint = tf.train.get_checkpoint_state(os.path.dirname(path))
        if checkpoint and checkpoint.model_checkpoint_path:
            self.saver.restore(self.sess, checkpoint.model_checkpoint_path)
            return True
        return False

path = os.path.join(tempfile.mkdtemp(), "model")
sess = tf.Session()
model = Model(sess, 2)
sess.run(tf.global_variables_initializer())
print(model.load(path), model.w())
model.save(path)
print(model.load(path), model.predict(np.ones([2, 2])))
print([name for name, _ in tf.train.list_variables(path)])
"""


def test_methods_that_only_save_or_restore() -> None:
    text = native(METHODS)
    assert "self.own_w = w = tf.Variable" in text
    assert "self.saver = compat.train.Saver([self.own_w])" in text
    assert "sess" not in text
    assert printed(text) == "False 3\nTrue [2. 2.]\n['w']\n"


@pytest.mark.parametrize("hidden", [False, True], ids=["seen", "hidden"])
def test_an_object_saves_what_another_made(hidden: bool, run_legacy: Callable[..., str]) -> None:
    keeper = """\
class Keeper(object):
    def __init__(self, sess):
        self.sess = sess
        self.y = tf.placeholder(tf.float32, [])
        self.z = self.y * 2.0
        self.saver = tf.train.Saver()

    def save(self, path):
        print(self.sess.run(self.z, {self.y: 2.0}))
        self.saver.save(self.sess, path)

path"""
    code = METHODS.replace("        self.saver = tf.train.Saver()\n", "").replace("\npath", f"\n{keeper}")
    start, end = code.index("    def save(self, path):\n        self.saver.save"), code.index("class Keeper")
    code = code[:start] + code[end:].replace("model.save", "keeper.save")
    code = code.replace("sess.run(tf.gl", "keeper = Keeper(sess)\nsess.run(tf.gl")
    code = code.replace("print(model.load(path), model.w())\n", "").replace("model.load(path), ", "")
    if hidden:
        code = code.replace(
            "        self.sess = sess\n        self.y", "        self.sess = sess\n        model = 2\n        self.y"
        )
        assert "`w` of another function cannot be seen" in (deciding_site(code).reason or "")
    else:
        assert tier_of(code) == "native"
        assert printed(rewritten(code).text) == run_legacy(code)


def test_refused_before_the_variables_have_values() -> None:
    code = METHODS.replace("model = Model(sess, 2)\n", "model = Model(sess, 2)\nmodel.load(path)\n")
    assert tier_of(code) == "bridge"
