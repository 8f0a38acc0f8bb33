"""Monitored sessions in steps: whole programs, and what TensorFlow 1.15.5 printed."""

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

# A hook of the program, built upon by a class; summaries, checkpoints, and a second graph that goes on from them.
WATCHED = '''\
import argparse
import glob
import os

import numpy as np
import tensorflow as tf


class Watch(tf.train.SessionRunHook):
    """Says how the slope stands, and stops when the loss is small."""

    def __init__(self, model, below):
        self.model, self.below = model, below

    def begin(self):
        self.size = tf.reduce_sum(tf.abs(self.model.slope))
        self.turns = 0

    def after_create_session(self, session, coord):
        print("begins at %d with %.5f" % (session.run(self.model.counter), session.run(self.size)))

    def before_run(self, run_context):
        return tf.train.SessionRunArgs({"loss": self.model.loss, "size": self.size})

    def after_run(self, run_context, run_values):
        self.turns += 1
        print("hook %.5f %.5f" % (run_values.results["loss"], run_values.results["size"]))
        if run_values.results["loss"] < self.below:
            after = run_context.session.run(self.size)
            print("enough, at %.5f" % after)
            run_context.request_stop()

    def end(self, session):
        print("after %d turns %.5f" % (self.turns, session.run(self.size)))


class Line(object):
    def __init__(self, rows, rate):
        with tf.name_scope("data"):
            pairs = tf.data.Dataset.from_tensor_slices((rows[0], rows[1])).repeat().batch(2)
            x, y = pairs.make_one_shot_iterator().get_next()
        with tf.variable_scope("line"):
            self.slope = tf.get_variable("slope", [1], initializer=tf.random_normal_initializer(seed=3))
            self.offset = tf.get_variable("offset", [1], initializer=tf.zeros_initializer())
        self.counter = tf.train.get_or_create_global_step()
        self.loss = tf.losses.mean_squared_error(y, self.slope * x + self.offset)
        tf.summary.scalar("loss", self.loss)
        self.train_op = tf.train.MomentumOptimizer(rate, 0.5).minimize(self.loss, global_step=self.counter)


def fit(model, folder, last, below):
    hooks = [tf.train.StopAtStepHook(last_step=last), Watch(model, below)]
    with tf.train.MonitoredTrainingSession(
            master="", is_chief=True, checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=3,
            save_summaries_steps=2) as sess:
        while not sess.should_stop():
            _, loss = sess.run([model.train_op, model.loss])
            print("loss %.5f" % loss)
            print("step", sess.run(model.counter))


def written(folder):
    names = sorted(os.path.basename(path) for path in glob.glob(os.path.join(folder, "*")))
    print(" ".join(name for name in names if name.endswith(("meta", "pbtxt"))))
    for path in sorted(glob.glob(os.path.join(folder, "events*"))):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                if value.tag == "loss":
                    print(event.step, value.tag, "%.5f" % value.simple_value)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--last", type=int, default=4)
    args = parser.parse_args([])
    x = np.linspace(-1.0, 1.0, 6).astype(np.float32).reshape(-1, 1)
    folder = "model"
    for last in (args.last, args.last + 4):
        tf.reset_default_graph()
        tf.set_random_seed(1)
        model = Line((x, 2.0 * x + 1.0), 0.2)
        fit(model, folder, last, 0.01)
    written(folder)


if __name__ == "__main__":
    main()
'''
WATCHED_PRINTED = """\
begins at 0 with 0.67086
hook 1.57740 0.67086
loss 1.57740
hook 2.32118 0.26439
step 1
hook 10.87306 0.26439
loss 10.87306
hook 0.20507 1.02026
step 2
hook 0.17943 1.02026
loss 0.17943
hook 0.00737 1.67826
enough, at 1.67826
step 3
after 6 turns 1.67826
begins at 3 with 1.67826
hook 0.33091 1.67826
loss 0.33091
hook 0.18684 2.19533
step 4
hook 0.34580 2.19533
loss 0.34580
hook 0.00466 2.26298
enough, at 2.26298
step 5
after 4 turns 2.26298
graph.pbtxt model.ckpt-0.meta model.ckpt-3.meta model.ckpt-5.meta
1 loss 1.57740
2 loss 10.87306
3 loss 0.17943
4 loss 0.33091
5 loss 0.34580
"""

