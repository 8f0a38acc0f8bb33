"""What runs are fed: dictionaries of placeholders, written into the call, bound to a name, or filled step by step.

Natively there is no dictionary: each value becomes an argument where the run stood, if it is there what it was where
it was written. Where that is not sure, the dictionary stays, with the names of its placeholders for keys.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from tf_migrate.stages import purity
from tf_migrate.stages.fed_numbers import require_fitting
from tf_migrate.stages.values import ZERO_STATE, Feeding, Refused, Stage, Value, flatten
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_AT_ONCE = ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom | ast.Lambda
_WHERE_FED = "write the dictionary where it is fed"
_INTO_THE_CALL = "write the dictionary into the call"


def dictionary(evaluator: Evaluator, node: ast.Dict, keys: list[Value | None], values: list[Value]) -> Value:
    """The value of a dictionary whose keys are placeholders; a function's own names would be others where it is fed."""
    if evaluator.active:
        raise Feeding(node, f"`{evaluator.active[-1].name}` makes what is fed", _WHERE_FED)
    for key, source in zip(keys, node.keys, strict=True):
        if key is None or source is None or not (key.stage is Stage.PLACEHOLDER or _is_computed(evaluator, source)):
            raise Refused(source or node, "something other than a placeholder is fed", "feed placeholders only")
    if any(value.is_graph for value in flatten(values)):
        raise Refused(node, "a part of the graph is fed", "feed a NumPy value")
    for key, given in zip(keys, node.values, strict=True):
        require_fitting(evaluator, key or Value(Stage.PYTHON), given)
    bindings = tuple(_binding(evaluator, value) for value in node.values)
    return Value(Stage.FEED, keys=bindings, node=node)


def unknown(evaluator: Evaluator, node: ast.expr) -> Refused:
    """Why it is not known what a run is fed: a function made it, say."""
    binding = evaluator.env.get(evaluator.key_of(node) or "")
    statement = None if binding is None or binding.node is None else evaluator.module.statement_of(binding.node)
    made = statement.value if isinstance(statement, ast.Assign) else node
    name = made.func.id if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) else ""
    if any(function.name == name for function in evaluator.module.functions if isinstance(function, ast.FunctionDef)):
        return Refused(node, f"`{name}` makes what is fed", _WHERE_FED)
    return Refused(node, "what is fed is not known here", "write the feed dictionary into the call")


def _is_computed(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether an expression is the name of one tensor that the straight line computes, or of a cell's first state."""
    binding = evaluator.env.get(evaluator.key_of(node) or "")
    if binding is None or binding.depth or binding.value.stage is not Stage.TENSOR:
        return False
    value = binding.value
    return (value.parts is None and not value.several) or value.symbol == ZERO_STATE.symbol


def filled(evaluator: Evaluator, node: ast.Assign | ast.For) -> tuple[ast.Name, Value] | None:
    """The name and the value of a dictionary behind `feed[x] = value`; None where a statement does something else.

    A loop fills it that feeds the parts of a cell's first state with those of another: `feed[state] = other`.
    """
    step = _with_state(evaluator, node) if isinstance(node, ast.For) else _with_one(node)
    if step is None:
        return None
    name, target, source = step
    made = evaluator.env.get(name.id)
    begun = None if made is None or made.node is None else evaluator.module.parents.get(made.node)
    if made is None or not isinstance(begun, ast.stmt) or not _only_fills(evaluator, name):
        return None
    before = made.value.node if made.value.stage is Stage.FEED else _empty(evaluator, begun)
    if not isinstance(before, ast.Dict) or _block(evaluator.module, begun) is not _block(evaluator.module, node):
        return None
    key = evaluator.value(target)
    if not (key.stage is Stage.PLACEHOLDER and key.parts is None) and not _is_computed(evaluator, target):
        return None
    if any(value.is_graph for value in flatten([evaluator.value(source)])):
        raise Refused(node, "a part of the graph is fed", "feed a NumPy value")
    require_fitting(evaluator, key, source)
    kept = [
        place
        for place, other in enumerate(before.keys)
        if other is not None and _meant(evaluator, other) is not _meant(evaluator, target)
    ]
    bindings = (*((made.value.keys or ())[place] for place in kept), _binding(evaluator, source))
    keys = [*(before.keys[place] for place in kept), target]
    values = [*(before.values[place] for place in kept), source]
    whole = ast.copy_location(ast.Dict(keys=keys, values=values), node)
    evaluator.fillings[whole] = (*evaluator.fillings.get(before, (begun,)), node)
    return name, Value(Stage.FEED, keys=bindings, node=whole)


def _with_one(node: ast.Assign) -> tuple[ast.Name, ast.expr, ast.expr] | None:
    """The dictionary, the key and the value of `feed[x] = value`."""
    target = node.targets[0]
    if len(node.targets) > 1 or not (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)):
        return None
    return target.value, target.slice, node.value


