"""Calls of the module's own functions that build a part of the graph: their bodies are evaluated with the arguments.

Such a function stays where it is and is called from the functions that replace the runs. So it may read only what stays
too: Python values, constants, variables. It must neither create variables nor update them, nor do anything else.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tf_migrate.stages import purity
from tf_migrate.stages.values import PYTHON, Refused, Stage, Value, flatten, join

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_PLAINLY = "write it as plain assignments and a return"


def interpret(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef) -> Value:
    """The value of calling one of the module's functions."""
    arguments = evaluator.arguments(call)
    builders = [value.function for value in flatten(arguments) if value.function is not None]
    given = any(argument.is_graph for argument in arguments)
    if not given and not any(mentions_graph(evaluator, item) for item in (function, *builders)):
        evaluator.note_impure(call)
        return PYTHON
    if function in evaluator.active or len(evaluator.active) > 20:
        raise Refused(call, f"`{function.name}` calls itself", "write the recursion as a loop")
    if function.decorator_list:
        raise Refused(call, f"`{function.name}` is decorated", "call the plain function")
    frame = _bind(evaluator, call, function)
    evaluator.frames.append(frame)
    evaluator.active.append(function)
    try:
        return _Body(evaluator, frame, function).run(function.body) or PYTHON
    finally:
        evaluator.frames.pop()
        evaluator.active.pop()


def mentions_graph(evaluator: Evaluator, function: ast.stmt, seen: frozenset[ast.stmt] = frozenset()) -> bool:
    """Whether the body of a function or class may reach a part of the graph, itself or by functions that it names.

    What TensorFlow has beside graphs (flags, files, logging) is none of it.
    """
    seen = seen | {function}
    local = {inner.arg for inner in ast.walk(function) if isinstance(inner, ast.arg)}
    owner = evaluator.methods.get(function) if isinstance(function, ast.FunctionDef) else None
    for inner in ast.walk(function):
        if isinstance(inner, ast.Call) and inner in evaluator.sites:
            return True
        if isinstance(inner, ast.Name | ast.Attribute) and _is_of_graphs(evaluator, inner):
            return True
        binding, other = None, None
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and inner.id not in local:
            binding = evaluator.env.get(inner.id)
            other = None if binding is None else binding.value.function
        elif owner is not None and isinstance(inner, ast.Attribute) and ast.unparse(inner.value) == "self":
            binding, other = evaluator.env.get(owner.key(inner.attr)), owner.methods.get(inner.attr)
        if binding is not None and binding.value.is_graph:
            return True
        if other is not None and other not in seen and mentions_graph(evaluator, other, seen):
            return True
    return False


def _is_of_graphs(evaluator: Evaluator, node: ast.Name | ast.Attribute) -> bool:
    """Whether a name means something of TensorFlow, other than the part before a dot of a longer one."""
    symbol = evaluator.names.resolve(node)
    if symbol is None or purity.is_plain_call(symbol):
        return False
    around = evaluator.module.parents.get(node)
    if isinstance(around, ast.Attribute) and around.value is node:
        return evaluator.names.resolve(around) is None
    return True


def _bind(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef) -> dict[str, Value]:
    given = function.args
    if given.vararg or given.kwarg or given.posonlyargs:
        raise Refused(call, f"`{function.name}` takes any number of arguments", "name its parameters")
    if any(isinstance(item, ast.Starred) for item in call.args) or any(word.arg is None for word in call.keywords):
        raise Refused(call, f"`{function.name}` is called with unpacked arguments", "spell the arguments out")
    parameters = [argument.arg for argument in (*given.args, *given.kwonlyargs)]
    # Defaults were evaluated when the function was defined; a default that is part of the graph is refused there.
    frame = dict.fromkeys(parameters, PYTHON)
    owner = evaluator.methods.get(function)
    if owner is not None:
        frame[parameters.pop(0)] = Value(Stage.PYTHON, owner=owner)
    defaults = zip(reversed(given.args), reversed(given.defaults), strict=False)
    named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    for argument, default in (*defaults, *named):
        if isinstance(default, ast.Constant):
            frame[argument.arg] = evaluator.value(default)
    frame.update(zip(parameters, (evaluator.value(item) for item in call.args), strict=False))
    frame.update({word.arg: evaluator.value(word.value) for word in call.keywords if word.arg})
    return frame


