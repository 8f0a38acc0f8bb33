"""Options of sessions that concern devices, as `tf.config` has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import tensorflow as tf

import compat

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


def test_log_of_placement(quiet_after: None) -> None:
    assert not tf.debugging.get_log_device_placement()
    session(log_device_placement=True)
    assert tf.debugging.get_log_device_placement()
