"""A tree is often moved in parts: one package today, the rest next month. The parts share one graph, so code that is
rewritten now and code that stays TensorFlow 1 cannot run in one program until both are done. Each place where they meet
is told, with the files that come next.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.origins import dotted_names
from tf_migrate.rules import Change, Context, Rule

_SHOWN = 3


def find(context: Context) -> Iterator[Change]:
    """Looks at who imports this module, and at what it imports, among modules that are only read."""
    if not context.builds or not context.names.index.kept:
        return
    yield from _imported(context)
    yield from _importing(context)


def _importing(context: Context) -> Iterator[Change]:
    """Modules that stay TensorFlow 1 import this one."""
    index, body = context.names.index, context.module.tree.body
    users = [name for name in index.importers(context.module.name) if name in index.kept and index.holds_tf1(name)]
    if users and body and not context.module.is_skipped(body[0]):
        names = ", ".join(f"`{name}`" for name in users[:_SHOWN])
        more = f" and {len(users) - _SHOWN} more" if len(users) > _SHOWN else ""
        yield _told(
            context, body[0], f"{names}{more} import this module and stay TensorFlow 1 code in this run", users[0]
        )


def _imported(context: Context) -> Iterator[Change]:
    """This module imports modules that stay TensorFlow 1."""
    module, index = context.module, context.names.index
    for node, _ in module.imports:
        found = {index.find(module.package, dotted) for dotted in dotted_names(module.package, node)}
        for name in sorted(name for name in found if name in index.kept and index.holds_tf1(name)):
            if not module.is_skipped(node):
                yield _told(context, node, f"`{name}` stays TensorFlow 1 code in this run", name)


def _told(context: Context, node: ast.stmt, message: str, other: str) -> Change:
    next_step = f"rewrite `{other}` too before running them together"
    return Change(context.finding(node, "TFM302", message, severity="warning", next_step=next_step))


RULE = Rule(id="TFM302", name="border", before="", after="", find=find)
