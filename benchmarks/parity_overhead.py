"""What a comparison costs: `tf-migrate parity` against the two programs run alone, as a ratio of CPU time.

    python -m benchmarks.parity_overhead [--rounds N] [--steps N] [--match TEXT]

Each round runs the original alone, the migrated program alone and both compared, one behind the other, so that what
else the machine does falls on all three; the median of the rounds counts. CPU time holds all processes and their
threads, and of the comparison its own work too. Originals run in TF 1.15.5 where it is found.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.parity.legacy import Legacy, find_legacy
from tf_migrate.parity.programs import compare_programs
from tf_migrate.parity.result import Result
from tf_migrate.parity.scenario import Pair, Scenario

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 1.5
HEAD = """\
import numpy as np
import tensorflow as tf
random = np.random.RandomState(0)
y = tf.placeholder(tf.int64, [None])
"""
TAIL = """\
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range({steps}):
        _, value = sess.run([train, loss], {{x: random.rand(*SIZE), y: random.randint(0, 10, SIZE[0])}})
    print("loss", value)
"""
DENSE = """\
SIZE = (256, 64)
x = tf.placeholder(tf.float32, [None, 64])
w = tf.Variable(tf.random_normal([64, 128], stddev=0.1))
v = tf.Variable(tf.random_normal([128, 10], stddev=0.1))
logits = tf.matmul(tf.nn.relu(tf.matmul(x, w)), v)
"""
CONVOLUTIONS = """\
SIZE = (32, 28, 28, 1)
x = tf.placeholder(tf.float32, [None, 28, 28, 1])
net = tf.layers.conv2d(x, 16, 5, activation=tf.nn.relu)
net = tf.layers.max_pooling2d(net, 2, 2)
net = tf.layers.dense(tf.layers.flatten(net), 64, activation=tf.nn.relu)
logits = tf.layers.dense(tf.nn.dropout(net, keep_prob=0.5), 10)
"""
RECURRENT = """\
SIZE = (32, 20, 8)
x = tf.placeholder(tf.float32, [None, 20, 8])
_, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(32), x, dtype=tf.float32)
logits = tf.layers.dense(state.h, 10)
"""


class Program(NamedTuple):
    """One to measure: its model, what tier it is migrated to, and how many steps of it make a run of some length."""

    model: str
    tier: str
    steps: int


PROGRAMS = {
    "a dense network, native": Program(DENSE, "native", 4000),
    "a dense network on the bridge": Program(DENSE, "bridge", 4000),
    "convolutions and dropout": Program(CONVOLUTIONS, "native", 300),
    "a recurrent network": Program(RECURRENT, "native", 100),
}
AS_V1 = (
    "import sys, runpy, tensorflow.compat.v1 as tf; tf.disable_v2_behavior(); sys.modules['tensorflow'] = tf; "
    "runpy.run_path('train.py', run_name='__main__')"
)


def processor_seconds() -> float:
    """CPU time of this process and of all children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in used)


def cost(call: Callable[[], object]) -> tuple[float, float]:
    """CPU and elapsed seconds of a call."""
    start, began = processor_seconds(), time.perf_counter()
    call()
    return processor_seconds() - start, time.perf_counter() - began


def alone(command: list[str], folder: Path) -> None:
    """Runs a program as by hand."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": str(ROOT)}
    environment["TF_ENABLE_ONEDNN_OPTS"] = "0"
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)


def prepared(program: Program, steps: int, folder: Path) -> Pair:
    """Both trees, the migrated one made by the tool."""
    pair = Pair(folder / "original", folder / "migrated")
    for tree in (pair.legacy, pair.migrated):
        tree.mkdir()
    script = pair.legacy / "train.py"
    script.write_text(HEAD + program.model + TAIL.format(steps=steps))
    options = Options(paths=(pair.legacy,), tier="bridge" if program.tier == "bridge" else "native")
    outcome = pipeline.run([TreeFile(script, "train.py")], options)
    assert {site.tier for site in outcome.report.sites} == {program.tier}
    (pair.migrated / "train.py").write_bytes(outcome.contents["train.py"])
    return pair


def measured(name: str, pair: Pair, legacy: Legacy, rounds: int) -> float:
    """The median ratio of one program; prints its line."""
    own = ["train.py"] if legacy.python else ["-c", AS_V1]
    results: list[Result] = []
    ratios, walls = [], []
    for _ in range(rounds):
        costs = [
            cost(lambda: alone([legacy.executable, *own], pair.legacy)),
            cost(lambda: alone([sys.executable, "train.py"], pair.migrated)),
            cost(lambda: results.extend(compare_programs(pair, Scenario(script="train.py"), legacy))),
        ]
        ratios.append(costs[2][0] / (costs[0][0] + costs[1][0]))
        walls.append(costs[2][1] / (costs[0][1] + costs[1][1]))
    assert all(result.verdict.good for result in results), results[-1].verdict
    ratio = statistics.median(ratios)
    told = (
        f"CPU time {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f}), elapsed {statistics.median(walls):.2f} times"
    )
    two = f"{costs[0][0] + costs[1][0]:.1f} s alone"
    print(f"{name}: {told}; {two}; {results[-1].values} values compared in {legacy.name}", flush=True)
    return ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, help="in place of each program's own number")
    parser.add_argument("--match", default="")
    asked = parser.parse_args()
    legacy = find_legacy(ROOT)
    worst = 0.0
    for name, program in PROGRAMS.items():
        if asked.match in name:
            with tempfile.TemporaryDirectory() as folder:
                pair = prepared(program, asked.steps or program.steps, Path(folder))
                worst = max(worst, measured(name, pair, legacy, asked.rounds))
    print(f"at most {worst:.2f} times the two runs alone; {LIMIT} is allowed")
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
