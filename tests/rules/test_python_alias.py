"""Names that Python took away become what they stood for."""

from __future__ import annotations

import collections
import importlib

import pytest

from tests.engine import becomes, migrated, unchanged
from tf_migrate.rules import python_alias


def body(line: str, head: str = "import collections, time, base64") -> str:
    return f"{head}\n\ndef f(x, y):\n    return {line}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("isinstance(x, collections.Mapping)", "isinstance(x, collections.abc.Mapping)"),
        ("time.clock() - y", "time.process_time() - y"),
        ("base64.encodestring(x) + base64.decodestring(y)", "base64.encodebytes(x) + base64.decodebytes(y)"),
        ("[t for t in x if t.isAlive()]", "[t for t in x if t.is_alive()]"),
        ("x.assertEquals(1, y) or x.assertRaisesRegexp(y, 'a')", "x.assertEqual(1, y) or x.assertRaisesRegex(y, 'a')"),
    ],
)
def test_names_become_what_they_stood_for(before: str, after: str) -> None:
    becomes(body(before), body(after))


def test_imports_of_names() -> None:
    head = "from collections import {}\n\n\ndef f(x):\n    return isinstance(x, Sequence)\n"
    becomes(head.format("Mapping as M, Sequence"), head.format("Mapping as M, Sequence").replace("ions", "ions.abc"))
    (finding,) = migrated(head.format("Sequence, OrderedDict")).findings
    assert (finding.rule, finding.action, finding.line) == ("TFM146", "manual", 1)
    unchanged(head.format("OrderedDict, namedtuple"))


@pytest.mark.parametrize("path", python_alias._GONE)
def test_what_has_no_exact_successor_is_told(path: str) -> None:
    (finding,) = migrated(body(f"{path}(x)", f"import {path.partition('.')[0]}")).findings
    assert (finding.rule, finding.action) == ("TFM146", "manual")


def test_other_names_stay() -> None:
    unchanged(body("x.clock(), collections.OrderedDict(y), x.isAlive"))
    unchanged(body("collections.Mapping", "import mine as collections"))
    unchanged(f"{body('x.isAlive()')}\n\nclass Player:\n    def isAlive(self):\n        return True\n")


def test_what_it_names_is_there() -> None:
    for path, new in python_alias._NAMES.items():
        owner = importlib.import_module(path.partition(".")[0])
        for word in new.split("."):
            owner = getattr(owner, word)
    assert isinstance([], collections.abc.Sequence)
