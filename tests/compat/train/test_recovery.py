"""Runs that came to grief go on from the last whole checkpoint, and end with the numbers of an uninterrupted run."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests import warm
from tests.goldens import recovery_program

GOLDENS = Path(__file__).parents[2] / "goldens"
PROGRAM = GOLDENS / "recovery_program.py"

MANAGERS = ("monitored", "estimator", "supervisor")
LAST = 15


def run(manager: str, folder: Path, last: int = LAST) -> Any:
    return recovery_program.run(recovery_program.Shims(), manager, str(folder), last, None)


def child(manager: str, folder: Path, trouble: str, step: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), manager, str(folder), str(LAST), trouble, str(step)]
    return warm.run(command, cwd=PROGRAM.parents[2])


def agree_with_tf1(values: Any, manager: str) -> None:
    want = json.loads((GOLDENS / "recovery.json").read_text())[manager]
    assert values.keys() == want.keys()
    for name, value in want.items():
        np.testing.assert_allclose(values[name], value, rtol=1e-5, atol=1e-6, err_msg=name)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What each manager's run ends with when nothing happens; the three runs end alike."""
    ends = [run(manager, tmp_path_factory.mktemp(manager)) for manager in MANAGERS]
    assert ends[0] == ends[1] == ends[2]
    return ends[0]


def test_without_trouble_it_ends_as_tf1_did(uninterrupted: Any) -> None:
    for manager in MANAGERS:
        agree_with_tf1(uninterrupted, manager)


@pytest.mark.usefixtures("cpu")
@pytest.mark.parametrize("manager", MANAGERS)
def test_a_killed_run_goes_on(manager: str, tmp_path: Path, uninterrupted: Any) -> None:
    killed = child(manager, tmp_path, "kill", 10)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert compat.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model.ckpt-8")
    assert run(manager, tmp_path) == uninterrupted


@pytest.mark.usefixtures("cpu")
@pytest.mark.parametrize("manager", MANAGERS)
def test_a_run_killed_while_it_writes_a_checkpoint_goes_on(manager: str, tmp_path: Path, uninterrupted: Any) -> None:
    killed = child(manager, tmp_path, "kill_writing", 10)
    assert killed.returncode == -signal.SIGXFSZ, killed.stderr
    (half,) = tmp_path.glob("model.ckpt-12.data*")
    assert half.stat().st_size == recovery_program.ROOM
    assert run(manager, tmp_path) == uninterrupted


@pytest.mark.usefixtures("cpu")
@pytest.mark.parametrize("manager", MANAGERS)
def test_a_full_disk_is_an_error_and_loses_nothing(manager: str, tmp_path: Path, uninterrupted: Any) -> None:
    failed = child(manager, tmp_path, "full", 10)
    assert failed.returncode == 1
    assert f"ResourceExhaustedError: Checkpoint {tmp_path}/model.ckpt-12 could not be written" in failed.stderr
    assert "File too large" in failed.stderr and "Make room on the disk" in failed.stderr
    assert compat.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model.ckpt-8")
    assert run(manager, tmp_path) == uninterrupted


def shorten(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:40])


def alter(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[5] ^= 0xFF
    path.write_bytes(content)


DATA, INDEX = "data-00000-of-00001", "index"


@pytest.mark.parametrize(
    ("manager", "suffix", "damage"),
    [
        ("monitored", DATA, shorten),
        ("monitored", DATA, alter),
        ("monitored", DATA, os.remove),
        ("monitored", INDEX, shorten),
        ("monitored", INDEX, os.remove),
        ("estimator", DATA, alter),
        ("supervisor", DATA, alter),
    ],
)
def test_a_damaged_checkpoint_is_passed_over(
    manager: str, suffix: str, damage: Any, tmp_path: Path, uninterrupted: Any, caplog: pytest.LogCaptureFixture
) -> None:
    run(manager, tmp_path, last=10)
    damage(tmp_path / f"model.ckpt-10.{suffix}")
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        assert run(manager, tmp_path) == uninterrupted
    assert f"Checkpoint {tmp_path}/model.ckpt-10 is damaged" in caplog.text
    assert f"Resumed from {tmp_path}/model.ckpt-8, the last whole checkpoint" in caplog.text


def test_where_no_checkpoint_is_whole_nothing_begins_anew(tmp_path: Path) -> None:
    run("monitored", tmp_path, last=4)
    for path in tmp_path.glob("model.ckpt-*.index"):
        shorten(path)
    before = sorted(tmp_path.glob("model.ckpt-*"))
    with pytest.raises(tf.errors.DataLossError, match=r"model\.ckpt-4 is damaged: .*Copy|Restore another"):
        run("monitored", tmp_path)
    assert sorted(tmp_path.glob("model.ckpt-*")) == before


def test_a_damaged_list_of_checkpoints_is_no_reason_to_begin_anew(tmp_path: Path) -> None:
    run("monitored", tmp_path, last=4)
    shorten(tmp_path / "checkpoint")
    with pytest.raises(tf.errors.DataLossError, match="update_checkpoint_state"):
        run("monitored", tmp_path)
    compat.train.update_checkpoint_state(str(tmp_path), str(tmp_path / "model.ckpt-4"))
    run("monitored", tmp_path, last=5)


@pytest.mark.parametrize("manager", MANAGERS)
def test_real_tf1_goes_on_from_our_checkpoint(
    manager: str, tmp_path: Path, legacy_python: Path, run_legacy: Callable[..., str]
) -> None:
    run(manager, tmp_path, last=10)
    program = f"import sys; sys.path.insert(0, {str(GOLDENS)!r}); import recovery_program as p; p.main(*sys.argv[1:])"
    agree_with_tf1(json.loads(run_legacy(program, manager, str(tmp_path), str(LAST)).splitlines()[-1]), manager)


@pytest.mark.parametrize("manager", MANAGERS)
def test_we_go_on_from_real_tf1s_checkpoint(manager: str, tmp_path: Path, run_legacy: Callable[..., str]) -> None:
    program = f"import sys; sys.path.insert(0, {str(GOLDENS)!r}); import recovery_program as p; p.main(*sys.argv[1:])"
    run_legacy(program, manager, str(tmp_path), "10")
    agree_with_tf1(run(manager, tmp_path), manager)
