"""The layers of `tf.layers`: their scopes, their variables, and the op that each gives."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tf_migrate.interpreter.values import NONE, Arguments, Const, External, Items, Node, Value, items_of
from tf_migrate.semantics.collection_keys import GLOBAL, TRAINABLE
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.inputs import Shape
from tf_migrate.trace.scopes import text_of
from tf_migrate.trace.shapes import Shapes


class Layer(NamedTuple):
    """What is known of a layer."""

    base: str
    """The name that it takes where it is given none."""
    weights: tuple[str, ...]
    result: str | None
    """The op that it gives, in its scope; None where that depends on more than is known."""
    bias: bool = True


_LAYERS = {
    "tf.layers.dense": Layer("dense", ("kernel",), "MatMul"),
    "tf.layers.conv1d": Layer("conv1d", ("kernel",), None),
    "tf.layers.conv2d": Layer("conv2d", ("kernel",), "Conv2D"),
    "tf.layers.conv3d": Layer("conv3d", ("kernel",), "Conv3D"),
    "tf.layers.conv2d_transpose": Layer("conv2d_transpose", ("kernel",), "conv2d_transpose"),
    "tf.layers.separable_conv2d": Layer(
        "separable_conv2d", ("depthwise_kernel", "pointwise_kernel"), "separable_conv2d"
    ),
    "tf.layers.batch_normalization": Layer("batch_normalization", (), None, bias=False),
    "tf.layers.max_pooling2d": Layer("max_pooling2d", (), "MaxPool", bias=False),
    "tf.layers.average_pooling2d": Layer("average_pooling2d", (), "AvgPool", bias=False),
    "tf.layers.max_pooling1d": Layer("max_pooling1d", (), "Squeeze", bias=False),
    "tf.layers.average_pooling1d": Layer("average_pooling1d", (), "Squeeze", bias=False),
    "tf.layers.flatten": Layer("flatten", (), "Reshape", bias=False),
    "tf.layers.dropout": Layer("dropout", (), None, bias=False),
}


class Layers(Shapes):
    """Makes what functions of `tf.layers` make."""

    def _effect_tensor(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        layer = _LAYERS.get(origin)
        if layer is None or arguments.more:
            return super()._effect_tensor(origin, row, arguments, node)
        given = self.argument(origin, arguments, "name")
        asked = text_of(given)
        reuse = self.argument(origin, arguments, "reuse")
        shared = False if reuse is None else self.truth(reuse)
        if (given is not None and asked is None) or (reuse is not None and shared is None):
            self.lose(every=True)
            return super()._effect_tensor(origin, row, arguments, node)
        _, leave = self.enter_variables(asked, None if asked else layer.base, shared)
        try:
            made, pre = self._built(origin, layer, arguments, node)
            sources = self.sources_of(made)
            made = self._activated(origin, arguments, made, node)
            if made is not pre and self.sources_of(made) is None:
                self.rests_on_all(made, sources)
        finally:
            leave()
        return made

    def _built(self, origin: str, layer: Layer, arguments: Arguments, node: ast.AST) -> tuple[Value, Value]:
        inputs = self.argument(origin, arguments, "inputs")
        bias = self.argument(origin, arguments, "use_bias")
        has_bias = layer.bias and (True if bias is None else self.truth(bias) is not False)
        variables = [
            self._weight(name, self._kernel(origin, name, arguments, inputs), arguments, origin, node)
            for name in layer.weights
        ]
        if has_bias:
            units = self._units(origin, arguments)
            variables.append(self._weight("bias", None if units is None else (units,), arguments, origin, node))
        if origin == "tf.layers.batch_normalization":
            variables += self._moments(arguments, origin, inputs, node)
        made = self.op("tensor", origin, node)
        last = "BiasAdd" if has_bias else layer.result
        if origin == "tf.layers.dense" and not has_bias and len(self.shape_of(inputs) or ()) != 2:
            last = None  # of inputs with more dimensions it is a Tensordot
        name = None if last is None else self.unique(last)
        if last is None:
            self.lose()
        self.named(made, name)
        self.rests_on(made, *([] if inputs is None else [inputs]), *variables)
        units = self._units(origin, arguments)
        known = self.shape_of(inputs)
        if origin == "tf.layers.dense" and known and units is not None:
            self.has_shape(made, (*known[:-1], units))
        elif origin in ("tf.layers.batch_normalization", "tf.layers.dropout"):
            self.has_shape(made, known)
        return made, made

    def _weight(self, name: str, shape: Shape, arguments: Arguments, origin: str, node: ast.AST) -> Node:
        trainable = self._trainable(origin, arguments, local=False)
        collections = (GLOBAL, TRAINABLE) if trainable is not False else (GLOBAL,)
        return self.shared_variable(name, shape, trainable, collections, node)

    def _moments(self, arguments: Arguments, origin: str, inputs: Value | None, node: ast.AST) -> list[Node]:
        known = self.shape_of(inputs)
        axis = self.argument(origin, arguments, "axis")
        shape = (known[-1],) if known and axis is None else None
        found = []
        for name, asked in (("gamma", "scale"), ("beta", "center")):
            wanted = self.argument(origin, arguments, asked)
            if wanted is None or self.truth(wanted) is not False:
                found.append(self._weight(name, shape, arguments, origin, node))
        for name in ("moving_mean", "moving_variance"):
            self.shared_variable(name, shape, False, (GLOBAL,), node)
        return found

    def _units(self, origin: str, arguments: Arguments) -> int | None:
        name = "units" if origin == "tf.layers.dense" else "filters"
        found = self.argument(origin, arguments, name)
        return found.value if isinstance(found, Const) and isinstance(found.value, int) else None

    def _kernel(self, origin: str, name: str, arguments: Arguments, inputs: Value | None) -> Shape:
        units, known = self._units(origin, arguments), self.shape_of(inputs)
        if units is None or not known or known[-1] is None:
            return None
        if origin == "tf.layers.dense":
            return (known[-1], units)
        size = self.argument(origin, arguments, "kernel_size")
        if origin != "tf.layers.conv2d" or self.argument(origin, arguments, "data_format") is not None:
            return None
        sizes = [each.value for each in items_of(size) if isinstance(each, Const)] if isinstance(size, Items) else []
        if isinstance(size, Const):
            sizes = [size.value, size.value]
        return (*sizes, known[-1], units) if len(sizes) == 2 else None

    def _activated(self, origin: str, arguments: Arguments, made: Value, node: ast.AST) -> Value:
        activation = self.argument(origin, arguments, "activation")
        if activation is None:
            return made
        shape = self.shape_of(made)
        if isinstance(activation, External):
            found = self.call(activation, Arguments((made,)), node)
        else:
            found = self.call(activation, Arguments((made,)), node)
            found = made if found is NONE else found
        self.has_shape(found, shape)
        return found
