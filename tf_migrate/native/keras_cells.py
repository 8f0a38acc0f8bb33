"""Keras cells: an object of Keras makes variables where it is made, which a function may not do when traced anew.

TF 1.15 counted the cells of a graph in their names, which a function that makes one of them cannot know.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.stages import effects
from tf_migrate.stages.program import Program
from tf_migrate.stages.values import flatten

_NAMES = {"tf.keras.layers.SimpleRNNCell": ("KerasSimpleRNNCell", "simple_rnn_cell")}


def cell_edits(program: Program, compat: str) -> Iterator[Edit]:
    """Makes each cell one of the shims', with the name that it had."""
    source = program.module.source
    counts: dict[tuple[int, str], int] = {}
    for unit in program.units:
        inside = set(ast.walk(unit.node))
        for value in flatten([unit.value]):
            call = value.node
            if value.symbol not in effects.KERAS_CELLS or not isinstance(call, ast.Call) or call not in inside:
                continue
            shim, word = _NAMES[str(value.symbol)]
            yield Edit(*source.span(call.func), f"{compat}.nn.rnn_cell.{shim}")
            if any(keyword.arg == "name" for keyword in call.keywords):
                continue
            number = counts.get((program.graph_of(unit.index), word), 0)
            counts[program.graph_of(unit.index), word] = number + 1
            end = max(source.end(item) for item in (*call.args, *(keyword.value for keyword in call.keywords)))
            yield Edit(end, end, f', name="{word}_{number}"' if number else f', name="{word}"')
