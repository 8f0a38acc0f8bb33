"""The examples in the docstrings of compat run, and give what they show.

Each begins with `np`, `tf`, `compat`, the names of its module and an empty `store`, in a folder of its own.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.bridge.graph import current_graph
from tests.compat.keras2.process import EXAMPLES

_FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class _Checker(doctest.OutputChecker):
    """Takes the numbers of NumPy 1, which are written without their types, for those of NumPy 2."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(_untyped(want), _untyped(got), optionflags)


def _untyped(written: str) -> str:
    return re.sub(r"np\.\w+\(([^()]*)\)", r"\1", re.sub(r"np\.(True|False)_", r"\1", written))


def _examples() -> Iterator[doctest.DocTest]:
    finder = doctest.DocTestFinder()
    for info in pkgutil.walk_packages(compat.__path__, "compat."):
        if info.name in EXAMPLES:  # tests/compat/keras2/test_standalone.py runs them
            continue
        module = importlib.import_module(info.name)
        names = {**vars(module), "np": np, "tf": tf, "compat": compat}
        yield from (test for test in finder.find(module, info.name, module, names) if test.examples)


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with a file to read; whatever graph an example opens is closed and forgotten."""
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("1,2\n3,4\n")
    yield
    while current_graph() is not None:
        compat.close_graph()
    compat.reset_default_graph()


@pytest.mark.parametrize("example", list(_examples()), ids=lambda example: example.name.removeprefix("compat."))
def test_example(example: doctest.DocTest) -> None:
    told: list[str] = []
    example.globs["store"] = compat.VariableStore()
    failed = doctest.DocTestRunner(_Checker(), optionflags=_FLAGS).run(example, out=told.append).failed
    assert not failed, "".join(told)
