"""The variables of a TF 1.x program, by their TF1 names, for TF2."""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from types import TracebackType
from typing import Any, TypeVar

import tensorflow as tf

from ..default_seed import default_seed
from ..places import Place, place_in_program
from ..unfed import is_unfed
from .graph_keys import GraphKeys
from .identity import identified
from .initial_value import InitialValue
from .needed import Updates, only_reads, require_fetchable
from .passes import Pass
from .repeated import Signature, signature
from .replicas import has_replicas, in_one_of_several
from .traced_graph import TracedGraph
from .tracing import ambient_graph, copied, making_eagerly, outermost_trace

T = TypeVar("T")

_ANOTHER_EACH_TIME = (
    "The code computes something else when it is traced again: it has to be the same each time. TF 1.x built it once: "
    "keep what it counts or changes in Python out of it."
)


class _Books:
    """Book-keeping of a store. It hides plain containers from ``tf.Module`` and ``tf.train.Checkpoint``, which would
    track every dict that is an attribute."""

    def __init__(self) -> None:
        self.initial_values: dict[str, InitialValue] = {}
        self.members: dict[Hashable, list[Any]] = {}
        self.earlier: tuple[VariableStore, ...] = ()
        self.sealed = False
        self.by_default = False
        """Whether nobody entered it, and the program has it for want of another one."""
        self.graph: Any = None
        """The graph that building code records in, once somebody has asked for it."""
        self.seed: int | None = None
        """The seed that the program gave the graph, where that is not the default one."""
        self.built: dict[Hashable, Signature] = {}
        """What each builder made at first."""
        self.resources: set[str] = set()
        """The variables that TF 1.x would have made with ``use_resource=True``."""
        self.unnamed: dict[str, tuple[bool, Place | None]] = {}
        """Of each variable that the program gave no name: whether it was made in a trace, and where in the program."""
        self.lock = threading.RLock()
        """Held while a variable is looked up and made: functions may be traced in several threads at once."""


class _Entry:
    """One ``with store:``; each trace that runs inside it makes a pass of its own."""

    def __init__(self, store: VariableStore) -> None:
        self.store = store
        self.around = ambient_graph()
        self._trace = outermost_trace()
        self._pass = store.begin()
        self._traced: weakref.WeakKeyDictionary[Any, Pass] = weakref.WeakKeyDictionary()

    def current_pass(self) -> Pass:
        trace, graph = outermost_trace(), self.store._books.graph
        if graph is not None and (trace is None or trace is graph or graph.is_building()):
            built: Pass = graph.building_pass
            return built
        if trace is self._trace or trace is None:
            return self._pass
        if trace not in self._traced:
            self._traced[trace] = self.store.begin()
        return self._traced[trace]


class _Entered(threading.local):
    def __init__(self) -> None:
        self.stack: list[_Entry] = []
        self.scopes: list[str] = []
        """The scopes that are open where no store is."""


_entered = _Entered()
# What a whole program has entered, in all its threads.
_beneath: list[_Entry] = []
_graph_makers: list[Callable[[VariableStore, Pass], Any]] = []
_beginning = threading.RLock()
"""Held while a store gets its graph, and while a program gets its default store."""
# A TF 1.x graph kept all its variables alive, and so does a class.
_families: weakref.WeakKeyDictionary[type, list[VariableStore]] = weakref.WeakKeyDictionary()
_OF_ONE_STORE = frozenset({GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES})


