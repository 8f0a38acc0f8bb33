"""Keras in programs with sessions: what builds nothing, functions of tensors, and layers with variables of the graph.

Each program gives as steps what it gave in TensorFlow 1.15.5, names of tensors and variables included.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

DATA = """\
import numpy as np
import tensorflow as tf

words = tf.keras.preprocessing.text.Tokenizer(num_words=20)
texts = ["the cat sat on the mat", "a dog ate my homework", "the dog sat"]
words.fit_on_texts(texts)
padded = tf.keras.preprocessing.sequence.pad_sequences(words.texts_to_sequences(texts), maxlen=5, padding="post")
classes = tf.keras.utils.to_categorical([0, 1, 0], 2)
small = tf.keras.backend.epsilon()

x = tf.placeholder(tf.int32, [None, 5], name="x")
y = tf.placeholder(tf.float32, [None, 2], name="y")
rows = tf.get_variable("rows", [20, 2], initializer=tf.truncated_normal_initializer(seed=3))
p = tf.clip_by_value(tf.nn.softmax(tf.reduce_mean(tf.nn.embedding_lookup(rows, x), 1)), small, 1 - small)
loss = -tf.reduce_mean(tf.reduce_sum(y * tf.log(p), 1))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.5f" % sess.run([loss, train], feed_dict={x: padded, y: classes})[0])
"""
WITHOUT_VARIABLES = """\
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class Net(object):
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None, 6, 6, 2], name="image")
        self.training = tf.placeholder(tf.bool, [], name="training")
        h = tf.keras.layers.ZeroPadding2D(padding=(1, 2)).call(inputs=self.x)
        with tf.variable_scope("block"):
            h = layers.ZeroPadding2D((1, 1))(h)
            h = tf.layers.conv2d(h, 3, 3, kernel_initializer=tf.random_normal_initializer(seed=1))
            h = layers.LeakyReLU(alpha=0.1)(h)
        h = layers.UpSampling2D(2)(layers.MaxPooling2D()(h))
        h = layers.Lambda(lambda t: t * 2.0)(layers.Concatenate()([h, h * 2.0]))
        h = layers.Dropout(0.0)(h, training=self.training)
        h = layers.Flatten()(h)
        print(h.name, h.shape.as_list())
        self.out = layers.Activation("tanh")(h)
        print(self.out.name)
        self.mean = tf.reduce_mean(self.out)
        self.train = tf.train.GradientDescentOptimizer(0.1).minimize(self.mean)


net = Net()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
x = np.random.RandomState(0).rand(2, 6, 6, 2)
for _ in range(3):
    print("%.5f" % sess.run([net.mean, net.train], {net.x: x, net.training: True})[0])
print(np.round(sess.run(net.out, {net.x: x, net.training: False})[0, :4], 4))
print([v.name for v in tf.global_variables()])
"""
FUNCTIONS = """\
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

x = tf.placeholder(tf.float32, [None, 3], name="x")
t = tf.placeholder(tf.float32, [None, 3], name="t")
w = tf.get_variable("w", [3, 3], initializer=tf.keras.initializers.he_normal(seed=2),
                    constraint=tf.keras.constraints.max_norm(0.7))
h = tf.keras.activations.relu(K.dot(x, w))
p = tf.keras.activations.get("softmax")(h)
a = tf.reduce_mean(tf.keras.losses.categorical_crossentropy(t, p))
loss = a + K.mean(K.square(t - p)) + 0.1 * K.sum(K.abs(K.l2_normalize(h, axis=-1)))
print(h.name, a.name, loss.name)
train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: np.random.RandomState(0).rand(4, 3), t: np.eye(3)[[0, 1, 2, 0]]}
    for _ in range(4):
        print("%.5f" % sess.run([loss, train], feed_dict=feed)[0])
"""
WITH_VARIABLES = """\
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import BatchNormalization, Conv2D, Dense, Flatten

is_training = tf.placeholder(tf.bool, [])
x = tf.placeholder(tf.float32, [None, 8, 8, 1])
y = tf.placeholder(tf.int64, [None])


def model(x):
    with tf.name_scope("net"):
        norm = BatchNormalization()
        h = norm(Conv2D(4, 3, kernel_initializer=tf.keras.initializers.he_normal(seed=5), use_bias=False)(x),
                 training=is_training)
        for update in norm.updates:
            tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
        return Dense(3, kernel_initializer=tf.keras.initializers.he_normal(seed=6))(Flatten()(tf.nn.relu(h)))


logits = model(x)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.RMSPropOptimizer(0.01).minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
images, labels = np.random.RandomState(1).rand(6, 8, 8, 1), [0, 1, 2, 0, 1, 2]
for step in range(4):
    print(step, "%.4f" % sess.run([loss, train], feed_dict={x: images, y: labels, is_training: True})[0])
print(np.round(sess.run(logits, {x: images, is_training: False})[0], 3))
saver.save(sess, "./model")
print(sorted(tf.train.list_variables("./model")))
"""
SHARED = """\
import numpy as np
import tensorflow as tf

L = tf.keras.layers


def swish(t):
    return t * tf.nn.sigmoid(t)


