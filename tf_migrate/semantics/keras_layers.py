"""Keras beside sessions: its layers as objects that build where they are called.

A layer builds as a function does, and its variables are the graph's (see docs/keras.md). What Keras computes in a
session of its own (weights as arrays, models, `K.function`) has no form in steps.
"""

from __future__ import annotations

import ast

from tf_migrate.interpreter.values import (
    DATA,
    NONE,
    Arguments,
    Bound,
    Class,
    External,
    Function,
    Instance,
    Method,
    Node,
    Partial,
    Thing,
    Unknown,
    Value,
    options,
)
from tf_migrate.semantics.effects import Effect
from tf_migrate.semantics.estimators import Estimators

LAYER = "keras_layer"
_CALLING = frozenset(("call", "apply", "__call__"))
_LISTING = frozenset(("get_losses_for", "get_updates_for"))
_LISTS = {
    **dict.fromkeys(("weights", "variables", "trainable_weights", "trainable_variables"), "variable"),
    **dict.fromkeys(("non_trainable_weights", "non_trainable_variables"), "variable"),
    **dict.fromkeys(("losses", "updates"), "tensor"),
}
"""Attributes that are lists, and of which kind their elements are."""
_VARIABLES = frozenset(
    (
        *("kernel", "bias", "gamma", "beta", "moving_mean", "moving_variance", "embeddings", "alpha"),
        *("depthwise_kernel", "pointwise_kernel"),
    )
)
_DESCRIBING = frozenset(("name", "dtype", "units", "filters", "built", "output_shape", "input_shape", "trainable"))
_DESCRIBED = frozenset(("get_config", "compute_output_shape", "count_params"))
_IN_SESSION = frozenset(
    (
        *("get_weights", "set_weights", "save_weights", "load_weights", "save", "reset_states", "compile"),
        *("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch"),
        *("fit_generator", "evaluate_generator", "predict_generator"),
    )
)
"""Methods of layers and models that compute in a session."""
_BRIDGE = "it stays on the bridge, where it works as before"


class KerasLayers(Estimators):
    """What layers of Keras do."""

    def call_functions(self, arguments: Arguments, node: ast.AST) -> None:
        """Calls the program's functions that TensorFlow is given."""
        raise NotImplementedError

    def _effect_keras_layer(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        if self.frame.module.name not in self.index.keras2:
            self.problem("keras", node, f"`{origin}` is a layer of Keras 3 here", "write `tf.keras.layers` out")
        self.builds(node)  # it is one of the graph that stands around it, and counts for names
        given = [option for value in arguments.all() for option in options(value)]
        functions = [option for option in given if isinstance(option, Function | Bound | Partial | Instance)]
        return Thing(LAYER, origin, node, self.items("tuple", functions))

    def layer_attribute(self, layer: Thing, name: str, node: ast.AST) -> Value:
        """An attribute of a layer."""
        if name in _DESCRIBING:
            return DATA
        if name in _LISTS:
            return self._remembered(layer, name, self.list_of(_LISTS[name], f"{layer.origin}.{name}", node, self.graph))
        if name in _VARIABLES:
            symbol = f"{layer.origin}.{name}"
            made = Node("variable", symbol, node, self.frame, self.heap.tick(), self.graph, turn=self.heap.turn)
            return self._remembered(layer, name, made)
        return Method(layer, name)

    def _remembered(self, layer: Thing, name: str, value: Value) -> Value:
        self.heap.write(layer, name, value)
        return value

    def call_layer(self, layer: Thing, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a layer with tensors: it calls what it was made of."""
        if layer.inner is not None:
            self.call_functions(Arguments((layer.inner,)), node)
        return self.node("tensor", layer.origin, node)

    def call_layer_method(self, layer: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a layer."""
        if name in _CALLING:
            return self.call_layer(layer, arguments, node)
        if name in _LISTING:
            return self.list_of("tensor", f"{layer.origin}.{name}", node, self.graph)
        if name in _DESCRIBED:
            return DATA
        if name == "build":
            self.builds(node)
            return NONE
        self._in_session(f"{layer.origin}.{name}", node)
        return DATA

    def _of_instance(self, value: Instance, name: str, node: ast.AST) -> Value:
        found = super()._of_instance(value, name, node)
        if name in _IN_SESSION and isinstance(found, Unknown) and _is_of_keras(value.cls):
            self._in_session(f"{value.cls.name}.{name}", node)
        return found

    def _in_session(self, name: str, node: ast.AST) -> None:
        self.problem("keras", node, f"`{name}` has no form in steps", _BRIDGE)


def _is_of_keras(cls: Class) -> bool:
    """Whether a class of the program is a layer or a model of Keras."""
    bases = (base for each in cls.mro for base in each.outside)
    return any(isinstance(base, External) and base.origin.startswith(("tf.keras.", "keras.")) for base in bases)
