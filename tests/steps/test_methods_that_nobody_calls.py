"""Methods and functions that no script calls run the session too: they lose it with the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.migration import migrated
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

ITEMS = """\
import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, sess):
        self.sess = sess
        self.w = {}
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.w["first"] = tf.get_variable("first", [2, 3])
        self.w["last"] = tf.get_variable("last", [3, 1])
        self.out = tf.matmul(tf.matmul(self.x, self.w["first"]), self.w["last"])

    def play(self, x):
        return self.sess.run(self.out, {self.x: x})

    def save(self, folder):
        for name in self.w.keys():
            np.save(folder + "/" + name, self.w[name].eval())


with tf.Session() as sess:
    agent = Agent(sess)
    sess.run(tf.global_variables_initializer())
    print(agent.play(np.ones((1, 2))).shape)
"""

COLLECTED = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
w = tf.Variable(2.0)
y = x * w


def norms():
    return {v.name: abs(v.eval()) for v in tf.trainable_variables()}


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: 1.0}))
"""


@pytest.mark.parametrize(
    ("program", "read"), [(ITEMS, "self.w[name].numpy()"), (COLLECTED, "abs(v.numpy())")], ids=["items", "collected"]
)
def test_they_read_variables_as_they_are(program: str, read: str, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(program)
    options = Options(paths=(tmp_path,), root=tmp_path)
    outcome = pipeline.run(discover(options).code, options)
    text = outcome.contents["main.py"].decode()
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert read in text and ".eval()" not in text


LONG = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x * 2.0


def grown(sess):
    out = y
    for _ in range(30):
        for _ in range(30):
            for _ in range(30):
                out = out + x
    return sess.run(out, {x: 1.0})


with tf.Session() as sess:
    print(sess.run(y, {x: 1.0}))
"""


def test_what_is_too_long_to_be_followed_is_told(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(LONG)
    options = Options(paths=(tmp_path,), root=tmp_path)
    report = pipeline.run(discover(options).code, options).report
    assert {site.tier for site in report.sites} == {"bridge"}
    told = [reason for site in report.sites for reason in site.reasons if reason.code == "budget"]
    assert {reason.text for reason in told} == {"`grown` is too long to be followed (main.py:7)"}
    assert all(reason.next_step for reason in told)


CHOSEN = """\
import numpy as np
import tensorflow as tf


def visualize(sess, gan, option):
    option = 0
    if option == 0:
        rows = []
        for _ in range(4):
            rows.append(sess.run(gan.images))
        print(np.concatenate(rows, 0))
    elif option == 1:
        for i in range(3):
            print(sess.run(gan.sampler, feed_dict={gan.z: np.full([2], i)}))
    elif option == 2:
        print(sess.run([gan.images, gan.loss]))
    else:
        print(sess.run(gan.loss))
"""

CONSTANT = """\
import tensorflow as tf

VERBOSE = False
LEVEL = 3


class Evaluator(object):
    def __init__(self, session, model):
        self.session = session
        self.model = model

    def evaluate(self, rows):
        if not VERBOSE:
            if LEVEL == 3:
                return self.session.run(self.model.loss, {self.model.x: rows})
            elif LEVEL == 2:
                return self.session.run(self.model.error, {self.model.x: rows})
            return None
        elif LEVEL == 1:
            print(self.session.run(self.model.out, {self.model.x: rows}))
        else:
            loss, out = self.session.run([self.model.loss, self.model.out], {self.model.x: rows})
            print(loss, out)
"""


@pytest.mark.parametrize("program", [CHOSEN, CONSTANT], ids=["a chain", "constants"])
def test_what_a_constant_leaves_out_loses_it_too(program: str, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    text = outcome.contents["main.py"].decode()
    assert "sess.run" not in text and "session" not in text


BOXES = """\
import numpy as np
import tensorflow as tf


class Detector(object):
    def __init__(self, sess):
        self.sess = sess
        self.cells, self.boxes = 13, 5
        self.images = tf.placeholder(tf.float32, [None, 8])
        self.logits = tf.layers.dense(self.images, 4)

    def boxes_of(self, logits, count):
        found = []
        for j in range(count):
            kept = []
            for x in range(self.cells):
                for y in range(self.cells):
                    for n in range(self.boxes):
                        score = logits[j, y, x, n, 0]
                        box = logits[j, y, x, n, 1:5]
                        if score > 0.5:
                            kept.append([box, score])
            found.append(kept)
        return found

    def test(self, images):
        found = self.boxes_of(self.sess.run(self.logits, {self.images: images}), 32)
        true = self.boxes_of(images, 32)
        near = self.boxes_of(true, 16), self.boxes_of(images, 8)
        return found, true, near, self.sess.run(self.logits, {self.images: images})
"""

TABLES = """\
import tensorflow as tf


def distances(lines, table):
    total = 0
    for first in range(12):
        for second in range(12):
            for i in range(9):
                for j in range(9):
                    cost = 0 if lines[first][i] == lines[second][j] else 1
                    table[i, j] = min(table.get((i - 1, j), i), table.get((i, j - 1), j)) + cost
            total += table[8, 8]
    return total


def rate(session, model, lines):
    total = distances(lines, {}) + distances(lines, {"first": 1})
    print(session.run(model.loss, {model.lines: lines}))
    total += distances(lines, {"last": 1}) + distances(lines, {"last": [1]}) + distances(lines[1:], {})
    return total / session.run(model.length, {model.lines: lines})
"""


@pytest.mark.parametrize("program", [BOXES, TABLES], ids=["boxes", "tables"])
def test_plain_loops_are_followed_no_longer_than_they_teach(program: str, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
