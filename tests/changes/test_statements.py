"""A statement that is taken out leaves no more blank lines than there were, and no empty block."""

from __future__ import annotations

import pytest

from tests.engine import migrated

HEAD = "import tensorflow as tf\n"
SWITCH = "tf.disable_v2_behavior()\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"\n{SWITCH}\nx = 1\n", "\nx = 1\n"),
        (f"\n{SWITCH}\n\ndef f(): 1\n", "\n\ndef f(): 1\n"),
        (f"\n\n{SWITCH}\nx = 1\n", "\n\nx = 1\n"),
        (f"{SWITCH}\nx = 1\n", "\nx = 1\n"),
        (f"\n{SWITCH}x = 1\n", "\nx = 1\n"),
        (f"x = 1\n\n{SWITCH}", "x = 1\n\n"),
        (f"def f():\n    {SWITCH}\n    return 1\n", "def f():\n\n    return 1\n"),
        (f"if x:\n    {SWITCH}y = 1\n", "if x:\n    pass\ny = 1\n"),
        (f"if x:\n    {SWITCH}    {SWITCH}", "if x:\n    pass\n    pass\n"),
        (f"def f():\n    {SWITCH}    main()\n", "def f():\n    main()\n"),
        (f"if x: y = 1; {SWITCH}", "if x: y = 1; pass\n"),
    ],
)
def test_removal(before: str, after: str) -> None:
    assert migrated(HEAD + before).text == HEAD + after
