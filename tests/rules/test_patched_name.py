"""Functions of TensorFlow that tests replace are named in strings, which follow the calls."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated, unchanged


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('mock.patch("tensorflow.get_variable", f)', 'mock.patch("compat.get_variable", f)'),
        ("patch('tensorflow.layers.dense')", "patch('compat.layers.dense')"),
        ('mock.patch("tensorflow.Session.run", f)', 'mock.patch("compat.Session.run", f)'),
        ('mock.patch("tensorflow.log", f)', 'mock.patch("tensorflow.math.log", f)'),
        ('monkeypatch.setattr("tensorflow.train.Saver", f)', 'monkeypatch.setattr("compat.train.Saver", f)'),
    ],
)
def test_paths(before: str, after: str) -> None:
    text = "import tensorflow as tf\n\n\ndef test(mock, patch, monkeypatch, f):\n    {}\n"
    becomes(text.format(before), text.format(after))


@pytest.mark.parametrize("call", ['mock.patch.object(tf, "placeholder", f)', 'monkeypatch.setattr(tf, "Session", f)'])
def test_objects(call: str) -> None:
    text = "import tensorflow as tf\n{}\n\ndef test(mock, monkeypatch, f):\n    {}\n"
    becomes(text.format("", call), text.format("import compat\n", call.replace("tf,", "compat,")))


@pytest.mark.parametrize(
    "call",
    [
        'mock.patch("tensorflow.matmul", f)',
        'mock.patch("numpy.zeros", f)',
        'mock.patch.object(tf, "matmul", f)',
        'text.replace("tensorflow.get_variable", f)',
        "mock.patch(name, f)",
    ],
)
def test_what_stays(call: str) -> None:
    unchanged(f"import tensorflow as tf\n\n\ndef test(mock, text, name, f):\n    {call}\n")


@pytest.mark.parametrize(
    "call",
    [
        'mock.patch("tensorflow.reduce_sum", f)',
        'mock.patch.object(tf, "log", f)',
        'mock.patch("tensorflow.nothing", f)',
    ],
)
def test_what_a_person_decides(call: str) -> None:
    code = f"import tensorflow as tf\n\n\ndef test(mock, f):\n    {call}\n"
    result = migrated(code)
    assert result.text == code
    assert [(finding.rule, finding.action) for finding in result.findings] == [("TFM139", "manual")]


def test_code_of_tensorflow_2_stays() -> None:
    unchanged('import tensorflow as tf\n\n\n@tf.function\ndef f(mock):\n    mock.patch("tensorflow.matmul")\n')
