"""Parts of the graph that become a graph of constants: `convert_variables_to_constants(sess, sess.graph_def, ["y"])`.

Natively a function computes the outputs, and is frozen as it stands. Who reads the file knows its inputs and outputs by
their names; what else the graph holds is not the same, so nothing else of the result may be used.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from tf_migrate.names.run_sites import FREEZING, RunSite
from tf_migrate.stages.program import Unit
from tf_migrate.stages.runs import Fetch, Leaf, Run, Sequence
from tf_migrate.stages.summaries import is_graph
from tf_migrate.stages.values import Reads, Refused, Stage
from tf_migrate.syntax.arguments import argument
from tf_migrate.syntax.local_flow import definitions
from tf_migrate.syntax.module import Module

if TYPE_CHECKING:
    from tf_migrate.stages.evaluation import Evaluator

_WRITERS = frozenset({"tf.train.write_graph", "tf.io.write_graph"})
_STEP = 'freeze it as `convert_variables_to_constants(sess, sess.graph_def, ["output"])`'


def analyse_freezing(
    evaluator: Evaluator, units: list[Unit], site: RunSite, statement: ast.stmt, depth: int, *, initialized: bool
) -> Run:
    """What is frozen, as the run that would compute it; raises Refused where that is not sure."""
    call = site.node
    session, definition = argument(call, "sess", 0), argument(call, "input_graph_def", 1)
    listed = argument(call, "output_node_names", 2)
    if session is None or definition is None or listed is None or len(call.args) + len(call.keywords) > 3:
        raise Refused(call, "only some variables become constants", _STEP)
    if evaluator.value(session).stage is not Stage.SESSION:
        raise Refused(session, f"where the session `{ast.unparse(session)}` comes from is not known", "make it here")
    if not _is_definition(evaluator, definition):
        raise Refused(definition, f"`{ast.unparse(definition)}` is frozen, which may be another graph", _STEP)
    _require_bytes(evaluator, call)
    names = _names(evaluator.module, listed)
    if not names or len(set(names)) < len(names):
        raise Refused(listed, "the names of the outputs are not written out", _STEP)
    found = [_output(evaluator, units, name, listed) for name in names]
    leaves = [output.leaf for output in found]
    fetches: Fetch = leaves[0] if len(leaves) == 1 else Sequence(ast.List([]), tuple(leaves))
    function = evaluator.running[-1] if evaluator.running else None
    return Run(
        site,
        statement,
        fetches,
        (),
        {key: binding for output in found for key, binding in output.reads.items()},
        (),
        dict(evaluator.env),
        depth,
        initialized,
        function,
        freezes=tuple((name, output.call) for name, output in zip(names, found, strict=True)),
    )


def _is_definition(evaluator: Evaluator, node: ast.expr) -> bool:
    """Whether an expression is the whole graph of the session, as it stands."""
    if isinstance(node, ast.Attribute) and node.attr == "graph_def":
        return evaluator.value(node.value).stage is Stage.SESSION
    if (meant := _meant(evaluator.module, node)) is not node:
        return _is_definition(evaluator, meant)
    method = node.func if isinstance(node, ast.Call) and not (node.args or node.keywords) else None
    if not isinstance(method, ast.Attribute) or method.attr != "as_graph_def":
        return False
    return any(is_graph(evaluator, graph) for graph in (method.value, _meant(evaluator.module, method.value)))


def _meant(module: Module, node: ast.expr) -> ast.expr:
    """What a name is bound to, where that is one thing."""
    if isinstance(node, ast.Name) and len(found := definitions(module, node)) == 1 and found[0].kind == "value":
        return found[0].value or node
    return node


def names_what_is_frozen(evaluator: Evaluator, node: ast.Assign) -> bool:
    """Whether a statement only names the graph, or its definition, for the calls that freeze it."""
    if not isinstance(node.value, ast.Attribute | ast.Call) or len(node.targets) != 1:
        return False
    func = node.value.func if isinstance(node.value, ast.Call) else node.value
    default = evaluator.names.resolve(func) == "tf.get_default_graph"
    of_graph = isinstance(func, ast.Attribute) and func.attr in ("as_graph_def", "graph", "graph_def")
    return (default or of_graph) and _serves(evaluator, node.targets[0])


def _serves(evaluator: Evaluator, target: ast.expr) -> bool:
    """Whether every place that reads a name hands the graph's definition on to what freezes it."""
    module = evaluator.module
    scope = module.binding_scope(target) if isinstance(target, ast.Name) else None
    if scope is None or not isinstance(target, ast.Name) or len(scope.bindings[target.id]) != 1:
        return False
    loads = [load for load in module.loads.get(target.id, ()) if module.binding_scope(load) is scope]
    return bool(loads) and all(_is_handed_on(evaluator, load) for load in loads)


