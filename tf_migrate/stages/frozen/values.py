"""What the expressions of a program that runs a frozen graph hold."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tf_migrate.names.run_sites import RunSite


@dataclass(frozen=True)
class Graph:
    """The graph; `named` where it comes from the `tf.Graph()` of the program, and not as the default one."""

    named: bool


@dataclass(frozen=True)
class Session:
    """A session, made by one of these calls."""

    made: tuple[ast.Call, ...]


@dataclass(frozen=True)
class Operation:
    """An operation of the graph, by its name; `inside` as for tensors."""

    name: ast.expr
    inside: bool = False


@dataclass(frozen=True)
class Tensor:
    """A tensor by its name, or as an output of the operation of that name.

    `inside` says that the name is the one in the `GraphDef`, without what the import puts before it.
    """

    name: ast.expr
    output: int | None = None
    inside: bool = False

    @property
    def text(self) -> str | None:
        """The name, where it is written out."""
        name = self.name.value if isinstance(self.name, ast.Constant) else None
        if not isinstance(name, str):
            return None
        return name if self.output is None else f"{name}:{self.output}"


Value: TypeAlias = Graph | Session | Operation | Tensor


def is_same(left: Value, right: Value) -> bool:
    """Whether two values of one name are alike; sessions are told apart by where they are used."""
    if isinstance(left, Operation | Tensor):
        return left == right
    return left == right or (isinstance(left, Session) and isinstance(right, Session))


@dataclass(frozen=True)
class Import:
    """The one import of the graph: its call and statement, the graph's text, and what names begin with."""

    call: ast.Call
    statement: ast.stmt
    graph_def: ast.expr
    name: str | None
    """What it was given, None where nothing."""

    @property
    def prefix(self) -> str:
        """What the names of the graph's tensors begin with."""
        given = "import" if self.name is None else self.name.rstrip("/")
        return f"{given}/" if given else ""


@dataclass(frozen=True)
class FrozenRun:
    """A run: the session that makes it, what it feeds, in order, and what it fetches.

    `whole` is the expression that gives its results, `words` are names for these.
    """

    site: RunSite
    session: ast.Call
    feeds: tuple[tuple[Tensor, ast.expr], ...]
    fetched: tuple[Tensor, ...]
    form: Literal["single", "list", "tuple"]
    words: tuple[str, ...]
    whole: ast.expr
    dictionary: ast.Assign | None = None
    """The statement right before it that makes what it feeds."""
