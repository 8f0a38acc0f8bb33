"""The runs of a script of towers, and that nothing else of its graph is used."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import RunSite
from tf_migrate.names.sessions import GLOBAL_INITIALIZERS
from tf_migrate.stages import effects
from tf_migrate.stages.handing import is_formatted
from tf_migrate.stages.towers.purity import require_pure
from tf_migrate.stages.towers.reading import LEFT, Towers
from tf_migrate.stages.towers.symbols import OPTIMIZERS, STATISTICS, is_known
from tf_migrate.stages.towers.values import Part, parts_of, trained_by
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_ENDS = (ast.Return, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)
_SHARES_MEMORY = frozenset(
    f"tf.{name}" for name in ("get_variable", "identity", "reshape", "squeeze", "expand_dims", "stop_gradient")
)
_AT_ANY_TIME = ast.Name | ast.Constant
"""Values that are the same whatever else is computed first."""
_FOREIGN = frozenset({"numpy", "math", "functools"})


@dataclass(frozen=True)
class TowerRun:
    """A run of the training step: what it feeds, and what its statement keeps, of the last tower or of every one."""

    site: RunSite
    statement: ast.stmt
    feeds: tuple[ast.expr, ...]
    targets: tuple[ast.Name, ...] = ()
    every_tower: bool = False
    fetched: tuple[str, ...] = ()
    kept: tuple[int, ...] = ()
    """Where the values that are kept stood among the fetches."""


@dataclass(frozen=True)
class ValueRun:
    """A run of values of single towers without the training step; `targets` are the names that it is unpacked into."""

    site: RunSite
    statement: ast.stmt
    feeds: tuple[ast.expr, ...]
    fetched: tuple[str, ...]
    parts: tuple[Part, ...]
    targets: tuple[ast.Name, ...] = ()


@dataclass(frozen=True)
class Runs:
    """The runs of a script, in order: `result` are the values of a tower that a training step gives back.

    `trained` are the statements of a turn that it needs; None for all of them.
    """

    steps: tuple[TowerRun, ...]
    values: tuple[ValueRun, ...]
    result: tuple[str, ...]
    trained: tuple[ast.stmt, ...] | None


def read_runs(module: Module, names: Names, towers: Towers, sites: Sequence[RunSite]) -> Runs:
    """The runs of the training step, and those of values of single towers.

    Raises Refused where a run, or a use of the graph, is not of the form.
    """
    reader = _Runs(module, names, towers)
    found = [run for site in sites if (run := reader.read(site)) is not None]
    runs = [run for run in found if isinstance(run, TowerRun)]
    values = tuple(run for run in found if isinstance(run, ValueRun))
    fetched = {(run.fetched, run.every_tower) for run in runs if run.fetched}
    if not runs:
        raise Refused(towers.loop, "the training step is not run", LEFT)
    if len(fetched) > 1:
        raise Refused(towers.loop, "the runs do not all fetch the same values of the towers", LEFT)
    _require_closed(module, names, towers, reader)
    result, every = next(iter(fetched), ((towers.loss,), False))
    trained = trained_by(module, names, towers, result) if values else None
    return Runs(tuple(replace(run, every_tower=every) for run in runs), values, result, trained)


class _Runs:
    def __init__(self, module: Module, names: Names, towers: Towers) -> None:
        self.module, self.names, self.towers = module, names, towers
        self.calls: set[ast.AST] = set()
        self.initialized = False

    def read(self, site: RunSite) -> TowerRun | ValueRun | None:
        call, statement = site.node, self.module.statement_of(site.node)
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=self.towers.holder), attr="run"), args=[fetch, *rest]):
                pass
            case _:
                raise Refused(call, "this run is not `sess.run(fetches, feeds)` of the one session", LEFT)
        if not any(statement in ast.walk(node) for node in self.towers.in_session):
            raise Refused(call, "this run stands where the session is not open", LEFT)
        self.calls.add(call)
        if self._initializes(fetch):
            self._initialize(statement, call, rest)
            return None
        if not self.initialized:
            raise Refused(call, "the variables may have no values here", LEFT)
        feeds = self._feeds(call, rest)
        match fetch:
            case ast.Name(id=self.towers.train):
                if isinstance(statement, ast.Expr) and statement.value is call:
                    return TowerRun(site, statement, feeds)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                fetched = tuple(part.id if isinstance(part, ast.Name) else "" for part in parts)
                if self.towers.train in fetched:
                    return self._unpacked(site, statement, feeds, parts)
                return self._values_of(site, statement, feeds, fetched)
            case ast.Name(id=name) if not is_formatted(self.module, call):
                return ValueRun(site, statement, feeds, (name,), self._parts(site, (name,)))
        raise Refused(call, "this run is not of the training step, or of values of a tower", LEFT)

    def _parts(self, site: RunSite, wanted: tuple[str, ...]) -> tuple[Part, ...]:
        return parts_of(self.module, self.names, self.towers, wanted, site.node)

    def _values_of(
        self, site: RunSite, statement: ast.stmt, feeds: tuple[ast.expr, ...], fetched: tuple[str, ...]
    ) -> ValueRun:
        parts = self._parts(site, fetched)
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if value is site.node:
                names = tuple(target for target in targets if isinstance(target, ast.Name))
                if len(names) == len(targets) == len(set(fetched)) == len(fetched):
                    return ValueRun(site, statement, feeds, fetched, parts, names)
        raise Refused(site.node, "what this run gives is not unpacked into names", LEFT)

    def _initializes(self, fetch: ast.expr) -> bool:
        if isinstance(fetch, ast.Call):
            return self.names.resolve(fetch.func) in GLOBAL_INITIALIZERS
        return isinstance(fetch, ast.Name) and fetch.id in self.towers.initializers

    def _initialize(self, statement: ast.stmt, call: ast.Call, rest: list[ast.expr]) -> None:
        whole = isinstance(statement, ast.Expr) and statement.value is call
        if self.initialized or not whole or rest or call.keywords or statement not in self.towers.in_session:
            raise Refused(call, "the initializer does not run once, before all else", LEFT)
        self.initialized = True
        self.towers.dropped.append(statement)

    def _feeds(self, call: ast.Call, rest: list[ast.expr]) -> tuple[ast.expr, ...]:
        words = {word.arg: word.value for word in call.keywords}
        fed = rest[0] if rest else words.get("feed_dict")
        known = not set(words) - {"feed_dict"} and len(rest) + len(words) == 1
        if not known or not isinstance(fed, ast.Dict):
            raise Refused(call, "what is fed is not a dictionary that is written out", LEFT)
        order = [key.id for key in fed.keys if isinstance(key, ast.Name)]
        computed = [value for value in fed.values if not isinstance(value, _AT_ANY_TIME)]
        values = {key.id: value for key, value in zip(fed.keys, fed.values, strict=True) if isinstance(key, ast.Name)}
        if len(values) != len(fed.keys) or values.keys() != self.towers.placeholders.keys():
            raise Refused(fed, "this run does not feed all placeholders, and nothing else", LEFT)
        if order != list(self.towers.placeholders) and len(computed) > 1:
            raise Refused(fed, "what is fed is computed in another order than the placeholders are made in", LEFT)
        return tuple(values[name] for name in self.towers.placeholders)

    def _unpacked(
        self, site: RunSite, statement: ast.stmt, feeds: tuple[ast.expr, ...], parts: list[ast.expr]
    ) -> TowerRun:
        towers, fetched = self.towers, [part.id if isinstance(part, ast.Name) else "" for part in parts]
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if value is site.node:
                pass
            case _:
                raise Refused(site.node, "what this run gives is not unpacked into names", LEFT)
        if len(targets) != len(parts) or fetched.count(towers.train) != 1 or len(parts) < 2:
            raise Refused(site.node, "this run is not of the training step and values of a tower", LEFT)
        kept = tuple(place for place, name in enumerate(fetched) if name != towers.train)
        names = tuple(target for place in kept if isinstance(target := targets[place], ast.Name))
        if len(names) < len(kept) or not self._unused(targets[fetched.index(towers.train)]):
            raise Refused(site.node, "what this run gives is not unpacked into names", LEFT)
        wanted = tuple(fetched[place] for place in kept)
        every = len(wanted) == 1 and wanted[0] in towers.lists
        held = (towers.lists[wanted[0]],) if every else wanted
        if not set(held) <= self._values():
            raise Refused(site.node, "this run fetches what is not a value that each tower computes", LEFT)
        return TowerRun(site, statement, feeds, names, every, held, kept)

    def _values(self) -> set[str]:
        """The names that each turn of the loop gives a computed value, whatever its number is."""
        body = self.towers.body
        plain = [node for node in body if isinstance(node, ast.Assign) and self._is_computed(node.value)]
        targets = (target for node in plain for target in node.targets)
        return {target.id for target in targets if isinstance(target, ast.Name)} - {self.towers.gradients}

    def _is_computed(self, value: ast.expr) -> bool:
        """Whether a value has memory of its own: one that shares a variable's was fetched as the update left it."""
        symbol = self.names.resolve(value.func) if isinstance(value, ast.Call) else None
        return isinstance(value, ast.Call | ast.BinOp) and symbol not in _SHARES_MEMORY

    def _unused(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Name) and not self.module.loads.get(target.id)


