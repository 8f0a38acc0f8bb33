"""A place that runs a session stays as it reads: the session is the bridge's, which calls a pruned TensorFlow 2
function of exactly the operations that the fetches reach. It is not native code, but it gives TensorFlow 1's numbers
today.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(
    id="TFM201",
    name="bridged-run",
    before="""\
import tensorflow as tf

x = tf.placeholder(tf.float32)
y = x + 1.0
with tf.Session() as sess:
    print(sess.run(y * y, {y: 2.0}))
""",
    after="""\
import tensorflow as tf
import compat

compat.open_graph()
x = compat.placeholder(tf.float32)
y = x + 1.0
with compat.Session() as sess:
    print(sess.run(y * y, {y: 2.0}))
""",
)
