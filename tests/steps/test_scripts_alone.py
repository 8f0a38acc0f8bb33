"""Scripts that share modules with others which stay on the bridge: what those do with them is theirs alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.migration import before_and_after, said_by

NETWORK = """\
import tensorflow as tf


def network(x, units=3):
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
        hidden = tf.layers.dense(x, units, tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.3), name="hidden")
        return tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.2), name="out")


def training(loss, rate, on_tpu=False):
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.MomentumOptimizer(rate, 0.9)
    if on_tpu:
        optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
    return optimizer.minimize(loss, global_step=step)
"""

ON_TPU = """\
import tensorflow as tf
import network

flags = tf.flags
flags.DEFINE_bool("use_tpu", False, "whether there is one")


def model_fn(features, labels, mode, params):
    loss = tf.losses.mean_squared_error(labels, network.network(features))
    train = network.training(loss, 0.1, flags.FLAGS.use_tpu)
    return tf.contrib.tpu.TPUEstimatorSpec(mode=mode, loss=loss, train_op=train)


def main(_):
    config = tf.contrib.tpu.RunConfig(model_dir="model")
    estimator = tf.contrib.tpu.TPUEstimator(model_fn, config=config, use_tpu=flags.FLAGS.use_tpu, train_batch_size=4)
    estimator.train(lambda params: tf.data.Dataset.from_tensors(([[1.0]], [[2.0]])), max_steps=1)


if __name__ == "__main__":
    tf.app.run()
"""

FITTED = """\
import numpy as np
import tensorflow as tf
from network import network, training

x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])
loss = tf.losses.mean_squared_error(y, network(x))
train = training(loss, 0.05)
rows = np.linspace(-1, 1, 10).reshape(5, 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.5f" % sess.run([train, loss], {x: rows, y: rows[:, :1]})[1])
    print(sess.run(tf.train.get_global_step()))
"""

SERVED = """\
import tensorflow as tf


class Sums(object):
    def __init__(self, size):
        self.entry = tf.placeholder(tf.float32, [size], name="entry")
        self.total = tf.get_variable("total", [size], initializer=tf.zeros_initializer())
        self.add = tf.assign_add(self.total, self.entry)
        self.mean = self.mean_of(self.total)

    @staticmethod
    def mean_of(values):
        return tf.reduce_mean(values, name="mean")

    def on(self, target, session=tf.Session):
        return session(target)
"""

ON_A_SERVER = """\
import tensorflow as tf
from sums import Sums


def main():
    server = tf.train.Server.create_local_server()
    sums = Sums(2)
    with sums.on(server.target) as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(sums.add, {sums.entry: [1.0, 2.0]}))


if __name__ == "__main__":
    main()
"""

BY_ITSELF = """\
import tensorflow as tf
from sums import Sums


def report(sess, sums):
    total, mean = sess.run([sums.total, sums.mean])
    print(total.tolist(), "%.3f" % mean)


def main():
    sums = Sums(3)
    twice = sums.mean_of(2.0 * sums.entry)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for start in range(3):
            sess.run(sums.add, {sums.entry: [start, 1.0, 2.0]})
        report(sess, sums)
        print(twice.eval({sums.entry: [1.0, 2.0, 3.0]}))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("files", "script", "other"),
    [
        ({"network.py": NETWORK, "on_tpu.py": ON_TPU, "fitted.py": FITTED}, "fitted.py", "on_tpu.py"),
        (
            {"sums.py": SERVED, "on_a_server.py": ON_A_SERVER, "by_itself.py": BY_ITSELF},
            "by_itself.py",
            "on_a_server.py",
        ),
    ],
    ids=["a function with a branch for others", "a class with a method for others"],
)
def test_a_script_by_itself(
    files: dict[str, str], script: str, other: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    outcome, old, new = before_and_after(files, tmp_path)
    tiers = {path: {site.tier for site in outcome.report.sites if site.path == path} for path in files}
    assert tiers[script] == {"native"}
    assert tiers[other] <= {"bridge"}
    assert "Session" not in (new / script).read_text()
    assert said_by((new / script).read_text(), new) == run_legacy(files[script], cwd=old)


AUDIO = """\
import numpy as np
import tensorflow as tf

hparams = tf.contrib.training.HParams(bins=4, rate=2.0)


def scaled(rows):
    return np.asarray(rows) / hparams.rate


def scaled_tensor(rows):
    return rows / hparams.rate
"""

SYNTHESIS = """\
import tensorflow as tf
from audio import hparams, scaled, scaled_tensor


class Synthesizer:
    def load(self, scale):
        self.rows = tf.placeholder(tf.float32, [1, None], "rows")
        self.gain = tf.get_variable("gain", [], initializer=tf.constant_initializer(scale))
        self.out = scaled_tensor(self.rows * self.gain)
        self.session = tf.Session()
        self.session.run(tf.global_variables_initializer())

    def synthesize(self, row):
        return scaled(self.session.run(self.out, {self.rows: [row]}))
"""

SERVER = """\
import argparse
from wsgiref import simple_server
from audio import hparams
from synthesis import Synthesizer


class Resource:
    def on_get(self, row):
        return synthesizer.synthesize(row)


synthesizer = Synthesizer()
started = simple_server.make_server

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=3.0)
    synthesizer.load(parser.parse_args([]).scale)
    print(hparams.bins, Resource().on_get([1.0, 2.0]).tolist())
"""

PREPARATION = """\
import argparse
import functools
from concurrent.futures import ThreadPoolExecutor
from audio import hparams, scaled


def prepared(start, length):
    return scaled(range(start, start + length)).sum()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--length", type=int, default=hparams.bins)
    length = parser.parse_args([]).length
    with ThreadPoolExecutor(max_workers=2) as executor:
        waiting = [executor.submit(functools.partial(prepared, start, length)) for start in range(3)]
    print(["%.1f" % each.result() for each in waiting])


if __name__ == "__main__":
    main()
"""

LISTING = """\
import sys
import audio

for name, value in sorted(audio.hparams.values().items()):
    sys.stdout.write("%s %s\\n" % (name, value))
print(audio.scaled([2.0, 4.0]).tolist())
"""


def test_scripts_that_only_compute_open_no_graph(tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    files = {
        "audio.py": AUDIO,
        "synthesis.py": SYNTHESIS,
        "server.py": SERVER,
        "preparation.py": PREPARATION,
        "listing.py": LISTING,
    }
    outcome, old, new = before_and_after(files, tmp_path)
    assert {site.tier for site in outcome.report.sites} == {"native"}
    assert outcome.contents.keys() == {"audio.py", "synthesis.py"}
    for script in ("server.py", "preparation.py", "listing.py"):
        assert said_by((new / script).read_text(), new) == run_legacy(files[script], cwd=old)
