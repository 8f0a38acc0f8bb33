"""What `RunOptions` asked of one run and `RunMetadata` told of it, from TensorFlow 2's profiler."""

from __future__ import annotations

import contextlib
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import tensorflow as tf
from tensorflow.tsl.profiler.protobuf import xplane_pb2

from ..private import context
from .v1 import RunOptions

__all__ = ["Tracer", "wants_trace"]

_OPERATION = re.compile(r"(?P<name>[\w.\\/>-]+):(?P<kind>\w+)")
_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
# The runtime has one profiler and one store of graphs for the whole process.
_profiler = threading.Lock()


class _Event(NamedTuple):
    """One operation that ran, or one kernel of it; times in nanoseconds."""

    operation: str
    kind: str
    start: int
    duration: int
    thread: int


def wants_trace(options: Any) -> bool:
    """Whether `RunOptions` ask for times or for the partitioned graphs.

    Raises:
      TypeError: it is given, and is no `RunOptions`.
    """
    if options is None:
        return False
    if not isinstance(options, RunOptions):
        raise TypeError(f"options must be a compat.RunOptions, but got {type(options)}")
    return options.trace_level > RunOptions.NO_TRACE or bool(options.output_partition_graphs)


class Tracer:
    """Fills `RunMetadata` for the runs of one function.

    The runtime gives the graphs that it made of a function only when it runs it for the first time, so a tracer
    belongs to a function of its own, and keeps them: they tell where each operation was placed. What other threads run
    of the same operations at that time is in the trace too.

    Args:
      function: the function's name.
    """

    def __init__(self, function: str) -> None:
        self._function = function
        self._graphs: Sequence[Any] | None = None

    @contextlib.contextmanager
    def recording(self, options: Any, run_metadata: Any, may_wait: bool = False) -> Iterator[None]:
        """A context in which the function runs once, and after which `run_metadata` tells of that run.

        Args:
          options: `RunOptions` or None; `trace_level` above `NO_TRACE` gives `step_stats` (the levels do not differ
            here), `output_partition_graphs` gives `partition_graphs`.
          run_metadata: the `RunMetadata` to fill, or None; what it held is lost, as in TF1.
          may_wait: whether the function can wait for another run, which must not wait for this one's trace.

        Raises:
          RuntimeError: the process is being profiled already.
        """
        if run_metadata is not None:
            run_metadata.Clear()
        if run_metadata is None or not wants_trace(options):
            yield
            return
        if not _profiler.acquire(blocking=not may_wait):
            raise RuntimeError("another run is traced, which this one may have to wait for: trace one at a time")
        try:
            timed = options.trace_level > RunOptions.NO_TRACE
            with self._placing(), _profile() if timed else contextlib.nullcontext() as profile:
                yield
        finally:
            _profiler.release()
        graphs = self._graphs or ()
        if timed:
            _add_step_stats(run_metadata, profile, graphs)
        if options.output_partition_graphs:
            run_metadata.partition_graphs.extend(graphs)

    @contextlib.contextmanager
    def _placing(self) -> Iterator[None]:
        if self._graphs is not None:
            yield
            return
        runtime = context.context()
        runtime.enable_graph_collection()
        try:
            yield
            self._graphs = _graphs_of(self._function, runtime.export_run_metadata())
        finally:
            runtime.disable_graph_collection()


def _graphs_of(function: str, collected: Any) -> Sequence[Any]:
    """The graphs, one for each device, that the runtime made of one function.

    Those that it made for other threads meanwhile may be among those collected. They are told by their operations:
    most of a function's are its own, or come from the inlined body of one; optimizers add a few.
    """
    own = {node.name for node in context.context().get_function_def(function).node_def}

    def is_own(name: str) -> bool:
        parts = name.split("/")
        return any("/".join(parts[:count]) in own for count in range(len(parts), 0, -1))

    found = []
    for graph in collected.partition_graphs:
        inside = [is_own(node.name) for node in graph.node if node.op not in ("_Arg", "_Retval")]
        if 2 * sum(inside) > len(inside):
            found.append(graph)
    return found


@dataclass
class _Profile:
    """What the profiler saw; its times count from `began`, nanoseconds since 1970."""

    began: int
    space: Any


@contextlib.contextmanager
def _profile() -> Iterator[_Profile]:
    """Profiles the context; what it gives is filled at the end."""
    options = tf.profiler.experimental.ProfilerOptions(
        host_tracer_level=3, python_tracer_level=0, device_tracer_level=1
    )
    with tempfile.TemporaryDirectory() as folder:
        profile = _Profile(time.time_ns(), xplane_pb2.XSpace())
        try:
            tf.profiler.experimental.start(folder, options)
        except tf.errors.AlreadyExistsError:
            raise RuntimeError(
                "a traced run uses the profiler, which is running: stop it before (tf.profiler.experimental.stop), "
                "or run without RunOptions"
            ) from None
        try:
            yield profile
        finally:
            tf.profiler.experimental.stop()
        for file in Path(folder).rglob("*.xplane.pb"):
            profile.space.MergeFromString(file.read_bytes())


def _add_step_stats(run_metadata: Any, profile: _Profile, graphs: Sequence[Any]) -> None:
    """The profile in the form of TF1: per device, when each operation ran."""
    nodes = {node.name: node for graph in graphs for node in graph.node}
    devices: dict[str, list[_Event]] = {}
    for plane in profile.space.planes:
        for event in _events(plane, profile.began):
            # The profiler sees the whole process: what folds constants of the graph, and what other threads run.
            if event.operation in nodes:
                kernels = f"{plane.name}/stream:all" if plane.name.startswith("/device:") else ""
                devices.setdefault(kernels or nodes[event.operation].device or _CPU, []).append(event)
    for device in sorted(devices):
        stats = run_metadata.step_stats.dev_stats.add(device=device)
        for event in sorted(devices[device], key=lambda event: event.start):
            _add_node_stats(stats, event, nodes)


def _events(plane: Any, began: int) -> Iterator[_Event]:
    """The operations of a plane; of the host's other events, none."""
    for thread, line in enumerate(plane.lines):
        for event in line.events:
            ran = _OPERATION.fullmatch(_operation_of(plane, event))
            if ran is not None:
                start = began + line.timestamp_ns + event.offset_ps // 1000
                yield _Event(ran["name"], ran["kind"], start, event.duration_ps // 1000, thread)


def _operation_of(plane: Any, event: Any) -> str:
    """``name:Type`` of the operation that an event is about; a kernel says it in a statistic."""
    if plane.name == "/host:CPU":
        return str(plane.event_metadata[event.metadata_id].name)
    for stat in event.stats:
        if plane.stat_metadata[stat.metadata_id].name == "tf_op":
            return str(stat.str_value or plane.stat_metadata[stat.ref_value].name)
    return ""


def _add_node_stats(stats: Any, event: _Event, nodes: Mapping[str, Any]) -> None:
    inputs = ", ".join(name for name in nodes[event.operation].input if not name.startswith("^"))
    stats.node_stats.add(
        node_name=event.operation,
        timeline_label=f"{event.operation} = {event.kind}({inputs})",
        all_start_micros=event.start // 1000,
        op_end_rel_micros=event.duration // 1000,
        all_end_rel_micros=event.duration // 1000,
        all_start_nanos=event.start,
        op_end_rel_nanos=event.duration,
        all_end_rel_nanos=event.duration,
        thread_id=event.thread,
    )
