"""Lists that make no array any more: numbers beside arrays of one element, where episodes of a network end, and rows
that differ in shape, such as sentences and their labels.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine import migrated
from tests.native.native import printed, rewritten
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import run

# What TensorFlow 1.15.5 prints with NumPy 1.18.
CRITIC = """\
import numpy as np
import tensorflow as tf


class Critic:
    def __init__(self, sess):
        self.sess = sess
        self.state = tf.placeholder(tf.float32, [None, 2])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        self.q = tf.matmul(self.state, self.w)
        self.loss = tf.reduce_mean(tf.square(self.q - self.y))
        self.train_op = tf.train.GradientDescentOptimizer(0.1).minimize(self.loss)

    def value(self, state):
        return self.sess.run(self.q, {self.state: state})

    def train(self, y, state):
        return self.sess.run([self.loss, self.train_op], {self.y: y, self.state: state})[0]


def learn(critic, states, rewards, done):
    later = critic.value(states)
    targets = []
    for i in range(len(states)):
        if done[i]:
            targets.append(rewards[i])
        else:
            targets.append(rewards[i] + 0.5 * later[i])
    return critic.train(np.resize(targets, [len(states), 1]), states)


with tf.Session() as sess:
    critic = Critic(sess)
    sess.run(tf.global_variables_initializer())
    for done in ([True, False, False], [False, False, False], [True, True, True]):
        states = np.array([[1.0, 2.0], [0.5, 1.5], [3.0, 1.0]])
        print("%.4f" % learn(critic, states, np.array([1.0, 2.0, 0.25]), done))
"""
SCRIPT = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
target = tf.placeholder(tf.float32, [None])
column = tf.reduce_sum(x, axis=1, keepdims=True)
error = tf.reduce_sum(tf.abs(column[:, 0] - target))
rewards, ends = [1.0, 0.5], [True, False]
with tf.Session() as sess:
    values = sess.run(column, {x: np.eye(3)[:2]})
    wanted = np.array([reward if end else reward - 2.0 * value for reward, end, value in zip(rewards, ends, values)])
    print(sess.run(error, {x: np.eye(3)[:2], target: wanted}))
"""


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize(
    ("program", "shown"), [(CRITIC, "2.6875\n0.8756\n1.4836\n"), (SCRIPT, "2.5\n")], ids=["critic", "script"]
)
def test_targets_are_numbers(program: str, shown: str, tier: str) -> None:
    result = rewritten(program, tier=tier)
    assert printed(result.text) == shown
    assert [finding.rule for finding in result.findings].count("TFM150") == 1


def test_lists_of_one_kind_stay() -> None:
    program = CRITIC.replace("0.5 * later[i])", "0.5 * np.max(later[i]))")
    assert "TFM150" not in {finding.rule for finding in rewritten(program).findings}


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("np.array(list(zip(x, y)))", True),
        ("np.asarray(list(zip(x, y, x)))", True),
        ("np.random.permutation(list(zip(x, y)))", True),
        ("np.array(list(zip(x, y)), dtype=object)", False),
        ("np.array(list(zip(x)))", False),
        ("np.array(list(zip([1, 2], range(2))))", False),
        ("np.array(list(map(x, y)))", False),
        ("np.array([[1, 2], [3], [4, 5, 6]])", True),
        ("np.array([([1.0, 2.0], 0), ([3.0, 4.0], 1)])", True),
        ("np.array([[1, 2], [-3, 4]]), np.array([[1, 2], x, *y]), np.array([[], []])", False),
        ("np.array([[1, 2], [3]], dtype=object)", False),
        ("np.array([line.split() for line in x])", True),
        ("np.array([[int(word) for word in line] for line in x])", True),
        ("np.array([[x * i for i in range(3)] for line in y])", False),
        ("np.array([(row, len(row)) for row in x])", True),
        ("np.array([(row[0], row[1]) for row in x])", False),
        ("np.array(x), np.array([x]), np.array([x, y]), np.array(5)", False),
    ],
)
def test_rows_that_may_differ_in_shape(line: str, changed: bool) -> None:
    head = "import numpy as np\nimport tensorflow as tf\n\nsize = tf.placeholder(tf.float32)\n"
    result = migrated(f"{head}\n\ndef f(x, y):\n    return {line}\n")
    assert ("compat.rows(" in result.text) == changed
    assert [finding.action for finding in result.findings if finding.rule == "TFM150"] == ["rewritten"] * changed
    told = migrated(f"import numpy as np\n\n\ndef f(x, y):\n    return {line}\n").findings  # of whatever TensorFlow
    assert [(finding.rule, finding.action) for finding in told] == [("TFM150", "manual")] * changed


