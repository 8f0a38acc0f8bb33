"""The statements of a script's straight line, and the whole script as the analysis sees it."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from tf_migrate.names.canonical import Names
from tf_migrate.stages.runs import Run
from tf_migrate.stages.sites import RunSite
from tf_migrate.stages.values import MOVED, Binding, Gradients, Reads, Refused, Stage, Value, Variable
from tf_migrate.syntax.module import Module


@dataclass(frozen=True, eq=False)
class Unit:
    """One statement of the straight line; `scopes` are the name scopes around it, outermost first."""

    index: int
    node: ast.stmt
    scopes: tuple[ast.With, ...]
    value: Value
    binds: tuple[str, ...] = ()
    reads: Reads = field(default_factory=dict)
    gradients: tuple[Gradients, ...] = ()
    summaries: tuple[ast.Call, ...] = ()
    creates: frozenset[str] = frozenset()
    """Whether it creates or looks up variables in a store: "named" where it names them itself; the names of a "layer",
    or a plain "variable", depend on the order of such statements."""

    @property
    def counts(self) -> bool:
        """Whether the names of its variables depend on those made before."""
        return bool(self.creates - {"named"})

    @property
    def moves(self) -> bool:
        """Whether the statement leaves the script's straight line."""
        return self.value.stage in MOVED or self.value.stage is Stage.PLACEHOLDER


@dataclass(frozen=True)
class Program:
    """A script as the analysis sees it.

    `dissolved` are the blocks whose bodies take their place, `dropped` the statements that only served the session,
    `refusals` the runs that the analysis is not sure of, `listed` the calls that mean all trainable variables so far,
    `final` the bindings at the end, `resolved` the binding that each name means (None: several),
    `merged` the summaries that each `merge_all` merges, `graphs` the arguments that hand a graph to a summary writer,
    `resets` the units at which another graph begins, `entered` the calls that enter functions, which are read there.
    """

    module: Module
    names: Names
    sites: tuple[RunSite, ...]
    units: tuple[Unit, ...]
    runs: tuple[Run, ...]
    dissolved: tuple[ast.With, ...]
    scopes: tuple[ast.With, ...]
    dropped: tuple[ast.stmt, ...]
    variables: tuple[Variable, ...]
    refusals: dict[ast.Call, Refused]
    listed: dict[ast.Call, tuple[Variable, ...]]
    final: Reads
    resolved: dict[ast.Name, Binding | None]
    merged: dict[ast.Call, tuple[str, ...]]
    graphs: tuple[ast.expr | ast.keyword, ...]
    resets: tuple[int, ...]
    entered: Mapping[ast.Call, ast.FunctionDef] = field(default_factory=dict)

    def graph_of(self, unit: int) -> int:
        """The number of the graph that a unit is part of."""
        return bisect_right(self.resets, unit)
