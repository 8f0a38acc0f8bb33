"""Shapes and types of what symbols give, as far as they follow from what is known."""

from __future__ import annotations

from collections.abc import Sequence

from tf_migrate.interpreter.values import (
    Arguments,
    Const,
    External,
    Node,
    Value,
)
from tf_migrate.trace.variables import Variables

_SAME_SHAPE = frozenset(
    [
        "square",
        "sqrt",
        "rsqrt",
        "exp",
        "log",
        "log1p",
        "abs",
        "negative",
        "sign",
        "tanh",
        "sigmoid",
        "relu",
        "relu6",
        "elu",
        "selu",
        "leaky_relu",
        "softplus",
        "softsign",
        "softmax",
        "log_softmax",
        "identity",
        "stop_gradient",
        "clip_by_value",
        "ones_like",
        "zeros_like",
        "bias_add",
        "sin",
        "cos",
    ]
)
_ELEMENTS = frozenset(
    [
        "add",
        "subtract",
        "multiply",
        "div",
        "divide",
        "truediv",
        "maximum",
        "minimum",
        "pow",
        "squared_difference",
        "equal",
        "not_equal",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "logical_and",
        "logical_or",
    ]
)
_TRUTHS = frozenset(
    ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_not"]
)
_SAME_TYPE = frozenset(
    [
        "reshape",
        "squeeze",
        "expand_dims",
        "transpose",
        "tile",
        "pad",
        "slice",
        "matmul",
        "add",
        "subtract",
        "multiply",
        "divide",
        "maximum",
        "minimum",
        "reduce_mean",
        "reduce_sum",
        "reduce_max",
        "reduce_min",
    ]
)
_KEPT = ("axis", "reduction_indices", "keepdims", "keep_dims")


class Shapes(Variables):
    """Keeps shapes and types."""

    def shaped(self, origin: str, made: Node, arguments: Arguments) -> None:
        """The shape and the type of what some symbols give."""
        last = origin.rpartition(".")[2]
        first = arguments.positional[0] if arguments.positional else None
        if last in ("ones", "zeros", "random_normal", "truncated_normal", "random_uniform"):
            self.has_shape(made, self.shape_given(self.argument(origin, arguments, "shape")))
        elif last == "constant":
            asked = self.argument(origin, arguments, "shape")
            value = self.argument(origin, arguments, "value")
            self.has_shape(made, self.shape_of(value) if asked is None else self.shape_given(asked))
        elif last in _SAME_SHAPE:
            self.has_shape(made, self.shape_of(first))
            self.has_type(made, self.type_of(first))
        elif last in _ELEMENTS and len(arguments.positional) > 1:
            self.has_shape(made, self.broadcast(arguments.positional[:2]))
        elif last == "matmul":
            sides = [self.shape_of(value) for value in arguments.positional[:2]]
            left, right = (*sides, None, None)[:2]
            if left and right and len(left) == len(right) == 2 and len(arguments.keywords) == 0:
                self.has_shape(made, (left[0], right[1]))
        elif last == "reshape":
            shape = self.shape_given(self.argument(origin, arguments, "shape"))
            self.has_shape(made, None if shape is None else tuple(None if size == -1 else size for size in shape))
        elif (
            last.startswith("reduce_")
            and all(
                self.argument(origin, arguments, name) is None
                for name in ("axis", "reduction_indices", "keepdims", "keep_dims")
            )
        ) or origin.startswith("tf.losses."):
            self.has_shape(made, ())
        elif last == "squeeze":
            known, axis = self.shape_of(first), self.argument(origin, arguments, "axis")
            if known is not None and isinstance(axis, Const) and isinstance(axis.value, int):
                at = axis.value % len(known) if known else 0
                self.has_shape(made, (*known[:at], *known[at + 1 :]))
        if last in ("one_hot", "ones", "zeros", "random_normal", "truncated_normal"):
            dtype = self.argument(origin, arguments, "dtype")
            name = dtype.origin.removeprefix("tf.") if isinstance(dtype, External) else None
            self.has_type(made, "float32" if dtype is None else name)
        elif last in _SAME_TYPE or origin.startswith("tf.nn."):
            types = {self.type_of(value) for value in arguments.positional[:2] if isinstance(value, Node)}
            self.has_type(made, types.pop() if len(types) == 1 else None)
        if last in _TRUTHS:
            self.has_type(made, "bool")
        elif last in ("argmax", "argmin", "arg_max", "arg_min"):
            self.has_type(made, "int64")
            shape = self.shape_of(first)
            self.has_shape(made, None if not shape else (*shape[:-1],))
        elif last == "cast":
            dtype = self.argument(origin, arguments, "dtype")
            self.has_type(made, dtype.origin.removeprefix("tf.") if isinstance(dtype, External) else None)
            self.has_shape(made, self.shape_of(first))

    def broadcast(self, values: Sequence[Value]) -> tuple[int | None, ...] | None:
        shapes = [self.shape_of(value) for value in values]
        if None in shapes:
            return None
        left, right = sorted((shape for shape in shapes if shape is not None), key=len)
        padded = (*(1,) * (len(right) - len(left)), *left)
        sizes: list[int | None] = []
        for one, other in zip(padded, right, strict=True):
            sizes.append(other if one == 1 else one if other == 1 or one == other else None)
        return tuple(sizes)
