"""Sessions: the original's, and those of the shims."""

from __future__ import annotations

import importlib
import os
import sys
import zlib
from typing import Any

import numpy as np
from inside import default_values, fed_values, look_inside, place_of, precision_of, with_gradients
from races import Races
from recorder import arrays_of, flatten

_PASSED_THROUGH = {"run", "eval", "_eval_using_default_session", "_run_using_default_session", "_hooked"}
# The function of a monitored session that runs what its program asks for together with what its hooks do.
_MONITORED = {"_run_with_hooks", "run"}


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
        self._without: set[str] = set()
        self.open: list[Any] = []
        self._defaults: tuple[Any, dict[str, Any]] = (None, {})
        self._races = Races(recorder)
        self._calls = _Calls(recorder)
        recorder.before_each.append(self._begin_graph)
        self._graphs: list[Any] = []
        self._begun: list[Any] = []
        recorder.state = lambda: self._values(self.open[-1])

    def run(self, session: Any, fetches: Any, feed_dict: Any, options: Any, metadata: Any) -> Any:
        place = self.recorder.place()
        if self.recorder.settings["align_random"]:
            self._races.order(session.graph)
        if place is None or _is_inner(self.recorder):
            return self.plain(session, fetches, feed_dict, options, metadata)
        if initializes(session.graph, fetches, self._variables(session)):
            given = self.plain(session, fetches, feed_dict, options, metadata)
            self._keep_first(session)
            return given
        if session in self.open:
            self.open.remove(session)
        self.open.append(session)  # the last one is that which runs
        call, is_plain = self._calls.told(place)
        if is_plain or not self.recorder.begin():
            return self.plain(session, fetches, feed_dict, options, metadata)
        self._races.tell(session.graph, fetches, feed_dict)
        event = {"place": place, "call": call}
        return recorded(self.recorder, self, session, fetches, feed_dict, event, (options, metadata))

    def defaults(self, graph: Any) -> dict[str, Any]:
        """What placeholders hold that are not fed, where that is constant: functions are given it."""
        if self._defaults[0] != (id(graph), graph.version):
            self._defaults = ((id(graph), graph.version), default_values(graph))
        return self._defaults[1]

    def variable_of(self, tensor: Any) -> str | None:
        """The name of the variable that a tensor is, or is the handle of."""
        operation = tensor.op
        while operation.type in ("Identity", "Enter", "RefEnter", "Switch", "RefSwitch") and operation.inputs:
            operation = operation.inputs[0].op
        return operation.name if operation.type in ("Variable", "VariableV2", "VarHandleOp") else None

    def _begin_graph(self) -> None:
        """Before a run: the first one of a graph shows what that begins with, restored values included."""
        session = self.open[-1]
        if self.recorder.step == 0:
            self._begin(session)
        self._keep_first(session)
        if session.graph not in self._begun:
            self._begun.append(session.graph)

    def _keep_first(self, session: Any) -> None:
        """Keeps the values that a graph begins with, for the migrated program, until it has run."""
        if session.graph in self._begun:
            return
        if session.graph not in self._graphs:
            self._graphs.append(session.graph)
        number = self._graphs.index(session.graph)
        self.recorder.save_variables(f"begins-{number}", self._values(session))

    def _begin(self, session: Any) -> None:
        """Before the first run of all: both programs are told what to begin with."""
        own = self._values(session)
        self.recorder.save_variables("initial", own)
        changed = self._from_checkpoint(session) if self.recorder.settings["checkpoint"] else told_apart(own)
        if self.recorder.settings["disturbed"]:
            changed = disturbed({**own, **changed})
        for variable in self._variables(session):
            value, operation = changed.get(variable.op.name), variable.initializer
            if value is None or operation is None:  # what was loaded from a SavedModel has no initial value
                continue
            if np.shape(value) == np.shape(own.get(variable.op.name, ())):
                self.plain(session, operation, {operation.inputs[1]: value})

    def _from_checkpoint(self, session: Any) -> dict[str, Any]:
        import tensorflow as tf

        reader = tf.train.load_checkpoint(self.recorder.settings["checkpoint"])
        names = [variable.op.name for variable in self._variables(session)]
        return {name: reader.get_tensor(name) for name in names if reader.has_tensor(name)}

    def snapshot(self, session: Any) -> None:
        """Keeps the values of a session's variables, before they are gone."""
        if session in self.open:
            self.open.remove(session)
            self._note_places(session)
            values = self._values(session)
            self.final.update(values)
            self._without |= {variable.op.name for variable in self._variables(session)}
            self._without -= set(values)

    def finish(self) -> None:
        for session in list(self.open):
            self.snapshot(session)
        self.recorder.save_variables("final", self.final)
        self.recorder.outcome["without"] = sorted(self._without & set(self.final))

    def _note_places(self, session: Any) -> None:
        places = self.recorder.outcome.setdefault("variables", {})
        for variable in self._variables(session):
            places.setdefault(variable.op.name, place_of(variable.op, self.recorder))
        local = session.graph.get_collection("local_variables")
        self.recorder.outcome.setdefault("local", []).extend(variable.op.name for variable in local)

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
        named = {variable.op.name: variable for variable in self._variables(session)}
        try:
            return dict(self.plain(session, named))
        except Exception:  # some have no value
            return dict(self._values_one_by_one(session, named))

    def _values_one_by_one(self, session: Any, named: dict[str, Any]) -> Any:
        for name, variable in named.items():
            try:
                yield name, self.plain(session, variable)
            except Exception:
                continue  # it has no value


