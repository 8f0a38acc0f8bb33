"""What an execution showed of a program: what builds, what runs, where sessions go. Merged over all entries."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from tf_migrate.interpreter.values import Class, Frame, Node, Thing, Turn, Value
from tf_migrate.syntax.module import Module

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
UNFIT = "call.unfit"
"""Stands among the symbols of a call whose arguments a function of the program does not take: it raises."""

RECORD = "call.record"
"""Stands among the symbols of a call that makes a named tuple of the program's: it only keeps what it is given."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A value as it was at a moment: a leaf, or a container with its parts."""

    value: Value
    kind: str = "leaf"
    """`leaf`, `list` (or a tuple), `table`, or the `sum` of lists."""
    parts: tuple[tuple[Value, Snapshot], ...] = ()
    closed: bool = True
    """Whether nothing else is in it."""
    maybe: tuple[Value, ...] = ()
    """The keys of a table that are there on some ways only."""

    def leaves(self) -> list[Value]:
        """The values at the ends."""
        if self.kind == "leaf":
            return [self.value]
        return [leaf for _, part in self.parts for leaf in part.leaves()]

    @property
    def is_empty(self) -> bool:
        """Whether it is a container with nothing in it."""
        return self.kind != "leaf" and self.closed and not self.parts

    @property
    def known(self) -> bool:
        """Whether all containers in it are closed."""
        return self.closed and not self.maybe and all(part.known for _, part in self.parts)


@dataclass(eq=False)
class Observation:
    """One time that a place ran a session."""

    time: int
    frame: Frame
    session: Value | None
    """What it ran in; None for the default session."""
    fetches: Snapshot
    fetch: ast.expr | None
    """The expression of what it fetched, None where a call was given it otherwise."""
    feeds: Snapshot | None
    feed: ast.expr | None
    graph: Thing
    latest: dict[ast.expr, int] = field(default_factory=dict)
    """For paths in the expressions: their value's last change."""
    inner: dict[ast.expr, int] = field(default_factory=dict)
    """The same, without the names that they begin with."""
    words: dict[ast.expr, Value] = field(default_factory=dict)
    """Paths in displays that the names in the expressions were given, with what they mean when it ran."""
    shown: dict[ast.expr, ast.expr] = field(default_factory=dict)
    """For names in the expressions: the only display that they were given."""
    given: dict[ast.expr, Value] = field(default_factory=dict)
    """Paths in what is built where it is fetched, with what they mean."""
    beside: list[Node] = field(default_factory=list)
    """What hooks fetched with it."""
    others: tuple[str, ...] = ()
    """Further arguments of the call (`options`, `run_metadata`)."""
    method: str = "run"
    hooked: bool = False
    """Whether hooks are called around it, of a monitored session."""
    past: frozenset[object] = frozenset()
    """What ran in the graph since the session was made, on this way: places, and sessions."""
    guessed: bool = False
    """Whether nothing showed that the program gets here with these values."""
    turn: Turn = ()
    """The turns of loops in which it ran."""
    entered: Thing | None = None
    """The default graph where it ran."""
    never: bool = False
    """Whether the program ends with an error before it gets here with these values."""


@dataclass(frozen=True, eq=False)
class Use:
    """One time that a session which the program made did something: ran, saved, restored."""

    session: Thing
    graph: Thing
    node: ast.AST
    guessed: bool


@dataclass(frozen=True, eq=False)
class Return:
    """A run of a session behind a run of others, which may be alive together with it, over the same graph."""

    session: Thing
    others: tuple[Value, ...]
    node: ast.AST


@dataclass(eq=False)
class Visit:
    """One call of a function of the program."""

    node: FunctionNode
    frame: Frame
    receiver: Value | None
    caller: Frame | None
    start: int
    end: int = 0
    left: bool = False
    """Whether an error ended it before its end."""


@dataclass(frozen=True)
class Problem:
    """Something that keeps a program out of the form of steps."""

    code: str
    module: Module
    node: ast.AST
    message: str
    next_step: str


class TestRecord:
    """What was seen of tests, and which of them what else was seen belongs to."""

    def __init__(self) -> None:
        self.cases: dict[Class, None] = {}
        """The classes of tests of which one was executed."""
        self.around: set[FunctionNode] = set()
        """Methods that a runner of tests calls around them."""
        self.current: FunctionNode | None = None
        """The test that is executed; None beside tests, and in what is done around each."""
        self.visited_by: defaultdict[FunctionNode, set[FunctionNode | None]] = defaultdict(set)
        """For functions: the tests that called them; None where others did."""
        self.ran_by: defaultdict[FunctionNode, set[FunctionNode]] = defaultdict(set)
        """For tests: the functions in which something ran."""
        self.found_by: defaultdict[tuple[str, ast.AST], set[FunctionNode | None]] = defaultdict(set)
        """For problems, by code and place: the tests that have them; None where others do."""
        self.with_outer_sessions: set[FunctionNode] = set()
        """Tests that use sessions which are made around each test."""


