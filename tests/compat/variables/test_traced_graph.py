"""The graph that a trace stands for: `get_default_graph` and `init_scope` where a store is entered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tensorflow as tf

import compat


def traced(body: Callable[[], Any]) -> Any:
    """What code gives inside of a trace that has entered a store."""
    given = []

    @tf.function(autograph=False)
    def step() -> tf.Tensor:
        with compat.VariableStore():
            given.append(body())
        return tf.constant(0.0)

    step()
    (found,) = given
    return found


def test_it_is_one_graph_in_a_trace_and_another_in_the_next() -> None:
    graphs = [traced(lambda: (compat.get_default_graph(), compat.get_default_graph())) for _ in range(2)]
    (first, again), (second, _) = graphs
    assert first is again
    assert first is not second
    assert len({first, again, second}) == 2


def test_its_collections_are_those_of_the_pass() -> None:
    def body() -> tuple[Any, Any]:
        graph = compat.get_default_graph()
        graph.add_to_collection("kept", "one")
        compat.add_to_collection("kept", "two")
        return graph.get_collection("kept"), compat.get_collection("kept")

    assert traced(body) == (["one", "two"], ["one", "two"])


def test_its_name_scopes_are_those_of_the_pass() -> None:
    def body() -> tuple[Any, ...]:
        graph = compat.get_default_graph()
        with compat.name_scope("outer"):
            outer = graph.get_name_scope()
            with graph.name_scope("inner") as inner:
                return outer, inner, graph.get_name_scope()

    assert traced(body) == ("outer", "outer/inner/", "outer/inner")


def test_out_of_branches_to_it() -> None:
    def body() -> tuple[Any, ...]:
        graph = compat.get_default_graph()
        lifted = []

        def branch() -> tf.Tensor:
            with compat.init_scope():
                assert compat.get_default_graph() is graph
                assert not tf.executing_eagerly()
                lifted.append(tf.constant(3.0))
            with graph.as_default(), graph.control_dependencies(None):
                lifted.append(tf.constant(4.0))
            return tf.constant(1.0)

        result = compat.cond(tf.random.uniform([]) < 2.0, branch, branch)
        return result.graph, {value.graph for value in lifted}

    outer, lifted = traced(body)
    assert lifted == {outer}


def test_it_ends_with_the_trace() -> None:
    graph = traced(compat.get_default_graph)
    __import__("gc").collect()
    with pytest.raises(ReferenceError), graph.as_default():
        pass


def test_there_is_none_without_a_store_or_a_trace() -> None:
    own = compat.get_default_graph()
    assert isinstance(own, compat.Graph)
    with compat.VariableStore() as store:
        assert compat.get_default_graph() is store.graph
    seen = []

    @tf.function(autograph=False)
    def step() -> None:
        seen.append(compat.get_default_graph())

    step()
    assert seen == [own]
