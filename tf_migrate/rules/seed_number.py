"""TensorFlow 1 took the number of operations in the graph as the second seed of random operations that have the graph's
seed alone. What compat builds counts as many, but for some functions (`tf_migrate/facts/operation_count.txt`) and for
gradients: numbers that are drawn behind these are others than they were, though the program has a seed. So are those
that are drawn in a loop, in a branch, by the cells of a recurrent layer, or by what datasets map.
"""

from __future__ import annotations

from collections.abc import Iterator

from tf_migrate.names.draw_order import Programs
from tf_migrate.rules import Change, Context, Rule

_STEP = "give what draws behind it a seed of its own; `tf-migrate parity` draws the same numbers on both sides"


def find(context: Context) -> Iterator[Change]:
    """Looks at what each program with this module does, one call behind the other."""
    module, index = context.module, context.names.index
    if context.tf2 or not context.builds:
        return
    programs = Programs.of(context.names)
    calls = {(call.lineno, call.col_offset): call for call in module.calls}
    for program in sorted(index.importing(module.name) | {module.name}):
        found = programs.first(program, context.names)
        if found is None or found.module != module.name:
            continue
        call = calls[found.line, found.column]
        if not module.is_skipped(call):
            where = "in" if found.within else "behind"
            message = (
                f"TensorFlow 1 counted other operations for `{found.symbol}`: what is drawn {where} it, with the "
                "seed of the graph alone, gives other numbers"
            )
            yield Change(
                context.finding(call, "TFM138", message, action="shimmed", severity="warning", next_step=_STEP)
            )
            return


RULE = Rule(id="TFM138", name="seed-number", before="", after="", find=find)
