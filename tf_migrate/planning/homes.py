"""Variables that the script makes, and those that functions make: TensorFlow 1 counted the names of all of them.

Natively a function counts the variables that it makes, and the scopes around these, and the script its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence, Set

from tf_migrate.planning.graph_names import names_at
from tf_migrate.stages.lists import TRAINABLE
from tf_migrate.stages.program import Program, Unit, scope_names
from tf_migrate.stages.scopes import beginning, has_plain_name, names_variables
from tf_migrate.stages.values import Refused, Variable
from tf_migrate.syntax.arguments import argument

_NAMES = ("name", "op")
_SCOPES = frozenset({"tf.name_scope", "tf.variable_scope", "tf.variable_op_scope", "tf.op_scope"})
_PLAIN_SCOPES = frozenset({"tf.name_scope", "tf.variable_scope"})
_NAMING = ("name", "name_or_scope", "default_name", None)
_UNNAMED = "variable"
_BY_NAME = 5
"""The place of the name among the arguments of `tf.Variable`."""


class TwoHomes(Refused):
    """The names of variables that the script makes, and of others that functions make, may clash."""

    code = "two-homes"


def require_one_home(program: Program) -> None:
    """Refuses variables that are made in two ways, where something goes by their names: each counts its own."""
    lists = [listing for unit in program.units for listing in unit.lists]
    asked = _asks_for_names(program)
    made = [unit for unit in program.units if "variable" in unit.creates]
    if not (program.saves or asked) or not made:
        return
    only_trained = not program.listed and all(listing.key == TRAINABLE for listing in lists)
    for known in program.variables:
        beside = not asked or (only_trained and not (lists and known.trainable))
        if not (beside and _is_named_apart(program, known, made, asked=asked)):
            raise TwoHomes(
                known.call,
                "some variables are created here and others inside functions: their names may clash",
                "create all of them inside functions, or all of them here",
            )


def _is_named_apart(program: Program, variable: Variable, made: Sequence[Unit], *, asked: bool) -> bool:
    """Whether TF1 put no number behind the name of a variable because of those of functions, nor the other way round.

    One without a name may have any number where it is made behind these: no Saver knows it.
    """
    calls = {call for unit in made for call in unit.makers}
    names = {_counted_name(program, call) for call in calls}
    own = _counted_name(program, variable.call)
    if None in names:
        return False
    if any(use.symbol in _SCOPES for use in program.names.uses):
        return own not in names and _is_beside_scopes(program, variable, own, calls)
    if not names.isdisjoint(_texts_beside(program, calls)):
        return False
    if own == _UNNAMED and not asked:
        return all(unit.index < variable.unit for unit in program.units if unit in made or unit.savers)
    return own not in {None, _UNNAMED, *names}


def _is_beside_scopes(program: Program, variable: Variable, own: str | None, calls: Set[ast.Call]) -> bool:
    """Whether a variable stands outside of all scopes, under a name that none of them, nor an operation, may have."""
    if own in (None, _UNNAMED) or program.units[variable.unit].scopes:
        return False
    texts = {part for text in _texts_beside(program, {*calls, variable.call}) for part in text.split("/")}
    return own not in texts and not any(_may_open(program, call, str(own)) for call in program.calls)


def _may_open(program: Program, call: ast.Call, name: str) -> bool:
    """Whether a call may open a scope of a name that is not written out."""
    symbol = program.names.resolve(call.func)
    if symbol not in _SCOPES:
        return False
    given = [*call.args[:1], *(word.value for word in call.keywords if word.arg in _NAMING)]
    written = all(isinstance(item, ast.Constant) for item in given)
    begun = None if written or len(given) > 1 else beginning(given[0])
    plain = bool(given) and symbol in _PLAIN_SCOPES and len(call.args) < 2
    return not (plain and (written or (begun is not None and not name.startswith(_counted(begun)))))


def _counted_name(program: Program, call: ast.Call) -> str | None:
    """What TF1 counted a variable as; None where that is not known."""
    symbol = program.names.resolve(call.func)
    starred = any(isinstance(item, ast.Starred) for item in call.args) or any(
        word.arg is None for word in call.keywords
    )
    if symbol not in ("tf.Variable", "tf.get_variable") or starred:
        return None
    name = argument(call, "name", 0 if symbol == "tf.get_variable" else _BY_NAME)
    if name is None and symbol == "tf.Variable":
        return _UNNAMED
    text = name.value if isinstance(name, ast.Constant) else None
    return _counted(text) if isinstance(text, str) and "/" not in text else None


def _counted(text: str) -> str:
    """A name without a number, in small letters."""
    return re.sub(r"(_\d+)+$", "", text).lower()


def _texts_beside(program: Program, calls: Set[ast.Call]) -> set[str]:
    """The texts of a program, which may be names of operations, but for those that are given to these calls."""
    own = {item for call in calls for item in (*call.args, *(word.value for word in call.keywords))}
    texts = (node for node in ast.walk(program.module.tree) if isinstance(node, ast.Constant) and node not in own)
    return {_counted(node.value) for node in texts if isinstance(node.value, str)}


def _asks_for_names(program: Program) -> bool:
    """Whether something of the program goes by the names of variables, other than what is saved."""
    named = any(word in program.module.attributes for word in _NAMES)
    return named or bool(program.listed) or any(unit.lists for unit in program.units)


def require_own_paths(program: Program) -> None:
    """Refuses name scopes of the script around variables that functions make, to which TF1 may have put a number."""
    if not (program.saves or _asks_for_names(program)):
        return
    own = {scope.items[0].context_expr for scope in program.scopes}
    inside = [call for call in program.calls if call not in own]
    for unit, names, path in names_at(program):
        around = [scope for scope in unit.scopes if not names_variables(program.names, scope)]
        if "variable" not in unit.creates or not around:
            continue
        written = scope_names(unit)
        opened = any(_may_open(program, call, _counted(name)) for call in inside for name in written)
        plain = all(map(has_plain_name, unit.scopes))
        if opened or not plain or path != f"{'/'.join(written)}/" or not names.unsure.isdisjoint(unit.scopes):
            what = f"something else may have the name of the scope `{written[-1]}`, so TF1 may have numbered it"
            raise Refused(around[-1], what, "rename one")
