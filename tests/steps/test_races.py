"""What TensorFlow 1 left open in a run is told, with the place that reads; what it ordered is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.migration import migrated
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import HighestTier, Options

NET = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        self.seen = tf.Variable(0, trainable=False)
        out = tf.matmul(self.x, self.w)
        self.reg = tf.nn.l2_loss(self.w)
        self.loss = tf.reduce_mean(tf.square(out)) + 0.1 * self.reg
        self.plain = tf.reduce_mean(out)
        self.step = tf.train.get_or_create_global_step()
        self.rate = tf.train.exponential_decay(0.1, self.step, 1, 0.5)
        self.other_rate = 2.0 / tf.to_float(tf.train.get_global_step())
        optimizer = tf.train.GradientDescentOptimizer(self.rate)
        self.train_op = optimizer.minimize(self.loss, global_step=self.step)
        gradients = optimizer.compute_gradients(self.plain, var_list=[self.w])
        self.clipped = optimizer.apply_gradients([(tf.clip_by_norm(g, 1.0), v) for g, v in gradients])
        self.norm = tf.reduce_sum(tf.abs(self.w))
        self.count = self.seen.assign_add(1)
        self.doubled = self.seen * 2
        with tf.control_dependencies([self.count]):
            self.after = self.seen + 1
        with tf.control_dependencies([self.train_op]):
            self.late = tf.reduce_sum(self.w)
            self.counted = tf.group(self.count, self.doubled)
        self.old = tf.identity(self.seen)
        with tf.control_dependencies([self.doubled]):
            self.then = tf.assign(self.seen, 0)


def main():
    net = Net()
    sess = tf.train.MonitoredSession() if None else tf.Session()
    print(tf.get_default_graph().as_graph_def().node[0].name)
    sess.run(tf.global_variables_initializer())
    feed = {net.x: [[1.0, 2.0]]}
    sess.run(RUN)


main()
"""
RACES = {
    "[net.train_op, net.norm], feed": "`tf.abs(self.w)` (line 20) sees the variable of line 7",
    "[net.clipped, net.norm, net.plain], feed": "`tf.abs(self.w)` (line 20) sees the variable of line 7",
    "[net.count, net.doubled]": "`self.seen * 2` (line 22) sees the variable of line 8",
    "[net.counted], feed": "`self.seen * 2` (line 22) sees the variable of line 8",
    "{'reg': net.reg, 'op': net.train_op}, feed": "`tf.nn.l2_loss(self.w)` (line 10) sees the variable of line 7",
    "(net.train_op, net.other_rate), feed": "`tf.to_float(tf.train.get_global_step())` (line 15) sees",
}
ORDERED = (
    "[net.train_op, net.rate, net.step, net.w], feed",
    "[net.clipped, net.plain, net.w], feed",
    "[net.count, net.after, net.seen, net.old]",
    "[net.train_op, net.late], feed",
    "[net.norm, net.reg, net.doubled]",
    "[net.then, net.doubled]",
    "[net.train_op, net.norm], {net.x: [[1.0, 2.0]], net.norm: 1.0}",
)
FUNCTIONS = """\
import tensorflow as tf


def create_optimizer(loss, weights):
    step = tf.train.get_or_create_global_step()
    rate = tf.train.polynomial_decay(0.1, step, 20)
    train = weights.assign(weights - rate * tf.gradients(loss, [weights])[0])
    new_step = step + 1
    return tf.group(train, [step.assign(new_step)])


x = tf.placeholder(tf.float32, [None, 3])
w = tf.get_variable("w", [3, 1], initializer=tf.ones_initializer())
op = create_optimizer(tf.reduce_mean(tf.square(tf.matmul(x, w))), w)
with tf.Session() as sess:
    tf.summary.FileWriter("logs", sess.graph)
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(op, {x: [[1.0, 2.0, 3.0]]})
"""

