"""Initial values that read other variables: one run initializes them all, as in TF 1.15.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

import compat
from compat import train


def test_one_run_initializes_what_depends_on_one_another(graph: Any) -> None:
    a = compat.Variable(np.ones([2], np.float32), name="a")
    b = compat.Variable(a)
    c = compat.Variable(2.0 * b + 1.0)
    drawn = compat.Variable(tf.random.normal([2]))
    copy = compat.Variable(drawn + 0.0)
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        assert [value.tolist() for value in session.run([a, b, c])] == [[1.0, 1.0], [1.0, 1.0], [3.0, 3.0]]
        first, second = session.run([drawn, copy])
        assert first.tolist() == second.tolist()


def test_a_value_that_is_there_goes_before_the_initial_one(graph: Any) -> None:
    a = compat.Variable(1.0)
    b = compat.get_variable("b", initializer=a * 10.0)
    with compat.Session() as session:
        session.run(b.initializer)
        assert session.run(b) == 10.0
        session.run(a.initializer)
        session.run(compat.assign(a, 7.0))
        session.run(b.initializer)
        assert [session.run(b), session.run(b.initial_value)] == [70.0, 70.0]


def test_it_is_saved_and_restored_by_its_own_name(graph: Any, tmp_path: Any) -> None:
    a = compat.Variable(1.0, name="a")
    b = compat.Variable(a + 1.0, name="b")
    with compat.Session() as session:
        session.run(compat.global_variables_initializer())
        path = train.Saver().save(session, str(tmp_path / "m"))
        session.run(compat.assign(b, 9.0))
        train.Saver([b]).restore(session, path)
        assert [variable.op.name for variable in (a, b)] == ["a", "b"]
        assert session.run(b) == 2.0
