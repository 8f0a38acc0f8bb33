"""A place that runs a session becomes a call of a function: its parameters are the placeholders it fed, its body is
the part of the graph it reached, and its state is in `tf.Variable`s. There is no graph and no session any more. This
happens where the analysis proves that the function computes the same; everywhere else the bridge takes over.
"""

from __future__ import annotations

from tf_migrate.rules import Rule

RULE = Rule(
    id="TFM202",
    name="native-run",
    before="""\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
w = tf.Variable(2.0, name="w")
y = x * w
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: [3.0]}))
""",
    after="""\
import tensorflow as tf

w = tf.Variable(2.0, name="w")


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def compute_y(x):
    y = x * w
    return y


print(compute_y([3.0]).numpy())
""",
)
