"""Files indented with tabs are read with spaces, and written with tabs: what is not touched keeps every byte."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tf_migrate.files.source import Source, parse, read
from tf_migrate.syntax.module import load

CODE = (
    b'def f(a):\n\tif a:\n\t\treturn (a +\n\t\t        1)\n\n\t\n\ts = """\n\tas it is\n    """\n\t# and\n\treturn s\n'
)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_lines_that_are_not_touched_keep_their_bytes(newline: bytes) -> None:
    raw = CODE.replace(b"\n", newline)
    source = read("a.py", raw)
    assert "    if a:" in source.text
    assert "\n\tas it is" in source.text
    assert source.encode(source.text) == raw
    ends = b"# end" + newline
    assert source.encode(source.text + ends.decode()) == raw + ends


def test_lines_that_are_made_are_indented_with_tabs() -> None:
    source = read("a.py", CODE)
    made = source.encode(
        source.text.replace("if a:", "if a > 0:").replace("    # and\n", "    while a:\n        a -= 1\n")
    )
    assert made == CODE.replace(b"if a:", b"if a > 0:").replace(b"\t# and\n", b"\twhile a:\n\t\ta -= 1\n")


@pytest.mark.parametrize(
    "code",
    [
        "if a:\n\tb = 1\nif c:\n    d = 1\n",
        "if a:\n  \tb = 1\n\tc = 1\n",
        "if a:\n\tb = (1 +\n\t\t1)\n\tc = (1 +\n        1)\n",  # two lines that read the same
        'if a:\n\tb = """\n',
        "s = 'a\tb'\nif a:\n    b = 1\n",
    ],
)
def test_what_mixes_both_or_is_no_code_is_read_as_it_is(code: str) -> None:
    assert read("a.py", code.encode()).text == code


def test_places_are_those_of_the_file() -> None:
    source = read("a.py", b"if a:\r\n\tif b:\r\n\t\tc = dd(1)\r\n")
    module = load(source)
    calls = [node for node in module.parents if getattr(node, "id", "") == "dd"]
    assert [module.position(node) for node in calls] == [(3, 7)]  # type: ignore[arg-type]
    assert [source.place(3, column) for column in (1, 4, 5, 9)] == [(3, 1), (3, 1), (3, 2), (3, 3)]


@given(
    st.lists(
        st.sampled_from(["if a:", "a = 1", "b = (1 +", "1)", "# c", '"""', "", "\t", "    ", "  ", "\t\t"]), max_size=9
    )
)
def test_any_lines_round_trip(parts: list[str]) -> None:
    raw = "".join(part if part.isspace() or not part else part + "\n" for part in parts).encode()
    source = read("a.py", raw)
    assert source.encode(source.text) == raw
    assert source.encode(source.text + "# end\n").endswith(b"# end\n")
    if source.tabs is not None:
        _same_meaning(raw.decode(), source)


def _same_meaning(text: str, source: Source) -> None:
    try:
        before = ast.parse(text)
    except SyntaxError:
        return
    assert ast.dump(parse(source)) == ast.dump(before)
