"""The one graph of a store: what TF 1.x's default graph was to a program."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import tensorflow as tf

from ..bridge.fetches import Fetches
from ..bridge.graph import Graph, current_graph, enclosing_graph
from ..bridge.pruning import reach
from ..bridge.runtime import is_handle_of_variable
from ..bridge.session import Run, Session
from ..variables.initial_value import InitialValue
from ..variables.needed import waited_for
from ..variables.passes import Pass
from ..variables.store import VariableStore, default_store, entered, makes_graphs
from .configuration import current_config
from .first_values import calls_or_takes
from .names import StorePass
from .variable import EagerVariable, StoreVariable

__all__ = ["StoreGraph", "current_store_graph", "enclosing_store_graph"]


_outliving = 0
"""How many tests run that go on behind errors."""


@contextlib.contextmanager
def outliving_errors() -> Iterator[None]:
    """Leaves graphs as they are where building code raises, for the body of the `with`: nothing refuses them then."""
    global _outliving
    _outliving += 1
    try:
        yield
    finally:
        _outliving -= 1


class MissingInput(tf.errors.InvalidArgumentError, ValueError):
    """An input that is needed has no value: TensorFlow 1's error, and a ValueError."""


Runs = dict[Hashable, tuple[Session, Run]]
"""Ways to run, each with the session that it is of."""


