"""The runs of a frozen graph, and that nothing else is done with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.run_sites import RunSite
from tf_migrate.stages.frozen.reading import Reader
from tf_migrate.stages.frozen.values import FrozenRun, Graph, Operation, Session, Tensor
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.local_flow import definitions
from tf_migrate.syntax.module import Module

_STEP = "write it as `sess.run(y, {x: value})`, of tensors that have names"
_SERVES = frozenset({"as_default", "get_tensor_by_name", "get_operation_by_name"})
_OF_SESSIONS = frozenset({"as_default", "close", "graph", "run"})


def read_runs(reader: Reader, sites: tuple[RunSite, ...], beside: set[ast.Call]) -> list[FrozenRun]:
    """The runs of the frozen graph, all but those `beside` it; raises Refused for what else is done with it."""
    runs = [_run(reader, site) for site in sites if site.node not in beside]
    used = {id(node) for run in runs for node in _tensors(run)}
    for node in ast.walk(reader.module.tree):
        value = reader.value(node)
        if value is None or isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        if id(node) not in used and not _serves(reader, node, value, {*beside, *(run.site.node for run in runs)}):
            what = ast.unparse(node)
            kind = {Graph: "graph", Session: "session of the frozen graph"}.get(type(value), "part of the frozen graph")
            raise Refused(node, f"`{what}`, a {kind}, is used for more than to run it", _STEP)
    return runs


def _run(reader: Reader, site: RunSite) -> FrozenRun:
    call = site.node
    session = reader.value(call.func.value) if isinstance(call.func, ast.Attribute) else None
    if site.kind != "Session.run" or not isinstance(session, Session):
        raise Refused(call, "this is not a run of a session of the frozen graph", _STEP)
    fetches, fed = argument(call, "fetches", 0), argument(call, "feed_dict", 1)
    if fetches is None or len(call.args) > 2 or any(word.arg not in ("fetches", "feed_dict") for word in call.keywords):
        raise Refused(call, "the run is given more than what to fetch and to feed", _STEP)
    made = _session_of(reader.module, call, session)
    feeds, dictionary = _feeds(reader, call, fed)
    several = isinstance(fetches, ast.List | ast.Tuple)
    nodes = fetches.elts if isinstance(fetches, ast.List | ast.Tuple) else [fetches]
    fetched = [(node, _tensor(reader, node)) for node in nodes]
    words = tuple(_word(node, tensor) for node, tensor in fetched)
    whole: ast.expr = call
    form = "tuple" if isinstance(fetches, ast.Tuple) else "list"
    outer = reader.module.parents[call]
    if several and len(nodes) == 1 and isinstance(outer, ast.Subscript) and _is_number(outer.slice, 0):
        whole, form = outer, "single"
    return FrozenRun(
        site,
        made,
        feeds,
        tuple(tensor for _, tensor in fetched),
        form if several else "single",  # type: ignore[arg-type]
        words,
        whole,
        dictionary,
    )


def _session_of(module: Module, call: ast.Call, session: Session) -> ast.Call:
    """The call that made the session of a run: that of the block around it, where there are several."""
    if len(session.made) == 1:
        return session.made[0]
    blocks = (place for place in module.around(call) if isinstance(place, ast.With))
    around = (item.context_expr for block in blocks for item in block.items)
    found = next((context for context in around if context in session.made), None)
    if not isinstance(found, ast.Call):
        raise Refused(call, "which session runs this is not known", "give each session a name of its own")
    return found


def _feeds(
    reader: Reader, call: ast.Call, fed: ast.expr | None
) -> tuple[tuple[tuple[Tensor, ast.expr], ...], ast.Assign | None]:
    """What a run feeds, and the statement right before it that says so, if one does."""
    dictionary = None
    if isinstance(fed, ast.Name):
        dictionary = _made_before(reader.module, call, fed)
        fed = dictionary.value
    if fed is None or (isinstance(fed, ast.Constant) and fed.value is None):
        return (), None
    if not isinstance(fed, ast.Dict) or any(key is None for key in fed.keys):
        raise Refused(fed, "what the run feeds is not written out", "feed it as `{x: value}`")
    pairs = [(_tensor(reader, key), value) for key, value in zip(fed.keys, fed.values, strict=True) if key is not None]
    texts = [ast.dump(tensor.name) + str(tensor.output) for tensor, _ in pairs]
    if len(set(texts)) < len(texts):
        raise Refused(fed, "one tensor is fed twice", "feed it once")
    return tuple(pairs), dictionary


def _made_before(module: Module, call: ast.Call, fed: ast.Name) -> ast.Assign:
    """The statement right before a run that makes what it feeds, and nothing else reads."""
    statement = module.statement_of(call)
    parent = module.parents[statement]
    block = next(
        (found for _, found in ast.iter_fields(parent) if isinstance(found, list) and statement in found), [statement]
    )
    place = block.index(statement)
    before = block[place - 1] if place else None
    scope = module.binding_scope(fed)
    loads = [load for load in module.loads[fed.id] if module.binding_scope(load) is scope]
    if isinstance(before, ast.Assign) and len(before.targets) == 1 and loads == [fed]:
        target = before.targets[0]
        if isinstance(target, ast.Name) and target.id == fed.id and fed.id not in module.bound_globally:
            return before
    raise Refused(fed, f"`{fed.id}`, what the run feeds, is not made right before it", "feed it as `{x: value}`")


def _tensor(reader: Reader, node: ast.expr) -> Tensor:
    """The tensor that a fetch or the key of a feed means."""
    value = reader.value(node)
    if isinstance(value, Tensor):
        return value
    text = node
    if value is None and isinstance(node, ast.Name) and len(found := definitions(reader.module, node)) == 1:
        text = (found[0].value if found[0].kind == "value" else None) or node
    if value is None and isinstance(text, ast.Constant) and isinstance(text.value, str) and ":" in text.value:
        return Tensor(node if isinstance(node, ast.Name) else text)
    if isinstance(value, Operation) or (isinstance(text, ast.Constant) and isinstance(text.value, str)):
        raise Refused(node, "the run asks for an operation of the frozen graph, and not for a tensor", _STEP)
    raise Refused(node, "the run fetches or feeds what is no known tensor of the frozen graph", _STEP)


def _word(node: ast.expr, tensor: Tensor) -> str:
    """A word for what is fetched: the name that it, or its operation, has here, or the last part of its own."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        node = node.value.value
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    text = (tensor.text or "value").partition(":")[0].rpartition("/")[2]
    return text if text.isidentifier() else "value"