def _require_closed(module: Module, names: Names, towers: Towers, runs: _Runs) -> None:
    """Raises Refused where something of the graph is used that is not of the form."""
    inside = _inside(towers, runs)
    held = {*towers.names, towers.holder}
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Name) or node.id not in held or node in inside:
            continue
        if not _is_local(module, towers, node):
            raise Refused(node, f"`{node.id}` is used beside the towers and their runs", LEFT)
    functions = [node for node in module.tree.body if isinstance(node, ast.FunctionDef) and node not in towers.dropped]
    model = [node for node in functions if towers.loop not in ast.walk(node)]
    loop = set(ast.walk(towers.whole))
    tower = loop | {inner for function in model for inner in ast.walk(function)}
    for use in names.uses:
        known = is_known(use.symbol) or use.symbol == "tf.device" or (use.symbol in OPTIMIZERS and use.node in loop)
        if use.node in tower and not known and not _is_beside(use.symbol):
            raise Refused(use.node, _reason(use.symbol), LEFT)
        if use.node not in tower and use.node not in inside and not _is_beside(use.symbol):
            raise Refused(use.node, f"`{use.symbol}` is used beside the towers", LEFT)
    kept = {inner for node in towers.appends for inner in ast.walk(node)}
    for name in _loads(towers.body):
        if name.id in towers.lists and name not in kept:
            raise Refused(name, f"a tower uses `{name.id}`, which holds what other towers put there", LEFT)
    _require_own_names(module, [*towers.body, *model])
    require_pure(module, towers)
    for node in tower - {inner for function in model for inner in ast.walk(function)}:
        if isinstance(node, _ENDS):
            raise Refused(node, "the loop's turns are left in the middle", LEFT)


