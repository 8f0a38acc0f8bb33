"""The name of an initializer goes with the last run that read it, and stays where anything else may ask for it."""

from __future__ import annotations

import pytest

from tests.steps.many_programs import written

IN_A_METHOD = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [])
        self.y = self.x * tf.get_variable("w", [])

    def start(self):
        self.sess = tf.Session()
        init_op = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())
        self.sess.run(init_op)

    def at(self, x):
        return self.sess.run(self.y, {self.x: x})


net = Net()
net.start()
print(net.at(1.0))
"""

IN_A_SCRIPT = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x * tf.get_variable("w", [])
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init)
    print(sess.run(y, {x: 1.0}))
"""

PRINTED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x * tf.get_variable("w", [])
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init)
    print(sess.run(y, {x: 1.0}), init.name)
"""

AGAIN = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x * tf.get_variable("w", [])
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init)
    print(sess.run(y, {x: 1.0}))
    sess.run(init)
    print(sess.run(y, {x: 1.0}))
"""

SEEDED = """\
import tensorflow as tf

tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [])
y = x * tf.get_variable("w", [])
init = tf.global_variables_initializer()
z = y + tf.random_normal([])
with tf.Session() as sess:
    sess.run(init)
    print(sess.run(z, {x: 1.0}))
"""


@pytest.mark.parametrize("program", [IN_A_METHOD, IN_A_SCRIPT], ids=["method", "script"])
def test_it_goes_with_its_run(program: str) -> None:
    assert "initializer" not in (written(program) or "initializer")


@pytest.mark.parametrize("program", [PRINTED, AGAIN, SEEDED], ids=["read", "run again", "counted for a seed"])
def test_it_stays(program: str) -> None:
    assert "init = compat.global_variables_initializer()" in (written(program) or "")
