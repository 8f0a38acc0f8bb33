"""What runs take of single towers, without a training step: the statements of a turn of the loop that compute it.

A value that each turn binds is the last one's, as the loop leaves it; one that only the first turn binds is that one's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects
from tf_migrate.stages.layers import is_seeded
from tf_migrate.stages.towers.purity import called_functions
from tf_migrate.stages.towers.reading import LEFT, Towers, stored_in
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.local_flow import definitions
from tf_migrate.syntax.module import Module


@dataclass(frozen=True)
class Part:
    """The statements of one turn, the first or the last, that compute these values."""

    is_first: bool
    names: tuple[str, ...]
    statements: tuple[ast.stmt, ...]


def parts_of(module: Module, names: Names, towers: Towers, wanted: Sequence[str], place: ast.AST) -> tuple[Part, ...]:
    """The parts of a run that takes these values, in their order; raises Refused where they are not sure."""
    turn = _Turn(module, names, towers)
    if towers.flag is None:
        what = "a run takes values of a tower without training, and no function makes the variables that all share"
        raise Refused(place, what, LEFT)
    turn.require_followed()
    firsts = {name: turn.is_of_first(name, place) for name in wanted}
    kinds = dict.fromkeys(firsts.values())
    named = ((kind, tuple(name for name in firsts if firsts[name] is kind)) for kind in kinds)
    parts = tuple(Part(kind, found, turn.needed(found, first=kind)) for kind, found in named)
    if any(inner is towers.take for part in parts for node in part.statements for inner in ast.walk(node)):
        raise Refused(place, "a run takes gradients of one tower", LEFT)
    if len(parts) > 1 and not turn.are_several() and all(turn.draws(part.statements) for part in parts):
        raise Refused(place, "the first tower may be the last one, for both of which a run draws one number", LEFT)
    return parts


def trained_by(module: Module, names: Names, towers: Towers, results: Sequence[str]) -> tuple[ast.stmt, ...]:
    """The statements of a turn that a training step needs, which gives these values back.

    Raises Refused where it would not make the variables that the first turn made.
    """
    assert towers.take is not None and towers.flag is not None
    turn = _Turn(module, names, towers)
    kept = turn.needed([towers.gradients, *results], first=False)
    for node in turn.statements:
        told = any(isinstance(inner, ast.Name) and inner.id == towers.flag.name for inner in ast.walk(node))
        if told and node not in kept:
            raise Refused(node, "the first tower makes variables that its training step does not use", LEFT)
    return kept


class _Turn:
    """The statements of a turn: what they bind and read."""

    def __init__(self, module: Module, names: Names, towers: Towers) -> None:
        self.module, self.names, self.towers = module, names, towers
        gone = [*towers.appends, *([towers.flag.later] if towers.flag is not None else [])]
        self.statements = [node for node in towers.body if node not in gone]

    def require_followed(self) -> None:
        """Refuses statements that do more than to bind a name, and numbers that each operation draws in an order."""
        for node in self.statements:
            if not _binds(node) and not self._is_of_first(node):
                raise Refused(node, "what this statement has to do with the value of one tower is not followed", LEFT)
        bound = [name for node in self.statements if self._is_of_first(node) for name in stored_in([node])]
        for node in self.statements:
            other = self._is_of_first(node)
            used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            if not other and used.intersection(bound):
                raise Refused(node, "this value is another one in the first tower", LEFT)
        for call in self._calls():
            symbol = self.names.resolve(call.func) or ""
            if is_seeded(call, effects.SEEDS.get(symbol, effects.LAYER_SEEDS.get(symbol))):
                raise Refused(call, "the numbers that this draws by its seed go on from run to run", LEFT)

    def are_several(self) -> bool:
        """Whether there surely is more than one turn."""
        count = self.towers.count
        once = isinstance(count, ast.Name) and count.id not in self.module.bound_globally
        found = definitions(self.module, count) if once and isinstance(count, ast.Name) else ()
        value = found[0].value if len(found) == 1 and found[0].kind == "value" else count
        return isinstance(value, ast.Constant) and isinstance(value.value, int) and value.value > 1

    def draws(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether statements may draw numbers at random, themselves or by functions that they call."""
        reached = (*statements, *called_functions(self.module, statements))
        calls = (node for item in reached for node in ast.walk(item) if isinstance(node, ast.Call))
        return any(self.names.resolve(call.func) in effects.RANDOM | effects.RANDOM_LAYERS for call in calls)

    def _calls(self) -> Iterator[ast.Call]:
        functions = [node for node in self.module.tree.body if isinstance(node, ast.FunctionDef)]
        for statement in (*self.statements, *functions):
            yield from (node for node in ast.walk(statement) if isinstance(node, ast.Call))

    def is_of_first(self, name: str, place: ast.AST) -> bool:
        """Whether only the first turn binds a name; raises Refused for one that is no tensor that a turn computes."""
        bound = [node for node in self._bindings() if name in stored_in([node])]
        value = bound[0].value if len(bound) == 1 else None
        symbol = self.names.resolve(value.func) if isinstance(value, ast.Call) else None
        single = symbol is not None and symbol in effects.PURE - effects.SEVERAL
        if not single and not isinstance(value, ast.BinOp):
            raise Refused(place, f"`{name}` is not known to be one tensor that a tower computes", LEFT)
        return bound[0] not in self.statements

    def _bindings(self) -> Iterator[ast.Assign]:
        for node in self.statements:
            for inner in node.body if isinstance(node, ast.If) else [node]:
                if isinstance(inner, ast.Assign):
                    yield inner

    def _is_of_first(self, node: ast.stmt) -> bool:
        """Whether a statement does something in the first turn alone: `if i == 0:`."""
        assert isinstance(self.towers.loop.target, ast.Name)
        match node:
            case ast.If(
                test=ast.Compare(left=ast.Name(number), ops=[ast.Eq()], comparators=[ast.Constant(0)]), orelse=[]
            ):
                return number == self.towers.loop.target.id and all(map(_binds, node.body))
        return False

    def needed(self, wanted: Sequence[str], *, first: bool) -> tuple[ast.stmt, ...]:
        """The statements that these names need in the first turn, or in the last."""
        names, kept = set(wanted), []
        for node in reversed(self.statements):
            if stored_in([node]) & names and (first or not self._is_of_first(node)):
                kept.append(node)
                names |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        return tuple(reversed(kept))


def _binds(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name()]):
            return True
    return False