def function(first: str, second: str) -> str:
    """Calls of one function with two lists."""
    return f"""\
import numpy as np
import tensorflow as tf

size = tf.placeholder(tf.float32)


def table(rows):
    return np.array(rows)


print(table({first}), table({second}))
"""


def memory(first: str, second: str) -> str:
    """An attribute that is one of two lists."""
    return f"""\
import numpy as np
import tensorflow as tf

size = tf.placeholder(tf.float32)


class Memory:
    def __init__(self, flat):
        if flat:
            self.rows = {first}
        else:
            self.rows = {second}

    def batch(self):
        return np.array(self.rows)
"""


@pytest.mark.parametrize("program", [function, memory])
@pytest.mark.parametrize(
    ("first", "second", "uneven"),
    [
        ("[1, 2, 3]", "[[1, 2], [3, 4]]", False),
        ("[]", "[[0, 0], [0, 0]]", False),
        ("[1, 2, 3]", "[[1, 2], [3]]", True),
        ("[[0], [0, 0]]", "[]", True),
    ],
)
def test_each_list_is_looked_at_by_itself(
    program: Callable[[str, str], str], first: str, second: str, uneven: bool
) -> None:
    result = migrated(program(first, second))
    assert ("compat.rows(" in result.text) == uneven
    assert [finding.rule for finding in result.findings].count("TFM150") == uneven


# What TensorFlow 1.15.5 prints with NumPy 1.18, of these two.
HELPERS = """\
import numpy as np


def batches(data, size):
    data = np.array(data)
    order = np.arange(len(data))[::-1]
    for start in range(0, len(data), size):
        yield data[order][start : start + size]
"""
CLASSIFIER = """\
import numpy as np
import tensorflow as tf
import helpers

sentences, labels = np.array([[1, 2, 0], [3, 0, 0], [2, 2, 1]]), np.array([[1, 0], [0, 1], [1, 0]])
x = tf.placeholder(tf.int32, [None, 3])
y = tf.placeholder(tf.float32, [None, 2])
table = tf.Variable([[0.0, 0.0], [0.5, -0.5], [1.0, 0.25], [-1.0, 1.0]])
scores = tf.reduce_sum(tf.nn.embedding_lookup(table, x), 1)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=scores, labels=y))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(2):
        for batch in helpers.batches(list(zip(sentences, labels)), 2):
            words, kinds = zip(*batch)
            print("%.4f" % sess.run([loss, train], {x: words, y: kinds})[0])
"""
IN_STEPS = """\
import numpy as np
import tensorflow as tf
import helpers


class Model(object):
    def __init__(self):
        self.x = tf.placeholder(tf.int32, [None, 3])
        self.y = tf.placeholder(tf.float32, [None, 2])
        tables = [tf.Variable([[0.0, 0.0], [0.5, -0.5], [1.0, 0.25], [-1.0, 1.0]])]
        scores = tf.reduce_sum(tf.nn.embedding_lookup(tables[-1], self.x), 1)
        self.loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=scores, labels=self.y))
        self.train = tf.train.GradientDescentOptimizer(0.5).minimize(self.loss)


def main(rows):
    with tf.Graph().as_default(), tf.Session() as sess:
        model = Model()
        sess.run(tf.global_variables_initializer())
        for epoch in range(2):
            for batch in helpers.batches(rows, 2):
                words, kinds = zip(*batch)
                print("%.4f" % sess.run([model.loss, model.train], {model.x: words, model.y: kinds})[0])


main(list(zip([[1, 2, 0], [3, 0, 0], [2, 2, 1]], [[1, 0], [0, 1], [1, 0]])))
"""
MEMORY = """\
import random

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.memory = []
        self.state = tf.placeholder(tf.float32, [None, 2])
        self.w = tf.Variable([[1.0], [2.0]])
        self.q = tf.matmul(self.state, self.w)
        self.session = tf.Session()
        self.session.run(tf.global_variables_initializer())

    def remember(self, state, action, reward, done):
        self.memory.append((state, action, reward, done))

    def replay(self, size):
        batch = np.array(random.sample(self.memory, size))
        states = np.vstack(batch[:, 0])
        rewards = batch[:, 2] + 0.5 * (1 - batch[:, 3].astype(np.int32))
        return self.session.run(self.q, {self.state: states})[:, 0] + rewards


agent = Agent()
for step in range(4):
    agent.remember(np.array([[step, 1.0]]), step % 2, 0.5, step == 3)
print(sorted("%.3f" % value for value in agent.replay(4)))
"""
PRINTED = "0.1029\n0.1610\n0.0847\n0.1119\n", "['3.000', '4.000', '5.000', '5.500']\n"


