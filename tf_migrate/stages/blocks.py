"""Loops and conditions of the straight line that compute tensors, prints and assertions: each moves as a whole."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from tf_migrate.stages.bodies import Body
from tf_migrate.stages.built_to_run import built_for, fetched_by
from tf_migrate.stages.choosing import Choosing
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.feeds import filled
from tf_migrate.stages.summaries import Hidden
from tf_migrate.stages.values import (
    AMBIGUOUS,
    MOVED,
    PYTHON,
    STATIC,
    TENSOR,
    TENSORS,
    Binding,
    Reads,
    Refused,
    Stage,
    Value,
    Variable,
    flatten,
    reading,
)

_PLAIN = ast.Assign | ast.AugAssign | ast.Expr | ast.If | ast.For | ast.While | ast.With | ast.Pass | ast.Raise
_PLACEHOLDER = "tf.placeholder"
_PLAINLY = "make the summaries in plain statements of the script"
_SPELLED = ast.Constant | ast.Name | ast.List | ast.Tuple
_PLACEHOLDERS = frozenset({"tf.placeholder", "tf.placeholder_with_default"})
_SETTLED = frozenset({Stage.CONSTANT, Stage.STATIC})
_SHOWN = TENSORS | {Stage.STATIC}
_STAYING = frozenset({Stage.PYTHON, Stage.CONSTANT})
_COMPUTED = frozenset({Stage.CONSTANT, Stage.STATIC, Stage.TENSOR})
_SEEN = _COMPUTED | {Stage.LAYER, Stage.PLACEHOLDER, Stage.VARIABLE, Stage.VARIABLES}


class _BlockBody(Body):
    """The names of a block are the script's own: what the block has not bound yet, the script has."""

    def __init__(
        self, evaluator: Evaluator, frame: dict[str, Value], node: ast.stmt, hoisted: Container[ast.stmt]
    ) -> None:
        home = evaluator.module.function_of(node) or evaluator.module.tree
        super().__init__(evaluator, frame, "a loop or a condition", home)
        self.hoisted = hoisted

    def statement(self, node: ast.stmt) -> Value | None:
        """The value that a statement returns; a placeholder was made before the block."""
        return None if node in self.hoisted else super().statement(node)

    def key_of(self, target: ast.Attribute) -> str | None:
        """The attribute of an object of the script, in its own methods."""
        own = isinstance(target.value, ast.Name) and target.value.id == "self"
        return self.evaluator.key_of(target) if own else None

    def before(self, name: str) -> Value | None:
        """What the script bound the name to."""
        binding = self.evaluator.env.get(name)
        if binding is None or self._is_unbound(name, binding):
            return None
        self.evaluator.note_reads({name: binding})
        return binding.value

    def _is_unbound(self, name: str, binding: Binding) -> bool:
        """Whether a name is one of the function's own that nothing has bound so far."""
        home = self.home
        given = home.args if isinstance(home, ast.FunctionDef) and binding.node is home else None
        return given is not None and all(item.arg != name for item in ast.walk(given) if isinstance(item, ast.arg))


