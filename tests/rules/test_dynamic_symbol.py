"""Names that show only at run time are left to a person; names that are spelled out are not."""

from __future__ import annotations

import pytest

from tests.engine import migrated, refuses, unchanged

HEAD = "import tensorflow as tf\n\ndef f(name):\n    "


@pytest.mark.parametrize(("expression", "symbol"), [("tf.train", "tf.train"), ("tf.nn", "tf.nn"), ("tf", "tf")])
@pytest.mark.parametrize("rest", ["name", "name, None", "name + 'Optimizer'"])
def test_names_known_at_run_time(expression: str, symbol: str, rest: str) -> None:
    found = refuses(HEAD + f"return getattr({expression}, {rest})\n", symbol)
    assert (found.line, found.column, found.rule) == (4, 12, "TFM106")


@pytest.mark.parametrize(
    "line",
    [
        "return getattr(name, 'train')",
        "return getattr(tf.nn, 'relu')",
        "return getattr(tf.keras.datasets, name)",
        "return getattr(tf.float32, name)",
        "return hasattr(tf.nn, name)",
        "getattr = name; return getattr",
    ],
)
def test_other_lookups(line: str) -> None:
    unchanged(HEAD + line + "\n")


def test_namespaces_that_move_as_a_whole() -> None:
    text = migrated(HEAD + "return getattr(tf.logging, name)\n").text
    assert text.endswith("return getattr(compat.logging, name)\n")
