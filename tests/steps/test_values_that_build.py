"""Methods by which values of the graph build others: of variables in parts, ragged tensors and arrays of tensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

LOOKED_UP = """\
import numpy as np
import tensorflow as tf

emb = tf.get_variable("emb", [10, 4], partitioner=tf.fixed_size_partitioner(3),
                      initializer=tf.random_normal_initializer(seed=3))
ids = tf.placeholder(tf.int32, [None])
vec = tf.nn.embedding_lookup(emb, ids)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(emb.as_tensor()).shape)
    rows = sess.run(tf.nn.embedding_lookup(emb, [1, 3, 9], partition_strategy="div"))
    print(np.allclose(rows, sess.run(emb.as_tensor())[[1, 3, 9]]))
    print([v.name for v in emb], len(emb), emb.name, emb.get_shape(), emb.dtype)
    print(sess.run(vec, {ids: [0, 1]}).shape)
"""
IN_PARTS = """\
import numpy as np
import tensorflow as tf

class Table(object):
    def __init__(self, rows):
        two, ones = tf.fixed_size_partitioner(2), tf.ones_initializer()
        self.rows = tf.get_variable("rows", [rows, 2], partitioner=two, initializer=ones)
        self.ids = tf.placeholder(tf.int32, [None])
        self.hit = tf.nn.embedding_lookup(self.rows, self.ids)
        self.loss = tf.reduce_sum(tf.square(self.hit))
        self.train = tf.train.AdagradOptimizer(0.5).minimize(self.loss)
        self.reset = self.rows.assign(np.full((rows, 2), 3.0, np.float32))
        self.parts = list(self.rows)

with tf.Session() as sess:
    t = Table(5)
    sess.run(tf.global_variables_initializer())
    sess.run(t.train, {t.ids: [0, 4]})
    print(t.rows.as_tensor().eval().round(4).tolist())
    sess.run(t.reset)
    print(sess.run(t.rows.as_tensor()).tolist(), sess.run(t.parts[1]).tolist())
    for p in t.rows:
        print(p.name, sess.run(p).sum())
"""
OBJECTS = """\
import numpy as np
import tensorflow as tf

v = tf.Variable([1.0, 2.0, 3.0, 4.0], name="v", use_resource=True)
r = tf.ragged.constant([[1, 2], [], [3]])
x = tf.placeholder(tf.float32, [None])
ta = tf.TensorArray(tf.float32, 3, element_shape=[]).unstack(tf.constant([1.0, 2.0, 3.0]))


class Look(object):
    def __init__(self, sess):
        self.sess = sess

    def shapes(self):
        return self.sess.run([r.bounding_shape(), r.nrows(), r.row_starts(), r.value_rowids()])

    def scaled(self, rows):
        self.sess.run(v.scatter_mul(tf.IndexedSlices(tf.constant([2.0, 3.0]), tf.constant(rows))))
        return self.sess.run(v)


sess = tf.Session()
look = Look(sess)
sess.run(tf.global_variables_initializer())
for each in look.shapes():
    print(each.tolist())
print(look.scaled([0, 2]))
print(look.scaled([1, 1]))
print(sess.run(ta.size()), sess.run(ta.read(1)))
"""
ASKED = """\
import tensorflow as tf

v = tf.Variable([1.0, 2.0], use_resource=True)
ready = v.is_initialized()
with tf.Session() as sess:
    print(sess.run(ready))
    sess.run(tf.global_variables_initializer())
    print(sess.run(ready))
"""


@pytest.mark.parametrize(
    ("program", "tiers"),
    [(LOOKED_UP, {"native"}), (IN_PARTS, {"native", "dynamic"}), (OBJECTS, {"native", "dynamic"}), (ASKED, {"bridge"})],
    ids=["looked up", "in parts", "objects", "asked"],
)
def test_methods_that_build(program: str, tiers: set[str], tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == tiers
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
