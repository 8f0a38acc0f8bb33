"""The graph that bridged code builds, and the one that is ambient.

`Graph` is TF1's `tf.Graph` for TF2: the operations that bridged code calls become its nodes, but it is a
*function graph*, so that `tf.Variable`s live outside it (eager code sees, checkpoints and exports them), and a
`tf.function` called while it is being built works as anywhere else.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
import sys
import weakref
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import attr_value_pb2

from ..default_seed import default_seed
from ..private import control_flow_v2_func_graphs as bodies
from ..private import func_graph, ops
from .operation_count import OperationCount
from .random_state import RandomSequences
from .result_names import result_name
from .runtime import HOST
from .turns import Turns

__all__ = [
    "HOSTED",
    "Graph",
    "close_graph",
    "current_graph",
    "get_default_graph",
    "open_graph",
    "reset_default_graph",
    "with_open_graph",
]

_IDENTITY_ASKED_BY = frozenset({"__hash__", "tensor_equals", "tensor_not_equals"})
_CONTROL_FLOW_BODIES = (
    bodies.CondBranchFuncGraph,
    bodies.WhileCondFuncGraph,
    bodies.WhileBodyFuncGraph,
)
_READ = re.compile("(?P<variable>.+)/(read|Read/ReadVariableOp)(?P<place>:0)?")
_graph_numbers = itertools.count()
_LARGE = 1 << 20
"""From how many bytes on the runs of a graph share a constant."""
_STAGING = ("Stage", "Unstage", "StageClear", "StagePeek", "StageSize")
_STAGING_BY_KEY = ("Clear", "IncompleteSize", "Peek", "Size", "Stage", "Unstage", "UnstageNoKey")
HOSTED = frozenset({"FIFOQueueV2", "IteratorV2", "MutexV2", *_STAGING}).union(
    f"{kind}{name}" for kind in ("Map", "OrderedMap") for name in _STAGING_BY_KEY
)
"""Types of operations, of those that share something between runs, which a GPU has kernels for too. They are all on the
CPU, for runs are placed one by one: a queue that one run fills with whole batches, which only a CPU does, would be
another queue to a run that takes out elements on a GPU, and that would wait for ever."""


class _BuildingFunction:
    """True to everybody except `hash(tensor)`, `tensor == other` and `tensor != other`.

    TensorFlow decides by this very question between TF1's identity and TF2's values; a bridge graph is a function
    graph in all other ways. The operators ask of a tensor's own graph, or through two functions of TensorFlow of the
    graphs being built: a `tf.function` traced inside a bridge graph keeps TF2's values.
    """

    def __bool__(self) -> bool:
        frame = sys._getframe(1)
        if frame.f_code.co_name in _IDENTITY_ASKED_BY:
            return False
        for _ in range(2):
            if frame.f_back is None:
                return True
            frame = frame.f_back
            if frame.f_code.co_name in _IDENTITY_ASKED_BY:
                return current_graph() is None
        return True

    def __repr__(self) -> str:
        return "False"  # What TF 1.x said of a graph that is no function's.


_BUILDING_FUNCTION = _BuildingFunction()


class Graph(func_graph.FuncGraph):
    """A TF1 graph over TF2 variables; stands for `tf.Graph` of TF 1.15.

    Tensors of this graph hash and compare by identity, as TF1's did: they are keys of feed dictionaries.
    Operations that own a resource (queues, tables, iterators) get a name of their own in the runtime, so that
    every run of a part of the graph finds the same resource.

    Example:
      >>> graph = Graph()
      >>> with graph.as_default():
      ...     doubled = tf.constant(21) * 2
      >>> doubled.graph is graph
      True
    """

    enters_store = False
    """Whether the graph enters its store where it is opened, so that another one can be entered in it."""

    def __init__(self) -> None:
        _keep_soft_placement()
        number = next(_graph_numbers)
        super().__init__(f"tf1_graph_{number}", collections={})
        self.seed = None
        self._resource_prefix = f"tf1_graph_{number}"
        self._resource_numbers = itertools.count()
        self._store: Any = None
        self.variables_by_handle: dict[int, Any] = {}
        self.startups: dict[str, tf.Operation] = {}
        self.resources: list[tf.Operation] = []
        self.random_sequences = RandomSequences()
        self.operation_count = OperationCount(self)
        self._large_constants: dict[str, Any] = {}
        self.turns = Turns(self.variables_by_handle.values)
        self.sessions: weakref.WeakSet[Any] = weakref.WeakSet()

    @property
    def building_function(self) -> _BuildingFunction:
        """True, but for the operators of `tf.Tensor` that ask it whether to follow TF1."""
        return _BUILDING_FUNCTION

    @property
    def store(self) -> Any:
        """The `VariableStore` of this graph: its variables, scopes and collections."""
        if self._store is None:
            from .store import GraphStore

            self._store = GraphStore(self)
        return self._store

    def add_startup(self, resource: tf.Operation, initializer: tf.Operation) -> None:
        """Has `initializer` run once before the first run that reaches `resource` (one-shot iterators)."""
        self.startups[resource.name] = initializer

    def note_input(self, made: Any, name: str | None, place: str) -> None:
        """Is told of each placeholder, with the name that it was given, and where; a store's graph keeps them."""

    def add_variable(self, variable: Any) -> None:
        """Makes the eager `variable` known, so that runs tell its reads and writes from other operations."""
        self.variables_by_handle[id(variable.handle)] = variable

    def knows(self, variable: Any) -> bool:
        """Whether a variable is one of this graph's."""
        return id(variable._handle) in self.variables_by_handle

    def known(self, variable: Any) -> Any:
        """What the graph knows of a variable: its operations among others."""
        return self.variables_by_handle.get(id(variable._handle), variable)

    def variable_read_by(self, operation: tf.Operation) -> Any:
        """The variable that an operation of the type `ReadVariableOp` reads, or None."""
        captured = self.captured().get(operation.inputs[0].op.name)
        return self.variables_by_handle.get(id(captured))

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """As TensorFlow's; the names that TF1 gave to the reads of variables, `w/read` and `w/read:0`, mean `w`."""
        if isinstance(obj, str) and (found := _READ.fullmatch(obj)):
            place = found["place"] or ""
            named = {variable.op.name for variable in self.variables_by_handle.values()}
            if found["variable"] in named and not self._has_operation(obj.removesuffix(place)):
                obj = found["variable"] + place
        return super().as_graph_element(obj, allow_tensor, allow_operation)

    def _has_operation(self, name: str) -> bool:
        try:
            super().as_graph_element(name, allow_tensor=False)
        except KeyError:
            return False
        return True

    def get_operations(self) -> list[tf.Operation]:
        """The operations, as TF1 listed them: not those that stand for the handles of variables."""
        stand_ins = {inside.op.name for _, inside in self.captures}
        return [operation for operation in super().get_operations() if operation.name not in stand_ins]

    @property
    def captures(self) -> list[tuple[Any, Any]]:
        """What the graph takes from outside, and its stand-in for each; none where gradients look for their way.

        In the body of a loop they would go on from a variable's stand-in to what eager code knows it by, which no
        operation of the graph around reads.
        """
        return [] if sys._getframe(1).f_code.co_name == "_Captures" else super().captures

    def captured(self) -> dict[str, Any]:
        """Name of the stand-in operation -> eager tensor, for everything from outside that the graph uses.

        Large constants that runs use are among them: the runs share one copy.
        """
        return self._large_constants | {inside.op.name: outside for outside, inside in self.captures}

    def is_large(self, operation: tf.Operation) -> bool:
        """Whether it is a constant too large to be copied into each run; then `captured` has its value from now on."""
        if operation.type != "Const":
            return False
        if operation.name not in self._large_constants:
            output = operation.outputs[0]
            count = output.shape.num_elements()
            if count is None or count * output.dtype.size < _LARGE:
                return False
            with tf.init_scope(), tf.device("/cpu:0"):
                self._large_constants[operation.name] = tf.constant(tf.make_ndarray(operation.get_attr("value")))
        return True

    def new_resource_name(self, op_type: str) -> str:
        """A name in the runtime for what an operation of this graph owns."""
        return f"{self._resource_prefix}/{op_type}_{next(self._resource_numbers)}"

    def has_resource_name(self, name: str) -> bool:
        """Whether `new_resource_name` gave this name."""
        return name.startswith(f"{self._resource_prefix}/")

    def as_graph_def(self, *args: Any, **kwargs: Any) -> Any:
        """The graph as a `GraphDef` that stands alone: variables are `VarHandleOp`s by name."""
        from .export import portable_graph_def

        return portable_graph_def(self, super().as_graph_def(*args, **kwargs))

    def device(self, device_name_or_function: Any) -> Any:
        """As TensorFlow's; what names another process of a cluster means the like device of this one."""
        return super().device(_in_this_process(device_name_or_function))

    def _create_op_internal(
        self,
        op_type: str,
        inputs: Any,
        dtypes: Any = None,
        input_types: Any = None,
        name: str | None = None,
        attrs: Any = None,
        op_def: Any = None,
        compute_device: bool = True,
    ) -> tf.Operation:
        is_owned = bool(attrs) and "shared_name" in attrs and not attrs["shared_name"].s
        if is_owned:
            attrs = dict(attrs, shared_name=attr_value_pb2.AttrValue(s=self.new_resource_name(op_type).encode()))
        attrs = self.operation_count.before(op_type, attrs, (name or "").rstrip("/").rpartition("/")[0])
        name = result_name(self, op_type, name, inputs)
        with super().device(HOST) if _is_hosted(op_type, inputs) else contextlib.nullcontext():
            operation = super()._create_op_internal(
                op_type, inputs, dtypes, input_types, name, attrs, op_def, compute_device
            )
        self.operation_count.after(operation)
        if is_owned and not operation.inputs:
            self.resources.append(operation)
        return operation