@pytest.mark.parametrize("tier", ["native", "bridge"])
def test_rows_of_a_memory(tier: str) -> None:
    result = rewritten(MEMORY, tier=tier)
    assert "np.array(compat.rows(random.sample(self.memory, size)))" in result.text
    assert printed(result.text) == PRINTED[1]


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize("program", [CLASSIFIER, IN_STEPS], ids=["a script", "a model in steps"])
def test_rows_that_a_function_of_the_tree_makes_an_array_of(program: str, tier: str, tmp_path: Path) -> None:
    """The loop over batches of TF1's text classifiers: rows of a sentence and its label."""
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "train.py").write_text(program)
    options = Options(paths=(tmp_path,), jobs=1, tier=tier)  # type: ignore[arg-type]
    outcome = run(discover(options).code, options)
    findings = [(found.path, found.line) for found in outcome.report.findings if found.rule == "TFM150"]
    assert findings == [("helpers.py", 5)]
    helpers = outcome.contents["helpers.py"].decode()
    assert "    data = np.array(compat.rows(data))\n" in helpers
    inside = helpers.partition("def batches")[2]
    text = outcome.contents["train.py"].decode().replace("helpers.batches", "batches").replace("import helpers\n", "")
    assert printed(f"import compat\nimport numpy as np\n\n\ndef batches{inside}\n\n{text}") == PRINTED[0]


def test_text_printed_by_tensorflow_1(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text(HELPERS)
    assert (run_legacy(CLASSIFIER, cwd=tmp_path), run_legacy(MEMORY)) == PRINTED
    assert run_legacy(IN_STEPS, cwd=tmp_path) == PRINTED[0]


def test_calls_through_a_module_are_calls(tmp_path: Path) -> None:
    """Of two calls of one function, one through its module's name: both say what it is given."""
    (tmp_path / "helpers.py").write_text(HELPERS)
    train = "import numpy as np\nimport tensorflow as tf\nimport helpers\nfrom helpers import batches\n\n"
    train += "x = tf.placeholder(tf.float32)\nplain = list(batches([1, 2], 1))\n"
    for line, changed in (("helpers.batches([3, 4], 1)", 0), ("helpers.batches(list(zip(plain, [3])), 1)", 1)):
        (tmp_path / "train.py").write_text(f"{train}{line}\n")
        options = Options(paths=(tmp_path,), jobs=1)
        found = run(discover(options).code, options).report.findings
        assert [finding.rule for finding in found].count("TFM150") == changed
