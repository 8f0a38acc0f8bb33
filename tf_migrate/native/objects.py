"""Objects whose constructors built a part of the graph: their tensors become local names of functions.

The functions are made in the constructor, where everything that they need can be seen, and kept as attributes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tf_migrate.changes.edits import Edit
from tf_migrate.native.layout import extent, line_start
from tf_migrate.native.naming import Namer
from tf_migrate.plan import Call, Function
from tf_migrate.stages.program import Program
from tf_migrate.stages.runs import leaves
from tf_migrate.stages.values import MOVED, Binding, Refused, Stage

_NAMED = frozenset({Stage.EFFECT, Stage.PLACEHOLDER, Stage.TENSOR})


def attributes_of(program: Program) -> set[str]:
    """The names of methods of the objects, and of attributes that something still binds or reads."""
    methods = {name for known in program.objects for name in known.methods}
    inner = [node for known in program.objects for node in ast.walk(known.node) if isinstance(node, ast.Attribute)]
    moved = {unit.node for unit in program.units if unit.moves}
    stored = {node.attr: node for node in inner if not isinstance(node.ctx, ast.Load)}
    gone = {word for word, node in stored.items() if program.module.statement_of(node) in moved}
    return methods | {node.attr for node in inner} - gone


def local_names(program: Program, namer: Namer) -> dict[str, str]:
    """For each attribute that moves into functions, by its key: the local name that it gets there."""
    taken = {
        inner.id
        for known in program.objects
        for method in known.methods.values()
        if method in program.ends
        for inner in ast.walk(method)
        if isinstance(inner, ast.Name) and not _is_handed(program, inner)
    }
    given = {word for function in program.outside for inner in ast.walk(function) for word in _word(inner)}
    taken |= given
    found: dict[str, str] = {}
    mixed = any(isinstance(handed.argument, ast.Attribute) for handed in program.handed)
    for unit in program.units:
        for key in unit.binds if unit.moves else ():
            if "." not in key or key in found:
                continue
            word = key.rpartition(".")[2]
            others = set(found.values()) if mixed else set()
            alias = unit.node.value if isinstance(unit.node, ast.Assign) else None
            plain = isinstance(alias, ast.Name) and alias.id == word and word not in given
            if plain and isinstance(alias, ast.Name) and _bound_once(program, alias) and word not in others:
                found[key] = word
            else:
                found[key] = word if word not in taken | others else namer.fresh(f"own_{word}")
    return found


def _is_handed(program: Program, name: ast.Name) -> bool:
    """Whether a name is a parameter that holds another object's tensor, under the name that this has there."""
    binding = program.resolved.get(name)
    return binding is not None and (binding.attribute or "").rpartition(".")[2] == name.id


def _word(node: ast.AST) -> list[str]:
    """The name that a node of a function is, or gives to a parameter."""
    return [node.id] if isinstance(node, ast.Name) else [node.arg] if isinstance(node, ast.arg) else []


def _bound_once(program: Program, name: ast.Name) -> bool:
    """Whether a local name means one value all through its function."""
    return len(program.module.scope_of(name).bindings.get(name.id, [])) == 1


def inner_edits(program: Program, namer: Namer) -> Iterator[Edit]:
    """Spells the attributes that functions inside methods use by themselves as local names."""
    names = {word: namer.fresh(word) for word in dict.fromkeys(node.attr for node in program.used_locally)}
    yield from (Edit(*program.module.source.span(node), names[node.attr]) for node in program.used_locally)


def attribute_edits(program: Program, local: dict[str, str]) -> Iterator[Edit]:
    """Spells the attributes that move as local names."""
    source = program.module.source
    for node, binding in program.resolved.items():
        if node not in program.module.parents or not _is_respelled(node, binding):
            continue
        if binding is None:
            raise Refused(node, f"`{ast.unparse(node)}` means several things", "give each value a name of its own")
        if isinstance(binding.node, ast.Name) and binding.value.stage in _NAMED:
            yield Edit(*source.span(node), binding.node.id)
            continue
        key = _key(program, binding)
        if key in local:
            yield Edit(*source.span(node), local[key])
    for unit in program.units:
        for key in unit.binds if unit.moves else ():
            for inner in ast.walk(unit.node):
                stored = isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)
                if stored and isinstance(inner, ast.Attribute) and key in local and key.endswith(f".{inner.attr}"):
                    yield Edit(*source.span(inner), local[key])
    yield from _without_placeholders(program)


def _without_placeholders(program: Program) -> Iterator[Edit]:
    """Takes placeholders out of the conditions that they stand in: whatever these are, functions take them."""
    source, parents = program.module.source, program.module.parents
    moved = {unit.node for unit in program.units if unit.moves and isinstance(unit.node, ast.If)}
    for unit in program.units if moved else ():
        outer = parents[unit.node]
        bodies = (outer.body, outer.orelse) if isinstance(outer, ast.If) else ()
        while isinstance(outer, ast.If) and outer not in moved:
            outer = parents[outer]
        if unit.value.stage is not Stage.PLACEHOLDER or outer not in moved:
            continue
        alone = any(body == [unit.node] for body in bodies)
        start = source.start(unit.node) if alone else line_start(source, unit.node.lineno)
        end = source.end(unit.node) if alone else line_start(source, extent(source, unit.node).last + 1)
        yield Edit(start, end, "pass" if alone else "", encloses=True)


def _is_respelled(node: ast.expr, binding: Binding | None) -> bool:
    """Whether a node may be spelled in another way than what it means was where that was made."""
    if isinstance(node, ast.Attribute):
        return True
    if binding is not None and binding.attribute is not None:
        return binding.value.stage in _NAMED
    made = None if binding is None or binding.value.stage not in _NAMED else binding.node
    return isinstance(node, ast.Name) and isinstance(made, ast.Name) and made.id != node.id


def fetched_edits(program: Program, calls: Sequence[Call]) -> Iterator[Edit]:
    """Spells an object's variables that a run outside of it fetches as the function in the object sees them."""
    for call in calls:
        owner = None if call.function is None else program.owner_of(program.home_of(call.function.anchor))
        if owner is None:
            continue
        for leaf in leaves(call.run.fetches):
            binding = program.resolved.get(leaf.node)
            if (
                binding is None
                or binding.value.stage is not Stage.VARIABLE
                or not isinstance(binding.node, ast.Attribute)
            ):
                continue
            own, text = program.owner_of(program.home_of(binding.unit)), ast.unparse(binding.node)
            if own is owner and ast.unparse(leaf.node) != text:
                yield Edit(*program.module.source.span(leaf.node), text)


def _key(program: Program, binding: Binding) -> str:
    if not isinstance(binding.node, ast.Attribute) or binding.value.stage not in MOVED | {Stage.PLACEHOLDER}:
        return ""
    ending = f".{binding.node.attr}"
    return next((key for key in program.units[binding.unit].binds if key.endswith(ending)), "")


def prefix(program: Program, function: Function, home: ast.AST | None) -> str:
    """What stands before the name of a function where code in `home` calls it."""
    made_in = program.home_of(function.anchor)
    known = program.owner_of(made_in)
    if known is None or made_in is home:
        return ""
    if home in known.methods.values():
        return "self."
    word, held = program.held.get(home, ("", None)) if home is not None else ("", None)
    if held is known:
        return f"{word}."
    if known.name is None:
        place, what = program.units[function.anchor].node, "what one of several objects keeps is run from outside of it"
        raise Refused(place, what, "run it in a method of the object")
    return f"{known.name.id}."
