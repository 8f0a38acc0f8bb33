"""Sessions over one graph: two at once are refused, and each one in turn begins what it repeats anew."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tests.steps.migration import migrated, said_by

NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")

DRAWN = """\
import tensorflow as tf

tf.set_random_seed(4)
w = tf.get_variable("w", [3], initializer=tf.random_normal_initializer(seed=5))
r = tf.random_normal([2], seed=6)
init = tf.global_variables_initializer()
more = tf.assign_add(w, tf.ones([3]))
"""

IN_TURN = (
    DRAWN
    + """

class Runner(object):
    def __init__(self, turns):
        self.turns = turns

    def go(self):
        with tf.Session() as sess:
            sess.run(init)
            for _ in range(self.turns):
                sess.run(more)
            return sess.run([w, r])


for turns in (1, 2):
    print(Runner(turns).go())
"""
)

AGAIN = (
    DRAWN
    + """

def fold(sess, turns):
    sess.run(init)
    for _ in range(turns):
        sess.run(more)
    print(sess.run(w), sess.run(r))


sess = tf.Session()
fold(sess, 1)
fold(sess, 3)
"""
)

TWICE = (
    DRAWN
    + """
again = tf.variables_initializer([w])


def folds(sess, turns):
    sess.run(init)
    for turn in range(turns):
        sess.run(more)
        print(sess.run(w), sess.run(r))
        sess.run(again)
    print(sess.run(w))


with tf.Session() as sess:
    folds(sess, 2)
"""
)

DATASET = """\
import tensorflow as tf

row = tf.data.Dataset.range(5).make_one_shot_iterator().get_next()
value = tf.cast(row, tf.float32) * 0.5


def first(count):
    sess = tf.Session()
    found = [sess.run(value) for _ in range(count)]
    sess.close()
    return found


print(first(2), first(5))
"""

ALIVE = """\
import os

import tensorflow as tf

w = tf.Variable(1.0)
more = tf.assign_add(w, 1.0)


class Player(object):
    def __init__(self):
        self.sess = tf.Session()
        self.sess.run(again)

    def go(self):
        return self.sess.run([w, more])


one = Player()
other = Player()
names = {"one": one, "other": other}
print(names[os.environ.get("FIRST", "one")].go(), other.go(), one.go())
"""

BESIDE = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
w = tf.Variable(1.0)
out = w * x
more = tf.assign_add(w, 1.0)
init = tf.global_variables_initializer()


def fresh():
    with tf.Session() as other:
        other.run(init)
        return other.run(out, {x: 1.0})


with tf.Session() as sess:
    sess.run(init)
    feed = {x: 2.0}
    print(sess.run([out, more], feed), fresh(), sess.run(out, feed_dict=feed))
"""


MADE_FIRST = """\
import tensorflow as tf


class Net(object):
    def __init__(self, sess):
        self.sess = sess

    def build(self):
        self.w = tf.Variable(tf.random_normal([2], seed=6))
        self.noisy = self.w + tf.random_normal([2], seed=5)

    def train(self):
        tf.global_variables_initializer().run()
        print(self.sess.run(self.w), self.sess.run(self.noisy))

    def test(self):
        tf.global_variables_initializer().run()
        print(self.sess.run(self.w), self.sess.run(self.noisy))


def main():
    with tf.Session() as sess:
        net = Net(sess)
        net.build()
        net.train()
        net.test()


main()
"""

# A function restores in both sessions; the initializer behind it counts in the second one too.
RESTORED_BEFORE = """\
import os
import tempfile

import tensorflow as tf

w = tf.Variable(1.0, name="w")
grow = w.assign(w * 5.0)
init, again = tf.global_variables_initializer(), tf.global_variables_initializer()
saver = tf.train.Saver()
kept = os.path.join(tempfile.mkdtemp(), "kept")


def load(sess):
    saver.restore(sess, kept)


with tf.Session() as sess:
    sess.run(init)
    sess.run(grow)
    saver.save(sess, kept)
    load(sess)
    print(sess.run(grow))
with tf.Session() as sess:
    load(sess)
    sess.run(again)
    print(sess.run(grow))
"""


