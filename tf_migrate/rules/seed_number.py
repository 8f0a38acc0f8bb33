"""TensorFlow 1 took the number of operations in the graph as the second seed of random operations that have the graph's
seed alone. What compat builds counts as many, but for some functions (`tf_migrate/facts/operation_count.txt`) and for
gradients: numbers that are drawn behind these are others than they were, though the program has a seed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf_migrate.facts.operation_count import is_another
from tf_migrate.names.canonical import Names
from tf_migrate.names.drawing import SEEDS, draws
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.module import Module

_METHODS = {
    **{name: f"tf.train.Optimizer.{name}" for name in ("minimize", "apply_gradients")},
    "compute_gradients": "tf.gradients",
    "initialized_value": "tf.Variable.initialized_value",
}
_STEP = "give what draws behind it a seed of its own; `tf-migrate parity` draws the same numbers on both sides"
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Place = tuple[str, ast.Call, str]
"""The module, the call, and the symbol of something behind which the count is another."""


def find(context: Context) -> Iterator[Change]:
    """Looks at what each program with this module does, one call behind the other."""
    module, index = context.module, context.names.index
    if context.tf2 or not context.builds:
        return
    for program in sorted(index.importing(module.name) | {module.name}):
        names = {name: index.tree(name) for name in sorted(index.imported_by(program) | {module.name})}
        modules = [module if name == module.name else tree for name, tree in names.items()]
        found = _Program(context, program, [each for each in modules if each is not None]).first()
        if found is not None and found[0] == module.name and not module.is_skipped(found[1]):
            message = (
                f"TensorFlow 1 counted other operations for `{found[2]}`: what is drawn behind it, with the "
                "seed of the graph alone, gives other numbers"
            )
            told = context.finding(found[1], "TFM138", message, action="shimmed", severity="warning", next_step=_STEP)
            yield Change(told)
            return


@dataclass
class _Done:
    """What was done so far: the first call behind which the count is another, whether anything was drawn at all, and
    the call behind which it was.
    """

    counted: _Place | None = None
    drawn: bool = False
    found: _Place | None = None

    def then(self, other: _Done) -> None:
        """Adds what is done next."""
        self.found = self.found or (self.counted if other.drawn else None) or other.found
        self.counted = self.counted or other.counted
        self.drawn = self.drawn or other.drawn


class _Program:
    """The modules of a program, in which functions are followed where they are called."""

    def __init__(self, context: Context, program: str, modules: Sequence[Module]) -> None:
        self.modules = sorted(modules, key=lambda module: module.name == program)  # What it imports runs before it.
        index, compat = context.names.index, context.compat_module
        self.names = {
            module.name: context.names if module is context.module else Names(module, index, compat)
            for module in self.modules
        }
        self.functions: dict[str, list[tuple[Module, _Function]]] = {}
        for module in self.modules:
            for function in module.functions:
                if isinstance(function, _Function):
                    owner = module.parents[function]
                    made = owner.name if isinstance(owner, ast.ClassDef) and function.name == "__init__" else None
                    self.functions.setdefault(made or function.name, []).append((module, function))
        self._known: dict[ast.AST, _Done] = {}

    def first(self) -> _Place | None:
        """The first call behind which numbers are drawn that are others; None without a graph's seed."""
        texts = (module.source.text for module in self.modules)
        if not any("set_random_seed" in text for text in texts) or not any(
            self.names[module.name].of(call.func) in SEEDS for module in self.modules for call in module.calls
        ):
            return None
        main = _Done()
        for module in self.modules:
            main.then(self._done(module, module.tree.body))
        # Who calls what is left, and when, is not known: before all else, or behind it.
        left = _Done()
        for module, function in [pair for pairs in self.functions.values() for pair in pairs]:
            if function not in self._known:
                left.then(self._of(module, function))
        whole = _Done()
        for part in (left, main, left):
            whole.then(part)
        return whole.found

    def _of(self, module: Module, function: _Function | ast.Lambda) -> _Done:
        if function not in self._known:
            self._known[function] = _Done()  # One that calls itself does no more than it does.
            body = [function.body] if isinstance(function, ast.Lambda) else function.body
            self._known[function] = self._done(module, body)
        return self._known[function]

    def _done(self, module: Module, nodes: Sequence[ast.AST]) -> _Done:
        done = _Done()
        for node in nodes:
            if isinstance(node, _Function):
                done.then(self._done(module, node.decorator_list))
                continue
            if isinstance(node, ast.Lambda):
                done.then(self._of(module, node))
                continue
            inner = self._done(module, [*ast.iter_child_nodes(node)])
            done.then(inner)
            if isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.comprehension):
                done.then(inner)
            if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                done.then(inner)
            if isinstance(node, ast.Call):
                self._call(module, node, done)
        return done

    def _call(self, module: Module, call: ast.Call, done: _Done) -> None:
        symbol = self.names[module.name].of(call.func) or ""
        word = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        for given in [*call.args, *(keyword.value for keyword in call.keywords)]:
            if isinstance(given, ast.Name):
                self._follow(given.id, done)
        if symbol.startswith("tf."):
            another = is_another(symbol, call)
            done.then(_Done((module.name, call, symbol) if another else None, draws(call, symbol)))
        elif word in self.functions:
            self._follow(word, done)
        elif word in _METHODS and isinstance(call.func, ast.Attribute):
            done.then(_Done((module.name, call, _METHODS[word])))

    def _follow(self, word: str, done: _Done) -> None:
        for module, function in self.functions.get(word, ()):
            done.then(self._of(module, function))


RULE = Rule(id="TFM138", name="seed-number", before="", after="", find=find)
