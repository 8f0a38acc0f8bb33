"""One module from its plan to its text in the form of steps, and what is to be told of it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from tf_migrate.changes.application import Rewritten, changes_of, context_of, shims_of, text_of
from tf_migrate.names.canonical import Names
from tf_migrate.names.run_sites import function_around
from tf_migrate.options import Options
from tf_migrate.steps.draft import Unwritable
from tf_migrate.steps.emission import changes_of_plan
from tf_migrate.steps.plan import ModulePlan
from tf_migrate.steps.sites import sites_of_plan
from tf_migrate.syntax.run_texts import reads_as_run, root_of
from tf_migrate.syntax.unbound import newly_unbound
from tf_migrate.verify import told_once

_OF_BRIDGE = frozenset(
    {
        "open_graph",
        "Session",
        "InteractiveSession",
        "placeholder",
        "sparse_placeholder",
        "placeholder_with_default",
        "get_default_session",
        "get_session",
        "managed_session",
        "MonitoredSession",
        "MonitoredTrainingSession",
    }
)
"""What only a program on the bridge has in its text."""


def convert(names: Names, plan: ModulePlan, options: Options) -> Rewritten:
    """A module as its plan says; raises Unwritable where it cannot be written so."""
    module = names.module
    if module.skipped_lines:
        raise Unwritable(module.tree, "some lines are to be skipped")
    context = context_of(names)
    found, unchanged = changes_of(context, options)
    changes = changes_of_plan(context, plan, found)
    text = text_of(context, changes)
    if lost := newly_unbound(module, text):
        raise Unwritable(module.tree, f"`{min(lost)}` would be needed where it is not known")
    others = {ast.unparse(call.func) for call in module.calls if call not in plan.own_calls}
    own = {ast.unparse(call.func) for call in plan.own_calls} - others
    bridged = {path for node in plan.bridged if (path := function_around(module, node)) is not None}
    if left := next(_of_bridge(text, (context.compat, *names.tf_roots), names.compat_module, own, bridged), None):
        place = next((call for call in module.calls if ast.unparse(call) == left), module.tree)
        raise Unwritable(place, f"`{left}` would be left in the text, which only works on the bridge")
    sites = sites_of_plan(names, plan)
    findings = tuple(change.finding for change in changes if change.finding is not None)
    told_once(findings, sites)
    return Rewritten(text, findings, sites, unchanged, shims_of(context))


def _of_bridge(
    text: str, roots: Collection[str], package: str, own: Collection[str], bridged: Collection[str]
) -> Iterator[str]:
    """What a text has that only works on the bridge: names of the shims and of TF1, and runs of a default session.

    ``own`` are functions of the program's whose calls read as runs, ``bridged`` those that stay on the bridge.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return  # the verification tells it
    for node in _walk_without(tree, bridged):
        if isinstance(node, ast.Attribute) and node.attr in _OF_BRIDGE and root_of(node) in roots:
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{package}."):
            yield from (alias.name for alias in node.names if alias.name in _OF_BRIDGE)
        elif isinstance(node, ast.Call) and reads_as_run(node, roots) and ast.unparse(node.func) not in own:
            yield ast.unparse(node)


def _walk_without(node: ast.AST, bridged: Collection[str], path: str = "") -> Iterator[ast.AST]:
    """The nodes of a tree, without those in functions of some paths."""
    yield node
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _walk_without(inner, bridged, path)
        elif f"{path}{inner.name}" not in bridged:
            yield from _walk_without(inner, bridged, f"{path}{inner.name}.")
