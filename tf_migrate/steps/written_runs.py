"""Runs that write down what they fetch and feed, although only the running program knows what that is.

`samples = sess.run(model.sampler, {model.z: z})` in a function that is given the model becomes
`sampler_step = compat.step(model.sampler, model.z)` before it and `samples = sampler_step(z)`. The step stands right
before the statement of the run, or before the loops around it where nothing in them gives these words another meaning.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from tf_migrate.interpreter.recorder import Observation, Snapshot
from tf_migrate.interpreter.values import ABSENT, Const, Frame, Instance, Items, Node, Table, Value, options
from tf_migrate.steps.certainty import comes_to, is_perhaps
from tf_migrate.steps.facts import preceding
from tf_migrate.steps.part import Part
from tf_migrate.syntax.own_nodes import every_node

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PLAIN = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ANYTHING = frozenset(("__dict__", "exec", "globals", "locals", "setattr", "vars"))
"""Names by which any attribute may be set, or any name."""

_CHANGING = frozenset(
    (
        "add",
        "append",
        "clear",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "reverse",
        "setdefault",
        "sort",
        "update",
    )
)
"""Methods that change a list or dictionary."""
_ANSWERING = frozenset(("__getattr__", "__getattribute__"))
"""Methods by which any attribute may be another one each time."""

Texts = tuple[str, tuple[str, ...], tuple[str, ...]]


class WrittenRuns(Part):
    """Finds where the step of such a run can stand, and what it says."""

    def place(
        self, node: ast.Call, seen: Sequence[Observation], fetch: ast.expr, feed: ast.expr | None
    ) -> tuple[ast.stmt, Texts, tuple[str, ...]] | None:
        """The statement before which the step stands, its fetches, updates and inputs, what may be missing there."""
        display = self._display_of(node, feed) if isinstance(feed, ast.Name) else feed
        keys: list[ast.expr] | None = [] if feed is None else _keys(display)
        paths = [*_paths(fetch)]
        if keys is None or not paths or not all(map(_is_path, [*paths, *keys])):
            return None
        if any(each.method == "eval" or self._is_known(each) for each in seen):
            return None
        every = [*paths, *keys]
        anchor = self._anchor(node, every, seen)
        function = self.facts.owners[node].function_of(node)
        if anchor is None or (display is not feed and not self._is_fed_there(display, anchor, keys, function)):
            return None
        inputs = tuple(map(ast.unparse, keys))
        if len(set(inputs)) < len(inputs):
            return None
        needs: list[ast.expr] = []
        if anchor is not self.facts.statement(node):
            if not all(self._is_still(anchor, each) for each in seen) or not self._is_alone(anchor, paths, seen):
                return None
            if not comes_to(self.facts, anchor, node):
                if not all(_is_there(_root(path), each) for path in every for each in seen):
                    return None
                parts = (part for path in every for part in _attributes(path))
                needs = [part for part in parts if not all(_is_there(part, each) for each in seen)]
        return anchor, (ast.unparse(fetch), (), inputs), tuple(dict.fromkeys(map(ast.unparse, needs)))

    def _is_still(self, loop: ast.stmt, seen: Observation) -> bool:
        """Whether no list or dictionary that a run fetches was changed since a loop around it began."""
        start = self.facts.recorder.loops.get((id(_function_frame(seen.frame)), loop))
        named = [] if seen.fetch is None else [*_named(seen.fetch, seen.fetches)]
        values = [option for each in named for value in _containers(each) for option in options(value)]
        cells = [value for value in values if isinstance(value, Items | Table)]
        return not cells or (
            start is not None and all(cell.since(key) <= start for cell in cells for key in cell.written)
        )

    def _is_alone(self, loop: ast.stmt, paths: Sequence[ast.expr], seen: Sequence[Observation]) -> bool:
        """Whether only runs are given what paths mean in a loop: it may be a list that grows under another name."""
        unknown = [
            ast.unparse(path)
            for path in paths
            if not all(isinstance(value, Node) for each in seen for value in _values(path, each) or (ABSENT,))
        ]
        return all(
            any(outer in self.facts.sites for outer in self.facts.around(node))
            for node in every_node(loop)
            if unknown and isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in unknown
        )

    def _is_fed_there(
        self, display: ast.expr | None, anchor: ast.stmt, keys: Sequence[ast.expr], function: ast.AST | None
    ) -> bool:
        """Whether the keys of a dictionary mean what they mean at a statement: it is made in that, or near it."""
        if display is None or anchor in self.facts.around(display):
            return True
        return function is not None and self._stays(function, keys, function)

    def _display_of(self, node: ast.Call, feed: ast.Name) -> ast.Dict | None:
        """The dictionary that a name of a function means where it is only fed: the only one, or that right before."""
        module = self.facts.owners[node]
        region = module.function_of(node) or module.tree
        uses = [each for each in every_node(region) if _is_named(each, feed.id)]
        found: dict[ast.stmt, ast.Dict] = {}
        for use in uses:
            outer = self.facts.parent(use)
            if isinstance(outer, ast.keyword):
                outer = self.facts.parent(outer)
            if isinstance(outer, ast.Assign) and outer.targets == [use] and isinstance(outer.value, ast.Dict):
                found[outer] = outer.value
            elif not isinstance(outer, ast.Call) or use is outer.func or not self._runs(outer):
                return None
        if len(found) == 1:
            return next(iter(found.values()))
        statement = self.facts.statement(node)
        before = preceding(statement, self.facts.parent(statement))
        last = next((each for each in reversed(before) if each in found or not isinstance(each, _PLAIN)), None)
        return None if last is None else found.get(last)

    def _runs(self, call: ast.Call) -> bool:
        """Whether a call runs what it is given, and nothing else."""
        return call in self.facts.sites or call in self.facts.recorder.forwarded

    def _is_known(self, seen: Observation) -> bool:
        """Whether what a run fetches or feeds is a constant, which is none of a graph, or the name of a tensor."""
        keys = [] if seen.feeds is None else [key for key, _ in seen.feeds.parts]
        every = [option for value in (*seen.fetches.leaves(), *keys) for option in options(value)]
        return any(isinstance(option, Const) and option.value is not None for option in every)

    def _anchor(self, node: ast.Call, paths: Sequence[ast.expr], seen: Sequence[Observation]) -> ast.stmt | None:
        """The statement of a run, or the outermost loop around it."""
        statement = self.facts.statement(node)
        function = self.facts.owners[node].function_of(node)
        if not isinstance(statement, _PLAIN) or isinstance(function, ast.Lambda):
            return None
        inner: ast.AST = node
        for outer in self.facts.around(node):
            if isinstance(outer, _COMPREHENSIONS) or is_perhaps(outer, inner):
                return None
            if outer is statement:
                break
            inner = outer
        anchor: ast.stmt = statement
        for outer in self.facts.around(statement):
            if isinstance(outer, ast.ClassDef) or outer is function:
                break
            anchor = outer if isinstance(outer, _LOOPS) else anchor
        source = self.facts.owners[node].source
        if source.text[source.line_starts[anchor.lineno - 1] : source.start(anchor)].strip():
            return None  # it shares its line with another statement
        stays = anchor is statement or self._stays(anchor, paths, function) or self._stayed(anchor, paths, seen)
        return anchor if stays else None

    # -- what loops change --

    def _stayed(self, loop: ast.stmt, paths: Sequence[ast.expr], seen: Sequence[Observation]) -> bool:
        """Whether attributes of objects that are known were seen to mean the same since a loop began."""
        for each in seen:
            start = self.facts.recorder.loops.get((id(_function_frame(each.frame)), loop))
            if start is None or each.guessed:
                return False
            if not all(_is_there(path, each) and each.latest.get(path, start + 1) <= start for path in paths):
                return False
        return True

    def _stays(self, region: ast.AST, paths: Sequence[ast.expr], function: ast.AST | None) -> bool:
        """Whether paths mean the same wherever they stand in a loop or a function."""
        inside = [part for path in paths for part in ast.walk(path)]
        if any(isinstance(part, ast.Subscript) for part in inside):
            return False  # a list or dictionary may grow
        names = {part.id for part in inside if isinstance(part, ast.Name)}
        attributes = {part.attr for part in inside if isinstance(part, ast.Attribute)}
        around = every_node(region if function is None else function)
        if any(isinstance(part, ast.Yield | ast.YieldFrom | ast.Await) for part in around):
            return False
        if not self._computed.isdisjoint(attributes) or not self._functions.keys().isdisjoint(_ANSWERING):
            return False
        mentioned: set[str] = set()
        pending: list[ast.AST] = [region]
        known: set[ast.AST] = set()
        while pending:
            one = pending.pop()
            if _binds(one, names, attributes, own=one is region):
                return False
            mentioned |= set(_mentioned(one))
            if not mentioned.isdisjoint(_ANYTHING):
                return False
            for name in mentioned | self._implicit:
                pending += [each for each in self._functions.get(name, ()) if each not in known]
                known.update(self._functions.get(name, ()))
        return True

    @cached_property
    def _functions(self) -> dict[str, list[ast.AST]]:
        """The functions of the program by the names under which they are called: a constructor by its class."""
        found: dict[str, list[ast.AST]] = {}
        modules = [*self.facts.modules.values(), *self.facts.recorder.owner.values()]
        for module in {each.name: each for each in modules}.values():
            for node in every_node(module.tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    outer = module.parents.get(node)
                    of_class = isinstance(outer, ast.ClassDef) and node.name in ("__init__", "__new__")
                    name = outer.name if of_class and isinstance(outer, ast.ClassDef) else node.name
                    found.setdefault(name, []).append(node)
        return found

    @cached_property
    def _computed(self) -> set[str]:
        """Attributes that functions compute."""
        return {
            name
            for name, nodes in self._functions.items()
            for node in nodes
            if any("property" in ast.unparse(each) for each in _decorators(node))
        }

    @cached_property
    def _implicit(self) -> set[str]:
        """The functions that are called without their names: methods of operators, properties."""
        return self._computed | {name for name in self._functions if name.startswith("__")}


def _decorators(node: ast.AST) -> Sequence[ast.expr]:
    return node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ()


def _paths(fetch: ast.expr) -> Iterator[ast.expr]:
    """The ends of the displays that a run fetches."""
    if isinstance(fetch, ast.List | ast.Tuple):
        for element in fetch.elts:
            yield from _paths(element)
    elif isinstance(fetch, ast.Dict):
        for key, value in zip(fetch.keys, fetch.values, strict=True):
            yield from _paths(value) if isinstance(key, ast.Constant) else (fetch,)
    else:
        yield fetch


def _named(fetch: ast.expr, fetches: Snapshot) -> Iterator[Snapshot]:
    """What the paths in a run's displays gave."""
    inner: list[ast.expr] = []
    if isinstance(fetch, ast.List | ast.Tuple) and fetches.kind == "list":
        inner = fetch.elts
    elif isinstance(fetch, ast.Dict) and fetches.kind == "table":
        inner = fetch.values
    if inner and len(inner) == len(fetches.parts):
        for part, (_, found) in zip(inner, fetches.parts, strict=True):
            yield from _named(part, found)
    else:
        yield fetches