class _Body:
    """Evaluates the statements of one function body."""

    def __init__(self, evaluator: Evaluator, frame: dict[str, Value], function: ast.FunctionDef) -> None:
        self.evaluator = evaluator
        self.frame = frame
        self.function = function
        for inner in ast.walk(function):
            if isinstance(inner, ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await):
                raise Refused(inner, f"`{function.name}` does more than build a part of the graph", _PLAINLY)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                frame.setdefault(inner.id, PYTHON)

    def run(self, statements: list[ast.stmt]) -> Value | None:
        """The value that is returned, or None when the end is reached."""
        for statement in statements:
            result = self._statement(statement)
            if result is not None:
                return result
        return None

    def _statement(self, node: ast.stmt) -> Value | None:
        if isinstance(node, ast.Return):
            return PYTHON if node.value is None else self.evaluator.value(node.value)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._assign(node.targets[0], self.evaluator.value(node.value))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            operation = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
            self._assign(node.target, self.evaluator.value(operation))
        elif isinstance(node, ast.With) and all(self._is_scope(item) for item in node.items):
            return self.run(node.body)
        elif isinstance(node, ast.If):
            return self._branch(node)
        elif isinstance(node, ast.Try) and not node.orelse and not node.finalbody:
            self._attempt(node)
        elif not (isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))):
            raise Refused(node, f"`{self.function.name}` does more than build a part of the graph", _PLAINLY)
        return None

    def _is_scope(self, item: ast.withitem) -> bool:
        call = item.context_expr
        if not isinstance(call, ast.Call) or item.optional_vars is not None:
            return False
        symbol = self.evaluator.names.resolve(call.func)
        if symbol == "tf.variable_scope":
            given = self.evaluator.arguments(call)
            if any(value.is_graph for value in given):
                raise Refused(call, "the scope depends on the graph", _PLAINLY)
            known = bool(given) and given[0].is_none is False
            self.evaluator.creates.add("named" if known else "layer")
        if symbol == "tf.device":
            return self._is_device(call)
        return symbol in ("tf.name_scope", "tf.variable_scope")

    def _is_device(self, call: ast.Call) -> bool:
        """Whether a device is written out; one that compiles what is on it needs a function that is traced."""
        device = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else call
        if call.keywords or not isinstance(device, str | None):
            return False
        traced = any(value.stage in (Stage.PLACEHOLDER, Stage.TENSOR) for value in flatten(self.frame.values()))
        return traced or "XLA_" not in (device or "")

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.frame[target.id] = value
        elif isinstance(target, ast.Tuple) and all(isinstance(item, ast.Name) for item in target.elts):
            parts = value.parts if value.parts is not None and len(value.parts) == len(target.elts) else None
            for index, item in enumerate(target.elts):
                part = parts[index] if parts is not None else Value(value.stage, random=value.random)
                self._assign(item, part)
        else:
            raise Refused(target, f"`{self.function.name}` stores a value outside", _PLAINLY)

    def _attempt(self, node: ast.Try) -> None:
        """`try` stays as it is: which of its blocks come to their ends is known only when the function is called."""
        before = dict(self.frame)
        ends = []
        for body in (node.body, *(handler.body for handler in node.handlers)):
            if any(isinstance(inner, ast.Return) for statement in body for inner in ast.walk(statement)):
                raise Refused(node, f"`{self.function.name}` returns from a `try`", _PLAINLY)
            self.run(body)
            ends.append(dict(self.frame))
            # A handler begins where the block above it failed: before or behind any of its statements.
            self._mix(before, ends[0])
        self.frame.update(ends[0])
        for end in ends[1:]:
            self._mix(self.frame, end)

    def _mix(self, left: dict[str, Value], right: dict[str, Value]) -> None:
        """Gives each name the value of one of two frames."""
        self.frame.update({name: join(left[name], right[name]) for name in left})

    def _branch(self, node: ast.If) -> Value | None:
        test = self.evaluator.value(node.test)
        if test.stage not in (Stage.PYTHON, Stage.STATIC):
            raise Refused(node, "a tensor is used as a condition", "use tf.cond or tf.where")
        if test.truth is not None:
            return self.run(node.body if test.truth else node.orelse)
        before = dict(self.frame)
        results = []
        frames = []
        for body in (node.body, node.orelse):
            self.frame.clear()
            self.frame.update(before)
            results.append(self.run(body))
            frames.append(dict(self.frame))
        for name in self.frame:
            self.frame[name] = join(frames[0][name], frames[1][name])
        if results[0] is not None and results[1] is not None:
            return join(results[0], results[1])
        if results[0] is not None or results[1] is not None:
            # One branch returns: what follows decides the rest, the value is at least as late as this one.
            self.frame.update(frames[0] if results[1] is not None else frames[1])
            if (results[0] or results[1] or PYTHON).stage is not Stage.TENSOR:
                raise Refused(node, f"`{self.function.name}` returns different kinds of values", _PLAINLY)
        return None