class _Calls:
    """Tells the runs that stand on one line of the original apart: by the order in which they are first made."""

    def __init__(self, recorder: Any) -> None:
        self.recorder = recorder
        self._seen: dict[tuple[str, int], list[Any]] = {}

    def told(self, place: list[Any]) -> tuple[int, bool]:
        """Which of the runs on its line the one at a place is, and whether plain code took its place.

        Nothing tells of what plain code does.
        """
        for first, last, plain in self.recorder.settings["lines"].get(place[0], ()):
            if first <= place[1] <= last:
                seen = self._seen.setdefault((place[0], first), [])
                call = self.recorder.calling()
                if call not in seen:
                    seen.append(call)
                number = min(seen.index(call), len(plain) - 1)
                return number, plain[number]
        return 0, False


def watch_shims(recorder: Any) -> None:
    """Records the runs of `compat.Session`, where the program uses the shims."""
    try:
        shims = importlib.import_module(recorder.settings["shims"] + ".bridge.session")
    except ImportError:
        return
    shims.Session.run = _Bridged(recorder, shims.Session.run).as_method()


class _Bridged:
    """The runs of the shims' sessions."""

    def __init__(self, recorder: Any, run: Any) -> None:
        self.recorder = recorder
        self.plain = run
        self._graph: Any = None

    def defaults(self, graph: Any) -> dict[str, Any]:
        """None: the original's runs tell them."""
        return {}

    def as_method(self) -> Any:
        """What takes the place of `Session.run`."""

        def run(
            session: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
        ) -> Any:
            place = self.recorder.place()
            variables = list(session.graph.variables_by_handle.values())
            inner = place is None or _is_inner(self.recorder)
            if inner or initializes(session.graph, fetches, variables) or not self.recorder.begin():
                return self.plain(session, fetches, feed_dict, options, run_metadata)
            self._graph = session.graph
            told = {"place": place}
            return recorded(self.recorder, self, session, fetches, feed_dict, told, (options, run_metadata))

        return run

    def variable_of(self, tensor: Any) -> str | None:
        """The name of the variable whose handle a tensor is."""
        return variable_by_handle(self._graph, tensor)


def variable_by_handle(graph: Any, tensor: Any) -> str | None:
    """The name of the variable of a shims' graph whose handle a tensor is; None of any other tensor."""
    for outer, inner in graph.captures:
        if inner.name == tensor.name and id(outer) in graph.variables_by_handle:
            return str(graph.variables_by_handle[id(outer)].op.name)
    return None


def _regularization(runs: Any, session: Any) -> dict[str, Any]:
    """The losses of regularizers after the first run, by the names of their tensors."""
    tensors = {tensor.op.name: tensor for tensor in session.graph.get_collection("regularization_losses")}
    try:
        return dict(runs.plain(session, tensors)) if tensors else {}
    except Exception:
        return {}  # they need what is fed