def _containers(fetches: Snapshot) -> Iterator[Value]:
    """The values in what a run fetches, those of lists and dictionaries themselves too."""
    yield fetches.value
    for _, part in fetches.parts:
        yield from _containers(part)


def _keys(display: ast.expr | None) -> list[ast.expr] | None:
    """The keys of a dictionary display; None where they are not all written down."""
    if not isinstance(display, ast.Dict) or not display.keys:
        return None
    keys = [key for key in display.keys if key is not None]
    return keys if len(keys) == len(display.keys) else None


def _is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_path(node: ast.expr) -> bool:
    """Whether an expression only names something: `model.out`, `outs[0]`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant | ast.Name):
            return False
        node = node.value
    return isinstance(node, ast.Name)


def _root(path: ast.expr) -> ast.expr:
    """The name that a path begins with."""
    while isinstance(path, ast.Attribute | ast.Subscript):
        path = path.value
    return path


def _attributes(path: ast.expr) -> list[ast.expr]:
    """The parts of a path that are attributes, outermost last."""
    found: list[ast.expr] = []
    while isinstance(path, ast.Attribute | ast.Subscript):
        found = [path, *found] if isinstance(path, ast.Attribute) else found
        path = path.value
    return found


def _function_frame(frame: Frame) -> Frame:
    """The frame of the function that a comprehension stands in."""
    while frame.kind == "comprehension" and frame.outer is not None:
        frame = frame.outer
    return frame


def _is_there(path: ast.expr, seen: Observation) -> bool:
    """Whether a path surely names something at the time of a run."""
    values = _values(path, seen)
    return bool(values) and all(value is not ABSENT for value in values)


def _values(path: ast.expr, seen: Observation) -> list[Value]:
    """What a path may mean; nothing where that is not known."""
    if isinstance(path, ast.Name):
        frame: Frame | None = seen.frame
        while frame is not None:
            value = frame.at(path.id, seen.time)
            if value is not ABSENT:
                return [*options(value)]
            frame = frame.outer
        return []
    if isinstance(path, ast.Attribute):
        owners = _values(path.value, seen)
        if not all(isinstance(owner, Instance) for owner in owners):
            return []
        values = [owner.at(path.attr, seen.time) for owner in owners if isinstance(owner, Instance)]
        return [option for value in values for option in options(value)]
    return []


def _binds(code: ast.AST, names: set[str], attributes: set[str], *, own: bool) -> bool:
    """Whether code binds one of some names or attributes, or changes what they hold.

    Of a function's names those of its module alone count.
    """
    ours = names
    if not own:
        outer = [
            name for node in every_node(code) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
        ]
        ours = (names | attributes) & set(outer)
    for node in every_node(code):
        stored = isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        if stored or (isinstance(node, ast.Attribute) and node.attr in _CHANGING):
            base = node.value  # type: ignore[attr-defined]
            if getattr(base, "id", None) in names or getattr(base, "attr", None) in attributes:
                return True
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and node.attr in attributes:
            return True
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node.id in ours:
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name).partition(".")[0] in ours:
            return True
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node is not code and node.name in ours:
            return True
        if isinstance(node, ast.ExceptHandler) and node.name in ours:
            return True
    return False


def _mentioned(code: ast.AST) -> Iterator[str]:
    """All names in some code."""
    for node in every_node(code):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
