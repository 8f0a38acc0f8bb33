"""Calls of the module's own functions that build a part of the graph: their bodies are evaluated with the arguments.

Such a function stays where it is and is called from the functions that replace the runs. So it may read only what stays
too: Python values, constants, variables. It must neither create variables nor update them, nor do anything else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tf_migrate.stages import purity
from tf_migrate.stages.bodies import FunctionBody
from tf_migrate.stages.imported import apart, require_tensors
from tf_migrate.stages.layer_objects import made
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.values import PYTHON, TENSOR, Binding, Feeding, Locals, Refused, Stage, Value, flatten

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator


def make_object(evaluator: Evaluator, call: ast.Call, known: ObjectClass) -> Value:
    """The value of making an object that is called as a layer is."""
    constructor = known.methods.get("__init__")
    frame = Locals() if constructor is None else _bind(evaluator, call, constructor, PYTHON)
    return made(evaluator, call, known, frame)


def call_of_object(evaluator: Evaluator, call: ast.Call, called: Value) -> Value:
    """The value of calling such an object, or a method of it."""
    assert called.builds is not None
    function = called.function or called.builds.methods["__call__"]
    return interpret(evaluator, call, function, replace(called, function=None))


def interpret(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef, receiver: Value | None = None) -> Value:
    """The value of calling one of the module's functions, or a method of the object `receiver`."""
    arguments = evaluator.arguments(call)
    builders = list(_held([*arguments, *([] if receiver is None else [receiver])]))
    abroad = evaluator.imports.homes
    if (function in abroad or evaluator.is_abroad) and any(builder not in abroad for builder in builders):
        raise Refused(call, f"`{function.name}` of another module is given a function", "write both in one module")
    given = any(argument.is_graph for argument in arguments)
    # What a function inside another one sees of that is found out by reading it.
    inner = any(item in evaluator.nested for item in (function, *builders))
    if not given and not inner and not any(mentions_graph(evaluator, item) for item in (function, *builders)):
        if not _only_computes(evaluator, call, function, receiver):
            evaluator.note_impure(call)
        return PYTHON
    if function in evaluator.active or len(evaluator.active) > 20:
        raise Refused(call, f"`{function.name}` calls itself", "write the recursion as a loop")
    if function.decorator_list:
        raise Refused(call, f"`{function.name}` is decorated", "call the plain function")
    home = abroad.get(function)
    names = evaluator.names if home is None else home.names
    if not evaluator.imports.builders.takes(names, call, function, arguments):
        return _interpreted(evaluator, call, function, arguments, receiver)
    try:
        with evaluator.aside() as (reads, _):
            value = _interpreted(evaluator, call, function, arguments, receiver)
    except Feeding:
        raise
    except Refused:
        return evaluator.imports.builders.given(names, function, arguments)
    evaluator.note_reads(reads)
    return value


def _held(values: Iterable[Value]) -> Iterator[ast.FunctionDef]:
    """The functions among values, the methods of objects that build, and the functions that these keep."""
    for value in flatten(values):
        yield from [] if value.function is None else [value.function]
        yield from [] if value.builds is None else value.builds.methods.values()
        yield from _held(kept for _, kept in value.keeps)


def _interpreted(
    evaluator: Evaluator,
    call: ast.Call,
    function: ast.FunctionDef,
    arguments: Sequence[Value],
    receiver: Value | None,
) -> Value:
    """What the statements of a function give."""
    frame = _bind(evaluator, call, function, receiver)
    with evaluator.inside(call):
        if function not in evaluator.imports.homes:
            value = body_of(evaluator, frame, function)
        else:
            with apart(evaluator, call, function):
                value = body_of(evaluator, frame, function)
            require_tensors(call, value, arguments)
    grown = any(isinstance(inner, ast.AugAssign) for inner in ast.walk(function))
    if not grown and all(part.is_graph for part in flatten([value])):
        # What it was given is neither changed, where such a body may change what is its own only, nor handed back.
        evaluator.built.add(call)
    return value


def read_handed(evaluator: Evaluator, call: ast.Call, given: Iterable[ast.expr | ast.keyword]) -> None:
    """Reads the functions that layers are given: they call them, so what these read and do is the layers' own doing."""
    for item in given:
        word, node = (item.arg, item.value) if isinstance(item, ast.keyword) else (None, item)
        for value in flatten([evaluator.value(node)]):
            function = value.function or _plain_lambda(evaluator, node)
            if function is None and value == PYTHON and evaluator.names.resolve(node) is None:
                _require_none_kept(evaluator, node)
            if function is not None:
                _read_handed(evaluator, call, function, initial=bool(word and word.endswith("initializer")))


