"""Two programs under the same conditions: what TensorFlow 1, the system and libraries leave open is alike in both."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.parity.test_command import run, trees

pytestmark = pytest.mark.usefixtures("as_v1_graph")

RACES = """\
import tensorflow as tf
step = tf.get_variable("step", initializer=0.0, use_resource=True)
rate = step / 2.0
for i in range(50):
    rate = tf.sin(rate) + 0.5
w = tf.get_variable("w", initializer=1.0)
train = tf.group(tf.assign_sub(w, 0.1 * rate * rate), step.assign(step + 1.0))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        sess.run(train)
        print("w", sess.run(w))
"""


def test_reads_and_updates_without_an_order_are_ordered_and_told(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, RACES)
    status, output = run(legacy, new, "--verbose", "--", "train.py")
    assert status == 0, output
    assert "the original reads `step` (train.py:3) and updates it (train.py:7) in one run without an order" in output


ON_ONE_LINE = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
w = tf.Variable([2.0], name="w")
loss = tf.reduce_sum(tf.square(x * w))
double, half = x * 2.0, x / 2.0
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        print(sess.run(w), sess.run(train, feed_dict={x: [1.0, 2.0]}), sess.run(loss, feed_dict={x: [3.0]}))
        print([sess.run(double, feed_dict={x: sess.run(half, feed_dict={x: [k]})}) for k in range(4)],
              sess.run(half, feed_dict={x: [5.0]}))
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_several_runs_on_one_line(
    tier: str, tmp_path: Path, legacy_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(legacy_python))
    legacy, new = trees(tmp_path, ON_ONE_LINE, tier=tier)
    assert ("Session" not in (new / "train.py").read_text()) == (tier == "native")
    status, output = run(legacy, new, "--verbose", "--", "train.py")
    assert status == 0, output
    found = re.findall(r"  (train\.py:\d+(?: #\d)?) .*\((\w+)\): (\d+) runs, ", output)
    assert {kind for _, kind, _ in found} == {tier}
    plain = [("train.py:11 #1", "3")] if tier == "bridge" else []
    assert [(place, count) for place, _, count in found] == [
        *plain,
        ("train.py:11 #2", "3"),
        ("train.py:11 #3", "3"),
        ("train.py:12 #1", "12"),
        ("train.py:12 #2", "12"),
        ("train.py:13", "3"),
    ]


THREADS = """\
import threading, time
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
queue = tf.FIFOQueue(20, [tf.float32], shapes=[[]])
enqueue, y = queue.enqueue([x]), queue.dequeue() * 2.0
sess = tf.Session()
def feed():
    for i in range({count}):
        sess.run(enqueue, feed_dict={{x: float(i)}})
threading.Thread(target=feed).start()
time.sleep({pause})
for i in range(4):
    print(sess.run(y))
"""


def test_runs_of_threads_come_when_they_come(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, THREADS.format(count=8, pause=0.0))
    file = new / "train.py"
    file.write_text(file.read_text().replace("range(8)", "range(4)").replace("sleep(0.0)", "sleep(0.2)"))
    status, output = run(legacy, new, "--verbose", "--", "train.py")
    assert status == 0, output
    assert "runs that threads of the program make are not compared" in output
    assert "train.py:13 -> y_step (native): 4 runs, 4 compared" in output


UNSEEDED = """\
import os, random, uuid
import numpy as np
import tensorflow as tf
drawn = [random.Random().random(), np.random.RandomState().rand(), os.urandom(2)[0], random.SystemRandom().random()]
x = tf.placeholder(tf.float32, [5])
with tf.Session() as sess:
    print(sess.run(x * 2.0, {x: drawn + [uuid.uuid4().int % 1000]}))
"""


def test_what_the_system_draws_is_drawn_in_both(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, UNSEEDED)
    status, output = run(legacy, new, "--", "train.py")
    assert status == 0, output


SETS = """\
import pickle
import tensorflow as tf
from words import index
{spelled}
x = tf.placeholder(tf.float32, [None])
with tf.Session() as sess:
    print(sess.run(x * 2.0, {{x: [ord(letter) for letter in letters] + [index[key] for key in ("one", "two", "six")]}}))
