"""What runs of a graph change: training steps, with their learning rates and gradients, and assignments."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from tf_migrate.stages.values import OPEN, Reads, Slope, Value, Variable

if TYPE_CHECKING:
    from tf_migrate.stages.shadows import Average


@dataclass(frozen=True, eq=False)
class Rate:
    """A learning rate of the graph: `node`, an argument of the optimizer's `call`.

    A tensor is computed anew by each step; a variable or a constant, which is `held`, stays what the optimizer sees.
    """

    call: ast.Call
    node: ast.expr
    reads: Reads
    held: bool


@dataclass(frozen=True, eq=False)
class Minimize:
    """`optimizer.minimize(loss)`; `optimizer` is the name of one or the call that makes it.

    `inline` says that it stands in the run itself. `tracked` is what the loss reads, without the learning rate, `after`
    the list of updates that it waits for: its name, or the call that asks for it.
    """

    unit: int
    optimizer: ast.expr
    loss: ast.expr
    variables: ast.expr | None
    global_step: ast.expr | None
    reads: Reads
    inline: bool
    tracked: Reads
    rate: Rate | None = None
    after: ast.expr | None = None


@dataclass(frozen=True, eq=False)
class Assign:
    """`variable.assign(value)` and its kin.

    `aliased` are the variables that the value is a mere copy of, `after` the updates that it waits for, which its value
    sees.
    """

    unit: int
    variable: ast.expr
    updated: Value
    method: str
    value: ast.expr
    reads: Reads
    inline: bool
    aliased: tuple[Variable, ...]
    after: tuple[Update, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, eq=False)
class Apply:
    """`optimizer.apply_gradients(pairs)`; `updated` are the variables in the pairs, `after` as for `Minimize`."""

    unit: int
    optimizer: ast.expr
    pairs: ast.expr
    global_step: ast.expr | None
    updated: tuple[Variable, ...]
    reads: Reads
    inline: bool
    rate: Rate | None = None
    after: ast.expr | None = None


@dataclass(frozen=True, eq=False)
class Gradients:
    """A call that takes gradients of `loss`; `variables` is the list that the call names, if it does.

    It is `by_one` where it takes them by a variable that stands in no list: `tf.gradients` gives a list even so.
    `slope` is that of the loss, `whole` says that it takes them by all variables that are trained.
    """

    call: ast.Call
    loss: ast.expr
    variables: ast.expr | None
    reads: Reads
    by_one: bool = False
    slope: Slope = OPEN
    whole: bool = False


Update: TypeAlias = "Minimize | Assign | Apply | Average"