def _is_handed_on(evaluator: Evaluator, node: ast.AST) -> bool:
    module = evaluator.module
    parent = module.parents[node]
    if isinstance(parent, ast.Attribute) and parent.attr == "as_graph_def":
        node, parent = parent, module.parents[parent]
        if not isinstance(parent, ast.Call) or parent.func is not node:
            return False
        node, parent = parent, module.parents[parent]
    if isinstance(parent, ast.Call):
        return evaluator.names.resolve(parent.func) in FREEZING and argument(parent, "input_graph_def", 1) is node
    return isinstance(parent, ast.Assign) and len(parent.targets) == 1 and _serves(evaluator, parent.targets[0])


def _names(module: Module, node: ast.expr) -> list[str]:
    """The names in a list that is written out, or in a text that is split; none where that is not known."""
    if isinstance(node, ast.List | ast.Tuple):
        texts = [_text(module, item) for item in node.elts]
        return [text for text in texts if text] if all(texts) else []
    if (meant := _meant(module, node)) is not node:
        return _names(module, meant) if isinstance(meant, ast.Tuple | ast.Call) else []
    method = node.func if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords else None
    if isinstance(method, ast.Attribute) and method.attr == "split" and isinstance(node, ast.Call):
        text, mark = _text(module, method.value), _text(module, node.args[0])
        return text.split(mark) if text and mark else []
    return []


def _text(module: Module, node: ast.expr) -> str | None:
    """A text that is written out, or that of a name which is bound once to one."""
    meant = _meant(module, node)
    return meant.value if isinstance(meant, ast.Constant) and isinstance(meant.value, str) else None


class _Output(NamedTuple):
    """A tensor that is frozen: how it is fetched, what that reads, and the call that gives it."""

    leaf: Leaf
    reads: Reads
    call: ast.Call


def _output(evaluator: Evaluator, units: list[Unit], name: str, listed: ast.expr) -> _Output:
    """The tensor that the operation of a name gives."""
    for key, binding in evaluator.env.items():
        place = binding.node
        statement = None if place is None else evaluator.module.parents.get(place)
        call = statement.value if isinstance(statement, ast.Assign) else None
        if isinstance(place, ast.Name | ast.Attribute) and _gives(evaluator, call, name):
            assert isinstance(call, ast.Call)
            if binding.value.stage is Stage.TENSOR:
                evaluator.resolved[place] = binding
                return _Output(Leaf(place, binding.value), {key: binding}, call)
    for unit in units:
        call = unit.node.value if isinstance(unit.node, ast.Expr) else None
        if unit.value.stage is Stage.TENSOR and _gives(evaluator, call, name):
            assert isinstance(call, ast.Call)
            return _Output(Leaf(call, unit.value), unit.reads, call)
    raise Refused(listed, f"no tensor is known whose operation is given the name `{name}`", "bind it to a name")


def _gives(evaluator: Evaluator, call: ast.expr | None, name: str) -> bool:
    """Whether an expression is a call that gives its operation a name."""
    if not isinstance(call, ast.Call):
        return False
    place = 1 if evaluator.names.resolve(call.func) == "tf.identity" else len(call.args)
    given = argument(call, "name", place)
    return isinstance(given, ast.Constant) and given.value == name


def _require_bytes(evaluator: Evaluator, call: ast.Call) -> None:
    """Refuses a frozen graph of which more is used than what a file gets: its operations are others now."""
    module = evaluator.module
    place = module.parents[call]
    uses: list[ast.expr] = [call]
    if isinstance(place, ast.Assign) and place.value is call:
        target = place.targets[0]
        scope = module.binding_scope(target) if isinstance(target, ast.Name) else None
        if scope is None or len(place.targets) > 1 or not isinstance(target, ast.Name):
            raise Refused(call, "the frozen graph is kept in something else than a name", "name it")
        if len(scope.bindings[target.id]) > 1 or target.id in module.bound_globally:
            raise Refused(call, f"`{target.id}`, the frozen graph, is bound to something else as well", "name it")
        uses = [load for load in module.loads.get(target.id, ()) if module.binding_scope(load) is scope]
    for use in uses:
        parent = module.parents[use]
        outer = module.parents[parent]
        given = isinstance(parent, ast.Call) and evaluator.names.resolve(parent.func) in _WRITERS
        if not _is_written(module, parent, outer) and not (given and use in getattr(parent, "args", [])[:1]):
            what = "of the frozen graph more is used than its bytes, and it has other operations now"
            raise Refused(use, what, "only write it to a file")


def _is_written(module: Module, method: ast.AST, call: ast.AST) -> bool:
    """Whether the bytes of a frozen graph are given to something that writes them."""
    serialized = isinstance(method, ast.Attribute) and method.attr == "SerializeToString"
    if not serialized or not isinstance(call, ast.Call) or call.func is not method or call.args or call.keywords:
        return False
    outer = module.parents[call]
    return isinstance(outer, ast.Call) and isinstance(outer.func, ast.Attribute) and outer.func.attr == "write"
