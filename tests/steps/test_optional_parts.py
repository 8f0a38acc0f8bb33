"""Parts of a program that may be there or not: inputs, initializers, functions that only a person calls."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")

# A function that only a person calls evaluates what it is given.
LAYERS = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
w = tf.get_variable("w", initializer=[1.5, 2.5])
double = w * 2.0
y = double * x


def told(*layers):
    for title, kernel, scale in layers:
        values = kernel.eval()
        print(title, values.tolist(), scale.rate.eval() if scale else None)


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: 2.0}).tolist())
"""
SUMS = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.parts = [tf.get_variable("a", initializer=1.0), tf.get_variable("b", initializer=2.0)]
        self.out = tf.add_n(self.parts)


def total(values):
    return sum(value.eval() for value in values)


net = Net()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(net.out))
"""
CALLED = {
    LAYERS: (
        "class Scale:\n    rate = w\n"
        "{session}    told(('w', w, Scale), ('double', double, None))\n"
    ),
    SUMS: "{session}    print(total(net.parts), total([net.out]))\n",
}  # fmt: skip
SESSION = "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
PRINTED = {
    LAYERS: "[6.0, 10.0]\nw [1.5, 2.5] [1.5 2.5]\ndouble [3.0, 5.0] None\n",
    SUMS: "3.0\n3.0 3.0\n",
}
"""What TensorFlow 1.15.5 prints."""

# Objects that evaluate otherwise, and what is no value.
SCORES = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x * 2.0


class Score(object):
    def eval(self):
        return 7


def shown(score):
    return score.eval()


with tf.Session() as sess:
    print(sess.run(y, {x: 2.0}))
"""
MODES = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x * 2.0


def score(model):
    model.eval()


with tf.Session() as sess:
    print(sess.run(y, {x: 2.0}))
"""

# Initializers of which one runs where another one raises.
OLD_NAMES = """\
import tensorflow as tf

w = tf.Variable(tf.random_uniform([3], seed=7))
total = tf.reduce_sum(w)
with tf.Session() as sess:
    try:
        sess.run(tf.global_variables_initializer())
    except AttributeError:
        sess.run(tf.initialize_all_variables())
    print("%.6f" % sess.run(total))
"""
IN_A_METHOD = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.w = tf.get_variable("w", [2], initializer=tf.random_normal_initializer(seed=3))
        self.out = tf.reduce_sum(self.w * self.w)
        self.sess = tf.Session()
        self.begin()

    def begin(self):
        try:
            tf.global_variables_initializer().run(session=self.sess)
        except:
            tf.initialize_all_variables().run(session=self.sess)


net = Net()
print("%.6f" % net.sess.run(net.out))
"""
# What raises stands behind the first initializer: the second one draws other values.
BEGUN_TWICE = """\
import tensorflow as tf

w = tf.Variable(tf.random_uniform([3], seed=7))
total = tf.reduce_sum(w)
with tf.Session() as sess:
    try:
        sess.run(tf.global_variables_initializer())
        print(missing)
    except NameError:
        sess.run(tf.global_variables_initializer())
    print("%.6f" % sess.run(total))
"""

TWICE = """\
import tensorflow as tf

w = tf.Variable(tf.random_uniform([3], seed=7))
seen = []
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(tf.global_variables_initializer())
    seen.append(sess.run(tf.reduce_sum(w)))
    print("%.6f" % seen[-1])
"""

# Labels are there for some models alone.
LABELS = """\
import tensorflow as tf


class Net(object):
    def __init__(self, name, classes=None):
        self.classes = classes
        with tf.variable_scope(name):
            self.x = tf.placeholder(tf.float32, [None], name="x")
            if self.classes:
                self.y = tf.placeholder(tf.float32, [None], name="y")
            else:
                self.y = None
            w = tf.get_variable("w", initializer=2.0)
            self.out = w * self.x if self.y is None else w * self.x + 10.0 * self.y


def show(sess, net, mode):
    if mode == 0:
        print(sess.run(net.out, {net.x: [1.0, 2.0]}).tolist())
    else:
        print(sess.run(net.out, {net.x: [1.0, 2.0], net.y: [3.0, 4.0]}).tolist())


with tf.Session() as sess:
    if len(__name__) > 3:
        net = Net("labelled", 3)
    else:
        net = Net("plain")
    sess.run(tf.global_variables_initializer())
    show(sess, net, len(__name__))
"""
MASKED = """\
import sys
import tensorflow as tf

x = tf.placeholder(tf.float32, [2])
mask = tf.placeholder(tf.float32, [2]) if len(sys.argv) < 9 else None
out = x if mask is None else x * mask


def feed(values):
    found = {x: values}
    if mask is not None:
        found[mask] = [1.0, 0.0]
    return found


with tf.Session() as sess:
    for turn in range(2):
        print(sess.run(out, feed([turn, turn + 1.0])).tolist())
"""

