"""Branches that do the same, one in a session that a function may be given, the other in a session of its own.

`if sess is None: out = self.sess.run(y, feed)`, `else: out = sess.run(y, feed)`: without sessions both are one, and one
stays. What is seen of the runs of the other is true of those that stay.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tf_migrate.interpreter.recorder import Observation
from tf_migrate.syntax.blocks import blocks
from tf_migrate.syntax.none_tests import none_test

T = TypeVar("T")
Kinds = Callable[[ast.AST], set[str]]
_SESSION = frozenset({"session"})
_PERHAPS = frozenset({"session", "none"})
_OF_GRAPHS = frozenset({"graph", "graph_def"})
_LEAVING = (ast.Return, ast.Raise)


@dataclass(frozen=True, eq=False)
class Fold:
    """Two branches that are one."""

    test: ast.If | ast.IfExp
    kept: tuple[ast.AST, ...]
    gone: tuple[ast.AST, ...]
    pairs: dict[ast.AST, ast.AST]
    """For the nodes that go: those that stay in their place."""
    behind: bool = False
    """Whether what stays stands behind the test: `if sess is None: return self.sess.run(y)` before the same."""

    def seen(self, each: Observation) -> Observation:
        """What was seen of a run that goes, as if that which stays had done it."""

        return replace(
            each,
            fetch=None if each.fetch is None else self._twin(each.fetch),
            feed=None if each.feed is None else self._twin(each.feed),
            latest=self._placed(each.latest),
            inner=self._placed(each.inner),
            words=self._placed(each.words),
            shown={key: self._twin(value) for key, value in self._placed(each.shown).items()},
            given=self._placed(each.given),
        )

    def _placed(self, table: dict[ast.expr, T]) -> dict[ast.expr, T]:
        return {self._twin(key): value for key, value in table.items()}

    def _twin(self, node: ast.expr) -> ast.expr:
        twin = self.pairs.get(node, node)
        assert isinstance(twin, ast.expr)
        return twin


def folds(nodes: Sequence[ast.AST], kinds: Kinds) -> Iterator[Fold]:
    """The pairs of such branches among the nodes of a module."""
    for node in nodes:
        if isinstance(node, ast.IfExp) and _asks_for_session(node.test, kinds):
            yield from _fold(node, [node.body], [node.orelse], kinds)
        for block in blocks(node):
            yield from _folds_in(block, kinds)


def _folds_in(block: Sequence[ast.stmt], kinds: Kinds) -> Iterator[Fold]:
    for at, each in enumerate(block):
        if not isinstance(each, ast.If) or not _asks_for_session(each.test, kinds):
            continue
        if each.orelse:
            yield from _fold(each, each.body, each.orelse, kinds)
        elif isinstance(each.body[-1], _LEAVING):
            yield from _fold(each, block[at + 1 :], each.body, kinds, behind=True)


def _fold(
    node: ast.If | ast.IfExp, kept: Sequence[ast.AST], gone: Sequence[ast.AST], kinds: Kinds, *, behind: bool = False
) -> Iterator[Fold]:
    pairs: dict[ast.AST, ast.AST] = {}
    one, other = (_without_sessions(part, kinds) for part in (kept, gone))
    if one and _are_alike(one, other, kinds, pairs):
        yield Fold(node, tuple(kept), tuple(gone), pairs, behind)


def _asks_for_session(test: ast.expr, kinds: Kinds) -> bool:
    asked = none_test(test)
    return asked is not None and bool(found := kinds(asked[0])) and found <= _PERHAPS


def _without_sessions(part: Sequence[ast.AST], kinds: Kinds) -> list[ast.AST]:
    """Statements without those that only keep a session by a name."""
    return [each for each in part if not (isinstance(each, ast.Assign) and kinds(each.value) == _SESSION)]


def _are_alike(one: object, other: object, kinds: Kinds, pairs: dict[ast.AST, ast.AST]) -> bool:
    """Whether two parts of a program are the same but for sessions; fills in which nodes of them are the same."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(
            _are_alike(left, right, kinds, pairs) for left, right in zip(one, other, strict=True)
        )
    if not isinstance(one, ast.AST) or not isinstance(other, ast.AST):
        return type(one) is type(other) and one == other
    pairs[other] = one
    if _is_session(one, kinds) and _is_session(other, kinds):
        return True
    if isinstance(one, ast.Attribute) and one.attr in _OF_GRAPHS and _is_session(one.value, kinds):
        return False  # each session has its own
    return type(one) is type(other) and all(
        _are_alike(getattr(one, name, None), getattr(other, name, None), kinds, pairs) for name in one._fields
    )


def _is_session(node: ast.AST, kinds: Kinds) -> bool:
    found = kinds(node) if isinstance(node, ast.Name | ast.Attribute) else set[str]()
    return "session" in found and found <= _PERHAPS and isinstance(getattr(node, "ctx", None), ast.Load)
