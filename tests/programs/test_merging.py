"""What several programs make of one module, put together."""

from __future__ import annotations

import ast

import pytest

from tf_migrate.changes.edits import Edit
from tf_migrate.files.source import Source
from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Index
from tf_migrate.programs.joining import Apart
from tf_migrate.programs.merging import Lines, Piece, lines_of, merged
from tf_migrate.rules import Change
from tf_migrate.syntax.module import load

TEXT = """SIZE = 3


def one():
    return 1


# The second.
def two():
    return 2


if __name__ == "__main__":
    print(two())
"""
MODULE = load(Source("model.py", b"", TEXT, "utf-8", bom=False))
NAMES = Names(MODULE, Index([("model", False)], {}))
PLACES: dict[str, Lines] = {
    name: next(iter(lines_of(MODULE, [node])))
    for name, node in zip(("size", "one", "two", "guard"), MODULE.tree.body, strict=True)
}


def _piece(script: str, *edits: Edit, left: tuple[str, ...] = ()) -> Piece:
    changes = tuple(Change(None, (edit,)) for edit in edits)
    return Piece(script, changes, (), 0, frozenset(PLACES[name] for name in left), "compat", "tf")


def _becomes(before: str, after: str) -> Edit:
    start = TEXT.index(before)
    return Edit(start, start + len(before), after)


def _before(text: str, new: str) -> Edit:
    return Edit(TEXT.index(text), TEXT.index(text), new, line=True)


ONE, TWO, GUARD = _becomes("return 1", "return 10"), _becomes("return 2", "return 20"), _becomes("print", "tell")


def test_each_program_gives_what_it_alone_reads() -> None:
    train = _piece("train.py", ONE, left=("two", "guard"))
    own = _piece("model.py", TWO, GUARD, left=("one",))
    expected = TEXT.replace("return 1", "return 10").replace("return 2", "return 20").replace("print", "tell")
    assert merged(NAMES, [train, own]).text == merged(NAMES, [own, train]).text == expected
    ast.parse(expected)


def test_what_is_the_same_in_both_is_made_once() -> None:
    added = _before("def one", "COUNT = 0\n\n\n")
    expected = TEXT.replace("return 1", "return 10").replace("def one", "COUNT = 0\n\n\ndef one")
    both = [_piece("train.py", added, ONE, left=("guard",)), _piece("model.py", added, ONE)]
    assert merged(NAMES, both).text == expected


DIFFERENT = {
    "both read it": ((ONE,), (_becomes("return 1", "return 11"),), (), ("guard",)),
    "one of them leaves it as it is": ((ONE,), (), (), ("guard",)),
    "a line before what the other one leaves": ((_before("def one", "COUNT = 0\n"),), (), (), ("one", "guard")),
    "a line behind what the other one leaves": ((_before("\n\n# The", "\nCOUNT = 0\n"),), (), (), ("one", "guard")),
    "a comment above what the other one leaves": ((_becomes("second", "2nd"),), (), (), ("two", "guard")),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_refused_where_programs_differ(name: str) -> None:
    own, others, left, others_left = DIFFERENT[name]
    pieces = [_piece("model.py", *own, left=left), _piece("train.py", *others, left=others_left)]
    for given in (pieces, pieces[::-1]):
        with pytest.raises(Apart, match="need different code in"):
            merged(NAMES, given)


def test_refused_where_the_shims_have_several_names() -> None:
    other = Piece("train.py", (), (), 0, frozenset(), "shims", "tf")
    with pytest.raises(Apart, match="need different code"):
        merged(NAMES, [_piece("model.py"), other])


BEYOND = {
    "from a comment on": _becomes("# The second.\ndef two", "def two"),
    "to what follows": _becomes("return 2\n\n\nif __name__", "return 3\n\n\nif __name__"),
}


@pytest.mark.parametrize("name", BEYOND)
def test_refused_where_a_change_goes_beyond_what_others_leave(name: str) -> None:
    with pytest.raises(Apart, match="a change goes beyond"):
        merged(NAMES, [_piece("model.py", BEYOND[name]), _piece("train.py", left=("two",))])


MORE = {
    "a second statement": _becomes("return 1\n", "return 1\n\n\nCOUNT = one()\n"),
    "another function": _becomes("one()", "first()"),
    "nothing": _becomes("def one():\n    return 1\n\n\n", ""),
    "another value": _becomes("SIZE = 3", "SIZE = 4"),
    "another condition": _becomes('"__main__"', '"model"'),
}


@pytest.mark.parametrize("name", MORE)
def test_refused_where_a_statement_becomes_more_than_it_is(name: str) -> None:
    with pytest.raises(Apart, match="would become more than it is"):
        merged(NAMES, [_piece("model.py", MORE[name]), _piece("train.py", left=("size", "one", "guard"))])


def test_refused_where_no_program_reads_the_guard() -> None:
    with pytest.raises(Apart, match="is a script as well"):
        merged(NAMES, [_piece("train.py", left=("guard",)), _piece("other.py", left=("one", "guard"))])
