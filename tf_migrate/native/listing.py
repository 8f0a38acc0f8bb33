"""Lists of variables: written out by the names that these have, or those of a store, or both."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tf_migrate.changes.edits import Edit
from tf_migrate.stages.lists import Listing
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.values import Variable
from tf_migrate.syntax.module import Module

_TRAINABLE = "tf.trainable_variables"


@dataclass(frozen=True)
class ListWriter:
    """Calls that mean all variables list them.

    `written` is a list of variables as a statement sees them, `store_of` the store that it knows.
    """

    program: Program
    compat: str
    written: Callable[[Sequence[Variable], Unit | None], str]
    store_of: Callable[[Unit, ast.Call], str]

    def edits(self) -> Iterator[Edit]:
        """The edits of the calls that stay where they stand."""
        names, source = self.program.names, self.program.module.source
        lists = [
            (unit, listing)
            for unit in self.program.units
            for listing in {known.call: known for known in unit.lists}.values()
        ]
        for call, meant in self.program.listed.items():
            if names.resolve(call.func) is not None and all(listing.call is not call for _, listing in lists):
                statement = self.program.module.statement_of(call)
                place = next((unit for unit in self.program.units if unit.node is statement), None)
                yield Edit(*source.span(call), self.written(meant, place), encloses=True)
        for unit, listing in lists:
            symbol = names.resolve(listing.call.func)
            if symbol == _TRAINABLE or (symbol is not None and listing.is_mixed):
                yield self._stored(unit, listing)

    def text(self, unit: Unit, call: ast.Call) -> str:
        """The variables that a call of a statement means, which does not name them."""
        listing = next((known for known in unit.lists if known.call is call), None)
        return self.written(self.program.listed.get(call, ()), unit) if listing is None else self._all(unit, listing)

    def _stored(self, unit: Unit, listing: Listing) -> Edit:
        """The list of the variables of a store, or of those below a scope."""
        call, source = listing.call, self.program.module.source
        if not listing.is_mixed and (call.args or call.keywords or call not in ast.walk(unit.node)):
            return Edit(*source.span(call.func), f"{self.compat}.trainable_variables")
        return Edit(*source.span(call), self._all(unit, listing), encloses=True)

    def _all(self, unit: Unit, listing: Listing) -> str:
        """The trainable variables of a store, between those that the script makes itself before and behind them."""
        made = f"{self.store_of(unit, listing.call)}.trainable_variables"
        before, behind = (self.written(own, unit)[1:-1] for own in (listing.before, listing.behind))
        return f"[{', '.join(filter(None, [before, f'*{made}', behind]))}]" if listing.is_mixed else made


def list_of(
    variables: Sequence[Variable],
    program: Program,
    text: Callable[[ast.expr], str],
    renamed: dict[str, str],
    kept: Mapping[ast.Call, str],
) -> str:
    """An expression for a list of variables, in the order given; whole containers are unpacked."""
    pieces: list[str] = []
    remaining = list(variables)
    while remaining:
        first = remaining[0]
        target = kept.get(first.call, renamed.get(first.target, first.target))
        together = [
            variable
            for variable in program.variables
            if variable.target == first.target and variable.unit == first.unit and variable.trainable
        ]
        if first.key is None:
            pieces.append(target)
            remaining.pop(0)
        elif len(together) > 1 and remaining[: len(together)] == together and _is_whole(first, program):
            pieces.append(f"*{target}.values()" if _is_dict(first, program) else f"*{target}")
            del remaining[: len(together)]
        else:
            assert isinstance(first.key, ast.expr)
            pieces.append(f"{target}[{ast.unparse(first.key)}]")
            remaining.pop(0)
    return f"[{', '.join(pieces)}]"


def _is_whole(variable: Variable, program: Program) -> bool:
    """Whether a container holds new trainable variables and nothing else."""
    value = program.units[variable.unit].value
    return value.parts is not None and all(
        len(part.variables) == 1 and part.variables[0].unit == variable.unit and part.variables[0].trainable
        for part in value.parts
    )


def _is_dict(variable: Variable, program: Program) -> bool:
    return program.units[variable.unit].value.keys is not None


def is_tuple(node: ast.expr, module: Module) -> bool:
    """Whether an expression is a tuple, or a name that may be bound to one that is written out."""
    made = module.root.bindings.get(node.id, []) if isinstance(node, ast.Name) else [node]
    return any(isinstance(value, ast.Tuple) for value in made)
