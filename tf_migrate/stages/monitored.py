"""Monitored sessions: each restores, saves, logs and stops by itself, through the hooks that it is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tf_migrate.stages.values import PYTHON, Binding, Refused, Stage, Value, Variable, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

HOOKS = {
    "tf.train.LoggingTensorHook": "tensors",
    "tf.train.NanTensorHook": "loss_tensor",
    "tf.train.StopAtStepHook": "",
}
"""Hooks that are understood, and which argument of each holds tensors."""
COUNTERS = frozenset(
    f"{prefix}.{name}"
    for prefix in ("tf.train", "tf.contrib.framework", "tf.contrib.framework.python.ops.variables")
    for name in ("create_global_step", "get_or_create_global_step")
)
"""Calls that make the global step."""
COUNTER = "global_step"

_TRAINING = """
    checkpoint_dir hooks log_step_count_steps save_checkpoint_secs save_checkpoint_steps save_summaries_secs
    save_summaries_steps summary_dir
"""
_OPTIONS = {
    "tf.train.MonitoredTrainingSession": frozenset(_TRAINING.split()),
    "tf.train.MonitoredSession": frozenset({"hooks"}),
    "tf.train.SingularMonitoredSession": frozenset({"hooks"}),
}
_PLAIN = {"master": "", "is_chief": True, "scaffold": None, "config": None, "chief_only_hooks": None}
_STEP = "leave it to the bridge, or do in the loop what the session does"


class Watched(NamedTuple):
    """A tensor that a hook asks for with each run: the name in the hook's call, and what it means."""

    node: ast.Name
    binding: Binding


@dataclass(frozen=True, eq=False)
class Hook:
    """A hook: the call that makes it, and the tensors that it is given."""

    call: ast.Call
    watched: tuple[Watched, ...]


@dataclass(frozen=True, eq=False)
class Monitor:
    """A `with` statement of a monitored session.

    `unit` is its own, `options` are the arguments that stay, `step` is the variable that counts its steps, `saves` says
    that it may restore and save.
    """

    node: ast.With
    call: ast.Call
    name: str
    unit: int
    options: tuple[ast.keyword, ...]
    hooks: tuple[Hook, ...]
    step: Variable | None
    saves: bool

    @property
    def watched(self) -> tuple[Watched, ...]:
        """What all hooks ask for, each tensor once."""
        found = {item.binding: item for hook in self.hooks for item in hook.watched}
        return tuple(found.values())


