"""Checkpoints of objects (`tf.train.Checkpoint`), which programs save and restore by a session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import assert_alike, migrated, said_by
from tf_migrate.options import HighestTier

RESUMED = """\
import shutil
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
shutil.rmtree("ck", ignore_errors=True)


def train(turns):
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [])
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(1.0))
    step = tf.train.get_or_create_global_step()
    loss = tf.square(w * x - 1.0)
    optimizer = tf.train.AdamOptimizer(0.1)
    op = optimizer.minimize(loss, global_step=step)
    checkpoint = tf.train.Checkpoint(w=w, step=step, optimizer=optimizer)
    manager = tf.train.CheckpointManager(checkpoint, "ck", max_to_keep=2)
    status = checkpoint.restore(manager.latest_checkpoint)
    with tf.Session() as sess:
        status.initialize_or_restore(sess)
        for _ in range(turns):
            sess.run(op, {x: 2.0})
        print(sess.run([w, step]), sorted(v.name for v in tf.global_variables()))
        print(manager.save(), sess.run(checkpoint.save_counter))


train(2)
train(3)
train(1)
for key, shape in tf.train.list_variables("ck"):
    print(key, shape)
print(tf.train.get_checkpoint_state("ck").all_model_checkpoint_paths)
"""
RESUMED_PRINTED = """\
[0.8011878, 2] ['beta1_power:0', 'beta2_power:0', 'global_step:0', 'save_counter:0', 'w/Adam:0', 'w/Adam_1:0', 'w:0']
ck/ckpt-1 1
[0.5278159, 5] ['beta1_power:0', 'beta2_power:0', 'global_step:0', 'save_counter:0', 'w/Adam:0', 'w/Adam_1:0', 'w:0']
ck/ckpt-2 2
[0.45256996, 6] ['beta1_power:0', 'beta2_power:0', 'global_step:0', 'save_counter:0', 'w/Adam:0', 'w/Adam_1:0', 'w:0']
ck/ckpt-3 3
_CHECKPOINTABLE_OBJECT_GRAPH []
optimizer/beta1_power/.ATTRIBUTES/VARIABLE_VALUE []
optimizer/beta2_power/.ATTRIBUTES/VARIABLE_VALUE []
save_counter/.ATTRIBUTES/VARIABLE_VALUE []
step/.ATTRIBUTES/VARIABLE_VALUE []
w/.ATTRIBUTES/VARIABLE_VALUE []
w/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE []
w/.OPTIMIZER_SLOT/optimizer/v/.ATTRIBUTES/VARIABLE_VALUE []
['ck/ckpt-2', 'ck/ckpt-3']
"""
OBJECTS = """\
import shutil
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
shutil.rmtree("ck", ignore_errors=True)
a = tf.Variable([1.0, 2.0], name="a")
b = tf.Variable(3, name="b")
c = tf.Variable(5.0, name="c")
double = tf.assign(a, 2.0 * a)
checkpoint = tf.train.Checkpoint(first=a)
checkpoint.rest = [b, c]
with tf.Session() as one:
    one.run(tf.global_variables_initializer())
    one.run(double)
    path = checkpoint.save("ck/model", session=one)
    print(path, one.run(a))
    one.run(double)
    path = checkpoint.save("ck/model", session=one)
    print(path)
    one.run(double)
    status = checkpoint.restore("ck/model-1")
    print(type(status).__name__, one.run(a))
    status.assert_consumed().run_restore_ops(one)
    print(one.run([a, b, c]), one.run(checkpoint.save_counter))
with tf.Session() as two:
    checkpoint.restore("ck/model-2").assert_existing_objects_matched().run_restore_ops()
    print(two.run([a, b, c]))
    print(checkpoint.write("ck/written", session=two))
    try:
        checkpoint.restore(None).assert_consumed()
    except AssertionError as error:
        print("AssertionError", error)
    try:
        checkpoint.restore(None).run_restore_ops()
    except AssertionError as error:
        print("AssertionError", error)
other = tf.train.Checkpoint(first=a, more=tf.Variable(7.0, name="d"))
with tf.Session() as three:
    status = other.restore("ck/model-2")
    status.initialize_or_restore(three)
    print(three.run([a, other.more]))
    try:
        status.assert_consumed()
    except AssertionError as error:
        print("AssertionError", str(error).splitlines()[0][:60])
    try:
        status.assert_existing_objects_matched()
    except AssertionError as error:
        print("AssertionError", str(error).splitlines()[0][:60])
    status.expect_partial()
for key, shape in tf.train.list_variables("ck/written"):
    print(key, shape)
"""
OBJECTS_PRINTED = """\
ck/model-1 [2. 4.]
ck/model-2
CheckpointLoadStatus [ 8. 16.]
[array([2., 4.], dtype=float32), 3, 5.0] 1
[array([4., 8.], dtype=float32), 3, 5.0]
ck/written
AssertionError No checkpoint specified (save_path=None); nothing is being restored.
AssertionError No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore).
[array([4., 8.], dtype=float32), 7.0]
AssertionError Some Python objects were not bound to checkpointed values, l
AssertionError Some Python objects were not bound to checkpointed values, l
_CHECKPOINTABLE_OBJECT_GRAPH []
first/.ATTRIBUTES/VARIABLE_VALUE [2]
rest/0/.ATTRIBUTES/VARIABLE_VALUE []
rest/1/.ATTRIBUTES/VARIABLE_VALUE []
save_counter/.ATTRIBUTES/VARIABLE_VALUE []
"""
BY_NAME = """\
import shutil
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
shutil.rmtree("ck", ignore_errors=True)


