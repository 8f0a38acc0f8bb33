"""What the interpreter knows of graphs: which code builds, which runs, and what runs fetch and feed."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.interpreter.execution import executed, known, shown

MODEL = """\
import tensorflow as tf
x = tf.placeholder(tf.float32)
w = tf.Variable(1.0)
loss = x * w
train = tf.train.AdamOptimizer().minimize(loss)
"""


def test_symbols_have_kinds(tmp_path: Path) -> None:
    _, frame = executed(tmp_path, MODEL)
    kinds = {
        name: value.kind for name, value in frame.slots.items() if hasattr(value, "place") and hasattr(value, "parts")
    }
    assert kinds == {"x": "placeholder", "w": "variable", "loss": "tensor", "train": "operation"}


def test_names_that_tensorflow_has_no_more_decide_as_in_1_15(tmp_path: Path) -> None:
    text = """\
import tensorflow as tf
scalar = getattr(tf, 'scalar_summary', None) or tf.summary.scalar
found = scalar('a', 1.0)
"""
    assert known(tmp_path, text) == "<scalar>"


def test_what_a_producer_makes_is_a_queue(tmp_path: Path) -> None:
    text = """\
import tensorflow as tf
names = tf.train.string_input_producer(['a', 'b'], shuffle=False)
found = [names.dequeue(), names.dequeue_many(2)]
"""
    assert known(tmp_path, text) == "[<dequeue>, <dequeue_many>]"


def test_functions_are_called_with_what_tensorflow_gives_them(tmp_path: Path) -> None:
    text = (
        MODEL
        + "found = []\ndef body(n):\n    found.append(n)\n    return n\ny = tf.while_loop(lambda n: n < 1, body, [x])\n"
    )
    assert known(tmp_path, text) == "[<argument>]"


def test_a_run_keeps_what_it_fetches_and_feeds(tmp_path: Path) -> None:
    text = MODEL + (
        "def feed(value):\n    found = {}\n    found[x] = value\n    return found\n"
        "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\n"
        "for value in (1.0, 2.0):\n    _, now = sess.run([train, loss], feed(value))\n"
    )
    machine, _ = executed(tmp_path, text)
    initializer, run = machine.recorder.runs
    assert (initializer.lineno, run.lineno) == (11, 13)
    seen = machine.recorder.runs[run]
    assert [[shown(leaf) for leaf in each.fetches.leaves()] for each in seen] == [["<minimize>", "<mul>"]] * 2
    assert [[(shown(key), shown(part.value)) for key, part in each.feeds.parts] for each in seen if each.feeds] == [
        [("<placeholder>", "1.0")],
        [("<placeholder>", "2.0")],
    ]
    assert seen[0].past == {initializer, seen[0].session}


def test_statements_that_build_and_functions_around_them(tmp_path: Path) -> None:
    text = "import tensorflow as tf\ndef net(size):\n    return tf.ones([size])\nprint('hello')\nout = net(3)\n"
    machine, frame = executed(tmp_path, text)
    extents = set().union(*machine.recorder.built.values())
    lines = {node.lineno for node in extents if isinstance(node, ast.stmt)}
    assert lines == {2, 3, 5}  # the function, its statement, and the call
    assert shown(frame.slots["out"]) == "<ones>"


def test_libraries_without_graphs_build_nothing(tmp_path: Path) -> None:
    text = MODEL + "import numpy as np, json\na = np.zeros(3)\nb = json.dumps({'x': x})\n"
    machine, _ = executed(tmp_path, text)
    lines = {getattr(node, "lineno", 0) for extent in machine.recorder.built.values() for node in extent}
    assert not lines & {6, 7, 8}


def test_the_past_of_one_way_is_not_that_of_another(tmp_path: Path) -> None:
    text = MODEL + (
        "import sys\nsaver = tf.train.Saver()\nsess = tf.Session()\ninit = tf.global_variables_initializer()\n"
        "if sys.argv:\n    saver.restore(sess, 'a')\nelse:\n    sess.run(init)\n"
    )
    machine, _ = executed(tmp_path, text)
    (run,) = machine.recorder.runs
    assert machine.recorder.runs[run][0].past == frozenset()