# A loop that searches: where it finds nothing, the program ends.
SEARCHED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
double, half = x * 2.0, x / 2.0


def named(word):
    for name, value in [("double", double), ("half", half)]:
        if name.startswith(word):
            chosen = name
            break
    else:
        raise ValueError("no tensor is called %s" % word)
    with tf.Session() as sess:
        print(chosen, sess.run(double if chosen == "double" else half, {x: 3.0}))


for word in input_words if "input_words" in globals() else "dh":
    named(word)
"""

# What is fetched and fed is chosen in the function that runs it.
CHOSEN = """\
import os
import tensorflow as tf


class Pair(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [], name="x")
        self.y = tf.placeholder(tf.float32, [], name="y")
        self.double, self.square = self.x * 2.0, tf.square(self.y)

    def show(self, sess, values, forward):
        if forward:
            out, source = self.double, self.x
        else:
            out, source = self.square, self.y
        for value in values:
            print(sess.run(out, {source: value}))


pair = Pair()
with tf.Session() as sess:
    pair.show(sess, [1.0, 3.0], os.getcwd() != "")
    pair.show(sess, [1.0, 3.0], os.getcwd() == "")
"""
# It is chosen anew in each turn: no step is bound before.
CHOSEN_AGAIN = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
outs = {"double": x * 2.0, "square": tf.square(x)}
with tf.Session() as sess:
    for word in ["double", "square", "double"]:
        out = outs[word]
        print(word, sess.run(out, {x: 3.0}))
"""
# A loop through a state fills in the keys of what is fed.
STATES = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3])
cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(2) for _ in range(2)])
initial = cell.zero_state(2, tf.float32)
with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
    out, final = cell(x, initial)
total = tf.reduce_sum(out)


def feed_of(values, state):
    feed = {x: values}
    for i, (c, h) in enumerate(initial):
        feed[c] = state[i].c
        feed[h] = state[i].h
    return feed


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    state = sess.run(initial)
    for turn in range(3):
        value, state = sess.run([total, final], feed_of(np.full([2, 3], turn, np.float32), state))
        print("%.6f %.6f" % (value, state[1].h.sum()))
    print("%.6f" % sess.run(total, {x: np.ones([2, 3])}))
"""

# A thread fills queues, of which one is there for some objects alone; it is given the session.
READERS = """\
import os
import threading

import tensorflow as tf


class Reader(object):
    def __init__(self, labelled):
        self.labelled = labelled
        self.x = tf.placeholder(tf.float32, [])
        self.queue = tf.FIFOQueue(20, ["float32"], shapes=[()])
        self.put = self.queue.enqueue([self.x])
        if self.labelled:
            self.label = tf.placeholder(tf.int32, [])
            self.labels = tf.FIFOQueue(20, ["int32"], shapes=[()])
            self.put_label = self.labels.enqueue([self.label])

    def fill(self, sess, count):
        for number in range(count):
            sess.run(self.put, {self.x: float(number)})
            if self.labelled:
                sess.run(self.put_label, {self.label: number * number})

    def start(self, sess, count):
        thread = threading.Thread(target=self.fill, args=(sess, count))
        thread.start()
        return thread


def show(folder):
    with tf.Graph().as_default():
        reader = Reader(folder == os.getcwd())
        three = reader.queue.dequeue_many(3)
        more = reader.labels.dequeue_many(3) if reader.labelled else None
        with tf.Session() as sess:
            reader.start(sess, 6).join()
            print(sess.run(three).tolist(), sess.run(three).tolist())
            if more is not None:
                print(sess.run(more).tolist())


show("nowhere")
show(os.getcwd())
"""

# A person fills in a constant before the script runs.
UNFILLED = """\
import sys
import tensorflow as tf

DATA = ""
if len(DATA) == 0:
    raise ValueError("say where the data are")
