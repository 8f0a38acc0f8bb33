"""What calls of TensorFlow symbols, and of methods of graph elements, build or do."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages import effects, gradients, purity
from tf_migrate.stages.datasets import SOURCES, method_of_dataset, source
from tf_migrate.stages.iterators import ITERATORS, MAKERS, STRUCTURED, made_by, method_of_iterator, structured
from tf_migrate.stages.layers import is_layer, is_seeded, layer, state_of_layer
from tf_migrate.stages.lists import TRAINABLE, all_variables, collected, require_trainable
from tf_migrate.stages.monitored import COUNTERS, HOOKS, asked, hook, is_counter
from tf_migrate.stages.queues import SYMBOLS, call_of_queue, method_of_queue
from tf_migrate.stages.rates import optimizer, with_rate
from tf_migrate.stages.savers import SAVER, saver
from tf_migrate.stages.sessions import INITIALIZERS, MONITORED_CLASSES
from tf_migrate.stages.sparse import SPARSE, is_taken, sparse_tensor
from tf_migrate.stages.summaries import SUMMARIES, WRITERS, merge_all, summary, writer
from tf_migrate.stages.values import (
    PYTHON,
    SESSION,
    STATIC,
    TENSORS,
    Assign,
    Minimize,
    Refused,
    Stage,
    Value,
    Variable,
    combine,
    container,
    flatten,
    is_fed,
)

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_NOT_YET = "leave it to the bridge, or build this part another way"
_VARIABLE_ARGUMENTS = ("initial_value", "trainable")
_GET_VARIABLE_ARGUMENTS = ("name", "shape", "dtype", "initializer")
_STEPS = TENSORS - {Stage.CONSTANT}
_MINIMIZE_ARGUMENTS = ("loss", "global_step", "var_list")


def call_of_symbol(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """The value of a call of a TensorFlow symbol; refuses what is not understood."""
    if symbol in effects.PURE or symbol in effects.RANDOM:
        return _operation(evaluator, node, symbol)
    if symbol == SPARSE:
        return sparse_tensor(evaluator, node)
    if is_layer(symbol):
        return layer(evaluator, node, symbol)
    if symbol in ("tf.placeholder", "tf.placeholder_with_default") and evaluator.active:
        what = f"`{evaluator.active[-1].name}` makes a placeholder"
        raise Refused(node, what, "make it where the function is called, and pass it")
    if symbol == "tf.placeholder":
        _require_python(evaluator, node)
        return Value(Stage.PLACEHOLDER, node=node)
    if symbol == "tf.placeholder_with_default":
        return _placeholder_with_default(evaluator, node)
    if symbol == "tf.Variable":
        return _variable(evaluator, node)
    if symbol == "tf.get_variable":
        return _get_variable(evaluator, node)
    if symbol in effects.ASSIGNMENTS:
        return _assign(evaluator, node, symbol)
    if symbol in effects.OPTIMIZERS:
        return optimizer(evaluator, node, symbol)
    if symbol in SUMMARIES:
        return summary(evaluator, node)
    if symbol == "tf.summary.merge_all":
        return merge_all(evaluator, node)
    if symbol in WRITERS:
        return writer(evaluator, node)
    if symbol == SAVER:
        return saver(evaluator, node)
    if symbol == "tf.gradients":
        return gradients.gradients(evaluator, node)
    asked_for = collected(evaluator, node) if symbol == "tf.get_collection" else None
    if symbol == "tf.trainable_variables" or asked_for == TRAINABLE:
        return gradients.trainable_variables(evaluator, node)
    if asked_for is not None:
        return all_variables(evaluator, node)
    if symbol == "tf.group":
        return _group(evaluator, node)
    if symbol in INITIALIZERS:
        return _initializer(evaluator, node, symbol)
    if symbol in SOURCES:
        return source(evaluator, node, symbol)
    if symbol in MAKERS and node.args:
        return made_by(evaluator, node, symbol.rpartition(".")[2], node.args[0], node.args[1:])
    if symbol in STRUCTURED:
        return structured(evaluator, node)
    if symbol in SYMBOLS:
        return call_of_queue(evaluator, node, symbol)
    if symbol in effects.INITIALIZER_CLASSES:
        _require_python(evaluator, node)
        return Value(Stage.PYTHON, node=node)
    if symbol in ("tf.Session", "tf.InteractiveSession"):
        return _session(evaluator, node, symbol)
    if symbol in HOOKS:
        return hook(evaluator, node, symbol)
    if symbol in COUNTERS:
        return _counter(evaluator, node)
    if symbol in MONITORED_CLASSES:
        raise Refused(node, "a monitored session is made elsewhere than in a `with` statement at the top", _NOT_YET)
    if purity.is_plain_call(symbol):
        _require_python(evaluator, node)
        evaluator.note_impure(node)
        return PYTHON
    raise Refused(node, f"`{symbol}` is not understood by the native tier", _NOT_YET)


def _initializer(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """An initializer of all variables, or of those that it is given."""
    if not node.args and not node.keywords:
        return Value(Stage.INITIALIZER, node=node)
    listed = argument(node, "var_list", 0)
    if listed is None or symbol not in ("tf.variables_initializer", "tf.initialize_variables"):
        raise Refused(node, f"this form of `{symbol}` is not understood by the native tier", _NOT_YET)
    value = evaluator.value(listed)
    if value.stage is not Stage.VARIABLE or not value.variables:
        raise Refused(node, "which variables are initialized is not known", "list them by name")
    return Value(Stage.INITIALIZER, variables=value.variables)


def method_of_graph(evaluator: Evaluator, node: ast.Call, method: str, receiver: Value) -> Value:
    """The value of a method call on a graph element; `receiver` is evaluated already."""
    assert isinstance(node.func, ast.Attribute)
    stage = receiver.stage
    if receiver.parts is not None:
        if method == "values" and receiver.keys is not None and not node.args:
            return container(receiver.parts)
    elif (stage in TENSORS and method == "get_shape") or (
        stage is Stage.STATIC and method in ("as_list", "num_elements")
    ):
        if not node.args and not node.keywords:
            return STATIC
    elif stage is Stage.VARIABLE and method in effects.ASSIGNMENTS.values():
        return _assign_to(evaluator, node, node.func.value, receiver, method, node.args)
    elif stage is Stage.VARIABLE and method in ("read_value", "value") and not node.args and not node.keywords:
        return Value(Stage.TENSOR, variables=receiver.variables)
    elif stage in (Stage.DATASET, Stage.FED) and method in ITERATORS:
        return made_by(evaluator, node, method, node.func.value, node.args)
    elif stage in (Stage.DATASET, Stage.FED):
        return method_of_dataset(evaluator, node, method, receiver)
    elif stage is Stage.QUEUE:
        return method_of_queue(evaluator, node, method, receiver)
    elif stage is Stage.MONITOR:
        return asked(evaluator, node, method)
    elif stage is Stage.ITERATOR:
        return method_of_iterator(evaluator, node, method, receiver)
    elif stage is Stage.LAYER and method == "zero_state":
        return state_of_layer(evaluator, node)
    elif stage is Stage.OPTIMIZER and method == "minimize":
        return _minimize(evaluator, node)
    elif stage is Stage.OPTIMIZER and method == "compute_gradients":
        return gradients.compute_gradients(evaluator, node)
    elif stage is Stage.OPTIMIZER and method == "apply_gradients":
        return gradients.apply_gradients(evaluator, node)
    elif stage is Stage.SESSION and method == "close" and not node.args:
        return SESSION
    raise Refused(node, f"`.{method}()` of a part of the graph is not understood by the native tier", _NOT_YET)


def argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    """An argument of a call by name or position."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[position] if position < len(call.args) else None


