"""`Session` and `InteractiveSession` of TF 1.15, run as pruned TF2 functions over eager variables."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from ..places import note_operation
from ..private import stack
from .devices import apply_config
from .feeds import feed_values, feeds
from .fetches import Fetches, structure_key
from .graph import Graph, get_default_graph
from .pruning import Pruned, prune
from .random_state import RandomSequences
from .repeating import repeated
from .resources import destroy_resources
from .runtime import CancellationManager
from .targets import check_target
from .tracing import Tracer, wants_trace

__all__ = ["InteractiveSession", "Run", "Session", "get_default_session", "session_here"]


class Run:
    """A kept way to run one structure of fetches with one set of fed tensors."""

    def __init__(self, session: Session, fetches: Any, fed: Sequence[tf.Tensor]) -> None:
        wanted = Fetches(session.graph, fetches)
        self.rebuild = wanted.rebuild
        self.soft = bool(getattr(session._config, "allow_soft_placement", False))
        self.pruned: Pruned = prune(session.graph, wanted.tensors, wanted.operations, fed, self.soft, session.sequences)
        self.asked = wanted.asked
        ids = set(map(id, fed))
        self.given_back = [position for position, tensor in enumerate(wanted.tensors) if id(tensor) in ids]
        self.tracer = Tracer(self.pruned.name)
        session._used_resources |= self.pruned.uses_resources

    def __call__(self, session: Session, values: list[Any], options: Any = None, run_metadata: Any = None) -> Any:
        try:
            return self._run(session, values, options, run_metadata)
        except tf.errors.OpError as error:
            note_operation(error, session.graph)
            raise

    def _run(self, session: Session, values: list[Any], options: Any, run_metadata: Any) -> Any:
        pruned = self.pruned
        if pruned.startups:
            session.start(pruned.startups)
        timeout = session._timeout(options)
        if pruned.may_wait:
            # It may wait for what another session does, so the turn ends before.
            with session.turn():
                self._check(pruned)
            with self.tracer.recording(options, run_metadata, may_wait=True):
                outputs = session._wait(lambda manager: pruned.call(values, manager), timeout)
            return self.rebuild(self._results(outputs))
        with session.turn():
            self._check(pruned)
            with self.tracer.recording(options, run_metadata):
                outputs = (
                    session._wait(lambda manager: pruned.call(values, manager), timeout)
                    if timeout
                    else pruned.call(values)
                )
            return self.rebuild(self._results(outputs))

    def at_once(self, session: Session, values: list[Any]) -> Any:
        """The results where nothing has to start before, and nothing may wait; see `__call__`."""
        turns = session.graph.turns
        turns.begin(session)
        try:
            return self.rebuild(self._results(self.pruned.call(values)))
        except tf.errors.OpError as error:
            note_operation(error, session.graph)
            raise
        finally:
            turns.end()

    @staticmethod
    def _check(pruned: Pruned) -> None:
        if pruned.needs_value:
            pruned.needs_value = _check_initialized(pruned.needs_value)

    def _results(self, outputs: Sequence[Any]) -> list[Any]:
        results = [_to_numpy(result) for result in outputs]
        for position in self.given_back:
            results[position] = np.asarray(results[position])  # TF1 gave the array that it had made of what was fed
        for position, variable in self.pruned.reread.items():
            value, shape = variable.numpy(), np.shape(results[position])
            results[position] = value if np.shape(value) == shape else value.reshape(shape)
        return results


def _check_initialized(variables: list[Any]) -> list[Any]:
    with tf.init_scope():
        missing = [v for v in variables if not tf.raw_ops.VarIsInitializedOp(resource=v.handle)]
    for variable in missing[:1]:
        raise tf.errors.FailedPreconditionError(
            variable.op.node_def, variable.op, f"Attempting to use uninitialized value {variable.op.name}"
        )
    return []


def _before_alarm(call: Callable[[Any], Any], manager: Any, timeout: float) -> Any:
    alarm = threading.Timer(timeout, manager.start_cancel)
    try:
        alarm.start()
        return call(manager)
    except tf.errors.CancelledError:
        if alarm.finished.is_set():
            raise tf.errors.DeadlineExceededError(None, None, f"The run did not end in {timeout} s") from None
        raise
    finally:
        alarm.cancel()


def _to_numpy(result: Any) -> Any:
    return result.numpy() if result.dtype not in (tf.resource, tf.variant) else result


class Session:
    """Runs parts of a `compat.Graph`; stands for `tf.Session` of TF 1.15.

    Each `run` executes exactly the operations that its fetches reach, as one TF2 function that is made at the
    first call and kept. Each session of a graph has its own values for the variables, as in TF1: none before an
    initializer, a restore or `load` gave them. Eager code sees those of the session that ran last, also when it has
    been closed.

    Args:
      target: "" (this process), or the target of the `compat.train.Server` that this process is.
      graph: the graph to run; the default graph when None.
      config: a `ConfigProto`, or None. What concerns devices counts: `allow_soft_placement`, `log_device_placement`,
        `device_count`, `gpu_options.allow_growth` and `gpu_options.visible_device_list`.

    Raises:
      ValueError: the `target` is another process: use `tf.distribute` in its place.

    Example:
      >>> with compat.Graph().as_default():
      ...     x = compat.placeholder(tf.float32, [None], name="x")
      ...     doubled = 2.0 * x
      ...     with compat.Session() as session:
      ...         session.run(doubled, {x: [1.0, 2.0]})
      array([2., 4.], dtype=float32)
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        self._graph = get_default_graph() if graph is None else graph
        if not isinstance(self._graph, Graph):
            raise TypeError(f"graph must be a compat.Graph, but got {type(self._graph)}")
        self.server = check_target(target, self._graph)
        self._config = config
        apply_config(config)
        self._closed = False
        self._runs: dict[Any, Run] = {}
        self._started: set[str] = set()
        self._starting = threading.RLock()
        self._used_resources = False
        self.sequences = RandomSequences()
        self._scopes: list[contextlib.ExitStack] = []
        self._waiting: set[Any] = set()
        self._ending = threading.Lock()
        self._graph.sessions.add(self)

    @property
    def graph(self) -> Graph:
        """The graph that this session runs."""
        return self._graph

    def configure(self, config: Any) -> None:
        """Has runs that are made from now on follow other options; those for devices have been applied before."""
        self._config = config

    @property
    def graph_def(self) -> Any:
        """The graph as a `GraphDef`."""
        return self._graph.as_graph_def()

    @property
    def sess_str(self) -> str:
        """The target; always empty."""
        return ""

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Computes `fetches` and gives their NumPy values in the same structure.

        Args:
          fetches: a tensor, operation, variable, sparse tensor or name, or nested lists, tuples and
            dictionaries of such. Operations give None.
          feed_dict: values that stand in for tensors of the graph; NumPy casts them to the tensors' types.
          options: `RunOptions`, or None. With a `trace_level`, or `output_partition_graphs`, `run_metadata` is filled;
            the run is profiled for that, which takes some milliseconds. `timeout_in_ms` ends a run that waits.
          run_metadata: a `RunMetadata` that gets `step_stats` (each operation that took time, per device; constants
            and feeds, which take none, are not in it, nor is the memory that was used) and `partition_graphs`.

        Raises:
          RuntimeError: the session is closed, or a run is to be traced while the process is being profiled.
          tf.errors.DeadlineExceededError: the run took longer than `options` or the session's `config` allow.
          TypeError, ValueError: a fetch or feed does not fit the graph.
          tf.errors.OpError: what the operations raise; `InvalidArgumentError` names a placeholder that the
            fetches need and that was not fed, `FailedPreconditionError` a variable without a value.
        """
        self._require_open()
        fed = feeds(self._graph, feed_dict)
        traced = wants_trace(options) and run_metadata is not None
        key = (traced, structure_key(fetches), *map(id, fed))
        run = self._runs.get(key)
        if run is None:
            run = self._runs[key] = Run(self, fetches, list(fed))
        return run(self, feed_values(fed), options, run_metadata)

    def make_callable(
        self, fetches: Any, feed_list: Sequence[Any] | None = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """A function of the values of `feed_list` that runs `fetches`; `make_callable` of TF 1.15."""
        keys = list(feed_list or ())

        def call(*values: Any, options: Any = None, run_metadata: Any = None) -> Any:
            if len(values) != len(keys):
                raise TypeError(f"the callable takes {len(keys)} values, one for each feed, but got {len(values)}")
            return self.run(fetches, dict(zip(keys, values, strict=True)), options, run_metadata)

        return call

    def _make_callable_from_options(self, options: Any) -> Callable[..., Any]:
        """A function of the values of the fed tensors that a `CallableOptions` names; Keras 2 runs its steps so."""
        named = self._graph.as_graph_element
        connections = options.tensor_connection
        given = [named(each.from_tensor, allow_operation=False) for each in connections]
        taking = [named(each.to_tensor, allow_operation=False) for each in connections]
        fetches = [named(name, allow_operation=False) for name in options.fetch]
        targets = [named(name, allow_tensor=False) for name in options.target]
        fed = [named(name, allow_operation=False) for name in options.feed]
        connected = self.make_callable(given, fed)
        call = self.make_callable([fetches, targets], [*fed, *taking])

        def run(*values: Any, run_metadata: Any = None) -> Any:
            # What stands in for another tensor (an element of a dataset) is computed first, and once.
            passed = connected(*values) if given else []
            return call(*values, *passed, options=options.run_options, run_metadata=run_metadata)[0]

        return run

    def make_repeated(self, operation: tf.Operation, times: int) -> Callable[[], None]:
        """A function that runs an operation `times` times, or until it raises; for threads that fill queues.

        It loops inside TensorFlow, which is much faster than so many runs; where the operation reads or sets a
        variable it runs once, since sessions of one graph take turns with those.
        """
        run = Run(self, operation, [])
        if run.pruned.has_state or not run.pruned.may_wait:
            return self.make_callable(operation)
        call = repeated(run.pruned, times, run.soft)

        def loop() -> None:
            self._require_open()
            self.start(run.pruned.startups)
            self._wait(call, 0)

        return loop

    def partial_run(self, handle: Any, fetches: Any, feed_dict: Any = None) -> Any:
        """Not supported: TF2 functions run whole.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError("partial_run has no counterpart in TF2: run the parts as separate fetches")

    partial_run_setup = partial_run

    def list_devices(self) -> list[Any]:
        """The devices of this process."""
        return tf.config.list_logical_devices()

    def close(self) -> None:
        """Ends the session and every call of it that is still blocked; variables keep their values.

        Queues, readers, tables and iterators of the graph are gone with it, as in TF1, unless another open session
        of the graph uses some.
        """
        with self._ending:
            if self._closed:
                return
            self._closed = True
            waiting = list(self._waiting)
        self._runs.clear()
        for manager in waiting:
            manager.start_cancel()
        self._graph.sessions.discard(self)
        if not any(session._used_resources for session in self._graph.sessions):
            destroy_resources(self._graph.resources)

    @property
    def closed(self) -> bool:
        """Whether `close()` was called."""
        return self._closed

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """A context in which the graph's variables hold this session's values, for code that reads them eagerly."""
        self._graph.turns.begin(self)
        try:
            yield
        finally:
            self._graph.turns.end()

    def as_default(self) -> Any:
        """A context manager that makes this the session of `Tensor.eval()` and `Operation.run()`."""
        return stack.default_session(self)

    def __enter__(self) -> Session:
        scopes = contextlib.ExitStack()
        scopes.enter_context(self._graph.as_default())
        scopes.enter_context(self.as_default())
        self._scopes.append(scopes)
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        self._scopes.pop().close()
        self.close()

    def _require_open(self) -> None:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")

    def _wait(self, call: Callable[[Any], Any], timeout: float) -> Any:
        """Makes a call that may block, so that `close()` ends it, and `timeout` seconds where that is not 0."""
        manager = CancellationManager()
        with self._ending:
            # Closed since the caller looked: nobody would end this call any more.
            self._require_open()
            self._waiting.add(manager)
        try:
            return _before_alarm(call, manager, timeout) if timeout else call(manager)
        finally:
            self._waiting.discard(manager)

    def _timeout(self, options: Any) -> float:
        """Seconds until a run is ended; 0 where nothing asks for that."""
        asked = getattr(options, "timeout_in_ms", 0) or getattr(self._config, "operation_timeout_in_ms", 0)
        return float(asked) / 1000

    def start(self, initializers: Sequence[tf.Operation]) -> None:
        """Runs those of the operations that this session has not run in this way before."""
        with self._starting:
            for initializer in initializers:
                if initializer.name not in self._started:
                    self._started.add(initializer.name)
                    self.run(initializer)


class InteractiveSession(Session):
    """A `Session` that is the default one from the moment it is made; `tf.InteractiveSession` of TF 1.15."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._installed = contextlib.ExitStack()
        if graph is not None:
            self._installed.enter_context(graph.as_default())
        default = self.as_default()
        default.enforce_nesting = False
        self._installed.enter_context(default)

    def close(self) -> None:
        """Ends the session; it is no longer the default one."""
        super().close()
        self._installed.close()


def session_here() -> Session | None:
    """The default session, else what runs the steps of the store that is entered, or None."""
    found: Session | None = stack.get_default_session() or getattr(get_default_graph(), "session", None)
    return found


def get_default_session() -> Session | None:
    """The session that `Tensor.eval()` would use, or None; `tf.get_default_session` of TF 1.15."""
    return stack.get_default_session()