x = tf.placeholder(tf.float32, [])
w = tf.Variable(float(len(DATA)))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(w * x, {x: 2.0}))
"""


@pytest.mark.parametrize("program", PRINTED, ids=["layers", "sums"])
def test_a_function_that_only_a_person_calls(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    assert run_legacy(program + CALLED[program].format(session=SESSION)) == PRINTED[program]
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native", "dynamic"}
    text = outcome.contents["main.py"].decode()
    assert ".eval()" not in text
    assert said_by(text + CALLED[program].format(session="if True:\n"), tmp_path) == PRINTED[program]


@pytest.mark.parametrize("program", [SCORES, MODES], ids=["own", "unused"])
def test_what_may_be_evaluated_otherwise(program: str, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path)
    assert ".eval()" in outcome.contents["main.py"].decode()
    assert {site.tier for site in outcome.report.sites} <= {"native", "bridge"}


@pytest.mark.parametrize("program", [OLD_NAMES, IN_A_METHOD], ids=["names", "method"])
def test_an_initializer_in_place_of_another(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} <= {("native", "steps"), ("native", "sliced")}
    text = outcome.contents["main.py"].decode()
    assert "variables_initializer" not in text and "initialize_all" not in text and "except" not in text
    assert said_by(text, tmp_path) == run_legacy(program)


@pytest.mark.parametrize("program", [BEGUN_TWICE, TWICE], ids=["behind an error", "at once"])
def test_an_initializer_behind_one_that_ran(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)
    assert run_legacy(program) != run_legacy(OLD_NAMES)


DYNAMIC = (MASKED, CHOSEN_AGAIN)
PARTS = {
    "labels": LABELS,
    "mask": MASKED,
    "search": SEARCHED,
    "chosen": CHOSEN,
    "chosen again": CHOSEN_AGAIN,
    "states": STATES,
    "readers": READERS,
}


@pytest.mark.parametrize("program", PARTS.values(), ids=PARTS)
def test_what_is_there_on_some_ways_only(program: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} <= ({"native", "dynamic"} if program in DYNAMIC else {"native"})
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == run_legacy(program)


def test_a_script_that_raises_until_a_constant_is_filled_in(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(UNFILLED, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    filled = [each.replace('DATA = ""', 'DATA = "abc"') for each in (text, UNFILLED)]
    assert said_by(filled[0], tmp_path) == run_legacy(filled[1]) == "6.0\n"


BUILT_BY_FLAG = """\
import os
import numpy as np
import tensorflow as tf

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_boolean("multi", False, "several labels")
tf.app.flags.DEFINE_boolean("training", True, "training")


class Net(object):
    def __init__(self, multi, training):
        self.x = tf.placeholder(tf.float32, [None, 3], name="x")
        self.y = tf.placeholder(tf.int32, [None], name="y")
        self.ys = tf.placeholder(tf.float32, [None, 2], name="ys")
        self.keep = tf.placeholder(tf.float32, name="keep")
        self.epoch_step = tf.Variable(0, trainable=False, name="epoch_step")
        self.epoch_up = tf.assign(self.epoch_step, self.epoch_step + tf.constant(1))
        kept = tf.nn.dropout(self.x, self.keep)
        self.logits = tf.layers.dense(kept, 2, kernel_initializer=tf.constant_initializer(0.1))
        if not training:
            return
        if multi:
            losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=self.ys, logits=self.logits)
            self.loss = tf.reduce_mean(losses)
        else:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.y, logits=self.logits)
            self.loss = tf.reduce_mean(losses)
        self.train = tf.train.GradientDescentOptimizer(0.5).minimize(self.loss)


def main(_):
    rows, labels = np.eye(3), np.array([0, 1, 0])
    config = tf.ConfigProto()
    with tf.Session(config=config) as sess:
        net = Net(FLAGS.multi, FLAGS.training)
        saver = tf.train.Saver()
        if os.path.exists("nothing/checkpoint"):
            saver.restore(sess, tf.train.latest_checkpoint("nothing"))
        else:
            sess.run(tf.global_variables_initializer())
        for epoch in range(sess.run(net.epoch_step), 3):
            feed = {net.x: rows, net.keep: 1.0}
            if not FLAGS.multi:
                feed[net.y] = labels
            else:
                feed[net.ys] = np.eye(2)[labels]
            loss, _ = sess.run([net.loss, net.train], feed)
            sess.run(net.epoch_up)
            print("%.5f %.5f" % (loss, evaluated(sess, net, rows, labels)))


