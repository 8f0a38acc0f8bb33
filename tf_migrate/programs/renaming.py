"""The names of a function, where its statements stand in another place: its own, and its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Scope, bound_as_text

_REPEATED = ast.For | ast.While | ast.AsyncFor | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_LATER = ast.Lambda | ast.GeneratorExp
_WRITTEN = ast.Constant | ast.UnaryOp | ast.unaryop


@dataclass(frozen=True)
class Taken:
    """A name of the function that another text takes the place of."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Renaming:
    """What becomes of a function's names where it is called.

    `edits` change its text, `given` are the parameters that stay names and what they hold, `results` the targets of the
    call and what each is: without those whose value has the target's name already. A target of "" is none.
    """

    edits: tuple[Taken, ...]
    given: tuple[tuple[str, ast.expr], ...]
    results: tuple[tuple[str, ast.expr], ...]


class _Refused(Exception):
    """Names that cannot stand where the function is called."""


def renaming(
    names: Names, function: ast.FunctionDef, call: ast.Call, statement: ast.Assign | ast.Expr, *, once: bool
) -> Renaming | None:
    """How a function's names are spelled where it is called, `once` in the text; None where that is not known."""
    try:
        return _Spelling(names, function, call, statement, once).renaming()
    except _Refused:
        return None