def _inside(towers: Towers, runs: _Runs) -> set[ast.AST]:
    fetches: Iterable[ast.AST] = (inner for call in runs.calls for inner in ast.walk(call))
    whole = (inner for node in [towers.whole, *towers.moved, *towers.dropped] for inner in ast.walk(node))
    blocks = [block for block in (towers.session, towers.graph) if isinstance(block, ast.With)]
    header = (inner for block in blocks for item in block.items for inner in ast.walk(item))
    return {*fetches, *whole, *header}


def _is_local(module: Module, towers: Towers, node: ast.Name) -> bool:
    """Whether a name is one of a function other than the script's own, or of a comprehension."""
    scope = module.binding_scope(node)
    return scope is not None and scope is not module.root and towers.loop not in ast.walk(scope.node)


def _is_beside(symbol: str) -> bool:
    """Whether a symbol may stand beside the graph."""
    return symbol in effects.GRAPH_SEEDS | {"tf"} or symbol.startswith(
        ("tf.flags", "tf.app", "tf.logging", *effects.HARMLESS_PREFIXES)
    )


def _reason(symbol: str) -> str:
    if any(part in symbol for part in STATISTICS):
        return f"`{symbol}` keeps averages, of which each replica would have its own"
    return f"`{symbol}` is not known to be the same in each replica"


def _require_own_names(module: Module, statements: Sequence[ast.stmt]) -> None:
    """Raises Refused where towers call what another module holds: what that does is not known here."""
    imported = {
        (alias.asname or alias.name).split(".")[0]: alias.name if isinstance(node, ast.Import) else node.module or "."
        for node, _ in module.imports
        for alias in node.names
    }
    for node in _loads(statements):
        origin = imported.get(node.id)
        root = (origin or "").split(".")[0]
        if origin is not None and root not in _FOREIGN | {"tensorflow"}:
            raise Refused(node, f"a tower uses `{node.id}` of another module", LEFT)


def _loads(statements: Sequence[ast.stmt]) -> Iterator[ast.Name]:
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield node
