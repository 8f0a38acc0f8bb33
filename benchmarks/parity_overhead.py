"""What a comparison costs: `tf-migrate parity` against the two programs run alone, as a ratio in one run.

    python benchmarks/parity_overhead.py [STEPS]

The program trains a network for STEPS steps (2,000 by default); originals run in TF 1.15.5 where it is found.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options
from tf_migrate.parity.legacy import find_legacy
from tf_migrate.parity.programs import compare_programs
from tf_migrate.parity.scenario import Pair, Scenario

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = """\
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 64])
y = tf.placeholder(tf.int64, [None])
w = tf.Variable(tf.random_normal([64, 128], stddev=0.1))
v = tf.Variable(tf.random_normal([128, 10], stddev=0.1))
logits = tf.matmul(tf.nn.relu(tf.matmul(x, w)), v)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.AdamOptimizer().minimize(loss)
random = np.random.RandomState(0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(STEPS):
        _, value = sess.run([train, loss], {x: random.rand(256, 64), y: random.randint(0, 10, 256)})
    print("loss", value)
"""
AS_V1 = (
    "import sys, runpy, tensorflow.compat.v1 as tf; tf.disable_v2_behavior(); sys.modules['tensorflow'] = tf; "
    "runpy.run_path('train.py', run_name='__main__')"
)


def seconds(command: list[str], folder: Path) -> float:
    """How long a command takes, start of the interpreter included."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": str(ROOT)}
    environment["TF_ENABLE_ONEDNN_OPTS"] = "0"
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    steps = sys.argv[1] if len(sys.argv) > 1 else "2000"
    legacy = find_legacy(ROOT)
    with tempfile.TemporaryDirectory() as name:
        original, migrated = Path(name) / "original", Path(name) / "migrated"
        for tree in (original, migrated):
            tree.mkdir()
        script = original / "train.py"
        script.write_text(PROGRAM.replace("STEPS", steps))
        outcome = pipeline.run([TreeFile(script, "train.py")], Options(paths=(original,)))
        (migrated / "train.py").write_bytes(outcome.contents["train.py"])
        alone = ["train.py"] if legacy.python else ["-c", AS_V1]
        two = seconds([legacy.executable, *alone], original) + seconds([sys.executable, "train.py"], migrated)
        start = time.perf_counter()
        (result,) = compare_programs(Pair(original, migrated), Scenario(script="train.py"), legacy)
        compared = time.perf_counter() - start
    print(f"original in {legacy.name}, {steps} steps: {result.verdict.kind}, {result.values} values compared")
    print(f"both alone {two:.1f} s   compared {compared:.1f} s   ratio {compared / two:.2f}")


if __name__ == "__main__":
    main()
