"""Sessions of one graph: each begins anew, as in TF 1.15.5, and goes on with its own values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat


def _has_values(session: compat.Session) -> bool:
    return not session.run(compat.report_uninitialized_variables()).size


def test_a_session_behind_an_exception_begins_anew(graph: Any) -> None:
    w = compat.Variable(1.0)
    update = compat.assign_add(w, 2.0)
    with pytest.raises(ZeroDivisionError), compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert session.run(update) == 3.0
        raise ZeroDivisionError
    with compat.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value Variable"):
            session.run(w)
        session.run(compat.global_variables_initializer())
        assert session.run(update) == 3.0


def test_eager_code_sees_the_session_that_ran_last(graph: Any) -> None:
    w = compat.Variable([1.0, 2.0])
    for factor in (1.0, 2.0):
        with compat.Session() as session:
            session.run(compat.global_variables_initializer())
            session.run(compat.assign(w, w * factor))
        assert w.numpy().tolist() == [factor, 2 * factor]


def test_slots_and_steps_begin_anew_too(graph: Any) -> None:
    """Momentum's slot would carry the first session's gradients into the second one's steps."""
    w = compat.get_variable("w", initializer=4.0)
    step = compat.train.get_or_create_global_step()
    train = compat.train.MomentumOptimizer(0.1, 0.9).minimize(tf.square(w), global_step=step)
    starts = []
    for _ in range(2):
        session = compat.Session()
        session.run(compat.global_variables_initializer())
        session.run([train])
        session.run([train])
        starts.append([float(value) for value in session.run([w, step])])
        session.close()
    np.testing.assert_allclose(starts, [[1.84, 2.0]] * 2, rtol=1e-6)


def test_an_initializer_of_some_leaves_the_others_without_values(graph: Any) -> None:
    first, second = compat.Variable(1.0, name="first"), compat.Variable(2.0, name="second")
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert session.run([first, second]) == [1.0, 2.0]
    with compat.Session() as session:
        session.run(first.initializer)
        assert session.run(compat.report_uninitialized_variables()).tolist() == [b"second"]


def test_a_restored_session_has_what_the_checkpoint_holds(graph: Any, tmp_path: Path) -> None:
    kept, other = compat.Variable(5.0, name="kept"), compat.Variable(7.0, name="other")
    saver = compat.train.Saver([kept])
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "model"))
        session.run(compat.assign(kept, 50.0))
    with compat.Session() as session:
        saver.restore(session, path)
        assert session.run(kept) == 5.0
        assert not session.run(compat.is_variable_initialized(other))


def test_two_open_sessions_keep_what_each_has(graph: Any) -> None:
    w = compat.Variable(1.0)
    one, two = compat.Session(), compat.Session()
    one.run(w.initializer)
    assert not _has_values(two) and _has_values(one)
    w.load(8.0, two)
    assert (one.run(w), two.run(w), one.run(w)) == (1.0, 8.0, 1.0)


def test_what_eager_code_set_before_the_first_session_is_there(graph: Any) -> None:
    w = compat.Variable(1.0)
    compat.close_graph()
    w.assign(6.0)
    compat.open_graph()
    with compat.Session() as session:
        assert session.run(w) == 6.0


def test_tables_and_variables_of_managed_sessions(graph: Any, tmp_path: Path) -> None:
    """The second managed session restores what the first one saved, and initializes nothing."""
    step = compat.train.get_or_create_global_step()
    w = compat.get_variable("w", initializer=0.0)
    train = compat.assign_add(w, 1.5)
    count = compat.assign_add(step, 1)
    for wanted in (3.0, 6.0):
        with compat.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), log_step_count_steps=None) as session:
            for _ in range(2):
                session.run([train, count])
            assert session.run(w) == wanted