# Hooks that feed, save and compute at the end, in a session without `with`, over a graph with a name.
FED = """\
import numpy as np
import tensorflow as tf


def net(x, width):
    hidden = tf.layers.dense(x, width, tf.nn.tanh, name="hidden", kernel_initializer=tf.constant_initializer(
        np.sin(np.arange(3 * width)).reshape(3, width)))
    return tf.layers.dense(hidden, 1, name="out", kernel_initializer=tf.constant_initializer(0.3))


class FeedHook(tf.train.SessionRunHook):
    def __init__(self, target, values):
        self._target = target
        self._values = iter(values)

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(None, feed_dict={self._target: next(self._values)})


class Averages(tf.train.CheckpointSaverListener):
    def __init__(self, tensor):
        self.tensor = tensor

    def before_save(self, session, global_step_value):
        print("saving", global_step_value, "%.5f" % session.run(self.tensor))


tf.set_random_seed(7)
graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    wanted = tf.placeholder(tf.float32, [None, 1], name="wanted")
    noise = tf.random_uniform([], seed=11)
    out = net(x, 4)
    loss = tf.reduce_mean(tf.square(out - wanted))
    step = tf.train.create_global_step()
    learn = tf.train.AdamOptimizer(0.05).minimize(loss, step)
    ends = {"norm": tf.global_norm(tf.trainable_variables())}
    norm = ends["norm"]
    rows = [np.cos(np.arange(6) + at).reshape(2, 3) for at in range(30)]
    hooks = [
        FeedHook(wanted, [row.sum(axis=1, keepdims=True) for row in rows]),
        tf.train.NanTensorHook(loss),
        tf.train.CheckpointSaverHook("saved", save_steps=4, saver=tf.train.Saver(), listeners=[Averages(norm)]),
        tf.train.FinalOpsHook(norm),
    ]
    session = tf.train.SingularMonitoredSession(hooks=hooks)
    try:
        for at, row in enumerate(rows):
            if at == 9:
                break
            found = session.run({"loss": loss, "noise": noise}, feed_dict={x: row})
            session.run(learn, {x: row})
            print(at, "%.5f %.5f" % (found["loss"], found["noise"]))
    finally:
        session.close()
    print("%.5f" % hooks[-1].final_ops_values)
    print(tf.train.latest_checkpoint("saved"))
"""
FED_PRINTED = """\
saving 0 2.52218
0 0.96725 0.08955
1 5.08808 0.26522
2 0.13393 0.63272
saving 4 2.46802
3 2.17482 0.28388
4 3.70026 0.06718
5 0.03408 0.90715
6 4.94920 0.99870
saving 8 2.45457
7 1.90019 0.32755
8 0.68736 0.75501
saving 9 2.45203
2.45203
saved/model.ckpt-9
"""

