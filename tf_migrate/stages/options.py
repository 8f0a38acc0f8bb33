"""The options that a script gives to its sessions, where its text shows all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from tf_migrate.names.canonical import Names
from tf_migrate.names.sessions import MONITORED_CLASSES, SESSION_CLASSES
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.local_flow import definitions
from tf_migrate.syntax.module import Module, Scope

Literal: TypeAlias = "bool | int | float | str | dict[str, int]"

_PROTOS = {"tf.ConfigProto": "", "tf.GPUOptions": "gpu_options."}
MEMORY = "gpu_options.per_process_gpu_memory_fraction"  # changes no number, and is not carried over
_KNOWN = frozenset(
    {
        "allow_soft_placement",
        "log_device_placement",
        "device_count",
        "inter_op_parallelism_threads",
        "intra_op_parallelism_threads",
        "gpu_options.allow_growth",
        MEMORY,
        "gpu_options.visible_device_list",
    }
)
_AT_ANY_TIME = frozenset({"allow_soft_placement", "log_device_placement"})
"""The options that TensorFlow 2 takes when it has begun, too."""
_STEP = "write the option as a plain value, or set it by `tf.config`"


class Said(NamedTuple):
    """An option that a statement gives a value which is computed there."""

    statement: ast.Assign
    name: str
    value: ast.expr


@dataclass(frozen=True)
class SessionOptions:
    """`values` by their names in a `ConfigProto`, the statements that say them and the calls that take them.

    `said` are the options whose values are computed.
    """

    values: Mapping[str, Literal] = field(default_factory=dict)
    statements: frozenset[ast.stmt] = frozenset()
    sessions: frozenset[ast.Call] = frozenset()
    said: tuple[Said, ...] = ()


def session_options(module: Module, names: Names, calls: Iterable[ast.Call]) -> SessionOptions:
    """The options of the sessions that calls make; raises Refused where they are not known, or not the same."""
    reader = _Reader(module, names)
    sessions: list[ast.Call] = []
    values: dict[str, Literal] | None = None
    for call in calls:
        config = _config(call, names.resolve(call.func))
        if config is None:
            continue
        found = dict(reader.options(config))
        if values is not None and found != values:
            raise Refused(call, "two sessions have different options", "give all sessions the same options")
        values = found
        sessions.append(call)
    said = tuple(dict.fromkeys(reader.said))
    if said and len(sessions) > 1:
        raise Refused(said[0].value, "options of several sessions are computed", _STEP)
    return SessionOptions(values or {}, frozenset(reader.statements), frozenset(sessions), said)


def _config(call: ast.Call, symbol: str | None) -> ast.expr | None:
    """The options given to a session that is given nothing else but a graph, or to a monitored one."""
    if symbol in MONITORED_CLASSES:
        given = next((word.value for word in call.keywords if word.arg == "config"), None)
        return None if isinstance(given, ast.Constant) else given
    if call.args or symbol not in SESSION_CLASSES or any(word.arg not in ("config", "graph") for word in call.keywords):
        return None
    return next((word.value for word in call.keywords if word.arg == "config"), None)


class _Reader:
    """Reads what is put into the options; `statements` are those that it has read."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names
        self.statements: set[ast.stmt] = set()
        self.said: list[Said] = []

    def options(self, node: ast.expr) -> Iterator[tuple[str, Literal]]:
        """Names and values of the options that an expression holds."""
        if isinstance(node, ast.Name):
            yield from self._bound(node)
        elif isinstance(node, ast.Call) and (prefix := _PROTOS.get(self.names.resolve(node.func) or "")) is not None:
            if node.args or any(item.arg is None for item in node.keywords):
                raise Refused(node, "options of a session are not given by name", _STEP)
            for item in node.keywords:
                yield from self._option(f"{prefix}{item.arg}", item.value)
        else:
            raise Refused(node, "the options of the session are made elsewhere", _STEP)

    def _option(self, name: str, node: ast.expr) -> Iterator[tuple[str, Literal]]:
        if name == "gpu_options":
            yield from self.options(node)
            return
        value = "" if name == MEMORY else self._literal(node)
        statement = self.module.statement_of(node)
        if value is None and name in _AT_ANY_TIME and isinstance(statement, ast.Assign):
            self.said.append(Said(statement, name, node))
            return
        if name not in _KNOWN or value is None:
            raise Refused(node, f"the session's option `{name}` has no plain value that TensorFlow 2 takes", _STEP)
        yield name, value

    def _bound(self, name: ast.Name) -> Iterator[tuple[str, Literal]]:
        """The options of a name that is bound once, and then only filled in and given to sessions."""
        scope = self._scope_of(name)
        named = (node for node in _names(scope.node, name.id) if self._scope_of(node) is scope)
        stores = [node for node in named if isinstance(node.ctx, ast.Store)]
        statement = self.module.parents[stores[0]] if len(stores) == 1 else None
        if not isinstance(statement, ast.Assign) or len(scope.bindings.get(name.id, ())) != 1:
            raise Refused(name, f"`{name.id}` may hold different options", _STEP)
        self.statements.add(statement)
        yield from self.options(statement.value)
        for load in self.module.loads.get(name.id, ()):
            if self._scope_of(load) is not scope:
                continue
            parent = self.module.parents[load]
            if isinstance(parent, ast.keyword):
                continue  # a session's, or another option's: read by whoever asked
            yield from self._filled_in(load, parent, statement)

    def _scope_of(self, name: ast.Name) -> Scope:
        """The scope whose binding a name means."""
        return self.module.binding_scope(name) or self.module.root

    def _filled_in(self, load: ast.Name, place: ast.AST, made: ast.Assign) -> Iterator[tuple[str, Literal]]:
        """The option that `config.gpu_options.allow_growth = True` sets."""
        path: list[str] = []
        while isinstance(place, ast.Attribute):
            path, place = [*path, place.attr], self.module.parents[place]
        together = self.module.parents.get(place) is self.module.parents[made]
        if not isinstance(place, ast.Assign) or len(place.targets) != 1 or not path or not together:
            raise Refused(load, f"`{load.id}` is used for more than options of a session", _STEP)
        self.statements.add(place)
        prefix = _PROTOS[self.names.resolve(made.value.func) or ""] if isinstance(made.value, ast.Call) else ""
        yield from self._option(prefix + ".".join(path), place.value)

    def _literal(self, node: ast.expr) -> Literal | None:
        """The value of an option that is written out, or a name's that is bound once to one."""
        if isinstance(node, ast.Name) and len(found := definitions(self.module, node)) == 1:
            node = found[0].value if found[0].kind == "value" and found[0].value is not None else node
        try:
            value = ast.literal_eval(node)
        except ValueError:
            return None
        if isinstance(value, dict):
            return value if all(isinstance(k, str) and isinstance(v, int) for k, v in value.items()) else None
        return value if isinstance(value, bool | int | float | str) else None


def _names(node: ast.AST, name: str) -> list[ast.Name]:
    return [inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id == name]