def current_graph() -> Graph | None:
    """The bridge graph being built, also from inside the bodies of its loops and branches, else None.

    A `tf.function` that is traced while the graph is open is not part of it: None there.
    """
    graph = ops.get_default_graph() if not tf.executing_eagerly() else None
    while isinstance(graph, _CONTROL_FLOW_BODIES):
        graph = graph.outer_graph
    return graph if isinstance(graph, Graph) else None


def enclosing_graph() -> Graph | None:
    """The bridge graph around what is being built, outside of functions that are traced in it too, else None."""
    graph = ops.get_default_graph() if not tf.executing_eagerly() else None
    while graph is not None and not isinstance(graph, Graph):
        graph = getattr(graph, "outer_graph", None)
    return graph


class _Ambient:
    """The program's global default graph: the one that is built when nothing else is said."""

    def __init__(self) -> None:
        self.graph: Graph | None = None
        self.opened = 0
        self._scopes = contextlib.ExitStack()

    def get(self) -> Graph:
        if self.graph is None:
            self.graph = Graph()
            self.graph.seed = default_seed.of_default_graph()
        return self.graph

    def open(self) -> None:
        if self.opened == 0:
            self._scopes.enter_context(self.get().as_default())
        self.opened += 1

    def close(self) -> None:
        self.opened = max(0, self.opened - 1)
        if self.opened == 0:
            self._scopes.close()

    def reset(self) -> None:
        opened, self.opened = self.opened, 0
        self._scopes.close()
        self.graph = None
        if opened:
            self.open()
            self.opened = opened


