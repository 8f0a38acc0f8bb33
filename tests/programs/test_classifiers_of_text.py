"""A class of another module whose loops make variables; its script keeps summaries of gradients, a Saver and steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers

MODEL = """\
import tensorflow as tf


class Sentences(object):
    '''Windows of several lengths over the words of a sentence.'''

    def __init__(self, length, classes, vocabulary, size, windows, filters, decay=0.0):
        self.words = tf.placeholder(tf.int32, [None, length], name="words")
        self.labels = tf.placeholder(tf.float32, [None, classes], name="labels")
        self.keep = tf.placeholder(tf.float32, name="keep")

        # What the weights cost
        cost = tf.constant(0.0)

        with tf.device("/cpu:0"), tf.name_scope("lookup"):
            begin = tf.range(0.0, vocabulary * size * 0.1, 0.1)
            self.table = tf.Variable(tf.reshape(begin, [vocabulary, size]), name="table")
            found = tf.expand_dims(tf.nn.embedding_lookup(self.table, self.words), -1)

        parts = []
        for number, window in enumerate(windows):
            with tf.name_scope("window-%s" % window):
                shape = [window, size, 1, filters]
                kernel = tf.Variable(tf.ones(shape) * 0.1 * (number + 1), name="kernel")
                bias = tf.Variable(tf.constant(0.1, shape=[filters]), name="bias")
                wide = tf.nn.conv2d(found, kernel, strides=[1, 1, 1, 1], padding="VALID", name="wide")
                part = tf.nn.relu(tf.nn.bias_add(wide, bias))
                highest = tf.nn.max_pool(
                    part, ksize=[1, length - window + 1, 1, 1], strides=[1, 1, 1, 1], padding="VALID"
                )
                parts.append(highest)

        total = filters * len(windows)
        flat = tf.reshape(tf.concat(parts, 3), [-1, total])
        with tf.name_scope("dropout"):
            kept = tf.nn.dropout(flat, self.keep)

        with tf.name_scope("head"):
            values = [0.1, 0.2, 0.3, -0.1, 0.2, 0.1, -0.3, 0.1]
            weights = tf.get_variable("weights", [total, classes], initializer=tf.constant_initializer(values))
            bias = tf.Variable(tf.constant([0.1, 0.2], shape=[classes]), name="bias")
            cost += tf.nn.l2_loss(weights)
            cost += tf.nn.l2_loss(bias)
            self.scores = tf.nn.xw_plus_b(kept, weights, bias, name="scores")
            self.best = tf.argmax(self.scores, 1, name="best")

        with tf.name_scope("loss"):
            losses = tf.nn.softmax_cross_entropy_with_logits(logits=self.scores, labels=self.labels)
            self.loss = tf.reduce_mean(losses) + decay * cost
        with tf.name_scope("accuracy"):
            right = tf.equal(self.best, tf.argmax(self.labels, 1))
            self.accuracy = tf.reduce_mean(tf.cast(right, "float"), name="accuracy")
"""
DATA = """\
import numpy as np


def load():
    words = np.array([[1, 2, 3, 4], [4, 3, 2, 1], [5, 5, 0, 1], [0, 1, 1, 2]])
    labels = np.array([[1, 0], [0, 1], [0, 1], [1, 0]])
    return words, labels


def batches(words, labels, size, times):
    for _ in range(times):
        for start in range(0, len(words), size):
            yield list(zip(words[start : start + size], labels[start : start + size]))
"""
TRAIN = """\
import glob
import os

import tensorflow as tf

import data
from model import Sentences

tf.flags.DEFINE_integer("size", 3, "size of a word")
tf.flags.DEFINE_string("windows", "2,3", "lengths of windows")
tf.flags.DEFINE_float("decay", 0.1, "what weights cost")
tf.flags.DEFINE_boolean("soft", True, "soft placement")
FLAGS = tf.flags.FLAGS