class VariableStore(tf.Module):
    """Holds the variables of a TF 1.x graph, so that ``get_variable`` and the layers built on it work in TF2.

    Enter it around the code that builds the model, in each ``tf.function`` and each eager step. Every entry, and every
    trace within it, is one pass: names are counted from the start again, so the same code finds the same variables.

    >>> store = VariableStore()
    >>> @tf.function
    ... def predict(x):
    ...     with store:
    ...         return x * compat.get_variable("w", [], initializer=tf.constant_initializer(2.0))

    Call :meth:`build` first where variables must exist, in TF1's order, before the first step: to restore a checkpoint,
    to list or to count them.

    Args:
        family: the class whose objects have a store each. They share the collections that their code names, as the
            parts of one TF 1.x graph did: such a collection begins with what it holds in the stores made before.
        defer_updates: whether updates of moving averages, those of batch normalization say, wait for
            :func:`compat.run_updates`, as TF 1.x's waited for a training step; else they are made at once.
    """

    def __init__(self, name: str | None = None, *, family: type | None = None, defer_updates: bool = False) -> None:
        super().__init__(name=name)
        self.defers_updates = defer_updates
        self._variables: dict[str, tf.Variable] = {}
        self._books = _Books()
        if family is not None:
            relatives = _families.setdefault(family, [])
            self._books.earlier = tuple(relatives)
            relatives.append(self)

    # -- entering -----------------------------------------------------------------------------------------------------

    def __enter__(self) -> VariableStore:
        if _entered.scopes:
            raise ValueError(f"a store is entered inside of the scope {_entered.scopes[-1]!r}: enter the store first")
        _entered.stack.append(_Entry(self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _entered.stack.pop()

    def enter_program(self) -> None:
        """Enters the store for the rest of the program, in every thread, beneath what threads enter themselves."""
        _beneath[:] = [_Entry(self)]
        if not self._books.by_default:
            default_seed.value = None  # TF 1.x threw the default graph away

    def leave_program(self) -> None:
        """Ends what :meth:`enter_program` began."""
        _beneath[:] = [entry for entry in _beneath if entry.store is not self]

    def begin(self) -> Pass:
        """A new pass; of a store that has a graph, the one that goes on in it."""
        graph = self._books.graph
        return Pass(self) if graph is None else graph.building_pass

    @property
    def graph(self) -> Any:
        """The graph that building code records in; code between it goes on with its names and collections."""
        with _beginning:
            if self._books.graph is None:
                entries = reversed(_beneath + _entered.stack)
                before = next((entry._pass for entry in entries if entry.store is self), None)
                with tf.init_scope():
                    self._books.graph = _graph_makers[0](self, before or Pass(self))
            return self._books.graph

    @property
    def seed(self) -> int | None:
        """The seed of the store's graph; that of TensorFlow 2, where the program set that alone."""
        if self._books.by_default:
            return default_seed.of_default_graph()
        return default_seed.of_tensorflow_2() if self._books.seed is None else self._books.seed

    @seed.setter
    def seed(self, value: int | None) -> None:
        if self._books.by_default:
            default_seed.value = value
        else:
            self._books.seed = value

    def is_default(self) -> bool:
        """Whether nobody entered the store, and the program has it for want of another one."""
        return self._books.by_default

    def reset(self) -> None:
        """Begins anew with the same graph, as a second session of TF 1.x did over it.

        Variables get their initial values again, in one run; random sequences, queues, tables and one-shot iterators
        begin anew. Two sessions alive at once over one graph have no counterpart here.

        Example:
          >>> store = compat.VariableStore()
          >>> with store, compat.building():
          ...     total = compat.get_variable("total", [], initializer=compat.zeros_initializer())
          >>> _ = total.assign(3.0)
          >>> store.reset()
          >>> float(total.numpy())
          0.0
        """
        waiting = () if self._books.graph is None else self._books.graph.reset()
        self.initialize([each for each in self._variables.values() if not any(each is other for other in waiting)])

    def current_pass(self) -> Pass:
        """The pass that is going on.

        Raises:
            ValueError: the store has not been entered in this thread.
        """
        for entry in reversed(_beneath + _entered.stack):
            if entry.store is self:
                return entry.current_pass()
        raise ValueError(_NO_STORE)

    def build(self, builder: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Runs graph-building code once in a throwaway graph, to create its variables in TF1's order.

        Afterwards other code may only look them up: a variable that this did not create is an error, not a new weight.

        Args:
            builder: called with the arguments given. What it returns is returned; tensors in it are symbolic.
        """
        graph = tf.__internal__.FuncGraph("build")
        was_sealed, self._books.sealed = self._books.sealed, False
        try:
            with graph.as_default(), self:
                result = builder(*args, **kwargs)
        except BaseException:
            self._books.sealed = was_sealed
            raise
        self._books.sealed = True
        return result

    def compute(self, builder: Callable[..., Any], *args: Any, part: int | None = None) -> Any:
        """Runs graph-building code, and makes those updates in it that its results need, as a run of TF 1.x did.

        For code that makes updates of variables as operations, for others to wait for or to leave alone. Call it in a
        ``tf.function``, without entering the store. The code is traced twice, so it has to be the same each time; as
        behind :meth:`build`, only the first time may create variables. Where results only read variables and some of
        the tensors are :func:`compat.unfed`, nothing else is done.

        Args:
            builder: called with the arguments given, which are tensors.
            part: which of the results is wanted, of a builder that returns several.

        Returns:
            What is wanted of the results, with None in the place of operations.

        Raises:
            ValueError: it is not known which of the results need an update, or the code is another one each time; or a
                result is made in a branch or in a loop, of which TF 1.x gave none either.

        Example:
          >>> store = VariableStore()
          >>> def build():
          ...     total = compat.get_variable("total", [], initializer=tf.zeros_initializer())
          ...     update = compat.assign_add(total, 1.0)
          ...     return tf.constant(5.0), update
          >>> @tf.function
          ... def constant():
          ...     return store.compute(build, part=0)
          >>> @tf.function
          ... def count():
          ...     return store.compute(build, part=1)
          >>> float(constant()), float(count())
          (5.0, 1.0)
        """

        def results(updates: Updates, *given: Any) -> Any:
            self.current_pass().updates = updates
            return builder(*given)

        def wanted(found: Any) -> Any:
            return found if part is None else found[part]

        rehearsal, graph = Updates(), tf.__internal__.FuncGraph("rehearsal")
        with tf.init_scope(), graph.as_default(), self:
            given = [tf.raw_ops.Placeholder(dtype=each.dtype, shape=each.shape) for each in args]
            found = results(rehearsal, *given)
            require_fetchable(wanted(found))
            needed = rehearsal.needed_by(wanted(found), [self._variables[name] for name in self._books.resources])
            built = signature((found, rehearsal.values()), given)
            rehearsed = signature((wanted(found), rehearsal.values(needed)), given)
            reads = any(map(is_unfed, args)) and only_reads(wanted(found), given)
        sizes = tuple(str(each.shape) for each in args)
        same = self._books.built.setdefault((builder, sizes), built) == built
        self._books.sealed = True
        if same and reads:
            return copied(wanted(found))
        updates = Updates(needed)
        with self:
            found = wanted(results(updates, *args))
        if not same or signature((found, updates.values()), args) != rehearsed:
            raise ValueError(_ANOTHER_EACH_TIME)
        updates.require_same(rehearsal)
        return tf.nest.map_structure(lambda each: None if isinstance(each, tf.Operation) else each, found)

    def initialize(self, variables: Sequence[tf.Variable] | None = None) -> None:
        """Gives variables their initial values again, in the order of creation: all, or those named.

        Random initial values are drawn anew.
        """
        wanted = None if variables is None else {id(variable) for variable in variables}
        chosen = {name: each for name, each in self._variables.items() if wanted is None or id(each) in wanted}
        built = () if self._books.graph is None else self._books.graph.initialize(chosen.values())
        with tf.init_scope():
            for name, variable in chosen.items():
                if not any(variable is each for each in built):
                    variable.assign(self._books.initial_values[name].compute())

    def initial_value_of(self, name: str) -> Any:
        """The initial value of a variable, computed now."""
        return self._books.initial_values[name].compute()

    def set_initial_value(self, variable: tf.Variable, value: Callable[[], Any]) -> None:
        """Makes what ``value`` gives the value that :meth:`initialize` sets; until then nothing changes."""
        for name, known in self._variables.items():
            if known is variable:
                self._books.initial_values[name] = InitialValue(value, variable.shape, variable.dtype)

    # -- variables ----------------------------------------------------------------------------------------------------

    @property
    def variables(self) -> tuple[tf.Variable, ...]:
        """All variables in the order of creation."""
        return tuple(self._variables.values())

    @property
    def trainable_variables(self) -> tuple[tf.Variable, ...]:
        """The trainable variables in the order of creation."""
        return tuple(variable for variable in self.variables if variable.trainable)

    def find(self, name: str) -> tf.Variable | None:
        """The variable of that full TF1 name (no ``:0``), or None."""
        return self._variables.get(name)

    def obtain(self, name: str, initial_value: InitialValue, **properties: Any) -> tf.Variable:
        """The variable of that name: an earlier pass's, else a new one from :meth:`create`; one for all threads.

        Raises:
            ValueError: it does not exist and :meth:`build` has been called, or it exists with another shape or dtype.
        """
        if in_one_of_several():
            # Replicas wait for each other where they make a variable.
            return self._obtain(name, initial_value, properties)
        with self._books.lock:
            return self._obtain(name, initial_value, properties)

    def _obtain(self, name: str, initial_value: InitialValue, properties: dict[str, Any]) -> tf.Variable:
        found = self._variables.get(name)
        if found is not None:
            initial_value.check_against(found, name)
            return found
        if self._books.sealed:
            raise ValueError(
                f"Variable {name} is not among the variables that VariableStore.build created, and a step must not "
                "create variables. Build it there too, or give the scope or layer the name it has there."
            )
        variable = self.create(name, initial_value, **properties)
        self._variables[name] = variable
        self._books.initial_values[name] = initial_value
        if properties["use_resource"]:
            self._books.resources.add(name)
        graph = self._books.graph
        if graph is not None and not has_replicas(variable) and not graph.knows(variable):
            graph.adopt(name, variable)
        return variable

    def require_same_unnamed(self, name: str) -> None:
        """Checks that a variable without a name of the program's is the same one as before.

        Raises:
            ValueError: eager code made one of that number, and a trace asks for another one, or the other way round.
        """
        traced, place = outermost_trace() is not None, place_in_program()
        was_traced, was_at = self._books.unnamed.setdefault(name, (traced, place))
        if traced is not was_traced and place and was_at and place != was_at:
            raise ValueError(
                f"Two variables without a name would both be {name!r}: that of {':'.join(map(str, was_at))}, and this "
                f"one of {':'.join(map(str, place))}. Eager code made the one, and a function or builder the other, "
                "which counts for itself: give one of them a name."
            )

    def create(
        self,
        name: str,
        initial_value: InitialValue,
        *,
        trainable: bool,
        validate_shape: bool,
        constraint: Callable[[Any], Any] | None,
        caching_device: Any,
        synchronization: tf.VariableSynchronization,
        aggregation: tf.VariableAggregation,
        use_resource: bool | None,
    ) -> tf.Variable:
        """Makes the variable ``name`` (its full TF1 name). The bridge overrides this."""
        del caching_device
        graph = self._books.graph
        if graph is not None and graph.is_building():
            built: tf.Variable = graph.create_variable(
                name,
                initial_value,
                trainable=trainable,
                validate_shape=validate_shape,
                constraint=constraint,
                synchronization=synchronization,
                aggregation=aggregation,
                use_resource=use_resource,
            )
            return built
        value = initial_value.compute()
        with making_eagerly():
            # The slash makes the name absolute: no name scope is put before it.
            variable = tf.Variable(
                value,
                name=name + "/",
                trainable=trainable,
                constraint=constraint,
                shape=initial_value.shape if validate_shape else tf.TensorShape(None),
                synchronization=synchronization,
                aggregation=aggregation,
            )
            return identified(variable)

    # -- collections of variables -------------------------------------------------------------------------------------

    def keep(self, key: Hashable, variable: tf.Variable) -> None:
        """Puts a variable into a collection for good."""
        members = self._books.members.setdefault(key, [])
        if not any(member is variable for member in members):
            members.append(variable)

    def members(self, key: Hashable) -> list[tf.Variable]:
        """The variables of a collection, those of earlier stores of the family first."""
        own = self._books.members.get(key, [])
        if key in _OF_ONE_STORE:
            return own
        return [variable for store in self._books.earlier for variable in store._books.members.get(key, [])] + own

    def member_keys(self) -> list[Hashable]:
        """The collections that hold variables."""
        return list(self._books.members)

    def forget(self, key: Hashable) -> None:
        """Empties a collection of variables; the variables themselves stay."""
        self._books.members.pop(key, None)


_NO_STORE = (
    "No VariableStore is active. TF 1.x kept variables in the graph; in TF2 create `store = compat.VariableStore()` "
    "once and run the code that builds the model inside `with store:`, or open a graph: `compat.Graph().as_default()`."
)
_NO_STORE_IN_REPLICA = (
    "No VariableStore is active in this replica. Enter it in the function that strategy.run calls: each replica runs "
    "in a thread of its own and counts names for itself."
)


@contextlib.contextmanager
def entered(store: VariableStore) -> Iterator[None]:
    """Enters a store, whatever scopes are open."""
    _entered.stack.append(_Entry(store))
    try:
        yield
    finally:
        _entered.stack.pop()


def current_store() -> VariableStore:
    """The store that variables go to: the bridge graph's own while one is being built, else the one entered last.

    Raises:
        ValueError: there is none.
    """
    graph = ambient_graph()
    if graph is not None and not graph.enters_store and not _entered_within(graph):
        store: VariableStore = graph.store
        return store
    for entry in reversed(_beneath + _entered.stack):
        return entry.store
    raise ValueError(_NO_STORE_IN_REPLICA if in_one_of_several() else _NO_STORE)


def _entered_within(graph: Any) -> bool:
    """Whether a store was entered while the bridge graph that is being built was that already."""
    return bool(_entered.stack) and _entered.stack[-1].around is graph


def has_store() -> bool:
    """Whether there is a variable store here: a bridge graph, or a ``VariableStore`` that has been entered."""
    try:
        current_store()
    except ValueError:
        return False
    return True


def makes_graphs(maker: Callable[[VariableStore, Pass], Any]) -> None:
    """Has ``maker`` make the graph of a store that is asked for it, of the store and the pass made in it before."""
    _graph_makers[:] = [maker]


def default_store() -> VariableStore:
    """The store that is entered, else a new one, entered for the rest of the program: TF 1.x had a default graph.

    Raises:
        ValueError: a new one would begin inside of a scope, which it would know nothing of.
    """
    with _beginning:
        if not has_store():
            if _entered.scopes:
                raise ValueError(
                    f"the program's store would begin inside of the scope {_entered.scopes[-1]!r}: enter one first, by "
                    "compat.VariableStore().enter_program()"
                )
            store = VariableStore()
            store._books.by_default = True
            store.enter_program()
        return current_store()


def leave_default_store() -> None:
    """Has the program begin with a new default store where it next needs one, and without a seed."""
    with _beginning:
        default_seed.value = None
        _beneath[:] = [entry for entry in _beneath if not entry.store._books.by_default]


@contextlib.contextmanager
def scope_without_store(name: str) -> Iterator[None]:
    """A scope of eager code where no store is: nothing can be made in it that a store would have."""
    _entered.scopes.append(name)
    try:
        with tf.name_scope(name):
            yield
    finally:
        _entered.scopes.pop()


def current_pass() -> Pass:
    """The pass of the current store."""
    return current_store().current_pass()


def program_pass() -> Pass:
    """The pass of the current store; where a program has had none so far, its default one begins here.

    TF 1.x's default graph was there from the start: programs added to its collections before they built anything.
    """
    if not Pass.any_begun and tf.executing_eagerly() and not in_one_of_several():
        default_store()
    return current_pass()


def traced_graph() -> TracedGraph | None:
    """The graph that a trace stands for, where a store is entered; None elsewhere."""
    trace, graph = outermost_trace(), ambient_graph()
    if getattr(trace, "enters_store", False):
        return None
    if trace is None or (graph is not None and not _entered_within(graph)):
        return None
    for entry in reversed(_beneath + _entered.stack):
        building = entry.current_pass()
        return None if building.always_new else building.graph_of(trace)
    return None


def eager_store() -> VariableStore | None:
    """The store that eager code is in; None elsewhere."""
    return current_store() if tf.executing_eagerly() and has_store() else None


def built_graph() -> Any:
    """The graph of the store that eager code is in, where it has one; else None."""
    store = eager_store()
    return None if store is None else store._books.graph
