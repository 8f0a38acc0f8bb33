"""What calls of TensorFlow symbols, and of methods of graph elements, build or do."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tf_migrate.facts import is_absent, public_function
from tf_migrate.names.sessions import INITIALIZERS, MONITORED_CLASSES
from tf_migrate.stages import branches, effects, gradients, purity
from tf_migrate.stages.arguments import NOT_YET, require_only, require_python
from tf_migrate.stages.assertions import ASSERTIONS, PRINT, assertion, printing
from tf_migrate.stages.averages import updates_of_averages, with_updates
from tf_migrate.stages.behind import require_seen_anew
from tf_migrate.stages.collected import members_of
from tf_migrate.stages.creation import counter, get_variable, variable
from tf_migrate.stages.datasets import SOURCES, method_of_dataset, source
from tf_migrate.stages.demand import kind_of_call, slope, step_needs
from tf_migrate.stages.distributions import DISTRIBUTIONS, DIVERGENCES, distribution, divergence, method_of_distribution
from tf_migrate.stages.iterators import ITERATORS, MAKERS, STRUCTURED, made_by, method_of_iterator, structured
from tf_migrate.stages.layers import is_seeded, layer, state_of_layer
from tf_migrate.stages.lists import (
    KEYS,
    REGULARIZATION,
    TRAINABLE,
    UPDATES,
    all_variables,
    collected,
    require_trainable,
)
from tf_migrate.stages.loose import loose_in
from tf_migrate.stages.metrics import METRICS, metric
from tf_migrate.stages.monitored import COUNTERS, HOOKS, asked, hook
from tf_migrate.stages.python_calls import python_call
from tf_migrate.stages.queues import SYMBOLS, call_of_queue, method_of_queue
from tf_migrate.stages.rates import optimizer, with_rate
from tf_migrate.stages.regularization import SUMS, regularization
from tf_migrate.stages.savers import SAVER, saver
from tf_migrate.stages.scattering import COUNTING, SCATTERING, count_up_to, scatter
from tf_migrate.stages.scopes import opened_by
from tf_migrate.stages.shadows import AVERAGES, averages, method_of_averages, require_no_shadow
from tf_migrate.stages.shared_memory import sharing
from tf_migrate.stages.sparse import SPARSE, is_taken, sparse_tensor
from tf_migrate.stages.summaries import SUMMARIES, WRITERS, merge_all, summary, writer
from tf_migrate.stages.texts import ASKED, asked_version
from tf_migrate.stages.updates import Assign, Minimize
from tf_migrate.stages.values import (
    PYTHON,
    SCOPE,
    SESSION,
    STATIC,
    TENSORS,
    Absent,
    Refused,
    Stage,
    Value,
    combine,
    container,
    flatten,
    is_fed,
    is_sized,
    moving,
)
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_Meaning: TypeAlias = "Callable[[Evaluator, ast.Call, str], Value]"
_STEPS = TENSORS - {Stage.CONSTANT}
_STATES = ("tf.nn.rnn_cell.LSTMStateTuple", "tf.contrib.rnn.LSTMStateTuple")
_PARTS = ("c", "h")
_MINIMIZE_ARGUMENTS = ("loss", "global_step", "var_list")


def call_of_symbol(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """The value of a call of a TensorFlow symbol; refuses what is not understood."""
    symbol = public_function(symbol)
    if symbol not in branches.COMPUTING:
        evaluator.require_straight(node)
    return _MEANINGS.get(symbol, _other)(evaluator, node, symbol)


def _other(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """A function that has nothing to do with the graph, or one that is not known here."""
    if not purity.is_plain_call(symbol):
        known = Absent if is_absent(symbol) else Refused
        raise known(node, f"`{symbol}` is not understood by the native tier", NOT_YET)
    require_python(evaluator, node)
    if symbol != "tf.TensorShape":
        evaluator.note_impure(node)
    return PYTHON


def _placeholder(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    if evaluator.active:
        what = f"`{evaluator.active[-1].name}` makes a placeholder"
        raise Refused(node, what, "make it where the function is called, and pass it")
    if symbol == "tf.placeholder_with_default":
        return _placeholder_with_default(evaluator, node)
    require_python(evaluator, node)
    return Value(Stage.PLACEHOLDER, node=node)


def _collection(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    asked_for = TRAINABLE if symbol == "tf.trainable_variables" else collected(evaluator, node)
    if asked_for is None:
        return _other(evaluator, node, symbol)
    if asked_for not in KEYS.values():
        return members_of(evaluator, node, asked_for)
    if asked_for == UPDATES:
        return updates_of_averages(evaluator, node)
    if asked_for == REGULARIZATION:
        return regularization(evaluator, node, symbol)
    return gradients.trainable_variables(evaluator, node) if asked_for == TRAINABLE else all_variables(evaluator, node)


def _scope(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """The scope that is open: known in the block of a function that opens it."""
    opened = opened_by(evaluator.module, evaluator.names, node) if evaluator.active and not node.args else None
    return _other(evaluator, node, symbol) if opened is None else SCOPE


def _iterator(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    if not node.args:
        return _other(evaluator, node, symbol)
    return made_by(evaluator, node, symbol.rpartition(".")[2], node.args[0], node.args[1:])


def _python_value(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    require_python(evaluator, node)
    return Value(Stage.PYTHON, node=node)


def _monitored(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    raise Refused(node, "a monitored session is made elsewhere than in a `with` statement at the top", NOT_YET)


def _initializer(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """An initializer of all variables, or of those that it is given."""
    if not node.args and not node.keywords:
        return Value(Stage.INITIALIZER, node=node)
    listed = argument(node, "var_list", 0)
    if listed is None or symbol not in ("tf.variables_initializer", "tf.initialize_variables"):
        raise Refused(node, f"this form of `{symbol}` is not understood by the native tier", NOT_YET)
    value = evaluator.value(listed)
    if value.stage is not Stage.VARIABLE or not value.variables:
        raise Refused(node, "which variables are initialized is not known", "list them by name")
    require_no_shadow(evaluator, node, value)
    return Value(Stage.INITIALIZER, variables=value.variables)


def method_of_graph(evaluator: Evaluator, node: ast.Call, method: str, receiver: Value) -> Value:
    """The value of a method call on a graph element; `receiver` is evaluated already."""
    assert isinstance(node.func, ast.Attribute)
    stage = receiver.stage
    if method not in branches.COMPUTING_METHODS:
        evaluator.require_straight(node)
    if receiver.parts is not None:
        if method == "values" and receiver.keys is not None and not node.args:
            return container(receiver.parts)
    elif (stage in TENSORS and method == "get_shape") or (
        stage is Stage.STATIC and method in ("as_list", "num_elements")
    ):
        if not node.args and not node.keywords:
            return STATIC
    elif stage is Stage.TENSOR and receiver.symbol in DISTRIBUTIONS:
        return method_of_distribution(evaluator, node, method, receiver)
    elif stage is Stage.VARIABLE and method in effects.ASSIGNMENTS.values():
        return _assign_to(evaluator, node, node.func.value, receiver, method, node.args)
    elif stage is Stage.VARIABLE and method == "count_up_to":
        return count_up_to(evaluator, node)
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
    elif stage is Stage.AVERAGES:
        return method_of_averages(evaluator, node, method, receiver)
    elif stage is Stage.OPTIMIZER and method == "minimize":
        return _minimize(evaluator, node)
    elif stage is Stage.OPTIMIZER and method == "compute_gradients":
        return gradients.compute_gradients(evaluator, node)
    elif stage is Stage.OPTIMIZER and method == "apply_gradients":
        return gradients.apply_gradients(evaluator, node)
    elif stage is Stage.SESSION and method == "close" and not node.args:
        return SESSION
    raise Refused(node, f"`.{method}()` of a part of the graph is not understood by the native tier", NOT_YET)


def _operation(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    if any(keyword.arg is None for keyword in node.keywords):
        raise Refused(node, f"`{symbol}` takes its arguments from a dictionary", "spell the arguments out")
    values = evaluator.arguments(node)
    for value in flatten(values):
        if value.is_graph and value.stage not in TENSORS | {Stage.STATIC} and not is_taken(value, symbol):
            raise Refused(node, f"`{symbol}` is given something of the graph that is no tensor", NOT_YET)
    if symbol in effects.DECAYS and not any(value.stage in _STEPS for value in flatten(values)):
        # Outside of a graph a decay is no tensor but a function, which needs a step that changes.
        raise Refused(node, f"`{symbol}` is given no variable to count the steps", "give it the global step")
    random = symbol in effects.RANDOM
    if random and is_seeded(node, effects.SEEDS.get(symbol)):
        evaluator.note_seeded(node)
    known = combine(values)
    waiting = frozenset() if symbol in effects.SHAPES else moving(values)
    if random:
        fed = any(map(is_fed, flatten(values)))
        known = Value(Stage.TENSOR, random=True, fed=fed, sized=is_sized(values))
    loose = loose_in(node, symbol, values)
    inclined = slope(kind_of_call(evaluator.names, node, symbol), values)
    known = replace(known, several=symbol in effects.SEVERAL, moves=waiting, loose=loose, slope=inclined)
    tensors = [value for value in flatten(values) if value.stage in TENSORS]
    if symbol in effects.ALIASES or (symbol in effects.JOINED and len(tensors) == 1):
        return replace(known, variables=sharing(tensors))
    return known


def _assign(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    require_only(node, ("ref", "value"), ())
    target = argument(node, "ref", 0)
    if target is None:
        raise Refused(node, "an assignment without a variable", NOT_YET)
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
        raise Refused(node, "the value that is assigned is no tensor", NOT_YET)
    after = () if evaluator.fetching else evaluator.awaited
    if after:
        require_seen_anew(evaluator, arguments[0], reads)
    inline, aliased = evaluator.fetching, () if after else value.variables
    update = Assign(evaluator.unit, target, updated, method, arguments[0], dict(reads), inline, aliased, after=after)
    return Value(Stage.EFFECT, updates=(*after, update), variables=updated.variables, moves=moving([value]))


def _minimize(evaluator: Evaluator, node: ast.Call) -> Value:
    assert isinstance(node.func, ast.Attribute)
    require_only(node, ("loss", "global_step"), ("var_list", "name"))
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
                if evaluator.key_of(extra) is None and extra not in [listing.call for listing in evaluator.lists]:
                    raise Refused(node, "`var_list` is made in the call of `minimize`", "give the list a name before")
                continue
            if given is not None and extra is variables:
                gradients.require_watched(node, given)
            if given is not None and given.stage is not Stage.VARIABLE:
                raise Refused(node, "an argument of `minimize` is not understood by the native tier", NOT_YET)
    if value.stage is not Stage.TENSOR or value.parts is not None:
        raise Refused(node, "the loss is no tensor that depends on variables", "minimize a tensor")
    # An optimizer that the step makes for itself is made where the step stood, of what its arguments are there.
    every = with_updates(
        evaluator, with_rate(reads if isinstance(node.func.value, ast.Call) else {**seen, **reads}, rate)
    )
    tracked, after = dict(reads), evaluator.waits
    update = Minimize(evaluator.unit, node.func.value, loss, variables, step, every, False, tracked, rate, after)
    needed = step_needs(value, whole=variables is None).every
    return Value(Stage.EFFECT, updates=(update,), grouped=True, moves=needed)


def _state(evaluator: Evaluator, node: ast.Call) -> Value:
    """The two parts of an LSTM's state, as one."""
    require_only(node, _PARTS, ())
    given = [argument(node, word, place) for place, word in enumerate(_PARTS)]
    parts = tuple(evaluator.value(item) for item in given if item is not None)
    if len(parts) < len(_PARTS):
        raise Refused(node, "a state is not given its two parts by themselves", "write both out")
    return replace(container(parts), fields=_PARTS)


