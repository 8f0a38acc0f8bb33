"""A module whose graph is one frozen graph: what becomes of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from tf_migrate.names.canonical import Names
from tf_migrate.names.exports import Users
from tf_migrate.names.run_sites import RunSite
from tf_migrate.planning.back_doors import require_no_back_door
from tf_migrate.stages.frozen.anchors import Anchors
from tf_migrate.stages.frozen.beside import AT_ONCE, BesideRun, beside_runs
from tf_migrate.stages.frozen.holding import Holder, Holding
from tf_migrate.stages.frozen.places import LEFT, ONCE, Places
from tf_migrate.stages.frozen.reading import Reader
from tf_migrate.stages.frozen.runs import read_runs
from tf_migrate.stages.frozen.values import FrozenRun, Graph, Operation, Session, Tensor
from tf_migrate.stages.options import SessionOptions, session_options
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.module import Module

_OWN_NAMES = """
    tf.ConfigProto tf.GPUOptions tf.Graph tf.GraphDef tf.InteractiveSession tf.Session tf.get_default_graph
    tf.graph_util.import_graph_def tf.import_graph_def tf.reset_default_graph
"""
_OWN = frozenset(_OWN_NAMES.split())
_BESIDE = (
    *("tf.app", "tf.compat.as_", "tf.errors", "tf.flags", "tf.gfile", "tf.io.gfile", "tf.logging"),
    *(f"tensorflow.{name}" for name in ("core.framework", "python.platform.gfile", "python.platform.tf_logging")),
)
_TYPE_NAMES = "bool float16 float32 float64 int8 int16 int32 int64 string uint8"
_TYPES = frozenset(f"tf.{name}" for name in _TYPE_NAMES.split())


@dataclass(frozen=True)
class FrozenProgram:
    """What becomes of a module that loads and runs a frozen graph; `anchors` say behind what functions are made."""

    reader: Reader
    runs: tuple[FrozenRun, ...]
    holder: Holder
    anchors: dict[ast.Call, ast.stmt]
    options: SessionOptions
    gone: tuple[ast.stmt, ...]
    blocks: tuple[ast.With, ...]
    around: dict[ast.Call, ast.expr | None]
    """What blocks around sessions make the default graph."""
    beside: tuple[BesideRun, ...] = ()
    """The runs that have nothing to do with the frozen graph."""

    @property
    def sessions(self) -> list[ast.Call]:
        """The sessions that run something, in order."""
        return list(dict.fromkeys(run.session for run in self.runs))


def read_program(module: Module, names: Names, sites: tuple[RunSite, ...], users: Users | None) -> FrozenProgram:
    """Reads a module, of which other modules may use what `users` tells; raises Refused where it is not understood."""
    require_no_back_door(names)
    _require_apart(names, AT_ONCE, frozenset())
    reader = Reader(module, names)
    beside = beside_runs(reader, sites)
    _require_apart(names, frozenset(), frozenset(node for function in beside for node in ast.walk(function)))
    others = tuple(run for runs in beside.values() for run in runs)
    runs = read_runs(reader, sites, {run.site.node for run in others})
    program = _Reading(Places(reader, runs), users).program(session_options(module, names, module.calls))
    return replace(program, beside=others)


def _require_apart(names: Names, allowed: frozenset[str], inside: frozenset[ast.AST]) -> None:
    """Refuses what builds a graph, but for the symbols that are allowed, and those inside."""
    for use in names.uses:
        known = use.symbol in _OWN | _TYPES | allowed or use.symbol.startswith(_BESIDE)
        if not known and use.node not in inside:
            what = f"`{use.symbol}` is used beside a frozen graph"
            raise Refused(use.node, what, "keep what builds a graph apart from what loads one")


class _Reading:
    def __init__(self, places: Places, users: Users | None) -> None:
        self.places = places
        self.module, self.reader = places.module, places.reader
        self.users = users

    def program(self, options: SessionOptions) -> FrozenProgram:
        resets = self._resets()
        holder = Holding(self.places, self.users).holder(anew=bool(resets))
        self._require_own()
        if options.said:
            raise Refused(options.said[0].value, "an option of the session is computed", "set it by `tf.config`")
        where = Anchors(self.places, holder)
        anchors = {session: where.anchor(session) for session in dict.fromkeys(run.session for run in self.places.runs)}
        blocks = [node for node in ast.walk(self.module.tree) if isinstance(node, ast.With) and self._goes(node)]
        gone = [node for node in ast.walk(self.module.tree) if isinstance(node, ast.stmt) and self._is_gone(node)]
        dictionaries = [run.dictionary for run in self.places.runs if run.dictionary is not None]
        gone = [*gone, *resets, *dictionaries, *options.statements]
        return FrozenProgram(
            self.reader,
            tuple(self.places.runs),
            holder,
            anchors,
            options,
            tuple(dict.fromkeys(gone)),
            tuple(blocks),
            {session: self.places.graph_around(session) for session in anchors},
        )

    def _require_own(self) -> None:
        """Refuses what other modules may use of the graph, its sessions and its tensors."""
        words = {key[1] for key in self.reader.values if isinstance(key, tuple)}
        given = [node for node in self.module.functions if isinstance(node, ast.FunctionDef)]
        words |= {node.name for node in given if self.reader.gives_graph(node)}
        used = sorted(word for word in words if self.users is not None and self.users.may_reach(word))
        owners = {key[0].name for key in self.reader.values if isinstance(key, tuple) and hasattr(key[0], "name")}
        used += sorted(owners & (self.users.bases if self.users is not None else frozenset()))
        if used:
            raise Refused(self.reader.imported.call, f"another module may use `{used[0]}`, of the frozen graph", LEFT)

    def _goes(self, block: ast.With) -> bool:
        """Whether a block makes a graph or a session the default one, or holds a session."""
        held = [
            self.reader.value(item.context_expr) is not None or self.places.is_entered(item) for item in block.items
        ]
        if any(held) and not all(held):
            raise Refused(
                block, "a graph or a session is opened beside something else", "open it in a block of its own"
            )
        return all(held)

    def _is_gone(self, node: ast.stmt) -> bool:
        """Whether a statement only makes the graph, a session, or a tensor's name, or closes one."""
        if node is self.reader.imported.statement:
            return False
        if isinstance(node, ast.Expr):
            call = node.value
            method = call.func if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
            closes = method is not None and method.attr == "close"
            return closes and isinstance(self.reader.value(method.value), Session)  # type: ignore[union-attr]
        if not isinstance(node, ast.Assign):
            return False
        parts = node.value.elts if isinstance(node.value, ast.Tuple | ast.List) else [node.value]
        values = [self.reader.value(part) for part in parts]
        if not values or None in values:
            return False
        if any(isinstance(value, Tensor | Operation) for value in values) and not self.places.is_straight(node):
            raise Refused(node, "a tensor of the frozen graph is named in a loop or a condition", "name it before")
        graphs = [value for value in values if isinstance(value, Graph)]
        if graphs and len(values) > 1:
            raise Refused(node, "a graph is named together with something else", "name it in a statement of its own")
        # Other names of the graph stay: they hold what takes its place.
        return not graphs or not graphs[0].named or node.value is self.reader.maker

    def _resets(self) -> list[ast.stmt]:
        """The statements that throw the default graph away, each before the import and on the same way."""
        symbol = "tf.reset_default_graph"
        calls = [call for call in self.module.calls if self.reader.names.resolve(call.func) == symbol]
        statements = [self.module.statement_of(call) for call in calls]
        for statement in statements:
            same = (
                self.places.home_of(statement) is self.places.home
                and statement.lineno < self.reader.imported.statement.lineno
            )
            if not isinstance(statement, ast.Expr) or not same or not self.places.is_straight(statement):
                raise Refused(statement, "the default graph is thrown away elsewhere than before the import", ONCE)
            if any(
                self.places.home_of(run.session) is self.places.home and run.session.lineno < statement.lineno
                for run in self.places.runs
            ):
                raise Refused(statement, "the graph is thrown away behind a session of it", ONCE)
        return statements