def _is_number(node: ast.expr, number: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == number and not isinstance(node.value, bool)


def _tensors(run: FrozenRun) -> Iterator[ast.AST]:
    """The expressions in which a run names its tensors."""
    call = run.site.node
    fetches, fed = argument(call, "fetches", 0), argument(call, "feed_dict", 1)
    fed = run.dictionary.value if run.dictionary is not None else fed
    yield from fetches.elts if isinstance(fetches, ast.List | ast.Tuple) else [fetches] if fetches else []
    yield from (key for key in fed.keys if key is not None) if isinstance(fed, ast.Dict) else ()


def _serves(reader: Reader, node: ast.AST, value: object, runs: set[ast.Call]) -> bool:
    """Whether an expression of the graph stands where only a session or a run needs it."""
    module = reader.module
    parent = module.parents[node]
    outer = module.parents.get(parent)
    if isinstance(parent, ast.Assign) and parent.value is node:
        return True
    if isinstance(parent, ast.Tuple | ast.List) and isinstance(outer, ast.Assign) and outer.value is parent:
        return all(reader.value(part) is not None for part in parent.elts)
    if isinstance(value, Operation):
        return isinstance(parent, ast.Attribute) and isinstance(reader.value(outer), Tensor)
    if isinstance(value, Session):
        if isinstance(parent, ast.withitem):
            return True
        if not isinstance(parent, ast.Attribute) or parent.attr not in _OF_SESSIONS:
            return False
        if parent.attr == "graph":
            return True
        called = isinstance(outer, ast.Call) and outer.func is parent
        if parent.attr == "run":
            return outer in runs
        place = module.parents.get(outer) if outer is not None else None
        if parent.attr == "as_default":
            return called and isinstance(place, ast.withitem) and place.optional_vars is None
        return called and isinstance(place, ast.Expr)
    return isinstance(value, Graph) and _graph_serves(reader, node, parent, outer)


def _graph_serves(reader: Reader, node: ast.AST, parent: ast.AST, outer: ast.AST | None) -> bool:
    if isinstance(parent, ast.Attribute):
        called = isinstance(outer, ast.Call) and outer.func is parent
        return parent.attr in _SERVES and called and reader.value(outer) is not None
    if isinstance(parent, ast.withitem):
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "as_default"
    named = reader.value(node) == Graph(named=True)
    if isinstance(parent, ast.keyword) and isinstance(outer, ast.Call):
        return isinstance(reader.value(outer), Session) or (named and _passes(reader, outer))
    if isinstance(parent, ast.Call):
        return node in parent.args and named and _passes(reader, parent)
    return isinstance(parent, ast.Return) and isinstance(reader.value(parent.value), Graph)


def _passes(reader: Reader, call: ast.Call) -> bool:
    """Whether a call gives the graph to a function of the module, whose every call does."""
    function = reader.called(call) if isinstance(call.func, ast.Name) else None
    if function is None:
        return False
    loads = reader.module.loads[function.name]
    return all(isinstance(reader.module.parents[load], ast.Call) for load in loads)
