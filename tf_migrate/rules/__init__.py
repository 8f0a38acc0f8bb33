"""What a facts row cannot say, one rule a file.

A rule's file holds its reason (the docstring), a text before and after, and a function that is pure: it looks at one
module and gives changes, never printing, logging or writing anything. It is found because it lies in this folder.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.code import Code
from tf_migrate.facts import Fact
from tf_migrate.facts.shims import Shims
from tf_migrate.names.canonical import Names, Use
from tf_migrate.names.homes import home
from tf_migrate.names.origins import canonical
from tf_migrate.report.model import Action, Finding, Severity
from tf_migrate.syntax.module import Module

_ROOTS = ("tf", "tf.compat.v1")


@dataclass(frozen=True)
class Context:
    """What a rule sees of one module.

    ``compat`` is the name under which the rewritten module reaches the shims, ``compat_module`` the one that they are
    imported by. ``tf`` is the module's own name of TensorFlow, empty where it has none, and ``new_tf`` the one that it
    gets where it needs one. ``tf2`` says that names which mean something else in TensorFlow 2 mean that here already,
    ``imported`` that another module of the tree imports this one, ``builds`` that TF1 graphs are built through it.
    """

    module: Module
    names: Names
    shims: Shims
    compat: str
    compat_module: str
    tf: str
    new_tf: str
    tf2: bool
    imported: bool
    builds: bool

    def finding(
        self,
        node: ast.expr | ast.stmt | ast.alias,
        rule: str,
        message: str,
        *,
        symbol: str | None = None,
        action: Action = "rewritten",
        severity: Severity = "info",
        next_step: str | None = None,
    ) -> Finding:
        """A finding at a node of this module."""
        line, column = self.module.position(node)
        return Finding(self.module.path, line, column, rule, symbol, action, severity, message, next_step)

    def manual(
        self, node: ast.expr | ast.stmt | ast.alias, rule: str, message: str, next_step: str, symbol: str | None = None
    ) -> Change:
        """A change that is left to a person."""
        return Change(
            self.finding(node, rule, message, symbol=symbol, action="manual", severity="warning", next_step=next_step)
        )

    @property
    def of_tf1(self) -> bool:
        """Whether the module is of a program of TensorFlow 1, which had NumPy 1 beside it, and of none of 2."""
        return not self.tf2 and (self.builds or self.names.index.goes_with_tf1(self.module.name))

    @cached_property
    def code(self) -> Code:
        """The module seen as TensorFlow 2 code."""
        return Code(self.module, self.names)

    def advise(
        self, node: ast.expr | ast.stmt, rule: str, message: str, next_step: str, edits: tuple[Edit, ...] = ()
    ) -> Iterator[Change]:
        """A fault of TensorFlow 2 code; the edits that mend it are made only where the rule is asked for by name."""
        if not self.module.is_skipped(node):
            finding = self.finding(node, rule, message, action="manual", severity="warning", next_step=next_step)
            yield Change(finding, edits, offered=True)

    def tf_path(self, use: Use, path: str) -> tuple[str, frozenset[str]]:
        """Text for ``tf.<path>`` at a use, and what must be imported for it."""
        root = canonical(use.origin)
        if root == "tf":
            return f"{use.root.id}.{path}", frozenset()
        where = home(self.shims, root)
        if where is not None and where.place == "tf" and f"tf.{path}".startswith(f"{where.path}."):
            return f"{use.root.id}.{path.removeprefix(where.path[3:] + '.')}", frozenset()
        if self.tf and self.names.lookup(self.tf, self.module.scopes[use.root]) in _ROOTS:
            return f"{self.tf}.{path}", frozenset()
        return f"{self.new_tf}.{path}", frozenset({"tf"})

    def compat_path(self, path: str) -> str:
        """Text for the shim ``compat.<path>``."""
        return f"{self.compat}.{path.removeprefix('compat.')}"


@dataclass(frozen=True)
class Change:
    """One thing found, the edits that it takes, and what these need imported (``compat``, ``tf``).

    ``offered`` edits may change what the program computes: they wait until the rule is selected by name. ``early``
    ones need at the place of an import already what they need.
    """

    finding: Finding | None
    edits: tuple[Edit, ...] = ()
    needs: frozenset[str] = frozenset()
    offered: bool = False
    early: bool = False

    def settled(self, asked: bool) -> Change:
        """The change as it is made: with offered edits where they are asked for, else without."""
        if not self.offered or self.finding is None:
            return self
        if not asked or not self.edits:
            return replace(self, edits=(), needs=frozenset())
        return replace(self, finding=replace(self.finding, action="rewritten"), offered=False)


SymbolRule = Callable[[Context, Use, Fact | None], Change | None]
Claim = Callable[[Context, Use], bool]
ModuleRule = Callable[[Context], Iterator[Change]]


@dataclass(frozen=True)
class Rule:
    """One kind of change. ``before`` becomes ``after`` (both are run as a test); None where it is only reported.

    ``symbol`` decides about single uses of the symbols in ``handles`` (of those that it ``claims``, where it does not
    claim all) or of rows that name this rule, ``find`` looks at a whole module. ``advice`` is told about programs of
    TensorFlow 2 too: ``before`` has a fault, ``after`` has not. What a rule with ``of_either`` tells may
    be a fault there as well, and is no trace of TensorFlow 1. ``asked`` says that ``before`` becomes ``after`` only
    where the rule is selected by name.
    """

    id: str
    name: str
    before: str
    after: str
    handles: frozenset[str] = frozenset()
    claims: Claim | None = None
    symbol: SymbolRule | None = None
    find: ModuleRule | None = None
    why: str = ""
    advice: bool = False
    of_either: bool = False
    asked: bool = False


@functools.cache
def _registry() -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for info in pkgutil.walk_packages(__path__, f"{__name__}."):
        if info.ispkg:
            continue
        module = importlib.import_module(info.name)
        rule: Rule = module.RULE
        if rule.id in found:
            raise ValueError(f"two rules are called {rule.id}: {found[rule.id].name} and {rule.name}")
        found[rule.id] = Rule(**{**vars(rule), "why": inspect.cleandoc(module.__doc__ or "")})
    return dict(sorted(found.items()))


def all() -> tuple[Rule, ...]:
    """Every rule, by id."""
    return tuple(_registry().values())


def get(name: str) -> Rule | None:
    """The rule of an id (``TFM101``) or name (``renamed-symbol``)."""
    return _registry().get(name.upper()) or next((rule for rule in all() if rule.name == name), None)


@functools.cache
def of_either() -> frozenset[str]:
    """Rules that tell of faults which TensorFlow 2 code may have as well."""
    return frozenset(rule.id for rule in all() if rule.advice or rule.of_either)


@functools.cache
def handlers() -> dict[str, Rule]:
    """Symbols that a rule decides about, whatever their row says."""
    return {symbol: rule for rule in all() for symbol in rule.handles}
