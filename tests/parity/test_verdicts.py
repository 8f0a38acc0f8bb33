"""The verdict on programs that did not come to their end, from what their processes leave behind."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tf_migrate.parity.analysis import Analysis
from tf_migrate.parity.failure import failure
from tf_migrate.parity.judge import Judge
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.process import Ended, run
from tf_migrate.parity.record import Record
from tf_migrate.parity.scenario import Scenario
from tf_migrate.report.model import Site, SiteKind

WELL: dict[str, Any] = {"error": None, "status": 0, "outside": []}


def error(kind: str, message: str = "", place: list[Any] | None = None, missing: str | None = None) -> dict[str, Any]:
    return {**WELL, "error": {"type": kind, "message": message, "place": place, "missing": missing}, "status": 70}


@pytest.mark.parametrize("who", ["original", "migrated"])
@pytest.mark.parametrize(
    ("ended", "outcome", "kind", "said"),
    [
        (Ended("timeout", -9, 30.0), None, "timed out", "did not end within 30 s"),
        (Ended("memory", -9, 3.0), None, "ran out of memory", "did not end within 512 MB"),
        (Ended("ended", -11, 3.0), None, "failed", "was killed by SIGSEGV"),
        (Ended("ended", 2, 3.0), {**WELL, "status": 2}, "failed", "ended with exit status 2: cannot go on"),
        (
            Ended("ended", 70, 3.0),
            error("ValueError", "bad\nvalue", ["a.py", 3]),
            "failed",
            "ValueError at a.py:3: bad",
        ),
        (Ended("ended", 70, 3.0), error("ImportError", missing="scipy"), "failed", "needs the package `scipy`"),
    ],
)
def test_a_program_that_does_not_end_well(
    who: str, ended: Ended, outcome: dict[str, Any] | None, kind: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "stdout.txt").write_text("at work\ncannot go on\n")
    (tmp_path / "stderr.txt").write_text("")
    if outcome is not None:
        (tmp_path / "outcome.json").write_text(json.dumps(outcome))
    verdict = failure(who, Record(tmp_path, ended), Scenario(seconds=30, megabytes=512), Legacy(None))
    assert verdict is not None and verdict.kind == f"{who} {kind}" and not verdict.good
    assert verdict.message.startswith(f"the {who} program") and said in verdict.message


def alive(group: str) -> Iterator[str]:
    """The processes of a group that still run."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, found = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue  # it ended meanwhile
        if found == group and state != "Z":
            yield stat.parent.name


def test_a_program_that_ends_well(tmp_path: Path) -> None:
    (tmp_path / "outcome.json").write_text(json.dumps(WELL))
    assert failure("original", Record(tmp_path, Ended("ended", 0, 1.0)), Scenario(), Legacy(None)) is None


@pytest.mark.parametrize(
    ("command", "seconds", "megabytes", "how"),
    [("sleep 60 & sleep 60", 0.5, 1000, "timeout"), ("sleep 60", 60.0, 0, "memory"), ("exit 3", 60.0, 1000, "ended")],
)
@pytest.mark.usefixtures("started_anew")
def test_limits_end_a_process_and_its_children(
    command: str, seconds: float, megabytes: int, how: str, tmp_path: Path
) -> None:
    start = time.monotonic()
    marked = f"echo $$ > group; {command}"
    out, err = tmp_path / "out", tmp_path / "err"
    ended = run(["sh", "-c", marked], tmp_path, {"PATH": "/usr/bin:/bin"}, out, err, seconds, megabytes)
    assert ended.how == how and ended.seconds < 30
    assert (ended.status == 3) == (how == "ended")
    if how == "timeout":
        group = (tmp_path / "group").read_text().strip()
        while list(alive(group)) and time.monotonic() < start + 50:
            time.sleep(0.05)  # the system takes its time
        assert not list(alive(group))


def left_behind(folder: Path, function: str | None, values: list[float]) -> Record:
    """What one program leaves that makes one run with these results."""
    (folder / "values").mkdir(parents=True)
    event = {"index": 0, "name": function, "place": ["a.py", 3], "parts": None, "values": len(values), "kept": True}
    (folder / "events.jsonl").write_text(json.dumps(event) + "\n")
    arrays = {f"value_{number}": np.float32(value) for number, value in enumerate(values)}
    np.savez(folder / "values" / "000000.npz", **arrays)
    for name in ("stdout.txt", "stderr.txt"):
        (folder / name).write_text("")
    (folder / "outcome.json").write_text(json.dumps(WELL))
    return Record(folder, Ended("ended", 0, 1.0))


@pytest.mark.parametrize(
    ("kind", "values", "verdict"),
    [
        ("Session.run", [1.0], "parity"),
        ("Session.run", [1.0, 2.0], "structure differs"),
        ("Session.run", [], "structure differs"),
        # What hooks ask for comes behind what the run gave.
        ("MonitoredSession.run", [1.0, 2.0], "parity"),
        ("MonitoredSession.run", [2.0, 1.0], "differs"),
        ("MonitoredSession.run", [], "structure differs"),
    ],
)
def test_every_value_that_code_in_the_place_of_a_run_gives_back_is_told(
    kind: SiteKind, values: list[float], verdict: str, tmp_path: Path
) -> None:
    site = Site("a.py", 3, 1, kind, "native", "native", form="sliced", function="step", fetched=(0,))
    analysis = Analysis((site,), {("a.py", 3, 1): (3, 20)}, {"a.py": ("step",)})
    original = left_behind(tmp_path / "original", None, [1.0])
    migrated = left_behind(tmp_path / "migrated", "step", values)
    judge = Judge(original, migrated, analysis, Scenario(), (tmp_path, tmp_path), Legacy(None))
    assert judge.result("a.py", "cpu").verdict.kind == verdict
