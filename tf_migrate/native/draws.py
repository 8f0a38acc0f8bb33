"""Numbers that are drawn by a seed where they are drawn at once, as those that variables begin with.

Each operation of TensorFlow 1 had a sequence of its own. Eager code goes on with one sequence wherever a function of
TensorFlow is called with one seed, so that each such call but an only one asks for the beginning of its own.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.rules import Context
from tf_migrate.stages import effects
from tf_migrate.stages.program import Program

_SHIM = "random.first_draw"


def draw_edits(context: Context, program: Program) -> Iterator[Edit]:
    """The edits of all calls that draw at once, by a seed that others may have too."""
    names, module = program.names, program.module
    drawn = [call for unit in program.units if not unit.moves for call in unit.seeded]
    called = [call for call in drawn if isinstance(call, ast.Call) and names.resolve(call.func) in effects.RANDOM]
    times = Counter(names.resolve(call.func) for call in called)
    straight = (None, *program.entered.values())
    for call in dict.fromkeys(called):
        if times[names.resolve(call.func)] > 1 or module.function_of(call) not in straight:
            start, end = module.source.span(call.func)
            begin = module.source.text.index("(", end) + 1
            space = "" if module.source.text[begin].isspace() else " "
            yield Edit(start, start, f"{context.compat_path(_SHIM)}(")
            yield Edit(end, begin, f",{space}")
