"""Options of sessions that concern devices, as `tf.config` has them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from tests import warm

ROOT = Path(__file__).resolve().parents[3]
GPUS = ["first", "second"]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What `tf.config` is told, on a machine that has two GPUs."""
    told: list[Any] = []
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind=None: GPUS)
    monkeypatch.setattr(tf.config, "set_visible_devices", lambda *given: told.append(("visible", *given)))
    monkeypatch.setattr(tf.config.experimental, "set_memory_growth", lambda *given: told.append(("growth", *given)))
    return told


@pytest.fixture
def quiet_after() -> Iterator[None]:
    yield
    tf.debugging.set_log_device_placement(False)


FIRST_USED_IN_A_GRAPH = """
import sys, tensorflow as tf, compat
if "hard" in sys.argv:
    tf.config.set_soft_device_placement(False)
with compat.Graph().as_default(), tf.device("/gpu:7"):
    v = compat.get_variable("v", initializer=1.0)
    with compat.Session() as session:
        session.run(v.initializer)
        print(session.run(v + 1.0))
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Devices are first used in a process of its own."""
    command = [sys.executable, "-c", FIRST_USED_IN_A_GRAPH, *arguments]
    return warm.run(command, cwd=ROOT)


def test_placement_is_soft_where_devices_are_first_used_in_a_graph() -> None:
    done = run()
    assert done.stdout == "2.0\n", done.stderr


def test_placement_is_hard_where_the_program_says_so() -> None:
    assert "Could not satisfy device specification" in run("hard").stderr


def session(**options: Any) -> None:
    with compat.Session(graph=compat.Graph(), config=compat.ConfigProto(**options)):
        pass


def test_growth(calls: list[Any]) -> None:
    session(gpu_options=compat.GPUOptions(allow_growth=True))
    assert calls == [("growth", "first", True), ("growth", "second", True)]


def test_some_gpus_and_none(calls: list[Any]) -> None:
    session(gpu_options=compat.GPUOptions(visible_device_list="1", allow_growth=True))
    assert calls == [("visible", ["second"], "GPU"), ("growth", "second", True)]
    calls.clear()
    session(device_count={"GPU": 0})
    assert calls == [("visible", [], "GPU")]


def test_nothing_is_asked_for(calls: list[Any]) -> None:
    session(allow_soft_placement=True, device_count={"CPU": 1}, gpu_options=compat.GPUOptions())
    with compat.Session(graph=compat.Graph()):
        pass
    assert calls == []


def test_too_late(calls: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise RuntimeError("devices are in use")

    monkeypatch.setattr(tf.config, "set_visible_devices", refuse)
    monkeypatch.setattr(tf.config.experimental, "set_memory_growth", refuse)
    with pytest.warns(UserWarning, match="device_count comes too late"):
        session(device_count={"GPU": 0})
    session(gpu_options=compat.GPUOptions(allow_growth=True))


def test_xla_for_the_whole_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(tf.config.optimizer, "set_jit", told.append)
    for level in (compat.OptimizerOptions.OFF, compat.OptimizerOptions.ON_1):
        options = compat.OptimizerOptions(global_jit_level=level)
        session(graph_options=compat.GraphOptions(optimizer_options=options))
    assert told == ["autoclustering"]


def test_log_of_placement(quiet_after: None) -> None:
    assert not tf.debugging.get_log_device_placement()
    session(log_device_placement=True)
    assert tf.debugging.get_log_device_placement()
