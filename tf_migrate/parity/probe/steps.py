"""Calls of the steps that took the place of runs, and of `compat.run`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from random_numbers import DRAWING
from sessions import initializes, recorded, variable_by_handle


def watch_steps(recorder: Any) -> None:
    """Records the calls of steps from plain code, where the program uses the shims."""
    try:
        shims = importlib.import_module(recorder.settings["shims"])
        package = importlib.import_module(shims.__name__ + ".steps")
        module = importlib.import_module(package.__name__ + ".step")
        values = importlib.import_module(package.__name__ + ".first_values")
    except ImportError:
        return
    acts = values.acts
    # Random numbers call Python here alone.
    vars(values)["acts"] = lambda node: acts(node) and DRAWING not in node.name
    call, run = module.Step._call, module.run

    def called(self: Any, args: Any, kwargs: Any) -> Any:
        def parts() -> tuple[Any, Any, Any]:
            return self._graph, [self._fetches, self._updates], self._given(args, kwargs)

        return _watched(recorder, parts, lambda: [call(self, args, kwargs), None])[0]

    def ran(fetches: Any, feeds: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        def parts() -> tuple[Any, Any, Any]:
            return module._graph_of(fetches, feeds), fetches, feeds or {}

        return _watched(recorder, parts, lambda: run(fetches, feeds, options, run_metadata))

    module.Step._call = called
    for place in (module, package, shims):
        vars(place)["run"] = ran


class _Stepped:
    """A call as a run of the graph's session: `call` makes it, and what is asked for besides is fetched there."""

    def __init__(self, graph: Any, fetches: Any, call: Callable[[], Any]) -> None:
        self._graph = graph
        self._fetches = fetches
        self._call = call

    def plain(self, session: Any, asked: Any, feeds: Any = None) -> Any:
        """The call, where its own fetches are asked for."""
        return self._call() if asked is self._fetches else session.run(asked, feeds)

    def defaults(self, graph: Any) -> dict[str, Any]:
        """None: the original's runs tell them."""
        return {}

    def variable_of(self, tensor: Any) -> Any:
        """The name of the variable whose handle a tensor is, else None."""
        return variable_by_handle(self._graph, tensor)


def _watched(recorder: Any, parts: Callable[[], tuple[Any, Any, Any]], call: Callable[[], Any]) -> Any:
    """Makes a call and writes down what it computes; `parts` are its graph, what it fetches and what it is given."""
    import tensorflow as tf

    place = recorder.place()
    if place is None or not tf.executing_eagerly():
        return call()
    try:
        graph, fetches, given = parts()
        graph.start_variables()
    except Exception:
        return call()  # which raises the same where the program sees it
    if initializes(graph, fetches, list(graph.variables_by_handle.values())) or not recorder.begin():
        return call()
    runs = _Stepped(graph, fetches, call)
    return recorded(recorder, runs, graph.session, fetches, given, {"place": place, "library": False}, ())