# The end of the input ends the loop; a step that is there for some options only.
ENDLESS = """\
import sys

import numpy as np
import tensorflow as tf


def critic(x):
    one = tf.layers.dense(x, 3, tf.nn.relu, kernel_initializer=tf.constant_initializer(0.2), name="one")
    return tf.layers.dense(one, 1, name="two", kernel_initializer=tf.constant_initializer(-0.4))


def train(args):
    real = tf.data.Dataset.range(args["size"]).map(lambda n: tf.cast(n, tf.float32) / 10.0).batch(4)
    real = real.make_one_shot_iterator().get_next()
    real = tf.reshape(real, [-1, 1])
    z = tf.random_uniform([4, 1], -1.0, 1.0, seed=5)
    with tf.variable_scope("G"):
        fake = tf.layers.dense(z, 1, kernel_initializer=tf.constant_initializer(0.5))
    with tf.name_scope("D_real"), tf.variable_scope("D"):
        d_real = critic(real)
    with tf.name_scope("D_fake"), tf.variable_scope("D", reuse=True):
        d_fake = critic(fake)
    g_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="G")
    d_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="D")
    g_loss, d_loss = -tf.reduce_mean(d_fake), tf.reduce_mean(d_fake) - tf.reduce_mean(d_real)
    tf.summary.scalar("g_loss", g_loss)
    clip = None
    if args["clip"]:
        clip = tf.group(*[tf.assign(v, tf.clip_by_value(v, -0.3, 0.3)) for v in d_vars])
    g_op = tf.train.RMSPropOptimizer(0.01).minimize(
        g_loss, var_list=g_vars, global_step=tf.train.get_or_create_global_step())
    d_op = tf.train.RMSPropOptimizer(0.01).minimize(d_loss, var_list=d_vars)
    with tf.train.MonitoredTrainingSession(
            checkpoint_dir=args["folder"], save_checkpoint_secs=args["secs"], save_summaries_secs=args["secs"]) as sess:
        print("begun")
        while True:
            for _ in range(args["updates"]):
                sess.run(d_op)
                if clip is not None:
                    sess.run(clip)
            sess.run(g_op)


def show(args):
    reader = tf.train.NewCheckpointReader(tf.train.latest_checkpoint(args["folder"]))
    for name in sorted(reader.get_variable_to_shape_map()):
        print(name, " ".join("%.5f" % number for number in np.ravel(reader.get_tensor(name))))


if __name__ == "__main__":
    args = {"size": 60, "folder": "run", "secs": 300, "updates": 2, "clip": len(sys.argv) < 5}
    train(args)
    show(args)
"""
ENDLESS_PRINTED = """\
begun
D/one/bias -0.03616 -0.03616 -0.03616
D/one/bias/RMSProp 0.23067 0.23067 0.23067
D/one/bias/RMSProp_1 0.00469 0.00469 0.00469
D/one/kernel 0.07010 0.07010 0.07010
D/one/kernel/RMSProp 0.95321 0.95321 0.95321
D/one/kernel/RMSProp_1 0.01327 0.01327 0.01327
D/two/bias 0.00000
D/two/bias/RMSProp 0.20589
D/two/bias/RMSProp_1 0.00000
D/two/kernel -0.21798 -0.21798 -0.21798
D/two/kernel/RMSProp 0.36678 0.36678 0.36678
D/two/kernel/RMSProp_1 -0.00740 -0.00740 -0.00740
G/dense/bias -0.00447
G/dense/bias/RMSProp 0.47998
G/dense/bias/RMSProp_1 0.00020
G/dense/kernel 0.49721
G/dense/kernel/RMSProp 0.47889
G/dense/kernel/RMSProp_1 0.00018
global_step 7.00000
"""

# A scaffold restores what another program saved; a function runs the session that it is given.
RESTORED = """\
import numpy as np
import tensorflow as tf


def table(values):
    return tf.data.Dataset.from_tensor_slices(values).batch(3).make_one_shot_iterator().get_next()


class Counter(tf.train.SessionRunHook):
    runs = 0

    def after_run(self, run_context, run_values):
        Counter.runs += 1


def graph_of(model):
    with tf.variable_scope("m"):
        model["w"] = tf.get_variable("w", [2, 1], initializer=tf.random_uniform_initializer(seed=8))
        model["best"] = tf.get_variable("best", [], initializer=tf.constant_initializer(100.0), trainable=False)
    model["rows"] = table(np.arange(24, dtype=np.float32).reshape(12, 2) / 24.0)
    model["loss"] = tf.reduce_mean(tf.square(tf.matmul(model["rows"], model["w"]) - 1.0))
    model["keep"] = tf.assign(model["best"], tf.minimum(model["best"], model["loss"]))
    return model


def first(folder):
    with tf.Graph().as_default():
        model = graph_of({})
        saver = tf.train.Saver()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(model["w"].assign([[3.0], [-1.0]]))
            sess.run(model["keep"])
            return saver.save(sess, folder + "/first")


def turn(session, model):
    with_best = session.run({"loss": model["loss"], "best": model["keep"]})
    return "%.5f %.5f" % (with_best["loss"], with_best["best"])


def second(path):
    with tf.Graph().as_default():
        model = graph_of({})
        old = tf.train.Saver({"m/w": model["w"]})
        learn = tf.train.AdagradOptimizer(0.3).minimize(model["loss"], tf.train.get_or_create_global_step())

        def restored(scaffold, sess):
            old.restore(sess, path)
            print("from", sess.run(model["w"]).ravel())

        scaffold = tf.train.Scaffold(init_fn=restored, summary_op=None)
        counter = Counter()
        config = tf.ConfigProto(allow_soft_placement=True)
        with tf.train.MonitoredTrainingSession(scaffold=scaffold, hooks=[counter], config=config) as session:
            while not session.should_stop():
                print(turn(session, model))
                session.run(learn)
        print("not here" if session is None else "runs %d" % counter.runs)


second(first("."))
"""
RESTORED_PRINTED = """\
from [ 3. -1.]
0.78414 0.78414
0.14722 0.14722
runs 4
"""

