"""Arrays that come one by one are put together as a list: by generators, `map`, `zip`, and views of dictionaries."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine import becomes, migrated, unchanged
from tests.native.native import printed, rewritten


def body(line: str) -> str:
    return f"import numpy as np\n\ndef f(x, y):\n    return {line}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.vstack(map(x, y))", "np.vstack(list(map(x, y)))"),
        ("np.hstack(x(each) for each in y)", "np.hstack([x(each) for each in y])"),
        ("np.stack((x(each) for each in y), axis=1)", "np.stack([x(each) for each in y], axis=1)"),
        ("np.column_stack(zip(x, y))", "np.column_stack(list(zip(x, y)))"),
        ("np.dstack(x.values()).sum()", "np.dstack(list(x.values())).sum()"),
        ("np.sum(each * 2 for each in x) + 1", "sum(each * 2 for each in x) + 1"),
    ],
)
def test_iterators_become_lists(before: str, after: str) -> None:
    becomes(body(before), body(after))


@pytest.mark.parametrize(
    "line",
    [
        "np.vstack([x, y]), np.hstack(x), np.stack(list(map(x, y))), np.sum([each for each in x])",
        "np.concatenate(x), np.sum(x, axis=0), np.vstack(x.values), np.stack(tuple(x.values()))",
        "np.stack(zip(x, y))  # tf-migrate: skip",
    ],
)
def test_other_stacks_stay(line: str) -> None:
    unchanged(body(line))


def test_a_module_with_a_sum_of_its_own() -> None:
    found = migrated(body("np.sum(each for each in x)") + "\n\ndef sum(rows):\n    return rows\n").findings
    assert [(finding.rule, finding.action) for finding in found] == [("TFM151", "manual")]


# What TensorFlow 1.15.5 prints with NumPy 1.18.
PROGRAMS = {
    "runs of batches": """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
y = x * 2.0
with tf.Session() as sess:
    def run(batch):
        return sess.run(y, {x: batch})
    batches = [np.ones([2, 2]) * i for i in range(3)]
    found = map(run, batches)
    print(np.vstack(found).shape, np.sum(run(each).sum() for each in batches))
""",
    "a generator of an object": """\
import numpy as np
import tensorflow as tf


class Net:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [2])
        self.out = {"a": self.x + 1.0, "b": self.x * 3.0}
        self.sess = tf.Session()

    def each(self, rows):
        for row in rows:
            yield self.sess.run(self.out, {self.x: row})["b"]

    def all(self, rows):
        return np.stack(self.each(rows), axis=1)


net = Net()
print(net.all([[1.0, 2.0], [3.0, 4.0]]).tolist())
print(np.hstack({"a": [1], "b": [2, 3]}.values()))
""",
}
PRINTED = {"runs of batches": "(6, 2) 24.0\n", "a generator of an object": "[[3.0, 9.0], [6.0, 12.0]]\n[1 2 3]\n"}


@pytest.mark.parametrize("tier", ["native", "bridge"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, tier: str) -> None:
    assert printed(rewritten(PROGRAMS[name], tier=tier).text) == PRINTED[name]


def test_what_tensorflow_1_printed(run_legacy: Callable[..., str], tmp_path: Path) -> None:
    assert json.dumps({name: run_legacy(text) for name, text in PROGRAMS.items()}) == json.dumps(PRINTED)
