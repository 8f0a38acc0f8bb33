"""The programs in docs/steps.md print what it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "steps.md"


def test_the_programs_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_tensorflow: None) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```(python|text)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert [kind for kind, _ in blocks] == ["python", "text", "python", "text", "python"]
    names: dict[str, object] = {}
    printed = ""
    for kind, text in blocks:
        if kind == "text":
            assert printed == text
            continue
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec(compile(text, str(PAGE), "exec"), names)
        printed = told.getvalue()
