"""Deprecation marks warn once, and names lose and gain their scopes."""

from __future__ import annotations

from typing import Any

import pytest

import compat

framework = compat.contrib.framework


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(compat.logging, "warning", lambda text, *values: said.append(text % values))
    return said


def test_a_deprecated_function(warnings: list[str]) -> None:
    @framework.deprecated("2020-01-31", "Use new.")
    def old(number: int) -> int:
        """Doc."""
        return number + 1

    assert [old(1), old(2)] == [2, 3]
    assert warnings == ["old will be removed after 2020-01-31. Use new."]
    assert old.__doc__ == "Doc."


def test_deprecated_arguments(warnings: list[str]) -> None:
    @framework.deprecated_args(None, "Leave it out.", "colour", warn_once=False)
    @framework.deprecated_arg_values(None, "Use 2.", coats=1)
    def paint(what: str, colour: Any = None, coats: int = 2) -> str:
        return what

    paint("door")
    assert warnings == []
    paint("door", "red")
    paint("door", coats=1)
    assert warnings == [
        "paint: colour will be removed in a future version. Leave it out.",
        "paint: coats=1 will be removed in a future version. Use 2.",
    ]


def test_names() -> None:
    assert framework.strip_name_scope("a/b/c", "a/b") == "c"
    assert framework.strip_name_scope("^a/b", "a/") == "^b"
    assert framework.strip_name_scope("ab/c", "a") == "ab/c"
    assert framework.strip_name_scope("x", None) == "x"
    assert framework.prepend_name_scope("b", "a/") == "a/b"
    assert framework.prepend_name_scope("loc:@b", "a") == "loc:@a/b"
    assert framework.prepend_name_scope("b", "") == "b"
    with compat.VariableStore(), compat.name_scope("outer"), compat.name_scope("inner"):
        assert framework.get_name_scope() == "outer/inner"