def _require_none_kept(evaluator: Evaluator, node: ast.expr) -> None:
    """Refuses what may be any function that the script keeps, where one of these reads a name that changes."""
    module = evaluator.module
    if isinstance(node, ast.Constant):
        return
    for function in (item for item in module.tree.body if isinstance(item, ast.FunctionDef)):
        loads = module.loads.get(function.name, [])
        kept = any(getattr(module.parents.get(load), "func", None) is not load for load in loads)
        seen = (key for key, _ in _seen_by(evaluator, function, {function}))
        if kept and any(_changes(evaluator, key) for key in seen):
            what = f"`{function.name}`, which the script keeps, may be given to a layer, and what it reads changes"
            raise Refused(node, what, "give the layer the function by its name")


def _plain_lambda(evaluator: Evaluator, node: ast.expr) -> ast.FunctionDef | None:
    """The function of the lambda that a name of the script means, where nothing of TensorFlow stands in it."""
    binding = evaluator.env.get(node.id) if isinstance(node, ast.Name) else None
    made = None if binding is None or binding.node is None else evaluator.module.parents.get(binding.node)
    return as_function(made.value) if isinstance(made, ast.Assign) and isinstance(made.value, ast.Lambda) else None


def _read_handed(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef, *, initial: bool) -> None:
    if function in (*evaluator.active, *evaluator.closed) or function.decorator_list:
        raise Refused(
            call, f"what `{function.name}` does, which a layer is given, is not known", "call it on the output"
        )
    given = function.args
    frame = Locals({inner.arg: PYTHON for inner in ast.walk(given) if isinstance(inner, ast.arg)})
    required = given.args[: len(given.args) - len(given.defaults)]
    frame.update(dict.fromkeys((item.arg for item in required), PYTHON if initial else TENSOR))
    with evaluator.inside(call):
        if function not in evaluator.imports.homes:
            body_of(evaluator, frame, function)
            return
        with apart(evaluator, call, function):
            body_of(evaluator, frame, function)


def _only_computes(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef, receiver: Value | None) -> bool:
    """Whether a function computes a Python value of its arguments and does nothing else."""
    if function in evaluator.active or len(evaluator.active) > 20 or function.decorator_list:
        return False
    try:
        with evaluator.aside() as (reads, impure):
            body_of(evaluator, _bind(evaluator, call, function, receiver), function)
    except Refused:
        return False
    if not impure and function not in evaluator.imports.homes:
        evaluator.note_reads(reads)
    return not impure


def function_of_lambda(evaluator: Evaluator, node: ast.Lambda) -> ast.FunctionDef | None:
    """The function that `f = lambda x: tf.nn.relu(x)` defines, which no name but `f` means; None for other lambdas."""
    if any(inner in evaluator.sites for inner in ast.walk(node) if isinstance(inner, ast.Call)):
        raise Refused(node, "the session runs inside a lambda", "write it as a function")
    around = evaluator.module.parents.get(node)
    if not isinstance(around, ast.Assign) or len(around.targets) > 1 or not isinstance(around.targets[0], ast.Name):
        return None
    function = as_function(node)
    defaults = [*node.args.defaults, *(item for item in node.args.kw_defaults if item is not None)]
    if not all(isinstance(item, ast.Constant) for item in defaults) or not mentions_graph(evaluator, function):
        return None
    if evaluator.frames:
        evaluator.nested[function] = tuple(evaluator.visible())
    return function


def named(evaluator: Evaluator, node: ast.Name, value: Value, function: ast.FunctionDef) -> Value:
    """The value of the name of a function: whoever is given the function sees the names that it reads."""
    around = evaluator.module.parents.get(node)
    if (isinstance(around, ast.Call) and around.func is node) or function in evaluator.closed:
        return value
    for key, binding in _seen_by(evaluator, function, {function}):
        known = binding.value.stage is Stage.VARIABLE and _is_given(evaluator, around)
        if binding.value.is_graph and not known:
            what = f"`{node.id}`, which reads `{key}`, a part of the graph, is passed on"
            raise Refused(node, what, f"pass `{key}` to it as an argument, or call it")
        if not _is_given(evaluator, around) and _changes(evaluator, key) and mentions_graph(evaluator, function):
            what = f"`{node.id}`, which reads `{key}`, is kept, and `{key}` gets another value"
            raise Refused(node, what, "give each value a name of its own")
        evaluator.note_seen(key, binding)
    return value


def _changes(evaluator: Evaluator, name: str) -> bool:
    """Whether a name of the script is bound several times, or by a function."""
    return len(evaluator.module.root.bindings.get(name, [])) > 1 or name in evaluator.module.bound_globally


def _is_given(evaluator: Evaluator, around: ast.AST | None) -> bool:
    """Whether what stands here is an argument of a call that builds, and not something that Python keeps."""
    call = evaluator.module.parents.get(around) if isinstance(around, ast.keyword) else around
    if not isinstance(call, ast.Call):
        return False
    own = isinstance(call.func, ast.Name) and evaluator.lookup(call.func).function is not None
    return own or evaluator.names.resolve(call.func) is not None


