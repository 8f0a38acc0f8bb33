"""Programs that ask which devices there are become native, and get their answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.native.native import deciding_site, made_native, printed, refuses, rewritten, tier_of

PROGRAM = """\
import tensorflow as tf
from tensorflow.python.client import device_lib


def available(kind):
    return [device.name for device in device_lib.list_local_devices() if device.device_type == kind]


print(available("CPU"), tf.test.is_built_with_cuda() in (True, False))
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(3.0)
y = tf.reduce_sum(x) * w
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, feed_dict={x: [1.0, 2.0]}))
"""


def test_listing_devices_keeps_nothing_on_the_bridge() -> None:
    assert tier_of(PROGRAM) == "native"
    migrated = rewritten(PROGRAM).text
    assert "compat.devices.list_local_devices()" in migrated
    assert printed(migrated) == "['/device:CPU:0'] True\n9.0\n"


PLACED = """\
import tensorflow as tf

kind = "/cpu:0"
number = 0
with tf.device(kind):
    x = tf.placeholder(tf.float32, [None])
    w = tf.Variable(3.0)
    y = tf.reduce_sum(x) * w
with tf.device("/cpu:%d" % number):
    z = tf.square(y)
with tf.device("/device:CPU:" + str(number)):
    loss = z + 1.0
with tf.device("/cpu:{}".format(number)):
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for value in ([1.0, 2.0], [0.5]):
        sess.run(train, feed_dict={x: value})
        print("%.4f %.4f" % tuple(sess.run([z, loss], feed_dict={x: value})))
"""
# What TensorFlow 1.15.5 prints.
PLACED_OUTPUT = "54.4644 55.4644\n1.4978 2.4978\n"


def test_the_number_of_a_device_may_be_computed() -> None:
    migrated = rewritten(PLACED)
    assert {site.tier for site in migrated.sites} == {"native"}, [site.reason for site in migrated.sites]
    assert "with tf.device(kind):\n    w = tf.Variable(3.0)\n" in migrated.text
    assert '    with tf.device("/cpu:%d" % number):\n        z = tf.square(y)\n' in migrated.text
    assert printed(migrated.text) == PLACED_OUTPUT


def test_devices_in_loops_and_functions() -> None:
    """What the function is given is a name that can be read; the loop computes one for each turn."""
    function = "def tower(t, kind):\n    with tf.device(kind):\n        return tf.square(t)\n\n\nkind ="
    loop = (
        'z = 0.0\nfor i in range(3):\n    with tf.device("/cpu:%d" % (i - i)):\n        z += tower(y, "/cpu:0") * i\n'
    )
    changed = PLACED.replace("kind =", function, 1).replace(
        'with tf.device("/cpu:%d" % number):\n    z = tf.square(y)\n', loop + "z = z / 3.0\n"
    )
    migrated = rewritten(changed)
    assert {site.tier for site in migrated.sites} == {"native"}, [site.reason for site in migrated.sites]
    assert printed(migrated.text) == PLACED_OUTPUT
    drawn = changed.replace("(i - i)", "np.random.randint(1)").replace("import", "import numpy as np\nimport", 1)
    refuses(drawn, "`np.random.randint(1)` is computed while the graph is built")


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('kind = "/cpu:0"', 'kind = "/device:XLA_CPU:0"', "`tf.device` is not understood"),
        ('kind = "/cpu:0"', 'kind = "/job:ps/task:0"', "`tf.device` is not understood"),
        ('kind = "/cpu:0"', "import sys\nkind = sys.argv[1]", "`tf.device` is not understood"),
        ("tf.device(kind)", "tf.device(lambda op: kind)", "`tf.device` is not understood"),
        ('"/cpu:%d" % number', '"/job:%s" % number', "`tf.device` is not understood"),
        ('"/cpu:%d" % number', '"/cpu:%d/%s" % (number, 1)', "`tf.device` is not understood"),
        (
            'with tf.device("/cpu:%d" % number):',
            'with tf.device("/cpu:%d" % y):',
            "a part of the graph is formatted as text",
        ),
        ("    for value", '    kind = "/cpu:1"\n    for value', "`kind` has another value here"),
    ],
)
def test_devices_that_are_not_known(before: str, after: str, reason: str) -> None:
    changed = PLACED.replace(before, after)
    assert changed != PLACED
    assert tier_of(changed) == "bridge"
    assert (deciding_site(changed).reason or "").startswith(reason)


BESIDE = """\
import tensorflow as tf

ones = tf.constant_initializer(0.5)
x = tf.placeholder(tf.int32, [None, 3])
with tf.device("/cpu:0"), tf.name_scope("embedding"):
    w = tf.Variable(tf.ones([5, 4]) * 0.1, name="w")
    embedded = tf.nn.embedding_lookup(w, x)
with tf.variable_scope("out"), tf.device("/cpu:0"):
    v = tf.get_variable("v", [4, 1], initializer=ones)
    y = tf.reduce_sum(tf.tensordot(embedded, v, 1))
with tf.device("/cpu:0"), tf.variable_scope("layers"):
    z = tf.layers.dense(embedded, 2, kernel_initializer=ones)
step = tf.train.GradientDescentOptimizer(0.1).minimize(y)
saver = tf.train.Saver()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(2):
    print("%.4f" % sess.run([step, y], {x: [[0, 1, 2]]})[1])
print("%.4f" % sess.run(z, {x: [[0, 1, 2]]}).sum())
saver.save(sess, "./saved")
print(sorted(tf.train.list_variables("./saved")))
"""


def test_a_device_beside_a_scope(
    run_legacy: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = made_native(BESIDE).text
    assert printed(text) == run_legacy(BESIDE)
    assert 'with tf.device("/cpu:0"), tf.name_scope("embedding"):\n    w = tf.Variable(' in text


def test_two_scopes_of_one_statement() -> None:
    refuses(BESIDE.replace('tf.variable_scope("out"), tf', 'tf.variable_scope("out"), tf.name_scope("in"), tf'), "`tf.")
