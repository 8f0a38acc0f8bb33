"""Towers in their plain form: a loop over devices that builds one model on each, gradients averaged, one training step.

What is read here is the whole graph of a script. Whatever is not of the form is refused, with its place and reason.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tf_migrate.names.canonical import Names
from tf_migrate.names.sessions import GLOBAL_INITIALIZERS
from tf_migrate.stages.averaging import averages
from tf_migrate.stages.towers.devices import computing_device
from tf_migrate.stages.towers.sharing import Flag, Sharing
from tf_migrate.stages.towers.symbols import COUNTERS, OPTIMIZERS, RATES
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

LEFT = "leave it to the bridge, or write the step by hand (docs/distribution.md)"
_SESSION = "tf.Session"


@dataclass
class Towers:
    """A script of towers, as far as it was read.

    `whole` is the loop, or the variable scope around it that ends what the loop says of reuse.
    `body` are the statements of one tower, in `scopes`; `moved` those before the loop that each tower needs for itself,
    `dropped` those of which nothing stays. `lists` are filled by the loop: the name of what each turn puts there.
    """

    loop: ast.For
    whole: ast.For | ast.With
    block: list[ast.stmt]
    count: ast.expr
    device: ast.expr
    scopes: list[ast.withitem] = field(default_factory=list)
    body: list[ast.stmt] = field(default_factory=list)
    placeholders: dict[str, ast.Call] = field(default_factory=dict)
    moved: list[ast.Assign] = field(default_factory=list)
    dropped: list[ast.stmt] = field(default_factory=list)
    lists: dict[str, str] = field(default_factory=dict)
    appends: list[ast.stmt] = field(default_factory=list)
    gradients: str = ""
    take: ast.Call | None = None
    averaged: set[str] = field(default_factory=set)
    apply: ast.Call | None = None
    train: str = ""
    initializers: set[str] = field(default_factory=set)
    session: ast.With | ast.Assign | None = None
    holder: str = ""
    """The name of the session."""
    graph: ast.With | None = None
    """The block that made a graph for all this, and said where it lies beside the towers."""
    flag: Flag | None = None
    """What tells the functions of each turn whether the variables are there."""

    @property
    def names(self) -> set[str]:
        """The names that nothing but the form may use."""
        held = {self.train, *self.placeholders, *self.lists, *self.averaged, *self.initializers}
        held.update(_target(statement) for statement in self.moved)
        held.update(stored_in([self.loop]))
        return held - {"", "_"}

    @property
    def in_session(self) -> list[ast.stmt]:
        """The statements in which the session is open."""
        assert self.session is not None
        return self.session.body if isinstance(self.session, ast.With) else self.block[self.block.index(self.session) :]

    @property
    def loss(self) -> str:
        """The name of what the gradients are taken of."""
        assert self.take is not None and isinstance(self.take.args[0], ast.Name)
        return self.take.args[0].id


def tower_loops(module: Module, symbol_of: Callable[[ast.expr], str | None]) -> Iterator[ast.For]:
    """Loops around `with tf.device(...)` whose device changes from turn to turn and that take gradients."""
    told: set[ast.AST] = set()
    for call in module.calls:
        if symbol_of(call.func) != "tf.device" or not call.args:
            continue
        loop = _loop_of(module, call)
        if loop is not None and loop not in told and _takes_gradients(loop, symbol_of):
            told.add(loop)
            yield loop


def _loop_of(module: Module, call: ast.Call) -> ast.For | None:
    """The innermost loop whose variable the device is computed from."""
    names = {node.id for node in ast.walk(call.args[0]) if isinstance(node, ast.Name)}
    for place in module.around(call):
        if isinstance(place, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            break
        if isinstance(place, ast.For):
            targets = {each.id for each in ast.walk(place.target) if isinstance(each, ast.Name)}
            if targets & names:
                return place
    return None


def _takes_gradients(loop: ast.For, symbol_of: Callable[[ast.expr], str | None]) -> bool:
    for node in ast.walk(loop):
        if isinstance(node, ast.Call):
            if symbol_of(node.func) == "tf.gradients":
                return True
            if isinstance(node.func, ast.Attribute) and node.func.attr == "compute_gradients":
                return True
    return False


def read_towers(module: Module, names: Names, loop: ast.For) -> Towers:
    """Reads the script around a loop of towers, but for its runs; raises Refused where it is not of the form."""
    reader = _Reader(module, names, loop)
    for statement in reader.towers.block:
        reader.statement(statement)
    return reader.finished()


def stored_in(statements: list[ast.stmt]) -> set[str]:
    """The names that statements bind."""
    nodes = (node for statement in statements for node in ast.walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


class _Reader:
    """Reads the statements of the block that holds the loop, in their order."""

    def __init__(self, module: Module, names: Names, loop: ast.For) -> None:
        self.module = module
        self.names = names
        local = module.scope_of(loop.target).bindings if module.function_of(loop) is not None else {}
        self.functions = {
            node.name: node
            for node in module.tree.body
            if isinstance(node, ast.FunctionDef)
            and len(module.root.bindings[node.name]) == 1
            and node.name not in local
        }
        self.sharing = Sharing(module, names.resolve, self.functions)
        whole = self._around(loop)
        parent, graph = module.parents[whole], None
        if isinstance(parent, ast.With) and all(map(self._is_graphs, parent.items)):
            graph, parent = parent, module.parents[parent]
        block = parent.body if isinstance(parent, ast.Module | ast.FunctionDef) else []
        block = block if graph is None or graph not in block else graph.body
        if whole not in block:
            raise Refused(loop, "the loop stands in another block", LEFT)
        match loop:
            case ast.For(
                target=ast.Name(), iter=ast.Call(func=ast.Name(id="range"), args=[count], keywords=[]), orelse=[]
            ):
                self.towers = Towers(loop, whole, block, count, ast.Constant(None), graph=graph)
            case _:
                raise Refused(loop, "it does not count its turns by `range`", LEFT)
        if isinstance(whole, ast.With):
            self.towers.scopes += whole.items

    def _around(self, loop: ast.For) -> ast.For | ast.With:
        around = self.module.parents[loop]
        if not isinstance(around, ast.With) or around.body != [loop] or len(around.items) != 1:
            return loop
        call = self.sharing.scope(around.items[0])
        return around if call is not None and self.sharing.is_handed_on(call) else loop

    def _is_graphs(self, item: ast.withitem) -> bool:
        match item:
            case ast.withitem(
                context_expr=ast.Call(func=ast.Attribute(value=ast.Call(func=made, args=[]), attr="as_default")),
                optional_vars=None,
            ):
                return self.names.resolve(made) == "tf.Graph"
            case ast.withitem(context_expr=ast.Call(func=func, args=[ast.Constant(value=str())]), optional_vars=None):
                return self.names.resolve(func) == "tf.device"
        return False

    def finished(self) -> Towers:
        towers = self.towers
        if towers.take is None or towers.apply is None or not towers.placeholders or towers.session is None:
            raise Refused(towers.loop, "placeholders, one training step and a session are not all there", LEFT)
        return towers

    def statement(self, node: ast.stmt) -> None:
        if node is self.towers.whole:
            self._loop(self.towers.loop.body)
            return
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])) if self.towers.take is None:
                if any(name == held for held in self._filled()):
                    self.towers.dropped.append(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                self._made(node, name, call)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as call, optional_vars=ast.Name(id=name))]):
                if self.names.resolve(call.func) == _SESSION:
                    self._session(node, name, call)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="close"), args=[])):
                if name == self.towers.holder and node is self.towers.block[-1]:
                    self.towers.dropped.append(node)

    def _made(self, node: ast.Assign, name: str, call: ast.Call) -> None:
        towers, symbol = self.towers, self.names.resolve(call.func)
        if symbol == "tf.placeholder":
            towers.placeholders[name] = call
            towers.dropped.append(node)
        elif symbol == _SESSION:
            self._session(node, name, call)
            towers.dropped.append(node)
        elif symbol in GLOBAL_INITIALIZERS:
            towers.initializers.add(name)
            towers.dropped.append(node)
        elif symbol is not None and symbol in COUNTERS | OPTIMIZERS | RATES and towers.take is None:
            towers.moved.append(node)
        elif self._averages(call):
            towers.averaged.add(name)
            towers.dropped.append(node)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "apply_gradients":
            self._apply(node, name, call)

    def _apply(self, node: ast.Assign, name: str, call: ast.Call) -> None:
        towers = self.towers
        pairs = call.args[0] if call.args else None
        named = isinstance(pairs, ast.Name) and pairs.id in towers.averaged
        mean = named or (isinstance(pairs, ast.Call) and self._averages(pairs))
        if towers.apply is not None or not mean:
            raise Refused(node, "what is applied is not known to be the mean of the towers' gradients", LEFT)
        towers.apply, towers.train = call, name
        towers.dropped.append(node)

    def _averages(self, call: ast.Call) -> bool:
        """Whether a call takes the mean over the list of the towers' gradients."""
        function = self.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if function is None or not averages(function, self.names.resolve) or len(call.args) != 1 or call.keywords:
            return False
        given = call.args[0]
        if not isinstance(given, ast.Name) or not self.towers.lists.get(given.id) == self.towers.gradients != "":
            return False
        if len(self.module.loads[function.name]) == 1:
            self.towers.dropped.append(function)
        return True

    def _filled(self) -> Iterator[str]:
        for node in ast.walk(self.towers.loop):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
                    yield name

    def _session(self, node: ast.With | ast.Assign, name: str, call: ast.Call) -> None:
        if self.towers.session is not None or call.args:
            raise Refused(node, "there are several sessions, or one of a graph of its own", LEFT)
        for word in call.keywords:
            if word.arg != "config" or not self._is_soft(word.value):
                raise Refused(word.value, "the session has options beside soft placement", LEFT)
        self.towers.session, self.towers.holder = node, name

    def _is_soft(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Call) or self.names.resolve(node.func) != "tf.ConfigProto":
            return False
        return not node.args and {word.arg for word in node.keywords} <= {"allow_soft_placement"}

    def _loop(self, body: list[ast.stmt]) -> None:
        towers = self.towers
        while len(body) == 1 and isinstance(body[0], ast.With):
            for item in body[0].items:
                self._item(item)
            body = body[0].body
        if isinstance(towers.device, ast.Constant):
            raise Refused(towers.loop, "its body is not one block on a device", LEFT)
        towers.body = body
        for node in body:
            self._tower_statement(node)
        self._optimizer()
        if towers.take is None:
            raise Refused(towers.loop, "each turn does not take the gradients of one loss by `compute_gradients`", LEFT)
        if not self._shares():
            raise Refused(towers.loop, "that the towers share their variables does not show in the loop", LEFT)

    def _optimizer(self) -> None:
        """Refuses an optimizer that each turn makes in another way: the last one's is applied."""
        for node in (node for node in ast.walk(self.towers.loop) if isinstance(node, ast.Call)):
            if self.names.resolve(node.func) not in OPTIMIZERS:
                continue
            statement = self.module.statement_of(node)
            whole = isinstance(statement, ast.Assign) and statement.value is node and statement in self.towers.body
            read = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            if not whole or read & (stored_in([self.towers.loop]) | self.towers.placeholders.keys()):
                raise Refused(node, "an optimizer is made of what a tower computes, or inside another statement", LEFT)

    def _shares(self) -> bool:
        """Whether all towers but the first reuse variables, so that TF1 made no further ones."""
        towers, loop = self.towers, self.towers.loop
        assert isinstance(loop.target, ast.Name)
        around = isinstance(towers.whole, ast.With)
        if self.sharing.by_scopes(towers.scopes, towers.body, loop.target.id, around=around):
            return True
        found = self.sharing.flag(towers.block[: towers.block.index(towers.whole)], towers.body)
        if found is None or not self.sharing.by_functions(towers.scopes, towers.body, found):
            return False
        towers.flag = found
        towers.dropped.append(found.first)
        return True

    def _item(self, item: ast.withitem) -> None:
        call = item.context_expr
        if not isinstance(call, ast.Call) or self.names.resolve(call.func) != "tf.device":
            self.towers.scopes.append(item)
            return
        match call.args:
            case [device] if _is_text(device):
                self.towers.device = device
            case [ast.Call(func=ast.Name(id=name)) as chosen] if name in self.functions:
                self.towers.device = self._chosen(chosen, self.functions[name])
            case _:
                raise Refused(call, "a function chooses the devices", LEFT)

    def _chosen(self, call: ast.Call, function: ast.FunctionDef) -> ast.expr:
        """The device that a function of the script chooses for what is no variable."""
        lists: list[ast.Assign] = []

        def listed(name: ast.Name) -> ast.expr | None:
            found = [
                node for node in self.module.tree.body if isinstance(node, ast.Assign) and name.id in stored_in([node])
            ]
            bound = len(self.module.root.bindings.get(name.id, []))
            once = len(found) == bound == 1 and len(found[0].targets) == 1
            lists.extend(found if once else [])
            return found[0].value if once else None

        device = computing_device(call, function, self.names.resolve, listed)
        if device is None or not _is_text(device):
            raise Refused(call, "a function chooses the devices", LEFT)
        if len(self.module.loads[function.name]) == 1:
            unread = [node for node in lists if self._is_read_in(node, function)]
            self.towers.dropped += [*unread, function]
        return device

    def _is_read_in(self, node: ast.Assign, function: ast.FunctionDef) -> bool:
        """Whether nothing but a function reads what a statement binds."""
        inside = set(ast.walk(function))
        return all(load in inside for load in self.module.loads.get(_target(node), []))

    def _tower_statement(self, node: ast.stmt) -> None:
        towers = self.towers
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(attr="compute_gradients"), args=[ast.Name()], keywords=[]) as call,
            ):
                if towers.take is not None:
                    raise Refused(node, "each turn takes gradients more than once", LEFT)
                towers.take, towers.gradients = call, name
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=held), attr="append"), args=[ast.Name(id=put)], keywords=[]
                )
            ):
                if held in towers.lists:
                    raise Refused(node, f"`{held}` gets more than one element in each turn", LEFT)
                towers.lists[held] = put
                towers.appends.append(node)


def _is_text(device: ast.expr) -> bool:
    """Whether a device is a text with the number of the turn in it."""
    match device:
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()) | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
    return False


def _target(statement: ast.Assign) -> str:
    (target,) = statement.targets
    assert isinstance(target, ast.Name)
    return target.id
