"""Sessions: the original's, and those of the shims."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from inside import run_inside
from recorder import flatten, numbers_of

_PASSED_THROUGH = {"run", "eval", "_eval_using_default_session", "_run_using_default_session", "_hooked"}


def watch_sessions(recorder: Any) -> None:
    """Records the runs of `tf.Session`, and the variables at the first run and when sessions close."""
    from tensorflow.python.client import session as sessions

    watched = _Original(recorder, sessions.BaseSession.run)
    close = sessions.BaseSession.close

    def run(self: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        return watched.run(self, fetches, feed_dict, options, run_metadata)

    def closed(self: Any) -> None:
        watched.snapshot(self)
        close(self)

    sessions.BaseSession.run = run
    sessions.BaseSession.close = closed
    recorder.at_end.append(watched.finish)


class _Original:
    """The runs of real TensorFlow 1, or of a `tf.compat.v1` graph."""

    def __init__(self, recorder: Any, run: Any) -> None:
        self.recorder = recorder
        self.plain = run
        self.final: dict[str, Any] = {}
        self.open: list[Any] = []
        recorder.before_first.append(self._begin)

    def run(self, session: Any, fetches: Any, feed_dict: Any, options: Any, metadata: Any) -> Any:
        place = self.recorder.place()
        if place is None or self._is_inner() or _initializes(session.graph, fetches, self._variables(session)):
            return self.plain(session, fetches, feed_dict, options, metadata)
        if session not in self.open:
            self.open.append(session)
        if self._is_eager(place):
            return self.plain(session, fetches, feed_dict, options, metadata)
        if not self.recorder.begin():
            return self.plain(session, fetches, feed_dict, options, metadata)
        event = None
        values: list[Any] = []
        try:
            if self.recorder.looks_inside:
                result = run_inside(self.plain, session, fetches, feed_dict, self.recorder)
            else:
                result = self.plain(session, fetches, feed_dict, options, metadata)
            event = {"kind": "session", "place": place, "parts": _parts(fetches, result)}
            values = list(_arrays(result))
        finally:
            self.recorder.end(event, values, _fed(session.graph, feed_dict))
        return result

    def _begin(self) -> None:
        """Before the first run: the checkpoint's values, if one is to be begun with, and what there is then."""
        session = self.open[-1]
        if self.recorder.settings["checkpoint"]:
            import tensorflow as tf

            reader = tf.train.load_checkpoint(self.recorder.settings["checkpoint"])
            for variable in self._variables(session):
                if reader.has_tensor(variable.op.name):
                    value = reader.get_tensor(variable.op.name)
                    operation = variable.initializer
                    self.plain(session, operation, {operation.inputs[1]: value})
        self.recorder.save_variables("initial", self._values(session))

    def snapshot(self, session: Any) -> None:
        """Keeps the values of a session's variables, before they are gone."""
        if session in self.open:
            self.open.remove(session)
            self.final.update(self._values(session))

    def finish(self) -> None:
        for session in list(self.open):
            self.snapshot(session)
        self.recorder.save_variables("final", self.final)

    def _is_eager(self, place: list[Any]) -> bool:
        """Whether plain code took the place of this run, so that nothing tells of it."""
        return place[1] in self.recorder.settings["eager_lines"].get(place[0], ())

    def _is_inner(self) -> bool:
        """Whether the run is made by TensorFlow itself: by a saver, a hook, a manager."""
        import sys

        frame = sys._getframe(3)
        while frame is not None and not self.recorder.is_program(frame.f_code.co_filename):
            if frame.f_code.co_name not in _PASSED_THROUGH:
                return True
            frame = frame.f_back  # type: ignore[assignment]
        return False

    @staticmethod
    def _variables(session: Any) -> list[Any]:
        graph = session.graph
        return [
            variable
            for name in ("variables", "local_variables")
            for variable in graph.get_collection(name)
            if hasattr(variable, "initializer")
        ]

    def _values(self, session: Any) -> dict[str, Any]:
        values = {}
        for variable in self._variables(session):
            try:
                values[variable.op.name] = self.plain(session, variable)
            except Exception:
                continue  # it has no value
        return values


def watch_shims(recorder: Any) -> None:
    """Records the runs of `compat.Session`, where the program uses the shims."""
    try:
        shims = importlib.import_module(recorder.settings["shims"] + ".bridge.session")
    except ImportError:
        return
    plain = shims.Session.run

    def run(self: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        place = recorder.place()
        variables = list(self.graph.variables_by_handle.values())
        inner = _inside_shims(recorder)
        if place is None or inner or _initializes(self.graph, fetches, variables) or not recorder.begin():
            return plain(self, fetches, feed_dict, options, run_metadata)
        event = None
        values: list[Any] = []
        try:
            if recorder.looks_inside:
                result = run_inside(plain, self, fetches, feed_dict, recorder)
            else:
                result = plain(self, fetches, feed_dict, options, run_metadata)
            event = {"kind": "session", "place": place, "parts": _parts(fetches, result)}
            values = list(_arrays(result))
        finally:
            recorder.end(event, values, _fed(self.graph, feed_dict))
        return result

    shims.Session.run = run


def _inside_shims(recorder: Any) -> bool:
    import sys

    frame = sys._getframe(2)
    while frame is not None and not recorder.is_program(frame.f_code.co_filename):
        if frame.f_code.co_name not in _PASSED_THROUGH:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _initializes(graph: Any, fetches: Any, variables: list[Any]) -> bool:
    """Whether a run sets initial values and does nothing else."""
    known = {variable.initializer.name for variable in variables}
    found = list(flatten(fetches))
    return bool(found) and all(_is_initializer(graph, item, known) for item in found)


def _is_initializer(graph: Any, item: Any, known: Any) -> bool:
    if isinstance(item, str):
        try:
            item = graph.as_graph_element(item)
        except (KeyError, ValueError):
            return False
    if not hasattr(item, "control_inputs") or not hasattr(item, "type"):
        return False
    if item.name in known or item.type.startswith(("InitializeTable", "LookupTableImport", "MakeIterator")):
        return True
    return item.type == "NoOp" and all(_is_initializer(graph, inner, known) for inner in item.control_inputs)


def _arrays(result: Any) -> Any:
    """The arrays of a result; sparse values come as their three parts, summaries as their numbers."""
    for item in flatten(result):
        if isinstance(item, (np.ndarray, np.generic, bytes, str, int, float, bool)):
            yield numbers_of(item)


def _parts(fetches: Any, result: Any) -> list[int] | None:
    """How many arrays each fetch of a list gave; None where one thing was fetched."""
    if isinstance(fetches, (list, tuple)) and isinstance(result, (list, tuple)) and len(fetches) == len(result):
        return [len(list(_arrays(item))) for item in result]
    return None


def _fed(graph: Any, feed_dict: Any) -> list[Any]:
    """What was fed, as the placeholders' types."""
    fed = []
    for key, value in (feed_dict or {}).items():
        try:
            tensor = graph.as_graph_element(key)
            fed.append(np.asarray(value, tensor.dtype.as_numpy_dtype))
        except (TypeError, ValueError, KeyError):
            continue
    return fed