def train(words, labels):
    with tf.Graph().as_default():
        conf = tf.ConfigProto(allow_soft_placement=FLAGS.soft)
        sess = tf.Session(config=conf)
        with sess.as_default():
            model = Sentences(
                length=words.shape[1],
                classes=labels.shape[1],
                vocabulary=6,
                size=FLAGS.size,
                windows=list(map(int, FLAGS.windows.split(","))),
                filters=2,
                decay=FLAGS.decay,
            )
            global_step = tf.Variable(0, name="global_step", trainable=False)
            optimizer = tf.train.AdamOptimizer(1e-2)
            pairs = optimizer.compute_gradients(model.loss)
            train_op = optimizer.apply_gradients(pairs, global_step=global_step)

            gradients = []
            for g, v in pairs:
                if g is not None:
                    histogram = tf.summary.histogram("{}/grad/hist".format(v.name), g)
                    zeros = tf.summary.scalar("%s/grad/zeros" % v.name, tf.nn.zero_fraction(g))
                    gradients.append(histogram)
                    gradients.append(zeros)
            gradients_merged = tf.summary.merge(gradients)

            out = os.path.abspath("runs")
            loss_summary = tf.summary.scalar("loss", model.loss)
            accuracy_summary = tf.summary.scalar("accuracy", model.accuracy)
            train_summary_op = tf.summary.merge([loss_summary, accuracy_summary, gradients_merged])
            writer = tf.summary.FileWriter(os.path.join(out, "train"), sess.graph)
            dev_summary_op = tf.summary.merge([loss_summary, accuracy_summary])
            dev_writer = tf.summary.FileWriter(os.path.join(out, "dev"), sess.graph)
            saver = tf.train.Saver(tf.global_variables(), max_to_keep=2)

            sess.run(tf.global_variables_initializer())

            def train_step(x_batch, y_batch):
                '''
                One step
                '''
                feed = {model.words: x_batch, model.labels: y_batch, model.keep: 1.0}
                _, step, summaries, loss, accuracy = sess.run(
                    [train_op, global_step, train_summary_op, model.loss, model.accuracy], feed
                )
                print("step {}, loss {:.4f}, acc {:.4f}".format(step, loss, accuracy))
                writer.add_summary(summaries, step)

            def dev_step(x_batch, y_batch, writer=None):
                feed = {model.words: x_batch, model.labels: y_batch, model.keep: 1.0}
                step, summaries, loss, accuracy = sess.run(
                    [global_step, dev_summary_op, model.loss, model.accuracy], feed
                )
                print("dev {}, loss {:.4f}, acc {:.4f}".format(step, loss, accuracy))
                if writer:
                    writer.add_summary(summaries, step)

            for batch in data.batches(words, labels, 2, 2):
                x_batch, y_batch = zip(*batch)
                train_step(x_batch, y_batch)
                current = tf.train.global_step(sess, global_step)
                if current % 2 == 0:
                    dev_step(words, labels, writer=dev_writer)
                    saver.save(sess, os.path.join(out, "model"), global_step=current)
            writer.close()
            dev_writer.close()


def main(argv=None):
    words, labels = data.load()
    train(words, labels)
    for path in sorted(glob.glob("runs/*/*")):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value if event.step == 4 else ():
                print(event.step, value.tag, "%.3f" % (value.simple_value or value.histo.sum))
    reader = tf.train.load_checkpoint("runs/model-4")
    for name, shape in tf.train.list_variables("runs/model-4"):
        print(name, shape, "%.3f" % reader.get_tensor(name).sum())


if __name__ == "__main__":
    tf.app.run()
"""
# It loads what it does not name.
REPORT = """\
import tensorflow as tf

import data
from model import Sentences

words, labels = data.load()
saver = tf.train.import_meta_graph("runs/model-4.meta")
with tf.Session() as sess:
    print(sess.run("head/scores:0").shape)
