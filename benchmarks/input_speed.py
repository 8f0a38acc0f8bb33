"""Input through converted queues against the same queues under TensorFlow 1.15.5: slices, lines, records, own queues.

    python benchmarks/input_speed.py LEGACY_PYTHON

Each program is rewritten twice, for the bridge alone and with the native tier. Then original and results run in turn,
each in a process of its own, and print the processor time and the time that passed for a batch, both without the
first ones. LEGACY_PYTHON (or TF_MIGRATE_LEGACY_PYTHON) is an interpreter with TensorFlow 1.15.5; without it the
original runs as a `tf.compat.v1` graph on this TensorFlow.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 3
HEAD = """\
import os, tempfile, time
import numpy as np
import tensorflow as tf

random = np.random.RandomState(0)
folder = tempfile.mkdtemp()
"""
RUN = """\
sess = tf.Session()
sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
coord = tf.train.Coordinator()
threads = tf.train.start_queue_runners(sess=sess, coord=coord)
for _ in range({warm}):
    sess.run(FETCH)
begin, used = time.perf_counter(), time.process_time()
for _ in range({batches}):
    sess.run(FETCH)
print("seconds", (time.perf_counter() - begin) / {batches}, (time.process_time() - used) / {batches})
coord.request_stop()
coord.join(threads)
"""
WARM, BATCHES = 50, 400
PROGRAMS = {
    "slices, batch": """\
rows, labels = random.rand(5000, 100).astype(np.float32), random.randint(0, 10, 5000)
row, label = tf.train.slice_input_producer([rows, labels], shuffle=False)
x, y = tf.train.batch([row, label], 64)
""",
    "lines of CSV, shuffle_batch": """\
name = os.path.join(folder, "data.csv")
np.savetxt(name, random.rand(2000, 10), delimiter=",")
_, line = tf.TextLineReader().read(tf.train.string_input_producer([name]))
fields = tf.decode_csv(line, [[0.0]] * 10)
x, y = tf.train.shuffle_batch([tf.stack(fields[:9]), fields[9]], 32, capacity=1000, min_after_dequeue=500)
""",
    "TFRecord, parsed, shuffle_batch": """\
name = os.path.join(folder, "data.tfrecord")
with tf.python_io.TFRecordWriter(name) as writer:
    for number in range(1000):
        image = tf.train.Feature(bytes_list=tf.train.BytesList(value=[random.bytes(784)]))
        label = tf.train.Feature(int64_list=tf.train.Int64List(value=[number % 10]))
        example = tf.train.Example(features=tf.train.Features(feature={"image": image, "label": label}))
        writer.write(example.SerializeToString())
_, record = tf.TFRecordReader().read(tf.train.string_input_producer([name]))
kinds = {"image": tf.FixedLenFeature([], tf.string), "label": tf.FixedLenFeature([], tf.int64)}
parsed = tf.parse_single_example(record, kinds)
image = tf.reshape(tf.cast(tf.decode_raw(parsed["image"], tf.uint8), tf.float32) / 255.0, [784])
x, y = tf.train.shuffle_batch([image, parsed["label"]], 32, capacity=1000, min_after_dequeue=500)
""",
    "a FIFOQueue and QueueRunner of one's own": """\
queue = tf.FIFOQueue(500, [tf.float32, tf.int32], shapes=[[100], []])
puts = [queue.enqueue([tf.random_normal([100]), 1])] * 2
tf.train.add_queue_runner(tf.train.QueueRunner(queue, puts))
x, y = queue.dequeue_many(32)
""",
}


def program(body: str) -> str:
    """The whole script: it makes its data, and takes batches."""
    return HEAD + body + RUN.format(warm=WARM, batches=BATCHES).replace("FETCH", "[x, y]")


def rewritten(folder: Path, tier: str) -> tuple[Path, str]:
    """The migrated script, and the tier that its runs came to."""
    result = folder / tier
    command = [sys.executable, "-m", "tf_migrate", "rewrite", str(folder / "source"), "--output", str(result)]
    done = subprocess.run([*command, "--tier", tier], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return result / "program.py", "bridge" if "start_queue_runners" in (result / "program.py").read_text() else "native"


def seconds(python: str, path: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Seconds that passed, and processor seconds, for a batch."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", **environment}
    done = subprocess.run([python, str(path)], env={**os.environ, **quiet}, capture_output=True, text=True, check=True)
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("seconds "))
    passed, used = line.split()[1:]
    return float(passed), float(used)


def sides(folder: Path, body: str, legacy: str | None) -> dict[str, tuple[str, Path, dict[str, str]]]:
    """Name -> interpreter, script and environment of each side."""
    source = folder / "source" / "program.py"
    source.parent.mkdir()
    source.write_text(program(body))
    if legacy:
        found = {"TF 1.15.5": (legacy, source, {"PYTHONPATH": ""})}
    else:
        v1 = folder / "v1.py"
        v1.write_text(program(body).replace("import tensorflow as tf", "import tensorflow.compat.v1 as tf"))
        found = {"compat.v1": (sys.executable, v1, {})}
    here = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    for tier in ("bridge", "native"):
        path, reached = rewritten(folder, tier)
        if reached == tier:
            found[tier] = (sys.executable, path, here)
    return found


def measure(name: str, body: str, legacy: str | None) -> None:
    """Prints one line for each side of a program, with the ratio to the first."""
    with tempfile.TemporaryDirectory() as folder:
        found = sides(Path(folder), body, legacy)
        rounds = [{side: seconds(*how) for side, how in found.items()} for _ in range(ROUNDS)]
    print(name)
    first = next(iter(found))
    for side in found:
        passed, used = (statistics.median(one[side][clock] for one in rounds) * 1e3 for clock in (0, 1))
        text = f"  {side:10s} {passed:7.3f} ms a batch, {used:7.3f} ms of processor time"
        if side != first:
            ratios = [statistics.median(one[side][clock] / one[first][clock] for one in rounds) for clock in (0, 1)]
            text += f"   ratio {ratios[0]:.2f}, processor {ratios[1]:.2f}"
        print(text, flush=True)


if __name__ == "__main__":
    for name, body in PROGRAMS.items():
        measure(name, body, sys.argv[1] if len(sys.argv) > 1 else os.environ.get("TF_MIGRATE_LEGACY_PYTHON"))