print(letters, isinstance({{1}}, set), isinstance(set(), set), pickle.loads(pickle.dumps(letters)) == letters)
"""


@pytest.mark.parametrize(
    "spelled",
    [
        "letters = set('if you want to build a ship')",
        "letters = set('build') | {'x', 'y'} - set('y') ^ set('z')",
        "letters = set('build').union('a ship'); letters = letters | {'z', letters.pop()}",
    ],
)
@pytest.mark.usefixtures("started_anew")
def test_sets_of_words_have_one_order(
    spelled: str, tmp_path: Path, legacy_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(legacy_python))
    words = "index = {word: number for number, word in enumerate(set('one two three four five six'.split()))}\n"
    (tmp_path / "legacy").mkdir()
    (tmp_path / "legacy" / "words.py").write_text(words)
    legacy, new = trees(tmp_path, SETS.format(spelled=spelled))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 0 and "original in TensorFlow 1.15.5" in output, output


OTHER_DATA = """\
import sys
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
y = x * 2.0
with tf.Session() as sess:
    print("y", sess.run(y, feed_dict={x: float(sys.version_info[1])}))
"""


def test_data_that_another_python_gives(tmp_path: Path, legacy_python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(legacy_python))
    legacy, new = trees(tmp_path, OTHER_DATA)
    status, output = run(legacy, new, "--report", tmp_path / "report.json", "--", "train.py")
    assert status == 0, output
    (result,) = json.loads((tmp_path / "report.json").read_text())["results"]
    assert result["legacy"] == "tf.compat.v1 graph"
    assert "in TensorFlow 1.15.5 the original is given other data, beginning with train.py:6" in result["notes"][0]
    file = new / "train.py"
    file.write_text(file.read_text().replace("2.0", "2.5"))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "original in TensorFlow 1.15.5" in output
    assert "as a tf.compat.v1 graph, with the same Python and libraries: differs: the run of train.py:6" in output


CHOOSES = """\
import tensorflow as tf
x = tf.Variable([0.1, 0.3, 0.7], name="x")
step = tf.assign(x, 3.99 * x * (1.0 - x))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(60):
        value = sess.run(step)
    for i in range(int(value[0] * 1e6) % 97):
        sess.run(step)
"""


def test_a_course_that_the_last_place_decides(tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, CHOOSES)
    file = new / "train.py"
    file.write_text(file.read_text().replace("3.99 * x * (1.0 - x)", "(3.99 * x - 3.99 * x * x)"))
    status, output = run(legacy, new, "--", "train.py")
    assert status == 1 and "structure differs: the original makes" in output
    assert "when its initial values change in the last place: so small a thing decides where it goes" in output


KEEPS = """\
import tensorflow as tf
x = tf.Variable([0.1, 0.3, 0.7], name="x")
step = tf.assign(x, 3.99 * x * (1.0 - x))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(60):
        value = sess.run(step)
        print("abcdefghij"[int(value[0] * 10)] * (1 + i % 3), "becomes %.4f" % value[1])
    with open("values.csv", "w") as file:
        file.write(",".join("%.7f" % item for item in value))
    with open("constant.csv", "w") as file:
        file.write("0.25")
"""


@pytest.mark.parametrize(("text", "verdict"), [("0.25", "parity"), ("0.26", "differs")])
def test_files_and_print_outs_are_as_sensitive_as_the_originals_own(text: str, verdict: str, tmp_path: Path) -> None:
    legacy, new = trees(tmp_path, KEEPS)
    file = new / "train.py"
    changed = file.read_text().replace("3.99 * x * (1.0 - x)", "(3.99 * x - 3.99 * x * x)").replace("0.25", text)
    file.write_text(changed)
    _, output = run(legacy, new, "--", "train.py")
    assert f"train.py on cpu: {verdict}: " in output, output
