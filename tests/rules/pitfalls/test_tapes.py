"""Checks of gradient tapes: what they find, and much more of what they leave alone."""

from __future__ import annotations

import pytest

from tests.engine import migrated

HEAD = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dropout(0.5)])
opaque = make_model()

def step(x, y, v, w, tape2):
"""


def rules_told(body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    found = migrated(HEAD + lines, advice=True).findings
    return [finding.rule for finding in found if finding.rule.startswith("TFM4")]


def taped(inside: str, after: str, options: str = "", before: str = "pass") -> str:
    body = inside.replace("\n", "\n    ")
    return f"{before}\nwith tf.GradientTape({options}) as tape:\n    {body}\n{after}"


@pytest.mark.parametrize(
    "made", ["tf.constant(3.0)", "tf.random.normal([3])", "tf.convert_to_tensor(y)", "tf.ones([2])"]
)
def test_tensors_that_no_tape_watches(made: str) -> None:
    assert rules_told(taped("b = c * c", "return tape.gradient(b, c)", before=f"c = {made}")) == ["TFM411"]
    assert rules_told(taped("b = c * c", "return tape.gradient(b, [v, c])", before=f"c = {made}")) == ["TFM411"]
    assert rules_told(taped("tape.watch(c)\nb = c * c", "return tape.gradient(b, c)", before=f"c = {made}")) == []
    assert rules_told(taped("tape.watch([v, c])\nb = c * c", "return tape.gradient(b, c)", before=f"c = {made}")) == []


@pytest.mark.parametrize(
    "body",
    [
        taped("b = c * c", "return tape.gradient(b, c)", before="c = tf.Variable(3.0)"),
        taped("b = c * c", "return tape.gradient(b, c)", before="c = load(x)"),
        taped("b = x * x", "return tape.gradient(b, x)"),
        taped("b = c * c", "return tape.gradient(b, c)", before="c = tf.constant(3.0)\nif y: c = v"),
        taped("tape.watch(self.inputs())\nb = c * c", "return tape.gradient(b, c)", before="c = tf.constant(3.0)"),
        taped("watch_all(tape)\nb = c * c", "return tape.gradient(b, c)", before="c = tf.constant(3.0)"),
        taped("c = tf.identity(v)\nb = c * c", "return tape.gradient(b, c)"),
    ],
)
def test_sources_that_may_be_watched(body: str) -> None:
    assert rules_told(body) == []


@pytest.mark.parametrize(
    "after",
    [
        "return tape.gradient(a[:, 7], v)",
        "return tape.gradient(a + b, v)",
        "return tape.gradient(tf.reduce_mean(a), v)",
        "loss = a + b\nreturn tape.gradient(loss, v)",
        "loss = tf.reduce_mean(a)\nreturn tape.gradient(loss, v)",
        "a += 0.1 * b\nreturn tape.gradient(a, v)",
        "return tape.gradient(sum([a, b]), v)",
        "return tape.jacobian(-a, v)",
    ],
)
def test_computed_after_the_tape_has_closed(after: str) -> None:
    assert rules_told(taped("a = v * x\nb = v * y", after)) == ["TFM412"]
    assert rules_told(taped(f"a = v * x\nb = v * y\n{after}", "pass")) == []


@pytest.mark.parametrize(
    "after",
    [
        "return tape.gradient(a, v)",
        "return tape.gradient([a, b], v)",
        "return tape.gradient(a[0], v)",
        "return tape.gradient(a['loss'], v)",
        "loss = [a, b]\nreturn tape.gradient(loss, v)",
        "total = tf.reduce_mean(a)\nreturn tape.gradient(a, v), total",
        "loss = tf.nest.flatten(a)\nreturn tape.gradient(loss, v)",
        "if x: a = b\nreturn tape.gradient(a, v)",
        "loss = x + y\nreturn tape.gradient(loss, v)",
        "with tape:\n    a = a + b\nreturn tape.gradient(a, v)",
    ],
)
def test_computed_on_the_tape(after: str) -> None:
    assert rules_told(taped("a = v * x\nb = v * y", after)) == []


@pytest.mark.parametrize(
    "inside",
    [
        "a = model.predict(x)[:, 1]",
        "a = tf.convert_to_tensor(model.predict(x))",
        "z = model(x)\na = tf.reduce_mean(tf.square(z.numpy()))",
        "z = model(x)\na = np.mean(z)",
        "z = model(x)\na = np.mean((z - y) ** 2)",
    ],
)
def test_numpy_on_the_way_to_the_loss(inside: str) -> None:
    assert rules_told(taped(inside, "return tape.gradient(a, v)")) == ["TFM413"]


@pytest.mark.parametrize(
    "inside",
    [
        "a = model(x)",
        "a = opaque.predict(x)",
        "a = model(x)\nlog(a.numpy())",
        "a = model(x) * np.sqrt(2.0)",
        "a = tf.reduce_mean(model(x) - np.mean(y))",
        "labels = model.predict(x)\na = tf.reduce_mean(model(x) - labels)",
        "a = tf.reduce_mean(model(x)) / w.numpy()",
    ],
)
def test_numpy_beside_the_way(inside: str) -> None:
    assert rules_told(taped(inside, "return tape.gradient(a, v)")) == []


@pytest.mark.parametrize(
    ("call", "sources", "told"),
    [
        ("model(x)", "model.variables", True),
        ("model(x)", "model.weights", True),
        ("opaque(x, training=True)", "opaque.variables", True),
        ("opaque(x)", "opaque.variables", False),
        ("model(x)", "model.trainable_variables", False),
        ("model(x)", "w.variables", False),
    ],
)
def test_all_variables(call: str, sources: str, told: bool) -> None:
    assert rules_told(taped(f"a = {call}", f"return tape.gradient(a, {sources})")) == (["TFM414"] if told else [])


@pytest.mark.parametrize(
    "after",
    [
        "return tape.gradient(a, v), tape.gradient(a, w)",
        "g = tape.gradient(a, v)\nh = tape.gradient(a, w)",
        "return [tape.gradient(a, s) for s in (v, w)]",
        "for s in (v, w):\n    g = tape.gradient(a, s)",
        "if x:\n    g = tape.gradient(a, v)\nh = tape.gradient(a, w)",
    ],
)
def test_tape_used_twice(after: str) -> None:
    assert rules_told(taped("a = v * w", after)) == ["TFM416"]
    assert rules_told(taped("a = v * w", after, "persistent=True")) == []
    assert rules_told(taped("a = v * w", after, "persistent=w")) == []


@pytest.mark.parametrize(
    "after",
    [
        "return tape.gradient(a, [v, w])",
        "if x:\n    g = tape.gradient(a, v)\nelse:\n    g = tape.gradient(a, w)",
        "if x:\n    return tape.gradient(a, v)\nreturn tape.gradient(a, w)",
        "try:\n    g = tape.gradient(a, v)\nexcept ValueError:\n    g = tape.gradient(a, w)",
        "return [g for g in tape.gradient(a, [v, w])]",
        "g = tape.gradient(a, v)\nwith tf.GradientTape() as tape:\n    b = v * w\nh = tape.gradient(b, w)",
        "g = tape.gradient(a, v)\nh = tape2.gradient(a, w)",
        "for s in (v, w):\n    g = tape.gradient(a, s)\n    break",
    ],
)
def test_tape_used_once(after: str) -> None:
    assert rules_told(taped("a = v * w", after)) == []


def test_a_tape_in_a_loop_is_a_new_one_each_time() -> None:
    assert (
        rules_told("for s in (v, w):\n    with tf.GradientTape() as tape:\n        a = s * x\n    tape.gradient(a, s)")
        == []
    )