_ambient = _Ambient()


def seed_default_graph(seed: int | None) -> None:
    """Gives a seed to the program's default graph: to the bridge's, and to the default store wherever that is made."""
    default_seed.give(seed)
    default_seed.value = seed
    if _ambient.graph is not None:
        _ambient.graph.seed = seed


def is_default_graph(graph: Any) -> bool:
    """Whether a graph is the program's default graph on the bridge."""
    return graph is not None and graph is _ambient.graph


def _is_hosted(op_type: str, inputs: Any) -> bool:
    """Whether an operation is one of `HOSTED`, or uses what one of them gave."""
    if op_type in HOSTED:
        return True
    first = inputs[0] if inputs else None
    return tf.is_symbolic_tensor(first) and first.dtype == tf.resource and first.op.type in HOSTED


def _in_this_process(device: Any) -> Any:
    """A device, or a function to it, without the job and task of a cluster: each process has its own graph."""
    if callable(device):
        return lambda operation: _in_this_process(device(operation))
    if device is None:
        return None
    spec = tf.DeviceSpec.from_string(device) if isinstance(device, str) else device
    if getattr(spec, "job", None) in (None, "localhost"):
        return device
    return spec.replace(job=None, replica=None, task=None).to_string()


def _keep_soft_placement() -> None:
    """Sets TensorFlow 2's default, which is lost where devices are first used while a graph is being built."""
    with tf.init_scope():
        if tf.config.get_soft_device_placement():
            tf.config.set_soft_device_placement(True)


def open_graph() -> Graph:
    """Makes the program's default graph the one being built, from here until `close_graph()`.

    In TF1 every program had a default graph; in TF2 code runs eagerly unless told otherwise. Migrated entry
    scripts call this once, after their imports. Calls nest: the graph closes with the last one.

    Returns:
      The graph.
    """
    _ambient.open()
    return _ambient.get()


def close_graph() -> None:
    """Ends what the matching `open_graph()` began; the graph itself is kept."""
    _ambient.close()


def with_open_graph(function: Callable[..., Any]) -> Callable[..., Any]:
    """Has a function find the program's default graph open, and closes it behind; for what a test runner calls.

    Example:
      >>> @with_open_graph
      ... def test_a_constant():
      ...     return tf.constant(1.0).graph is get_default_graph()
      >>> test_a_constant()
      True
    """

    @functools.wraps(function)
    def opened(*args: Any, **kwargs: Any) -> Any:
        open_graph()
        try:
            return function(*args, **kwargs)
        finally:
            close_graph()

    return opened


def get_default_graph() -> Any:
    """The innermost graph being built, else the program's own; `tf.get_default_graph` of TF 1.15.

    In a trace that has entered a `VariableStore` it is what stands for the graph there: scopes and collections; in
    eager code, the graph of the store that is entered.
    """
    from ..variables.store import eager_store, traced_graph

    built = current_graph() or traced_graph()
    if built is not None:
        return built
    store = eager_store()
    return _ambient.get() if store is None else store.graph


def reset_default_graph() -> None:
    """Throws the program's default graph away and begins an empty one; `tf.reset_default_graph` of TF 1.15.

    Raises:
      AssertionError: inside `with graph.as_default():`, as in TF1.
    """
    graph = current_graph()
    if graph is not None and graph is not _ambient.graph:
        raise AssertionError(
            "Do not use compat.reset_default_graph() to clear nested graphs. If you need a cleared graph, "
            "exit the nesting and create a new graph."
        )
    from ..variables.store import leave_default_store

    leave_default_store()
    _ambient.reset()
