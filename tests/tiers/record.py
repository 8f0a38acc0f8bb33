"""The record of the last run of all tests, which `make test-all` writes at the end of docs/tests.md."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.tiers.uses import ROOT

HEADING = "## The last run of `make test-all`\n"


class Record:
    """Counts what becomes of each test, and writes it down once all have run."""

    def __init__(self, page: Path) -> None:
        self._page = page
        self._began = time.monotonic()
        self._found: dict[str, str] = {}
        self._in_tensorflow_1: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self._found[report.nodeid] = report.outcome
        if "tf1" in report.keywords:
            self._in_tensorflow_1.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._found[report.nodeid] = report.outcome

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            text = self._page.read_text(encoding="utf-8")
            self._page.write_text(with_record(text, self._rows()), encoding="utf-8")

    def _rows(self) -> dict[str, str]:
        with_tensorflow_1 = Counter(self._found[name] for name in self._in_tensorflow_1)
        return {
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
            "commit": commit(ROOT),
            "tests": _told(Counter(self._found.values())),
            "of these in TensorFlow 1.15.5": _told(with_tensorflow_1),
            "took": f"{(time.monotonic() - self._began) / 60:.0f} minutes",
            "on": f"{os.cpu_count()} cores, Python {platform.python_version()}",
        }


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[outcome]:,} {outcome}" for outcome in ("passed", "failed", "skipped"))


def commit(folder: Path) -> str:
    """The commit that is checked out in a folder, and whether files differ from it."""

    def told(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    changed = told("status", "--porcelain", "--untracked-files=no")
    return told("rev-parse", "--short=12", "HEAD") + (", and changes that are not committed" if changed else "")


def with_record(page: str, rows: dict[str, str]) -> str:
    """The page with another record, which is its end."""
    text, heading, _ = page.partition(HEADING)
    assert heading, "the page has no place for the record"
    table = "".join(f"| {name} | {value} |\n" for name, value in rows.items())
    return f"{text}{HEADING}\n| | |\n| --- | --- |\n{table}"
