"""An array beside an empty list: NumPy 1 said False, and so does what the comparison becomes."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.engine import becomes, migrated, unchanged

HEAD = "import numpy as np\n\ndef f(a=[], b=None, *, c=[]):\n    d = np.ones(3)\n    "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if a == []: return 1", "if isinstance(a, list) and a == []: return 1"),
        ("while [] == c: c = b", "while isinstance(c, list) and [] == c: c = b"),
        ("return 1 if not d == [] else 2", "return 1 if not (isinstance(d, list) and d == []) else 2"),
        ("assert a or b == []", "assert a or (isinstance(b, list) and b == [])"),
    ],
)
def test_only_the_truth_counts(before: str, after: str) -> None:
    becomes(f"{HEAD}{before}\n", f"{HEAD}{after}\n")


@pytest.mark.parametrize("line", ["return a == []", "if a != []: return 1", "print(d == [])"])
def test_other_uses_are_told(line: str) -> None:
    (finding,) = migrated(f"{HEAD}{line}\n").findings
    assert (finding.rule, finding.action, finding.line) == ("TFM131", "manual", 5)


@pytest.mark.parametrize(
    "code",
    [
        "def f(words):\n    return words == []\n",
        "def f(n=1):\n    words = []\n    return n == [] or words == [] or n == [1] or n is []\n",
        f"{HEAD}return isinstance(a, list) and a == []\n",
    ],
)
def test_what_is_no_array_stays(code: str) -> None:
    unchanged(code)


def test_an_attribute_that_holds_an_array() -> None:
    head = "import numpy as np\n\nclass A:\n    def __init__(self):\n        self.x = np.zeros(2)\n\n    def f(self):\n"
    becomes(
        f"{head}        if self.x == []: return 1\n",
        f"{head}        if isinstance(self.x, list) and self.x == []: return 1\n",
    )


@pytest.mark.parametrize("value", [[], [1.0], np.ones([3, 2]), np.ones(5), None, ()])
def test_it_says_what_numpy_1_said(value: object) -> None:
    code = migrated("import numpy as np\n\ndef f(a=[]):\n    if a == []: return True\n    return False\n").text
    names: dict[str, object] = {}
    exec(re.sub("import numpy as np", "", code), names)
    assert names["f"](value) is (isinstance(value, list) and not value)  # type: ignore[operator]