def told_apart(values: dict[str, Any]) -> dict[str, Any]:
    """Other values for variables that begin like another one, as aligned random numbers of one shape do.

    Weights that are equal would hide that one takes the place of another. What is constant, or is kept beside another
    variable under its name, stays.
    """
    seen: dict[Any, str] = {}
    changed = {}
    for name in sorted(values):
        value = np.asarray(values[name])
        if value.dtype.kind != "f" or value.size < 2 or (value == value.ravel()[0]).all():
            continue
        first = seen.setdefault((value.shape, value.tobytes()), name)
        if first != name and not name.startswith(first + "/"):
            order = np.random.RandomState(zlib.crc32(name.encode()) & 0x7FFFFFFF)
            changed[name] = order.permutation(value.ravel()).reshape(value.shape)
    return changed


def disturbed(values: dict[str, Any]) -> dict[str, Any]:
    """The values, changed in the last places: by two units, up or down."""
    changed = {}
    for name, value in values.items():
        array = np.asarray(value)
        if array.dtype.kind == "f" and array.size > 1:
            signs = np.random.RandomState(zlib.crc32(name.encode()) & 0x7FFFFFFF).choice([-2.0, 2.0], array.shape)
            changed[name] = (array * (1 + signs * np.finfo(array.dtype).eps)).astype(array.dtype)
    return changed


def recorded(recorder: Any, runs: Any, session: Any, fetches: Any, feed_dict: Any, told: Any, more: Any) -> Any:
    """Makes a run and writes down what it computes."""
    event = None
    values: list[Any] = []
    gradients: list[Any] = []
    try:
        if recorder.looks_inside:
            result = look_inside(runs.plain, session, fetches, feed_dict, recorder, runs.variable_of)
        elif recorder.settings["gradients"]:
            result, gradients = with_gradients(runs.plain, session, fetches, feed_dict, runs.variable_of)
        else:
            result = runs.plain(session, fetches, feed_dict, *more)
        asked, given = _own(fetches, result)
        event = {"kind": "session", "parts": _parts(asked, given), "library": _is_of_library(recorder), **told}
        values = list(arrays_of(given))
        event["precision"] = precision_of(session.graph, asked, values)
        if recorder.step == 1:
            recorder.save_variables("regularization", _regularization(runs, session))
    finally:
        fed = {name: value for name, value in fed_values(session.graph, feed_dict).items() if value is not None}
        recorder.end(event, values, {**runs.defaults(session.graph), **fed}, gradients)
    return result


def _own(fetches: Any, result: Any) -> tuple[Any, Any]:
    """What the program asked for and got, without what the hooks of a monitored session did."""
    if isinstance(fetches, dict) and "caller" in fetches:
        return fetches["caller"], result["caller"]
    if _is_monitored_list(fetches):
        return fetches[0], result[0]
    return fetches, result


def _is_monitored_list(fetches: Any) -> bool:
    frame = sys._getframe(3)
    while frame is not None and frame.f_code.co_name == "run":
        frame = frame.f_back  # type: ignore[assignment]
    return isinstance(fetches, list) and frame is not None and frame.f_code.co_name == "_run_with_hooks"


def _is_of_library(recorder: Any) -> bool:
    """Whether an estimator or another loop of TensorFlow makes the run, and not the program itself."""
    frame = sys._getframe(3)
    while frame is not None and not recorder.is_program(frame.f_code.co_filename):
        if frame.f_code.co_name not in _PASSED_THROUGH | _MONITORED:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _is_inner(recorder: Any) -> bool:
    """Whether the run is made by TensorFlow or the shims themselves: by a saver, a hook, a manager.

    What a monitored session runs for its program is the program's, even where an estimator makes the calls.
    """
    frame = sys._getframe(2)
    while frame is not None and not recorder.is_program(frame.f_code.co_filename):
        code = frame.f_code
        if code.co_name in _MONITORED and os.path.basename(code.co_filename) == "monitored_session.py":
            return False
        if code.co_name not in _PASSED_THROUGH:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def initializes(graph: Any, fetches: Any, variables: list[Any]) -> bool:
    """Whether a run sets initial values and does nothing else."""
    known = {variable.initializer.name for variable in variables if variable.initializer is not None}
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


def _parts(fetches: Any, result: Any) -> list[int] | None:
    """How many arrays each fetch of a list gave; None where one thing was fetched."""
    if isinstance(fetches, (list, tuple)) and isinstance(result, (list, tuple)) and len(fetches) == len(result):
        return [len(list(arrays_of(item))) for item in result]
    return None
