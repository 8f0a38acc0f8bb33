"""Entries of shapes lose `.value`; everything else that has a `.value` keeps it."""

from __future__ import annotations

import pytest

from tests.engine import becomes, unchanged


def body(line: str) -> str:
    return f"import tensorflow as tf\n\ndef f(x, y, config):\n    {line}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return x.get_shape()[-1].value", "return x.get_shape()[-1]"),
        ("return x.shape[0].value or 3", "return x.shape[0] or 3"),
        ("return (x.shape[0]).value", "return (x.shape[0])"),
        ("return x.get_shape().with_rank(4)[1].value * 2", "return x.get_shape().with_rank(4)[1] * 2"),
        ("return tf.TensorShape([1, 2])[0].value", "return tf.TensorShape([1, 2])[0]"),
        ("return [d.value for d in x.get_shape()]", "return [d for d in x.get_shape()]"),
        ("return [d.value for d in x.shape[1:]]", "return [d for d in x.shape[1:]]"),
        ("s = x.get_shape(); n = s[0]; return n.value", "s = x.get_shape(); n = s[0]; return n"),
        ("a, b = x.get_shape(); return a.value + b.value", "a, b = x.get_shape(); return a + b"),
        ("a, b = x.shape[0], 3; return a.value", "a, b = x.shape[0], 3; return a"),
        (
            "for i, d in enumerate(x.shape): print(i, d.value)",
            "for i, d in enumerate(x.shape): print(i, d)",
        ),
        (
            "input_shape = y.spec(); return input_shape[1].value",
            "input_shape = y.spec(); return tf.compat.dimension_value(input_shape[1])",
        ),
        (
            "return [s.value for s in x.cell.output_size]",
            "return [tf.compat.dimension_value(s) for s in x.cell.output_size]",
        ),
        ("return str(x.get_shape()[0]) != '?'", "return x.get_shape()[0] is not None"),
        ("return (str(x.shape[0])) == '?' or y", "return x.shape[0] is None or y"),
        ("return [str(d) != '?' for d in x.shape]", "return [d is not None for d in x.shape]"),
        ("return list(map(lambda d: d.value, x.get_shape()))", "return list(map(lambda d: d, x.get_shape()))"),
        ("return filter(lambda d: d.value > 1, x.shape)", "return filter(lambda d: d > 1, x.shape)"),
        ("return map(lambda a, d: d.value, y, x.shape)", "return map(lambda a, d: d, y, x.shape)"),
        ("return x.state_size[0].value", "return tf.compat.dimension_value(x.state_size[0])"),
        ("for n in y.input_shape: print(n.value)", "for n in y.input_shape: print(tf.compat.dimension_value(n))"),
        ("dim = y.size(); return dim.value", "dim = y.size(); return tf.compat.dimension_value(dim)"),
    ],
)
def test_entries_of_shapes(before: str, after: str) -> None:
    becomes(body(before), body(after))


@pytest.mark.parametrize(
    "line",
    [
        "return x.value",
        "return x.value()",
        "return config.value.shape[0]",
        "return x.shape.dims[0].value",
        "return x.get_shape().as_list()[0]",
        "return y.float_list.value[0]",
        "return [s.value for s in y.summary]",
        "x.shape[0].value = 3",
        "n = x.shape[0]; n = y; return n.value",
        "for n in y: print(n.value)",
        "return max(y, key=lambda item: item.value)",
        "return y[0].value",
        "return [s.value for s in y.output_sizes()]",
        "return [s.value for s in y.font_size]",
        "return x.shape[1:].value",
        "return list(map(lambda d: d.value, y))",
        "return map(lambda a, d: a.value, y, x.shape)",
        "return sorted(x.shape, key=lambda d: d.value)",
        "return map(lambda a, *d: d.value, y, x.shape)",
        "return str(x) == '?'",
        "return str(x.shape[0]) == '-1'",
        "return str(x.shape[0]) < '?'",
        "return str(x.shape) != '?'",
    ],
)
def test_other_values(line: str) -> None:
    unchanged(body(line))
