"""Parameters of constructors that hold functions of TensorFlow, and updates that are asked for by an object's scope."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.native.native import made_native, printed, refuses

CODE = """\
import numpy as np
import tensorflow as tf

size = 3


class Model:
    def __init__(self, sess, name, size, normal=True, activation=tf.nn.tanh, optimizer=tf.train.AdamOptimizer):
        self.sess = sess
        self.label = "of_" + name
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [None, 2])
            self.mode = tf.placeholder(tf.bool)
            net = self.x
            for i in range(2):
                with tf.variable_scope("layer{}".format(i)):
                    kernel = tf.constant_initializer(np.arange(1.0, 7.0 + 3.0 * i) / 5.0)
                    net = tf.layers.dense(net, size, kernel_initializer=kernel, use_bias=False)
                    if normal:
                        net = tf.layers.batch_normalization(net, training=self.mode)
                    net = activation(net)
            self.loss = tf.reduce_sum(tf.square(net - 0.5))
            updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS, scope=name)
            with tf.control_dependencies(updates):
                self.step = optimizer(0.1).minimize(self.loss)

    def learn(self, x):
        return "%.2f" % self.sess.run([self.loss, self.step], {self.x: x, self.mode: True})[0]

    def look(self, x):
        return "%.2f" % self.sess.run(self.loss, {self.x: x, self.mode: False})


sess = tf.Session()
one = Model(sess, "one", size)
two = Model(sess, name="two", size=size, normal=False)
sess.run(tf.global_variables_initializer())
np.random.seed(0)
for _ in range(4):
    data = np.random.rand(5, 2)
    print(one.learn(data), two.learn(data), one.look(data), two.look(data))
"""
TWO = 'two = Model(sess, name="two", size=size, normal=False)\n'
PROGRAMS = {
    "several objects": CODE,
    "both normalize": CODE.replace(", normal=False", ""),
    "one object that is given one": CODE.replace(TWO, "")
    .replace('"one", size)', '"one", size, True, tf.nn.elu)')
    .replace("two.learn(data), ", "")
    .replace(", two.look(data)", ""),
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    result = made_native(code)
    assert "net = activation(net)" in result.text
    assert printed(result.text) == run_legacy(code)


NOT_KNOWN = "is not understood"
SCOPE = "the updates of moving averages are asked for inside another expression"
REFUSED = {
    "one call gives it": ("normal=False)", "normal=False, activation=tf.nn.relu)", NOT_KNOWN),
    "unpacked arguments": ("normal=False)", "**{'normal': False})", NOT_KNOWN),
    "another function later": (
        "            net = self.x\n",
        "            net = self.x\n            if normal:\n                activation = tf.nn.relu\n",
        NOT_KNOWN,
    ),
    "what makes variables": ("activation=tf.nn.tanh", "activation=tf.get_variable", NOT_KNOWN),
    "a name that begins another": ('name="two"', 'name="one_more"', SCOPE),
    "a name of two": ('name="two"', 'name="one"', SCOPE),
    "a name that is computed": ('name="two"', 'name="".join(["two"])', SCOPE),
    "a pattern": ('name="two"', 'name="tw."', SCOPE),
    "a scope around an object": (TWO, f'with tf.variable_scope("outer"):\n    {TWO}', SCOPE),
    "another name of the scope": ("scope=name", "scope=name + ''", SCOPE),
    "a name that is bound again": (
        "        self.sess = sess\n",
        "        self.sess = sess\n        name = str(name)\n",
        SCOPE,
    ),
    "the scope is another": ("variable_scope(name)", "variable_scope(self.label)", SCOPE),
    "averages beside": (
        "        self.sess = sess\n",
        "        self.sess = sess\n        self.label = 'b' + name\n"
        "        self.z = tf.placeholder(tf.float32, [None, 2])\n"
        "        with tf.variable_scope(self.label):\n"
        "            self.other = tf.reduce_sum(tf.layers.batch_normalization(self.z, training=True))\n",
        "averages are moved beside",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    old, new, reason = REFUSED[name]
    assert old in CODE
    code = CODE.replace(old, new)
    if "beside" in name:
        code = code.replace(
            "    def look(",
            "    def see(self, x):\n        return self.sess.run(self.other, {self.z: x})\n\n    def look(",
        )
    refuses(code, reason)
