"""`tf.compat.v2.Variable` is a variable of the graph where one is built, and stays TensorFlow 2's where none is."""

from __future__ import annotations

import pytest

from tests.engine import migrated, unchanged


@pytest.mark.parametrize(
    ("call", "after"),
    [
        ("tf.compat.v2.Variable(5)", "compat.Variable(5, use_resource=True)"),
        (
            "tf.compat.v2.Variable(5, False, True, None, 'n')",
            "compat.Variable(5, False, validate_shape=True, caching_device=None, name='n', use_resource=True)",
        ),
        ("isinstance(x, tf.compat.v2.Variable)", "isinstance(x, tf.compat.v2.Variable)"),
    ],
)
def test_in_a_graph(call: str, after: str) -> None:
    text = migrated(
        f"import tensorflow as tf\n\ndef f(x):\n    tf.global_variables_initializer()\n    return {call}\n"
    ).text
    assert text.endswith(f"    return {after}\n")


def test_another_name_of_tensorflow_2() -> None:
    text = migrated(
        "import tensorflow as tf\nfrom tensorflow.compat import v2\n\n"
        "def f(sess):\n    return sess.run(tf.assign(v2.Variable(1.0, name='a'), 2.0))\n"
    ).text
    assert "compat.Variable(1.0, name='a', use_resource=True)" in text


def test_arguments_that_nobody_sees_are_told() -> None:
    told = migrated(
        "import tensorflow as tf\n\ndef f(x, **given):\n    tf.Session()\n    tf.compat.v2.Variable(x, **given)\n"
    ).findings
    assert [(each.line, each.action) for each in told if each.rule == "TFM116"] == [(5, "manual")]


def test_programs_of_tensorflow_2_stay() -> None:
    unchanged("import tensorflow.compat.v2 as tf\n\n@tf.function\ndef f():\n    return tf.Variable(1.0)\n")
