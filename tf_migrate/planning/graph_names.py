"""The names of operations and scopes in a graph: TensorFlow 1 made each of them unique, whatever their case."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tf_migrate.stages.program import Program, Unit, scope_names
from tf_migrate.stages.summaries import SUMMARIES
from tf_migrate.stages.values import Refused

_SCOPES = frozenset({"tf.name_scope", "tf.variable_scope"})
_DEFAULTS = {"tf.train.Saver": "save", "tf.global_variables_initializer": "init", "tf.group": "group_deps"}
_METHODS = {"minimize": "gradients", "compute_gradients": "gradients"}
_OPERATORS = {
    ast.BinOp: "add sub mul truediv div floordiv mod pow matmul",
    ast.Compare: "greater greaterequal less lessequal equal notequal",
    ast.UnaryOp: "neg logicalnot",
    ast.Subscript: "strided_slice",
}


def names_at(program: Program) -> Iterator[tuple[Unit, GraphNames, str]]:
    """The statements in order, with the names that are taken before each, and the scope around it as TF1 counted it."""
    names, graph = GraphNames(names_in_functions(program)), 0
    for unit in program.units:
        if program.graph_of(unit.index) != graph:
            names, graph = GraphNames(names.anywhere), program.graph_of(unit.index)
        scope = names.entered(unit)
        yield unit, names, scope
        names.note(scope, words_of(program, unit.node))


@dataclass
class GraphNames:
    """The names in one graph: `used` as TensorFlow 1 counted them, `maybe` what operations may have taken.

    `anywhere` are the names that operations of functions may take in any scope.
    """

    anywhere: frozenset[str]
    used: dict[str, int] = field(default_factory=dict)
    maybe: set[str] = field(default_factory=set)
    blocks: dict[ast.With, str] = field(default_factory=dict)
    unsure: set[ast.With] = field(default_factory=set)

    def entered(self, unit: Unit) -> str:
        """The name of the scope around a statement, with a slash at its end."""
        scope = ""
        for block, name in zip(unit.scopes, scope_names(unit), strict=True):
            if block not in self.blocks:
                if self.is_taken(scope, name):
                    self.unsure.add(block)
                self.blocks[block] = self.unique(scope + name) + "/"
            scope = self.blocks[block]
        return scope

    def is_taken(self, scope: str, name: str) -> bool:
        """Whether an operation may have a name in a scope."""
        return name.lower() in self.anywhere or (scope + name).lower() in self.maybe

    def require_free(self, call: ast.Call, unit: Unit) -> None:
        """Refuses a summary where an operation, and not only other scopes, may have its name, or that of its scope."""
        word = literal(call.args[0])
        if self.is_taken(self.entered(unit), word) or not self.unsure.isdisjoint(unit.scopes):
            full = "/".join([*scope_names(unit), word])
            raise Refused(call, f"TF1 may have numbered the summary `{full}`: its name is taken", "rename it")

    def unique(self, name: str) -> str:
        """The name that a new scope gets."""
        key, number = name.lower(), self.used.get(name.lower(), 0)
        self.used[key] = number + 1
        if not number:
            return name
        while f"{key}_{number}" in self.used:
            number += 1
        self.used[f"{key}_{number}"] = 1
        return f"{name}_{number}"

    def note(self, scope: str, words: Iterator[str]) -> None:
        """Says which names the operations of a statement may have."""
        self.maybe.update(f"{scope}{word}".lower() for word in words)


def names_in_functions(program: Program) -> frozenset[str]:
    """The names that operations in functions, loops and conditions may have; these stand in any scope."""
    straight = {None, *program.entered.values()}
    module, found, free = program.module, set[str](), False
    for node in ast.walk(module.tree):
        if isinstance(node, ast.stmt) and module.function_of(node) not in straight:
            found.update(words_of(program, node))
            free = free or any(_is_named_freely(program, call) for call in _calls(node))
    if free:
        # A name that is computed may be any text that a function is given.
        given = (item for call in module.calls if program.names.resolve(call.func) is None for item in _given(call))
        found.update(literal(item).lower() for item in given)
    return frozenset(found - {""})


def _is_named_freely(program: Program, call: ast.Call) -> bool:
    """Whether a call of TensorFlow gives an operation, or a scope, a name that is not written out."""
    symbol = program.names.resolve(call.func)
    named = [word.value for word in call.keywords if word.arg in ("name", "scope")]
    named += call.args[:1] if symbol in _SCOPES else []
    return symbol is not None and any(not isinstance(item, ast.Constant) for item in named)


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(word.value for word in call.keywords)]


def words_of(program: Program, node: ast.AST) -> Iterator[str]:
    """The names that operations of some code have by default, or are given in it."""
    for inner in ast.walk(node):
        yield from next((words for kind, words in _OPERATORS.items() if isinstance(inner, kind)), "").split()
    for call in _calls(node):
        symbol = program.names.resolve(call.func)
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if symbol is None:
            yield _METHODS.get(method, method).lower()
        elif symbol not in SUMMARIES:
            word = symbol.rpartition(".")[2].lower()
            plain = word.removeprefix("reduce_").removesuffix("optimizer")
            yield from (word, plain, plain.replace("_", ""), _DEFAULTS.get(symbol, ""))
            yield from (literal(item).lower() for item in _given(call))


def literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
