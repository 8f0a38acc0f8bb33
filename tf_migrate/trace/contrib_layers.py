"""The layers of `tf.contrib.layers` and slim: their scopes, their variables, and the op that each gives."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.values import NONE, Arguments, Const, External, Items, Node, Table, Value, items_of
from tf_migrate.semantics.collection_keys import GLOBAL, TRAINABLE
from tf_migrate.semantics.effects import Effect
from tf_migrate.trace.inputs import Shape
from tf_migrate.trace.recurrent import Recurrent
from tf_migrate.trace.scopes import text_of

_PREFIXES = ("tf.contrib.layers.", "tf.contrib.slim.")
_WEIGHTED = {
    "fully_connected": "fully_connected",
    "linear": "fully_connected",
    "relu": "fully_connected",
    "conv2d": "Conv",
    "convolution2d": "Conv",
    "conv2d_transpose": "Conv2d_transpose",
}
_PLAIN = {
    "max_pool2d": ("MaxPool2D", "MaxPool"),
    "avg_pool2d": ("AvgPool2D", "AvgPool"),
    "flatten": ("Flatten", "flatten/Reshape"),
}


class ContribLayers(Recurrent):
    """Makes what functions of `tf.contrib.layers` make."""

    def _effect_tensor(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        last = origin.rpartition(".")[2]
        known = last in _WEIGHTED or last in _PLAIN or last == "batch_norm"
        if not origin.startswith(_PREFIXES) or not known or arguments.more or self.argument_scopes:
            return super()._effect_tensor(origin, row, arguments, node)
        given = self.argument(origin, arguments, "scope")
        scope = self.scope_behind(given) or text_of(given)
        reuse = self.argument(origin, arguments, "reuse")
        if (given is not None and scope is None) or (reuse is not None and self.truth(reuse) is None):
            self.lose(every=True)
            return super()._effect_tensor(origin, row, arguments, node)
        default = _WEIGHTED.get(last) or (_PLAIN[last][0] if last in _PLAIN else "BatchNorm")
        decided = None if reuse is None else self.truth(reuse)
        _, leave = self.enter_variables(scope, None if scope is not None else default, decided)
        try:
            if last in _PLAIN:
                return self._pooled(_PLAIN[last][1], origin, arguments, node)
            if last == "batch_norm":
                return self._normalized(origin, arguments, node)
            return self._weighted(origin, last, arguments, node)
        finally:
            leave()

    def _pooled(self, result: str, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        made = self.op("tensor", origin, node)
        self.rests_on(made, *arguments.all())
        scope = self.place.ops
        return self.named(made, None if scope is None else f"{scope}/{result}")

    def _variable(self, name: str, shape: Shape, arguments: Arguments, origin: str, node: ast.AST) -> Node:
        trainable = self._trainable(origin, arguments, local=False)
        collections = (GLOBAL, TRAINABLE) if trainable is not False else (GLOBAL,)
        return self.shared_variable(name, shape, trainable, collections, node)

    def _normalized(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        inputs = self.argument(origin, arguments, "inputs")
        known = self.shape_of(inputs)
        shape = (known[-1],) if known and self.argument(origin, arguments, "data_format") is None else None
        variables: list[Value] = []
        center, scale = (self.argument(origin, arguments, name) for name in ("center", "scale"))
        if center is None or self.truth(center) is not False:
            variables.append(self._variable("beta", shape, arguments, origin, node))
        if scale is not None and self.truth(scale) is not False:
            variables.append(self._variable("gamma", shape, arguments, origin, node))
        for name in ("moving_mean", "moving_variance"):
            self.shared_variable(name, shape, False, (GLOBAL,), node)
        made = self.op("tensor", origin, node)
        self.lose()
        self.rests_on(made, *([] if inputs is None else [inputs]), *variables)
        self.has_shape(made, known)
        activation = self.argument(origin, arguments, "activation_fn")
        return made if activation is None else self._applied_function(activation, made, node)

    def _weighted(self, origin: str, last: str, arguments: Arguments, node: ast.AST) -> Value:
        inputs = self.argument(origin, arguments, "inputs")
        normalizer = self.argument(origin, arguments, "normalizer_fn")
        variables = [self._variable("weights", self._weights(origin, last, arguments, inputs), arguments, origin, node)]
        given = dict(arguments.keywords)
        has_bias = normalizer is None and given.get("biases_initializer") is not NONE
        units = self._count(origin, arguments)
        if has_bias:
            bias: Shape = None if units is None else (units,)
            variables.append(self._variable("biases", bias, arguments, origin, node))
        made: Value = self.op("tensor", origin, node)
        op = "BiasAdd" if has_bias else {"fully_connected": "MatMul", "Conv": "Conv2D"}.get(_WEIGHTED[last])
        name = None if op is None else self.unique(op)
        if op is None:
            self.lose()
        self.named(made, name)
        self.rests_on(made, *([] if inputs is None else [inputs]), *variables)
        known = self.shape_of(inputs)
        shape = (*known[:-1], units) if known and units is not None and last == "fully_connected" else None
        self.has_shape(made, shape)
        if normalizer is not None:
            made = self._normalizing(origin, normalizer, arguments, made, node)
        if last == "linear" or given.get("activation_fn") is NONE:
            return made
        activation = self.argument(origin, arguments, "activation_fn") or External("tf.nn.relu")
        made = self._applied_function(activation, made, node)
        self.has_shape(made, shape)
        return made

    def _normalizing(self, origin: str, normalizer: Value, arguments: Arguments, made: Value, node: ast.AST) -> Value:
        parameters = self.argument(origin, arguments, "normalizer_params")
        pairs = self.pairs(parameters) if isinstance(parameters, Table) else []
        named = tuple(
            (key.value, value) for key, value in pairs if isinstance(key, Const) and isinstance(key.value, str)
        )
        more = parameters is not None and (not isinstance(parameters, Table) or len(named) < len(pairs))
        return self.call(normalizer, Arguments((made,), named, more), node)

    def _applied_function(self, function: Value, made: Value, node: ast.AST) -> Value:
        sources = self.sources_of(made)
        found = self.call(function, Arguments((made,)), node)
        if isinstance(found, Node) and self.sources_of(found) is None:
            self.rests_on_all(found, sources)
        return found

    def _count(self, origin: str, arguments: Arguments) -> int | None:
        found = self.argument(origin, arguments, "num_outputs")
        return found.value if isinstance(found, Const) and isinstance(found.value, int) else None

    def _weights(self, origin: str, last: str, arguments: Arguments, inputs: Value | None) -> Shape:
        units, known = self._count(origin, arguments), self.shape_of(inputs)
        if units is None or not known or known[-1] is None:
            return None
        if _WEIGHTED[last] == "fully_connected":
            return (known[-1], units)
        size = self.argument(origin, arguments, "kernel_size")
        sizes = [each.value for each in items_of(size) if isinstance(each, Const)] if isinstance(size, Items) else []
        if isinstance(size, Const):
            sizes = [size.value, size.value]
        plain = self.argument(origin, arguments, "data_format") is None and _WEIGHTED[last] == "Conv"
        return (*sizes, known[-1], units) if plain and len(sizes) == 2 else None
