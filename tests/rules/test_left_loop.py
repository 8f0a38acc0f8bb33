"""Calls of `tf.control_dependencies` whose argument may be None leave loops by a shim; all others stay."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated


def body(*lines: str, head: str = "import tensorflow as tf\n", given: str = "x, y=None, *, z=None") -> str:
    return f"{head}\ndef f({given}):\n" + "".join(f"    {line}\n" for line in lines)


BOTH = "import tensorflow as tf\nimport compat\n"


@pytest.mark.parametrize(
    "lines",
    [
        ["with tf.control_dependencies(None):", "    return x"],
        ["with tf.control_dependencies(control_inputs=None if x else [x]):", "    return x"],
        ["with tf.control_dependencies(x or None):", "    return x"],
        ["w = [x]", "if x:", "    w = None", "with tf.control_dependencies(w):", "    return x"],
        ["with tf.control_dependencies(y):", "    return x"],
        ["with tf.control_dependencies(z):", "    return x"],
        ["w = y", "with tf.control_dependencies(w):", "    return x"],
        ["y = y or None", "with tf.control_dependencies(y):", "    return x"],
        ["z = [] if x else z", "with tf.control_dependencies(z):", "    return x"],
    ],
)
def test_what_may_leave(lines: list[str]) -> None:
    after = [line.replace("tf.control_dependencies", "compat.control_dependencies") for line in lines]
    becomes(body(*lines), body(*after, head=BOTH))


@pytest.mark.parametrize(
    "lines",
    [
        ["with tf.control_dependencies([x]):", "    return x"],
        ["with tf.control_dependencies(x):", "    return x"],
        ["w = [None]", "with tf.control_dependencies(w):", "    return x"],
        ["w = w", "with tf.control_dependencies(w):", "    return x"],
    ],
)
def test_what_stays(lines: list[str]) -> None:
    text = migrated(body("tf.placeholder(tf.float32)", *lines)).text
    assert text == body("compat.placeholder(tf.float32)", *lines, head=BOTH)


def test_the_path_into_the_sources() -> None:
    becomes(
        """\
        from tensorflow.python.framework import ops

        def outside():
            with ops.control_dependencies(None):
                yield
        """,
        """\
        import compat

        def outside():
            with compat.control_dependencies(None):
                yield
        """,
    )
