"""Programs with conditions and loops of the graph, for TF 1.15.5 and for what is made of them."""

MODEL = """\
import json
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
p = tf.placeholder(tf.bool, [])
w = tf.Variable(2.0)
v = tf.Variable(0.5)
h = x * w
"""
STEP = """\
loss = tf.reduce_sum(tf.square(tf.cast(z, tf.float32))) * 0.0625 + 0.125 * w
step = tf.train.MomentumOptimizer(0.25, 0.5).minimize(loss)
"""
SESSION = "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
RUNS = """\
for flag, value in ((True, 1.5), (False, 3.0), (False, 0.5)):
    print(json.dumps(np.asarray(sess.run(z, {x: value, p: flag})).tolist()))
    sess.run(step, {x: value, p: flag})
    print(json.dumps([float(item) for item in sess.run([w, v])]))
"""
NAMED = "def yes():\n    return h * 2.0\ndef no():\n    return h - x * v\n"
KINDS = {
    "lambdas": "z = tf.cond(p, lambda: h * v, lambda: h - x)\n",
    "functions that see tensors": NAMED + "z = tf.cond(p, yes, no)\n",
    "a function that is called as well": NAMED + "z = tf.cond(p, yes, no) + no()\n",
    "old names": "z = tf.cond(x > 2.0, fn1=lambda: [h], fn2=lambda: [v])\n",
    "strict": "z = tf.cond(p, lambda: [h], lambda: [x], strict=True)[0]\n",
    "one in the other": "z = tf.cond(p, lambda: h * v, lambda: tf.cond(x > 2.0, lambda: h, lambda: v * 2.0))\n",
    "two results": "a, b = tf.cond(p, lambda: (h, x), lambda: (x, v))\nz = a - b\n",
    "a dictionary": "d = tf.cond(p, lambda: {'a': h, 'b': x}, lambda: {'a': x, 'b': v})\nz = d['a'] - d['b']\n",
    "numbers": "z = tf.cond(p, lambda: 2.0, lambda: 0.5) * h\n",
    "a scope": "def yes():\n    with tf.name_scope('yes'):\n        y = h * 2.0\n    return y + v\n"
    "with tf.name_scope('all'):\n    z = tf.cond(p, yes, lambda: h)\n",
    "cases": f"{NAMED}z = tf.case([(p, yes), (x > 2.0, lambda: h * v)], default=no)\n",
    "a loop": "_, z = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * h), [0, v])\n",
    "a loop of functions": "def going(i, t):\n    return tf.less(i, 3)\ndef body(i, t):\n    t = t + h\n"
    "    return [i + 1, t * v]\nn, z = tf.while_loop(going, body, (tf.constant(0), x))\n",
    "a loop over one": "z = tf.while_loop(lambda a: a < 9.0, lambda a: a + 2.0, [h * v])\n",
    "a loop over one, listed": "z = tf.while_loop(lambda a: a < 9.0, lambda a: [a + w * w + 1.0], [h + v])\n",
    "a loop over one, as it was": "z, = tf.while_loop(lambda a: a < 9.0, lambda a: [a + w * w + 1.0], [h],"
    " return_same_structure=True)\n",
    "a loop over pairs": "def body(i, pair):\n    return i + 1, (pair[1], pair[0] + pair[1])\n"
    "_, (a, b) = tf.while_loop(lambda i, pair: i < 4, body, (0, (h, v)))\nz = a * b\n",
    "a loop with a limit": "_, z = tf.while_loop(lambda i, t: i < 9, lambda i, t: [i + 1, t + h], [0, v],"
    " maximum_iterations=3)\n",
    "a loop that grows": "start = tf.stack([x, v])\n"
    "_, z = tf.while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, tf.concat([t, t * w], 0)), [0, start],\n"
    "    shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])], parallel_iterations=2, swap_memory=True)\n",
    "a loop without gradients": "_, z = tf.while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, t * h), [0, v],"
    " back_prop=False)\n",
    "a loop in a function": "def power(t, times):\n    def body(i, total):\n        return i + 1, total * t\n"
    "    return tf.while_loop(lambda i, _: i < times, body, [0, 1.0])[1]\nz = power(h, 3) + power(v, 2)\n",
    "a loop in a branch": "def power(t):\n    shapes = (tf.TensorShape([]), tf.TensorShape([]))\n"
    "    return tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s * t * w), (0, v), shapes)[1]\n"
    "z = tf.cond(p, lambda: power(h), lambda: h)\n",
    "each": "z = tf.map_fn(lambda t: t * w, tf.stack([x, v]))\n",
    "each of two": "pairs = (tf.stack([x, v]), tf.stack([v, h]))\n"
    "a, b = tf.map_fn(lambda t: (t[0] * t[1], t[0]), pairs)\nz = a - b\n",
    "each of another type": "z = tf.map_fn(lambda t: tf.cast(t * h, tf.int32), tf.stack([x, v]), tf.int32)\n",
    "a scan": "z = tf.scan(lambda total, t: total * v + t, tf.stack([x, h, v]))\n",
    "a scan from a start": "a, z = tf.scan(lambda s, t: (s[0] + t, s[1] * t * v), tf.stack([x, h]),"
    " initializer=(0.0, 1.0), reverse=True)\n",
    "a fold": "def add(total, t):\n    return total * h + t\nz = tf.foldl(add, tf.stack([x, v, w]), 0.25)\n",
    "a fold from behind": "z = tf.foldr(lambda total, t: total - t * v, tf.stack([x, v, w]))\n",
    "a fold by an operation": "z = tf.foldl(tf.multiply, tf.stack([x, h, v]))\n",
}