def _seen_by(
    evaluator: Evaluator, function: ast.FunctionDef, known: set[ast.FunctionDef]
) -> Iterator[tuple[str, Binding]]:
    """What a function of the script reads by names of the script, itself or by others that it names."""
    inner = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    own = {node.id for node in inner if isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    own.update(*evaluator.nested.get(function, ()))
    for name in dict.fromkeys(node.id for node in inner if node.id not in own):
        binding = evaluator.env.get(name)
        other = None if binding is None else binding.value.function
        if binding is not None:
            yield name, binding
        if other is not None and other not in known:
            known.add(other)
            yield from _seen_by(evaluator, other, known)


def as_function(node: ast.Lambda) -> ast.FunctionDef:
    """A lambda as the function that it stands for."""
    returned = ast.copy_location(ast.Return(node.body), node)
    return ast.copy_location(ast.FunctionDef("<lambda>", node.args, [returned], [], None, None), node)


def body_of(evaluator: Evaluator, frame: dict[str, Value], function: ast.FunctionDef) -> Value:
    """What a function returns whose parameters have these values."""
    depth = len(evaluator.frames)
    if function in evaluator.nested:
        evaluator.frames += reversed(evaluator.nested[function])
        frame = dict(frame)
    evaluator.frames.append(frame)
    evaluator.active.append(function)
    try:
        with evaluator.imports.at_home(evaluator, function):
            return FunctionBody(evaluator, frame, function).result(function.body)
    finally:
        del evaluator.frames[depth:]
        evaluator.active.pop()


def mentions_graph(evaluator: Evaluator, function: ast.stmt, seen: frozenset[ast.stmt] = frozenset()) -> bool:
    """Whether the body of a function or class may reach a part of the graph, itself or by functions that it names.

    What TensorFlow has beside graphs (flags, files, logging) is none of it.
    """
    with evaluator.imports.at_home(evaluator, function):
        return _mentions_graph(evaluator, function, seen | {function})


def _mentions_graph(evaluator: Evaluator, function: ast.stmt, seen: frozenset[ast.stmt]) -> bool:
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
        if other is None and isinstance(inner, ast.Name | ast.Attribute) and isinstance(inner.ctx, ast.Load):
            other = evaluator.imports.function(evaluator.names, inner)
        if binding is not None and (binding.value.is_graph or binding.value.builds is not None):
            return True
        if isinstance(inner, ast.Call) and evaluator.imports.layer_class(evaluator.names, inner.func) is not None:
            return True
        if other is not None and other not in seen and mentions_graph(evaluator, other, seen):
            return True
    return False


def _is_of_graphs(evaluator: Evaluator, node: ast.Name | ast.Attribute) -> bool:
    """Whether a name means something of TensorFlow, other than the part before a dot of a longer one."""
    symbol = evaluator.names.resolve(node)
    if symbol is None or purity.is_plain_call(symbol):
        return False
    if any(inner in evaluator.sites for inner in ast.walk(node) if isinstance(inner, ast.Call)):
        raise Refused(node, "the session runs inside a lambda", "write it as a function")
    around = evaluator.module.parents.get(node)
    if isinstance(around, ast.Attribute) and around.value is node:
        return evaluator.names.resolve(around) is None
    return True


def _bind(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef, receiver: Value | None) -> Locals:
    given = function.args
    if given.vararg or given.kwarg or given.posonlyargs:
        raise Refused(call, f"`{function.name}` takes any number of arguments", "name its parameters")
    if any(isinstance(item, ast.Starred) for item in call.args) or any(word.arg is None for word in call.keywords):
        raise Refused(call, f"`{function.name}` is called with unpacked arguments", "spell the arguments out")
    parameters = [argument.arg for argument in (*given.args, *given.kwonlyargs)]
    # Defaults were evaluated when the function was defined.
    frame = Locals(dict.fromkeys(parameters, PYTHON))
    owner = evaluator.methods.get(function)
    if owner is not None or receiver is not None:
        frame[parameters.pop(0)] = receiver or Value(Stage.PYTHON, owner=owner)
    defaults = zip(reversed(given.args), reversed(given.defaults), strict=False)
    named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    for argument, default in (*defaults, *named):
        if function in evaluator.imports.homes:
            frame[argument.arg] = _default(evaluator, call, function, default)
        elif isinstance(default, ast.Constant):
            frame[argument.arg] = evaluator.value(default)
        elif default in evaluator.defaults:
            frame[argument.arg], reads = evaluator.defaults[default]
            evaluator.note_reads(reads)
    frame.update(zip(parameters, (evaluator.value(item) for item in call.args), strict=False))
    frame.update({word.arg: evaluator.value(word.value) for word in call.keywords if word.arg})
    return frame


def _default(evaluator: Evaluator, call: ast.Call, function: ast.FunctionDef, default: ast.expr | None) -> Value:
    """A default that another module gives to a parameter of its function."""
    if default is None:
        return PYTHON
    evaluator.frames.append(Locals())
    try:
        with apart(evaluator, call, function), evaluator.imports.at_home(evaluator, function):
            value = evaluator.value(default)
    finally:
        evaluator.frames.pop()
    if any(part.is_graph for part in flatten([value])):
        raise Refused(call, f"a default of `{function.name}` is a part of the graph", "give the argument in the call")
    return value
