"""What values of a graph rest on: the variables to which TensorFlow 1 finds a gradient, and shapes as far as known."""

from __future__ import annotations

from typing import TypeAlias

from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import Const, Items, Node, Table, Value, items_of, options
from tf_migrate.names.exports import Index
from tf_migrate.trace.scopes import Scopes

Sources: TypeAlias = frozenset[Node] | None
"""The variables that a value has a gradient to; None where others may be among them."""
Shape: TypeAlias = tuple[int | None, ...] | None

_NOTHING: frozenset[Node] = frozenset()


class Inputs(Scopes):
    """Keeps what each value of the graph was made of."""

    def __init__(self, index: Index, recorder: Recorder, compat_module: str) -> None:
        super().__init__(index, recorder, compat_module)
        # By time: the parts of what one call gave have the time of the call.
        self._sources: dict[int, Sources] = {}
        self._shapes: dict[Node, Shape] = {}
        self._types: dict[Node, str] = {}

    # -- gradients --

    def sources_of(self, value: Value, depth: int = 4) -> Sources:
        """The variables that a value, or what is in it, has a gradient to."""
        found: set[Node] = set()
        for option in options(value):
            inner: Sources
            if isinstance(option, Node):
                if option.kind == "variable":
                    inner = frozenset((option,))
                else:
                    inner = self._sources.get(option.time) if option.kind != "placeholder" else _NOTHING
            elif depth and isinstance(option, Items):
                inner = self._together(
                    [*items_of(option), *([option.slots["rest"]] if "rest" in option.slots else [])], depth
                )
            elif depth and isinstance(option, Table):
                inner = self._together([part for _, part in self.pairs(option)], depth)
            else:
                inner = _NOTHING
            if inner is None:
                return None
            found |= inner
        return frozenset(found)

    def _together(self, values: list[Value], depth: int) -> Sources:
        found: set[Node] = set()
        for value in values:
            inner = self.sources_of(value, depth - 1)
            if inner is None:
                return None
            found |= inner
        return frozenset(found)

    def rests_on(self, made: Value, *values: Value) -> None:
        """Keeps what a value was made of."""
        if isinstance(made, Node):
            self._sources[made.time] = self._together(list(values), 4)

    def rests_on_all(self, made: Value, sources: Sources) -> None:
        """Keeps the variables that a value has a gradient to."""
        if isinstance(made, Node):
            self._sources[made.time] = sources

    # -- shapes and types --

    def shape_of(self, value: Value | None) -> Shape:
        """The shape of a value of the graph, as far as it is known."""
        if isinstance(value, Node):
            return self._shapes.get(value)
        if isinstance(value, Const) and isinstance(value.value, bool | int | float | str):
            return ()
        if isinstance(value, Items) and "rest" not in value.slots:
            inner = [self.shape_of(item) for item in items_of(value)]
            if inner and inner[0] is not None and all(shape == inner[0] for shape in inner):
                return (len(inner), *inner[0])
        return None

    def shape_given(self, value: Value | None) -> Shape:
        """The shape that an argument names."""
        if isinstance(value, Const) and isinstance(value.value, int):
            return (value.value,)
        if not isinstance(value, Items) or "rest" in value.slots:
            return None
        sizes: list[int | None] = []
        for item in items_of(value):
            if not isinstance(item, Const) or not isinstance(item.value, int | None):
                return None
            sizes.append(item.value)
        return tuple(sizes)

    def has_shape(self, made: Value, shape: Shape) -> None:
        """Keeps the shape of a value."""
        if isinstance(made, Node):
            self._shapes[made] = shape

    def type_of(self, value: Value | None) -> str | None:
        """The type of a value of the graph: `float32`; None where it is not known."""
        return self._types.get(value) if isinstance(value, Node) else None

    def has_type(self, made: Value, name: str | None) -> None:
        """Keeps the type of a value."""
        if isinstance(made, Node) and name is not None:
            self._types[made] = name