SHARED = """\
import tensorflow as tf


def net(x, reuse=False):
    with tf.variable_scope("net", reuse=reuse):
        w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        fixed = tf.get_variable("fixed", [1], trainable=False)
        return tf.matmul(x, w), fixed * 2.0


class Scorer(object):
    def __init__(self, scope):
        self.scope = scope
        with tf.variable_scope(scope) as self.inside:
            self.n = tf.get_variable("n", shape=(), initializer=tf.constant_initializer(1.0))

    def add(self):
        with tf.variable_scope(self.scope, reuse=True):
            return tf.assign_add(tf.get_variable("n", shape=()), 1.0)

    def doubled(self):
        with tf.variable_scope(self.inside):
            tf.get_variable_scope().reuse_variables()
            return 2.0 * tf.get_variable("n", shape=())


def critic(x, scope="critic"):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        h = tf.layers.dense(x, 4, tf.nn.relu)
        h = tf.layers.dense(h, 4, tf.nn.relu)
        return tf.layers.dense(h, 1, name="out")


x = tf.placeholder(tf.float32, [None, 2])
out, constant = net(x)
again, again_constant = net(x, reuse=True)
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.square(out * constant)))
a, b = Scorer("a"), Scorer("b")
up, up_b, a_doubled = a.add(), b.add(), a.doubled()
value, value_next, other = critic(x), critic(x + 1.0), critic(x, "target")
fit = tf.train.AdamOptimizer().minimize(tf.reduce_mean(value))
with tf.variable_scope("", reuse=True):
    norm = tf.reduce_sum(tf.get_variable("net/w"))
feed = {x: [[1.0, 2.0]]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(RUN)
"""
SHARED_RACES = {
    "[train, again], feed": "`tf.matmul(x, w)` (line 8) sees the variable of line 6",
    "[train, norm], feed": "`tf.reduce_sum(tf.get_variable('net/w'))` (line 43) sees the variable of line 6",
    "[up, a_doubled]": "`2.0 * tf.get_variable('n', shape=())` (line 24) sees the variable of line 19",
    "[fit, value_next], feed": "`tf.layers.dense(x, 4, tf.nn.relu)` (line 29) sees the variable of line 29",
}
SHARED_ORDERED = (
    "[train, out], feed",
    "[train, again_constant], feed",
    "[up_b, a_doubled]",
    "[fit, value], feed",
    "[fit, other], feed",
    "[fit, again], feed",
    "[again, value_next, norm, a_doubled], feed",
)
APART = """\
import contextlib

import tensorflow as tf


class Cell(tf.nn.rnn_cell.RNNCell):
    def __init__(self):
        super(Cell, self).__init__()

    state_size = output_size = 2

    def call(self, inputs, state):
        new = inputs + state * tf.get_variable("w", [2], initializer=tf.ones_initializer())
        return new, new


@contextlib.contextmanager
def part(name):
    with tf.variable_scope(name):
        yield


def scaled(x):
    return x * tf.get_variable("scale", [], initializer=tf.ones_initializer())


x = tf.placeholder(tf.float32, [1, 3, 2])
first, _ = tf.nn.dynamic_rnn(Cell(), x, dtype=tf.float32, scope="forward")
second, _ = tf.nn.dynamic_rnn(Cell(), x, dtype=tf.float32, scope="backward")
with part("one"):
    one = scaled(x)
with part("two"):
    two = scaled(x)
template, other = tf.make_template("t", scaled), tf.make_template("u", scaled)
with tf.variable_scope(None, "block"):
    three = tf.layers.dense(scaled(x), 2)
with tf.variable_scope(None, "block"):
    four = tf.layers.dense(scaled(x), 2)
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(first) + tf.reduce_mean(one * three))
train_template = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(template(x)))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([train, train_template, second, two, other(x), four], {x: [[[1.0, 2.0]] * 3]})
"""

AVERAGES = """\
import tensorflow as tf
from tensorflow.python.training import moving_averages


class Norm(object):
    def __init__(self, x):
        self.mean = tf.get_variable("mean", [2], trainable=False, initializer=tf.zeros_initializer())
        self.update = moving_averages.assign_moving_average(self.mean, tf.reduce_mean(x, 0), 0.9, zero_debias=False)
        self.out = x - self.mean
        with tf.control_dependencies([self.update]):
            self.late = x - self.mean


x = tf.placeholder(tf.float32, [None, 2])
norm = Norm(x)
w = tf.get_variable("w", [2, 1])
train = tf.train.AdamOptimizer().minimize(tf.reduce_mean(tf.matmul(x, w)))
average = tf.train.ExponentialMovingAverage(0.9)
averaged = average.apply([w])
both = tf.group(train, averaged)
with tf.control_dependencies([train]):
    behind = average.apply([w]) if x is None else tf.train.ExponentialMovingAverage(0.5).apply([w])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(RUN, {x: [[1.0, 2.0]]})
"""
AVERAGED = {
    "[norm.out, norm.update]": "`x - self.mean` (line 9) sees the variable of line 7",
    "both": "`average.apply([w])` (line 19) sees the variable of line 16",
    "[train, averaged]": "`average.apply([w])` (line 19) sees the variable of line 16",
}