@pytest.mark.parametrize(("program", "count"), [(IN_TURN, 2), (AGAIN, 2), (TWICE, 2), (DATASET, 2), (MADE_FIRST, 2)])
def test_a_session_begins_anew_what_it_repeats(
    program: str, count: int, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome = migrated(program, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    text = outcome.contents["main.py"].decode()
    assert text.count(".reset()") + text.count("compat.restart()") == 1
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    numbers = [[float(number) for number in NUMBER.findall(said)] for said in (done.stdout, run_legacy(program))]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-5)
    assert len(numbers[0]) >= 3 * count


def test_an_initializer_behind_a_restore_stays(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(RESTORED_BEFORE, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    text = outcome.contents["main.py"].decode()
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == run_legacy(RESTORED_BEFORE) == "25.0\n5.0\n"


TRIED_BEFORE = """\
import os
import tensorflow as tf


class Model(object):
    def __init__(self, rate):
        self.x = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable(tf.ones([2, 1]), name="w_%d" % int(rate * 100))
        self.epoch = tf.Variable(0, trainable=False, name="epoch")
        self.up = tf.assign(self.epoch, self.epoch + 1)
        self.loss = tf.reduce_mean(tf.square(tf.matmul(self.x, self.w)))
        self.train = tf.train.GradientDescentOptimizer(rate).minimize(self.loss, var_list=[self.w])


def tried():
    model = Model(0.5)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            print("tried %.4f" % sess.run([model.loss, model.train], {model.x: [[1.0, 2.0]]})[0])


def evaluated(sess, model):
    return sess.run(model.loss, {model.x: [[3.0, 1.0]]})


tried()
with tf.Session() as sess:
    model = Model(0.1)
    saver = tf.train.Saver()
    if os.path.exists("kept/checkpoint"):
        saver.restore(sess, tf.train.latest_checkpoint("kept"))
    else:
        sess.run(tf.global_variables_initializer())
    for epoch in range(sess.run(model.epoch), 3):
        loss, _ = sess.run([model.loss, model.train], {model.x: [[0.5, 1.0]]})
        sess.run(model.up)
        print("%d %.4f %.4f" % (epoch, loss, evaluated(sess, model)))
    print(sess.run(model.epoch))
"""

SAVED_BEHIND = """\
import tensorflow as tf

w = tf.Variable(1.0, name="w")
up = w.assign_add(1.0)
saver = tf.train.Saver()
first, second = tf.Session(), tf.Session()
first.run(tf.global_variables_initializer())
second.run(tf.global_variables_initializer())
second.run(up)
path = saver.save(first, "./model")
saver.restore(second, path)
print(second.run(w))
"""


def test_a_session_behind_a_branch_that_restores(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    outcome = migrated(TRIED_BEFORE, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}
    said = said_by(outcome.contents["main.py"].decode(), tmp_path)
    assert said == run_legacy(TRIED_BEFORE, cwd=tmp_path)
    assert len(said.splitlines()) == 6


def test_a_session_that_saves_behind_another_one_comes_back(tmp_path: Path) -> None:
    outcome = migrated(SAVED_BEHIND, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    assert "sessions-at-once" in {reason.code for site in outcome.report.sites for reason in site.reasons}


AT_ONCE = """\
import tensorflow as tf

w = tf.Variable(1.0, name="w")
up = w.assign_add(1.0)
first, second = tf.Session(), tf.Session()
first.run(tf.global_variables_initializer())
second.run(tf.global_variables_initializer())
second.run(up)
print(second.run(w))
print(first.run(w))
"""

IN_A_LIST = """\
import tensorflow as tf

def opened():
    return tf.Session()

w = tf.Variable(1.0, name="w")
up = w.assign_add(1.0)
by_name = {"one": opened(), "two": opened()}
for sess in by_name.values():
    sess.run(w.initializer)
by_name["two"].run(up)
print(by_name["one"].run(w))
for name, sess in by_name.items():
    print(name, sess.run(w))
"""


@pytest.mark.parametrize("program", [ALIVE, BESIDE, AT_ONCE, IN_A_LIST])
def test_two_sessions_at_once_stay_on_the_bridge(program: str, tmp_path: Path) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"bridge"}
    reasons = {reason.code for site in outcome.report.sites for reason in site.reasons}
    assert "sessions-at-once" in reasons


def test_without_seeds_nothing_is_reset(tmp_path: Path) -> None:
    program = IN_TURN.replace("tf.set_random_seed(4)\n", "").replace(", seed=6", "").replace("seed=5", "")
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert "Session" not in text
    assert ".reset()" not in text


def test_a_session_under_any_name_is_followed(tmp_path: Path) -> None:
    program = (
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [])\nout = x * 2.0\n"
        "def go(s):\n    return s.run(out, {x: 1.0})\nsess = tf.Session()\nprint(go(sess))\n"
    )
    outcome = migrated(program, tmp_path)
    assert {(site.tier, site.form) for site in outcome.report.sites} == {("native", "steps")}


def test_what_a_custom_getter_gives_is_no_variable(tmp_path: Path) -> None:
    program = (
        "import tensorflow as tf\n"
        "def doubled(getter, name, *args, **kwargs):\n    return 2.0 * getter(name, *args, **kwargs)\n"
        "with tf.variable_scope('s', custom_getter=doubled):\n    w = tf.get_variable('w', [2])\n"
        "def read(s):\n    return s.run(w)\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n    print(read(sess))\n"
    )
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert "Session" not in text
    assert ".numpy()" not in text


def test_graphs_that_begin_in_a_loop_are_built_in(tmp_path: Path) -> None:
    program = (
        "import tensorflow as tf\n"
        "class M(object):\n    def __init__(self):\n        self.x = tf.placeholder(tf.float32, [])\n"
        "        self.out = self.x * 2.0\n"
        "def go(sess, m):\n    return sess.run(m.out, {m.x: 1.0})\n"
        "for turn in range(2):\n    with tf.Graph().as_default():\n        m = M()\n"
        "        with tf.Session() as sess:\n            print(go(sess, m))\n"
    )
    text = migrated(program, tmp_path).contents["main.py"].decode()
    assert "    @compat.builder\n    def __init__(self):" in text


FIRST_WORD = """\
import tensorflow as tf


class Shown(object):
    def __init__(self):
        self.graph = tf.get_default_graph()
        self.sess = tf.Session()

    def show(self, name):
        return self.sess.run(self.graph.get_tensor_by_name(name))


def main():
    graph = tf.get_default_graph()
    shown = Shown()
    y = tf.constant(3.0, name="y")
    print(graph.get_tensor_by_name("y:0") is y, shown.show("y:0"))


main()
"""


def test_the_default_graph_as_the_first_word_of_a_program(tmp_path: Path) -> None:
    outcome = migrated(FIRST_WORD, tmp_path)
    assert {site.form for site in outcome.report.sites} == {"steps"}
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    text = outcome.contents["main.py"].decode()
    done = warm.run([sys.executable, "-c", text], cwd=tmp_path, env=environment)
    assert (done.returncode, done.stdout) == (0, "True 3.0\n"), done.stderr


# A name that is bound under a condition, and run under it again.
PERHAPS = """\
import sys

import tensorflow as tf


def go(more, turns):
    x = tf.placeholder(tf.float32, [])
    y = x * 2.0
    if more:
        p = tf.placeholder(tf.float32, [])
        z = y + p
    for turn in range(turns):
        with tf.Session() as sess:
            print(sess.run(y, {x: turn}))
        if more:
            with tf.Session() as sess:
                print(sess.run(z, {x: 1.0, p: 2.0}))


class Runner(object):
    def __init__(self, more):
        self.more = more

    def go(self):
        go(self.more, 2)


Runner(len(sys.argv) > 4).go()
"""


def test_a_step_is_bound_where_its_names_are_there(tmp_path: Path) -> None:
    outcome = migrated(PERHAPS, tmp_path)
    assert [(site.tier, site.form) for site in outcome.report.sites] == [("native", "steps"), ("native", "steps")]
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    text = outcome.contents["main.py"].decode()
    for arguments, printed in (([], "0.0\n2.0\n"), (["a"] * 4, "0.0\n4.0\n2.0\n4.0\n")):
        done = warm.run([sys.executable, "-c", text, *arguments], cwd=tmp_path, env=environment)
        assert (done.returncode, done.stdout) == (0, printed), done.stderr
