"""A program as applications have them: networks, a class that is built and trained by its methods, and a script."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

from tests.native.test_scopes_that_reuse import CODE, PRINTED
from tests.native.trees import printed, reasons, rewritten, tiers

NETS = CODE[: CODE.index("real =")]
MODEL = """\
from nets import *


class GAN(object):
    def __init__(self, sess, rate):
        self.sess = sess
        self.rate = rate
        self.steps = 3

    def build_model(self):
        self.real = tf.placeholder(tf.float32, [None, 4, 4, 1])
        self.past = tf.placeholder(tf.float32, [None, 4, 4, 1])
        self.fake = generator(self.real)
        judged = discriminator(self.fake)
        self.g_loss = tf.reduce_mean(tf.square(judged - 1.0))
        d_real = discriminator(self.real, reuse=True)
        d_past = discriminator(self.past, reuse=True)
        self.d_loss = tf.reduce_mean(tf.square(d_real - 1.0)) + tf.reduce_mean(tf.square(d_past))
        self.test_fake = generator(self.past, reuse=True)
        t_vars = tf.trainable_variables()
        d_vars = [var for var in t_vars if "discriminator" in var.name]
        g_vars = [var for var in t_vars if "generator" in var.name]
        self.g_step = tf.train.AdamOptimizer(self.rate).minimize(self.g_loss, var_list=g_vars)
        self.d_step = tf.train.AdamOptimizer(self.rate).minimize(self.d_loss, var_list=d_vars)

    def train(self, data):
        tf.global_variables_initializer().run()
        self.saver = tf.train.Saver()
        for step in range(self.steps):
            made, g, _ = self.sess.run([self.fake, self.g_loss, self.g_step], {self.real: data})
            for _ in range(2):
                d, _ = self.sess.run([self.d_loss, self.d_step], {self.real: data, self.past: made})
            print("%.4f %.4f" % (g, d))
        self.saver.save(self.sess, "./gan.ckpt")

    def test(self, data):
        return self.sess.run(self.test_fake, {self.past: data})
"""
MAIN = """\
import argparse

import numpy as np
import tensorflow as tf
from model import GAN


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=0.01)
    return parser.parse_args()


def main():
    args = parse_args()
    data = np.arange(32).reshape([2, 4, 4, 1]) / 16.0
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        gan = GAN(sess, args.rate)
        gan.build_model()
        gan.train(data)
        print("%.4f" % gan.test(data).mean())


if __name__ == "__main__":
    main()
"""


def test_an_adversarial_network(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"nets.py": NETS, "model.py": MODEL, "main.py": MAIN})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert "Session" not in (tmp_path / "main.py").read_text()
    # What TensorFlow 1.15.5 prints and saves.
    assert printed(tmp_path, "main.py") == PRINTED
    saved = tf.train.load_checkpoint(str(tmp_path / "gan.ckpt"))
    assert saved.get_tensor("beta1_power") == pytest.approx(0.9**4)
    assert saved.get_tensor("beta1_power_1") == pytest.approx(0.9**7)


def test_it_stays_where_it_may_be_trained_twice(tmp_path: Path) -> None:
    main = MAIN.replace("        gan.train(data)", "        for _ in range(2):\n            gan.train(data)")
    outcome = rewritten(tmp_path, {"nets.py": NETS, "model.py": MODEL, "main.py": main})
    assert tiers(outcome) == {"bridge"}
    assert any("the initializer runs inside a block" in reason for reason in reasons(outcome)), reasons(outcome)