def _told(program: str, folder: Path, tier: HighestTier) -> list[tuple[int, str]]:
    (folder / "main.py").write_text(program)
    options = Options(paths=(folder,), root=folder, tier=tier)
    report = pipeline.run(discover(options).code, options).report
    found = [each for each in report.findings if "left open" in each.message]
    assert all((each.action, each.severity) == ("shimmed", "warning") and each.next_step for each in found)
    return [(each.line, each.message) for each in found if each.rule == "TFM147"]


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize(("run", "message"), RACES.items())
def test_reads_beside_updates_are_told(run: str, message: str, tier: HighestTier, tmp_path: Path) -> None:
    (line, said), *others = _told(NET.replace("RUN", run), tmp_path, tier)
    assert (line, others) == (39, []) and f"left open whether {message}" in said


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize("run", ORDERED)
def test_what_has_an_order_is_not_told(run: str, tier: HighestTier, tmp_path: Path) -> None:
    assert _told(NET.replace("RUN", run), tmp_path, tier) == []


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_a_schedule_beside_the_update_of_its_step(tier: HighestTier, tmp_path: Path) -> None:
    (line, said), *others = _told(FUNCTIONS, tmp_path, tier)
    assert (line, others) == (19, [])
    assert "`tf.train.polynomial_decay(0.1, step, 20)` (line 6) sees the variable of line 5" in said
    assert "`step.assign(new_step)` changes it" in said


@pytest.mark.parametrize(("run", "message"), SHARED_RACES.items())
def test_variables_that_are_found_again_are_the_same(run: str, message: str, tmp_path: Path) -> None:
    (line, said), *others = _told(SHARED.replace("RUN", run), tmp_path, "bridge")
    assert (line, others) == (47, []) and f"left open whether {message}" in said


@pytest.mark.parametrize("run", SHARED_ORDERED)
def test_what_shares_no_variable_with_an_update(run: str, tmp_path: Path) -> None:
    assert _told(SHARED.replace("RUN", run), tmp_path, "bridge") == []


def test_variables_of_one_name_in_scopes_that_are_not_written_are_not_known_to_be_one(tmp_path: Path) -> None:
    assert _told(APART, tmp_path, "bridge") == []


@pytest.mark.parametrize(("run", "message"), AVERAGED.items())
def test_averages_read_and_set_variables(run: str, message: str, tmp_path: Path) -> None:
    (line, said), *others = _told(AVERAGES.replace("RUN", run), tmp_path, "bridge")
    assert (line, others) == (25, []) and f"left open whether {message}" in said


@pytest.mark.parametrize("run", ["[norm.update, norm.late]", "[train, behind]", "[norm.out, averaged]"])
def test_averages_that_wait(run: str, tmp_path: Path) -> None:
    assert _told(AVERAGES.replace("RUN", run), tmp_path, "bridge") == []


TRAINED_BY_SCOPES = """\
import numpy as np
import tensorflow as tf


class Net(object):
    def __init__(self, name):
        self.name, self.reuse = name, False

    def __call__(self, x):
        with tf.variable_scope(self.name, reuse=self.reuse):
            out = tf.layers.dense(x, 2, name="a")
        self.reuse = True
        self.variables = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=self.name)
        return out


x = tf.placeholder(tf.float32, [None, 2])
fake = tf.placeholder(tf.float32, [None, 2])
G, D = Net("G"), Net("D")
generated = G(x)
g_loss = tf.reduce_mean(tf.square(D(generated) - 1.0))
d_loss = tf.reduce_mean(tf.square(D(x) - 1.0)) + tf.reduce_mean(tf.square(D(fake)))
g_train = tf.train.AdamOptimizer(0.01).minimize(g_loss, var_list=G.variables)
d_train = tf.train.AdamOptimizer(0.01).minimize(d_loss, var_list=D.variables)
with tf.control_dependencies([g_train, d_train]):
    train = tf.no_op()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    made = sess.run(generated, {x: np.eye(2)})
    print(sess.run([train, g_loss, d_loss], {x: np.eye(2), fake: made})[1:])
"""

