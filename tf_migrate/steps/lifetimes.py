"""The lives of sessions: one at a time over a graph, and where each begins random sequences and datasets anew."""

from __future__ import annotations

import ast

from tf_migrate.interpreter.recorder import Observation, Recorder, Use
from tf_migrate.interpreter.values import Thing, options
from tf_migrate.names.canonical import Names
from tf_migrate.report.model import Reason
from tf_migrate.semantics.sessions import EVERYTHING, UNINITIALIZED, VALUELESS
from tf_migrate.semantics.supervisors import MANAGED, PREPARED
from tf_migrate.steps.disjoint_sessions import DisjointSessions
from tf_migrate.steps.facts import preceding
from tf_migrate.steps.part import Part
from tf_migrate.steps.plan import Insertion
from tf_migrate.steps.sessions import graph_argument, graphs_given

AT_ONCE = "sessions-at-once"
"""The code of the reason that two sessions are alive over one graph."""
CLOSED = "session-closed"
"""The code of the reason that something runs in a session that is closed."""
_BROAD = frozenset({*EVERYTHING, "RuntimeError"})
OF_SLICED = frozenset({AT_ONCE, CLOSED, VALUELESS})
"""The codes of reasons that hold for the sliced form as well."""
_DEFAULT = "compat.build(compat.get_default_graph)"
SESSIONS = frozenset({"tf.Session", "tf.InteractiveSession"})


def keeps_sessions(names: Names) -> bool:
    """Whether objects of a module make sessions of their own: several of them may be alive at once."""
    module = names.module
    return any(
        isinstance(place, ast.ClassDef)
        for call in module.calls
        if names.of(call.func) in SESSIONS
        for place in module.around(call)
    )


def outlives_errors(names: Names) -> bool:
    """Whether a module goes on behind errors: those of variables without a value, or of closed sessions."""
    nodes = [node for node in names.module.nodes if isinstance(node, ast.ExceptHandler | ast.Attribute | ast.Name)]
    broad = any(
        isinstance(node, ast.ExceptHandler) and (node.type is None or not _BROAD.isdisjoint(_words(node.type)))
        for node in nodes
    )
    return broad or any(UNINITIALIZED in _words(node) for node in nodes if not isinstance(node, ast.ExceptHandler))


def _words(node: ast.expr) -> set[str]:
    """The names in an expression, without what stands before their dots."""
    inner = ast.walk(node)
    return {each.attr if isinstance(each, ast.Attribute) else each.id
            for each in inner if isinstance(each, ast.Attribute | ast.Name)}  # fmt: skip


