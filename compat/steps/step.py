"""Steps: functions of inputs that compute what their results and updates need, pruned from a store's graph."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import tensorflow as tf

from ..bridge.conversions import conversion_of
from ..bridge.feeds import feed_values
from ..bridge.feeds import feeds as feeds_of
from ..bridge.fetches import structure_key
from ..bridge.graph import enclosing_graph
from ..bridge.session import Run
from ..bridge.tracing import wants_trace
from ..places import note_place, place_of_caller
from ..variables.needed import waited_for
from ..variables.store import VariableStore
from .concrete import concrete_function, symbolic_values
from .graph import StoreGraph, current_store_graph
from .plan import Plan

__all__ = ["Step", "run", "step"]


def step(fetches: Any = (), /, *inputs: Any, updates: Any = (), **named_inputs: Any) -> Step:
    """A function of `inputs` that computes what its results and its updates need, and nothing else.

    Bind it behind the code that builds, where the graph of TF 1.x was complete: it holds the fetches that it is given
    here. Its first call prunes it. Results are those before the updates of the call that they do not wait for; those
    that are variables are read behind all updates.

    Args:
      fetches: a tensor or variable, or any structure of them; results have it too, in NumPy.
      *inputs: what calls give values for: inputs, other tensors of the graph, their names, or structures of those.
      updates: training operations, assignments and the like, which give nothing back: one, or a structure.
      **named_inputs: inputs under the names that calls give them by.

    Returns:
      A `Step`. Calls give values by position, by name (the name that an input was made with), or all in one dictionary
      whose keys are inputs. What has no default must be given; in a dictionary, only where it is needed.

    Raises:
      TypeError: a fetch was computed at once and not built, an update is a variable, or an input is no tensor.
      ValueError: tensors are of several stores.

    Example:
      >>> with store, compat.building():
      ...     x = compat.Input(tf.float32, [], "x")
      ...     total = compat.get_variable("total", [], initializer=compat.zeros_initializer())
      ...     add = compat.assign_add(total, x)
      >>> add_step = compat.step(total, x, updates=add)
      >>> add_step(2.0), add_step(x=3.0), add_step({x: 4.0})
      (np.float32(2.0), np.float32(5.0), np.float32(9.0))
    """
    return Step(fetches, inputs, updates, named_inputs, place_of_caller())


def run(
    fetches: Any,
    feeds: Mapping[Any, Any] | None = None,
    options: Any = None,
    run_metadata: Any = None,
    feed_dict: Mapping[Any, Any] | None = None,
) -> Any:
    """Computes `fetches` of values by input, where one of both is known only when the program runs.

    Args:
      fetches: a tensor, operation, variable or name, or any structure of them. Operations give None.
      feeds: values by input, by another tensor of the graph, by a structure of those, or by a name.
      options: `compat.RunOptions`, as `Session.run` of TF 1.15 took them, or None.
      run_metadata: a `compat.RunMetadata` that is filled, where the options ask for that.
      feed_dict: `feeds`, by the name that `Session.run` of TF 1.15 has for it: for functions that hand on what they
        are given.

    Raises:
      ValueError: an input that is needed has no value.
      TypeError: `feeds` and `feed_dict` are both given.
      RuntimeError: a graph is being built.

    Example:
      >>> with store, compat.building():
      ...     x = compat.Input(tf.float32, [])
      ...     results = {"double": 2.0 * x}
      >>> compat.run(results, {x: 4.0})
      {'double': np.float32(8.0)}
    """
    if feed_dict is not None:
        if feeds is not None:
            raise TypeError("compat.run is given values by `feeds` and by `feed_dict`: give them by one")
        feeds = feed_dict
    graph, kept = _graph_of(fetches, feeds), _kept(fetches)
    fed = feeds_of(graph, feeds)
    if (monitor := graph.hooked) is not None:
        return monitor.run(kept, fed, options, run_metadata)
    key = wants_trace(options) and run_metadata is not None, structure_key(kept)
    found = graph.run_of(graph.runs, key, "compat.run", kept, fed)
    try:
        return found(graph.session, feed_values(fed), options, run_metadata)
    except tf.errors.OpError as error:
        note_place(error, graph, "compat.run")
        raise


class Step:
    """What `step` gives: a function of its inputs."""

    def __init__(
        self, fetches: Any, inputs: Sequence[Any], updates: Any, named_inputs: Mapping[str, Any], place: str
    ) -> None:
        self._place = place
        self._graph: StoreGraph = _graph_of(inputs, list(named_inputs.values()), fetches, updates)
        self._fetches, self._updates = _kept(fetches), self._operations(updates)
        self._inputs = [self._graph.found(_kept(each)) for each in (*inputs, *named_inputs.values())]
        self._names = [*(self._graph.input_name(each) for each in inputs), *named_inputs]
        self._has_mappings = any(isinstance(each, Mapping) for each in self._inputs)
        self._plans: dict[Any, Plan] = {}
        self._leaves = {id(leaf): leaf for each in self._inputs for leaf in tf.nest.flatten(each)}
        for leaf in self._leaves.values():
            converted = conversion_of(leaf) is not None
            if leaf is not None and not converted and getattr(leaf, "graph", None) is not self._graph:
                raise TypeError(f"A step's inputs are tensors of one graph, not {leaf!r}")
        self._key = "step", structure_key([self._fetches, self._updates])
        self._functions: dict[int, tuple[Run, Any]] = {}
        shown = [_shown(leaf) for leaf in self._leaves.values()]
        self.__name__ = f"the step of ({', '.join(shown)}) that {place} made"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Computes the results, and makes the updates.

        Raises:
          TypeError: an input without default is not given, or a value that its input does not take.
          ValueError: a value has another shape, or results need an input that is none of the step's.
          RuntimeError: a graph is being built.
          tf.errors.OpError: what the operations raise, with a note that names the program's line.
        """
        try:
            return self._call(args, kwargs)
        except tf.errors.OpError as error:
            note_place(error, self._graph, self.__name__)
            raise

    def _call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if not kwargs and self._plans:
            keyed = self._is_keyed(args)
            plan = self._plans.get(tuple(map(id, args[0])) if keyed else len(args))
            if plan is not None and tf.executing_eagerly() and self._graph.is_ready(plan.session):
                return plan(args[0].values() if keyed else args)[0]
        fed = feeds_of(self._graph, self._given(args, kwargs))
        if not tf.executing_eagerly() and enclosing_graph() is None:
            return self._concrete(fed)(*symbolic_values(fed))
        if (monitor := self._graph.hooked) is not None:
            return monitor.run([self._fetches, self._updates], fed)[0]
        run = self._graph.run_of(self._graph.runs, self._key, self.__name__, [self._fetches, self._updates], fed)
        session = self._graph.session
        result = run(session, feed_values(fed))[0]
        if not kwargs:
            self._note_plan(args, Plan(session, run, fed))
        return result

    def _is_keyed(self, args: Sequence[Any]) -> bool:
        """Whether a call gives its values in one dictionary that has inputs as keys."""
        if len(args) != 1 or not isinstance(args[0], Mapping):
            return False
        # Where an input is a dictionary of inputs, a call may give values in one like it, or by the inputs themselves.
        return not self._has_mappings or all(
            id(leaf) in self._leaves for key in args[0] for leaf in tf.nest.flatten(key)
        )

    def _note_plan(self, args: Sequence[Any], plan: Plan) -> None:
        """Keeps the short way of a call for those that give values for the same inputs, each for one tensor."""
        keyed = self._is_keyed(args)
        inputs = list(args[0]) if keyed else self._inputs[: len(args)]
        alone = all(isinstance(each, tf.Tensor) for each in inputs)
        if plan.is_possible() and alone and plan.size == len(inputs):
            self._plans[tuple(map(id, inputs)) if keyed else len(args)] = plan

    def get_concrete_function(self, *given: Any) -> Any:
        """The step as a concrete function: for gradient tapes, and to be saved.

        Args:
          *given: the inputs that it takes, tensors of the graph, in order; all that the step has where none is named.

        Returns:
          A function of tensors that gives tensors in the structure of the fetches. What saves it has to track the
          store: its variables are those of the function.

        Example:
          >>> with store, compat.building():
          ...     x = compat.Input(tf.float32, [None], "x")
          ...     doubled_step = compat.step({"double": 2.0 * x}, x)
          >>> module = tf.Module()
          >>> module.store, module.double = doubled_step.store, doubled_step.get_concrete_function()
          >>> tf.saved_model.save(module, "saved", signatures=module.double)
          >>> tf.saved_model.load("saved").double(tf.constant([1.0, 2.0]))["double"].numpy()
          array([2., 4.], dtype=float32)
        """
        leaves = [leaf for each in given or self._inputs for leaf in tf.nest.flatten(each, expand_composites=True)]
        return self._concrete(dict.fromkeys(leaves))

    @property
    def store(self) -> VariableStore:
        """The store whose variables the step uses."""
        store: VariableStore = self._graph.store
        return store

    def _concrete(self, fed: Mapping[tf.Tensor, Any]) -> Any:
        """The concrete function of the inputs that have values."""
        with tf.init_scope():
            run = self._graph.run_of(self._graph.runs, self._key, self.__name__, [self._fetches, self._updates], fed)
            kept = self._functions.get(id(run))
            if kept is None:
                if run.pruned.startups:
                    self._graph.session.start(run.pruned.startups)
                function = concrete_function(run, "step")
                kept = self._functions[id(run)] = run, function
        return kept[1]

    def _operations(self, updates: Any) -> list[tf.Operation]:
        found = []
        for update in tf.nest.flatten(_kept(updates)):
            if isinstance(update, tf.Variable) and waited_for(update) is update:
                raise TypeError(f"{update.name} is a variable, which updates nothing: build its assignment")
            if update is not None:
                element = self._graph.as_graph_element(update)
                found.append(element if isinstance(element, tf.Operation) else element.op)
        return found

    def _given(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[Any, Any]:
        """The values of a call by the inputs that they are for."""
        if any(leaf is None for leaf in self._leaves.values()):  # Bound all the same: a program may never call it.
            raise TypeError(f"None is among the inputs of {self.__name__}")
        given: dict[Any, Any] = {}
        keyed = not kwargs and self._is_keyed(args)
        if keyed:
            given = {self._input(key): value for key, value in args[0].items()}
        else:
            for position, value in self._by_position(args, kwargs).items():
                given.update(_matched(self._inputs[position], value))
        known = {id(leaf) for key in given for leaf in tf.nest.flatten(key)}
        unknown = [key for key in given if any(id(leaf) not in self._leaves for leaf in tf.nest.flatten(key))]
        if unknown:
            raise ValueError(f"{self.__name__} has no input {unknown[0]!r}")
        # Inputs without default must be given; other tensors of the graph are computed where they are not.
        missing = [leaf for key, leaf in self._leaves.items() if key not in known]
        missing = [leaf for leaf in missing if conversion_of(leaf) is None and _operation(leaf).type == "Placeholder"]
        if missing and keyed:  # As TensorFlow 1 took a dictionary: what nothing needs may be left out.
            needed = set(self._graph.needed([self._fetches, self._updates], list(feeds_of(self._graph, given))))
            missing = [leaf for leaf in missing if _operation(leaf) in needed]
        if missing:
            names = ", ".join(self._graph.describe_input(leaf) for leaf in missing)
            raise TypeError(f"{self.__name__} is given no value for {names}")
        return given

    def _input(self, key: Any) -> Any:
        """What a key names: the step's own input where it is one under another name, as a variable by its text."""
        found = self._graph.found(key)
        if id(found) in self._leaves or not isinstance(found, tf.Tensor | tf.Variable):
            return found
        element = self._graph.as_graph_element(found)
        same = (leaf for leaf in self._leaves.values() if isinstance(leaf, tf.Tensor | tf.Variable))
        return next((leaf for leaf in same if self._graph.as_graph_element(leaf) is element), found)

    def _by_position(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[int, Any]:
        """Values by the positions of their inputs."""
        if len(args) > len(self._inputs):
            raise TypeError(f"{self.__name__} takes {len(self._inputs)} values, but {len(args)} were given")
        values = dict(enumerate(args))
        for name, value in kwargs.items():
            if self._names.count(name) != 1 or self._names.index(name) in values:
                raise TypeError(f"{self.__name__} has no or several inputs named {name!r}, or got two values for it")
            values[self._names.index(name)] = value
        return values


def _graph_of(*structures: Any) -> StoreGraph:
    """The graph that tensors, operations or variables are of, else that of the store."""
    waiting = list(structures)
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple):
            waiting += each
        elif isinstance(each, tf.Tensor | tf.Operation | tf.Variable | tf.SparseTensor) and isinstance(
            getattr(each, "graph", None), StoreGraph
        ):
            return each.graph
    return current_store_graph()


def _kept(structure: Any) -> Any:
    """The fetches in containers of their own: what the program changes in a list later is not a step's."""
    if isinstance(structure, Mapping):
        kept = copy.copy(structure)
        for key in structure:
            kept[key] = _kept(structure[key])  # type: ignore[index]
        return kept
    if isinstance(structure, list | tuple):
        parts = [_kept(each) for each in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else type(structure)(parts)
    if isinstance(structure, tf.Tensor) and not tf.is_symbolic_tensor(structure):
        raise TypeError(f"This was computed at once, not built: put it under compat.building(): {structure!r}")
    return structure


def _matched(inputs: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """Pairs of the inputs in a structure and what stands in their places in a value.

    Raises:
      ValueError: the value has another structure.
    """
    if isinstance(inputs, Mapping):
        if not isinstance(value, Mapping) or set(value) != set(inputs):
            raise ValueError(f"Values for the keys {list(inputs)} are needed, not {value!r}")
        for key in inputs:
            yield from _matched(inputs[key], value[key])
    elif isinstance(inputs, list | tuple):
        if not hasattr(value, "__len__") or len(value) != len(inputs):
            raise ValueError(f"{len(inputs)} values are needed, not {value!r}")
        for each, part in zip(inputs, value, strict=True):
            yield from _matched(each, part)
    else:
        yield inputs, value


def _shown(leaf: Any) -> str:
    """How an input is named in errors: by its operation, or where it stands for tensors by its class."""
    if leaf is None:
        return "None"
    return type(leaf).__name__ if conversion_of(leaf) is not None else str(_operation(leaf).name)


def _operation(tensor: Any) -> Any:
    return getattr(tensor, "values", tensor).op  # Of a sparse tensor, that of its values.