TRAINED_BY_NAMES = """\
import numpy as np
import tensorflow as tf

z = tf.placeholder(tf.float32, [None, 2])
real = tf.placeholder(tf.float32, [None, 2])


def discriminator(x, reuse=None):
    with tf.variable_scope("d", reuse=reuse):
        return tf.layers.dense(x, 1)


with tf.variable_scope("g"):
    fake = tf.layers.dense(z, 2)
d_loss = tf.reduce_mean(discriminator(real)) - tf.reduce_mean(discriminator(tf.stop_gradient(fake), True))
g_loss = -tf.reduce_mean(discriminator(fake, True))
t_vars = tf.trainable_variables()
d_vars = [v for v in t_vars if v.name.startswith("d")]
g_vars = [v for v in t_vars if v.name.startswith("g")]
d_op = tf.train.RMSPropOptimizer(0.1).minimize(d_loss, var_list=d_vars)
g_op = tf.train.RMSPropOptimizer(0.1).minimize(g_loss, var_list=g_vars)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        sess.run([d_op, g_op], {z: np.eye(2), real: np.eye(2)})
    sess.run(d_op, {z: np.eye(2), real: np.eye(2)})
    sess.run(g_op, {z: np.eye(2)})
    print(sess.run([d_loss, g_loss], {z: np.eye(2), real: np.eye(2)}))
"""

OF_THEIR_OWN = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])


def net(name):
    with tf.variable_scope(name):
        return tf.reduce_mean(tf.square(tf.layers.dense(x, 1) - 1.0))


losses = {name: net(name) for name in ("actor", "critic")}
steps = [
    tf.train.AdamOptimizer(0.1).minimize(
        losses[name], var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=name))
    for name in ("actor", "critic")
]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(steps, {x: np.eye(2)})
    print(sess.run(losses, {x: np.eye(2)}))
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_steps_of_two_networks_that_read_one_another(tier: HighestTier, tmp_path: Path) -> None:
    (line, said), *others = _told(TRAINED_BY_SCOPES, tmp_path, tier)
    assert (line, others) == (30, [])
    assert "`tf.layers.dense(x, 2, name='a')` (line 11) sees the variable of line 11" in said


def test_steps_whose_variables_are_told_apart_by_name(tmp_path: Path) -> None:
    (line, _), *others = _told(TRAINED_BY_NAMES, tmp_path, "bridge")
    assert (line, others) == (25, [])
    outcome = migrated(TRAINED_BY_NAMES, tmp_path)
    told = [each.line for each in outcome.report.findings if "TensorFlow 1 left open" in each.message]
    assert told == [25]


def test_steps_of_networks_of_their_own(tmp_path: Path) -> None:
    assert _told(OF_THEIR_OWN, tmp_path, "bridge") == []


DECAYED = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
b = tf.get_variable("b", [1], initializer=tf.ones_initializer())
error = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 1.0))
decay = 0.01 * (tf.reduce_sum(tf.square(w)) + tf.reduce_sum(b * b))
loss = error + decay
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, value = sess.run([train, loss], {x: np.eye(2)})
        print(value)
    print(sess.run([train, error], {x: np.eye(2)})[1])
"""

PENALIZED = """\
import tensorflow as tf


class Model(object):
    def __init__(self, rate):
        self.w = tf.Variable([1.0, -2.0])
        self.penalty = tf.reduce_sum(tf.abs(self.w)) / 4.0
        self.fit = tf.norm(self.w - 3.0)
        self.loss = tf.add_n([self.fit, self.penalty])
        optimizer = tf.train.AdamOptimizer(rate)
        self.train = optimizer.apply_gradients(optimizer.compute_gradients(self.loss))
        self.chained = tf.sqrt(tf.reduce_sum(tf.square(self.w)))
        self.other = tf.train.AdamOptimizer(rate).minimize(self.chained)


model = Model(0.1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([model.loss, model.train]))
    print(sess.run([model.chained, model.other]))
"""


def test_terms_of_a_loss_that_no_gradient_needs(tmp_path: Path) -> None:
    (line, said), *others = _told(DECAYED, tmp_path, "bridge")
    assert (line, others) == (14, []) and "`tf.square(w)` (line 8) sees the variable of line 5" in said


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_terms_of_an_object_that_no_gradient_needs(tier: HighestTier, tmp_path: Path) -> None:
    (line, said), *others = _told(PENALIZED, tmp_path, tier)
    assert (line, others) == (19, []) and "`tf.abs(self.w)` (line 7) sees the variable of line 6" in said


TWICE = """\
import tensorflow as tf

