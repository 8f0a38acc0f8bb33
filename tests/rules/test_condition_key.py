"""Dictionaries of conditions that `tf.case` is given hold references to tensors; all others stay."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated


def body(*lines: str, head: str = "import tensorflow as tf\n") -> str:
    return f"{head}\ndef f(x, y, more):\n" + "".join(f"    {line}\n" for line in lines)


BOTH = "import tensorflow as tf\nimport compat\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["return tf.case({x: y})"], ["return compat.case({x.ref(): y})"]),
        (["return tf.case({x > y: y, x: x})"], ["return compat.case({(x > y).ref(): y, x.ref(): x})"]),
        (
            ["given = {more(x): y,  # one", "         x.a: y}", "return tf.case(exclusive=True, pred_fn_pairs=given)"],
            [
                "given = {more(x).ref(): y,  # one",
                "         x.a.ref(): y}",
                "return compat.case(exclusive=True, pred_fn_pairs=given)",
            ],
        ),
        (
            ["given = {x: y}", "if more:", "    given = {x[0]: y}", "return tf.case(given)"],
            ["given = {x.ref(): y}", "if more:", "    given = {x[0].ref(): y}", "return compat.case(given)"],
        ),
    ],
)
def test_conditions(before: list[str], after: list[str]) -> None:
    becomes(body(*before), body(*after, head=BOTH))


@pytest.mark.parametrize(
    "lines",
    [
        ["given = {x: y}", "given[y] = x", "return tf.case(given)"],
        ["given = {x: y}", "print(given)", "return tf.case(given)"],
        ["given = {x: y}", "given = more(x)", "return tf.case(given)"],
        ["given = {x: y, **more}", "return tf.case(given)"],
        ["return tf.case([(x, y)])"],
        ["return tf.case(more)"],
        ["return more({x: y})"],
        ["more = {x: y}", "return tf.case(more)"],
        ["return tf.case({x.ref(): y})"],
    ],
)
def test_what_stays(lines: list[str]) -> None:
    text = migrated(body("tf.placeholder(tf.float32)", *lines)).text
    assert text == body("compat.placeholder(tf.float32)", *lines, head=BOTH).replace("tf.case", "compat.case")
