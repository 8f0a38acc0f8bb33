"""One run of the session: what it fetches, what it feeds, what it does, and which bindings it sees."""

from __future__ import annotations

import ast
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.aliases import meant, require_meant
from tf_migrate.stages.arguments import require_only
from tf_migrate.stages.assertions import ASSERTION
from tf_migrate.stages.built_to_run import built_for
from tf_migrate.stages.feeds import has_to_stay, label, unknown
from tf_migrate.stages.restarts import Restart
from tf_migrate.stages.updates import Update
from tf_migrate.stages.values import TENSORS, Binding, Reads, Refused, Stage, Start, Value, flatten
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator
    from tf_migrate.stages.given import Given

_OF_SESSIONS = frozenset({"Session.run", "MonitoredSession.run"})
_ERRORS = frozenset({"TypeError", "ValueError"})
_KINDS = _OF_SESSIONS | {"Tensor.eval", "Operation.run"}


@dataclass(frozen=True)
class Leaf:
    """One fetched thing; `name` is the name it is fetched by, if it has one.

    `given` is the parameter that holds it, in a function that is given tensors; `node` is then where it is made.
    """

    node: ast.expr
    value: Value
    name: str | None = None
    given: ast.Name | None = None

    @property
    def is_dropped(self) -> bool:
        """Whether the session gives None for it: an operation."""
        return self.value.stage is Stage.EFFECT and self.value.grouped


@dataclass(frozen=True)
class Sequence:
    """A list or tuple of fetches."""

    node: ast.List | ast.Tuple
    items: tuple[Fetch, ...]


@dataclass(frozen=True)
class Mapping:
    """A dictionary of fetches; the keys are Python's."""

    node: ast.Dict
    items: tuple[Fetch, ...]


Fetch: TypeAlias = Leaf | Sequence | Mapping


@dataclass(frozen=True)
class Feed:
    """One fed placeholder: its binding's name, and the expression of the value; `held` is a dictionary that stays."""

    placeholder: Binding
    name: str
    value: ast.expr
    held: ast.expr | None = None
    key: str = ""

    @property
    def calls(self) -> bool:
        """Whether the run itself computes the value."""
        return self.held is None and any(isinstance(inner, ast.Call) for inner in ast.walk(self.value))


@dataclass(frozen=True)
class Run:
    """One run.

    `env` are the bindings in force where it stands, `depth` the number of blocks around it; `initialized` says that the
    initializer of all variables ran before, `ready` are variables that had one of their own run, those older than the
    unit `stale` were initialized anew since they were used. `function` is the script's function that it stands in.
    """

    site: RunSite
    statement: ast.stmt
    fetches: Fetch
    feeds: tuple[Feed, ...]
    reads: Reads
    impure: tuple[ast.expr, ...]
    env: Reads
    depth: int
    initialized: bool
    function: ast.FunctionDef | None
    ready: frozenset[ast.Call] = frozenset()
    stale: int = 0
    restarts: tuple[Restart, ...] = ()
    """Those before it that gave variables their first values again."""
    start: Start | None = None
    """The iterator that the run begins, by feeding its dataset."""
    watched: tuple[Leaf, ...] = ()
    """The tensors that the hooks of a monitored session ask for beside."""
    fetched: Reads = field(default_factory=dict)
    """What a run of a monitored session reads without these."""
    monitored: bool = False
    crossed: frozenset[Binding] = frozenset()
    """The fed tensors that are computed as well, because gradients go through them."""
    freezes: tuple[tuple[str, ast.Call], ...] = ()
    """The names of what it asks for as a graph of constants, each with the call that gives it."""
    given: Given | None = None
    """The tensors that its function is given."""

    @property
    def replaced(self) -> frozenset[Binding]:
        """The tensors that it feeds though they are no placeholders."""
        return frozenset(feed.placeholder for feed in self.feeds if feed.placeholder.value.stage is Stage.TENSOR)

    @property
    def cut(self) -> frozenset[Binding]:
        """The fed tensors of which nothing is computed."""
        return self.replaced - self.crossed

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """All fetched things, in order."""
        return tuple(leaves(self.fetches))

    @property
    def updates(self) -> tuple[Update, ...]:
        """What the run does, each update once, in the order of the fetches."""
        return tuple(dict.fromkeys(update for leaf in self.leaves for update in leaf.value.updates))


def leaves(fetch: Fetch) -> list[Leaf]:
    """The fetched things of a structure, in order."""
    if isinstance(fetch, Leaf):
        return [fetch]
    return [leaf for item in fetch.items for leaf in leaves(item)]


