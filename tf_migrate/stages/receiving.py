"""Functions that run tensors which they are given: `def train(sess, step, x, data): sess.run(step, {x: data})`.

Natively such a function is given the functions that replace its runs. So of its tensors it may do nothing but fetch and
feed them. It is read behind the first call that tells which tensors they are; a call that hands it other ones has its
runs analysed anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf_migrate.stages.ahead import Ahead
from tf_migrate.stages.built_to_run import fetched_by
from tf_migrate.stages.entrances import local_names
from tf_migrate.stages.given import Given
from tf_migrate.stages.handing import filled, parameters, running_function
from tf_migrate.stages.savers import is_of_saver
from tf_migrate.stages.values import Reads, Refused, Value
from tf_migrate.syntax.arguments import argument

if TYPE_CHECKING:
    from tf_migrate.names.run_sites import RunSite
    from tf_migrate.stages.evaluation import Evaluator
    from tf_migrate.stages.runs import Run


@dataclass(frozen=True)
class Analysed:
    """A run of such a function, or a call of another one, as it was met: it is analysed anew with other tensors."""

    call: ast.Call
    statement: ast.stmt
    depth: int
    env: Reads
    frames: tuple[dict[str, Value], ...]


class Receiving(Ahead):
    """Reads the functions that are given tensors; `unread` are those of which no call was met so far."""

    sites: dict[ast.Call, RunSite]
    runs: list[Run]

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.unread: dict[ast.FunctionDef, tuple[ast.AST, Mapping[str, Value]]] = {}
        self.given: list[Given] = []
        self.analysed: dict[ast.FunctionDef, dict[ast.Call, Analysed]] = {}

    def read_running(self, node: ast.FunctionDef, site: ast.AST, known: Mapping[str, Value]) -> None:
        """Reads a function that runs the session; one that is given tensors is read behind the call that does it."""
        tensors = frozenset(tensor_parameters(self.evaluator, node))
        if tensors:
            self.evaluator.receivers[node] = tensors
            self.unread[node] = site, known
        else:
            self.read_body(node, site, known)

    def is_running(self, call: ast.Call) -> bool:
        """Whether a call runs the session, or may do so, or is one of a function that does."""
        known = running_function(self.evaluator, call) if isinstance(call.func, ast.Name) else None
        return call in self.sites or is_of_saver(self.evaluator, call) or known in self.evaluator.closed

    def reads_given(self) -> None:
        """Reads the functions that the last statement handed tensors to."""
        pending, self.evaluator.received = self.evaluator.received, []
        for given in pending:
            known = next((other for other in self.given if other.is_like(given)), None)
            if known is not None:
                known.calls.update(given.calls)
                continue
            self.given.append(given)
            self._read_with(given)

    def _read_with(self, given: Given) -> None:
        evaluator, function = self.evaluator, given.function
        before = evaluator.env, evaluator.frames, evaluator.running, evaluator.given
        state = self.depth, self.home, self.statement, evaluator.unit
        home = self.module.function_of(function)
        evaluator.env, evaluator.frames, evaluator.running, evaluator.given = dict(given.env), [], [], given
        self.depth, self.home = 0, home if isinstance(home, ast.FunctionDef) else None
        if function in self.unread:
            self._require_own_names(given)
            site, known = self.unread.pop(function)
            self.read_body(function, site, {**known, **given.tensors})
            self._require_run(given)
        else:
            self._analyse_anew(given)
        evaluator.env, evaluator.frames, evaluator.running, evaluator.given = before
        self.depth, self.home, self.statement, evaluator.unit = state

    def _analyse_anew(self, given: Given) -> None:
        """What a function runs that was read already, with other tensors."""
        self.evaluator.running = [given.function]
        for item in self.analysed.get(given.function, {}).values():
            self.evaluator.env = {**item.env, **given.tensors}
            self.evaluator.frames = list(item.frames)
            self.depth, self.statement = item.depth, item.statement
            self.evaluator.value(item.call)
            self.reads_given()
        self._forget(given)

    def called(self, node: ast.expr) -> None:
        """A function that runs the session is called."""
        super().called(node)
        if isinstance(node, ast.Call):
            self.notes_analysed(node)

    def notes_analysed(self, call: ast.Call) -> None:
        """Notes a run, or a call of another function that runs, with the first tensors that its function is given."""
        if self.evaluator.given is not None:
            env, frames = dict(self.evaluator.env), tuple(self.evaluator.frames)
            found = self.analysed.setdefault(self.evaluator.given.function, {})
            found.setdefault(call, Analysed(call, self.statement, self.depth, env, frames))

    def is_analysed(self, site: RunSite) -> bool:
        """Whether a run is known with the tensors that its function is given."""
        given = self.evaluator.given
        return given is not None and any(run.site is site and run.given is given for run in self.runs)

    def _require_own_names(self, given: Given) -> None:
        """Refuses a function of which a name means something else where it is called."""
        module, function = self.module, given.function
        around = {*module.around(function), function}
        places = {place for call, _ in given.calls for place in module.around(call)} - around
        callers = [place for place in places if isinstance(place, ast.FunctionDef)]
        hidden = {name for caller in callers for name in local_names(module, caller)}
        for node in ast.walk(function):
            if not isinstance(node, ast.Name) or self._is_bound_inside(node, function):
                continue
            binding = given.env.get(node.id)
            home = None if binding is None else binding.home
            if node.id in hidden or (home is not None and home not in around):
                what = f"`{node.id}` means one thing in `{function.name}` and another where that is called"
                raise Refused(node, what, "give one of them another name")

    def _is_bound_inside(self, name: ast.Name, function: ast.FunctionDef) -> bool:
        """Whether a name is one of a function, or of a comprehension in it."""
        scope = self.module.binding_scope(name)
        return scope is not None and (scope.node is function or function in self.module.around(scope.node))

    def _require_run(self, given: Given) -> None:
        """Refuses a tensor with which a function does something else than to run it."""
        for node in _uses(given):
            if node not in self.evaluator.run_parts:
                what = f"`{given.function.name}` uses the tensor `{node.id}`, which it is given, beside its runs"
                raise Refused(node, what, f"fetch or feed `{node.id}` only")
        self._forget(given)

    def _forget(self, given: Given) -> None:
        """What a parameter means is another tensor in each call."""
        for node in _uses(given):
            self.evaluator.resolved.pop(node, None)

    def require_given(self) -> None:
        """Refuses functions that no call hands their tensors."""
        for function, (site, _) in self.unread.items():
            what = f"`{function.name}` runs what it is given, and nothing here calls it"
            raise Refused(site, what, "call it, or remove it")


def _uses(given: Given) -> Iterator[ast.Name]:
    for node in ast.walk(given.function):
        if isinstance(node, ast.Name) and node.id in given.tensors:
            yield node


def tensor_parameters(evaluator: Evaluator, function: ast.FunctionDef) -> Iterator[str]:
    """The parameters of a function that its runs fetch or feed, or that it hands to another one for that."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    own = [evaluator.sites[call] for call in calls if call in evaluator.sites]
    fetched = [node for site in own for node in _written_out(function, fetched_by(site))]
    fed = [node for site in own for node in _written_out(function, _fed(site))]
    keys = [key for node in fed if isinstance(node, ast.Dict) for key in node.keys]
    keys += [node.slice for node in fed if isinstance(node, ast.Subscript)]
    parts = [*keys, *(part for node in fetched for part in _parts(node))]
    parts += [node for call in calls if call not in evaluator.sites for node in _handed_on(evaluator, call)]
    inner = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    stored = {node.id for node in inner if not isinstance(node.ctx, ast.Load)}
    taken = {part.id for part in parts if isinstance(part, ast.Name)} - stored
    bound = isinstance(evaluator.module.parents.get(function), ast.ClassDef)
    yield from (name for name in parameters(function, bound=bound) if name in taken)