class Blocks(Choosing):
    """Takes loops and conditions that compute tensors, or make cells, and do nothing else."""

    def builds_to_run(self, node: ast.Assign, scopes: tuple[ast.With, ...]) -> bool:
        """Takes what is built inside a block for the run behind it: that computes it, or assigns, by itself."""
        fetched = map(fetched_by, self.evaluator.sites.values() if self.depth else ())
        if not any(built_for(self.module, self.evaluator.names, item) is node for item in fetched):
            return False
        self.dropped.append(node)
        self.place(node, scopes)
        return True

    def moves_whole(self, node: ast.stmt, scopes: tuple[ast.With, ...]) -> bool:
        """Takes a loop or a condition that only computes tensors, the graph's or those of its own names."""
        if self.depth or not all(isinstance(inner, _PLAIN) for inner in _statements(node)):
            return False
        calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
        hoisted = self._placeholders(node)
        made = [call for call in calls if self.evaluator.names.resolve(call.func) in _PLACEHOLDERS]
        if hoisted is None or len(made) > len(hoisted) or any(call in self.sites for call in calls):
            return False
        if hoisted and all(inner in hoisted or isinstance(inner, ast.If | ast.Pass) for inner in _statements(node)):
            return self._only_feeds(node, hoisted, scopes)
        resolved, listed, env = dict(self.evaluator.resolved), dict(self.evaluator.listed), dict(self.evaluator.env)
        frame: dict[str, Value] = {}
        try:
            self._hoist(hoisted)
            with self.evaluator.collecting() as (read, impure):
                found = self._evaluated(node, frame, hoisted)
            reads = self._with_beginnings(node, frame, read) if found else {}
        except Refused:
            # What the block does besides is for the statements in it to say.
            found = False
        inner, self.evaluator.inner = self.evaluator.inner, []
        if not found:
            self.evaluator.unit, self.evaluator.env = len(self.units), env
            self._undo(resolved, listed)
            return False
        self._place_hoisted(hoisted, scopes)
        self.place_value(node, scopes, TENSOR, reads, impure)
        self.units[-1] = replace(self.units[-1], begins=self._begins(node, frame, reads))
        self._bind_all(node, frame)
        for place, key in inner:
            meant = self.evaluator.env[key]
            self.evaluator.resolved[place] = meant if self.evaluator.resolved.get(place, meant) is meant else None
        return True

    def _begins(self, node: ast.stmt, frame: Container[str], reads: Reads) -> dict[str, Binding]:
        """The variables that names begin with which a loop binds: only the first time round they mean these."""
        found: dict[str, Binding] = {}
        for loop in (inner for inner in ast.walk(node) if isinstance(inner, ast.For | ast.While)):
            for load in ast.walk(loop):
                key = self.evaluator.key_of(load) if isinstance(load, ast.Name | ast.Attribute) else None
                if key in frame and key in reads and key in self.bound_by(loop) and load in self.evaluator.resolved:
                    assert key is not None and isinstance(load, ast.expr)
                    self.evaluator.resolved[load] = None
                    found[key] = reads[key]
        return {key: binding for key, binding in found.items() if binding.value.stage is Stage.VARIABLE}

    def _placeholders(self, node: ast.stmt) -> dict[ast.stmt, str] | None:
        """The statements in a condition that make placeholders, which can be made before it, and the names of these."""
        found: dict[ast.stmt, str] = {}
        bound = self.bound_by(node)
        for inner in _statements(node) if isinstance(node, ast.If) else ():
            call = inner.value if isinstance(inner, ast.Assign) and len(inner.targets) == 1 else None
            if not isinstance(call, ast.Call) or self.evaluator.names.resolve(call.func) != _PLACEHOLDER:
                continue
            if not isinstance(self.module.parents[inner], ast.If):
                return None
            assert isinstance(inner, ast.Assign)
            key = self.evaluator.key_of(inner.targets[0])
            given = (*call.args, *(keyword.value for keyword in call.keywords))
            parts = [part for item in given for part in self._parts(item)]
            plain = all(isinstance(part, _SPELLED) for part in parts)
            plain = plain and bound.isdisjoint(part.id for part in parts if isinstance(part, ast.Name))
            if key is None or key in found.values() or key in self.evaluator.env or not plain:
                return None
            found[inner] = key
        return found

    def _only_feeds(self, node: ast.stmt, hoisted: Mapping[ast.stmt, str], scopes: tuple[ast.With, ...]) -> bool:
        """Takes a condition that makes placeholders and nothing else: functions take them, whatever it is."""
        with self.evaluator.aside() as (_, impure):
            for inner in ast.walk(node):
                if isinstance(inner, ast.If):
                    self.require_python(inner.test)
        if impure:
            return False
        self._hoist(hoisted)
        self._place_hoisted(hoisted, scopes)
        self.dropped.append(node)
        self.place(node, scopes)
        return True

    def _parts(self, node: ast.expr) -> Iterator[ast.AST]:
        """The parts of an expression, a symbol of TensorFlow as one."""
        if isinstance(node, ast.Attribute) and self.evaluator.names.resolve(node) is not None:
            return
        yield node
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from self._parts(child)

    def _hoist(self, hoisted: Mapping[ast.stmt, str]) -> None:
        """Binds the placeholders that are made before a condition."""
        for statement, key in hoisted.items():
            assert isinstance(statement, ast.Assign)
            self.bind(key, self.evaluator.value(statement.value), statement.targets[0])
            self.evaluator.unit += 1

    def _place_hoisted(self, hoisted: Mapping[ast.stmt, str], scopes: tuple[ast.With, ...]) -> None:
        for statement, key in hoisted.items():
            assert isinstance(statement, ast.Assign)
            value, reads, impure = self.evaluator.collect(statement.value)
            self.place_value(statement, scopes, value, reads, impure)
            self.units[-1] = replace(self.units[-1], binds=(key,))

    def _evaluated(self, node: ast.stmt, frame: dict[str, Value], hoisted: Container[ast.stmt]) -> bool:
        """Evaluates a block; False where it makes no tensor and no cell, or does more than that."""
        self.evaluator.frames.append(frame)
        try:
            if _BlockBody(self.evaluator, frame, node, hoisted).run([node]) is not None:
                return False
        finally:
            self.evaluator.frames.pop()
        if any(value.stage is not Stage.TENSOR for key, value in frame.items() if "." in key):
            # An attribute that is no tensor may be read anywhere.
            return False
        parts = [part for part in flatten(frame.values()) if part.is_graph]
        # A cell makes its variables where it is called, behind the block.
        cells = bool(parts) and all(part.stage is Stage.LAYER for part in parts)
        made = (self.evaluator.gradients, self.evaluator.summaries, self.evaluator.savers)
        moving = cells or bool(self.evaluator.hidden) or any(part.stage is Stage.TENSOR for part in parts)
        return moving and not any(made) and all(part.stage in _SEEN for part in parts)

    def described_by(self, node: ast.stmt, value: Value = TENSOR) -> None:
        """Notes the summaries of a statement: those without a name are known by its place."""
        name = f"summary at {node.lineno}"
        self.bind(name, replace(TENSOR, loose=reading([value])), node)
        self.evaluator.described.append((name, self.evaluator.env[name]))
        self.units[-1] = replace(self.units[-1], binds=(*self.units[-1].binds, name))

    def taken_hidden(self, node: ast.stmt, value: Value) -> tuple[Hidden, ...]:
        """The summaries of functions and blocks in a statement, which has to move with them."""
        found = tuple(dict.fromkeys(self.evaluator.hidden))
        self.evaluator.hidden.clear()
        if found and (self.depth or value.stage is not Stage.TENSOR or self.home in self.evaluator.methods):
            raise Refused(node, "a function makes summaries, and is called elsewhere than for a tensor", _PLAINLY)
        if found and self.evaluator.merged:
            raise Refused(node, "a function makes summaries behind `merge_all`", "merge them behind it")
        return found

    def _undo(self, resolved: dict[ast.expr, Binding | None], listed: dict[ast.Call, tuple[Variable, ...]]) -> None:
        self.evaluator.resolved, self.evaluator.listed = resolved, listed
        known = self.evaluator
        for made in (
            known.creates,
            known.makers,
            known.made,
            known.finders,
            known.either,
            known.moving,
            known.gradients,
            known.derived,
            known.summaries,
            known.hidden,
            known.savers,
        ):
            made.clear()

    def _bind_all(self, node: ast.stmt, frame: dict[str, Value]) -> None:
        for name, value in frame.items():
            # Constants go with the block, and so do Python values and other names of variables: none is left outside.
            known = AMBIGUOUS
            if value.stage in (Stage.LAYER, Stage.STATIC):
                known = Value(value.stage)
            elif value.stage in _COMPUTED:
                known = replace(TENSOR, variables=value.variables, random=value.random, fed=value.fed)
                known = replace(known, loose=reading([value]))
                known = replace(known, several=value.several or value.parts is not None, nested=value.nested)
                known = value if value.several and value.parts is not None else known
            stored = [inner for inner in ast.walk(node) if "." in name and self.evaluator.key_of(inner) == name]
            self.bind(name, known, stored[0] if stored else node)
        self.units[-1] = replace(self.units[-1], binds=tuple(frame))
        if self.units[-1].hidden:
            self.described_by(node)

    def _with_beginnings(self, node: ast.stmt, frame: dict[str, Value], reads: Reads) -> Reads:
        """What a block reads, where the numbers and empty lists that its names begin with move as well."""
        found = dict(reads)
        for name in frame:
            binding = found.get(name)
            if binding is not None and binding.value.stage in _STAYING:
                found[name] = self.moved_beginning(name, binding, node)
        return found

    def goes_on(self, node: ast.stmt, target: ast.expr, value: Value, reads: Reads) -> Reads:
        """What `total = total + loss` reads, where the number that it begins with moves as well."""
        name = target.id if isinstance(target, ast.Name) else ""
        binding = reads.get(name)
        if binding is None or binding.value.stage not in _STAYING or value.stage not in MOVED or self.depth:
            return reads
        return {**reads, name: self.moved_beginning(name, binding, node)}

    def moved_beginning(self, name: str, binding: Binding, node: ast.stmt) -> Binding:
        """Moves `total = 0`, `parts = []` or `sum = tf.zeros([])`, where only what goes on from there reads it."""
        # A name that a block binds as well has its binding behind all units so far.
        made = [unit for unit in self.units[binding.unit : binding.unit + 1] if unit.binds == (name,)]
        inside = set(ast.walk(node))
        others = (load for load in self.module.loads.get(name, []) if load not in inside)
        uses = [load for load, known in self.evaluator.resolved.items() if known is binding]
        seen = any(load not in inside for load in uses if load in self.module.parents)
        hidden = any(self.module.function_of(load) is not self.module.function_of(node) for load in others)
        constant = binding.value.stage is Stage.CONSTANT
        whole = binding.value.parts is None
        begins = any(unit.repeats and whole if constant else _is_beginning(unit.node) for unit in made)
        if seen or hidden or binding.depth or not begins:
            what = f"`{name}` is a value that stays first, and a part of the graph behind this"
            raise Refused(node, what, "give the two values different names")
        known = replace(TENSOR, fed=True) if constant else STATIC
        moved = replace(binding, value=known)
        self.units[binding.unit] = replace(made[0], value=known)
        self.evaluator.resolved.update(dict.fromkeys(uses, moved))
        return moved

    def prints(self, node: ast.Expr, scopes: tuple[ast.With, ...]) -> bool:
        """Takes a `print` of tensors, which shows what they are and not what they hold: a function can show it too."""
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"):
            return False
        if any(inner in self.sites for inner in ast.walk(call) if isinstance(inner, ast.Call)):
            return False
        with self.evaluator.collecting() as (reads, impure):
            parts = list(flatten(self.evaluator.arguments(call)))
        shown = {part.stage for part in parts if part.is_graph}
        if self.depth or not shown & _SHOWN - {Stage.CONSTANT} or not shown <= _SHOWN:
            return False
        if shown <= _SETTLED and stays(reads):
            self.place(node, scopes)
        else:
            self.place_value(node, scopes, STATIC, reads, impure)
        return True

    def fills(self, node: ast.Assign | ast.For, scopes: tuple[ast.With, ...]) -> bool:
        """Takes `feed[x] = value`, or a loop of it: what is in the dictionary is written out where it is fed."""
        found = filled(self.evaluator, node)
        if found is None:
            return False
        name, value = found
        assert isinstance(value.node, ast.Dict)
        self.dropped += [item for item in self.evaluator.fillings[value.node] if item not in self.dropped]
        self.place(node, scopes)
        self.bind(name.id, value, self.evaluator.env[name.id].node or name)
        return True

    def forget(self, names: set[str], node: ast.stmt, depth: int) -> None:
        """Names that a compound statement binds hold values of their own in it and behind it."""
        for name in names:
            old = self.evaluator.env.get(name)
            value = AMBIGUOUS if old is not None and old.value.is_graph else PYTHON
            self.evaluator.env[name] = Binding(value, len(self.units), depth, node)

    def asserts(self, node: ast.Assert, scopes: tuple[ast.With, ...]) -> None:
        """Takes an assertion: one about static shapes moves."""
        value, reads, impure = self.evaluator.collect(node.test)
        if node.msg is not None:
            self.require_python(node.msg)
        if value.stage not in (Stage.PYTHON, Stage.STATIC):
            raise Refused(node, "a tensor is asserted", "use tf.debugging.Assert")
        if value.stage is Stage.STATIC and stays(reads):
            self.place(node, scopes)
        else:
            self.place_value(node, scopes, value, reads, impure)


def stays(reads: Reads) -> bool:
    """Whether a statement about static shapes looks only at what stays where it is made."""
    return bool(reads) and all(
        binding.value.stage not in MOVED and binding.value.stage is not Stage.PLACEHOLDER for binding in reads.values()
    )


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.stmt))


def _is_beginning(node: ast.stmt) -> bool:
    """Whether a statement binds a number that is written out, or an empty list or dictionary."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    value = node.value.operand if isinstance(node.value, ast.UnaryOp) else node.value
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float)
    return (isinstance(value, ast.List) and not value.elts) or (isinstance(value, ast.Dict) and not value.keys)
