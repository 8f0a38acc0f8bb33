"""`compat.train.Supervisor`: initialize, save, summarize, end in order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from compat import train
from compat.train.supervisor import Supervisor


def _counting_graph() -> tuple[Any, Any]:
    step = train.get_or_create_global_step()
    compat.summary.scalar("twice", tf.cast(step, tf.float32) * 2.0)
    return step, compat.assign_add(step, 1)


def test_saves_restores_and_summarizes(tmp_path: Path, graph: Any) -> None:
    step, count = _counting_graph()
    supervisor = Supervisor(logdir=str(tmp_path), save_summaries_secs=0, save_model_secs=0)
    with supervisor.managed_session() as session:
        for _ in range(4):
            session.run(count)
        supervisor.summary_computed(session, session.run(supervisor.summary_op))
        supervisor.saver.save(session, supervisor.save_path, global_step=step)
        assert not supervisor.should_stop()
        session.run(count)
    assert supervisor.should_stop()
    # As in TF1, a second writer of the same second would write over the first one's file.
    again = Supervisor(logdir=str(tmp_path), save_model_secs=0, saver=supervisor.saver, summary_writer=None)
    with again.managed_session() as session:
        assert session.run(step) == 4
    events = [event for path in tmp_path.glob("events*") for event in compat.train.summary_iterator(str(path))]
    assert [value.simple_value for event in events for value in event.summary.value if value.tag == "twice"] == [8.0]


def test_threads_save_by_themselves(tmp_path: Path, graph: Any) -> None:
    _, count = _counting_graph()
    supervisor = Supervisor(logdir=str(tmp_path), save_summaries_secs=0, save_model_secs=0.01)
    with supervisor.managed_session() as session:
        session.run(count)
        while tf.train.latest_checkpoint(str(tmp_path)) is None:
            supervisor.coord.wait_for_stop(0.01)


def test_raises_what_the_body_raised(graph: Any) -> None:
    _counting_graph()
    supervisor = Supervisor()
    with pytest.raises(KeyError, match="mine"), supervisor.managed_session():
        raise KeyError("mine")


def test_ends_quietly_at_the_end_of_input(graph: Any) -> None:
    numbers = compat.data.make_one_shot_iterator(tf.data.Dataset.range(2)).get_next()
    supervisor = Supervisor()
    seen = []
    with supervisor.managed_session() as session:
        while not supervisor.should_stop():
            seen.append(int(session.run(numbers)))
    assert seen == [0, 1]


def test_graph_is_finalized_and_standard_services_need_a_chief(graph: Any) -> None:
    _counting_graph()
    worker = Supervisor(is_chief=False)
    with pytest.raises(RuntimeError, match="finalized"):
        tf.add(1.0, 2.0)
    with pytest.raises(RuntimeError, match="Only chief"):
        worker.start_standard_services(compat.Session())


@pytest.mark.parametrize("given", [{"is_chief": False}, {"session_manager": object()}], ids=["worker", "manager"])
def test_steps_refuse_what_only_sessions_have(given: dict[str, Any]) -> None:
    with compat.VariableStore(), pytest.raises(ValueError, match=f"leave {next(iter(given))} out"):
        compat.train.SupervisedSteps(**given)
