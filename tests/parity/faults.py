"""Twenty small faults planted in a migrated program; `python -m tests.parity.faults` says which are found, and where.

The program is migrated by the tool itself, to either tier; a fault is one change of the migrated text. Each says what
has to be named: the line of the original, or that the data, the initial values or the number of runs differ.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.parity.analysis import analyse
from tf_migrate.parity.judge import Judge
from tf_migrate.parity.legacy import Legacy, find_legacy
from tf_migrate.parity.programs import may_be_sensitive
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Bisection, Result
from tf_migrate.parity.scenario import Pair, Scenario
from tf_migrate.parity.search import search
from tf_migrate.parity.sensitivity import DISTURBED
from tf_migrate.parity.trial import Look, Trial

Tier = Literal["native", "bridge"]
PROGRAM = """\
import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
images = random.rand(40, 8, 8, 1).astype(np.float32)
labels = random.randint(0, 3, 40)
weights = random.rand(40).astype(np.float32)
noise = random.rand(40).astype(np.float32)

x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x")
y = tf.placeholder(tf.int64, [None], name="y")
weight = tf.placeholder(tf.float32, [None], name="weight")
shift = tf.placeholder(tf.float32, [None], name="shift")

resized = tf.image.resize_bilinear(x, [12, 12], align_corners=True)
kernel = tf.Variable(tf.random_uniform([3, 3, 1, 4], -0.4, 0.4), name="kernel")
bias = tf.Variable(0.3 * tf.ones([4]), name="bias")
net = tf.nn.relu(tf.nn.conv2d(resized, kernel, [1, 1, 1, 1], "SAME") + bias)
moving = tf.Variable(tf.zeros([4]), trainable=False, name="moving")
mean, variance = tf.nn.moments(net, [0, 1, 2])
update = tf.assign(moving, 0.9 * moving + 0.1 * mean)
net = tf.nn.batch_normalization(net, mean, variance, None, None, 1e-3)
net = tf.nn.avg_pool(tf.nn.relu(net), [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
flat = tf.reshape(tf.reduce_mean(net, [1, 2]), [-1, 4])
square = tf.Variable(tf.random_normal([4, 4], stddev=0.5), name="middle")
hidden = tf.tanh(tf.matmul(flat, square) + shift[:, None])
hidden = tf.nn.dropout(hidden, keep_prob=0.8)
left = tf.Variable(tf.random_normal([4, 3], stddev=0.5), name="left")
right = tf.Variable(tf.random_normal([4, 3], stddev=0.5), name="right")
logits = tf.matmul(hidden, left) + tf.matmul(tf.square(hidden), right)
smooth = 0.1
targets = tf.one_hot(y, 3) * (1 - smooth) + smooth / 3
losses = tf.nn.softmax_cross_entropy_with_logits(labels=targets, logits=logits)
loss = tf.reduce_mean(losses * weight)
total = tf.reduce_sum(tf.cast(logits, tf.float64) * 1.0000001)
step = tf.Variable(0, trainable=False, name="step")
decay = tf.pow(0.5, tf.floor(tf.cast(step, tf.float32) / 2.0))
optimizer = tf.train.MomentumOptimizer(0.5, 0.9)
objective = loss * decay
pairs = optimizer.compute_gradients(objective)
clipped, _ = tf.clip_by_global_norm([gradient for gradient, _ in pairs], 0.05)
train = optimizer.apply_gradients(zip(clipped, [variable for _, variable in pairs]), global_step=step)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(5):
    a, b = 8 * i, 8 * i + 8
    _, _, value = sess.run(
        [train, update, loss],
        feed_dict={x: images[a:b], y: labels[a:b], weight: weights[a:b], shift: noise[a:b]},
    )
    print("loss %.5f" % value)
print("total", sess.run(total, feed_dict={x: images, shift: noise}))
"""


@dataclass(frozen=True)
class Fault:
    """A change of the migrated text.

    Attributes:
      changes: (old, new), of which at least one has to be found.
      named: what stands in the original's line that has to be named; or "runs", "input" or "initial value".
    """

    changes: tuple[tuple[str, str], ...]
    named: str


def _one(old: str, new: str, named: str) -> Fault:
    return Fault(((old, new),), named)


FAULTS = {
    "wrong padding": _one('3, 1], [1, 1, 1, 1], "SAME")', '3, 1], [1, 1, 1, 1], "VALID")', "avg_pool("),
    "a bias left out": _one('"SAME") + bias)', '"SAME"))', "+ bias)"),
    "epsilon changed": _one("1e-3)", "1e-2)", "batch_normalization("),
    "dropout rate inverted": _one("rate=1 - 0.8", "rate=0.8", "dropout("),
    "momentum off": _one("Optimizer(0.5, 0.9)", "Optimizer(0.5, 0.8)", "apply_gradients("),
    "stale batch norm": _one(
        "batch_normalization(net, mean", "batch_normalization(net, moving", "batch_normalization("
    ),
    "shared weights": _one("tf.square(hidden), right)", "tf.square(hidden), left)", "tf.square(hidden), right)"),
    "wrong reduction": _one("reduce_mean(losses", "reduce_sum(losses", "reduce_mean(losses"),
    "transposed kernel": _one("matmul(flat, square)", "matmul(flat, square, transpose_b=True)", "matmul(flat, square)"),
    "wrong seed": _one("RandomState(0)", "RandomState(1)", "input"),
    "one step more": _one("range(5)", "range(6)", "runs"),
    "off-by-one batch": _one("8 * i + 8", "8 * i + 7", "input"),
    "dtype narrowed": _one("tf.cast(logits, tf.float64)", "tf.cast(logits, tf.float32)", "tf.cast(logits, tf.float64)"),
    "resize alignment": _one("align_corners=True", "align_corners=False", "resize_bilinear("),
    "label smoothing": _one("smooth = 0.1", "smooth = 0.0", "smooth / 3"),
    "gradient not clipped": _one(
        "clipped, _ = tf.clip_by_global_norm(", "clipped, _ = (lambda given, _: (given, None))(", "clip_by_global_norm("
    ),
    "decay off": _one("/ 2.0", "/ 3.0", "/ 2.0"),
    "two feeds swapped": Fault(
        (
            ("weight: weights[a:b], shift: noise[a:b]", "weight: noise[a:b], shift: weights[a:b]"),
            ("weights[a:b], noise[a:b]", "noise[a:b], weights[a:b]"),
        ),
        "input",
    ),
    "initializer changed": _one("stddev=0.5", "stddev=0.4", "initial value"),
    "float64 truncated": _one(
        "tf.cast(logits, tf.float64)",
        "tf.cast(tf.cast(logits, tf.bfloat16), tf.float64)",
        "tf.cast(logits, tf.float64)",
    ),
}


@dataclass(frozen=True)
class Bench:
    """The original, run as it is and with its initial values changed in the last places, and its migrated text.

    The text is run as it is, or with a fault.
    """

    folder: Path
    trial: Trial
    text: str
    original: Record
    disturbed: Record

    def with_fault(self, name: str) -> str:
        """The migrated text with the fault of that name; with none for ""."""
        text = self.text
        changes = FAULTS[name].changes if name else ()
        for old, new in changes:
            text = text.replace(old, new)
        assert bool(name) == (text != self.text), f"nothing of {changes} stands in\n{text}"
        return text

    def compared(self, name: str) -> Result:
        """The comparison with the fault of that name."""
        return self.judged(name)[0]

    def bisected(self, name: str) -> Bisection | str:
        """Where the original and the program with that fault part, or why that cannot be said."""
        return self._searched(*self.judged(name))

    def _searched(self, result: Result, record: Record) -> Bisection | str:
        return search(self.trial, result, self.original, record, lambda text: None)

    def judged(self, name: str) -> tuple[Result, Record]:
        """The comparison with the fault of that name, and what the program with it did."""
        (self.trial.pair.migrated / "train.py").write_text(self.with_fault(name))
        shutil.rmtree(self.folder / "migrated", ignore_errors=True)
        tree = self.folder / "migrated" / "tree"
        shutil.copytree(self.trial.pair.migrated, tree)
        record = self.trial.record("migrated", self.folder)
        roots = (self.trial.pair.legacy, tree)
        judge = Judge(self.original, record, self.trial.analysis, self.trial.scenario, roots, self.trial.legacy)
        result = judge.result("train.py", "cpu")
        if may_be_sensitive(result):
            judge.reconsider(DISTURBED, self.disturbed)
            result = judge.result("train.py", "cpu")
        return result, record

    def blamed(self, name: str) -> str | None:
        """What is wrong with what is said of a fault; None where the right place is named."""
        (result, record), named = self.judged(name), FAULTS[name].named
        if result.verdict.kind not in ("differs", "structure differs"):
            return f"it is not found: {result.verdict.kind}: {result.verdict.message}"
        if named in ("input", "runs"):
            first = result.verdict.message
            right = "the input of" in first if named == "input" else "runs, the migrated program" in first
            return None if right else f"it is said that {first}"
        return misnamed(name, self._searched(result, record))


def misnamed(name: str, found: Bisection | str) -> str | None:
    """What is wrong with the operation that a fault is said to begin at; None where it is the right one."""
    if isinstance(found, str):
        return f"no operation is named: {found}"
    if FAULTS[name].named == "initial value":
        return None if found.operation == "its initial value" else str(found)
    line = PROGRAM.splitlines()[int(found.original.partition(":")[2] or 1) - 1]
    return None if FAULTS[name].named in line else f"{found}: {line}"


def prepare(folder: Path, legacy: Legacy, tier: Tier) -> Bench:
    """Runs the original and migrates it."""
    tree, copy = folder / "original" / "tree", folder / "copy"
    for made in (tree, copy):
        made.mkdir(parents=True)
    script = tree / "train.py"
    script.write_text(PROGRAM)
    outcome = pipeline.run([TreeFile(script, "train.py")], Options(paths=(tree,), tier=tier))
    text = outcome.contents["train.py"].decode()
    (copy / "train.py").write_text(text)
    scenario = Scenario(script="train.py")
    trial = Trial(Pair(tree, copy), scenario, legacy, "train.py", "cpu", analyse(tree, copy))
    original = trial.record("original", folder)
    shutil.copytree(tree, folder / "disturbed" / "original" / "tree")
    disturbed = trial.record("original", folder / "disturbed", Look(disturbed=True))
    return Bench(folder, trial, text, original, disturbed)


def main() -> int:
    wrong = 0
    legacy = find_legacy(Path(__file__).parents[2])
    tiers: tuple[Tier, ...] = ("native", "bridge")
    for tier in tiers:
        with tempfile.TemporaryDirectory() as name:
            bench = prepare(Path(name), legacy, tier)
            good = bench.compared("").verdict
            print(f"{tier}, no fault: {good.kind}: {good.message}")
            wrong += not good.good
            for fault in FAULTS:
                said = bench.blamed(fault)
                wrong += said is not None
                place = FAULTS[fault].named
                print(
                    f"{tier}, {fault}: {'found, and named: ' + place if said is None else 'WRONG: ' + said}", flush=True
                )
    planted = f"{len(FAULTS)} faults planted in {len(tiers)} programs, original in {legacy.name}"
    print(f"{planted}: {wrong} not found, or not well named")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
