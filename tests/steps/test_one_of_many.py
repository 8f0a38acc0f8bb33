"""Values that stand for several, since a loop made them or a list of any length holds them: each run has its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

COLLECTIONS = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0], name="w")
u = tf.Variable([3.0], name="u")
x = tf.placeholder(tf.float32, [2])
y = tf.reduce_sum(x * w) + u
every = tf.global_variables()
a = every[0]
b = every[1]
c = a * 2.0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(b), sess.run(a))
    for fetches in ([y, b], [c, a]):
        print([value.tolist() for value in sess.run(fetches, {x: [1.0, 3.0]})])
    print(sess.run([y, b], {x: [1.0, 3.0]})[1], sess.run([c, a], {x: [1.0, 3.0]})[1])
    for v in tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES):
        sess.run(v.assign(v * 2.0))
    for v in tf.trainable_variables():
        print(v.name, v.eval(), sess.run(v))
    print({v.name: sess.run(v).tolist() for v in every})
    first, second = tf.trainable_variables()
    print(sess.run(first), sess.run(second))
"""

COLLECTED = """\
[3.] [1. 2.]
[[10.0], [3.0]]
[[2.0, 4.0], [1.0, 2.0]]
[3.] [1. 2.]
w:0 [2. 4.] [2. 4.]
u:0 [6.] [6.]
{'w:0': [2.0, 4.0], 'u:0': [6.0]}
[2. 4.] [6.]
"""

LOOPS = """\
import sys

import tensorflow as tf

n = len(sys.argv) + 2
x = tf.placeholder(tf.float32, [2])
outs = []
for i in range(n):
    outs.append(tf.reduce_sum(x * i))
first = outs[0]
last = outs[-1]
table = {}
for i in range(n):
    table[str(i)] = tf.reduce_sum(x + i)
p = table["0"]
q = table["1"]


class Model:
    def __init__(self, k):
        self.y = tf.reduce_sum(x) + k


models = [Model(i) for i in range(n)]
m0 = models[0]
m1 = models[1]
scaled = [tf.reduce_max(x) * k for k in range(n)]
a, b = scaled[0], scaled[2]
queue = list(outs)
popped = queue.pop()
with tf.Session() as sess:
    feed = {x: [1.0, 2.0]}
    print(sess.run(first, feed), sess.run(last, feed), sess.run(popped, feed))
    print(sess.run(p, feed), sess.run(q, feed))
    print(sess.run(m0.y, feed), sess.run(m1.y, feed))
    for m in models:
        print(sess.run(m.y, feed))
    for o in outs:
        print(sess.run(o, feed))
    print([float(sess.run(o, feed)) for o in outs])
    for k in sorted(table):
        print(k, sess.run(table[k], feed))
    print(sess.run(a, feed), sess.run(b, feed), sess.run(scaled[1], feed))
"""

LOOPED = """\
0.0 6.0 6.0
3.0 5.0
3.0 4.0
3.0
4.0
5.0
0.0
3.0
6.0
[0.0, 3.0, 6.0]
0 3.0
1 5.0
2 7.0
0.0 4.0 2.0
"""

OBJECTS = """\
import sys

import tensorflow as tf

n = len(sys.argv) + 1
x = tf.placeholder(tf.float32, [])
double = x * 2.0
triple = x * 3.0


class Part:
    scale = None


parts = []
for _ in range(n):
    parts.append(Part())
parts[0].scale = double
parts[1].scale = triple
chosen = double if len(sys.argv) > 5 else triple
kept = chosen
while len(parts) > 1:
    chosen = triple if len(sys.argv) > 5 else double
    parts.pop()
parts[0].other = chosen
with tf.Session() as sess:
    print(sess.run(parts[0].scale, {x: 1.0}), sess.run(parts[-1].scale, {x: 1.0}))
    print(sess.run(double, {x: 1.0}), sess.run(triple, {x: 1.0}))
    print(sess.run(kept, {x: 1.0}), sess.run(chosen, {x: 1.0}), sess.run(parts[0].other, {x: 1.0}))
"""

OF_OBJECTS = """\
2.0 2.0
2.0 3.0
3.0 2.0 2.0
"""


@pytest.mark.parametrize(("program", "printed"), [(COLLECTIONS, COLLECTED), (LOOPS, LOOPED), (OBJECTS, OF_OBJECTS)])
def test_no_run_gives_what_another_name_means(program: str, printed: str, tmp_path: Path) -> None:
    """What they print is TensorFlow 1.15.5's."""
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    outcome = pipeline.run(discover(options).code, options)
    assert {site.tier for site in outcome.report.sites} <= {"native", "dynamic"}
    text = outcome.contents["main.py"].decode()
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.stdout == printed, done.stderr
