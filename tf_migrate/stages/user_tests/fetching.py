"""The runs of a test as it is written: its sessions, what it initializes, fetches and feeds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.names.case_classes import graph_entered
from tf_migrate.names.run_sites import RunSite
from tf_migrate.names.sessions import INITIALIZERS
from tf_migrate.stages.names_used import loads_in, loads_of, stores_of
from tf_migrate.stages.stillness import changing_calls
from tf_migrate.stages.user_tests.cases import OWN_SESSIONS, PLACED, RAISING, SHARED_SESSIONS
from tf_migrate.stages.user_tests.changing import changes_in
from tf_migrate.stages.user_tests.state import State
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument

_PLAIN = frozenset({"tf.Session", "tf.train.MonitoredSession", "tf.train.SingularMonitoredSession"})
_RUNS = ("Session.run", "MonitoredSession.run")
_WITHOUT_VALUES = frozenset({"tf.errors.FailedPreconditionError", "tf.errors.OpError"})
_OF_PYTHON = frozenset({"TypeError", "ValueError"})
_ONE_RUN = "write a test for each run"


@dataclass(frozen=True)
class Parameter:
    """A placeholder that becomes a parameter: its name, and what makes it."""

    name: str
    call: ast.Call


@dataclass(frozen=True)
class Fetched:
    """One run, what it fetches, and what it feeds to the placeholders of these names."""

    site: RunSite
    node: ast.expr
    fed: Mapping[str, ast.expr]


class Fetching:
    """Reads the runs of one test.

    `statements` are those of its body, blocks of sessions dissolved and initializers left out. `hidden` is
    what the runs fetch and feed by, which is none of the code around them. `graph` is the block of the graph that the
    test makes.
    """

    def __init__(self, names: Names, sites: Sequence[RunSite], test: ast.FunctionDef, state: State) -> None:
        self.module = names.module
        self.names = names
        self.state = state
        self.test = test
        self.inside = set(ast.walk(test))
        self.own = [site for site in sites if site.node in self.inside]
        self.graph: ast.With | None = None
        self.sessions: list[ast.stmt] = []
        self.opened: set[str] = set()
        """The names of sessions that statements of their own make."""
        self.hidden: set[ast.AST] = set()
        self.dropped: set[ast.stmt] = set()
        """The statements that make dictionaries of what is fed."""
        self.in_blocks = False
        """Whether runs stand in loops or branches."""
        every = list(self._flat(test.body))
        self.changes = changes_in(self.module, names, test, self.own, every)
        self.fetched = self._runs(every)
        changing = {change.statement for change in self.changes}
        straight = [item for item in every if item not in changing]
        self.statements = [item for item in straight if not self._initializes(item)]
        self.initializing = len(straight) - len(self.statements)
        self._require_straight(straight)

    def runs_in(self, item: ast.AST) -> bool:
        """Whether a run stands in a statement."""
        nodes = set(ast.walk(item))
        return any(site.node in nodes for site in self.own)

    @property
    def calls(self) -> set[ast.AST]:
        """The calls that run the session."""
        return {site.node for site in self.own}

    @property
    def values(self) -> list[ast.expr]:
        """All that is fed."""
        return [value for known in self.fetched for value in known.fed.values()]

    @property
    def fetches_one(self) -> bool:
        """Whether all runs fetch the same."""
        return len({ast.dump(known.node) for known in self.fetched}) == 1

    @property
    def feeds_differ(self) -> bool:
        """Whether runs feed different placeholders."""
        return len({frozenset(known.fed) for known in self.fetched}) > 1

    @property
    def differ(self) -> bool:
        """Whether there are several sessions: a test has one of its own, which all its blocks give."""
        blocks = [block for block in self.sessions if isinstance(block, ast.With)]
        methods = [call.func for block in blocks for call in map(_call_of, block.items)]
        shared = [item for item in methods if isinstance(item, ast.Attribute) and item.attr in SHARED_SESSIONS]
        return len(self.sessions) > 1 and (len(blocks) < len(self.sessions) or len(shared) < len(methods))

    @property
    def several(self) -> bool:
        """Whether each run has to be a call of its own: they are repeated, fed, or something changes between them."""
        return self.in_blocks or bool(self.changes) or (len(self.fetched) > 1 and bool(self.values))

    @property
    def first(self) -> int:
        """The position of the first statement that runs."""
        return next(index for index, item in enumerate(self.statements) if self.runs_in(item))

    def _flat(self, body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        for item in body:
            if isinstance(item, ast.With) and self._dissolves(item):
                yield from self._flat(item.body)
            elif not self._keeps_session(item):
                yield item

    def _dissolves(self, item: ast.With) -> bool:
        """Whether a block only opens sessions, and the graph of the test before them."""
        made = graph_entered(self.names, item)
        own = made is not None and not made.args and item.items[0].optional_vars is None
        if not all(self._opens(part) or self._goes_on(part) for part in item.items[1 if own else 0 :]):
            return False
        if own and self.graph is not None:
            raise Refused(item, "a test builds several graphs", "write a test for each")
        if own:
            self.graph = item
        if any(self._opens(part) for part in item.items):
            self.sessions.append(item)
        return True

    def _goes_on(self, item: ast.withitem) -> bool:
        """Whether a context makes a session the default one that a statement of its own made."""
        method = item.context_expr.func if isinstance(item.context_expr, ast.Call) else None
        if item.optional_vars is not None or not isinstance(method, ast.Attribute) or method.attr != "as_default":
            return False
        return isinstance(method.value, ast.Name) and method.value.id in self.opened

    def _keeps_session(self, item: ast.stmt) -> bool:
        """Whether a statement makes a session under a name that nothing else is bound to."""
        target = item.targets[0] if isinstance(item, ast.Assign) and len(item.targets) == 1 else None
        call = item.value if isinstance(item, ast.Assign) else None
        plain = isinstance(call, ast.Call) and not call.args and not call.keywords
        if not (isinstance(target, ast.Name) and plain and isinstance(call, ast.Call)):
            return False
        if self.names.resolve(call.func) != "tf.Session" or self._binds(target.id) > 1:
            return False
        self.sessions.append(item)
        self.opened.add(target.id)
        return True

    def _binds(self, name: str) -> int:
        """How often the test binds a name."""
        own = (inner for inner in self.inside if isinstance(inner, ast.Name) and inner.id == name)
        return sum(not isinstance(inner.ctx, ast.Load) for inner in own)

    def _opens(self, item: ast.withitem) -> bool:
        call = item.context_expr
        if not isinstance(call, ast.Call) or not isinstance(item.optional_vars, ast.Name | None):
            return False
        if self.names.resolve(call.func) in _PLAIN:
            return not call.args and not call.keywords
        own = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "self"
        plain = all(word.arg in PLACED and isinstance(word.value, ast.Constant) for word in call.keywords)
        named = isinstance(call.func, ast.Attribute) and call.func.attr in OWN_SESSIONS
        return own and named and plain and not call.args

    def _initializes(self, item: ast.stmt) -> bool:
        """Whether a statement only initializes variables, which have their values natively when they are made."""
        call = item.value if isinstance(item, ast.Expr | ast.Assign) else None
        if isinstance(item, ast.Expr) and any(site.node is call for site in self.own if site.initializer_only):
            return True
        if not (isinstance(item, ast.Assign) and self._makes(call) and isinstance(item.targets[0], ast.Name)):
            return False
        used = loads_in(self.module, item.targets[0].id, self.inside)
        running = {inner for site in self.own if site.initializer_only for inner in ast.walk(site.node)}
        return all(load in running for load in used)

    def _makes(self, node: ast.expr | None) -> bool:
        """Whether an expression makes an operation that initializes variables, or a group of such."""
        symbol = self.names.resolve(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and symbol == "tf.group":
            return bool(node.args) and not node.keywords and all(map(self._makes, node.args))
        return symbol in INITIALIZERS

    def _runs(self, every: Sequence[ast.stmt]) -> tuple[Fetched, ...]:
        changing = {change.site for change in self.changes}
        running = [site for site in self.own if not site.initializer_only and site not in changing]
        if not running or any(site.kind not in (*_RUNS, "Tensor.eval") for site in running):
            raise Refused(self.test, "this form of a run is not understood", "call `Session.run`")
        found = []
        for site in running:
            fetched, feeds = self._arguments(site, every)
            found.append(Fetched(site, fetched, _fed(feeds)))
            self.hidden.update(ast.walk(fetched))
            self.hidden.update(key for key in (() if feeds is None else feeds.keys) if key is not None)
            assert isinstance(site.node.func, ast.Attribute)
            self.hidden.update((site.node.func, *ast.walk(site.node.func.value)))
        self.hidden.update(node for change in self.changes for node in ast.walk(change.site.node))
        return tuple(found)

    def _arguments(self, site: RunSite, every: Sequence[ast.stmt]) -> tuple[ast.expr, ast.Dict | None]:
        """What a run fetches, and the dictionary of what it feeds."""
        call = site.node
        by_session = site.kind in _RUNS
        words = {keyword.arg for keyword in call.keywords}
        if not words <= ({"fetches", "feed_dict"} if by_session else {"feed_dict"}) or len(call.args) > 2:
            raise Refused(call, "the run is given options or metadata", "run it with fetches and feeds only")
        assert isinstance(call.func, ast.Attribute)
        fetched = argument(call, "fetches", 0) if by_session else call.func.value
        if fetched is None or _is_by_name(fetched):
            raise Refused(call, "something is fetched by its name", "fetch the tensor itself")
        feeds = argument(call, "feed_dict", 1 if by_session else 0)
        if isinstance(feeds, ast.Dict) or feeds is None:
            return fetched, feeds
        return fetched, self._named_feeds(site, feeds, every)

    def _named_feeds(self, site: RunSite, feeds: ast.expr, every: Sequence[ast.stmt]) -> ast.Dict:
        """A dictionary that is made for one run, under a name, and read by it: nothing may have changed until then."""
        refused = Refused(site.node, "what is fed is not known here", "write the feed dictionary into the call")
        name = feeds.id if isinstance(feeds, ast.Name) else ""
        made = [item for item in every if isinstance(item, ast.Assign) and name in stores_of(self.module, item)]
        loads = loads_in(self.module, name, self.inside)
        if len(made) != 1 or loads != [feeds] or not isinstance(made[0].value, ast.Dict):
            raise refused
        values = made[0].value.values
        run = next(index for index, item in enumerate(every) if site.node in set(ast.walk(item)))
        between = [item for item in every[every.index(made[0]) + 1 : run] if not self._initializes(item)]
        if not all(self._is_kept(value, between, every[run]) for value in values):
            raise refused
        self.hidden.update(ast.walk(made[0]))
        self.hidden.add(feeds)
        self.dropped.add(made[0])
        return made[0].value

    def _is_kept(self, value: ast.expr, between: Sequence[ast.stmt], run: ast.stmt) -> bool:
        """Whether a value is the same in the place of a run as in front of the statements before that."""
        if not self.state.computes(value):
            alone = not between and is_simple(run) and not self.state.draws(run)
            return alone and not changing_calls(run, self.module, self.calls)
        passed = [*between, *(() if is_simple(run) else (run,))]
        done = set().union(*(self.state.done_by(item, set()) for item in passed))
        return all(map(self.state.is_still, between)) and done.isdisjoint(self.state.read_by(value))

    @property
    def raises(self) -> bool:
        """Whether a run is to end with an error."""
        return any(map(self._is_raising, filter(self.runs_in, self.statements)))

    @property
    def ending(self) -> ast.With | None:
        """The last of several runs, where it is fed nothing and is to end with an error."""
        last = [item for item in self.statements if self.runs_in(item)][-1]
        fed = [known.fed for known in self.fetched if known.site.node in set(ast.walk(last))]
        plain = len(self.fetched) > 1 and not self.changes and fed == [{}]
        return last if plain and isinstance(last, ast.With) and self._is_raising(last) else None

    @property
    def computing(self) -> list[Fetched]:
        """The runs that may compute something: all but one that Python is to refuse, for what it fetches."""
        last = self.ending
        call = last.items[0].context_expr if last is not None else None
        expected = call.args[0] if isinstance(call, ast.Call) and call.args else None
        if last is None or not (isinstance(expected, ast.Name) and expected.id in _OF_PYTHON):
            return list(self.fetched)
        return [known for known in self.fetched if known.site.node not in set(ast.walk(last))]

    @property
    def may_lack_values(self) -> bool:
        """Whether a run is to end with an error that may be the want of initial values: nothing sets them before it."""
        raising = [item for item in self.statements if self.runs_in(item) and self._is_raising(item)]
        return self.initializing == 0 and not all(map(self._is_of_another_kind, raising))

    def _is_of_another_kind(self, item: ast.stmt) -> bool:
        """Whether an error is named that TensorFlow does not raise for variables without values."""
        call = item.items[0].context_expr if isinstance(item, ast.With) else None
        symbol = self.names.resolve(call.args[0]) if isinstance(call, ast.Call) and call.args else None
        return (symbol or "").startswith("tf.errors.") and symbol not in _WITHOUT_VALUES

    def _require_straight(self, every: Sequence[ast.stmt]) -> None:
        """Refuses runs that are none of the straight line, and variables that begin anew between runs."""
        running = [item for item in self.statements if self.runs_in(item)]
        blocks = [item for item in running if not (is_simple(item) or self._is_raising(item))]
        plain = all(map(self._is_plain_block, blocks))
        self.in_blocks = bool(blocks)
        initializing = {site.node for site in self.own if site.initializer_only}
        rest = {node for item in self.statements for node in ast.walk(item)}
        if not running or not plain or initializing & rest:
            raise Refused(self.test, "the session runs inside a block of a test", _ONE_RUN)
        raising = [item for item in running if self._is_raising(item)]
        if raising and (len(self.fetched) > 1 or self.changes) and raising != [self.ending]:
            raise Refused(self.test, "one of several runs ends with an error", _ONE_RUN)
        begun = every.index(running[0])
        if any(self._initializes(item) for item in every[begun:]):
            raise Refused(self.test, "variables are initialized behind a run", _ONE_RUN)
        opening = [block for block in self.sessions if isinstance(block, ast.With)]
        targets = [item.optional_vars for block in opening for item in block.items]
        named = {target.id for target in targets if isinstance(target, ast.Name)} | self.opened
        loads = set().union(*(loads_of(item, self.hidden) for item in self.statements))
        if named & loads:
            raise Refused(self.test, "the session is handed to other code", "run it in the test")

    def _is_plain_block(self, item: ast.stmt) -> bool:
        """Whether the runs of a block stand in loops and branches only, as simple statements of them."""
        if isinstance(item, ast.For | ast.If):
            parts = [part for part in (*item.body, *item.orelse) if self.runs_in(part)]
            heads = (item.test,) if isinstance(item, ast.If) else (item.target, item.iter)
            return not any(map(self.runs_in, heads)) and all(map(self._is_plain_block, parts))
        return is_simple(item) and not any(change.site.node in ast.walk(item) for change in self.changes)

    def _is_raising(self, item: ast.stmt) -> bool:
        """Whether a statement only says which error its one statement, with the run in it, ends with."""
        if not isinstance(item, ast.With | ast.Try) or len(item.body) != 1 or not is_simple(item.body[0]):
            return False
        if isinstance(item, ast.Try):
            return not any(map(self.runs_in, (*item.handlers, *item.orelse, *item.finalbody)))
        call = item.items[0].context_expr
        method = call.func if isinstance(call, ast.Call) else None
        return len(item.items) == 1 and isinstance(method, ast.Attribute) and method.attr in RAISING

    def require_own_graph(self, inside: Sequence[ast.AST]) -> None:
        """Refuses what is built or run beside the graph that the test makes."""
        within = set() if self.graph is None else set(ast.walk(self.graph))
        if self.graph is not None and not within.issuperset((*inside, *self.sessions)):
            raise Refused(self.graph, "the test makes a graph, and builds or runs another", "write a test for each")

    def parameters(self, items: Sequence[ast.stmt]) -> tuple[tuple[Parameter, ...], list[ast.stmt]]:
        """The placeholders among statements, in order, and the statements beside them."""
        fed = {name: value for known in self.fetched for name, value in known.fed.items()}
        found, rest = [], []
        for item in items:
            call = item.value if isinstance(item, ast.Assign) and len(item.targets) == 1 else None
            if isinstance(call, ast.Call) and self.names.resolve(call.func) == "tf.placeholder":
                assert isinstance(item, ast.Assign)
                found.append(_parameter(item.targets[0], call, fed))
            elif item not in self.dropped:
                rest.append(item)
        names = [parameter.name for parameter in found]
        missed = next((value for name, value in fed.items() if names.count(name) != 1), None)
        if missed is not None:
            raise Refused(missed, "something other than a placeholder is fed", "feed placeholders")
        return tuple(found), rest


def _fed(feeds: ast.Dict | None) -> dict[str, ast.expr]:
    """What is fed, by the names of the placeholders."""
    fed: dict[str, ast.expr] = {}
    for key, value in () if feeds is None else zip(feeds.keys, feeds.values, strict=True):
        if not isinstance(key, ast.Name):
            raise Refused(key or value, "a placeholder is fed that has no name of its own", "bind it to a name")
        fed[key.id] = value
    return fed


def _parameter(target: ast.expr, call: ast.Call, fed: Mapping[str, ast.expr]) -> Parameter:
    if not isinstance(target, ast.Name) or target.id not in fed or argument(call, "dtype", 0) is None:
        raise Refused(call, "a placeholder is made that the run does not feed", "make it where it is fed")
    return Parameter(target.id, call)


def _call_of(item: ast.withitem) -> ast.Call:
    assert isinstance(item.context_expr, ast.Call)
    return item.context_expr


def is_simple(item: ast.stmt) -> bool:
    """Whether a statement binds what it computes, or only computes it."""
    return isinstance(item, ast.Assign | ast.Expr)


def _is_by_name(fetched: ast.expr) -> bool:
    """Whether something may be fetched by its name."""
    named = any(isinstance(inner, ast.Attribute) and inner.attr == "name" for inner in ast.walk(fetched))
    return named or any(isinstance(leaf, ast.Constant) for leaf in leaves_of(fetched))


def leaves_of(fetched: ast.expr | None) -> Iterator[ast.expr]:
    if isinstance(fetched, ast.List | ast.Tuple):
        for item in fetched.elts:
            yield from leaves_of(item)
    elif isinstance(fetched, ast.Dict):
        for item in fetched.values:
            yield from leaves_of(item)
    elif fetched is not None:
        yield fetched