"""
TREE = {"data.py": DATA, "model.py": MODEL, "train.py": TRAIN}
# What TensorFlow 1.15.5 prints.
OUTPUT = """\
step 1, loss 0.7339, acc 0.5000
step 2, loss 0.7036, acc 0.5000
dev 2, loss 0.6992, acc 0.5000
step 3, loss 0.7082, acc 0.5000
step 4, loss 0.6826, acc 0.5000
dev 4, loss 0.6813, acc 0.5000
4 loss_1 0.681
4 accuracy_1 0.500
4 loss_1 0.683
4 accuracy_1 0.500
4 lookup/table_0/grad/hist 0.009
4 lookup/table_0/grad/zeros 0.333
4 window-2/kernel_0/grad/hist 0.433
4 window-2/kernel_0/grad/zeros 0.000
4 window-2/bias_0/grad/hist -0.013
4 window-2/bias_0/grad/zeros 0.000
4 window-3/kernel_0/grad/hist -0.276
4 window-3/kernel_0/grad/zeros 0.000
4 window-3/bias_0/grad/hist 0.010
4 window-3/bias_0/grad/zeros 0.000
4 weights_0/grad/hist 0.059
4 weights_0/grad/zeros 0.000
4 head/bias_0/grad/hist 0.030
4 head/bias_0/grad/zeros 0.000
beta1_power [] 0.590
beta2_power [] 0.995
global_step [] 4.000
head/bias [2] 0.298
head/bias/Adam [2] 0.010
head/bias/Adam_1 [2] 0.000
lookup/table [6, 3] 15.128
lookup/table/Adam [6, 3] 0.006
lookup/table/Adam_1 [6, 3] 0.000
weights [4, 2] 0.584
weights/Adam [4, 2] 0.020
weights/Adam_1 [4, 2] 0.001
window-2/bias [2] 0.201
window-2/bias/Adam [2] -0.007
window-2/bias/Adam_1 [2] 0.000
window-2/kernel [2, 3, 1, 2] 1.189
window-2/kernel/Adam [2, 3, 1, 2] 0.050
window-2/kernel/Adam_1 [2, 3, 1, 2] 0.000
window-3/bias [2] 0.201
window-3/bias/Adam [2] 0.006
window-3/bias/Adam_1 [2] 0.000
window-3/kernel [3, 3, 1, 2] 3.599
window-3/kernel/Adam [3, 3, 1, 2] -0.016
window-3/kernel/Adam_1 [3, 3, 1, 2] 0.000
"""


def test_a_program_of_two_modules(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, TREE)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    model = (tmp_path / "model.py").read_text()
    assert 'with compat.name_scope("lookup/"):' in model
    assert "compat.get_variable(" in model
    assert "model.store.trainable_variables" in (tmp_path / "train.py").read_text()
    assert printed(tmp_path, "train.py") == OUTPUT
    texts = {path.name: path.read_text() for path in tmp_path.glob("*.py")}
    assert not rewritten(tmp_path, texts).contents


def test_a_script_that_loads_a_module_and_names_nothing_of_it(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {**TREE, "report.py": REPORT})
    assert {site.tier for site in outcome.report.sites if site.path != "report.py"} == {"native"}, reasons(outcome)
    assert {site.tier for site in outcome.report.sites if site.path == "report.py"} == {"bridge"}


def test_gradients_that_are_clipped_by_a_list(tmp_path: Path) -> None:
    train = TRAIN.replace(
        "pairs = optimizer.compute_gradients(model.loss)",
        "variables = tf.trainable_variables()\n"
        "            grads, _ = tf.clip_by_global_norm(tf.gradients(model.loss, variables), 1.0)\n"
        "            pairs = list(zip(grads, variables))",
    )
    outcome = rewritten(tmp_path, {**TREE, "train.py": train})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert "variables = model.store.trainable_variables" in (tmp_path / "train.py").read_text()


IMPORT = "from model import Sentences\n"
NAMES = {
    "it makes an object": (IMPORT, IMPORT + "model = Sentences(4, 2, 6, 3, [2], 2)\n", ""),
    "it hands the class on": (IMPORT, IMPORT + "print(Sentences)\n", ""),
    "all names": (IMPORT, "from model import *\n", ""),
    "a name by its text": (IMPORT, IMPORT + "globals()['Sentences'](4, 2, 6, 3, [2], 2)\n", ""),
    "code that is a text": (IMPORT, IMPORT + "eval('Sent' + 'ences')(4, 2, 6, 3, [2], 2)\n", ""),
    "a module by its name": (IMPORT, IMPORT + "import sys\nsys.modules['model'].Sentences(4, 2, 6, 3, [2], 2)\n", ""),
    "in a function": (IMPORT, "def build():\n    from model import Sentences\n    return 1\n", ""),
    "in a function that uses it": (
        IMPORT,
        "def f():\n    import model as m\n    return m.Sentences(*range(6))\n",
        "",
    ),
    "the module": (IMPORT, "import model\nmodel.Sentences(4, 2, 6, 3, [2], 2)\n", ""),
    "the module sets a seed": (IMPORT, IMPORT, "tf.set_random_seed(1)\n"),
    "the module says something": (IMPORT, IMPORT, "print('loaded')\n"),
    "the module makes a flag": (IMPORT, IMPORT, "tf.flags.DEFINE_integer('other', 1, '')\n"),
    "the module replaces a function": (IMPORT, IMPORT, "tf.ones = tf.zeros\n"),
    "the module has a decorated function": (
        IMPORT,
        IMPORT,
        "def f(g):\n    return g\n\n\n@f\ndef h():\n    pass\n",
    ),
}


@pytest.mark.parametrize(("old", "new", "behind"), NAMES.values(), ids=NAMES.keys())
def test_scripts_that_may_use_what_they_load(tmp_path: Path, old: str, new: str, behind: str) -> None:
    texts = {**TREE, "model.py": MODEL + "\n\n" + behind, "report.py": REPORT.replace(old, new)}
    assert tiers(rewritten(tmp_path, texts)) == {"bridge"}


def test_a_script_that_others_import(tmp_path: Path) -> None:
    other = "import tensorflow as tf\nfrom report import Sentences\n\nprint(Sentences)\n"
    texts = {**TREE, "report.py": REPORT, "other.py": other}
    assert tiers(rewritten(tmp_path, texts)) == {"bridge"}


STEP = "            global_step ="
FETCHED = 'model.loss, model.accuracy], feed\n                )\n                print("step'
REFUSED = {
    "a class of which there are two": (STEP, "            Sentences(4, 2, 6, 3, [2], 2)\n" + STEP),
    "an operation of a scope's name": ("cost = tf.constant(0.0)", 'cost = tf.constant(0.0, name="lookup")'),
    "a scope of the loop that may have the name": ('"window-%s" % window', '"look%s" % window'),
    "a scope twice": ('name_scope("head")', 'name_scope("lookup")'),
    "a table that is assigned to": (STEP, "            tf.assign(model.table, model.table)\n" + STEP),
    "windows that change": ("        total = filters", "        windows.append(2)\n        total = filters"),
    "a step in the way of the names": ('name="global_step"', 'name="window-2"'),
    "a step without a name": (', name="global_step"', ""),
    "gradients that are fetched": (FETCHED, FETCHED.replace("model.loss", "pairs[0][0]")),
    "a name of a tensor": ("v.name), g)", "g.name), g)"),
}


@pytest.mark.parametrize(("old", "new"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(tmp_path: Path, old: str, new: str) -> None:
    assert old in MODEL + TRAIN
    texts = {name: text.replace(old, new, 1) for name, text in TREE.items()}
    assert tiers(rewritten(tmp_path, texts)) == {"bridge"}