class Model:
    def __init__(self, shared):
        self.embed = L.Embedding(10, 4, embeddings_initializer=tf.keras.initializers.RandomUniform(-1, 1, seed=3))
        self.out = L.Dense(1, activation=swish, kernel_initializer="ones")
        self.shared = shared

    def __call__(self, ids):
        return self.out(self.shared(L.GlobalMaxPooling1D()(self.embed(ids))))


def run():
    a, b = tf.placeholder(tf.int32, [None, 3]), tf.placeholder(tf.int32, [None, 2])
    model = Model(L.Dense(4, kernel_initializer=tf.keras.initializers.Identity()))
    gap = tf.reduce_mean(tf.abs(model(a) - model(b))) + sum(tf.nn.l2_loss(v) for v in model.out.trainable_weights)
    step = tf.train.AdagradOptimizer(0.1).minimize(gap)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            print("%.4f" % sess.run([gap, step], feed_dict={a: [[1, 2, 3]], b: [[4, 5]]})[0])
        print(np.round(sess.run(model.embed.embeddings)[:2], 4))
    print([v.name for v in tf.trainable_variables()])


if __name__ == "__main__":
    run()
"""
OF_THE_PROGRAM = """\
import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super(Net, self).__init__()
        self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, inputs):
        return self.dense(inputs)


x = tf.placeholder(tf.float32, [None, 3])
net = Net()
y = net(x)
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(y), var_list=net.trainable_variables)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {x: np.ones((2, 3))})
    print(np.round(sess.run(y, {x: np.ones((2, 3))}), 4))
    # READ
"""
BY_OTHER_NAMES = """\
import numpy as np
import tensorflow as tf
import tensorflow.keras as k

api = tf.keras
x = tf.placeholder(tf.float32, [None, 3])
y = api.layers.Dense(1, kernel_initializer="ones")(k.layers.Dense(2, kernel_initializer="ones")(x))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: np.ones((1, 3))}), [v.name for v in tf.global_variables()])
"""
# The copy of Keras that contrib had is the same Keras.
OF_CONTRIB = """\
import numpy as np
import tensorflow as tf
from tensorflow.contrib.keras import layers as kl


def block(x, train):
    h = tf.layers.conv2d(x, 4, 3, padding="same", kernel_initializer=tf.constant_initializer(0.1))
    h = tf.layers.batch_normalization(h, training=train)
    h = tf.contrib.keras.layers.PReLU(shared_axes=[1, 2], alpha_initializer=tf.constant_initializer(0.3))(h)
    return kl.LeakyReLU(alpha=0.2)(h - 0.5)


x = tf.placeholder(tf.float32, [None, 4, 4, 3])
train = tf.placeholder(tf.bool, [])
with tf.variable_scope("generator"):
    y = block(x, train)
loss = tf.reduce_mean(tf.square(y - 1.0))
op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
print([v.name for v in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    a = np.arange(96, dtype=np.float32).reshape(2, 4, 4, 3) / 50 - 1
    for _ in range(3):
        print("%.5f" % sess.run([op, loss], {x: a, train: True})[1])
"""

WEIGHTS = "print([np.round(each, 4) for each in net.get_weights()])"
SET = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
layer = tf.keras.layers.Dense(2)
y = layer(x)
sess = tf.Session()
tf.keras.backend.set_session(sess)
sess.run(tf.global_variables_initializer())
layer.set_weights([np.ones((3, 2)), np.zeros(2)])
print(sess.run(y, {x: np.ones((1, 3))}))
"""


def rewritten(program: str, folder: Path) -> tuple[str, list[str]]:
    """A program's text in steps or on the bridge, and the tiers of its runs."""
    (folder / "main.py").write_text(program)
    options = Options(paths=(folder,), root=folder)
    outcome = pipeline.run(discover(options).code, options)
    return outcome.contents["main.py"].decode(), [site.tier for site in outcome.report.sites]


def output(text: str, folder: Path) -> str:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONWARNINGS="ignore")
    done = warm.run([sys.executable, "-c", text], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


@pytest.mark.parametrize(
    "program",
    [DATA, WITHOUT_VARIABLES, FUNCTIONS, WITH_VARIABLES, SHARED, OF_THE_PROGRAM, BY_OTHER_NAMES, OF_CONTRIB],
    ids=[
        "data",
        "layers without",
        "functions",
        "layers with variables",
        "shared layers",
        "a model of its own",
        "aliases",
        "contrib",
    ],
)
def test_it_is_steps_with_the_same_numbers_and_names(
    program: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    text, tiers = rewritten(program, tmp_path)
    assert set(tiers) == {"native"}
    assert output(text, tmp_path) == run_legacy(program, cwd=tmp_path)


@pytest.mark.parametrize(
    "program", [OF_THE_PROGRAM.replace("# READ", WEIGHTS), SET], ids=["weights of a model", "weights that are set"]
)
def test_what_keras_computes_in_a_session_stays_on_the_bridge(
    program: str, tmp_path: Path, run_legacy: Callable[..., str]
) -> None:
    text, tiers = rewritten(program, tmp_path)
    assert set(tiers) == {"bridge"}
    assert output(text, tmp_path) == run_legacy(program, cwd=tmp_path)