class SessionLives(Part):
    """Steps have one state for each graph: says where it begins anew, and refuses two at once."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        places: dict[ast.AST, Thing] = {}
        apart = DisjointSessions(self.facts)
        for graph in self._graphs():
            uses = self._uses(graph)
            returned = _comes_back(uses, self.facts.recorder)
            again = self._returns(uses)
            if (returned is not None or again) and self._are_apart(uses, apart):
                self._go_on(uses)
            elif returned is not None or again:
                for node in again:
                    self.refuse(AT_ONCE, node, "two sessions are alive over one graph", "give each a graph of its own")
                if returned is not None:
                    self.refuse(
                        AT_ONCE,
                        returned.node,
                        "it runs in a session that another one over the same graph came between: each has values of "
                        "its own",
                        "give each session a graph of its own",
                    )
            elif self._is_repeated():
                places |= {
                    place: use.session
                    for use in uses
                    if (place := use.session.place) is not None
                    and self._begins_alone(place)
                    and self._initializes_again(use.session)
                }
        self._refuse_closed()
        if not self.reasons:
            for place in places:
                self._begin(place)
        return self.reasons

    def _refuse_closed(self) -> None:
        """Refuses runs of a session that a statement before them in the block closed: TensorFlow 1 raised there."""
        for site in self.facts.sites:
            session = _session_of(site)
            if session is None:
                continue
            statement = self.facts.statement(site)
            for inner in (statement, *self.facts.around(statement)):
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                    break
                if isinstance(inner, ast.With) and self._is_left(inner, ast.unparse(session)):
                    break  # It is the one of this block.
                if isinstance(inner, ast.stmt) and self._is_closed_before(inner, ast.unparse(session)):
                    self.refuse(
                        CLOSED,
                        site,
                        f"`{ast.unparse(session)}` is closed before it runs: TensorFlow 1 raised a RuntimeError",
                        "run it before, or in a new session",
                    )
                    break

    def _is_closed_before(self, statement: ast.stmt, session: str) -> bool:
        for before in reversed(preceding(statement, self.facts.parent(statement))):
            if ast.unparse(before) == f"{session}.close()" or self._is_left(before, session):
                return True
            if any(_may_bind(each) for each in ast.walk(before)):
                return False
        return False

    def _is_left(self, statement: ast.stmt, session: str) -> bool:
        """Whether a statement is a block that makes a session, or enters it itself, and closes it where it ends."""
        for item in statement.items if isinstance(statement, ast.With) else ():
            entered, bound = item.context_expr, item.optional_vars
            makes = isinstance(entered, ast.Call) and self.facts.makes_session(entered)
            if ast.unparse(bound if makes and bound is not None else entered) == session:
                return True
        return False

    def _returns(self, uses: list[Use]) -> list[ast.AST]:
        """The places that run one of some sessions again, behind another one."""
        sessions = [use.session for use in uses]
        every = [each for each in self.facts.recorder.returns if each.node in self.facts.owners]
        return list(dict.fromkeys(each.node for each in every if any(each.session is one for one in sessions)))

    def _are_apart(self, uses: list[Use], apart: DisjointSessions) -> bool:
        """Whether the sessions over a graph have nothing in common."""
        sessions = list({id(use.session): use.session for use in uses}.values())
        return all(apart.are_apart(one, other) for at, one in enumerate(sessions) for other in sessions[at + 1 :])

    def _go_on(self, uses: list[Use]) -> None:
        """Sessions that have nothing in common begin nothing anew: variables of others keep their values."""
        for place in {use.session.place for use in uses}:
            if place is not None and place in self.facts.owners:
                statement, plan = self.facts.statement(place), self.plan_of(place)
                plan.inserted = [each for each in plan.inserted if each.anchor is not statement or not each.restarts]

    def _begins_alone(self, place: ast.AST) -> bool:
        """Whether a session is the first over its graph wherever it is made: others restart all of it.

        A supervisor's begin anew by themselves.
        """
        return self.facts.recorder.symbols.get(place, set()).isdisjoint(("session.again", MANAGED, PREPARED))

    def _graphs(self) -> list[Thing]:
        return list({id(use.graph): use.graph for use in self.facts.recorder.uses if self._is_mine(use)}.values())

    def _is_mine(self, use: Use) -> bool:
        return use.node in self.facts.owners and use.session.place in self.facts.owners

    def _uses(self, graph: Thing) -> list[Use]:
        every = [use for use in self.facts.recorder.uses if use.graph is graph and self._is_mine(use)]
        return [use for use in every if not use.guessed] or every

    def _is_repeated(self) -> bool:
        """Whether something of the program gives the same again in a new session."""
        return any(node in self.facts.owners for node in self.facts.recorder.repeated)

    def _initializes_again(self, session: Thing) -> bool:
        """Whether an initializer runs that stays, before any that goes: variables have drawn their values once then."""
        return any(
            self.facts.initializes(node)
            and node not in self.facts.removed
            and any(_runs_in(each, session) and not self.facts.removed.intersection(each.past) for each in seen)
            for node, seen in self.facts.sites.items()
        )

    def _begin(self, place: ast.AST) -> None:
        """Puts a beginning where a session was made."""
        parent, statement = self.facts.parent(place), self.facts.statement(place)
        plain = isinstance(parent, ast.Assign | ast.Expr) or (
            isinstance(parent, ast.withitem) and isinstance(statement, ast.With) and parent is statement.items[0]
        )
        graph = graph_argument(place) if isinstance(place, ast.expr) else None
        given = isinstance(place, ast.Call) and bool(graphs_given(place))
        if not plain or (given and graph is None):
            self.refuse(
                "session-anew",
                place,
                "each session repeats what is drawn from a seed, or goes through a dataset anew",
                "make the session in a statement of its own",
            )
            return
        text = f"{_DEFAULT if graph is None else ast.unparse(graph) + '.graph'}.reset()"
        self.plan_of(place).inserted.append(Insertion(text, statement, before=True))


def _session_of(site: ast.Call) -> ast.expr | None:
    """The session that a run names."""
    given = [keyword.value for keyword in site.keywords if keyword.arg == "session"]
    if given:
        return given[0]
    is_run = isinstance(site.func, ast.Attribute) and site.func.attr == "run"
    return site.func.value if is_run and isinstance(site.func, ast.Attribute) else None


def _may_bind(node: ast.AST) -> bool:
    """Whether a name or an attribute may have another value behind a node: a call may make another session."""
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Name) and node.func.id == "print")
    return isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load)


def _runs_in(seen: Observation, session: Thing) -> bool:
    """Whether a run may have been one of a session."""
    return seen.session is None or session in options(seen.session)


def _comes_back(uses: list[Use], recorder: Recorder) -> Use | None:
    """The first use of a session behind the use of another one that came after it."""
    last: dict[int, tuple[int, Thing]] = {}
    for at, use in enumerate(uses):
        mine = last.get(id(use.session))
        if mine is not None and any(
            behind > mine[0] and recorder.are_together(session, use.session) for behind, session in last.values()
        ):
            return use
        last[id(use.session)] = at, use.session
    return None
