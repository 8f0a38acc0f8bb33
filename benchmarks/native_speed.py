"""A training step of native code against the session that it replaced: an MLP, a conv net, an LSTM, embeddings, a GAN.

    python benchmarks/native_speed.py

Each program is rewritten, then original and result run in turn, each in a process of its own: the original as a
`tf.compat.v1` graph on this TensorFlow, and in TensorFlow 1.15.5 where `TF_MIGRATE_LEGACY_PYTHON` names its Python.
Prints the time of a step, and the ratio of native code to each. The programs have the sizes of the usual tutorials on
MNIST digits and on words: 100 or 128 examples in a batch, 28 steps of 128 units, 50,000 words of 200 numbers. Calls of
the steps go through `compat.fast_dispatch`; without it a call of a `tf.function` costs some 0.15 ms of Python more than
`Session.run` in TensorFlow 2.21, which shows in steps of a millisecond and no longer in steps of ten. Two processes
that run the same program differ by some 5 %, so that medians of five are compared.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
HEAD = "import time\nimport numpy as np\nimport tensorflow as tf\n\nrandom = np.random.RandomState(0)\n"
RUN = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range({warm}):
    {step}
times = []
for _ in range({calls}):
    begin = time.perf_counter()
    {step}
    times.append(time.perf_counter() - begin)
print("seconds", sorted(times)[len(times) // 2])
"""
LOSS = "loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))\n"
STEP = "_, value = sess.run([train, loss], {x: images, y: labels})"
DATA = "images = random.rand({shape}).astype(np.float32)\nlabels = random.randint(0, 10, {rows}).astype(np.int32)\n"
PROGRAMS = {
    "MLP": (
        DATA.format(shape="100, 784", rows=100)
        + """\
x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.int32, [None])
w1 = tf.Variable(tf.random_normal([784, 256], stddev=0.1))
w2 = tf.Variable(tf.random_normal([256, 256], stddev=0.1))
w3 = tf.Variable(tf.random_normal([256, 10], stddev=0.1))
b1 = tf.Variable(tf.zeros([256]))
b2 = tf.Variable(tf.zeros([256]))
b3 = tf.Variable(tf.zeros([10]))
hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
hidden = tf.nn.relu(tf.matmul(hidden, w2) + b2)
logits = tf.matmul(hidden, w3) + b3
"""
        + LOSS
        + "train = tf.train.AdamOptimizer(0.001).minimize(loss)\n",
        STEP,
        300,
    ),
    "conv net": (
        DATA.format(shape="128, 28, 28, 1", rows=128)
        + """\
x = tf.placeholder(tf.float32, [None, 28, 28, 1])
y = tf.placeholder(tf.int32, [None])
k1 = tf.Variable(tf.random_normal([5, 5, 1, 32], stddev=0.1))
k2 = tf.Variable(tf.random_normal([5, 5, 32, 64], stddev=0.1))
w1 = tf.Variable(tf.random_normal([3136, 1024], stddev=0.01))
w2 = tf.Variable(tf.random_normal([1024, 10], stddev=0.1))
h = tf.nn.max_pool(tf.nn.relu(tf.nn.conv2d(x, k1, [1, 1, 1, 1], "SAME")), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
h = tf.nn.max_pool(tf.nn.relu(tf.nn.conv2d(h, k2, [1, 1, 1, 1], "SAME")), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
h = tf.nn.relu(tf.matmul(tf.reshape(h, [-1, 3136]), w1))
logits = tf.matmul(tf.nn.dropout(h, 0.75), w2)
"""
        + LOSS
        + "train = tf.train.AdamOptimizer(0.001).minimize(loss)\n",
        STEP,
        15,
    ),
    "LSTM": (
        DATA.format(shape="128, 28, 28", rows=128)
        + """\
x = tf.placeholder(tf.float32, [None, 28, 28])
y = tf.placeholder(tf.int32, [None])
kernel = tf.Variable(tf.random_normal([156, 512], stddev=0.1))
bias = tf.Variable(tf.zeros([512]))
w = tf.Variable(tf.random_normal([128, 10], stddev=0.1))


def unrolled(inputs):
    hidden = tf.zeros([tf.shape(inputs)[0], 128])
    state = tf.zeros([tf.shape(inputs)[0], 128])
    for row in tf.unstack(inputs, 28, 1):
        i, j, f, o = tf.split(tf.matmul(tf.concat([row, hidden], 1), kernel) + bias, 4, axis=1)
        state = state * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        hidden = tf.tanh(state) * tf.sigmoid(o)
    return hidden


logits = tf.matmul(unrolled(x), w)
"""
        + LOSS
        + "train = tf.train.GradientDescentOptimizer(0.001).minimize(loss)\n",
        STEP,
        60,
    ),
    "embeddings": (
        """\
images = random.randint(0, 50000, 128).astype(np.int32)
labels = random.randint(0, 50000, (128, 1)).astype(np.int32)
x = tf.placeholder(tf.int32, [None])
y = tf.placeholder(tf.int32, [None, 1])
table = tf.Variable(tf.random_uniform([50000, 200], -1.0, 1.0))
weights = tf.Variable(tf.truncated_normal([50000, 200], stddev=0.1))
biases = tf.Variable(tf.zeros([50000]))
vectors = tf.nn.embedding_lookup(table, x)
loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, y, vectors, num_sampled=64, num_classes=50000))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
""",
        STEP,
        200,
    ),
    "GAN": (
        """\
noise = random.rand(128, 100).astype(np.float32)
images = random.rand(128, 784).astype(np.float32)
z = tf.placeholder(tf.float32, [None, 100])
x = tf.placeholder(tf.float32, [None, 784])
g1 = tf.Variable(tf.random_normal([100, 256], stddev=0.1))
g2 = tf.Variable(tf.random_normal([256, 784], stddev=0.1))
d1 = tf.Variable(tf.random_normal([784, 256], stddev=0.1))
d2 = tf.Variable(tf.random_normal([256, 1], stddev=0.1))


def discriminate(images):
    return tf.sigmoid(tf.matmul(tf.nn.relu(tf.matmul(images, d1)), d2))


made = tf.sigmoid(tf.matmul(tf.nn.relu(tf.matmul(z, g1)), g2))
real = discriminate(x)
fake = discriminate(made)
d_loss = -tf.reduce_mean(tf.log(real + 1e-8) + tf.log(1.0 - fake + 1e-8))
g_loss = -tf.reduce_mean(tf.log(fake + 1e-8))
d_train = tf.train.AdamOptimizer(0.0002).minimize(d_loss, var_list=[d1, d2])
g_train = tf.train.AdamOptimizer(0.0002).minimize(g_loss, var_list=[g1, g2])
""",
        "_, _, d_value, g_value = sess.run([d_train, g_train, d_loss, g_loss], {x: images, z: noise})",
        150,
    ),
}