def analyse_run(evaluator: Evaluator, site: RunSite, statement: ast.stmt, depth: int, *, initialized: bool) -> Run:
    """Analyses one run; raises Refused where it is not sure."""
    call = site.node
    if site.kind not in _KINDS or (site.kind == "MonitoredSession.run" and not _is_run(call)):
        raise Refused(call, f"{site.kind} is not understood by the native tier", "call `Session.run`")
    if evaluator.active or any(value.is_graph for frame in evaluator.frames for value in frame.values()):
        raise Refused(call, "the session runs inside a comprehension over parts of the graph", "write it as a loop")
    fetched, feeds = _arguments(evaluator, site)
    if fetched is None:
        raise Refused(call, "nothing is fetched", "fetch something")
    built = built_for(evaluator.module, evaluator.names, fetched)
    fetched = built.value if built is not None and depth else fetched
    evaluator.fetching = True
    try:
        with evaluator.collecting() as (reads, impure):
            fetches = _fetch(evaluator, fetched)
            if built is not None and depth and isinstance(fetches, Leaf):
                fetches = replace(fetches, name=ast.unparse(built.targets[0]))
    finally:
        evaluator.fetching = False
    function = evaluator.running[-1] if evaluator.running else None
    run = Run(
        site, statement, fetches, feeds, dict(reads), tuple(impure), dict(evaluator.env), depth, initialized, function
    )
    if evaluator.given is not None:
        run = replace(run, env=evaluator.given.env, given=evaluator.given)
    _require_known_order(run)
    if feeds:
        _require_known_errors(evaluator.module, call)
    return _watched(evaluator, run)


def _watched(evaluator: Evaluator, run: Run) -> Run:
    """A run beside a monitored session, or of it: then its hooks ask for more."""
    found, call = evaluator.monitor, run.site.node
    if found is None or call not in ast.walk(found.node):
        return run
    method = call.func if run.site.is_of_session and run.site.kind in _OF_SESSIONS else None
    if not isinstance(method, ast.Attribute) or evaluator.value(method.value).stage is not Stage.MONITOR:
        raise Refused(call, "something else than the monitored session runs inside of it", "run the session itself")
    alone = isinstance(run.statement, ast.Expr | ast.Assign) and run.statement.value is call
    if not alone or evaluator.running:
        raise Refused(call, "the monitored session runs inside another expression", "run it in a statement of its own")
    leaves, reads = [], dict(run.reads)
    for item in found.watched:
        assert isinstance(item.binding.node, ast.Name)
        if reads.setdefault(item.node.id, item.binding) is not item.binding:
            raise Refused(call, f"`{item.node.id}` is another tensor for the hooks", "give each a name of its own")
        leaves.append(Leaf(item.binding.node, item.binding.value))
    return replace(run, reads=reads, fetched=run.reads, watched=tuple(leaves), monitored=True)


