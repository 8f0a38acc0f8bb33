"""Names of what is emitted: functions after what they do, variables as TF1 called them, locals that are free."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Sequence

from tf_migrate.names.canonical import Names
from tf_migrate.native.sharing import Core
from tf_migrate.plan import Function
from tf_migrate.stages.pairs import AssignEach
from tf_migrate.stages.program import Program
from tf_migrate.stages.runs import Leaf, leaves
from tf_migrate.stages.updates import Apply, Assign, Minimize
from tf_migrate.stages.values import PYTHON, Stage

_ENDINGS = re.compile(r"(?:_?(?:op|ops|operation|tensor|val|value))+$")
_PREDICTION = re.compile(r"^(?:y_)?pred|^hypothesis$|^logits?$|^predict|^outputs?$|^y_hat$", re.IGNORECASE)
_STEP = re.compile(r"(?:_?(?:op|opt|optim|train|step|solver|update|minimize))+$", re.IGNORECASE)
_LIMIT = 40


class Namer:
    """Gives out names that nothing in the module uses; `gone` are names that disappear from it."""

    def __init__(self, names: Names, gone: frozenset[str] = frozenset()) -> None:
        self.names = names
        self.gone = gone
        self.taken: set[str] = (set(dir(builtins)) | set(names.module.loads)) - gone

    def copy(self) -> Namer:
        """Another namer, which knows the names that are taken so far."""
        other = Namer(self.names, self.gone)
        other.taken = set(self.taken)
        return other

    def fresh(self, *candidates: str) -> str:
        """The first candidate that is free, else the last one with a number."""
        for candidate in candidates:
            if self._is_free(candidate):
                self.taken.add(candidate)
                return candidate
        number = 2
        while not self._is_free(f"{candidates[-1]}_{number}"):
            number += 1
        return self.fresh(f"{candidates[-1]}_{number}")

    def _is_free(self, name: str) -> bool:
        bound = self.names.is_bound(name) and name not in self.gone
        return name not in self.taken and not bound and name.isidentifier()


def names_gone(program: Program) -> frozenset[str]:
    """Names of steps, initializers and sessions: every statement that binds one leaves the script."""
    bound: dict[str, int] = {}
    for unit in program.units:
        if unit.value.stage in (Stage.EFFECT, Stage.INITIALIZER, Stage.SESSION):
            for name in unit.binds:
                bound[name] = bound.get(name, 0) + 1
    scopes = {id(scope): scope for scope in program.module.scopes.values()}
    everywhere = [name for scope in scopes.values() for name, found in scope.bindings.items() for _ in found]
    return frozenset(name for name, count in bound.items() if everywhere.count(name) == count)


def function_names(function: Function, several: bool) -> tuple[str, ...]:
    """Names for a function, best first; `several` says that the module has more than one training step."""
    if function.updates:
        minimizes = any(isinstance(update, Minimize | Apply) for update in function.updates)
        if sum(isinstance(update, Minimize | Apply) for update in function.updates) > 1:
            return ("train_step", "update_step")
        updated = [_plain(_dotted(leaf.node)) for leaf in _updating(function)]
        first = updated[0] if updated and updated[0] else "update"
        own = first if first.endswith("step") or first.startswith("update") else f"{first}_step"
        if _is_general(first) or (minimizes and not several):
            return ("train_step", own)
        if minimizes:
            return (own, "train_step")
        target = _plain(_dotted(_assigned(function.updates[0]))) if isinstance(function.updates[0], Assign) else ""
        each = isinstance(function.updates[0], AssignEach) and first == "update"
        return (f"update_{target}", own) if each else (first, own, f"update_{target}")
    if any(leaf.value.stage is Stage.FED for leaf in function.results):
        return ("make_dataset",)
    return _computing([_describe(leaf) for leaf in function.results])


def compute_names(words: Sequence[str]) -> tuple[str, ...]:
    """Names for a function that computes values of these names, best first."""
    return _computing([_plain(word).lower() for word in words])


def _computing(words: Sequence[str]) -> tuple[str, ...]:
    if len(words) == 1:
        return _single(words[0])
    both = "compute_" + "_and_".join(words)
    return (both, "evaluate") if len(words) == 2 and len(both) <= _LIMIT else ("evaluate", both)


def _assigned(update: Assign) -> ast.expr:
    """What an update assigns to: the variable, or the list that holds it."""
    if not isinstance(update, AssignEach):
        return update.variable
    loop = update.loop.generators[0]
    if isinstance(loop.target, ast.Name):
        return loop.iter
    names = [ast.unparse(item) for item in loop.target.elts] if isinstance(loop.target, ast.Tuple) else []
    lists = loop.iter.args if isinstance(loop.iter, ast.Call) else []
    return lists[names.index(ast.unparse(update.variable))] if len(lists) == len(names) else update.variable


def fetch_names(fetched: ast.expr) -> tuple[str, ...]:
    """Names for a function that gives what one run fetched, whatever that is, best first."""
    if isinstance(fetched, ast.List | ast.Tuple | ast.Dict):
        return ("evaluate", "compute_results")
    return _single(described(fetched))


def described(fetched: ast.expr) -> str:
    """A word for what a run fetched, whatever that is."""
    return _describe(Leaf(fetched, PYTHON))


def core_names(core: Core) -> tuple[str, ...]:
    """Names for a computation that several functions share, best first."""
    words = [unit.binds[0].rpartition(".")[2].lower() for unit in core.outputs]
    joined = "_and_".join(words)
    if len(f"compute_{joined}") > _LIMIT:
        joined = words[-1]
    return (f"compute_{joined}", f"{joined}_of")


def optimizer_names(step: str, *, several: bool) -> tuple[str, ...]:
    """Names for an optimizer that has none, best first: its step's, or one after its step if there are several."""
    own = [step] if "optimizer" in step else []
    subject = _STEP.sub("", step)
    apart = [f"{subject}_optimizer"] if several and subject else []
    return (*own, *apart, "optimizer", f"{step}_optimizer")


def _single(word: str) -> tuple[str, ...]:
    name = f"compute_{word}"
    return ("predict", name) if _PREDICTION.search(word) else (name,)


def _is_general(word: str) -> bool:
    return word in ("train", "optimizer", "train_op", "step", "minimize", "training", "train_step", "opt", "optim")


def _updating(function: Function) -> list[Leaf]:
    return [leaf for leaf in leaves(function.fetches) if leaf.value.updates]


def _describe(leaf: Leaf) -> str:
    """A word for a fetched expression: the name it has, or what is computed of which name."""
    if leaf.name is not None:
        return _plain(leaf.name).lower()
    node = leaf.node
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return _plain(_dotted(node.func)).lower()
        operation = _plain(_dotted(node.func)).lower()
        inner = next((_dotted(item) for item in node.args if _dotted(item)), "")
        return "_".join(word for word in (_plain(inner).lower(), operation) if word) or "value"
    if isinstance(node, ast.Subscript):
        return _describe(Leaf(node.value, leaf.value))
    if isinstance(node, ast.BinOp | ast.UnaryOp):
        names = {inner.id: None for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        return _plain(next(iter(names))).lower() if len(names) == 1 else "value"
    return _plain(_dotted(node)).lower() or "value"


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return _dotted(node.value)
    return ""


def _plain(word: str) -> str:
    return _ENDINGS.sub("", word) or word
