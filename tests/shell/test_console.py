"""The bar on long work: on a terminal, after a while, on standard error only."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tf_migrate.options import Options
from tf_migrate.shell import console


class Terminal:
    """Standard error that says it is a terminal, and keeps what is written."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def work(options: Options) -> None:
    with console.progress("reading", options) as advance:
        for done in range(1, 4):
            advance(done, 3)


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    return made


def test_long_work_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    monkeypatch.setattr(console, "_BAR_AFTER_SECONDS", 0.0)
    work(Options((Path("."),)))
    assert "reading" in terminal.text
    assert "3/3" in terminal.text


def test_short_or_quiet_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    work(Options((Path("."),)))
    monkeypatch.setattr(console, "_BAR_AFTER_SECONDS", 0.0)
    work(Options((Path("."),), verbosity=-1))
    assert terminal.text == ""


def test_without_a_terminal_there_is_no_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "_BAR_AFTER_SECONDS", 0.0)
    work(Options((Path("."),)))
    assert capsys.readouterr() == ("", "")


def test_paths_are_shown_as_the_user_would_type_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert console._prefix(tmp_path) == ""
    assert console._prefix(tmp_path / "src") == "src/"
    assert console._prefix(tmp_path.parent / "other") == f"{tmp_path.parent}/other/"