def _operation(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    if any(keyword.arg is None for keyword in node.keywords):
        raise Refused(node, f"`{symbol}` takes its arguments from a dictionary", "spell the arguments out")
    values = evaluator.arguments(node)
    for value in flatten(values):
        if value.is_graph and value.stage not in TENSORS | {Stage.STATIC} and not is_taken(value, symbol):
            raise Refused(node, f"`{symbol}` is given something of the graph that is no tensor", _NOT_YET)
    if symbol in effects.DECAYS and not any(value.stage in _STEPS for value in flatten(values)):
        # Outside of a graph a decay is no tensor but a function, which needs a step that changes.
        raise Refused(node, f"`{symbol}` is given no variable to count the steps", "give it the global step")
    random = symbol in effects.RANDOM
    if random and is_seeded(node, effects.SEEDS.get(symbol)):
        evaluator.note_impure(node)
    if random:
        fed = any(map(is_fed, flatten(values)))
        return Value(Stage.TENSOR, random=True, fed=fed, several=symbol in effects.SEVERAL)
    if symbol in effects.ALIASES and values and values[0].variables and values[0].stage is not Stage.EFFECT:
        return Value(Stage.TENSOR, variables=values[0].variables)
    return replace(combine(values), several=symbol in effects.SEVERAL)


def _require_python(evaluator: Evaluator, node: ast.Call, but: Stage = Stage.PYTHON) -> None:
    for value in flatten(evaluator.arguments(node)):
        if value.is_graph and value.stage is not but:
            what = ast.unparse(node.func)
            raise Refused(node, f"an argument of `{what}` is part of the graph", "give it a Python value")


def _only(node: ast.Call, positional: tuple[str, ...], keywords: tuple[str, ...]) -> None:
    unknown = [keyword.arg for keyword in node.keywords if keyword.arg not in (*positional, *keywords)]
    starred = any(isinstance(item, ast.Starred) for item in node.args)
    if unknown or starred or len(node.args) > len(positional):
        what = unknown[0] if unknown and unknown[0] else "…"
        call = ast.unparse(node.func)
        raise Refused(node, f"the argument `{what}` of `{call}` is not understood by the native tier", _NOT_YET)


def _new_variable(evaluator: Evaluator, node: ast.Call) -> Value:
    if evaluator.active:
        # Its name depends on the order of the calls, so it lives in the store; as a value it may alias its memory.
        if evaluator.fetching:
            raise Refused(node, "a variable is created in the run itself", "create it before")
        evaluator.creates.add("variable")
        return Value(Stage.TENSOR, variables=(Variable(evaluator.unit, node, "", None, True),))
    trainable = _flag(node, argument(node, "trainable", 1) if _is_plain(node) else argument(node, "trainable", 5))
    variable = Variable(evaluator.unit, node, evaluator.target or "", None, trainable)
    evaluator.created.append(node)
    return Value(Stage.VARIABLE, variables=(variable,))


def _is_plain(node: ast.Call) -> bool:
    return not (isinstance(node.func, ast.Attribute) and node.func.attr == "get_variable") and not (
        isinstance(node.func, ast.Name) and node.func.id == "get_variable"
    )


def _flag(node: ast.Call, given: ast.expr | None) -> bool:
    if given is None:
        return True
    if isinstance(given, ast.Constant) and isinstance(given.value, bool):
        return given.value
    # `tf.Variable([0.3], tf.float32)`: a dtype in the place of the flag counts as true, in both versions.
    if isinstance(given, ast.Attribute | ast.Name) and f"tf.{_last(given)}" in effects.DTYPES:
        return True
    raise Refused(node, "whether the variable is trainable is known only at run time", "write True or False")


def _last(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _variable(evaluator: Evaluator, node: ast.Call) -> Value:
    _only(node, _VARIABLE_ARGUMENTS, ("name", "dtype"))
    initial = argument(node, "initial_value", 0)
    if initial is None:
        raise Refused(node, "a variable without an initial value", "give it one")
    _require_initial(evaluator, node, initial)
    for keyword in node.keywords:
        if keyword.arg in ("name", "dtype") and evaluator.value(keyword.value).is_graph:
            raise Refused(node, f"the variable's {keyword.arg} depends on the graph", _NOT_YET)
    return _new_variable(evaluator, node)


def _require_initial(evaluator: Evaluator, node: ast.Call, initial: ast.expr) -> None:
    value, reads, _ = evaluator.collect(initial)
    if evaluator.active and any(map(is_fed, flatten([value]))):
        raise Refused(node, "the initial value is computed from tensors", "compute it from Python values")
    graph = [name for name, binding in reads.items() if binding.value.stage in TENSORS - {Stage.CONSTANT}]
    if graph and not _takes_shape(evaluator, initial):
        raise Refused(node, f"the initial value is computed from `{graph[0]}`", "compute it from Python values")
    if any(part.is_graph and part.stage not in TENSORS for part in flatten([value])):
        raise Refused(node, "the initial value is no tensor", _NOT_YET)


def _takes_shape(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether a value has the shape of a variable, which is known, and nothing else of it."""
    like = isinstance(node, ast.Call) and evaluator.names.resolve(node.func) in ("tf.zeros_like", "tf.ones_like")
    one = isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords
    return like and one and isinstance(node, ast.Call) and evaluator.value(node.args[0]).stage is Stage.VARIABLE


def _get_variable(evaluator: Evaluator, node: ast.Call) -> Value:
    if evaluator.active:
        # A function is traced with the shapes that the graph was built with, and finds the same sizes in them.
        _require_python(evaluator, node, but=Stage.STATIC)
        evaluator.creates.add("named")
        return Value(Stage.TENSOR, variables=(Variable(evaluator.unit, node, "", None, True),))
    _only(node, _GET_VARIABLE_ARGUMENTS, ("trainable",))
    _require_python(evaluator, node)
    initializer = argument(node, "initializer", 3)
    if initializer is not None:
        value = evaluator.value(initializer)
        if value.node is None:
            raise Refused(node, "the initializer is not understood by the native tier", "use one of TensorFlow's")
    if argument(node, "shape", 1) is None or not isinstance(argument(node, "name", 0), ast.Constant):
        raise Refused(node, "name and shape of the variable must stand in the call", "spell them out")
    return _new_variable(evaluator, node)


def _counter(evaluator: Evaluator, node: ast.Call) -> Value:
    """The global step, where this call is what makes it."""
    made = evaluator.variables[evaluator.earlier :]
    known = any(is_counter(evaluator, variable.call) for variable in made)
    if node.args or node.keywords or evaluator.active or known:
        raise Refused(node, "the global step is asked for again", "make it once, and use its name")
    variable = Variable(evaluator.unit, node, evaluator.target or "", None, False)
    evaluator.created.append(node)
    return Value(Stage.VARIABLE, variables=(variable,))


def _assign(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    _only(node, ("ref", "value"), ())
    target = argument(node, "ref", 0)
    if target is None:
        raise Refused(node, "an assignment without a variable", _NOT_YET)
    arguments = node.args[1:] + [keyword.value for keyword in node.keywords if keyword.arg == "value"]
    return _assign_to(evaluator, node, target, evaluator.value(target), effects.ASSIGNMENTS[symbol], arguments)


def _assign_to(
    evaluator: Evaluator, node: ast.Call, target: ast.expr, updated: Value, method: str, arguments: list[ast.expr]
) -> Value:
    if updated.stage is not Stage.VARIABLE or updated.parts is not None or len(arguments) != 1:
        raise Refused(node, "the variable that is assigned to is not known", "assign to a variable by its name")
    if evaluator.active:
        raise Refused(
            node, f"`{evaluator.active[-1].name}` updates a variable", "update it where the function is called"
        )
    with evaluator.collecting() as (reads, _):
        value = evaluator.value(arguments[0])
        evaluator.value(target)
    if any(part.is_graph and part.stage not in TENSORS for part in flatten([value])):
        raise Refused(node, "the value that is assigned is no tensor", _NOT_YET)
    update = Assign(
        evaluator.unit, target, updated, method, arguments[0], dict(reads), evaluator.fetching, value.variables
    )
    return Value(Stage.EFFECT, updates=(update,), variables=updated.variables)


def _minimize(evaluator: Evaluator, node: ast.Call) -> Value:
    assert isinstance(node.func, ast.Attribute)
    _only(node, ("loss", "global_step"), ("var_list", "name"))
    loss = argument(node, "loss", 0)
    if loss is None or evaluator.active or evaluator.fetching:
        raise Refused(node, "`minimize` is called inside a function or a run", "call it where the loss is made")
    with evaluator.collecting() as (seen, _):
        rate = evaluator.value(node.func.value).rate
    with evaluator.collecting() as (reads, _):
        value = evaluator.value(loss)
        variables, step = argument(node, "var_list", 2), argument(node, "global_step", 1)
        for extra in (variables, step):
            given = None if extra is None else evaluator.value(extra)
            if given is not None and given.stage is Stage.VARIABLES and extra is variables:
                require_trainable(node, given)
                if evaluator.key_of(extra) is None:
                    raise Refused(node, "`var_list` is made in the call of `minimize`", "give the list a name before")
                continue
            if given is not None and extra is variables:
                gradients.require_watched(node, given)
            if given is not None and given.stage is not Stage.VARIABLE:
                raise Refused(node, "an argument of `minimize` is not understood by the native tier", _NOT_YET)
    if value.stage is not Stage.TENSOR or value.parts is not None:
        raise Refused(node, "the loss is no tensor that depends on variables", "minimize a tensor")
    # An optimizer that the step makes for itself is made where the step stood, of what its arguments are there.
    every = with_rate(reads if isinstance(node.func.value, ast.Call) else {**seen, **reads}, rate)
    update = Minimize(evaluator.unit, node.func.value, loss, variables, step, every, False, dict(reads), rate)
    return Value(Stage.EFFECT, updates=(update,), grouped=True)


def _group(evaluator: Evaluator, node: ast.Call) -> Value:
    if any(keyword.arg != "name" for keyword in node.keywords) or not node.args:
        raise Refused(node, "this form of `tf.group` is not understood by the native tier", _NOT_YET)
    value = container(tuple(evaluator.value(item) for item in node.args))
    if all(part.stage is Stage.INITIALIZER for part in flatten([value])):
        return value
    if any(part.stage is not Stage.EFFECT for part in flatten([value])):
        raise Refused(node, "`tf.group` groups something other than updates", _NOT_YET)
    return Value(Stage.EFFECT, updates=value.updates, grouped=True)


def _placeholder_with_default(evaluator: Evaluator, node: ast.Call) -> Value:
    """A placeholder whose default is a number or a variable: whoever does not feed it passes that."""
    default = argument(node, "input", 0)
    plain = isinstance(default, ast.Constant) and isinstance(default.value, bool | int | float)
    value = PYTHON if default is None else evaluator.value(default)
    variable = isinstance(default, ast.Name) and value.stage is Stage.VARIABLE and value.parts is None
    if not plain and not variable:
        raise Refused(node, "the default of a placeholder is neither a number nor a variable", _NOT_YET)
    for item in (*node.args[1:], *(word.value for word in node.keywords if word.value is not default)):
        if evaluator.value(item).is_graph:
            raise Refused(item, "the shape of a placeholder depends on the graph", _NOT_YET)
    return Value(Stage.PLACEHOLDER, node=node, default=default)


def _session(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    if (node.args or node.keywords) and node not in evaluator.options.sessions:
        raise Refused(node, f"the arguments of `{symbol}` are not understood by the native tier", _NOT_YET)
    return SESSION
