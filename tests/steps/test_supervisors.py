"""Supervisors in steps: whole programs, and what TensorFlow 1.15.5 printed."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import Outcome

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

# Two models over the same weights; the second time it goes on from the checkpoint.
TWO_MODELS = '''\
"""A language model in small: one graph, two models over the same weights, a supervisor that saves and restores."""
import collections
import os
import sys

import numpy as np
import tensorflow as tf

flags = tf.flags
flags.DEFINE_string("save_path", "kept", "folder")
flags.DEFINE_integer("epochs", 2, "epochs")
FLAGS = flags.FLAGS


class Config(object):
    init_scale = 0.4
    size = 5
    steps = 3
    batch = 2
    vocab = 7


class Reader(object):
    def __init__(self, config, seed):
        self.rows = [np.random.RandomState(seed + at).randint(0, config.vocab, (config.batch, config.steps + 1))
                     for at in range(3)]

    def __iter__(self):
        for row in self.rows:
            yield row[:, :-1], row[:, 1:]


class Model(object):
    def __init__(self, is_training, config):
        self._input = tf.placeholder(tf.int32, [config.batch, config.steps])
        self._targets = tf.placeholder(tf.int32, [config.batch, config.steps])
        embedding = tf.get_variable("embedding", [config.vocab, config.size])
        cell = tf.nn.rnn_cell.BasicLSTMCell(config.size, state_is_tuple=True)
        self._initial_state = cell.zero_state(config.batch, tf.float32)
        outputs, state = [], self._initial_state
        with tf.variable_scope("RNN"):
            for step in range(config.steps):
                if step > 0:
                    tf.get_variable_scope().reuse_variables()
                output, state = cell(tf.nn.embedding_lookup(embedding, self._input[:, step]), state)
                outputs.append(output)
        output = tf.reshape(tf.concat(outputs, 1), [-1, config.size])
        logits = tf.nn.xw_plus_b(output, tf.get_variable("w", [config.size, config.vocab]),
                                 tf.get_variable("b", [config.vocab]))
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.reshape(self._targets, [-1]), logits=logits)
        self._cost = tf.reduce_sum(losses) / config.batch
        self._final_state = state
        if not is_training:
            return
        self._lr = tf.Variable(0.0, trainable=False)
        tvars = tf.trainable_variables()
        grads, _ = tf.clip_by_global_norm(tf.gradients(self._cost, tvars), 5.0)
        self._train_op = tf.train.GradientDescentOptimizer(self._lr).apply_gradients(
            zip(grads, tvars), global_step=tf.train.get_or_create_global_step())
        self._new_lr = tf.placeholder(tf.float32, shape=[], name="new_learning_rate")
        self._lr_update = tf.assign(self._lr, self._new_lr)

    def assign_lr(self, session, value):
        session.run(self._lr_update, feed_dict={self._new_lr: value})

    @property
    def cost(self):
        return self._cost

    @property
    def train_op(self):
        return self._train_op

    @property
    def lr(self):
        return self._lr


def run_epoch(session, model, reader, eval_op=None):
    costs = 0.0
    state = session.run(model._initial_state)
    fetches = {"cost": model.cost, "final_state": model._final_state}
    if eval_op is not None:
        fetches["eval_op"] = eval_op
    for x, y in reader:
        feed_dict = {model._input: x, model._targets: y}
        vals = session.run(fetches, feed_dict)
        costs += vals["cost"]
    return np.exp(costs / 9.0)


def main(_):
    config = Config()
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        initializer = tf.random_uniform_initializer(-config.init_scale, config.init_scale, seed=5)
        with tf.name_scope("Train"):
            with tf.variable_scope("Model", reuse=None, initializer=initializer):
                m = Model(True, config)
            tf.summary.scalar("Training_Loss", m.cost)
        with tf.name_scope("Valid"):
            with tf.variable_scope("Model", reuse=True, initializer=initializer):
                mvalid = Model(False, config)
        sv = tf.train.Supervisor(logdir=FLAGS.save_path, summary_op=None, save_model_secs=0)
        config_proto = tf.ConfigProto(allow_soft_placement=True)
        with sv.managed_session(config=config_proto) as session:
            for i in range(FLAGS.epochs):
                m.assign_lr(session, 0.5 * 0.5 ** i)
                print("lr %.3f" % session.run(m.lr))
                print("train %.4f" % run_epoch(session, m, Reader(config, 1), eval_op=m.train_op))
                print("valid %.4f" % run_epoch(session, mvalid, Reader(config, 50)))
            if FLAGS.save_path:
                print("Saving model to %s." % FLAGS.save_path)
                path = os.path.join(FLAGS.save_path, "m")
                print(os.path.basename(sv.saver.save(session, path, global_step=sv.global_step)))


def again():
    """The second time it goes on from the checkpoint."""
    main(None)


if __name__ == "__main__":
    FLAGS(sys.argv)
    main(None)
    again()
'''
TWO_MODELS_PRINTED = """\
lr 0.500
train 6.7087
valid 6.4078
lr 0.250
train 5.5094
valid 6.5490
Saving model to kept.
m-6
lr 0.500
train 5.4385
valid 6.8125
lr 0.250
train 5.2841
valid 6.8247
Saving model to kept.
m-12
"""

# Queues of rows, a function that restores, and summaries by hand.
RESTORED = '''\
"""A queue of rows, weights of another program that a function restores, summaries by hand."""
import glob
import os
import time

import numpy as np
import tensorflow as tf

slim = tf.contrib.slim


def other(path):
    with tf.Graph().as_default():
        with tf.variable_scope("net/first"):
            w = tf.get_variable("weights", [3, 4], initializer=tf.constant_initializer(0.25))
        saver = tf.train.Saver([w])
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return saver.save(sess, path)


def rows():
    x = np.arange(36, dtype=np.float32).reshape(12, 3) / 36.0
    one = tf.train.slice_input_producer([x, x.sum(axis=1, keepdims=True)], shuffle=False)
    return tf.train.batch(one, batch_size=4)


def net(x):
    with tf.variable_scope("net"):
        x = slim.fully_connected(x, 4, scope="first", activation_fn=tf.tanh,
                                 weights_initializer=tf.constant_initializer(0.1))
        return slim.fully_connected(x, 1, scope="second", activation_fn=None,
                                    weights_initializer=tf.constant_initializer(0.5))


def run():
    checkpoint = other(os.path.join(".", "other.ckpt"))
    with tf.Graph().as_default() as graph:
        x, y = rows()
        out = net(x)
        loss = tf.losses.mean_squared_error(y, out)
        total_loss = tf.losses.get_total_loss()
        global_step = tf.train.get_or_create_global_step()
        lr = tf.train.exponential_decay(0.1, global_step, 2, 0.5, staircase=True)
        train_op = slim.learning.create_train_op(total_loss, tf.train.AdamOptimizer(lr))
        tf.summary.scalar("loss", total_loss)
        tf.summary.scalar("lr", lr)
        my_summary_op = tf.summary.merge_all()
        saver = tf.train.Saver([v for v in tf.trainable_variables() if v.op.name == "net/first/weights"])

        def restore_fn(sess):
            print("restoring")
            return saver.restore(sess, checkpoint)

        def train_step(sess, train_op, global_step):
            start = time.time()
            total, count, _ = sess.run([train_op, global_step, loss])
            assert time.time() >= start
            print("step %d: %.5f" % (count, total))
            return total, count

        sv = tf.train.Supervisor(logdir="log", summary_op=None, init_fn=restore_fn, save_model_secs=0)
        with sv.managed_session() as sess:
            for step in range(6):
                if step % 3 == 0:
                    now = sess.run(lr)
                    print("lr %.4f" % now)
                    total, _ = train_step(sess, train_op, sv.global_step)
                    summaries = sess.run(my_summary_op)
                    sv.summary_computed(sess, summaries)
                else:
                    total, _ = train_step(sess, train_op, sv.global_step)
                if sv.should_stop():
                    break
            print("final %.5f" % total)
            sv.saver.save(sess, sv.save_path, global_step=sv.global_step)
    for path in sorted(glob.glob("log/events*")):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                print(event.step, value.tag, "%.5f" % value.simple_value)
    print(sorted(os.path.basename(p) for p in glob.glob("log/model*meta")))


if __name__ == "__main__":
    run()
'''
RESTORED_PRINTED = """\
restoring
lr 0.1000
step 1: 0.07362
step 2: 0.36600
step 3: 0.56906
lr 0.0500
step 4: 0.38258
step 5: 0.42534
step 6: 0.19830
final 0.19830
0 global_step/sec 0.00000
1 input_producer/input_producer/fraction_of_32_full 1.00000
1 batch/fraction_of_32_full 1.00000
1 loss 0.01680
1 lr 0.10000
4 input_producer/input_producer/fraction_of_32_full 1.00000
4 batch/fraction_of_32_full 1.00000
4 loss 0.03435
4 lr 0.02500
['model.ckpt-6.meta']
"""

# The graph is an attribute of an object.
GRAPH_OF_OBJECT = """\
import os

