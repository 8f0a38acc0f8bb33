"""Where a module runs a session: `sess.run(…)`, `tensor.eval(…)`, `op.run(…)`, `sess.make_callable(…)`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from tf_migrate.names.canonical import Names
from tf_migrate.names.sessions import Holders
from tf_migrate.report.model import SiteKind
from tf_migrate.syntax.module import Module

RUNS: dict[str, SiteKind] = {"run": "Session.run", "partial_run": "Session.run", "make_callable": "make_callable"}
_METHODS = (*RUNS, "eval", "run_step_fn")
FREEZING = frozenset({"tf.graph_util.convert_variables_to_constants"})
COUNTING = frozenset({"tf.train.global_step"})
_EVALUATION_KEYWORDS = frozenset({"feed_dict", "session"})


@dataclass(frozen=True, slots=True)
class RunSite:
    """One place that runs a session; `line` and `column` are 1-based, `function` the enclosing one."""

    node: ast.Call
    kind: SiteKind
    line: int
    column: int
    function: str | None
    initializer_only: bool
    freezes: bool = False
    """Whether it runs nothing, and only asks for what a run would compute as a graph of constants."""
    counts: bool = False
    """Whether it is a call of `tf.train.global_step`, which gives what it runs as a number of Python's."""

    @property
    def is_of_session(self) -> bool:
        """Whether the session itself is asked to run, and not TensorFlow."""
        return not (self.freezes or self.counts)


def find_sites(module: Module, names: Names) -> tuple[RunSite, ...]:
    """Every place of the module that runs a session, in order of place."""
    if not any(name in module.attributes for name in _METHODS):
        return ()
    holders = Holders.of(names)
    sites = []
    for node in module.calls:
        kind = _kind(node, holders, module)
        if kind is not None:
            line, column = module.position(node)
            sites.append(RunSite(node, kind, line, column, function_around(module, node), _initializes(node, holders)))
    return tuple(sorted(sites, key=lambda site: (site.line, site.column, -(site.node.end_lineno or 0))))


def find_given(module: Module, names: Names) -> tuple[RunSite, ...]:
    """Every place that gives TensorFlow the session, to freeze a part of the graph or to ask for the step."""
    sites = []
    for node in module.calls:
        symbol = names.resolve(node.func)
        if symbol in FREEZING or symbol in COUNTING:
            line, column = module.position(node)
            found = RunSite(node, "Session.run", line, column, function_around(module, node), initializer_only=False)
            sites.append(replace(found, freezes=symbol in FREEZING, counts=symbol in COUNTING))
    return tuple(sites)


def function_around(module: Module, node: ast.AST) -> str | None:
    """The dotted name of the functions and classes around a node."""
    named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    names = [place.name for place in module.around(node) if isinstance(place, named)]
    return ".".join(reversed(names)) or None


def _kind(call: ast.Call, holders: Holders, module: Module) -> SiteKind | None:
    if not isinstance(call.func, ast.Attribute):
        return None
    receiver, method = call.func.value, call.func.attr
    if method in RUNS and holders.is_session(receiver):
        if method == "make_callable":
            return "make_callable"
        return "MonitoredSession.run" if holders.is_monitored(receiver) else "Session.run"
    if method == "run_step_fn" and holders.is_monitored(receiver):
        return "MonitoredSession.run"
    if method in ("eval", "run") and _evaluates(call, receiver, holders):
        return "Tensor.eval" if method == "eval" else "Operation.run"
    if method == "eval" and _is_asked_in_session(call, holders, module):
        return "Tensor.eval"
    return None


def _is_asked_in_session(call: ast.Call, holders: Holders, module: Module) -> bool:
    """Whether the value of a bare `x.eval()`, whatever `x` is, is asked for inside a block of a session."""
    if call.args or call.keywords or holders.has_own_evaluation or holders.names.resolve(call.func) is not None:
        return False
    blocks = (place for place in module.around(call) if isinstance(place, ast.With))
    entered = any(holders.is_session(item.context_expr) for block in blocks for item in block.items)
    return entered and not isinstance(module.parents[call], ast.Expr)


def _evaluates(call: ast.Call, receiver: ast.expr, holders: Holders) -> bool:
    if holders.names.resolve(call.func) is not None:
        return False
    if any(keyword.arg in _EVALUATION_KEYWORDS for keyword in call.keywords):
        return True
    if call.args and holders.is_session(call.args[-1]) and not holders.has_own_evaluation:
        return isinstance(call.func, ast.Attribute) and call.func.attr == "eval"
    fed = call.args[0].keys if call.args and isinstance(call.args[0], ast.Dict) else []
    if fed and all(isinstance(key, ast.Name | ast.Attribute | ast.Subscript) for key in fed):
        return True
    return holders.is_element(receiver)


def _initializes(call: ast.Call, holders: Holders) -> bool:
    if not isinstance(call.func, ast.Attribute):
        return False
    if holders.is_session(call.func.value):
        fetches = call.args[0] if call.args else None
        for keyword in call.keywords:
            fetches = keyword.value if keyword.arg == "fetches" else fetches
        return fetches is not None and holders.is_initializer(fetches)
    return call.func.attr == "run" and holders.is_initializer(call.func.value)
