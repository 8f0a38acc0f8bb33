"""`tf.print` of symbolic Keras tensors: where a layer that prints can take its place."""

from __future__ import annotations

import pytest
import tensorflow as tf

from tests.engine import migrated

HEAD = """\
import tensorflow as tf

image = tf.keras.Input(shape=(2,))
x = tf.keras.layers.ReLU()(image)
"""


def mended(code: str) -> str:
    result = migrated(HEAD + code + "\nmodel = tf.keras.Model(image, x)\n", advice=True, select=("TFM432",))
    assert [finding.rule for finding in result.findings] == ["TFM432"]
    return result.text.split("(image)\n", 1)[1].rsplit("\nmodel", 1)[0]


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("tf.print(x)", "x = compat.keras.print_tensor(x)"),
        ("tf.print('x =', x)", "x = compat.keras.print_tensor(x, 'x =')"),
        ("tf.print('x =', x, summarize=-1)  # all", "x = compat.keras.print_tensor(x, 'x =', summarize=-1)  # all"),
    ],
)
def test_statements_become_layers(code: str, after: str) -> None:
    assert mended(code) == after


@pytest.mark.parametrize(
    "code",
    [
        "tf.print(image)",
        "tf.print(x, 'is x')",
        "tf.print('a', 'b', x)",
        "tf.print(x, x)",
        "tf.print(x, end='')",
        "printing = tf.print(x)",
    ],
)
def test_others_are_told_and_left(code: str) -> None:
    assert mended(code) == code


def test_the_mended_program_prints_at_each_run(capfd: pytest.CaptureFixture[str]) -> None:
    code = HEAD + "tf.print('seen', x)\nmodel = tf.keras.Model(image, x)\n"
    module: dict[str, object] = {}
    exec(migrated(code, advice=True, select=("TFM432",)).text, module)
    assert "seen" not in capfd.readouterr().err
    for _ in range(2):
        module["model"](tf.constant([[-1.0, 3.0]]))
    assert capfd.readouterr().err.count("seen [[0 3]]") == 2
