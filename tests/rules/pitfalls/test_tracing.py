"""Checks of traced functions: what they find, and much more of what they leave alone."""

from __future__ import annotations

import pytest

from tests.engine import migrated


def rules_told(code: str) -> list[str]:
    found = migrated("import time\nimport random\nimport numpy as np\nimport tensorflow as tf\n\n" + code, advice=True)
    return [finding.rule for finding in found.findings if finding.rule.startswith("TFM4")]


STEP = "@tf.function\ndef step(x, n):\n    return x * n\n\n"


@pytest.mark.parametrize(
    "loop",
    [
        "for n in range(1000):\n    step(x, n)\n",
        "for n in range(count):\n    step(x, n)\n",
        "for n, x in enumerate(batches):\n    step(x, n)\n",
        "n = 0\nfor x in batches:\n    step(x, n)\n    n += 1\n",
        "n = 0\nwhile more():\n    n += 1\n    step(x, n)\n",
        "run = step\nfor n in range(1000):\n    run(x, n)\n",
    ],
)
def test_counters_given_to_traced_functions(loop: str) -> None:
    assert rules_told(STEP + loop) in (["TFM401"], [] if "run = step" in loop else ["TFM401"])


@pytest.mark.parametrize(
    "code",
    [
        STEP + "for n in tf.range(1000):\n    step(x, n)\n",
        STEP + "for n in range(3):\n    step(x, n)\n",
        STEP + "for n in range(1000):\n    step(x, tf.constant(n))\n",
        STEP + "for x in batches:\n    step(x, 0.5)\n",
        STEP + "for n, x in zip(numbers, batches):\n    step(x, n)\n",
        STEP + "n = tf.Variable(0)\nfor x in batches:\n    step(x, n)\n    n.assign_add(1)\n",
        STEP + "n = tf.constant(0)\nfor x in batches:\n    step(x, n)\n    n += 1\n",
        STEP.replace("@tf.function", "@tf.function(input_signature=s)") + "for n in range(9):\n    step(x, n)\n",
        STEP.replace("@tf.function\n", "") + "for n in range(1000):\n    step(x, n)\n",
        STEP + "@tf.function\ndef f(x):\n    for n in range(9):\n        step(x, n)\n",
        "@tf.function\ndef step(x, n):\n    return x[n]\n\nfor n in range(9):\n    step(x, n)\n",
        "@tf.function\ndef step(x, n):\n    for _ in range(n):\n        x = x * x\n\nfor n in many:\n    step(x, n)\n",
    ],
)
def test_other_arguments_of_traced_functions(code: str) -> None:
    assert rules_told(code) == []


def traced(body: str, decorator: str = "@tf.function") -> str:
    return f"losses = []\n\n{decorator}\ndef step(x):\n    y = tf.reduce_sum(x)\n    {body}\n    return x + y\n"


@pytest.mark.parametrize(
    "body",
    [
        "print(y)",
        "print('loss', y)",
        "print(f'loss {y}')",
        "print('loss {}'.format(y))",
        "print(x)",
        "start = time.time()",
        "y = y + np.random.rand()",
        "y = y * random.random()",
        "losses.append(y)",
        "if y > 0:\n        print(y)",
    ],
)
def test_python_effects_in_traced_functions(body: str) -> None:
    assert rules_told(traced(body)) == ["TFM402"]
    assert rules_told(traced(body, decorator="@other")) == []


@pytest.mark.parametrize(
    "body",
    [
        "print('tracing')",
        "print(x.shape)",
        "print(x.dtype, y.name)",
        "tf.print(y)",
        "local = []; local.append(y)",
        "losses.append('traced')",
        "np.random.seed(1)",
        "z = np.zeros(3)",
        "with tf.init_scope():\n        start = time.time()",
        "if tf.executing_eagerly():\n        print(y)",
        "def inner(z):\n        print(z)",
    ],
)
def test_other_python_in_traced_functions(body: str) -> None:
    assert rules_told(traced(body)) == []


@pytest.mark.parametrize(
    "body",
    ["v = tf.Variable(1.0)", "o = tf.keras.optimizers.Adam()", "self.v = tf.Variable(x)"],
)
def test_creations_in_traced_functions(body: str) -> None:
    assert rules_told(traced(body)) == ["TFM404"]


@pytest.mark.parametrize(
    "body",
    [
        "if self.v is None:\n        self.v = tf.Variable(1.0)",
        "with tf.init_scope():\n        v = tf.Variable(1.0)",
        "v = v or tf.Variable(1.0)",
        "s = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)",
        "c = tf.constant(1.0)",
        "def make():\n        return tf.Variable(1.0)",
    ],
)
def test_other_creations(body: str) -> None:
    assert rules_told(traced(body)) == []


def test_defaults_are_made_outside_the_trace() -> None:
    assert rules_told("@tf.function\ndef step(x, o=tf.keras.optimizers.Adam()):\n    return x\n") == []


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("for n in range(1, 99):\n    step(x[:n], y)\n", True),
        ("for n in range(1, 99):\n    step(x[n], y)\n", False),
        ("for n in range(9):\n    step(x[n : n + 8], y)\n", False),
        ("for x in data.padded_batch(8):\n    step(x, y)\n", True),
        ("for x in data.padded_batch(8, [20]):\n    step(x, y)\n", False),
        ("for x in data.batch(8):\n    step(x, y)\n", False),
        ("for x in other.padded_batch(8):\n    step(x, y)\n", False),
        ("for x in data.padded_batch(8).map(cut):\n    step(x, y)\n", False),
    ],
)
def test_shapes_that_change(code: str, told: bool) -> None:
    data = "data = tf.data.TFRecordDataset(path)\n"
    assert rules_told(STEP + data + code) == (["TFM403"] if told else [])
    relaxed = STEP.replace("@tf.function", "@tf.function(reduce_retracing=True)")
    assert rules_told(relaxed + data + code) == []
