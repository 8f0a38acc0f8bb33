"""Programs that ask which devices there are become native, and get their answer."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from native import printed, rewritten, tier_of

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
