"""What a run fetches may be found by calls that do more than find it, and helpers may look at the session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import migrated, said_by

# Each run is logged, by a function that gives back what it is told of.
LOGGED = """\
import tensorflow as tf

asked = []


def logged(tensor):
    asked.append(len(asked))
    print("asked for", len(asked))
    return tensor


x = tf.placeholder(tf.float32, [], name="x")
y = x * 2.0
with tf.Session() as sess:
    for at in range(2):
        print(sess.run(logged(y), {x: at}))
    total, _ = sess.run([y + 0.0 if False else y, logged(x)], {logged(x): 3.0})
    print(total, asked)
"""

# Phases take turns: which comes next is kept by an object, whose method tells it and moves on.
PHASES = """\
import tensorflow as tf


class Phases(object):
    def __init__(self):
        self.at = 0
        self.weight = tf.get_variable("weight", [], initializer=tf.constant_initializer(1.0))
        self.first = self.weight.assign_add(1.0)
        self.second = self.weight.assign(self.weight * 3.0)
        self.waiting = [self.first, self.second, self.first]

    def following(self):
        self.at += 1
        return self.second if self.at % 2 else self.first


phases = Phases()
init = tf.global_variables_initializer()


def prepared():
    print("prepared at", phases.at)
    return init


sess = tf.Session()
sess.run(prepared())
for _ in range(3):
    print(sess.run(phases.following()), phases.at)
while phases.waiting:
    print(sess.run(phases.waiting.pop()), len(phases.waiting))
"""

# A property counts how often it was asked for.
TURNS = """\
import tensorflow as tf


class Turns(object):
    def __init__(self):
        self.at = 0
        self.x = tf.placeholder(tf.float32, [])
        self.ops = [self.x * 2.0, self.x + 10.0]

    @property
    def following(self):
        self.at += 1
        return self.ops[0]

    @property
    def second(self):
        return self.ops[1]


turns = Turns()
with tf.Session() as sess:
    for _ in range(3):
        print(sess.run(turns.following, {turns.x: 1.0}), turns.at)
    print(sess.run(turns.second, {turns.x: 1.0}), turns.at)
"""

# Where the calls only find what is fetched, each run is a step.
FOUND = """\
import tensorflow as tf


class Net(object):
    def __init__(self):
        self.parts = {}
        self.x = tf.placeholder(tf.float32, [], name="x")
        self.parts["twice"] = self.x * 2.0
        self.parts["square"] = tf.square(self.x, name="square")

    def get(self, name):
        known = {}
        for key, value in self.parts.items():
            known[key] = value
        names = []
        names.append(name)
        return known[names[0]]


def fetched(net, *names):
    return [net.get(name) for name in sorted(names)]


net = Net()
with tf.Session() as sess:
    print(sess.run(net.get("twice"), {net.x: 3.0}))
    print(*sess.run(fetched(net, "twice", "square"), {net.x: 4.0}))
"""


@pytest.mark.parametrize(
    ("program", "expected", "tiers"),
    [
        (LOGGED, "asked for 1\n0.0\nasked for 2\n2.0\nasked for 3\nasked for 4\n6.0 [0, 1, 2, 3]\n", {"dynamic"}),
        (PHASES, "prepared at 0\n3.0 1\n4.0 2\n12.0 3\n13.0 2\n39.0 1\n40.0 0\n", {"native", "dynamic"}),
        (TURNS, "2.0 1\n2.0 2\n2.0 3\n11.0 3\n", {"native", "dynamic"}),
        (FOUND, "6.0\n16.0 8.0\n", {"native"}),
    ],
    ids=["logged", "phases", "turns", "found"],
)  # fmt: skip
def test_what_a_call_does_beside_finding_what_is_fetched_is_done(
    program: str, expected: str, tiers: set[str], tmp_path: Path
) -> None:
    outcome = migrated(program, tmp_path)
    assert {site.tier for site in outcome.report.sites} == tiers
    assert said_by(outcome.contents["main.py"].decode(), tmp_path) == expected


# A helper that knows nothing of TensorFlow looks at the session that it is given.
LOOKED_AT = {
    "main.py": """\
import tensorflow as tf

from helpers import described, remembered

x = tf.placeholder(tf.float32, [])
y = x * 2.0
with tf.Session() as sess:
    described(sess)
    print(remembered(sess, "y", y) is y)
    print(sess.run(y, {x: 1.0}))
""",
    "helpers.py": """\
KEPT = {}


def described(sess):
    print(type(sess).__name__, sess is None)


def remembered(sess, name, value):
    KEPT.setdefault(sess or "nobody", {})[name] = value
    return KEPT[sess][name]
""",
}

# An object keeps a session, and tells by it whether it was begun.
BEGUN = {
    "main.py": """\
import tensorflow as tf

from workers import Worker

x = tf.placeholder(tf.float32, [])
y = x + 1.0
worker = Worker("one")
print(worker)
with tf.Session() as sess:
    worker.begin(sess)
    print(worker, sess.run(y, {x: 1.0}))
""",
    "workers.py": """\
class Worker(object):
    def __init__(self, name):
        self.name = name
        self.owner = None

    def begin(self, owner):
        self.owner = owner

    def __str__(self):
        return self.name + (" works" if self.owner else " waits")
""",
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [(LOOKED_AT, "Session False\nTrue\n2.0\n"), (BEGUN, "one waits\none works 2.0\n")],
    ids=["looked at", "begun"],
)
def test_what_a_module_without_tensorflow_does_with_a_session(
    files: dict[str, str], expected: str, tmp_path: Path
) -> None:
    outcome = migrated(files, tmp_path)
    for name, content in outcome.contents.items():
        (tmp_path / name).write_bytes(content)
    start = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
    assert said_by(start + (tmp_path / "main.py").read_text(), tmp_path) == expected


@pytest.mark.parametrize("files", [*({"main.py": each} for each in (LOGGED, PHASES, TURNS, FOUND)), LOOKED_AT, BEGUN])
def test_tensorflow_1_says_the_same(files: dict[str, str], tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    outcome = migrated(files, tmp_path / "after")
    for name, content in outcome.contents.items():
        (tmp_path / "after" / name).write_bytes(content)
    before = run_legacy(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n" + files["main.py"])
    start = f"import sys\nsys.path.insert(0, {str(tmp_path / 'after')!r})\n"
    assert said_by(start + (tmp_path / "after" / "main.py").read_text(), tmp_path / "after") == before