# Monitored sessions in turn over one graph, and a plain one behind them.
IN_TURN = '''\
import os

import numpy as np
import tensorflow as tf


class Late(tf.train.SessionRunHook):
    """Sees every run."""

    def __init__(self):
        self.seen = 0

    def before_run(self, run_context):
        self.seen += 1
        if self.seen == 4:
            print("four runs")


class Ring(object):
    def __init__(self, size):
        self.start = tf.get_variable("start", [size], initializer=tf.random_normal_initializer(seed=21))
        self.turns = tf.train.get_or_create_global_step()
        self.push = tf.random_uniform([size], seed=22)
        self.shift = tf.assign_add(self.start, self.push)
        with tf.control_dependencies([self.shift]):
            self.step = tf.assign_add(self.turns, 1)
        self.total = tf.reduce_sum(self.start)

    def go(self, last, folder=None):
        hooks = [tf.train.StopAtStepHook(num_steps=last), Late()]
        sess = tf.train.MonitoredTrainingSession(
            checkpoint_dir=folder, save_checkpoint_steps=2, save_summaries_steps=None, hooks=hooks)
        seen = []
        while not sess.should_stop():
            total = sess.run(self.total)
            turn, push = sess.run([self.step, self.push])
            seen.append((turn, total, push))
        sess.close()
        for turn, total, push in seen:
            print(turn, "%.5f" % total, "%.5f" % push[0])

    def read(self, path):
        with tf.Session() as sess:
            tf.train.Saver().restore(sess, path)
            print("read %.5f" % sess.run(self.total), sess.run(self.turns), "%.5f" % sess.run(self.push)[0])


def main(cls):
    ring = cls(3)
    ring.go(2)
    ring.go(3)
    ring.go(3, "ring")
    ring.go(2, "ring")
    ring.read(tf.train.latest_checkpoint("ring"))
    print(sorted(name for name in os.listdir("ring") if name.endswith("index")))


main(Ring)
'''
IN_TURN_PRINTED = """\
four runs
1 -0.51869 0.28583
2 1.58240 0.98765
four runs
1 -0.51869 0.28583
2 1.58240 0.98765
3 3.55478 0.81421
four runs
1 -0.51869 0.28583
2 1.58240 0.98765
3 3.55478 0.81421
four runs
4 5.30948 0.28583
5 7.41057 0.98765
read 9.38295 5 0.28583
['model.ckpt-0.index', 'model.ckpt-2.index', 'model.ckpt-3.index', 'model.ckpt-5.index']
"""