@dataclass(frozen=True)
class Turns:
    """The turns of a loop of a graph: what hands values from one to the next."""

    since: int
    """The time when it began to be made; what is made from then on is a part of it."""
    body: int
    """The time when its body began to be made; what stands before that is the test for another turn."""
    states: tuple[tuple[frozenset[int], frozenset[int]], ...]
    """The arguments that are one of its variables, by time, and what that becomes."""
    counts: bool
    """Whether it counts its turns beside them, and so begins the next one by itself."""
    ordered: bool
    """Whether a turn begins when the one before has ended."""


class Recorder:
    """Facts by nodes of syntax trees, over all executions."""

    def __init__(self) -> None:
        self.reached: set[ast.AST] = set()
        self.built: defaultdict[ast.AST, set[ast.AST]] = defaultdict(set)
        """For places that made something of a graph: the statements and functions in whose extent they did."""
        self.ran: defaultdict[ast.AST, set[ast.AST]] = defaultdict(set)
        """For places that ran a session, or read or restored variables: the statements and functions around them."""
        self.entered: defaultdict[ast.AST, set[ast.AST]] = defaultdict(set)
        """For places that begin or enter another graph: the statements and functions around them."""
        self.made: defaultdict[ast.AST, set[ast.AST]] = defaultdict(set)
        """For statements: the calls and operators in themselves that made something of a graph."""
        self.entering: defaultdict[ast.AST, set[ast.AST]] = defaultdict(set)
        """For statements in which something was made without a call of theirs: the functions that did, generators."""
        self.visits: defaultdict[ast.AST, list[Visit]] = defaultdict(list)
        self.entries: set[ast.AST] = set()
        """Functions that no script was seen to call, and that were called by themselves."""
        self.ends: defaultdict[tuple[int, ast.AST], list[int]] = defaultdict(list)
        """When the statements of a frame ended, and what stands behind them began: no `return`, no block with one."""
        self.loops: dict[tuple[int, ast.AST], int] = {}
        """When the loops of a frame first began."""
        self.default_graphs: dict[tuple[int, int], Thing] = {}
        """The default graph at these ends, by frame and time."""
        self.grown: defaultdict[int, list[tuple[int, ast.AST]]] = defaultdict(list)
        """For graphs: when something was made in them, and where, in order."""
        self.runs: defaultdict[ast.Call, list[Observation]] = defaultdict(list)
        self.forwarded: defaultdict[ast.Call, list[Observation]] = defaultdict(list)
        """For calls of functions that only run what they are given: the runs, as if the calls were these."""
        self.sessions: defaultdict[ast.AST, set[str]] = defaultdict(set)
        """For expressions and parameters: what they were of `session`, `graph` and `none`."""
        self.properties: defaultdict[ast.AST, set[FunctionNode]] = defaultdict(set)
        """For attributes: the functions of properties that gave them."""
        self.plain: set[ast.AST] = set()
        """Expressions and parameters that were something else."""
        self.callees: defaultdict[ast.AST, dict[FunctionNode, dict[ast.expr, ast.arg]]] = defaultdict(dict)
        """For calls: the functions that they called, and which parameter each argument became."""
        self.unresolved: set[ast.Call] = set()
        """Calls of something that nobody knows."""
        self.unnamed: dict[ast.Call, Module] = {}
        """Of those the calls of what a text names that only the running program knows, with their modules."""
        self.escaped: set[FunctionNode] = set()
        """Functions that code which nobody knows may call."""
        self.symbols: defaultdict[ast.AST, set[str]] = defaultdict(set)
        """For calls: the symbols of TensorFlow that they called."""
        self.owner: dict[ast.AST, Module] = {}
        """The module of each statement that was reached."""
        self.uses: list[Use] = []
        """What sessions did, in order."""
        self.returns: list[Return] = []
        """Runs of sessions that others came between."""
        self.before: dict[int, frozenset[Value]] = {}
        """For sessions: those that were made before them on the same way."""
        self.repeated: set[ast.AST] = set()
        """Calls whose results a new session repeats: what draws from a seed, or goes through a dataset once."""
        self.sites: dict[ast.AST, Module] = {}
        """The module of each run."""
        self.classes: list[Class] = []
        """The classes of the program."""
        self.tests = TestRecord()
        self._problems: dict[tuple[str, ast.AST], Problem] = {}
        self.turns: dict[int, Turns] = {}
        """The loops of graphs, by the times of what they give."""
        self.nodes: list[Node] = []
        self.met: set[ast.AST] = set()
        """The places of problems that the program may reach: constants decide that others are passed by."""

    def are_together(self, one: Value, other: Value | None) -> bool:
        """Whether a program may have two sessions, and not one of them or the other."""
        return one in self.before.get(id(other), (one,)) or other in self.before.get(id(one), (other,))

    @property
    def session_attributes(self) -> frozenset[str]:
        """The names of attributes that were sessions."""
        return frozenset(
            node.attr for node, kinds in self.sessions.items() if "session" in kinds and isinstance(node, ast.Attribute)
        )

    @property
    def problems(self) -> Collection[Problem]:
        """What keeps programs out of the form of steps."""
        return self._problems.values()

    def problem(
        self, code: str, module: Module, node: ast.AST, message: str, next_step: str, *, is_met: bool = True
    ) -> None:
        """Keeps a problem, once a place."""
        self.tests.found_by[code, node].add(self.tests.current)
        self._problems.setdefault((code, node), Problem(code, module, node, message, next_step))
        if is_met:
            self.met.add(node)