def _with_state(evaluator: Evaluator, node: ast.For) -> tuple[ast.Name, ast.expr, ast.expr] | None:
    """The dictionary, the state and the one that is fed in its place, part by part, in a loop over cells of LSTMs.

    `for i, (c, h) in enumerate(state): feed[c] = other[i].c; feed[h] = other[i].h`
    """
    match node:
        case ast.For(
            target=ast.Tuple([ast.Name(count), ast.Tuple([ast.Name(c), ast.Name(h)])]),
            iter=ast.Call(ast.Name("enumerate"), [state], []),
            body=[ast.Assign() as first, ast.Assign() as second],
            orelse=[],
        ) if "enumerate" not in evaluator.module.root.bindings and len({count, c, h}) == 3:
            steps = [_with_one(first), _with_one(second)]
        case _:
            return None
    parts: dict[str, tuple[ast.Name, ast.expr]] = {}
    for step in steps:
        match step:
            case (
                ast.Name() as name,
                ast.Name(key),
                ast.Attribute(ast.Subscript(ast.Name() as other, ast.Name(index)), word),
            ) if index == count and {"c": c, "h": h}.get(word) == key:
                parts[word] = name, other
    if len(parts) != 2 or len({(name.id, ast.unparse(other)) for name, other in parts.values()}) != 1:
        return None
    name, given = parts["c"]
    bound = {count, c, h}
    if bound & {name.id, ast.unparse(given), ast.unparse(state)} or _are_read(evaluator, node, bound):
        return None
    return name, state, given


def _are_read(evaluator: Evaluator, node: ast.For, names: Collection[str]) -> bool:
    """Whether names that a loop binds are read elsewhere than in loops that bind them."""
    module = evaluator.module
    target = next(inner for inner in ast.walk(node.target) if isinstance(inner, ast.Name))
    for load in (load for name in names for load in module.loads.get(name, [])):
        loops = [loop.target for loop in module.around(load) if isinstance(loop, ast.For)]
        again = any(isinstance(inner, ast.Name) and inner.id == load.id for loop in loops for inner in ast.walk(loop))
        if not again and module.binding_scope(load) is module.binding_scope(target):
            return True
    return False


def _meant(evaluator: Evaluator, key: ast.expr) -> object:
    """What a key of a dictionary stands for: the call that made a placeholder, or the binding of a name."""
    return evaluator.value(key).node or evaluator.env.get(evaluator.key_of(key) or "")


def has_to_stay(evaluator: Evaluator, node: ast.expr, call: ast.Call, fed: Value) -> bool:
    """Whether the values of a dictionary with a name may be others by the time of the run; refuses one that must go."""
    assert isinstance(fed.node, ast.Dict)
    statements = evaluator.fillings.get(fed.node)
    if statements is None:
        statements = (evaluator.module.statement_of(fed.node),)
    if _is_right_before(evaluator, node, call, statements):
        return False
    home = evaluator.module.function_of(statements[0])
    for value, binding in zip(fed.node.values, fed.keys or (), strict=True):
        if _is_same_each_time(evaluator.module, value):
            continue
        same = isinstance(value, ast.Name) and binding is not None and evaluator.env.get(value.id) is binding
        if not same or (evaluator.running and home is not evaluator.running[-1]):
            if _may_stay(evaluator, node, fed.node):
                evaluator.staying.add(fed.node)
                return True
            what = f"`{ast.unparse(value)}` in the feed dictionary may have changed"
            raise Refused(node, what, _INTO_THE_CALL)
    return False


def _may_stay(evaluator: Evaluator, node: ast.expr, fed: ast.Dict) -> bool:
    """Whether a dictionary is made in one statement, and its name means nothing else and is only fed."""
    module = evaluator.module
    made = module.parents.get(fed)
    if evaluator.given is not None or not isinstance(node, ast.Name) or fed in evaluator.fillings:
        return False
    if not (isinstance(made, ast.Assign) and len(made.targets) == 1 and isinstance(made.targets[0], ast.Name)):
        return False
    scope = module.binding_scope(node)
    alone = scope is not None and len(scope.bindings[node.id]) == 1 and node.id not in module.bound_globally
    plain = all(isinstance(key, ast.Name | ast.Attribute) for key in fed.keys)
    runs = any(part in evaluator.sites for part in ast.walk(fed) if isinstance(part, ast.Call))
    labels = [label(key) for key in fed.keys if key is not None]
    fits = plain and not runs and len(set(labels)) == len(fed.keys)
    return alone and fits and all(_is_fed(evaluator, load) for load in _uses(module, node))