REFUSED_HEAD = """\
import tensorflow as tf
import sys


class Hook(tf.train.SessionRunHook):
    def after_create_session(self, session, coord):
        self.session = session

    def look(self):
        return self.session.run(loss)


x = tf.placeholder(tf.float32, [])
w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
counter = tf.train.get_or_create_global_step()
loss = tf.square(w - x)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, counter)

"""
REFUSED = {
    "raw": """\
hook = Hook()
with tf.train.MonitoredTrainingSession(hooks=[hook]) as sess:
    print(sess.run(train, {x: 1.0}))
    print(hook.look())
""",
    "fn": """\
with tf.train.MonitoredSession() as sess:
    print(sess.run_step_fn(lambda step_context: step_context.session.run(loss, {x: 2.0})))
""",
    "creator": """\
creator = tf.train.ChiefSessionCreator(checkpoint_dir="d")
with tf.train.MonitoredSession(session_creator=creator) as sess:
    print(sess.run(loss, {x: 2.0}))
""",
    "chief": """\
with tf.train.MonitoredTrainingSession(is_chief=len(sys.argv) > 1) as sess:
    print(sess.run(loss, {x: 2.0}))
""",
    "unknown": """\
import mylib
with tf.train.MonitoredTrainingSession(hooks=mylib.hooks(loss)) as sess:
    print(sess.run(loss, {x: 2.0}))
""",
    "evals": """\
with tf.train.MonitoredTrainingSession() as sess:
    print(loss.eval({x: 2.0}, session=sess), tf.train.global_step(sess, counter))
""",
    "two": """\
with tf.Session() as plain:
    plain.run(tf.global_variables_initializer())
    with tf.train.MonitoredTrainingSession() as sess:
        print(sess.run(loss, {x: 2.0}))
        print(plain.run(loss, {x: 2.0}))
        print(sess.run(loss, {x: 2.0}))
""",
    "unhook": """\
class Asks(tf.train.SessionRunHook):
    def before_run(self, run_context):
        print(run_context.original_args.fetches)
with tf.train.MonitoredTrainingSession(hooks=[Asks()]) as sess:
    print(sess.run(loss, {x: 2.0}))
""",
    "private": """\
with tf.train.MonitoredTrainingSession() as sess:
    print(sess._sess._sess.run(loss, {x: 2.0}))
    print(sess.run(loss, {x: 2.0}))
""",
    "inner": """\
class Runs(tf.train.SessionRunHook):
    def after_run(self, run_context, run_values):
        if len(sys.argv) > 3:
            print(sess.run(w))
with tf.train.MonitoredTrainingSession(hooks=[Runs()]) as sess:
    print(sess.run(loss, {x: 2.0}))
""",
}


def rewritten(folder: Path, program: str) -> Outcome:
    (folder / "main.py").write_text(program)
    options = Options(paths=(folder,), root=folder)
    return pipeline.run(discover(options).code, options)


@pytest.mark.parametrize(
    ("program", "printed", "dynamic"),
    [
        pytest.param(WATCHED, WATCHED_PRINTED, 0, id="watched"),
        pytest.param(FED, FED_PRINTED, 0, id="fed"),
        pytest.param(ENDLESS, ENDLESS_PRINTED, 0, id="endless"),
        pytest.param(RESTORED, RESTORED_PRINTED, 0, id="restored"),
        pytest.param(IN_TURN, IN_TURN_PRINTED, 0, id="in turn"),
    ],
)
def test_what_tensorflow_1_printed(program: str, printed: str, dynamic: int, tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, program)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    assert [site.tier for site in outcome.report.sites if site.tier != "native"] == ["dynamic"] * dynamic
    text = outcome.contents["main.py"].decode()
    assert not re.search(r"(Managed|Monitored\w*|tf\.|compat\.)Session\b|\.run\(.*_op", text)
    (tmp_path / "main.py").write_text(text)
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert NUMBER.sub("#", done.stdout) == NUMBER.sub("#", printed)
    numbers = [[float(number) for number in NUMBER.findall(said)] for said in (done.stdout, printed)]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-5)


@pytest.mark.parametrize("name", REFUSED)
def test_what_stays_on_the_bridge(name: str, tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, REFUSED_HEAD + REFUSED[name])
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    codes = {reason.code for site in outcome.report.sites for reason in site.reasons}
    assert codes & {"monitored_sessions", "distribution", "sessions-at-once"}
    assert "MonitoredSteps" not in outcome.contents["main.py"].decode()
