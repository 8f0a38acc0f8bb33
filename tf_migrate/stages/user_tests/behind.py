"""What a test does behind its first run: it builds more, asks what it built, and changes variables between runs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tf_migrate.names.canonical import Names
from tf_migrate.stages.names_used import is_imported, loads_of, stores_of
from tf_migrate.stages.stillness import is_assertion
from tf_migrate.stages.user_tests.allowed import Own
from tf_migrate.stages.user_tests.changing import Assigned, with_constants
from tf_migrate.stages.user_tests.fetching import Fetching, is_simple
from tf_migrate.stages.user_tests.peeking import Peeks
from tf_migrate.stages.user_tests.state import State
from tf_migrate.stages.values import Refused


class Behind:
    """Reads the statements from the first run on; `made` are the names that hold what the function makes."""

    def __init__(
        self,
        names: Names,
        own: Own,
        runs: Fetching,
        made: set[str],
        touches: Callable[[ast.AST], bool],
        state: State,
    ) -> None:
        self.names = names
        self.module = names.module
        self.own = own
        self.runs = runs
        self.made = made
        self.touches = touches
        self.state = state
        self.asking: dict[ast.stmt, set[str]] = {}
        """The statements that only ask what the function made, and what they ask."""

    def building(self, after: Sequence[ast.stmt], before: set[ast.stmt]) -> set[ast.stmt]:
        """The statements behind the first run that build: they need nothing that runs or other code gave before."""
        made = set(self.made)
        try:
            return self._building(after, before, asking=False)
        except Refused as first:
            self.made &= made
            self.asking.clear()
            try:
                return self._building(after, before, asking=True)
            except Refused:
                raise first from None

    def _building(self, after: Sequence[ast.stmt], before: set[ast.stmt], *, asking: bool) -> set[ast.stmt]:
        """The same; `asking` says that statements which may only ask do no more than that."""
        found: set[ast.stmt] = set()
        bound: set[str] = set()
        other: set[str] = set()
        read: set[str] = set()
        plain = True
        for item in after:
            runs = self.runs.runs_in(item)
            if not runs and (loads_of(item) & (self.made - bound) or self.touches(item)):
                early = plain and self._is_early(item, bound | other, read)
                if early and not (asking and self._asked(item, before | found, bound)):
                    found.add(item)
                    self.made |= self.state.stores.of(item)
                    continue
                self._require_asking(item, before | found, bound)
            if runs:
                own = set() if is_simple(item) else self.state.done_by(item, self.made)
                self._ask_inside(item, before | found, bound)
                self._require_fetched_before(item, bound | other | own, read)
            bound |= stores_of(self.module, item)
            other |= {name for name in self.state.done_by(item, self.made) if not is_imported(self.module, name)}
            read |= self.state.read_by(item)
            plain = plain and (runs or is_assertion(item) or self.state.is_still(item))
        return found

    def _is_early(self, item: ast.stmt, done: set[str], read: set[str]) -> bool:
        """Whether a statement may run before others: it needs nothing they have `done`, and changes no `read` name."""
        if not isinstance(item, ast.Assign | ast.Expr) or self.state.read_by(item) & done:
            return False
        return (self.state.stores.of(item) | self._changed_by(item)).isdisjoint(done | read)

    def _changed_by(self, node: ast.AST) -> set[str]:
        """What code that builds may change, as far as Python code sees it."""
        filled = {name for name in loads_of(node) - self.made if self.state.is_filled(name)}
        return filled | self.state.reached_changes(node)

    def _ask_inside(self, item: ast.stmt, building: set[ast.stmt], bound: set[str]) -> None:
        """Notes what the statements of a block ask behind a run in it."""
        body = item.body if isinstance(item, ast.For) else []
        begun = next((place for place, inner in enumerate(body) if self.runs.runs_in(inner)), len(body))
        for inner in body[begun + 1 :]:
            if loads_of(inner, self.runs.hidden) & (self.made - bound) and not self.runs.runs_in(inner):
                self._require_asking(inner, building, bound)
                self.asking[item] = self.asking.get(item, set()) | self.asking.pop(inner)

    def _require_asking(self, item: ast.stmt, building: set[ast.stmt], bound: set[str]) -> None:
        """Refuses a statement behind a run that does more than ask what the function made."""
        asked = self._asked(item, building, bound)
        if not asked:
            raise Refused(item, "what is built behind a run depends on it", "build it before")
        self.asking[item] = asked

    def _asked(self, item: ast.stmt, building: set[ast.stmt], bound: set[str]) -> set[str]:
        """What a statement asks of what the function made, where it does nothing else."""
        nodes = [*building, *(known.node for known in self.runs.fetched)]
        return set() if self.touches(item) else Peeks(self.names, self.own, nodes).asked_in(item, self.made - bound)

    def _require_fetched_before(self, item: ast.stmt, done: set[str], read: set[str]) -> None:
        """Refuses a run that needs what was done since the first one, and one beside which the graph grows."""
        nodes = set(ast.walk(item))
        fetched = [known.node for known in self.runs.fetched if known.site.node in nodes]
        if any(self.state.read_by(node) & done or self._changed_by(node) & read for node in fetched):
            raise Refused(item, "what is fetched depends on another run", "write a test for each run")
        named = (inner for inner in nodes if isinstance(inner, ast.Name | ast.Attribute | ast.Call))
        whole = [inner for inner in named if not isinstance(self.module.parents[inner], ast.Attribute)]
        running = {known.site.node for known in self.runs.fetched}
        apart = [inner for inner in whole if inner not in self.runs.hidden and running.isdisjoint(ast.walk(inner))]
        if any(map(self.touches, apart)):
            raise Refused(item, "a part of the graph is built beside a run", "build it before")

    def changes(self, inside: Sequence[ast.stmt]) -> tuple[Assigned, ...]:
        """The assignments between runs; refuses one of what the function does not keep for them."""
        nodes = [*inside, *(known.node for known in self.runs.fetched)]
        peeks = Peeks(self.names, self.own, nodes)
        graph = self.made.union(*(stores_of(self.module, change.statement) for change in self.runs.changes))
        found = []
        for change in self.runs.changes:
            asked = peeks.given_by(change.variable, set().union(*(stores_of(self.module, item) for item in inside)))
            if asked is None:
                raise Refused(
                    change.call, "what is assigned to is not known behind the building", "assign to a variable"
                )
            run = self.module.parents[change.site.node]
            assert isinstance(run, ast.Expr)
            self.asking[run] = {asked}
            found.append(with_constants(self.state, change, self.made, graph))
        return tuple(found)
