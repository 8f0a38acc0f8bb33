"""Variables on a server are shared by name between its sessions, whatever their graphs, as in TF 1.15.5."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import tensorflow as tf

import compat
from compat import train


def counter(target: str, name: str = "v", first: float = 3.0) -> tuple[compat.Session, Any, Any]:
    graph = compat.Graph()
    with graph.as_default():
        v = compat.get_variable(name, [], initializer=compat.constant_initializer(first))
        return compat.Session(target, graph=graph), v, compat.assign_add(v, 1.0)


def test_another_graph_reads_and_updates_the_same_variable() -> None:
    target = train.Server.create_local_server().target
    one, v, bump = counter(target)
    two, w, bump_too = counter(target, first=100.0)
    one.run(v.initializer)
    assert two.run(w) == 3.0
    assert [one.run(bump), two.run(bump_too), one.run(v)] == [4.0, 5.0, 5.0]


def test_values_stay_when_session_and_graph_are_gone() -> None:
    target = train.Server.create_local_server().target
    one, v, _ = counter(target)
    with one:
        one.run(v.initializer)
    del one, v
    two, w, _ = counter(target)
    assert two.run(w) == 3.0


def test_another_name_another_server_and_no_server_have_none() -> None:
    target = train.Server.create_local_server().target
    one, v, _ = counter(target)
    one.run(v.initializer)
    other = train.Server.create_local_server().target
    for session, unknown, _ in (counter(target, "w"), counter(other), counter("")):
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(unknown)


def test_a_session_of_its_own_over_the_same_graph_leaves_the_servers_values() -> None:
    target = train.Server.create_local_server().target
    one, v, bump = counter(target)
    one.run(v.initializer)
    one.run(bump)
    alone = compat.Session(graph=v.graph)
    with pytest.raises(tf.errors.FailedPreconditionError):
        alone.run(v)
    alone.run(v.initializer)
    assert [alone.run(v), one.run(v), alone.run(v)] == [3.0, 4.0, 3.0]
    one.close()
    assert compat.Session(target, graph=v.graph).run(v) == 4.0


def test_threads_of_several_graphs_lose_no_update() -> None:
    target = train.Server.create_local_server().target
    counters = [counter(target, first=0.0) for _ in range(3)]
    session, v, _ = counters[0]
    session.run(v.initializer)

    def work(session: Any, bump: Any) -> None:
        for _ in range(20):
            session.run(bump)

    threads = [threading.Thread(target=work, args=(session, bump)) for session, _, bump in counters]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.run(v) == 60.0
