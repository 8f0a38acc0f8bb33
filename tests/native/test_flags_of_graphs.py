"""Flags of the command line and members of modules that a graph is built with: what sets them anew behind that."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from absl import flags

from tests.native.native import made_native, printed, refuses, rewritten
from tests.native.trees import rewritten as rewritten_tree

HEAD = """\
import os
import sys
import numpy as np
import tensorflow as tf

X = np.sin(np.arange(12.0)).reshape(4, 3)
tf.app.flags.DEFINE_float("rate", 0.5, "")
tf.app.flags.DEFINE_boolean("wide", False, "")
tf.app.flags.DEFINE_list("sizes", "2,3", "")
FLAGS = tf.app.flags.FLAGS
FACTOR = 2.0


def show(values):
    print(" ".join("%.4f" % number for number in np.ravel(values)))


def net(t):
    if FLAGS.wide:
        return t * 7.0
    return t * FLAGS.rate * FACTOR


"""
RUN = """\
x = tf.placeholder(tf.float32, [None, 3])
y = net(x)
with tf.Session() as sess:
    show(sess.run(y, {x: X}))
"""
MAIN = """\
def main(_):
    x = tf.placeholder(tf.float32, [None, 3])
    y = net(x)
    with tf.Session() as sess:
        show(sess.run(y, {x: X}))


if __name__ == "__main__":
    main(None)
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets programs define their flags anew, and change what others see."""
    monkeypatch.setattr(sys, "argv", ["program"])
    monkeypatch.setattr(np, "pi", np.pi)
    monkeypatch.setenv("RATE", "1")
    yield
    for name in ("rate", "wide", "sizes"):
        if name in flags.FLAGS:
            delattr(flags.FLAGS, name)


STAYS = {
    "nothing sets it": HEAD + RUN,
    "before, in the script": HEAD + "FLAGS.rate = 0.25\n" + RUN,
    "before, in the function": HEAD + MAIN.replace("    y", "    if FLAGS.rate:\n        FLAGS.rate = 4.0\n    y", 1),
    "ahead of what starts the program": HEAD + "FLAGS.rate = 0.25\n" + MAIN,
    "another one": HEAD + RUN.replace("with", "FLAGS.sizes = []\nwith"),
    "a variable of the shell": HEAD + RUN.replace("net(x)", "net(x) * (1.0 if 'NO_NAME' in os.environ else 3.0)"),
}  # fmt: skip


@pytest.mark.parametrize("code", STAYS.values(), ids=STAYS)
def test_computes_what_tf1_computed(code: str, run_legacy: Callable[..., str]) -> None:
    assert printed(made_native(code).text) == run_legacy(code)


OF_FLAG = "`FLAGS.rate` is computed while the graph is built"
MODEL = """\
class Model(object):
    def __init__(self, sess, rate):
        FLAGS.rate = rate
        self.sess = sess
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.y = self.x * FLAGS.rate

    def run(self):
        show(self.sess.run(self.y, {self.x: X}))


sess = tf.Session()
first, second = Model(sess, 1.0), Model(sess, 2.0)
first.run()
second.run()
"""
CHANGED = {
    "where another object is made": (HEAD + MODEL, OF_FLAG),
    "behind it": (HEAD + RUN.replace("with", "FLAGS.rate = 3.0\nwith"), OF_FLAG),
    "by a text": (HEAD + RUN.replace("with", "setattr(FLAGS, 'rate', 3.0)\nwith"), OF_FLAG),
    "by a command line": (
        HEAD + RUN.replace("with", "FLAGS(['program', '--rate=3'])\nwith"),
        OF_FLAG.replace("rate", "wide"),
    ),
    "under another name": (HEAD + "flags = FLAGS\n" + RUN.replace("with", "flags.rate = 3.0\nwith"), OF_FLAG),
    "behind it, in the function": (HEAD + MAIN.replace("    with", "    FLAGS.rate = 3.0\n    with"), OF_FLAG),
    "in a function": (
        HEAD + "def change():\n    FLAGS.rate = 3.0\n\n\n" + RUN.replace("with", "change()\nwith"),
        OF_FLAG,
    ),
    "in place": (
        HEAD.replace("FLAGS.rate *", "float(FLAGS.sizes[0]) *") + RUN.replace("with", "FLAGS.sizes[0] = '9'\nwith"),
        "`FLAGS.sizes` is computed while the graph is built",
    ),
    "a variable of the shell": (
        HEAD.replace("FLAGS.rate *", "float(os.environ['RATE']) *")
        + "os.environ['RATE'] = '2'\n"
        + RUN.replace("with", "os.environ['RATE'] = '3'\nwith"),
        "`os.environ` is computed while the graph is built",
    ),
    "an argument of the program": (
        HEAD + RUN.replace("net(x)", "net(x) * len(sys.argv)").replace("with", "sys.argv.append('more')\nwith"),
        "`sys.argv` is computed while the graph is built",
    ),
    "a member of a module": (
        HEAD.replace("FLAGS.rate *", "np.pi *") + RUN.replace("with", "np.pi = 3.0\nwith"),
        "`np.pi` is computed while the graph is built",
    ),
    "on the other way through a condition": (
        HEAD + RUN.replace("with", "FACTOR = 5.0\nwith"),
        "`FACTOR` has another value here than when the graph was built",
    ),
}


@pytest.mark.parametrize(("code", "reason"), CHANGED.values(), ids=CHANGED)
def test_refuses_what_may_be_set_anew(code: str, reason: str, run_legacy: Callable[..., str]) -> None:
    refuses(code, reason)
    assert printed(rewritten(code).text) == run_legacy(code)


def test_other_modules_may_set_them(tmp_path: Path) -> None:
    begin = HEAD.index("def net")
    texts = {
        "model.py": "import tensorflow as tf\n\nFLAGS = tf.app.flags.FLAGS\nFACTOR = 2.0\n\n\n" + HEAD[begin:],
        "train.py": HEAD[:begin] + "from model import net\n\n" + RUN,
    }
    outcome = rewritten_tree(tmp_path / "plain", texts)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    changing = {**texts, "train.py": texts["train.py"].replace("with", "FLAGS.rate = 3.0\nwith")}
    (reason,) = {site.reason for site in rewritten_tree(tmp_path / "changing", changing).report.sites}
    assert reason is not None and "`net(x)` is computed while the graph is built" in reason
