"""What an evaluation notes on its way: the bindings that it reads, and Python code that may not run at another time."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tf_migrate.stages.arg_scopes import ArgScope
from tf_migrate.stages.given import Given
from tf_migrate.stages.handing import Handed
from tf_migrate.stages.made import Made, Opened
from tf_migrate.stages.named_graphs import NamedGraph
from tf_migrate.stages.summaries import Hidden
from tf_migrate.stages.values import LAYER, Binding, Move, Reads, Refused, Stage, Value, Variable

if TYPE_CHECKING:
    from tf_migrate.stages.moving import Moving

_NAMED = frozenset({Stage.EFFECT, Stage.PLACEHOLDER, Stage.TENSOR})
_STATEMENT = "what is made by statement "


def is_statement(name: str) -> bool:
    """Whether what is read under a name is no value, but what a statement makes or does."""
    return name.startswith(_STATEMENT)


def own_name(key: str, binding: Binding) -> str:
    """The name that a value has where it is made, whatever others it got since."""
    named = isinstance(binding.node, ast.Name) and binding.value.stage in _NAMED
    if binding.attribute is not None and binding.value.stage in _NAMED:
        return binding.attribute
    return binding.node.id if named and isinstance(binding.node, ast.Name) else key


class Notes:
    """Collects reads and impure code of the expressions that are evaluated."""

    def __init__(self) -> None:
        self._reads: dict[str, Binding] = {}
        self._impure: list[ast.expr] = []
        self.joined: dict[ast.Call, tuple[str, ...]] = {}
        """The collections of the program's own that variables joined, by the calls that make these."""
        self.joined_in_store: set[str] = set()
        self.bound: dict[ast.Call, tuple[str, Binding]] = {}
        """What each variable was bound to first, by the call that makes it."""
        self.placeholders: dict[ast.expr, tuple[str, Binding]] = {}
        """What each placeholder was bound to first, by the call that makes it: under that name it is fed."""
        self.written: list[tuple[str, Binding]] = []
        """The names of lists that are written out and hold pieces of text."""
        self.fillings: dict[ast.Dict, tuple[ast.stmt, ...]] = {}
        """The statements that made a feed dictionary which was filled step by step."""
        self.staying: set[ast.Dict] = set()
        """The feed dictionaries that stay: by the time of a run their values may be others."""
        self.statement: ast.stmt | None = None
        """The statement that is read."""
        self.stable: dict[ast.expr, bool] = {}
        """Whether attributes of Python values stay what they are."""
        self.seeded: list[ast.Call] = []
        """The calls that draw by a seed of their own."""
        self.takers: dict[ast.FunctionDef, frozenset[str]] = {}
        """The parameters by which functions run a session."""
        self.handings: list[Handed] = []
        """The sessions and tensors that calls hand to such functions."""
        self.receivers: dict[ast.FunctionDef, frozenset[str]] = {}
        """The parameters of functions that their runs fetch or feed."""
        self.received: list[Given] = []
        """The tensors that calls of the statement which is read hand to them."""
        self.given: Given | None = None
        """The tensors that the function which is read is given."""
        self.run_parts: set[ast.expr] = set()
        """The parameters where runs of such functions fetch or feed them."""
        self.partials: dict[ast.Call, tuple[Value, ...]] = {}
        """What layers are given before their calls, by the calls of `functools.partial`."""
        self.written_out: dict[tuple[ast.Call, ast.Call], ast.Call] = {}
        """The calls of such layers with all their arguments."""
        self.makers: set[ast.Call] = set()
        self.finders: set[ast.Call] = set()
        self.either: set[ast.Call] = set()
        """Those among both that look up what is there, and make what is not."""
        self.opened: list[str | None] = []
        """The names of the scopes that functions have opened, None for those that are not known."""
        self.opened_apart: list[ast.Call] = []
        """The calls that make objects whose constructors open scopes in which nothing is made."""
        self.within: list[Opened] = []
        """The variable scopes among them."""
        self.named: set[str | None] = set()
        """How the names of scopes and plain variables begin that functions open and make, outermost; None for any."""
        self.made: list[Made] = []
        """What the calls make that make variables of a store."""
        self.moving: list[str | None] = []
        self.averaged: list[tuple[int, tuple[str | None, ...]]] = []
        """The statements with layers that move averages, and for each layer the outermost scope around it."""
        self.apart: list[ast.Call] = []
        """The calls that ask for updates in the scope of one of several objects."""
        self.in_place: list[ast.Call] = []
        """The layers whose output moves averages where it is computed."""
        self.moving_averages: dict[ast.expr, Moving] = {}
        """The averages of tensors that functions keep."""
        self.moved: list[Move] = []
        """What functions do besides computing in the statement that is read."""
        self.acting: list[ast.AST] | None = None
        """What a Python function that runs call does besides computing; None where none is read."""
        self.acted: list[Move] = []
        """The calls of those that do."""
        self.path: list[object] = []
        """What is around: calls of functions, comprehensions, rounds of loops, ways of conditions of the graph."""
        self.metrics: list[ast.Call] = []
        """The metrics, which move their variables where their update is computed."""
        self.inner: list[tuple[ast.Attribute, str]] = []
        """The attributes that are read in the block which binds them, and their names."""
        self.used_locally: dict[ast.Attribute, None] = {}
        """Attributes of objects that functions inside methods use as local names."""
        self.arg_scopes: list[ArgScope] = []
        """The blocks around that give arguments to layers."""
        self.hidden: list[Hidden] = []
        """The summaries that functions and blocks make."""
        self.derived: list[ast.Call] = []
        """The calls of `tf.gradients` that stay."""
        self.waits: ast.expr | None = None
        """The list of updates that what is built waits for: its name, or the call that asks for it."""
        self.graph: NamedGraph | None = None
        """The graph that the program made by name, once it did."""
        self.graph_blocks: list[ast.With] = []
        """The blocks around in which that graph is the default one."""
        self.branches = 0
        """How many functions of conditions and loops of the graph are around."""
        self.directly = False
        """Whether a name is evaluated because a run fetches it."""
        self.aliases: dict[Binding, ast.expr] = {}
        """Other names of attributes that runs fetch, and what these are names of."""

    @abstractmethod
    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""

    def collect(self, node: ast.expr) -> tuple[Value, Reads, Sequence[ast.expr]]:
        """The value of an expression, the module's bindings it reads, and the Python code in it that may not move."""
        with self.collecting() as (reads, impure):
            value = self.value(node)
        return value, reads, impure

    @contextmanager
    def collecting(self) -> Iterator[tuple[dict[str, Binding], list[ast.expr]]]:
        """Notes reads and impure code of what is evaluated inside; the evaluation around it sees them too."""
        outer = self._reads, self._impure
        self._reads, self._impure = {}, []
        try:
            yield self._reads, self._impure
        finally:
            outer[0].update(self._reads)
            outer[1].extend(self._impure)
            self._reads, self._impure = outer

    @contextmanager
    def fetching_names(self) -> Iterator[None]:
        """Evaluates names that a run fetches as they are: then tensors that wait for updates make them."""
        outer, self.directly = self.directly, True
        try:
            yield
        finally:
            self.directly = outer

    @contextmanager
    def aside(self) -> Iterator[tuple[dict[str, Binding], list[ast.expr]]]:
        """Notes what is evaluated inside, and keeps it from the evaluation around it."""
        outer = self._reads, self._impure
        self._reads, self._impure = {}, []
        try:
            yield self._reads, self._impure
        finally:
            self._reads, self._impure = outer

    @contextmanager
    def inside(self, place: object) -> Iterator[None]:
        """Notes a call, a comprehension, a round of a loop or a way of a condition that is around what is evaluated."""
        self.path.append(place)
        try:
            yield
        finally:
            self.path.pop()

    def taken_made(self) -> tuple[Made, ...]:
        """What is known of the variables that were made since this was asked last."""
        found, self.made = tuple(dict.fromkeys(self.made)), []
        return found

    def taken_makers(self) -> tuple[frozenset[ast.Call], frozenset[ast.Call], frozenset[ast.Call]]:
        """The calls that make variables, that only look them up, or do as it needs, since this was asked last."""
        found = frozenset(self.makers), frozenset(self.finders), frozenset(self.either & self.makers)
        self.makers, self.finders, self.either = set(), set(), set()
        return found

    def taken_averages(self, unit: int, scopes: Sequence[object]) -> bool:
        """Whether layers move averages since this was asked last: those of a statement, in the script's `scopes`."""
        found, self.moving = self.moving, []
        if found:
            # The name of a scope of the script may be known only at run time.
            self.averaged.append((unit, (None,) * len(found) if scopes else tuple(found)))
        return bool(found)

    def taken_derived(self) -> bool:
        """Whether a call of `tf.gradients` stays since this was asked last."""
        found, self.derived = self.derived, []
        return bool(found)

    def note_reads(self, reads: Reads) -> None:
        """Says that the expression sees bindings that it does not name."""
        self._reads.update(reads)

    def note_statement(self, unit: int, node: ast.expr) -> None:
        """Says that the expression sees what a statement makes, and not by a name."""
        self.note_reads({f"{_STATEMENT}{unit}": Binding(LAYER, unit, 0, node)})

    def note_variables(self, variables: Iterable[Variable]) -> None:
        """Says that variables are read, under the names that they have."""
        for variable in variables:
            self.note_seen(*self.bound[variable.call])

    def note_seen(self, key: str, binding: Binding) -> None:
        """Says that a name is read, under the name that its value has where it is made."""
        if binding in self.aliases:
            source = self.aliases[binding]
            what = f"`{key}`, another name of `{ast.unparse(source)}`, is used where it is not fetched"
            raise Refused(source, what, f"write `{ast.unparse(source)}` there")
        if binding.value.stage is Stage.TENSOR and binding.value.updates and not self.directly:
            what = f"`{key}`, which waits for updates, is used where it is not fetched"
            raise Refused(binding.node or ast.Name(key), what, "compute with what it is made of")
        own = own_name(key, binding)
        known = self._reads.get(own, binding)
        if known.home is not binding.home:
            # No function sees both: none has a name that is spelled like this.
            self._reads[f".{own}"] = known
        self._reads[own] = binding

    def note_impure(self, node: ast.expr) -> None:
        """Says that the Python code of `node` must not run at another time or another number of times."""
        self._impure.append(node)

    def require_straight(self, node: ast.Call) -> None:
        """Refuses a call that does more than compute, in a function of a condition or a loop of the graph."""
        if self.branches:
            what = f"`{ast.unparse(node.func)}` stands in a condition or a loop of the graph"
            raise Refused(node, what, "build this part outside of it, or leave it to the bridge")

    def note_seeded(self, node: ast.Call) -> None:
        """Says that a call draws one sequence of numbers, whoever draws."""
        self._impure.append(node)
        self.seeded.append(node)

    def drawn(self, nodes: Sequence[ast.expr]) -> tuple[ast.expr, ...]:
        """Those of some Python code that draw by a seed of their own."""
        return tuple(node for node in nodes if node in self.seeded)
