"""Comparisons with the class of tensors become `isinstance`; all others stay."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated, unchanged


def body(line: str) -> str:
    return f"import tensorflow as tf\n\ndef f(x, y, config):\n    {line}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return type(x) is tf.Tensor", "return isinstance(x, tf.Tensor)"),
        ("return type(x[0]) == tf.Tensor", "return isinstance(x[0], tf.Tensor)"),
        ("return type( x ) != tf.Tensor", "return not isinstance(x, tf.Tensor)"),
        ("return (type(x) is not tf.Tensor) == y", "return (not isinstance(x, tf.Tensor)) == y"),
        ("return y and not (type(f(x)) is tf.Tensor)", "return y and not (isinstance(f(x), tf.Tensor))"),
        ("return not type(x) is not tf.Tensor", "return not (not isinstance(x, tf.Tensor))"),
        ("if type(x) in [tf.Tensor, list]: pass", "if isinstance(x, tf.Tensor) or type(x) in [list]: pass"),
        ("if type(x.y) in (list, tf.Tensor): pass", "if isinstance(x.y, tf.Tensor) or type(x.y) in (list,): pass"),
        ("if type(x) in (list, tf.Tensor,): pass", "if isinstance(x, tf.Tensor) or type(x) in (list,): pass"),
        ("if type(x) in {list, tf.Tensor, int}: pass", "if isinstance(x, tf.Tensor) or type(x) in {list, int}: pass"),
        (
            "return y and type(x) in [tf.Tensor, list]",
            "return y and (isinstance(x, tf.Tensor) or type(x) in [list])",
        ),
        ("return f(type(x) in [tf.Tensor, list])", "return f(isinstance(x, tf.Tensor) or type(x) in [list])"),
        (
            "return y or type(x) not in [tf.Tensor, list]",
            "return y or not isinstance(x, tf.Tensor) and type(x) not in [list]",
        ),
    ],
)
def test_comparisons_with_the_class_of_tensors(before: str, after: str) -> None:
    becomes(body(before), body(after))


@pytest.mark.parametrize(
    "line",
    [
        "return isinstance(x, tf.Tensor)",
        "return type(x) is tf.SparseTensor",
        "return type(x) is config.Tensor",
        "return x is tf.Tensor",
        "return type(x) is y is tf.Tensor",
        "return type(x) is (tf.Tensor)",
        "type = config.kind; return type(x) is tf.Tensor",
        "if type(f(x)) in [tf.Tensor, list]: pass",
        "if type(x) in [(tf.Tensor), list]: pass",
        "return [type(z) for z in x] == [tf.Tensor]",
    ],
)
def test_what_stays(line: str) -> None:
    unchanged(body(line))


def test_the_name_alone() -> None:
    code = "import tensorflow as tf\nfrom tensorflow import Tensor\ny = tf.placeholder(1)\nprint(type(y) is Tensor)\n"
    assert migrated(code).text.endswith("print(isinstance(y, Tensor))\n")


def test_the_other_branch_is_taken_without_it() -> None:
    tf = pytest.importorskip("tensorflow")
    compat = pytest.importorskip("compat")
    with compat.Graph().as_default():
        x = compat.placeholder(tf.float32)
    assert type(x) is not tf.Tensor
    assert isinstance(x, tf.Tensor)
