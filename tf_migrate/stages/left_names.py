"""Names that a section of a script leaves behind: where one is read before it is bound to something else."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from tf_migrate.stages.sections import Section
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.unbound import is_global

_DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class LeftNames:
    """Goes through what stands behind a section; `names` are those that still mean what the section bound them to."""

    def __init__(self, module: Module, names: Iterable[str]) -> None:
        self.module = module
        self.names = set(names)
        whole = Section(tuple(module.tree.body))
        self.known = {name: node for node, name in whole.definitions}

    def read_by(self, statements: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
        """The statements that read such a name, or call a function that does, each with the first name."""
        for node in statements:
            if isinstance(node, ast.With):
                yield from self._found(node, *node.items)
                self.names -= _bound(*node.items)
                yield from self.read_by(node.body)
            elif isinstance(node, ast.If | ast.For | ast.While):
                yield from self._block(node)
            elif isinstance(node, _DEFINITION):
                yield from self._found(node, *_evaluated(node))
                self.names.discard(node.name)
            else:
                yield from self._found(node, node)
                if isinstance(node, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom):
                    self.names -= _bound(node)

    def _block(self, node: ast.If | ast.For | ast.While) -> Iterator[tuple[ast.stmt, str]]:
        """What a block binds that may not run is not bound behind it."""
        yield from self._found(node, node.iter if isinstance(node, ast.For) else node.test)
        before = set(self.names)
        for branch in (node.body, node.orelse):
            self.names = before - (_bound(node.target) if isinstance(node, ast.For) and branch is node.body else set())
            yield from self.read_by(branch)
        self.names = before

    def _found(self, statement: ast.stmt, *nodes: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
        found = self.names.intersection(name for node in nodes for name in self._reads(node, set()))
        if found:
            yield statement, min(found)

    def _reads(self, node: ast.AST, called: set[str]) -> set[str]:
        """The names of the module that an expression or statement reads, itself or by the functions that it names."""
        found = {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and self._is_read(name)}
        if isinstance(node, ast.AugAssign | ast.Delete):
            found |= _bound(node)
        for name in found & self.known.keys() - called:
            called.add(name)
            found = found | self._reads(self.known[name], called)
        return found

    def _is_read(self, name: ast.Name) -> bool:
        return isinstance(name.ctx, ast.Load) and is_global(self.module, name)


def _bound(*nodes: ast.AST) -> set[str]:
    """The names that are bound anywhere in some nodes."""
    inner = [item for node in nodes for item in ast.walk(node)]
    found = {item.id for item in inner if isinstance(item, ast.Name) and not isinstance(item.ctx, ast.Load)}
    aliases = [item for item in inner if isinstance(item, ast.alias)]
    return found | {(item.asname or item.name).partition(".")[0] for item in aliases}


def _evaluated(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.AST]:
    """What is computed where a function or class is defined."""
    if isinstance(node, ast.ClassDef):
        inner = [_evaluated(item) if isinstance(item, _DEFINITION) else [item] for item in node.body]
        return [*node.decorator_list, *node.bases, *node.keywords, *chain.from_iterable(inner)]
    return [*node.decorator_list, node.args]