v = tf.Variable(1.0)
flag = tf.placeholder(tf.bool, [])
five, seven, more, less = tf.assign(v, 5.0), tf.assign(v, 7.0), tf.assign_add(v, 2.0), v.assign_sub(1.0)
with tf.control_dependencies([five]):
    then = tf.assign_add(v, 1.0)
either = tf.cond(flag, lambda: tf.assign(v, 3.0), lambda: tf.assign(v, v * 2.0))
both = tf.group(seven, more)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(RUN))
"""
COUNTERS = """\
import tensorflow as tf


class Counters(object):
    def __init__(self):
        with tf.variable_scope("counters"):
            self.best = tf.get_variable("best", [2], initializer=tf.zeros_initializer(), trainable=False)
        self.score = tf.placeholder(tf.float32, [2])
        self.ops = {"keep": self.best.assign(self.score), "clear": self.best.assign([0.0, 0.0])}

    def add(self, name, op):
        self.ops[name] = op


def same(scope="counters"):
    with tf.variable_scope(scope, reuse=True):
        return tf.get_variable("best", [2])


counters = Counters()
counters.add("first", tf.scatter_update(same(), [0], [1.0]))
counters.add("second", tf.scatter_update(same(), [1], [2.0]))
session = tf.Session()
session.run(tf.global_variables_initializer())
session.run(RUN, {counters.score: [1.0, 2.0]})
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize(
    ("program", "run", "places"),
    [
        (TWICE, "[five, seven]", "`tf.assign(v, 5.0)` or `tf.assign(v, 7.0)` (line 5) changes the variable of line 3"),
        (
            TWICE,
            "[more, five]",
            "`tf.assign(v, 5.0)` or `tf.assign_add(v, 2.0)` (line 5) changes the variable of line 3",
        ),
        (TWICE, "both", "`tf.assign(v, 7.0)` or `tf.assign_add(v, 2.0)` (line 5) changes the variable of line 3"),
        (TWICE, "[more, less]", ""),
        (TWICE, "[five, then, five]", ""),
        (TWICE, "either, {flag: True}", ""),
        (COUNTERS, "[counters.ops['keep'], counters.ops['clear']]", "`self.best.assign([0.0, 0.0])` (line 9)"),
        (
            COUNTERS,
            "[counters.ops['first'], counters.ops['keep']]",
            "`tf.scatter_update(same(), [0], [1.0])`",
        ),
        (COUNTERS, "[counters.ops['first'], counters.ops['second']]", ""),
    ],
)
def test_two_changes_of_a_variable(program: str, run: str, places: str, tier: HighestTier, tmp_path: Path) -> None:
    found = _told(program.replace("RUN", run), tmp_path, tier)
    assert len(found) == bool(places)
    assert all(places in message and "TensorFlow 1 left open" in message for _, message in found)


ARMS = """\
import tensorflow as tf

w = tf.get_variable("w", initializer=2.0)
x = tf.placeholder(tf.float32, [])
loss = tf.square(x - 1.0)
kept = tf.cond(x > 0.0, lambda: tf.assign_add(w, x), lambda: tf.square(w) READ)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run([kept, loss], {x: 1.0})
"""


@pytest.mark.parametrize(("read", "told"), [("", 0), ("+ doubled", 1)])
def test_the_arms_of_a_condition(read: str, told: int, tmp_path: Path) -> None:
    """Of two arms one is computed; what stands outside of them is computed beside either."""
    outside = "doubled = w * 2.0\nkept = " if read else "kept = "
    assert len(_told(ARMS.replace("kept = ", outside, 1).replace("READ", read), tmp_path, "native")) == told


WATCHED = """\
import tensorflow as tf


class Watch(tf.train.SessionRunHook):
    def __init__(self, value):
        self.value = value

    def before_run(self, context):
        return tf.train.SessionRunArgs({"value": self.value})

    def after_run(self, context, values):
        print(values.results["value"])


w = tf.get_variable("w", initializer=10.0)
x = tf.constant([1.0, 2.0])
square, out = w * w, tf.reduce_mean(tf.square(w * x - 1.0))
train = tf.train.GradientDescentOptimizer(0.1).minimize(HOW)
with tf.train.MonitoredTrainingSession(hooks=[HOOK]) as sess:
    for _ in range(2):
        sess.run(train)
"""