def _handed_on(evaluator: Evaluator, call: ast.Call) -> Iterator[ast.expr]:
    """What a call hands to a function that is given tensors."""
    function = running_function(evaluator, call)
    tensors = evaluator.receivers.get(function, ()) if function is not None else ()
    if function is not None and tensors:
        names = parameters(function, bound=function in evaluator.methods)
        yield from (argument for name, argument in filled(call, names) if name in tensors)


def _fed(site: RunSite) -> ast.expr | None:
    if not site.is_of_session:
        return None
    return argument(site.node, "feed_dict", 1 if site.kind == "Session.run" else 0)


def _written_out(function: ast.FunctionDef, node: ast.expr | None) -> Iterator[ast.expr]:
    """What a run is given, and what a name of it is bound to, or filled with: `feed = {x: 1}`, then `feed[y] = 2`."""
    if node is None:
        return
    yield node
    name = node.id if isinstance(node, ast.Name) else ""
    for inner in ast.walk(function):
        target = inner.targets[0] if isinstance(inner, ast.Assign) else None
        if isinstance(inner, ast.Assign) and isinstance(target, ast.Name) and target.id == name:
            yield inner.value
        elif isinstance(target, ast.Subscript) and ast.unparse(target.value) == name:
            yield target


def _parts(node: ast.expr) -> Iterator[ast.Name]:
    """The names in what a run fetches."""
    if isinstance(node, ast.Name):
        yield node
    for item in node.elts if isinstance(node, ast.List | ast.Tuple) else ():
        yield from _parts(item)
    for item in node.values if isinstance(node, ast.Dict) else ():
        yield from _parts(item)