def _group(evaluator: Evaluator, node: ast.Call) -> Value:
    if any(keyword.arg != "name" for keyword in node.keywords):
        raise Refused(node, "this form of `tf.group` is not understood by the native tier", NOT_YET)
    given = [item.value if isinstance(item, ast.Starred) else item for item in node.args]
    value = container(tuple(map(evaluator.value, given)))
    if value.parts and all(part.stage is Stage.INITIALIZER for part in flatten([value])):
        return value
    if any(part.stage is not Stage.EFFECT for part in flatten([value])):
        raise Refused(node, "`tf.group` groups something other than updates", NOT_YET)
    updates = tuple(dict.fromkeys(evaluator.awaited + value.updates))
    return Value(Stage.EFFECT, updates=updates, grouped=True, moves=moving([value]))


def _no_op(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """An operation that does nothing, but that it may wait for updates."""
    require_python(evaluator, node)
    return Value(Stage.EFFECT, updates=evaluator.awaited, grouped=True)


def _placeholder_with_default(evaluator: Evaluator, node: ast.Call) -> Value:
    """A placeholder whose default is a number or a variable: whoever does not feed it passes that."""
    default = argument(node, "input", 0)
    plain = isinstance(default, ast.Constant) and isinstance(default.value, bool | int | float)
    value = PYTHON if default is None else evaluator.value(default)
    variable = isinstance(default, ast.Name) and value.stage is Stage.VARIABLE and value.parts is None
    if not plain and not variable:
        raise Refused(node, "the default of a placeholder is neither a number nor a variable", NOT_YET)
    for item in (*node.args[1:], *(word.value for word in node.keywords if word.value is not default)):
        if evaluator.value(item).is_graph:
            raise Refused(item, "the shape of a placeholder depends on the graph", NOT_YET)
    return Value(Stage.PLACEHOLDER, node=node, default=default)


def _session(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    graph, given = evaluator.graph, [word.value for word in node.keywords if word.arg == "graph"]
    own = graph is not None and graph.uses.issuperset(given)
    if graph is not None and not evaluator.graph_blocks and not (given and own):
        what = f"the session is not one of `{graph.name}`"
        raise Refused(node, what, "make it in a block of that graph, or give it the graph")
    others = node.args or len(node.keywords) > len(given)
    if (given and not own) or (others and node not in evaluator.options.sessions):
        raise Refused(node, f"the arguments of `{symbol}` are not understood by the native tier", NOT_YET)
    inner = set(ast.walk(node))
    evaluator.require_python(*(item.value for item in evaluator.options.said if item.value in inner))
    return SESSION


def _alone(meaning: Callable[[Evaluator, ast.Call], Value]) -> _Meaning:
    """The meaning of calls of one symbol, which need not be told which it is."""
    return lambda evaluator, node, symbol: meaning(evaluator, node)


_FAMILIES: tuple[tuple[Iterable[str], _Meaning], ...] = (
    (effects.PURE | effects.RANDOM, _operation),
    ([SPARSE], _alone(sparse_tensor)),
    (ASSERTIONS, _alone(assertion)),
    ([PRINT], _alone(printing)),
    (effects.LAYERS | effects.RANDOM_LAYERS | effects.CELLS, layer),
    (METRICS, metric),
    (["tf.placeholder", "tf.placeholder_with_default"], _placeholder),
    (["tf.Variable"], _alone(variable)),
    (["tf.get_variable"], _alone(get_variable)),
    (effects.ASSIGNMENTS, _assign),
    (SCATTERING, scatter),
    ([COUNTING], count_up_to),
    (effects.OPTIMIZERS, optimizer),
    ([AVERAGES], _alone(averages)),
    (DISTRIBUTIONS, distribution),
    (DIVERGENCES, _alone(divergence)),
    (SUMMARIES, _alone(summary)),
    (["tf.summary.merge_all"], _alone(merge_all)),
    (WRITERS, _alone(writer)),
    ([SAVER], _alone(saver)),
    (["tf.gradients"], _alone(gradients.gradients)),
    (["tf.get_collection", "tf.trainable_variables"], _collection),
    (["tf.group"], _alone(_group)),
    (["tf.no_op"], _no_op),
    (_STATES, _alone(_state)),
    (branches.SMART_CONDITIONS, _alone(branches.smart_condition)),
    ([branches.CONDITION], _alone(branches.condition)),
    ([branches.CASES], _alone(branches.cases)),
    ([branches.LOOP], _alone(branches.loop)),
    (branches.EACH, branches.each),
    (["tf.py_func"], _alone(python_call)),
    (["tf.get_variable_scope"], _scope),
    (INITIALIZERS, _initializer),
    (SOURCES, source),
    (MAKERS, _iterator),
    (STRUCTURED, _alone(structured)),
    (SYMBOLS, call_of_queue),
    (effects.INITIALIZER_CLASSES | effects.REGULARIZERS, _python_value),
    (SUMS, regularization),
    (["tf.Session", "tf.InteractiveSession"], _session),
    (HOOKS, hook),
    (ASKED, asked_version),
    (COUNTERS, _alone(counter)),
    (MONITORED_CLASSES, _monitored),
)
"""What calls of symbols mean; no symbol is of two families."""
_MEANINGS = {symbol: meaning for symbols, meaning in _FAMILIES for symbol in symbols}