class _Spelling:
    """Chooses the names for one call."""

    def __init__(
        self, names: Names, function: ast.FunctionDef, call: ast.Call, statement: ast.Assign | ast.Expr, once: bool
    ) -> None:
        self.sources = names
        self.module = module = names.module
        self.function = function
        self.call = call
        self.statement = statement
        self.own = next(scope for scope in module.every_scope if scope.node is function)
        self.receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        self.there = module.scopes[self.receiver or call.func]
        inside = {node for part in function.body for node in ast.walk(part)}
        self.names = [node for node in module.scopes if node in inside and isinstance(node, ast.Name)]
        self.inner = {word for scope in module.every_scope if scope.node in inside for word in scope.bindings}
        self.read = {node.id for node in self.names if module.binding_scope(node) in (None, module.root)}
        self.as_text = {word for word, _ in bound_as_text(function) if word != function.name}
        around = list(module.around(statement))
        self.once = (
            once
            and not any(isinstance(outer, _REPEATED) for outer in around)
            and all(
                len(module.loads.get(outer.name, [])) == 1 for outer in around if isinstance(outer, ast.FunctionDef)
            )
        )
        self.spelled: dict[str, str] = {}
        self.texts: dict[str, str] = {}

    def renaming(self) -> Renaming:
        """All that the names become."""
        self._require_seen()
        results = self._results()
        given = self._parameters()
        for word in self.own.bindings:
            if word not in self.spelled and word not in self.texts:
                self._choose(word)
        edits = [edit for node in self.names if (edit := self._edit(node)) is not None]
        named = tuple((self.spelled[word], value) for word, value in given)
        edits.sort(key=lambda edit: edit.start)
        return Renaming(tuple(edits), named, results)

    def _require_seen(self) -> None:
        """Refuses a function that reads names which mean something else where it is called, or would see later ones."""
        later = any(isinstance(node, _LATER) for part in self.function.body for node in ast.walk(part))
        if later and not self.once:
            raise _Refused
        scope: Scope | None = self.there
        while scope is not None and scope is not self.module.root:
            hidden = self.read & (scope.bindings.keys() | scope.elsewhere.keys())
            if not all(self._is_imported_again(word) for word in hidden):
                raise _Refused
            scope = scope.parent

    def _is_imported_again(self, word: str) -> bool:
        """Whether the caller has imported, before the call, what the module means by a name."""
        found = self.there.bindings.get(word, [])
        before = [item[0].lineno < self.call.lineno for item in found if isinstance(item, tuple)]
        own = self.sources.lookup(word, self.there)
        same = own is not None and own == self.sources.lookup(word, self.module.root)
        return same and all(before) and len(before) == len(found) > 0

    def _results(self) -> tuple[tuple[str, ast.expr], ...]:
        """The targets and their values; a local name that is returned takes the target's name."""
        end = self.function.body[-1]
        value = end.value if isinstance(end, ast.Return) else None
        if isinstance(self.statement, ast.Expr):
            return () if value is None or isinstance(value, ast.Name | ast.Constant) else (("", value),)
        if value is None or len(self.statement.targets) != 1:
            raise _Refused
        target = self.statement.targets[0]
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple | ast.List):
            if not isinstance(value, ast.Tuple | ast.List) or len(value.elts) != len(target.elts):
                raise _Refused
            pairs = list(zip(target.elts, value.elts, strict=True))
        if not all(
            isinstance(one, ast.Name | ast.Attribute) and not isinstance(made, ast.Starred) for one, made in pairs
        ):
            raise _Refused
        words = [one.id if isinstance(one, ast.Name) else ast.unparse(one) for one, _ in pairs]
        if len(set(words)) < len(words) or not self.read.isdisjoint(words):
            raise _Refused
        left = []
        for (one, made), word in zip(pairs, words, strict=True):
            if not (isinstance(one, ast.Name) and isinstance(made, ast.Name) and self._takes(made.id, word)):
                left.append((word, made))
        return tuple(left)

    def _takes(self, name: str, target: str) -> bool:
        """Gives a local name the name of a target, where that means nothing else."""
        own = name in self.own.bindings and not (name in self._arguments() or name in self.spelled)
        free = target not in self.inner and target not in self.there.elsewhere
        known = target in self.module.bound_globally or (name in self.as_text and name != target)
        if own and free and not known and self._is_unseen(target):
            self.spelled[name] = target
            return True
        return False

    def _is_unseen(self, target: str) -> bool:
        """Whether nothing sees what a target was before, while the function's statements run."""
        if len(self.there.bindings.get(target, [])) == 1:
            return True
        handled = any(isinstance(outer, ast.Try) for outer in self.module.around(self.statement))
        loads = self.module.loads.get(target, [])
        return not handled and all(
            self.module.scopes[node] is self.there or not self._is_seen_there(node) for node in loads
        )

    def _parameters(self) -> list[tuple[str, ast.expr]]:
        """The parameters that stay names, with what they are given; the others are what they are given."""
        named = []
        for word, value in self._passed():
            loads = [node for node in self.names if node.id == word and self.module.binding_scope(node) is self.own]
            stored = any(not isinstance(node.ctx, ast.Load) for node in loads)
            if not stored and isinstance(value, ast.Name) and self._stays(value):
                if value.id in self.inner:
                    raise _Refused
                self.texts[word] = value.id
            elif not stored and _is_written(value) and len(loads) < 2:
                self.texts[word] = self._text(value)
            else:
                self._choose(word)
                named.append((word, value))
        return named

    def _passed(self) -> Iterator[tuple[str, ast.expr]]:
        """What each parameter is given, in the order in which that is computed."""
        words = list(self._arguments())
        parameters = self.function.args
        positional = [item.arg for item in (*parameters.posonlyargs, *parameters.args)]
        values = [*([] if self.receiver is None else [self.receiver]), *self.call.args]
        if any(isinstance(item, ast.Starred) for item in values) or len(values) > len(positional):
            raise _Refused
        passed = list(zip(positional, values, strict=False))
        for keyword in self.call.keywords:
            if keyword.arg not in words or keyword.arg in dict(passed):
                raise _Refused
            passed.append((keyword.arg, keyword.value))
        given = dict(passed)
        defaults = dict(zip(reversed(positional), reversed(parameters.defaults), strict=False))
        only = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
        defaults.update({item.arg: default for item, default in only if default is not None})
        yield from passed
        for word in words:
            if word not in given:
                default = defaults.get(word)
                if default is None or not (_is_written(default) or (self.once and _is_listed(default))):
                    raise _Refused
                yield word, default

    def _arguments(self) -> Mapping[str, ast.arg]:
        parameters = self.function.args
        every = (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)
        return {item.arg: item for item in every}

    def _stays(self, name: ast.Name) -> bool:
        """Whether a name of the caller means one thing, all the time."""
        scope = self.module.binding_scope(name)
        bound = scope in (self.there, self.module.root) and scope is not None and len(scope.bindings[name.id]) == 1
        return bound and name.id not in self.module.bound_globally and name.id not in self._targets()

    def _targets(self) -> set[str]:
        nodes = (node for node in ast.walk(self.statement) if isinstance(node, ast.Name))
        return {node.id for node in nodes if isinstance(node.ctx, ast.Store)}

    def _choose(self, word: str) -> None:
        """A name that is free where the function is called: its own, or one with the function's name before it."""
        for name in (word, f"{self.function.name}_{word}"):
            if self._is_free(name) and name not in self.spelled.values():
                if name != word and (name in self.inner or word in self.as_text):
                    break
                self.spelled[word] = name
                return
        raise _Refused

    def _is_free(self, name: str) -> bool:
        taken = name in self.there.bindings or name in self.there.elsewhere or name in self.module.bound_globally
        if taken or name in self.read:
            return False
        return not any(self._is_seen_there(node) for node in self.module.loads.get(name, []))

    def _is_seen_there(self, node: ast.Name) -> bool:
        """Whether a name that is read would mean what the caller's scope had of that name."""
        scope: Scope | None = self.module.scopes.get(node)
        while scope is not None and scope is not self.there:
            if node.id in scope.bindings and scope.elsewhere.get(node.id) != "global":
                return False
            scope = scope.parent
        return scope is self.there

    def _edit(self, node: ast.Name) -> Taken | None:
        if self.module.binding_scope(node) is not self.own:
            return None
        text = self.texts.get(node.id, self.spelled.get(node.id, node.id))
        if text == node.id:
            return None
        odd = any(isinstance(outer, ast.JoinedStr) for outer in self.module.around(node))
        start = self.module.source.start(node)
        if odd or self.module.source.text[start : start + len(node.id)] != node.id:
            raise _Refused
        return Taken(start, start + len(node.id), text)

    def _text(self, value: ast.expr) -> str:
        text = self.module.source.segment(value)
        return f"({text})" if isinstance(value, ast.UnaryOp) else text


def _is_listed(value: ast.expr) -> bool:
    """Whether a default is a list that is written out: made once, as the call of a function that is called once."""
    return isinstance(value, ast.List | ast.Tuple) and all(_is_written(item) for item in value.elts)


def _is_written(value: ast.expr) -> bool:
    return all(isinstance(node, _WRITTEN) for node in ast.walk(value))
