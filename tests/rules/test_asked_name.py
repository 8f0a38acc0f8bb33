"""`hasattr` on TensorFlow's modules answers as TensorFlow 1.15 did."""

from __future__ import annotations

import pytest

from tests.engine import migrated, unchanged

HEAD = "import tensorflow as tf\n\ndef f(x):\n    tf.Session()\n    return "


@pytest.mark.parametrize(
    ("asked", "after"),
    [
        ("hasattr(tf, 'placeholder')", "True"),
        ("hasattr(tf.nn, 'softmax_cross_entropy_with_logits_v2')", "True"),
        ("hasattr(tf.train, 'SummaryWriter')", "hasattr(tf.train, 'SummaryWriter')"),
        ("hasattr(tf, 'select')", "hasattr(tf, 'select')"),
        ("hasattr(tf.contrib.slim, 'losses')", "hasattr(compat.contrib.slim, 'losses')"),
        ("hasattr(tf.data, 'AUTOTUNE')", "False"),
        ("hasattr(tf, 'optimizers')", "False"),
        ("hasattr(tf.contrib.boosted_trees, 'nothing')", "False"),
        ("hasattr(tf.logging, 'info')", "hasattr(compat.logging, 'info')"),
        ("hasattr(tf.nn, x)", "hasattr(compat.tf1.nn, x)"),
        ("hasattr(tf.float32, 'name')", "hasattr(tf.float32, 'name')"),
    ],
)
def test_answers(asked: str, after: str) -> None:
    assert migrated(HEAD + asked + "\n").text.endswith(f"    return {after}\n")


def test_code_of_tensorflow_2_is_left_alone() -> None:
    unchanged("import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return hasattr(tf.data, 'AUTOTUNE')\n")
