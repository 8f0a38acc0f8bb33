"""Terms of a loss that its gradients do not need: TF1 left open whether a run saw them before its step, as is told.

In TF 1.15.5, of 30 steps that one program makes, most gave the sum of squares behind the step, or the scores of a
critic; those which a gradient needs never came behind it.
"""

from __future__ import annotations

import pytest

from tests.native.native import made_native

MODEL = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [BATCH, 3])
w = tf.Variable([[0.5], [1.0], [-0.5]])
v = tf.Variable(2.0)
out = tf.matmul(x, w)
data = tf.reduce_mean(tf.square(out - 1.0))
"""
STEP = """
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
"""
RUN = """
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([FETCHED, step], {x: np.ones((2, 3))})[0])
"""


def _told(build: str, fetched: str = "loss", *, step: str = STEP, batch: str = "None") -> bool:
    source = MODEL.replace("BATCH", batch) + build + step + RUN.replace("FETCHED", fetched)
    return any("left open" in finding.message for finding in made_native(source).findings)


ALONE = [
    "tf.nn.l2_loss(w)",
    "tf.reduce_sum(tf.square(w))",
    "tf.reduce_sum(w * w)",
    "tf.reduce_sum(w ** 2) / 2.0",
    "tf.reduce_sum(tf.abs(w))",
    "tf.reduce_sum(w)",
    "tf.add_n([tf.nn.l2_loss(t) for t in tf.trainable_variables()])",
    "sum(tf.nn.l2_loss(t) for t in [w, v])",
    "tf.negative(tf.nn.l2_loss(tf.identity(w)))",
]


@pytest.mark.parametrize("term", ALONE)
def test_terms_of_variables_alone(term: str) -> None:
    assert _told(f"loss = data + 0.1 * {term}")


@pytest.mark.parametrize("fetched", ["data", "out"])
def test_what_is_fetched_without_them(fetched: str) -> None:
    assert not _told("loss = data + tf.nn.l2_loss(w)", fetched)


@pytest.mark.parametrize(
    "loss", ["data", "data + tf.sqrt(tf.nn.l2_loss(w))", "tf.square(data + tf.nn.l2_loss(w))", "data + tf.norm(w)"]
)
def test_terms_that_a_gradient_needs(loss: str) -> None:
    assert not _told(f"loss = {loss}")


@pytest.mark.parametrize(("listed", "told"), [("w", True), ("v", False)])
def test_variables_that_are_trained(listed: str, told: bool) -> None:
    step = STEP.replace("minimize(loss)", f"minimize(loss, var_list=[{listed}])")
    assert _told("loss = data * v + tf.nn.l2_loss(w)", step=step) == told


HELPER = """\
def penalty(variables):
    total = 0.0
    for t in variables:
        total += tf.nn.l2_loss(t)
    return total


loss = data + penalty([w, v])
"""
BUILDER = """\
def net(t):
    a = tf.get_variable("a", [1], initializer=tf.ones_initializer())
    return tf.reduce_mean(tf.square(t * a)), tf.nn.l2_loss(a)


score, l2 = net(out)
loss = score + l2
"""
LOOP = """\
loss = data
for t in (w, v):
    loss += 0.1 * tf.nn.l2_loss(t)
"""
REGULARIZER = """\
kept = tf.contrib.layers.l2_regularizer(0.1)
loss = data + kept(w)
"""
LAYERS = """\
kept = tf.contrib.layers.l2_regularizer(0.1)
score = tf.layers.dense(out, 2, kernel_regularizer=kept)
loss = tf.reduce_mean(tf.square(score)) + tf.losses.get_regularization_loss()
"""


@pytest.mark.parametrize("build", [HELPER, BUILDER, LOOP, REGULARIZER, LAYERS])
def test_through_functions_loops_and_layers(build: str) -> None:
    assert _told(build)


SUMMARIES = """\
loss = data + tf.nn.l2_loss(w)
tf.summary.scalar("loss", loss)
merged = tf.summary.merge_all()
"""


def test_summaries() -> None:
    source = MODEL.replace("BATCH", "None") + SUMMARIES + STEP
    source += RUN.replace("print(", 'tf.summary.FileWriter("logs").add_summary(').replace("FETCHED", "merged")
    assert any("left open" in finding.message for finding in made_native(source).findings)


BY_HAND = """
by_w, by_v = tf.gradients(loss, [w, v])
step = tf.group(w.assign_sub(0.1 * by_w), v.assign_sub(0.1 * by_v))
"""
ALONE_BY_HAND = """
by_w = tf.gradients(loss, w)[0]
step = tf.assign(w, w - 0.1 * by_w)
"""
CLIPPED = """
optimizer = tf.train.GradientDescentOptimizer(0.1)
pairs = optimizer.compute_gradients(loss)
step = optimizer.apply_gradients([(tf.clip_by_value(g, -1.0, 1.0), t) for g, t in pairs])
"""


@pytest.mark.parametrize("step", [BY_HAND, ALONE_BY_HAND, CLIPPED])
def test_other_steps(step: str) -> None:
    assert _told("loss = data * v + tf.nn.l2_loss(w)", step=step)
    assert not _told("loss = data * v", step=step)


CRITIC = """\
def critic(t):
    return tf.layers.dense(tf.layers.dense(t, 4, tf.nn.relu), 1)


loss = tf.reduce_mean(critic(out))
"""


@pytest.mark.parametrize(("batch", "told"), [("2", True), ("None", False)])
@pytest.mark.parametrize("build", ["loss = tf.reduce_mean(out)", CRITIC])
def test_scores(build: str, batch: str, told: bool) -> None:
    """What undoes broadcasting waits for the scores where their number is known only by them."""
    assert _told(build, batch=batch) == told


BATCHES = """\
import numpy as np
import tensorflow as tf

made = tf.convert_to_tensor([1.0, 2.0, 3.0, 4.0])
values, again = tf.train.slice_input_producer([made, made], shuffle=False)
x, y = tf.train.batch([values, again], 3)
w = tf.Variable(1.0)
loss = tf.reduce_mean(x * w)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coordinator)
    for _ in range(3):
        print(sess.run([loss, step])[0])
    coordinator.request_stop()
    coordinator.join(threads)
"""


def test_scores_of_batches_that_a_queue_gives() -> None:
    assert any("left open" in finding.message for finding in made_native(BATCHES).findings)