import numpy as np
import tensorflow as tf


class hp:
    logdir = "runs"
    epochs = 2


class Graph:
    def __init__(self, mode="train"):
        self.mode = mode
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.x = tf.placeholder(tf.float32, [None, 2])
            self.y = tf.placeholder(tf.float32, [None])
            with tf.variable_scope("dense"):
                self.w = tf.get_variable("w", [2], initializer=tf.constant_initializer([0.2, -0.1]))
            self.pred = tf.reduce_sum(self.x * self.w, 1)
            if mode == "train":
                self.loss = tf.reduce_mean(tf.square(self.pred - self.y))
                self.global_step = tf.Variable(0, name="global_step", trainable=False)
                self.train_op = tf.train.AdagradOptimizer(0.3).minimize(self.loss, global_step=self.global_step)
                tf.summary.scalar("loss", self.loss)
                self.merged = tf.summary.merge_all()


def data():
    x = np.linspace(-1, 1, 12).reshape(6, 2).astype(np.float32)
    return x, x[:, 0] * 2 + x[:, 1]


def train():
    g = Graph()
    print("Graph loaded")
    x, y = data()
    sv = tf.train.Supervisor(graph=g.graph, logdir=hp.logdir, save_model_secs=0, summary_op=None)
    with sv.managed_session() as sess:
        for epoch in range(1, hp.epochs + 1):
            if sv.should_stop():
                break
            for step in range(3):
                sess.run(g.train_op, {g.x: x[step * 2:step * 2 + 2], g.y: y[step * 2:step * 2 + 2]})
            gs = sess.run(g.global_step)
            print("gs", gs, "%.5f" % sess.run(g.loss, {g.x: x, g.y: y}))
            sv.saver.save(sess, hp.logdir + "/model_epoch_%02d_gs_%d" % (epoch, gs))


