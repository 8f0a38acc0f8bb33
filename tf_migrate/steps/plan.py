"""What becomes of one program in the form of steps, in terms of its syntax trees.

The planner makes these records from the trace; the emission writes them. Expressions that stay are nodes of the
original, so that what else changes inside of them is kept; new ones are text in names that are known at their place.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tf_migrate.interpreter.recorder import FunctionNode
from tf_migrate.report.model import Reason, Tier


@dataclass(frozen=True)
class Block:
    """Statements of one block that follow one another and only build: they go under `with compat.building():`."""

    first: ast.stmt
    last: ast.stmt


@dataclass(frozen=True)
class Step:
    """A step that is bound: `self.train_step = compat.step(self.loss, self.x, updates=[self.train_op])`.

    It is bound behind `anchor` (before it where `before` is set), at the anchor's own level: behind the block of
    building that the anchor ends, not in it, unless the whole function is a builder. Several steps at one anchor keep
    the order of the plan.
    """

    target: str
    """What it is bound to: `train_step`, `self.train_step`."""
    fetches: str | None
    """Text of the fetches; None where it only updates."""
    inputs: tuple[str, ...]
    updates: tuple[str, ...]
    anchor: ast.stmt
    before: bool = False
    needs: tuple[str, ...] = ()
    """Attributes that an object may not have: the step is bound where they are there."""
    each: str = ""
    """`list` or `dict` where the fetches are one, and there is a step for each of its items."""


@dataclass(frozen=True)
class Insertion:
    """A statement that is put behind another, or before it: `compat.VariableStore().enter_program()`.

    It stands outside of the block of building that the anchor begins or ends, as a step does; `compat` is whatever
    the module calls the shims. Behind one anchor insertions come before steps.
    """

    text: str
    anchor: ast.stmt
    before: bool = False
    restarts: bool = False
    """Whether it gives variables their first values again."""


@dataclass(frozen=True)
class Hoist:
    """An expression of a run that builds: it gets a name in a block of building before the statement of the run.

    `print(sess.run(tf.argmax(h, 1)))` becomes `argmax = tf.argmax(h, 1)` under `with compat.building():`, and a step
    that fetches `argmax`. Hoists of one statement share a block, behind what is inserted before it, before its steps.
    """

    expression: ast.expr
    name: str
    statement: ast.stmt


@dataclass(frozen=True)
class StepCall:
    """A run that becomes a call of a step.

    `arguments` are expressions of the original that stay: the values of the inputs in order, or the one dictionary
    that is keyed by inputs. `kept` are the positions of the targets that stay where the results are unpacked by an
    assignment (`_, loss = sess.run([train, loss])` keeps position 1 only: then the step gives one value, no list);
    None where targets and results stay as they are.
    """

    node: ast.Call
    callee: str
    arguments: tuple[ast.expr, ...] = ()
    kept: tuple[int, ...] | None = None


@dataclass(frozen=True)
class DynamicRun:
    """A run whose fetches or keys of feeds are known at run time alone: `compat.run(fetches, feeds)`.

    So is one that is given more than that: `options`, `run_metadata`.
    """

    node: ast.Call
    fetches: ast.expr
    feeds: ast.expr | None
    named: tuple[tuple[str, ast.expr], ...] = ()


@dataclass(frozen=True)
class HandedRun:
    """A run that is given what its function is given, by stars: `compat.run(*args, **kwargs)`."""

    node: ast.Call


@dataclass(frozen=True)
class Read:
    """A run that only reads variables, or what is computed at once: `variable.numpy()`, or a list; `fetches` stays."""

    node: ast.Call
    fetches: ast.expr
    """A variable, or a list or tuple display of variables; an expression that gives a list of them, where `each`."""
    each: bool = False
    nested: bool = False
    """Whether it gives a structure of tensors, such as the first states of cells."""


@dataclass(frozen=True)
class AtOnce:
    """A run of assignments that are made where they are run: `v.assign(x)` alone does it at once."""

    node: ast.Call
    fetches: ast.expr


@dataclass(frozen=True)
class Removal:
    """A run that goes with its statement: the first and only one of an initializer."""

    node: ast.Call
    statement: ast.stmt


@dataclass(frozen=True)
class Built:
    """A run that goes, but for what it would have run: that is built where it stands."""

    node: ast.Call
    fetches: ast.expr


Run = StepCall | DynamicRun | HandedRun | Read | AtOnce | Removal | Built


@dataclass(frozen=True)
class Verdict:
    """The tier of one run, and everything that keeps it from a better one."""

    node: ast.Call
    tier: Tier
    reasons: tuple[Reason, ...] = ()
    step: str | None = None


@dataclass
class ModulePlan:
    """What becomes of one module. Nodes are those of the module's own tree."""

    builders: set[ast.FunctionDef] = field(default_factory=set)
    """Functions and methods that get `@compat.builder`: it becomes the innermost decorator."""
    decorated: dict[ast.ClassDef | ast.FunctionDef, str] = field(default_factory=dict)
    """Classes and functions that get a decorator: it becomes the innermost one."""
    bridged: set[FunctionNode] = field(default_factory=set)
    """Functions that stay as they are on the bridge."""
    blocks: list[Block] = field(default_factory=list)
    """Never overlapping."""
    built: set[ast.expr] = field(default_factory=set)
    """Calls `f(a)` that become `compat.build(f, a)`; any other expression becomes `compat.build(lambda: a + b)`."""
    built_whole: set[ast.expr] = field(default_factory=set)
    """Those of them that are built with their arguments: `compat.build(lambda: f(a + b))`."""
    hoisted: list[Hoist] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    inserted: list[Insertion] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    own_calls: frozenset[ast.Call] = frozenset()
    """Calls that only read as runs (`model.eval()`): what they call is a function of the program."""
    dropped: set[ast.stmt] = field(default_factory=set)
    """Statements that go: a block that loses all gets `pass`; an `else` or a `finally` goes too, and so does a whole
    statement where nothing of it has an effect any more."""
    unwrapped: set[ast.With | ast.If] = field(default_factory=set)
    """`with` statements whose items all go, and tests that go: the body takes their place, one level less deep."""
    chosen: dict[ast.expr, ast.expr] = field(default_factory=dict)
    """Expressions of which one part stays: the body of a condition."""
    dropped_items: set[ast.withitem] = field(default_factory=set)
    """Items of `with` statements that go while others stay."""
    dropped_parameters: set[ast.arg] = field(default_factory=set)
    """Parameters that carried a session only; the default goes too."""
    dropped_arguments: set[ast.expr] = field(default_factory=set)
    """Values of arguments of calls, positional or by keyword, that go."""
    dropped_elements: set[ast.expr] = field(default_factory=set)
    """Elements of tuple displays, or of tuple targets, that go (`self.sess, self.room = sess, room`).

    The name of an item of a `with` goes as well: `as sess`."""
    bare: set[ast.Assign] = field(default_factory=set)
    """Assignments whose targets go: the value stays as a statement."""
    renamed: dict[ast.Attribute, str] = field(default_factory=dict)
    """Attributes that get another name, whatever they are of."""
    replaced: dict[ast.expr | ast.ImportFrom, str] = field(default_factory=dict)
    """Expressions that become other text: `sess.graph` becomes `compat.get_default_graph()`.

    `compat` there stands for whatever the module calls the shims."""


@dataclass
class ProgramPlan:
    """What becomes of one program, whose modules share graphs and sessions: all of it, or nothing."""

    modules: dict[str, ModulePlan]
    shared: frozenset[str] = frozenset()
    """Those that other programs build with: steps are made only where they are scripts."""
