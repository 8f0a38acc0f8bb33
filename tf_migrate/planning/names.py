"""Names that must mean in every function what they meant in TF1's graph, before any run of the program is planned."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.names.exports import Users
from tf_migrate.planning.homes import require_one_home, require_own_paths
from tf_migrate.planning.operation_names import require_own_names
from tf_migrate.stages import effects
from tf_migrate.stages.lists import GLOBAL, TRAINABLE, UPDATES, Listing
from tf_migrate.stages.partials import symbol_called
from tf_migrate.stages.program import Program, Unit, apart
from tf_migrate.stages.scopes import is_written_out
from tf_migrate.stages.updates import Minimize
from tf_migrate.stages.values import Refused, Stage, flatten

_OF_CONTRIB = {
    **dict.fromkeys(("conv2d", "convolution2d"), "conv"),
    **dict.fromkeys(("linear", "relu"), "fully_connected"),
    "batch_norm": "batchnorm",
    "convolution2d_transpose": "conv2d_transpose",
}
"""The scopes of those layers of `tf.contrib` that have another name than these."""
_WORD_BEGINS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def require_own(program: Program, users: Users) -> None:
    """Refuses names of the module that are a part of the graph, and that other modules may use."""
    for name, binding in program.final.items():
        if "." not in name and binding.value.is_graph and users.may_reach(name):
            place = binding.node or program.sites[0].node
            raise Refused(place, f"another module may use `{name}`, a part of the graph", "give it a function to call")


def require_known_names(program: Program) -> None:
    """Refuses a program whose functions might give a variable, a layer or a summary another name than TF1 did."""
    _require_one_meaning(program)
    _require_no_listed_layers(program)
    require_one_home(program)
    require_own_paths(program)
    require_own_names(program)
    _require_written_scopes(program)
    _require_lists_behind_layers(program)
    _require_trained_lists(program)
    _require_no_shifting_scope(program)
    _require_choices_behind_variables(program)
    _require_no_names_of_averages(program)


def _require_one_meaning(program: Program) -> None:
    """Refuses a name that means several symbols of TensorFlow in turn: a function sees the last one only."""
    names, module = program.names, program.module
    for use in program.names.uses:
        scope = module.binding_scope(use.root)
        bound = [] if scope is None else scope.bindings[use.root.id]
        given = [names.resolve(item) for item in bound if isinstance(item, ast.expr) and not _is_none(item)]
        imported = [names.import_origin(*item) or "" for item in bound if isinstance(item, tuple)]
        if given and len({*given, *(origin.replace("tf.compat.v1", "tf") for origin in imported)}) > 1:
            what = f"`{use.root.id}` means several symbols of TensorFlow in turn"
            raise Refused(use.root, what, "give each a name of its own")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _require_no_listed_layers(program: Program) -> None:
    mixed = {listing.call for unit in program.units for listing in unit.lists}
    call = next((call for call in program.listed if call not in mixed), None)
    if call is not None and any(unit.creates for unit in program.units):
        raise Refused(call, "the variables of layers are asked for as a list", "pass the variables by name")


def _require_written_scopes(program: Program) -> None:
    """Refuses scopes whose names are known only at run time, where something goes by the names inside."""
    for unit in program.units:
        unknown = next((scope for scope in unit.scopes if not is_written_out(scope)), None)
        if unknown is not None and (unit.describes or program.saves):
            used = "a summary" if unit.describes else "a Saver"
            raise Refused(unknown, f"{used} goes by the name of this scope, known only at run time", "write it out")


def _require_lists_behind_layers(program: Program) -> None:
    """A function that is traced again would list what is made behind the list as well."""
    for listing in (unit for unit in program.units if unit.lists):
        for unit in program.units[listing.index + 1 :]:
            own = program.graph_of(unit.index) == program.graph_of(listing.index)
            path = program.scope_of(unit)
            filled = [known.scope for known in listing.lists if _fills(unit, known.key)]
            if own and not all(apart(path, scope) or program.is_apart(unit, scope) for scope in filled):
                what = "layers are built behind a list of all variables"
                raise Refused(unit.node, what, "list the variables behind all layers")


def _fills(unit: Unit, key: str) -> bool:
    """Whether a statement may put something into a collection."""
    if key == UPDATES:
        return unit.averages
    return bool(unit.makers if key in (TRAINABLE, GLOBAL) else unit.creates)


def _require_trained_lists(program: Program) -> None:
    """Refuses gradients of all variables of a scope, where some may be none that a tape watches."""
    for unit in program.units:
        for listing in _differentiated(unit):
            before = program.units[: listing.unit + 1]
            graph = program.graph_of(listing.unit)
            made = [other for other in before if other.creates and program.graph_of(other.index) == graph]
            below = [other for other in made if not program.is_apart(other, listing.scope)]
            if not all(other.made and all(known.trained for known in other.made) for other in below):
                what = "gradients are taken of all variables of a scope"
                raise Refused(listing.call, what, "list its trainable variables")


def _differentiated(unit: Unit) -> Iterator[Listing]:
    """The lists of all variables of which a statement may take gradients."""
    steps = [update for update in unit.value.updates if isinstance(update, Minimize)]
    reads = [update.reads for update in steps] + ([unit.reads] if unit.gradients else [])
    parts = flatten(binding.value for known in reads for binding in known.values())
    listed = [*(listing for part in parts for listing in part.listed), *(unit.lists if reads else ())]
    yield from (listing for listing in listed if listing.key == GLOBAL)


def _require_no_shifting_scope(program: Program) -> None:
    """Refuses a scope whose name is that of a kind of layer: TF1 counted it among those without a name."""
    if not any(unit.counts for unit in program.units):
        return
    symbols = [symbol_called(program.names, call) for call in program.calls]
    # An operation without variables counts its name elsewhere.
    computing = effects.PURE | effects.RANDOM
    kinds = {_kind(symbol) for symbol in symbols if symbol is not None and symbol not in computing}
    for scope in program.scopes:
        call = scope.items[0].context_expr
        assert isinstance(call, ast.Call)
        name = call.args[0]
        if isinstance(name, ast.Constant) and str(name.value).lower().rstrip("_0123456789") in kinds:
            raise Refused(scope, "this scope may take the name that an unnamed layer would get", "rename the scope")


def _require_choices_behind_variables(program: Program) -> None:
    """Refuses variables, or summaries, made behind what only some graphs had: it counted in their names."""
    for choice in (unit for unit in program.units if unit.chosen):
        making = {variable.unit for variable in program.variables}
        for unit in program.units[choice.index + 1 :]:
            named = _is_apart(program, choice, unit)
            if (unit.makers and not named) or unit.describes or unit.index in making:
                what = "variables or summaries are made behind a condition that builds a part of the graph"
                raise Refused(choice.node, what, "build it behind them")


def _require_no_names_of_averages(program: Program) -> None:
    """Refuses programs that may see the names of averages of tensors: TF1 took these from the operations' names."""
    moving = next((unit for unit in program.units for move in unit.moved if move.averages), None)
    listed = any(listing.key != TRAINABLE for unit in program.units for listing in unit.lists)
    if moving is not None and (program.saves or listed):
        what = "averages of tensors are saved or listed, whose names TensorFlow 1 took from operations"
        raise Refused(moving.node, what, "leave it to the bridge, or average by variables that have names")


def _is_apart(program: Program, choice: Unit, unit: Unit) -> bool:
    """Whether nothing but assignments depends on a choice, and a statement makes its variables in a scope beside it."""
    return choice.value.stage is Stage.EFFECT and not choice.scopes and bool(program.scope_of(unit))


def _kind(symbol: str) -> str:
    """The scope that TF1 opens, with a number, for a layer without a name; for an unrolled cell the name is fixed."""
    word = symbol.rpartition(".")[2]
    if symbol in effects.CELLS:
        return _WORD_BEGINS.sub("_", word).lower()
    if symbol.startswith(effects.CONTRIB):
        return _OF_CONTRIB.get(word, word)
    return "" if word.endswith("_rnn") else word.lower()