def evaluated(sess, net, rows, labels):
    feed = {net.x: rows, net.keep: 1}
    if not FLAGS.multi:
        feed[net.y] = labels
    else:
        feed[net.ys] = np.eye(2)[labels]
    value, logits = sess.run([net.loss, net.logits], feed)
    return value


if __name__ == "__main__":
    tf.app.run()
"""

BUILT_BY_MODE = '''\
import sys
import numpy as np
import tensorflow as tf


class Tagger(object):
    """Decodes always; learns where it is asked to."""

    def __init__(self, mode, size=4):
        self.mode = mode
        self.size = size
        self.build()

    def build(self):
        with tf.variable_scope("tagger", reuse=tf.AUTO_REUSE):
            self.words = tf.placeholder(tf.float32, [None, 5, 2], name="words")
            self.cell = tf.nn.rnn_cell.GRUCell(self.size, kernel_initializer=tf.constant_initializer(0.1))
            outputs, self.state = tf.nn.dynamic_rnn(self.cell, self.words, dtype=tf.float32)
            self.scores = tf.layers.dense(outputs, 3, kernel_initializer=tf.constant_initializer(0.3))
            self.tags = tf.argmax(self.scores, axis=-1)
            if self.mode == "decode":
                return
            self.targets = tf.placeholder(tf.int64, [None, 5], name="targets")
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.targets, logits=self.scores)
            self.loss = tf.reduce_mean(losses)
            if self.mode != "train":
                return
            self.step = tf.Variable(0, trainable=False, name="step")
            optimizer = tf.train.AdamOptimizer(0.02)
            grads = optimizer.compute_gradients(self.loss)
            self.train = optimizer.apply_gradients(grads, global_step=self.step)

    def learn(self, sess, words, targets):
        return sess.run([self.train, self.loss, self.step], {self.words: words, self.targets: targets})[1:]

    def measure(self, sess, words, targets):
        return sess.run(self.loss, feed_dict={self.words: words, self.targets: targets})

    def decode(self, sess, words):
        return sess.run(self.tags, feed_dict={self.words: words})


def main(mode):
    tagger = Tagger(mode)
    rng = np.random.RandomState(1)
    words, targets = rng.rand(2, 5, 2), rng.randint(0, 3, (2, 5))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        if mode == "train":
            for _ in range(3):
                loss, step = tagger.learn(sess, words, targets)
                print("%d %.5f" % (step, loss))
        if mode != "decode":
            print("%.5f" % tagger.measure(sess, words, targets))
        print(tagger.decode(sess, words).tolist())


main(sys.argv[1] if len(sys.argv) > 1 else "train")
'''


@pytest.mark.parametrize(
    ("program", "arguments"),
    [(BUILT_BY_FLAG, [[], ["--multi"]]), (BUILT_BY_MODE, [["train"], ["measure"], ["decode"]])],
    ids=["by a flag", "by a mode"],
)
def test_a_builder_that_ends_early(
    program: str, arguments: list[list[str]], tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    for given in arguments:
        every = said_by(text, tmp_path, *given), run_legacy(program, *given)
        numbers = [[float(each) for each in NUMBER.findall(said)] for said in every]
        assert numbers[0] == pytest.approx(numbers[1], abs=2e-5)
        assert numbers[0]


BUILT_BY_SOME = """\
import tensorflow as tf


class Model(object):
    def __init__(self, mode):
        try:
            self.x = tf.placeholder(tf.float32, [None], name="x")
            self.out = self.x * 3.0
            if mode == "infer":
                return
            self.loss = tf.reduce_sum(self.out)
            for k in range(3):
                if k == 2 and mode == "short":
                    return
                self.last = self.loss * float(k)
        finally:
            self.done = True


def show(sess, model, mode):
    print(sess.run(model.out, {model.x: [1.0, 2.0]}).tolist())
    if mode != "infer":
        print("%.1f" % sess.run(model.loss, {model.x: [1.0]}))
        print("%.1f" % sess.run(model.last, {model.x: [1.0]}))


with tf.Session() as sess:
    for mode in ("train", "short", "infer"):
        show(sess, Model(mode), mode)
"""


def test_a_function_that_some_calls_leave_before_a_run(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(BUILT_BY_SOME, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    said = said_by(outcome.contents["main.py"].decode(), tmp_path)
    assert said == run_legacy(BUILT_BY_SOME)
    assert len(said.splitlines()) == 7