@pytest.mark.parametrize(
    ("loss", "hook", "told"),
    [
        ("square", "Watch(square)", 1),
        ("square", "tf.train.LoggingTensorHook({'square': square}, every_n_iter=1)", 1),
        ("out", "Watch(square)", 1),
        ("out", "Watch(out)", 0),
        ("out", "tf.train.LoggingTensorHook([out], every_n_iter=1)", 0),
    ],
)
def test_what_hooks_fetch_with_a_run(loss: str, hook: str, told: int, tmp_path: Path) -> None:
    found = _told(WATCHED.replace("HOW", loss).replace("HOOK", hook), tmp_path, "native")
    assert len(found) == told and all("`w * w` (line 17) sees" in message for _, message in found)


TURNS = """\
import tensorflow as tf

state = tf.get_variable("state", [], initializer=tf.zeros_initializer(), trainable=False)
xs = tf.placeholder(tf.float32, [None])


def step(previous, x):
    keep = state.assign(state * 0.5 + x)
    return keep + previous * 0.0


def waits(previous, x):
    with tf.control_dependencies([previous]):
        old = state * 0.5
    keep = state.assign(old + x)
    return keep + previous * 0.0


outs = LOOP
with tf.Session() as sess:
    sess.run(state.initializer)
    print(sess.run(outs, {xs: [1.0, 2.0]}))
"""
LOOPS = {
    "tf.scan(step, xs, initializer=0.0)": 1,
    "tf.foldl(step, xs, 0.0, parallel_iterations=4)": 1,
    "tf.map_fn(lambda x: step(x, x), xs)": 1,
    "tf.map_fn(lambda x: step(x, x), xs, parallel_iterations=1)": 0,
    "tf.scan(step, xs, 0.0, 1)": 0,
    "tf.scan(waits, xs, initializer=0.0)": 0,
    "tf.scan(lambda a, x: a + x * state, xs, initializer=0.0)": 0,
}


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize(("loop", "count"), LOOPS.items())
def test_turns_of_a_loop_that_share_a_variable(loop: str, count: int, tier: HighestTier, tmp_path: Path) -> None:
    found = _told(TURNS.replace("LOOP", loop), tmp_path, tier)
    assert [line for line, _ in found] == [22] * count
    assert all("`state * 0.5` (line 8) sees the variable of line 3" in said for _, said in found)
    assert all("in another turn of the loop; it is open now too" in said for _, said in found)


COUNTED = """\
import tensorflow as tf


class Loop(object):
    def __init__(self):
        self.left = tf.get_variable("left", [], initializer=tf.zeros_initializer())
        self.turns, self.sum = tf.while_loop(
            cond=self.more, body=self.turn, loop_vars=[tf.constant(0), tf.constant(0.0)], MORE)

    def more(self, i, s):
        return TEST

    def turn(self, i, s):
        with tf.control_dependencies([s]):
            up = tf.assign_add(self.left, 1.0)
        with tf.control_dependencies([up]):
            return RESULT


loop = Loop()
with tf.Session() as sess:
    sess.run(loop.left.initializer)
    print(sess.run(loop.turns))
"""


def test_a_comparison_reads(tmp_path: Path) -> None:
    code = TWICE.replace("either =", "large = v > 4.0\neither =").replace("RUN", "[five, large]")
    ((_, said),) = _told(code, tmp_path, "native")
    assert "`v > 4.0` (line 8) sees the variable of line 3 before or after `tf.assign(v, 5.0)`" in said


@pytest.mark.parametrize(
    ("test", "result", "more", "count"),
    [
        ("self.left < 3.0", "i + 1, s + 1.0", "", 0),
        ("self.left < 3.0", "tf.add(i, 1), s", "", 1),
        ("i < 3", "i + 1, s + self.left", "", 0),
        ("self.left < 3.0", "tf.add(i, 1), s", "parallel_iterations=1", 0),
    ],
)
def test_turns_that_hand_on_what_they_changed(test: str, result: str, more: str, count: int, tmp_path: Path) -> None:
    code = COUNTED.replace("TEST", test).replace("MORE", more).replace("RESULT", result)
    if result.endswith("s"):  # One of the variables goes on by itself.
        code = code.replace("            return tf.add(i, 1), s", "            s = s + 1.0\n        return i + 1, s")
        code = code.replace(
            "        with tf.control_dependencies([s]):\n            up =", "        if True:\n            up ="
        )
    found = _told(code, tmp_path, "native")
    assert len(found) == count and all("in another turn of the loop" in said for _, said in found)
