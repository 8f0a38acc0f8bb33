"""Twenty small faults planted in a migrated program; `python -m tests.parity.faults` says which are found.

The program is migrated by the tool itself; a fault is one change of the migrated text.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.parity.analysis import Analysis, analyse
from tf_migrate.parity.judge import Judge
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.programs import compare_programs, record_program
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Bisection, Result
from tf_migrate.parity.scenario import Pair, Scenario

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
kernel = tf.get_variable("kernel", [3, 3, 1, 4], initializer=tf.glorot_uniform_initializer())
bias = tf.get_variable("bias", [4], initializer=tf.constant_initializer(0.3))
net = tf.nn.relu(tf.nn.conv2d(resized, kernel, [1, 1, 1, 1], "SAME") + bias)
moving = tf.get_variable("moving", [4], initializer=tf.zeros_initializer(), trainable=False)
mean, variance = tf.nn.moments(net, [0, 1, 2])
update = tf.assign(moving, 0.9 * moving + 0.1 * mean)
net = tf.nn.batch_normalization(net, mean, variance, None, None, 1e-3)
net = tf.nn.avg_pool(tf.nn.relu(net), [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
flat = tf.reshape(tf.reduce_mean(net, [1, 2]), [-1, 4])
start = tf.random_normal_initializer(stddev=0.5)
square = tf.get_variable("square", [4, 4], initializer=start)
hidden = tf.tanh(tf.matmul(flat, square) + shift[:, None])
hidden = tf.nn.dropout(hidden, keep_prob=0.8)
left = tf.get_variable("left", [4, 3], initializer=start)
right = tf.get_variable("right", [4, 3], initializer=start)
logits = tf.matmul(hidden, left) + tf.matmul(tf.square(hidden), right)
smooth = 0.1
targets = tf.one_hot(y, 3) * (1 - smooth) + smooth / 3
losses = tf.nn.softmax_cross_entropy_with_logits(labels=targets, logits=logits)
loss = tf.reduce_mean(losses * weight)
total = tf.reduce_sum(tf.cast(logits, tf.float64) * 1.0000001)
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.5, step, 2, 0.5, staircase=True)
optimizer = tf.train.MomentumOptimizer(rate, 0.9)
pairs = optimizer.compute_gradients(loss)
clipped, _ = tf.clip_by_global_norm([gradient for gradient, _ in pairs], 0.05)
with tf.control_dependencies([update]):
    train = optimizer.apply_gradients(zip(clipped, [variable for _, variable in pairs]), global_step=step)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(5):
    batch = slice(8 * i, 8 * i + 8)
    feed = {x: images[batch], y: labels[batch], weight: weights[batch], shift: noise[batch]}
    _, value = sess.run([train, loss], feed)
    print("loss %.5f" % value)
print("total", sess.run(total, feed))
"""

FAULTS = {
    "wrong padding": ('3, 1], [1, 1, 1, 1], "SAME")', '3, 1], [1, 1, 1, 1], "VALID")'),
    "a bias left out": ('"SAME") + bias)', '"SAME"))'),
    "epsilon changed": ("1e-3)", "1e-2)"),
    "dropout rate inverted": ("rate=1 - 0.8", "rate=0.8"),
    "momentum off": ("(rate, 0.9)", "(rate, 0.8)"),
    "stale batch norm": ("batch_normalization(net, mean", "batch_normalization(net, moving"),
    "shared weights": ("tf.square(hidden), right)", "tf.square(hidden), left)"),
    "wrong reduction": ("reduce_mean(losses", "reduce_sum(losses"),
    "transposed kernel": ("matmul(flat, square)", "matmul(flat, square, transpose_b=True)"),
    "wrong seed": ("RandomState(0)", "RandomState(1)"),
    "one step more": ("range(5)", "range(6)"),
    "off-by-one batch": ("8 * i + 8)", "8 * i + 7)"),
    "dtype narrowed": ("tf.cast(logits, tf.float64)", "tf.cast(logits, tf.float32)"),
    "resize alignment": ("align_corners=True", "align_corners=False"),
    "label smoothing": ("smooth = 0.1", "smooth = 0.0"),
    "gradient not clipped": ("clipped, _ = tf.clip_by_global_norm(", "clipped, _ = (lambda given, _: (given, None))("),
    "decay off": ("staircase=True", "staircase=False"),
    "two feeds swapped": ("weights[batch], shift: noise[batch]", "noise[batch], shift: weights[batch]"),
    "initializer changed": ("stddev=0.5", "stddev=0.4"),
    "float64 truncated": ("tf.cast(logits, tf.float64)", "tf.cast(tf.cast(logits, tf.bfloat16), tf.float64)"),
}


@dataclass(frozen=True)
class Bench:
    """The original, run once, and its migrated text, to be run as it is or with a fault."""

    folder: Path
    pair: Pair
    text: str
    analysis: Analysis
    original: Record

    def with_fault(self, name: str) -> str:
        """The migrated text with the fault of that name; with none for ""."""
        text = self.text
        if name:
            old, new = FAULTS[name]
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in\n{text}"
            text = text.replace(old, new)
        return text

    def bisected(self, name: str) -> Bisection | None:
        """Where the original and the program with that fault part, both run from the beginning."""
        (self.pair.migrated / "train.py").write_text(self.with_fault(name))
        scenario = Scenario(script="train.py", bisect=True)
        (result,) = compare_programs(self.pair, scenario, Legacy(None))
        return result.bisection

    def migrated(self, name: str) -> Result:
        """The comparison with the fault of that name."""
        text = self.with_fault(name)
        shutil.rmtree(self.folder / "migrated", ignore_errors=True)
        tree = self.folder / "migrated" / "tree"
        tree.mkdir(parents=True)
        (tree / "train.py").write_text(text)
        scenario = Scenario(script="train.py")
        record = record_program(
            self.pair, scenario, Legacy(None), "train.py", "cpu", "migrated", self.folder, self.analysis
        )
        roots = (self.folder / "original" / "tree", tree)
        return Judge(self.original, record, self.analysis, scenario, roots).result("train.py", "cpu", "v1")


def prepare(folder: Path, legacy: Legacy) -> Bench:
    """Runs the original and migrates it."""
    tree = folder / "original" / "tree"
    tree.mkdir(parents=True)
    script = tree / "train.py"
    script.write_text(PROGRAM)
    outcome = pipeline.run([TreeFile(script, "train.py")], Options(paths=(tree,)))
    text = outcome.contents["train.py"].decode()
    copy = folder / "copy"
    copy.mkdir()
    (copy / "train.py").write_text(text)
    analysis = analyse(tree, copy)
    pair = Pair(tree, copy)
    original = record_program(
        pair, Scenario(script="train.py"), legacy, "train.py", "cpu", "original", folder, analysis
    )
    return Bench(folder, pair, text, analysis, original)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        bench = prepare(Path(name), Legacy(None))
        missed = 0
        for fault in ("", *FAULTS):
            verdict = bench.migrated(fault).verdict
            wrong = verdict.good == bool(fault)
            missed += wrong
            print(f"{'WRONG ' if wrong else ''}{fault or 'no fault'}: {verdict.kind}: {verdict.message}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
