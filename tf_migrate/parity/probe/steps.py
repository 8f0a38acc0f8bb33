"""Calls of the steps that took the place of runs, and of `compat.run`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from inside import fed_values, look_inside, precision_of, with_gradients
from recorder import arrays_of
from sessions import initializes


def watch_steps(recorder: Any) -> None:
    """Records the calls of steps from plain code, where the program uses the shims."""
    try:
        shims = importlib.import_module(recorder.settings["shims"] + ".steps")
        module = importlib.import_module(recorder.settings["shims"] + ".steps.step")
    except ImportError:
        return
    call, run = module.Step._call, module.run

    def called(self: Any, args: Any, kwargs: Any) -> Any:
        def fetched() -> tuple[Any, Any, Any]:
            return self._graph, [self._fetches, self._updates], self._given(args, kwargs)

        return _recorded(recorder, fetched, lambda: call(self, args, kwargs), is_step=True)

    def ran(fetches: Any, feeds: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        def fetched() -> tuple[Any, Any, Any]:
            return module._graph_of(fetches, feeds), fetches, feeds or {}

        return _recorded(recorder, fetched, lambda: run(fetches, feeds, options, run_metadata), is_step=False)

    module.Step._call = called
    for place in (module, shims, importlib.import_module(recorder.settings["shims"])):
        vars(place)["run"] = ran


def _recorded(recorder: Any, fetched: Any, plain: Any, is_step: bool) -> Any:
    """Makes a call and writes down what it computes; `fetched` gives its graph, what it runs and what it is given."""
    import tensorflow as tf

    place = recorder.place()
    if place is None or not tf.executing_eagerly():
        return plain()
    try:
        graph, fetches, given = fetched()
        graph.start_variables()
    except Exception:
        return plain()  # which says what is wrong
    if initializes(graph, fetches, list(graph.variables_by_handle.values())) or not recorder.begin():
        return plain()
    event = None
    values: list[Any] = []
    gradients: list[Any] = []
    try:
        if recorder.looks_inside or recorder.settings["gradients"]:
            result, gradients = _looked(recorder, graph, fetches, given)
            result = result[0] if is_step else result
        else:
            result = plain()
        values = list(arrays_of(result))
        event = {"kind": "session", "place": place, "parts": None, "library": False}
        event["precision"] = precision_of(graph, fetches[0] if is_step else fetches, values)
    finally:
        recorder.end(event, values, _inputs(graph, given), gradients)
    return result


def _looked(recorder: Any, graph: Any, fetches: Any, given: Any) -> tuple[Any, list[Any]]:
    """Runs with what is inside, or with the gradients: the result, and (variable's name, gradient) of each."""

    def run(session: Any, asked: Any, feeds: Any) -> Any:
        return session.run(asked, feeds)

    def variable_of(tensor: Any) -> str | None:
        for outer, inner in graph.captures:
            if inner.name == tensor.name and id(outer) in graph.variables_by_handle:
                return str(graph.variables_by_handle[id(outer)].op.name)
        return None

    if recorder.looks_inside:
        return look_inside(run, graph.session, fetches, given, recorder, variable_of), []
    result, gradients = with_gradients(run, graph.session, fetches, given, variable_of)
    return result, gradients


def _inputs(graph: Any, given: Mapping[Any, Any]) -> dict[str, Any]:
    return {name: value for name, value in fed_values(graph, given).items() if value is not None}