def evaluate():
    g = Graph("eval")
    x, _ = data()
    with g.graph.as_default():
        sv = tf.train.Supervisor()
        with sv.managed_session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
            sv.saver.restore(sess, tf.train.latest_checkpoint(hp.logdir))
            print("Restored!", os.path.basename(tf.train.latest_checkpoint(hp.logdir)))
            print(np.round(sess.run(g.pred, {g.x: x}), 4))


if __name__ == "__main__":
    train()
    train()
    evaluate()
"""
GRAPH_OF_OBJECT_PRINTED = """\
Graph loaded
gs 3 1.42893
gs 6 0.78255
Graph loaded
gs 9 0.45681
gs 12 0.27516
Restored! model_epoch_02_gs_12
[-1.9869 -1.2004 -0.4138  0.3727  1.1592  1.9458]
"""

# A session that is got and stopped by hand, a thread, and the end of the input.
BY_HAND = '''\
"""A session that is got and stopped by hand; a thread that looks at it; the end of the input stops it all."""
import threading

import numpy as np
import tensorflow as tf


def inputs(limit):
    queue = tf.train.input_producer(tf.constant([1.0, 2.0, 4.0, 8.0]), shuffle=False, num_epochs=limit)
    return queue.dequeue()


x = inputs(2)
total = tf.get_variable("total", [], initializer=tf.zeros_initializer())
counter = tf.train.create_global_step()
with tf.control_dependencies([tf.assign_add(total, x)]):
    add = tf.group(tf.assign_add(counter, 1))
init = tf.group(tf.global_variables_initializer(), tf.local_variables_initializer())
seen = []


def look(sess, done):
    seen.append(bool(sess.run(total) >= 0.0))
    done.set()


done = threading.Event()
supervisor = tf.train.Supervisor(logdir=None, init_op=init, local_init_op=None, saver=None, summary_op=None)
sess = supervisor.PrepareSession("", config=tf.ConfigProto())
supervisor.loop(None, look, args=(sess, done))
try:
    while not supervisor.should_stop():
        sess.run(add)
except tf.errors.OutOfRangeError:
    print("the end")
finally:
    supervisor.request_stop()
done.wait(10)
print("total", sess.run(total), "after", sess.run(supervisor.global_step), seen[:1])
supervisor.stop()
sess.close()
'''
BY_HAND_PRINTED = """\
the end
total 30.0 after 8 [True]
"""

# Sessions in turn over one graph; an initializer behind the restoring; errors of two kinds.
IN_TURN = '''\
"""Sessions after sessions over one graph: each begins anew, from its checkpoint where there is one; an initializer that
runs behind the restoring counts; errors go out of the block, the end of the input does not."""
import numpy as np
import tensorflow as tf


class Walk(object):
    def __init__(self, folder):
        tf.set_random_seed(5)
        self.noise = tf.random_normal([], seed=2)
        self.place = tf.Variable(1.0, name="place")
        self.steps = tf.Variable(0, trainable=False, name="steps")
        with tf.control_dependencies([self.steps.assign_add(1)]):
            self.move = self.place.assign_add(self.noise)
        self.init = tf.global_variables_initializer()
        self.sv = tf.train.Supervisor(logdir=folder, global_step=self.steps, save_model_secs=0,
                                      save_summaries_secs=0, summary_op=None, saver=tf.train.Saver(max_to_keep=2))

    def go(self, session, turns):
        for _ in range(turns):
            found = session.run(self.move)
        return found


def show(text, walk, sess):
    print(text, "%.5f at %d" % tuple(sess.run([walk.place, walk.steps])))


def main():
    for folder in (None, "walks"):
        with tf.Graph().as_default():
            walk = Walk(folder)
            with walk.sv.managed_session() as sess:
                show("begins", walk, sess)
                print("%.5f" % walk.go(sess, 2))
                if folder:
                    walk.sv.saver.save(sess, walk.sv.save_path, walk.steps)
            with walk.sv.managed_session() as sess:
                show("again", walk, sess)
                print("%.5f" % walk.go(sess, 1))
                sess.run(walk.init)
                show("anew", walk, sess)
            try:
                with walk.sv.managed_session() as sess:
                    print("%.5f" % walk.go(sess, 3))
                    raise KeyError("mine")
            except KeyError as error:
                print("error", error)
            with walk.sv.managed_session() as session:
                show("last", walk, session)
                print("%.5f" % walk.go(session, 1))
                raise tf.errors.OutOfRangeError(None, None, "the end")
            print("behind")


main()
'''
IN_TURN_PRINTED = """\
begins 1.00000 at 0
2.39085
again 1.00000 at 0
2.75713
anew 1.00000 at 0
3.05534
error 'mine'
last 1.00000 at 0
2.75713
behind
begins 1.00000 at 0
2.39085
again 2.39085 at 2
4.14798
anew 1.00000 at 0
4.44619
error 'mine'
last 2.39085 at 2
4.14798
behind
"""

# The supervisor and its session are handed on.
HANDED_ON = """\
import tensorflow as tf
w = tf.Variable(2.0)
half = w.assign(w / 2.0)


