"""What datasets lost is asked of `compat.data`; attributes of other things stay."""

from __future__ import annotations

import pytest

from tests.engine import becomes, unchanged


def body(line: str, compat: bool = False) -> str:
    return (
        f"import tensorflow as tf\n{'import compat' + chr(10) if compat else ''}\ndef f(dataset, model):\n    {line}\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return dataset.make_one_shot_iterator()", "return compat.data.make_one_shot_iterator(dataset)"),
        (
            "return dataset.make_one_shot_iterator().get_next()",
            "return compat.data.make_one_shot_iterator(dataset).get_next()",
        ),
        (
            "return dataset.batch(2).make_initializable_iterator(shared_name='it')",
            "return compat.data.make_initializable_iterator(dataset.batch(2), shared_name='it')",
        ),
        ("return (dataset.batch(2)\n        .repeat()\n        .make_one_shot_iterator())", None),
        (
            "return tf.data.Iterator.from_structure(model.output_types, output_shapes=model.output_shapes)",
            "return compat.data.Iterator.from_structure(compat.data.get_output_types(model), "
            "output_shapes=compat.data.get_output_shapes(model))",
        ),
        ("return dataset.output_types", "return compat.data.get_output_types(dataset)"),
        (
            "d = tf.data.Dataset.range(3); return d.output_shapes",
            "d = tf.data.Dataset.range(3); return compat.data.get_output_shapes(d)",
        ),
        (
            "d = tf.data.Dataset.range(3).batch(2); return d.output_types",
            "d = tf.data.Dataset.range(3).batch(2); return compat.data.get_output_types(d)",
        ),
        (
            "return tf.data.Dataset.range(3).batch(2).output_classes",
            "return compat.data.get_output_classes(tf.data.Dataset.range(3).batch(2))",
        ),
    ],
)
def test_methods_of_datasets(before: str, after: str | None) -> None:
    if after is None:
        after = "return (compat.data.make_one_shot_iterator(dataset.batch(2)\n        .repeat()))"
    becomes(body(before), body(after, compat=True))


@pytest.mark.parametrize(
    "line",
    [
        "return model.output_shapes",
        "return model.output_types[0]",
        "return tf.reshape(dataset, model.output_shapes)",
        "dataset.output_types = 3",
        "return dataset.make_one_shot_iterator",
        "return dataset.get_next()",
        "return model.output_classes",
    ],
)
def test_other_attributes(line: str) -> None:
    unchanged(body(line))


def test_a_dataset_that_grows_under_its_name() -> None:
    program = """\
import tensorflow as tf

rows = tf.data.Dataset.range(3)
rows = rows.map(lambda x: x + 1).filter(lambda x: x > 1)
rows = rows.repeat()
pairs = rows.batch(2)
print({shown})
"""
    after = program.replace("tf\n", "tf\nimport compat\n", 1)
    shown = "compat.data.get_output_shapes(pairs), compat.data.get_output_types(rows)"
    becomes(program.format(shown="pairs.output_shapes, rows.output_types"), after.format(shown=shown))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "return [part.output_types for part in parts]",
            "return [compat.data.get_output_types(part) for part in parts]",
        ),
        ("return parts['a'].output_shapes", "return compat.data.get_output_shapes(parts['a'])"),
        ("return make(3).output_classes", "return compat.data.get_output_classes(make(3))"),
    ],
)
def test_what_a_pipeline_was_handed(before: str, after: str) -> None:
    program = "import tensorflow as tf\n\ndef make(n):\n    return tf.data.Dataset.range(n)\n\ndef f(parts):\n    {}\n"
    becomes(program.format(before), program.format(after).replace("tf\n", "tf\nimport compat\n", 1))


@pytest.mark.parametrize("own", ["def output_shapes(self): return 1", "def __init__(self): self.output_shapes = 1"])
def test_attributes_that_the_module_makes_stay(own: str) -> None:
    unchanged(
        f"import tensorflow as tf\n\nclass Net:\n    {own}\n\n"
        "def f(net):\n    return tf.data.Dataset.range(2), net.output_shapes\n"
    )
