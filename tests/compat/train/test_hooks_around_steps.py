"""Hooks around steps: what they see, and where it raises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import tensorflow as tf

import compat


class Seen(compat.train.SessionRunHook):
    def __init__(self, tensor: Any, step: Any = None) -> None:
        self.tensor, self.step = tensor, step
        self.before: list[float] = []
        self.after: list[float] = []

    def before_run(self, run_context: Any) -> Any:
        return compat.train.SessionRunArgs(self.tensor)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.before.append(float(run_values.results))
        self.after.append(float(run_context.session.run(self.tensor) if self.step is None else self.step()))


class Lost(compat.train.SessionRunHook):
    """Loses the session before one of its runs."""

    def __init__(self, at: int) -> None:
        self.left, self.made = at, 0

    def after_create_session(self, session: Any, coord: Any) -> None:
        self.made += 1

    def before_run(self, run_context: Any) -> None:
        self.left -= 1
        if self.left == 0:
            raise tf.errors.AbortedError(None, None, "gone")


class Model:
    def __init__(self) -> None:
        with compat.building():
            self.w = compat.get_variable("w", [], initializer=compat.constant_initializer(1.0))
            self.double = tf.square(tf.identity(self.w)) * 2.0
            self.add = compat.assign_add(self.w, 1.0)
        self.add_step = compat.step(updates=self.add)
        self.double_step = compat.step(self.double)


@pytest.fixture
def model() -> Iterator[Model]:
    with compat.VariableStore():
        yield Model()


@pytest.mark.parametrize("by_step", [False, True])
def test_each_step_is_seen_in_its_own_run(model: Model, by_step: bool) -> None:
    hook = Seen(model.double, model.double_step if by_step else None)
    with compat.train.MonitoredSteps(hooks=[hook]):
        model.add_step()
        compat.run(model.add)
        assert model.double_step() == 18.0
    assert hook.before == [2.0, 8.0, 18.0]
    assert hook.after == [8.0, 18.0, 18.0]
    model.add_step()
    assert len(hook.before) == 3


def test_a_lost_session_begins_anew(model: Model) -> None:
    hook = Lost(3)
    with compat.train.MonitoredSteps(hooks=[hook]):
        for _ in range(3):
            model.add_step()
    assert hook.made == 2
    assert float(model.w.numpy()) == 2.0


def test_the_store_is_monitored_once(model: Model) -> None:
    with compat.train.MonitoredSteps(), pytest.raises(RuntimeError, match="monitored already"):
        compat.train.MonitoredSteps()
    with compat.train.MonitoredSteps():
        model.add_step()
    assert float(model.w.numpy()) == 2.0


def test_another_store_is_not_monitored(model: Model) -> None:
    hook = Seen(model.double)
    with compat.VariableStore():
        other = Model()
    with compat.train.MonitoredSteps(hooks=[hook]):
        other.add_step()
    assert hook.before == []


def test_the_graph_does_not_grow_meanwhile(model: Model) -> None:
    with (
        compat.train.MonitoredSteps(),
        pytest.raises(RuntimeError, match="finalized"),
        compat.building(),
    ):
        tf.square(model.double)


def test_no_step_after_a_stop(model: Model) -> None:
    class Stop(compat.train.SessionRunHook):
        def after_run(self, run_context: Any, run_values: Any) -> None:
            run_context.request_stop()

    with compat.train.MonitoredSteps(hooks=[Stop()]) as steps:
        model.add_step()
        assert steps.should_stop()
        with pytest.raises(RuntimeError, match="should_stop"):
            model.add_step()
    assert steps.should_stop()
    assert steps.graph is None