def make():
    return tf.train.Supervisor(logdir=None)


class Trainer(object):
    def __init__(self, sv):
        self.sv = sv
        self.sess = None

    def begin(self):
        self.sess = self.sv.prepare_or_wait_for_session(config=tf.ConfigProto())
        self.threads = self.sv.start_queue_runners(self.sess)

    def step(self):
        return self.sess.run(half)

    def stop(self):
        self.sv.stop()
        self.sess.close()


t = Trainer(make())
t.begin()
print(t.step(), t.step(), len(t.threads))
t.stop()
"""
HANDED_ON_PRINTED = """\
1.0 0.5 0
"""


REFUSED_HEAD = """\
import sys

import tensorflow as tf

w = tf.Variable(2.0)
half = w.assign(w / 2.0)


def look(session, other=None):
    print(session.run(w) >= 0.0)


"""
REFUSED = {
    "chief": """\
sv = tf.train.Supervisor(is_chief=len(sys.argv) < 9)
with sv.managed_session() as sess:
    print(sess.run(half))
""",
    "target": """\
sv = tf.train.Supervisor()
with sv.managed_session(sys.argv[-1]) as sess:
    print(sess.run(half))
""",
    "at once": """\
sv = tf.train.Supervisor()
with tf.Session() as other:
    other.run(sv.init_op)
    with sv.managed_session() as sess:
        print(sess.run(half), other.run(w))
        print(sess.run(half))