def _is_run(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "run"


def analyse_start(evaluator: Evaluator, site: RunSite, statement: ast.stmt, depth: int, start: Start) -> Run:
    """Analyses a run that begins an iterator: what it fetches is the dataset, made of what is fed."""
    _, feeds = _arguments(evaluator, site)
    with evaluator.collecting() as (reads, impure):
        made = evaluator.value(start.dataset)
    function = evaluator.running[-1] if evaluator.running else None
    env = dict(evaluator.env)
    leaf = Leaf(start.dataset, made)
    return Run(site, statement, leaf, feeds, dict(reads), tuple(impure), env, depth, True, function, start=start)


def _arguments(evaluator: Evaluator, site: RunSite) -> tuple[ast.expr | None, tuple[Feed, ...]]:
    """What a run is given: its fetches, and what it feeds."""
    call = site.node
    if site.counts:
        return _counted(evaluator, call), ()
    assert isinstance(call.func, ast.Attribute)
    receiver = call.func.value
    by_session = site.kind in _OF_SESSIONS
    if site.kind == "Tensor.eval" and evaluator.value(receiver).stage is Stage.VARIABLE:
        call = _with_session(call)
    allowed = {"fetches", "feed_dict"} if by_session else {"feed_dict", "session"}
    if any(keyword.arg not in allowed for keyword in call.keywords) or len(call.args) > 2:
        raise Refused(call, "the run is given options or metadata", "run it with fetches and feeds only")
    for keyword in call.keywords:
        if keyword.arg == "session" and evaluator.value(keyword.value).stage is not Stage.SESSION:
            text = ast.unparse(keyword.value)
            raise Refused(call, f"where the session `{text}` comes from is not known", "make it here")
    if by_session and evaluator.value(receiver).stage not in (Stage.SESSION, Stage.MONITOR):
        raise Refused(call, f"where the session `{ast.unparse(receiver)}` comes from is not known", "make it here")
    fetched = argument(call, "fetches", 0) if by_session else receiver
    return fetched, _feeds(evaluator, call, argument(call, "feed_dict", 1 if by_session else 0))


def _counted(evaluator: Evaluator, call: ast.Call) -> ast.expr | None:
    """The step that `tf.train.global_step` is asked for."""
    require_only(call, ("sess", "global_step_tensor"), ())
    session = argument(call, "sess", 0)
    if session is None or evaluator.value(session).stage is not Stage.SESSION:
        raise Refused(call, "where the session that is asked for the step comes from is not known", "make it here")
    return argument(call, "global_step_tensor", 1)


def _with_session(call: ast.Call) -> ast.Call:
    """A call of a variable's `eval`, which takes the session first and feeds nothing, as a tensor's takes it."""
    given = [*(ast.keyword("session", value) for value in call.args), *call.keywords]
    if len(given) > 1:
        raise Refused(call, "a variable is asked for its value with more than the session", "give it the session")
    return ast.copy_location(ast.Call(call.func, [], given), call)


def _fetch(evaluator: Evaluator, node: ast.expr) -> Fetch:
    if isinstance(node, ast.List | ast.Tuple) and not any(isinstance(item, ast.Starred) for item in node.elts):
        return Sequence(node, tuple(_fetch(evaluator, item) for item in node.elts))
    if isinstance(node, ast.Dict) and None not in node.keys:
        return Mapping(node, tuple(_fetch(evaluator, item) for item in node.values))
    if evaluator.given is not None and isinstance(node, ast.Name) and node.id in evaluator.given.tensors:
        return _given(evaluator, node, evaluator.given.tensors[node.id])
    known = meant(evaluator, node)
    if known is not node and isinstance(known, ast.List | ast.Tuple | ast.Dict):
        fetch = _fetch(evaluator, known)
        require_meant(evaluator, node, known)
        return fetch
    node = known
    with evaluator.fetching_names() if isinstance(node, ast.Name | ast.Attribute) else nullcontext():
        value = evaluator.value(node)
    if value.stage not in TENSORS and value.stage is not Stage.EFFECT:
        raise Refused(node, f"`{ast.unparse(node)}` is fetched, and what it is is not known", "fetch it by its name")
    if value.symbol == ASSERTION:
        raise Refused(node, "an assertion is fetched", "fetch what waits for it")
    if len({part.stage is Stage.EFFECT for part in flatten([value])}) > 1:
        raise Refused(node, "updates and tensors are fetched as one", "fetch each by a name")
    if any(part.stage is Stage.VARIABLES for part in flatten([value])):
        raise Refused(node, "variables of layers are fetched as a list", "fetch each by a name")
    return Leaf(node, value)


def _given(evaluator: Evaluator, node: ast.Name, binding: Binding) -> Leaf:
    """A fetched tensor that the function is given."""
    evaluator.run_parts.add(node)
    with evaluator.fetching_names():
        evaluator.note_seen(node.id, binding)
    if binding.value.symbol == ASSERTION:
        raise Refused(node, "an assertion is fetched", "fetch what waits for it")
    assert isinstance(binding.node, ast.Name | ast.Attribute)
    return Leaf(binding.node, binding.value, given=node)


def _feeds(evaluator: Evaluator, call: ast.Call, node: ast.expr | None) -> tuple[Feed, ...]:
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return ()
    value = evaluator.value(node)
    if value.stage is Stage.PYTHON and isinstance(node, ast.Dict) and not node.keys:
        return ()
    if value.stage is not Stage.FEED or not isinstance(value.node, ast.Dict):
        raise unknown(evaluator, node)
    stays = False
    if value.node is not node:
        stays = has_to_stay(evaluator, node, call, value)
        if evaluator.given is not None:
            # Other tensors may be of another type than those that the dictionary was read with.
            evaluator.value(value.node)
    feeds: list[Feed] = []
    for key, fed in zip(value.node.keys, value.node.values, strict=True):
        name, binding = _placeholder(evaluator, key or node)
        evaluator.run_parts.add(key or node)
        if any(feed.placeholder is binding for feed in feeds):
            raise Refused(key or node, f"`{name}` is fed twice, under two names", "feed it once")
        feeds.append(Feed(binding, name, fed, node if stays else None, label(key or node)))
    return tuple(feeds)


def _placeholder(evaluator: Evaluator, key: ast.expr) -> tuple[str, Binding]:
    """The name under which something is fed, and its binding: a placeholder has its first one."""
    made = evaluator.value(key).node
    known = None if made is None else evaluator.placeholders.get(made)
    name = evaluator.key_of(key)
    if known is None and name is None:
        raise Refused(key, "a placeholder is fed that has no name of its own", "bind it to a name")
    return known or (str(name), evaluator.env[str(name)])


def _require_known_errors(module: Module, call: ast.Call) -> None:
    """Refuses a run in a `try` that handles what TF1 raised for a value of another shape: it is another error now."""
    inner: ast.AST = call
    for place in module.around(call):
        if isinstance(place, ast.Try) and inner in place.body:
            handled = (known for handler in place.handlers if handler.type for known in ast.walk(handler.type))
            word = next((known.id for known in handled if isinstance(known, ast.Name) and known.id in _ERRORS), None)
            if word is not None:
                what = f"`{word}` of a run is handled, and TensorFlow 2 raises another error for what is fed wrongly"
                raise Refused(call, what, "check the value before, or handle `Exception`")
        inner = place


def _require_known_order(run: Run) -> None:
    """Refuses a tensor that may alias a variable the run updates: TF1 reads it after the update."""
    for leaf in run.leaves:
        aliases = any(part.stage is Stage.TENSOR and part.variables for part in flatten([leaf.value]))
        if aliases and run.updates:
            raise Refused(
                leaf.node,
                "a tensor that shares the memory of a variable is fetched beside its update",
                "fetch the variable itself",
            )