class Model(object):
    def __init__(self, width):
        self.x = tf.placeholder(tf.float32, [None, 2])
        with tf.variable_scope("net"):
            self.w = tf.get_variable("w", [2, width], initializer=tf.ones_initializer())
            self.b = tf.get_variable("b", [width], initializer=tf.zeros_initializer())
        self.out = tf.reduce_sum(tf.matmul(self.x, self.w) + self.b)
        self.bump = [tf.assign_add(self.b, tf.ones([width])), tf.assign(self.w, self.w * 1.5)]
        self.checkpoint = tf.train.Checkpoint(**{v.op.name: v for v in tf.global_variables()})
        self.manager = tf.train.CheckpointManager(self.checkpoint, "ck", max_to_keep=1)

    def resume(self, sess):
        path = self.manager.latest_checkpoint
        print("resuming from", path)
        self.checkpoint.restore(path).initialize_or_restore(sess)


for turn in range(3):
    with tf.Graph().as_default():
        model = Model(3)
        with tf.Session() as sess:
            model.resume(sess)
            sess.run(model.bump)
            print(sess.run(model.out, {model.x: [[1.0, 2.0]]}), model.manager.save(), model.manager.checkpoints)
reader = tf.train.NewCheckpointReader(tf.train.latest_checkpoint("ck"))
for name in sorted(reader.get_variable_to_shape_map()):
    if "GRAPH" not in name:
        print(name, reader.get_tensor(name).tolist())
"""
BY_NAME_PRINTED = """\
resuming from None
16.5 ck/ckpt-1 ['ck/ckpt-1']
resuming from ck/ckpt-1
26.25 ck/ckpt-2 ['ck/ckpt-2']
resuming from ck/ckpt-2
39.375 ck/ckpt-3 ['ck/ckpt-3']
net.Sb/.ATTRIBUTES/VARIABLE_VALUE [3.0, 3.0, 3.0]
net.Sw/.ATTRIBUTES/VARIABLE_VALUE [[3.375, 3.375, 3.375], [3.375, 3.375, 3.375]]
save_counter/.ATTRIBUTES/VARIABLE_VALUE 3
"""
LATER = """\
import shutil
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
shutil.rmtree("ck", ignore_errors=True)
# A variable that is made behind the restore is restored by its own initializer.
with tf.Graph().as_default():
    first = tf.get_variable("first", [], initializer=tf.constant_initializer(4.0))
    tree = tf.train.Checkpoint(first=first)
    with tf.Session() as sess:
        sess.run(first.initializer)
        path = tree.save("ck/tree", session=sess)
with tf.Graph().as_default():
    tree = tf.train.Checkpoint()
    status = tree.restore(path)
    tree.first = tf.get_variable("other", [], initializer=tf.constant_initializer(0.0))
    with tf.Session() as sess:
        status.initialize_or_restore(sess)
        print(sess.run(tree.first))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(tree.first))
"""
LATER_PRINTED = """\
4.0
0.0
"""

PROGRAMS = {
    "resumed": (RESUMED, RESUMED_PRINTED),
    "objects": (OBJECTS, OBJECTS_PRINTED),
    "by name": (BY_NAME, BY_NAME_PRINTED),
    "later": (LATER, LATER_PRINTED),
}


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize(("program", "wanted"), PROGRAMS.values(), ids=PROGRAMS)
def test_checkpoints_of_objects(program: str, wanted: str, tier: HighestTier, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path, tier)
    assert {site.tier for site in outcome.report.sites} == {tier}
    assert_alike(said_by(outcome.contents["main.py"].decode(), tmp_path), wanted)


@pytest.mark.parametrize(("program", "wanted"), PROGRAMS.values(), ids=PROGRAMS)
def test_they_are_those_of_tf1(program: str, wanted: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    assert_alike(run_legacy(program, cwd=tmp_path), wanted)


LEARNING = """\
import sys

import tensorflow as tf

tf.enable_eager_execution()
v = tf.Variable([1.0, 2.0], name="v")
optimizer = tf.train.AdamOptimizer(0.1)
checkpoint = tf.train.Checkpoint(v=v, optimizer=optimizer)


def learn(turns):
    for _ in range(turns):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v * v)
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])


learn(1)
if sys.argv[1] == "write":
    learn(2)
    checkpoint.save("learned/model")
else:
    checkpoint.restore("learned/model-1").assert_consumed()
learn(2)
print("%.5f %.5f" % tuple(v.numpy()))
"""


@pytest.mark.parametrize("written_by", ["tf1", "migrated"])
def test_each_goes_on_from_what_the_other_wrote(
    written_by: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    text = migrated(LEARNING, tmp_path / "source").contents["main.py"].decode()

    def migrated_says(*arguments: str) -> str:
        return said_by(text, tmp_path, *arguments)

    def tf1_says(*arguments: str) -> str:
        return run_legacy(LEARNING, *arguments, cwd=tmp_path)

    write, read = (tf1_says, migrated_says) if written_by == "tf1" else (migrated_says, tf1_says)
    assert write("write") == read("read") == "0.51996 1.50700\n"