""",
    "by a name": """\
sv = tf.train.Supervisor()
manager = sv.managed_session()
sess = manager.__enter__()
print(sess.run(half))
manager.__exit__(None, None, None)
""",
    "given a manager": """\
sv = tf.train.Supervisor(session_manager=tf.train.SessionManager())
with sv.managed_session() as sess:
    print(sess.run(half))
""",
    "hands on by name": """\
sv = tf.train.Supervisor()
with sv.managed_session() as sess:
    sv.loop(None, look, kwargs={"session": sess})
    print(sess.run(half))
""",
    "hands on a list": """\
sv = tf.train.Supervisor()
given = [None, 3]
with sv.managed_session() as sess:
    given[0] = sess
    sv.loop(None, look, given)
    print(sess.run(half))
""",
    "one of several": """\
make = tf.train.Supervisor if len(sys.argv) < 9 else tf.train.MonitoredTrainingSession
with make().managed_session() as sess:
    print(sess.run(half))
""",
    "a class of its own": """\
class Mine(tf.train.Supervisor):
    def managed_session(self, *args, **kwargs):
        print("mine")
        return super(Mine, self).managed_session(*args, **kwargs)


with Mine().managed_session() as sess:
    print(sess.run(half))
""",
    "stars": """\
sv = tf.train.Supervisor(*sys.argv[9:])
with sv.managed_session() as sess:
    print(sess.run(half))
""",
}


def rewritten(folder: Path, program: str) -> Outcome:
    (folder / "main.py").write_text(program)
    options = Options(paths=(folder,), root=folder)
    return pipeline.run(discover(options).code, options)


@pytest.mark.parametrize(
    ("program", "printed", "dynamic"),
    [
        pytest.param(TWO_MODELS, TWO_MODELS_PRINTED, 0, id="two models"),
        pytest.param(RESTORED, RESTORED_PRINTED, 0, id="restored"),
        pytest.param(GRAPH_OF_OBJECT, GRAPH_OF_OBJECT_PRINTED, 0, id="graph of an object"),
        pytest.param(BY_HAND, BY_HAND_PRINTED, 0, id="by hand"),
        pytest.param(IN_TURN, IN_TURN_PRINTED, 0, id="in turn"),
        pytest.param(HANDED_ON, HANDED_ON_PRINTED, 0, id="handed on"),
    ],
)
def test_what_tensorflow_1_printed(program: str, printed: str, dynamic: int, tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, program)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    assert [site.tier for site in outcome.report.sites if site.tier != "native"] == ["dynamic"] * dynamic
    text = outcome.contents["main.py"].decode()
    assert not re.search(r"[Ss]upervisor\(|managed_session|Session\(", text)
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert NUMBER.sub("#", done.stdout) == NUMBER.sub("#", printed)
    # How full a queue is that a thread fills is another question each time, in TensorFlow 1 too.
    certain = [re.sub("fraction_of_.*", "", said) for said in (done.stdout, printed)]
    numbers = [[float(number) for number in NUMBER.findall(said)] for said in certain]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-5)


@pytest.mark.parametrize("name", REFUSED)
def test_what_stays_on_the_bridge(name: str, tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, REFUSED_HEAD + REFUSED[name])
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "SupervisedSteps" not in outcome.contents["main.py"].decode()