def label(key: ast.expr) -> str:
    """The key, in a dictionary that stays, of what is fed to a placeholder."""
    return ast.unparse(key).rpartition(".")[2]


def _is_same_each_time(module: Module, value: ast.expr) -> bool:
    """Whether an expression needs nothing of the program, and gives equal values wherever it stands: `np.ones(3)`."""
    names = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
    calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
    known = {node for call in calls for node in ast.walk(call.func)}
    odd = any(isinstance(node, _AT_ONCE) for node in ast.walk(value))
    return not odd and known.issuperset(names) and all(purity.is_pure_call(call, module) for call in calls)


def _is_right_before(evaluator: Evaluator, node: ast.expr, call: ast.Call, statements: tuple[ast.stmt, ...]) -> bool:
    """Whether a dictionary is made for one run, in the statements right before it: nothing happens in between."""
    module = evaluator.module
    run = module.statement_of(call)
    plain = isinstance(run, ast.Assign | ast.Expr | ast.Return) and run.value is call
    if not plain or not isinstance(node, ast.Name) or len(list(_other_uses(module, node, statements))) != 1:
        return False
    inner = [part for statement in statements for part in ast.walk(statement)]
    if any(isinstance(part, _AT_ONCE) or part in evaluator.sites for part in inner):
        return False
    block = _block(module, run)
    place = next(index for index, statement in enumerate(block) if statement is run)
    return len(statements) <= place and all(
        one is other for one, other in zip(block[place - len(statements) : place], statements, strict=True)
    )


def _binding(evaluator: Evaluator, value: ast.expr) -> object:
    return evaluator.env.get(value.id) if isinstance(value, ast.Name) else None


def _empty(evaluator: Evaluator, begun: ast.stmt) -> ast.Dict | None:
    """The dictionary that a statement begins with `feed = {}`."""
    made = begun.value if isinstance(begun, ast.Assign) and len(begun.targets) == 1 else None
    called = isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id == "dict"
    if called and isinstance(made, ast.Call) and not (made.args or made.keywords):
        plain = "dict" not in evaluator.module.root.bindings
        return ast.copy_location(ast.Dict(keys=[], values=[]), made) if plain else None
    return made if isinstance(made, ast.Dict) and not made.keys else None


def _only_fills(evaluator: Evaluator, name: ast.Name) -> bool:
    """Whether a dictionary is only filled and fed, by the one name that it has."""
    return all(_is_fed(evaluator, load) or _fills(evaluator.module, load) for load in _uses(evaluator.module, name))


def _fills(module: Module, load: ast.Name) -> bool:
    place = module.parents[load]
    statement = module.parents[place]
    return isinstance(place, ast.Subscript) and isinstance(statement, ast.Assign) and statement.targets == [place]


def _is_fed(evaluator: Evaluator, load: ast.Name) -> bool:
    parent = evaluator.module.parents[load]
    call = evaluator.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    return call in evaluator.sites


def _other_uses(module: Module, name: ast.Name, statements: tuple[ast.stmt, ...]) -> Iterator[ast.Name]:
    """The places that may read a dictionary, but for those that fill it, and those that see another of its name."""
    block = _block(module, statements[0])
    for load in _uses(module, name):
        around = {id(load), *map(id, module.around(load))}
        place = next((index for index, statement in enumerate(block) if id(statement) in around), 0)
        bound = [statement for statement in block[:place] if _binds(statement, name.id)]
        filling = any(id(statement) in around for statement in statements)
        if not filling and (not bound or bound[-1] is statements[0]):
            yield load


def _binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement does nothing but bind a name."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name


def _uses(module: Module, name: ast.Name) -> list[ast.Name]:
    """Where a name is read that means the same, in the functions inside of its own too."""
    home = module.function_of(name)
    return [load for load in module.loads.get(name.id, []) if home is None or home in module.around(load)]


def _block(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """The statements among which one stands."""
    parent = module.parents[statement]
    blocks = (value for _, value in ast.iter_fields(parent) if isinstance(value, list))
    return next(block for block in blocks if any(item is statement for item in block))