def hook(evaluator: Evaluator, node: ast.Call, symbol: str) -> Value:
    """A hook of TensorFlow's own: it is known what it does."""
    if evaluator.active or evaluator.frames or evaluator.fetching:
        raise Refused(node, "a hook is made inside a function", "make it where the graph is built")
    if any(keyword.arg is None for keyword in node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
        raise Refused(node, "what a hook is given is not spelled out", "spell the arguments out")
    words = {keyword.arg: keyword.value for keyword in node.keywords}
    taking = HOOKS[symbol]
    given = words.get(taking, node.args[0] if node.args else None) if taking else None
    if "at_end" in words:
        raise Refused(node, "a hook computes tensors behind the last run", "compute them in the loop")
    watched = () if given is None else tuple(_watched(evaluator, node, given))
    for item in (*node.args, *words.values()):
        if item is not given and any(part.is_graph for part in flatten([evaluator.value(item)])):
            raise Refused(item, "an argument of a hook is part of the graph", _STEP)
    evaluator.hooks[node] = Hook(node, watched)
    return Value(Stage.HOOK, node=node)


def _watched(evaluator: Evaluator, node: ast.Call, given: ast.expr) -> Iterator[Watched]:
    items = [given]
    if isinstance(given, ast.Dict):
        items = given.values
    elif evaluator.names.resolve(node.func) == "tf.train.LoggingTensorHook":
        raise Refused(given, "what is logged has no labels of its own", "write it as a dictionary of labels")
    for item in items:
        value = evaluator.value(item)
        binding = evaluator.env.get(item.id) if isinstance(item, ast.Name) else None
        if binding is None or value.parts is not None or value.several:
            raise Refused(item, f"a hook is given `{ast.unparse(item)}`", "bind the tensor to a name of its own")
        if value.stage is Stage.VARIABLE:
            continue  # stays what it is
        if value.stage is not Stage.TENSOR or not isinstance(binding.node, ast.Name):
            raise Refused(item, f"a hook is given `{ast.unparse(item)}`, which is no tensor", "give it a tensor")
        if value.variables:
            what = "a hook is given a tensor that shares the memory of a variable"
            raise Refused(item, what, "give it the variable itself")
        assert isinstance(item, ast.Name)
        yield Watched(item, binding)


def monitor(evaluator: Evaluator, node: ast.With) -> Monitor:
    """The monitored session of a `with` statement."""
    (item,) = node.items
    call = item.context_expr
    assert isinstance(call, ast.Call)
    symbol = evaluator.names.resolve(call.func) or ""
    if not isinstance(item.optional_vars, ast.Name):
        raise Refused(node, "the monitored session has no plain name", "write `with … as session:`")
    options = tuple(_options(evaluator, call, symbol))
    words = {option.arg: option.value for option in options}
    hooks = tuple(_hooks(evaluator, words["hooks"])) if "hooks" in words else ()
    saves = "checkpoint_dir" in words
    step = _counter(evaluator)
    counts = any(evaluator.names.resolve(hook.call.func) == "tf.train.StopAtStepHook" for hook in hooks)
    if step is None and (saves or counts or "summary_dir" in words):
        raise Refused(call, "there is no global step to count by", "make one: `tf.train.get_or_create_global_step()`")
    if evaluator.described and (saves or "summary_dir" in words):
        raise Refused(call, "the monitored session writes the summaries", "write them in the loop")
    name = item.optional_vars.id
    return Monitor(node, call, name, evaluator.unit, options, hooks, step, saves)


def _options(evaluator: Evaluator, call: ast.Call, symbol: str) -> Iterator[ast.keyword]:
    if call.args:
        raise Refused(call, f"`{symbol}` is given its options by place", "give them by name")
    for word in call.keywords:
        name = word.arg or "**"
        if name in _OPTIONS[symbol]:
            if name != "hooks" and any(part.is_graph for part in flatten([evaluator.value(word.value)])):
                raise Refused(word.value, f"`{name}` is part of the graph", "give it a Python value")
            yield word
        elif name == "stop_grace_period_secs" or (name == "config" and call in evaluator.options.sessions):
            evaluator.value(word.value)
        elif not (isinstance(word.value, ast.Constant) and name in _PLAIN and word.value.value == _PLAIN[name]):
            raise Refused(word.value, f"`{name}` of `{symbol}` is not understood by the native tier", _STEP)


def _hooks(evaluator: Evaluator, node: ast.expr) -> Iterator[Hook]:
    if isinstance(node, ast.Constant) and node.value is None:
        return
    value = evaluator.value(node)
    plain = isinstance(node, ast.List | ast.Tuple) and not node.elts
    for part in () if plain else flatten([value]):
        if part.stage is not Stage.HOOK or not isinstance(part.node, ast.Call) or value.parts is None:
            what = "which hooks the monitored session is given is not known"
            step = "list them in the call: StopAtStepHook, LoggingTensorHook and NanTensorHook are understood"
            raise Refused(node, what, step)
        yield evaluator.hooks[part.node]


def _counter(evaluator: Evaluator) -> Variable | None:
    """The variable that TensorFlow 1 counts steps in: the one that it makes for that, or one of that name."""
    made = evaluator.variables[evaluator.earlier :]
    found = [variable for variable in made if is_counter(evaluator, variable.call)]
    if len(found) > 1:
        raise Refused(found[1].call, "there are two global steps", "make one")
    return found[0] if found else None


def is_counter(evaluator: Evaluator, call: ast.Call) -> bool:
    """Whether a call makes the global step."""
    symbol = evaluator.names.resolve(call.func)
    if symbol in COUNTERS:
        return True
    words = [keyword.value for keyword in call.keywords if keyword.arg == "name"]
    words += call.args[:1] if symbol == "tf.get_variable" else []
    return any(isinstance(word, ast.Constant) and word.value == COUNTER for word in words)


def asked(evaluator: Evaluator, node: ast.Call, method: str) -> Value:
    """What a monitored session says that is asked whether to stop; anything else but a run is refused."""
    assert isinstance(node.func, ast.Attribute)
    if method != "should_stop" or node.args or node.keywords or not isinstance(node.func.value, ast.Name):
        raise Refused(node, f"`.{method}()` of a monitored session is not understood by the native tier", _STEP)
    evaluator.note_impure(node)
    evaluator.asked.append(node.func.value)
    return PYTHON
