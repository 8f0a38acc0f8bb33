"""Values that a script takes from other modules of the tree: none may be a part of a graph, or change before a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.trees import printed, reasons, rewritten, tiers

TRAIN = """import tensorflow as tf
import sizes

x = tf.placeholder(tf.float32, [])
y = x * sizes.N
sizes.note()
with tf.Session() as sess:
    print(sess.run(y, {x: 1.0}))
"""
SIZES = "N = 3\n\n\ndef note():\n    print('noted')\n"
# What TensorFlow 1.15.5 prints, for what is refused too: it computes with what the name meant when the graph was built.
PRINTED = "noted\n3.0\n"
FROM = TRAIN.replace("import sizes", "from sizes import N, note").replace("sizes.", "")
COUNTED = SIZES.replace("    print", "    global N\n    N += 1\n    print")
MADE = "import tensorflow as tf\n\nN = tf.constant(3.0)\n" + SIZES.partition("\n")[2]
OPS = """import tensorflow as tf
from sizes import N


def times(value):
    return tf.identity(value) * N
"""

BUILT = TRAIN.replace("import sizes", "import ops\nimport sizes").replace("x * sizes.N", "ops.times(x)")


@pytest.mark.parametrize(
    "texts",
    [
        {"train.py": TRAIN, "sizes.py": SIZES},
        {"train.py": FROM, "sizes.py": SIZES},
        {"train.py": FROM, "sizes.py": COUNTED},
        {"train.py": FROM, "sizes.py": SIZES.replace("N = 3", "N = 1\nN = N + 2")},
    ],
    ids=["of a module", "imported", "imported before it changes", "bound twice as the module is imported"],
)
def test_values_that_stay_what_they_are(tmp_path: Path, texts: dict[str, str]) -> None:
    outcome = rewritten(tmp_path, texts)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == PRINTED


REFUSED = {
    "a function of the module binds it anew": ({"train.py": TRAIN, "sizes.py": COUNTED}, "is computed while"),
    "another module binds it anew": (
        {"train.py": TRAIN, "sizes.py": SIZES, "other.py": "import sizes\n\nsizes.N = 5\n"},
        "is computed while",
    ),
    "another module gets the module": (
        {
            "train.py": TRAIN.replace("sizes.note()", "other.change(sizes)").replace(
                "import sizes", "import other, sizes"
            ),
            "sizes.py": SIZES,
            "other.py": "def change(given):\n    given.N = 5\n    given.note()\n",
        },
        "is computed while",
    ),
    "a tensor of a module": ({"train.py": TRAIN, "sizes.py": MADE}, "may be a part of a graph"),
    "a tensor that is imported": ({"train.py": FROM, "sizes.py": MADE}, "may be a part of a graph"),
    "a variable that is imported": (
        {"train.py": FROM, "sizes.py": MADE.replace("constant", "Variable")},
        "may be a part of a graph",
    ),
    "a tensor that the module of a builder imports": (
        {
            "train.py": TRAIN.replace("import sizes", "import ops\nimport sizes").replace(
                "x * sizes.N", "ops.times(x)"
            ),
            "ops.py": OPS,
            "sizes.py": MADE,
        },
        "of another module",
    ),
    "a value that the module of a builder reads, and that changes": (
        {
            "train.py": BUILT,
            "ops.py": OPS.replace("from sizes import N", "import sizes").replace("* N", "* sizes.N"),
            "sizes.py": COUNTED,
        },
        "is computed while",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    texts, reason = REFUSED[name]
    outcome = rewritten(tmp_path, texts)
    assert "native" not in tiers(outcome), (tmp_path / "train.py").read_text()
    assert any(reason in found for found in reasons(outcome)), reasons(outcome)


LISTED = TRAIN.replace("import sizes", "import sizes\nfrom sizes import NUMBERS").replace("sizes.N", "NUMBERS[0]")
NUMBERS = "NUMBERS = [3.0, 4.0]\n" + SIZES


def test_a_list_of_another_module(tmp_path: Path) -> None:
    outcome = rewritten(tmp_path, {"train.py": LISTED, "sizes.py": NUMBERS})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == PRINTED


@pytest.mark.parametrize(
    ("train", "sizes"),
    [
        (LISTED.replace("sizes.note()", "sizes.NUMBERS[0] = 9.0"), NUMBERS),
        (LISTED.replace("sizes.note()", "NUMBERS.reverse()"), NUMBERS),
        (LISTED, NUMBERS.replace("    print", "    NUMBERS[0] = 9.0\n    print")),
    ],
    ids=["changed as an attribute", "changed by its name", "changed in its module"],
)
def test_a_list_of_another_module_that_may_change(tmp_path: Path, train: str, sizes: str) -> None:
    outcome = rewritten(tmp_path, {"train.py": train, "sizes.py": sizes})
    assert tiers(outcome) == {"bridge"}
    assert any("is computed while the graph is built" in reason for reason in reasons(outcome)), reasons(outcome)