def program(name: str) -> str:
    """The whole TensorFlow 1 source of one program."""
    graph, step, calls = PROGRAMS[name]
    return HEAD + graph + RUN.format(step=step, warm=max(3, calls // 10), calls=calls)


def seconds(python: str, script: Path) -> float:
    """The median time of a step, as the script prints it."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[1]) if python == sys.executable else ""
    done = subprocess.run(
        [python, str(script)], capture_output=True, text=True, check=True, env=environment, cwd=script.parent
    )
    return float(done.stdout.split("seconds")[-1])


def rewritten(folder: Path) -> None:
    """Rewrites the originals in `folder/legacy` into `folder/native`; every run has to become native."""
    command = [
        sys.executable,
        "-m",
        "tf_migrate",
        "rewrite",
        str(folder / "legacy"),
        "--output",
        str(folder / "native"),
    ]
    subprocess.run([*command, "--quiet"], check=True, cwd=Path(__file__).parents[1])
    for script in (folder / "native").iterdir():
        text = script.read_text(encoding="utf-8")
        if "Session" in text:
            raise SystemExit(f"{script.name} did not become native: tf-migrate check tells why")


def main() -> None:
    """Prints one line a program."""
    legacy = os.environ.get("TF_MIGRATE_LEGACY_PYTHON")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "legacy").mkdir()
        (folder / "graph").mkdir()
        for name in PROGRAMS:
            (folder / "legacy" / f"{name.replace(' ', '_')}.py").write_text(program(name), encoding="utf-8")
            graph = program(name).replace("import tensorflow as tf", "import tensorflow.compat.v1 as tf")
            graph = graph.replace("random = ", "tf.disable_eager_execution()\nrandom = ", 1)
            (folder / "graph" / f"{name.replace(' ', '_')}.py").write_text(graph, encoding="utf-8")
        rewritten(folder)
        for name in PROGRAMS:
            _compare(name, folder, legacy)


def _compare(name: str, folder: Path, legacy: str | None) -> None:
    script = f"{name.replace(' ', '_')}.py"
    sides = {"native": (sys.executable, "native"), "session": (sys.executable, "graph")}
    if legacy:
        sides["TF 1.15.5"] = (legacy, "legacy")
    taken: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(ROUNDS):
        for side, (python, place) in sides.items():
            taken[side].append(seconds(python, folder / place / script))
    times = {side: statistics.median(values) * 1e3 for side, values in taken.items()}
    ratios = "   ".join(
        f"{side} {value:8.3f} ms (ratio {times['native'] / value:.2f})"
        for side, value in times.items()
        if side != "native"
    )
    print(f"{name:<12} native {times['native']:8.3f} ms   {ratios}", flush=True)


if __name__ == "__main__":
    main()
