"""Bytes in, the same bytes out; and clear words where that cannot be."""

from __future__ import annotations

import ast
import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tf_migrate.files.source import SourceError, parse, read


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"x = 1\n",
        b"x = 1",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\r\ny = 2\nz = 3\r\r\n",
        codecs.BOM_UTF8 + b"x = 1\n",
        codecs.BOM_UTF8 + b"# -*- coding: utf-8 -*-\r\nx = 1\n",
        "# -*- coding: latin-1 -*-\nname = 'Grün'\n".encode("latin-1"),
        "#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\ns = '€'\n".encode("cp1252"),
        "s = '日本語 \U0001f600'\n".encode(),
        b"x = 1\x0c\ny = 2\n",
    ],
)
def test_round_trip(raw: bytes) -> None:
    source = read("a.py", raw)
    assert source.encode(source.text) == raw
    edited = source.encode(source.text + "# end\n")
    assert edited == raw + b"# end\n"
    assert read("a.py", edited).text == source.text + "# end\n"


@given(st.text(alphabet=st.sampled_from("aé日\U0001f600 \t\r\n\f\v#'=\x1c\u2028")))
def test_any_text_round_trips(text: str) -> None:
    raw = text.encode()
    assert read("a.py", raw).encode(text) == raw


def test_positions_are_characters_though_ast_counts_bytes() -> None:
    source = read(
        "a.py", "é = 'ü日'; x = f(\U0001f600_ := 1) if 0 else é\r\ny = é.ü\r\n".replace("\U0001f600_", "ß").encode()
    )
    tree = parse(source)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    assert {source.segment(node) for node in names} == {"é", "x", "f", "ß", "y"}
    attribute = next(node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    assert source.segment(attribute) == "é.ü"
    assert source.line_of(source.start(attribute)) == 2


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_pythons_lines(newline: str) -> None:
    source = read("a.py", newline.join(["a = 1", "b = '\x0b\x1c\u2028'", "c = 3"]).encode())
    statements = parse(source).body
    assert [source.segment(node) for node in statements] == ["a = 1", "b = '\x0b\x1c\u2028'", "c = 3"]
    assert source.line_text(3) == "c = 3"


def test_the_commonest_newline_is_for_new_lines() -> None:
    assert read("a.py", b"a\r\nb\r\nc\n").newline == "\r\n"
    assert read("a.py", b"a\r\nb\nc\n").newline == "\n"
    assert read("a.py", b"a\rb\rc\r").newline == "\r"
    assert read("a.py", b"").newline == "\n"


@pytest.mark.parametrize(
    ("raw", "line", "reason"),
    [
        (b"\x7fELF\x00\x00", 1, "binary"),
        (b"x = 1\ns = '\xe9'\n", 2, "0xe9 is not valid utf-8"),
        (b"# coding: klingon\n", 1, "encoding"),
    ],
)
def test_unreadable(raw: bytes, line: int, reason: str) -> None:
    with pytest.raises(SourceError, match=reason) as caught:
        read("a.py", raw)
    assert caught.value.line == line
    assert caught.value.next_step


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("x = 1\nprint 'a'\n", 2),
        ("print '%s' % x, 1\n", 1),
        ("exec 'x'\n", 1),
        ("try:\n    f()\nexcept E, e:\n    pass\n", 3),
        ("raise E, 'x'\n", 1),
        ("x = 0777\n", 1),
        ("x = 10L\n", 1),
        ("if a <> b:\n    pass\n", 1),
        ("x = `y`\n", 1),
        ("x = ur'a'\n", 1),
        ("f = lambda (a, b): a\n", 1),
        ("def f(a, (b, c)):\n    pass\n", 1),
    ],
)
def test_python_2_is_told_apart(code: str, line: int) -> None:
    with pytest.raises(SourceError, match="Python 2") as caught:
        parse(read("a.py", code.encode()))
    assert caught.value.line == line
    assert "2to3" in caught.value.next_step


@pytest.mark.parametrize("code", ["x = (1\n", "def f(:\n    pass\n", "x = 'a\n", "return = 3\n", "print(1\n"])
def test_mistakes_are_not_python_2(code: str) -> None:
    with pytest.raises(SourceError, match="syntax error"):
        parse(read("a.py", code.encode()))


def test_deep_nesting_has_a_message() -> None:
    with pytest.raises(SourceError):
        parse(read("a.py", b"x = " + b"(" * 5000 + b"1" + b")" * 5000))