class StoreGraph(Graph):
    """The graph that the building code of a store records in, and that steps are pruned from.

    It is the bridge's graph; its variables get their first values by themselves, all together where a block of
    building code ends, as the first run of TF 1.x's programs gave them. What runs is one session.

    Args:
      store: the store.
      before: the pass that eager code has made in the store until now.
    """

    enters_store = True

    def __init__(self, store: VariableStore, before: Pass) -> None:
        self._store = None
        self.starting: list[StoreVariable] = []
        self._acting: list[StoreVariable] = []
        """The variables whose first values a program can tell how often they are made: they get them when needed."""
        self._waiting: list[StoreVariable] = []
        """Those of them that nothing needed so far."""
        self._forced: set[int] = set()
        self._drawn: dict[str, Any] = {}
        """The states of random operations behind the first values that variables began with by themselves."""
        super().__init__()
        self._store = store
        self.lock = threading.RLock()
        self._inputs: dict[int, tuple[Any, str, str]] = {}
        self._known: dict[int, tuple[tf.Tensor, Any]] = {}
        self._open, self._broken = 0, None
        self._session: Session | None = None
        self.monitor: Any = None
        """What steps run through where hooks are called around them."""
        self.runs: Runs = {}
        self.building_pass = StorePass(store, self, before)
        for name, variable in store._variables.items():
            self.adopt(name, variable)

    # -- building -----------------------------------------------------------------------------------------------------

    @property
    def seed(self) -> Any:
        """The seed of the graph, which is its store's."""
        return self._store.seed

    @seed.setter
    def seed(self, value: Any) -> None:
        if self._store is not None:
            self._store.seed = value

    @contextlib.contextmanager
    def as_default(self) -> Iterator[StoreGraph]:
        """Adds what the body makes to this graph, and its variables to the store."""
        with super().as_default(), entered(self._store):
            yield self

    @contextlib.contextmanager
    def building(self) -> Iterator[StoreGraph]:
        """Builds here.

        Raises:
          RuntimeError: code that built here before has raised half way.
        """
        with self.lock, contextlib.ExitStack() as opened:
            self.require_whole()
            opened.enter_context(self.as_default())
            scope = Pass.name_scope_name(self.building_pass)
            if scope and scope != self.get_name_scope():  # Opened by eager code.
                opened.enter_context(self.name_scope(scope + "/"))
            before = self._size()
            self._open += 1
            try:
                yield self
            except BaseException as error:
                if self._open == 1 and self._size() != before and not _outliving:
                    self._broken = error
                raise
            finally:
                self._open -= 1
            if not self._open:
                self.start_variables()

    def _size(self) -> tuple[int, int]:
        return self.version, len(self._store._variables)

    def require_whole(self) -> None:
        """Raises RuntimeError where code that builds has raised half way: the graph is not to be used any more."""
        if self._broken is not None:
            raise RuntimeError(
                f"The graph of this store is half built, since building it raised {self._broken!r}: begin with a new "
                "compat.VariableStore()"
            ) from self._broken

    def capture(self, tensor: Any, name: str | None = None, shape: Any = None) -> Any:
        """Takes a tensor from outside in: of eager code, not of another graph.

        Raises:
          RuntimeError: it is of another store's graph, or the handle of a variable that is not of this store.
        """
        if tf.is_symbolic_tensor(tensor):
            if isinstance(tensor.graph, Graph) and tensor.graph is not self:
                raise RuntimeError(f"{tensor} belongs to the graph of another store than the one that is built in")
        elif id(tensor) not in self.variables_by_handle and is_handle_of_variable(tensor):
            # No ValueError: where many tensors are converted, TensorFlow leaves out what such an error says.
            raise RuntimeError(
                "Building code uses a variable that is not of its store, so that no saver, optimizer or initializer "
                "would know of it. It is one of another store, a tf.Variable, or one of a Keras 3 layer: make it with "
                "compat.Variable, compat.get_variable or compat.layers while the store is entered, or with a layer of "
                "compat.keras2."
            )
        # Not "Placeholder": programs count those.
        return super().capture(tensor, name or "captured", shape)

    # -- inputs -------------------------------------------------------------------------------------------------------

    def note_input(self, made: Any, name: str | None, place: str) -> None:
        """Makes an input known, by the name that it was made with, and by where that was."""
        self._inputs[id(made)] = made, (name or "").split("/")[-1], place

    def found(self, element: Any) -> Any:
        """The tensor or operation of a name; anything else as it is."""
        return self.as_graph_element(element) if isinstance(element, str) else element

    def input_name(self, made: Any) -> str | None:
        """The name that calls may give the value of an input by; None of what is no input."""
        return self._inputs[id(made)][1] if id(made) in self._inputs else None

    def describe_input(self, made: Any) -> str:
        """An input's name, and where it was made."""
        name = getattr(made, "values", made).op.name
        return f"{name} ({self._inputs[id(made)][2]})" if id(made) in self._inputs else str(name)

    # -- variables ----------------------------------------------------------------------------------------------------

    def is_building(self) -> bool:
        """Whether operations are added to this graph here."""
        return current_graph() is self

    def create_variable(self, name: str, initial_value: InitialValue, **properties: Any) -> StoreVariable:
        """Makes a variable of the store; it has a value when the building code around has ended."""
        variable = StoreVariable(graph=self, name=name, initial_value=initial_value.produce, **properties)
        self.starting.append(variable)
        return variable

    def adopt(self, name: str, variable: tf.Variable) -> None:
        """Makes a variable known that eager code made in the store."""
        shares_memory = name not in self._store._books.resources
        EagerVariable(self, name, variable, shares_memory)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation that `obj` is, or is the name of; of a variable, the tensor that reads it."""
        if isinstance(obj, tf.Variable) and not isinstance(obj, StoreVariable):
            if id(obj) not in self._known:
                self._known[id(obj)] = self._reading(obj), obj
            return self._known[id(obj)][0]
        return super().as_graph_element(obj, allow_tensor, allow_operation)

    def _reading(self, variable: Any) -> tf.Tensor:
        known = self.variables_by_handle.get(id(variable.handle))
        if waited_for(variable) is not variable:  # What an assignment in the graph returned is read behind it.
            with self.as_default(), tf.control_dependencies(None):
                return variable.value()
        if known is None:
            raise ValueError(f"{variable.name} is a variable of another store, or of none")
        return known.element if isinstance(known, EagerVariable) else known._as_graph_element()

    def as_graph_def(self, *args: Any, **kwargs: Any) -> Any:
        """As the bridge's graph; variables that eager code made have initializers too."""
        for known in list(self.variables_by_handle.values()):
            known.initializer  # noqa: B018 (it is built by who asks for it first)
        return super().as_graph_def(*args, **kwargs)

    def start_variables(self) -> None:
        """Gives first values to the variables that have none, in one run, as TF 1.x's initializer did.

        Variables whose first values need an input stay without: the program runs their initializers. Those whose
        first values call Python, or take elements, wait until something needs them, or the program runs these.
        """
        with self.lock, tf.init_scope():
            waiting, self.starting = self.starting, []
            forced, self._forced = self._forced, set()
            wanted = [each for each in waiting if id(each) in forced or not each.is_initialized()]
            acting = [each for each in wanted if calls_or_takes(self, each.initializer)]
            if acting:
                self._acting += [each for each in acting if each not in self._acting]
                self._waiting += acting
                wanted = [each for each in wanted if each not in acting]
            self._run_initializers(wanted)
            if wanted:
                self._drawn.update(self.session.sequences.states())

    def start_needed(self, needed: Sequence[Any]) -> None:
        """Gives first values to those that waited, and have none, of the variables that something needs."""
        with self.lock, tf.init_scope():
            wanted = [each for each in self._waiting if each in needed]
            if wanted:
                self._waiting = [each for each in self._waiting if each not in wanted]
                self._run_initializers([each for each in wanted if not each.is_initialized()])

    def start_again(self, variable: StoreVariable) -> None:
        """Has a variable start with the initial value that it has now."""
        self.starting.append(variable)
        self._forced.add(id(variable))

    def initialize(self, variables: Iterable[tf.Variable]) -> list[StoreVariable]:
        """Gives variables their initial values again, in one run: those that building code made, which it gives."""
        built = [each for each in variables if isinstance(each, StoreVariable)]
        with self.lock, tf.init_scope():
            self._draw_again([each.initializer for each in built])
            self._run_initializers(built)
        return built

    def _run_initializers(self, variables: Sequence[StoreVariable]) -> None:
        operations = self._without_inputs([each.initializer for each in variables])
        if not operations:
            return
        large = set(self._large_constants)
        try:
            self._run_initializer(operations)
        except tf.errors.FailedPreconditionError:
            # One of them needs the value of another: they are made in turn.
            for operation in operations:
                self._run_initializer([operation])
        for name in set(self._large_constants) - large:
            del self._large_constants[name]  # It is in a variable now, and no step needs it so far.

    def _run_initializer(self, operations: list[tf.Operation]) -> None:
        run = Run(self.session, operations, [])
        self.start_needed(run.pruned.needs_value)
        run(self.session, [])

    def _without_inputs(self, operations: list[tf.Operation]) -> list[tf.Operation]:
        """Those of the operations that need no input."""

        def needs_input(roots: list[tf.Operation]) -> bool:
            return any(operation.type == "Placeholder" for operation in reach(self, roots, []).operations)

        if not needs_input(operations):
            return operations
        return [operation for operation in operations if not needs_input([operation])]

    def _draw_again(self, operations: list[tf.Operation]) -> None:
        """Has an initializer that the program runs draw what the variables began with by themselves.

        In TensorFlow 1 its first run drew these numbers. What has been drawn since then counts.
        """
        if self._drawn:
            names = {operation.name for operation in reach(self, operations, []).operations}
            found = {path: state for path, state in self._drawn.items() if path in names}
            for path, state in found.items():
                del self._drawn[path]
                self.session.sequences.begin_again(path, state)

    # -- runs ---------------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """What runs the steps."""
        session = self._session
        if session is None or session.closed:
            with self.lock:
                session = self._session
                if session is None or session.closed:
                    session = self._session = Session(graph=self)
        session.configure(current_config())
        return session

    def run_of(self, runs: Runs, key: Hashable, what: str, fetches: Any, fed: Mapping[tf.Tensor, Any]) -> Run:
        """The kept way to compute fetches of values for some tensors; made by the first call that asks for it.

        Args:
          runs: what is kept.
          key: says which fetches these are.
          what: who asks, for errors.
          fetches: what is computed.
          fed: values by tensor.

        Raises:
          RuntimeError: a graph is being built, or this one is half built.
          ValueError: fetches need an input that has no value.
        """
        if not tf.executing_eagerly():
            raise RuntimeError(f"{what} is called while a graph is built: call it behind the building code")
        if self._broken is not None or self.starting:
            self.require_whole()
            self.start_variables()
        session, key = self.session, (key, *map(id, fed))
        kept = runs.get(key)
        if kept is None or kept[0] is not session:
            with tf.init_scope(), self.lock:
                kept = runs.get(key)
                if kept is None or kept[0] is not session:
                    operations = self._require_inputs(what, fetches, list(fed))
                    if self._drawn:
                        self._draw_again([each for each in operations if each in self._initializers()])
                    kept = runs[key] = session, Run(session, fetches, list(fed))
                    self.start_needed(kept[1].pruned.needs_value)
        return kept[1]

    def needed(self, fetches: Any, fed: Sequence[tf.Tensor]) -> list[tf.Operation]:
        """The operations that fetches need where some tensors have values."""
        wanted = Fetches(self, fetches)
        ids = {id(tensor) for tensor in fed}
        roots = [*(tensor.op for tensor in wanted.tensors if id(tensor) not in ids), *wanted.operations]
        return reach(self, roots, fed).operations

    def _initializers(self) -> set[tf.Operation]:
        return {each.initializer for each in self._store.variables if isinstance(each, StoreVariable)}

    def _require_inputs(self, what: str, fetches: Any, fed: Sequence[tf.Tensor]) -> list[tf.Operation]:
        """The operations that fetches need.

        Raises:
          ValueError: there is an input without a value among them.
        """
        operations = self.needed(fetches, fed)
        for operation in operations:
            if operation.type == "Placeholder":
                name = self.describe_input(operation.outputs[0])
                message = f"{what} needs a value for the input {name}, which it is not given"
                raise MissingInput(operation.node_def, operation, message)
        return operations

    def is_ready(self, session: Session) -> bool:
        """Whether a session is the one that runs, and no variable waits for its first value."""
        is_open = session is self._session and not session.closed and self.monitor is None
        return is_open and not self.starting and self._broken is None

    @property
    def hooked(self) -> Any:
        """What calls hooks around a step that is called here, or None."""
        monitor = self.monitor
        return monitor if monitor is not None and monitor.is_free and tf.executing_eagerly() else None

    def reset(self) -> list[StoreVariable]:
        """Ends what a session of TF 1.x held: random sequences, iterators, queues and tables begin anew.

        Returns:
          The variables that are without a value now, until something needs it.
        """
        with self.lock:
            if self._session is not None:
                self._session.close()
            self._drawn.clear()
            for variable in self._acting:
                variable.forget_value()
            self._waiting = list(self._acting)
            return self._acting


def current_store_graph() -> StoreGraph:
    """The graph of the store that is entered, else of the program's default store.

    Raises:
      RuntimeError: it is half built.
    """
    graph: StoreGraph = default_store().graph
    graph.require_whole()
    return graph


def enclosing_store_graph() -> StoreGraph | None:
    """The store's graph that is built here, also from inside of functions in it, else None."""
    graph = enclosing_graph()
    return graph if isinstance(graph, StoreGraph) else None


makes_graphs(StoreGraph)
