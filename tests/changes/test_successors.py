"""What would replace a shim: by the longest name known."""

from __future__ import annotations

import pytest

from tf_migrate.changes.successors import _SUCCESSORS, successor
from tf_migrate.facts.shims import installed


@pytest.mark.parametrize(
    ("shim", "words"),
    [
        ("compat.app.run", "absl.app"),
        ("compat.app.flags.DEFINE_string", "absl.flags"),
        ("compat.train.Saver", "tf.train.Checkpoint"),
        ("compat.train.AdamOptimizer", "keep: tf.keras.optimizers compute other numbers"),
        ("compat.truncated_normal_initializer", "tf.keras.initializers"),
        ("compat.global_variables_initializer", "native"),
        ("compat.nn.ctc_beam_search_decoder", "keep"),
    ],
)
def test_the_longest_name_counts(shim: str, words: str) -> None:
    assert words in successor(shim)


def test_every_name_in_the_table_is_a_shim() -> None:
    assert [name for name in _SUCCESSORS if name and not installed().has(name)] == []


def test_a_longer_path_reads_from_the_shim_inside_it() -> None:
    assert installed().of("compat.train.Saver.restore") == "compat.train.Saver"
    assert installed().of("compat.no_such_shim") is None
