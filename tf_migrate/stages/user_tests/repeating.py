"""Building that is repeated: each run calls a function, and a function of its own where building makes updates.

The code that builds is traced for each then, more than once: so it has to do the same each time, and may change nothing
that is not its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from tf_migrate.names.canonical import Names
from tf_migrate.stages import effects
from tf_migrate.stages.names_used import loads_of, stores_of
from tf_migrate.stages.stillness import FILLED, contains_assertion, is_array, kin_of, stored_into
from tf_migrate.stages.user_tests.allowed import DRAWING, is_python
from tf_migrate.stages.user_tests.fetching import Fetching
from tf_migrate.stages.user_tests.libraries import DISTRIBUTIONS, DRAWING_MODULE, MODULES_WITHOUT_VARIABLES
from tf_migrate.stages.user_tests.passed import rows_of
from tf_migrate.stages.user_tests.reach import Reach
from tf_migrate.stages.user_tests.state import State
from tf_migrate.stages.user_tests.variables_read import Reading
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument

_STEP = "write a test for each run"
_LOOPS = frozenset(
    {"tf.foldl", "tf.foldr", "tf.map_fn", "tf.nn.bidirectional_dynamic_rnn", "tf.nn.dynamic_rnn", "tf.scan"}
    | {"tf.while_loop"}
)
_COMPUTING = effects.PURE - effects.COLLECTED
_EFFECTS = (
    *("tf.confusion_matrix", "tf.image.", "tf.linalg.expm", "tf.losses.", "tf.math.confusion_matrix", "tf.train."),
    *("tf.io.", "tf.read_file"),
)
"""What may make assertions, or read files, which a function does whether it is needed or not."""
_READING = ("as_list", "get_shape", "items", "keys", "values")


def require_callable(
    state: State,
    inside: Sequence[ast.stmt],
    late: Sequence[ast.stmt],
    first: ast.stmt,
    made: set[str],
    asking: Mapping[ast.stmt, set[str]],
) -> None:
    """Refuses calls of the function at each run where one at the first would do something else."""
    if late:
        raise Refused(late[0], "both building and what follows need what this does", "do it before all building")
    if not isinstance(first, ast.For | ast.If):
        return
    if asking.keys() - {first} or any(map(contains_assertion, inside)):
        raise Refused(first, "what builds may never be called", "run something before the block")
    changed = state.done_by(first, made)
    read = set().union(*map(state.read_by, inside))
    again = changed & (read | kin_of(read, state.test, state.module, made))
    if again or any(name.startswith("self.") for name in changed):
        raise Refused(first, "the block of the first run may change what building reads", "run something before it")


def require_independent(state: State, reach: Reach, nodes: Iterable[ast.AST], runs: Fetching) -> None:
    """Refuses runs that feed different placeholders, where natively one may need what it does not feed.

    A function does all that has an effect, makes all assertions and reads all variables, needed or not; it leaves out
    other operations that what it gives does not need, as a run did. Where variables are all that it gives, it does no
    more than read these. The code of `nodes` builds for each.
    """
    fed = {name for known in runs.fetched for name in known.fed}
    reading = Reading(state.names, state.test, reach)
    if all(reading.is_of_variables(known.node) for known in runs.computing if fed - known.fed.keys()):
        return
    if reach.remembers or any(map(state.reached_by, nodes)) or _may_remember(reach):
        raise Refused(state.test, "what each run builds anew draws random numbers, or remembers something", _STEP)
    for symbol in reach.symbols:
        plain = symbol in _COMPUTING and not symbol.startswith(_EFFECTS)
        if not (plain or symbol == "tf.name_scope" or symbol in MODULES_WITHOUT_VARIABLES or is_python(symbol)):
            raise Refused(state.test, "runs of a test feed different placeholders", _STEP)


def _may_remember(reach: Reach) -> bool:
    """Whether something may be kept from one building to the next: all but what an object is given as it is made."""
    for module, name in reach.globals:
        bound = reach.names[module].module.root.bindings.get(name, [])
        if any(isinstance(value, FILLED | ast.Call) for value in bound):
            return True
    values = (item.value for _, kind in reach.named for item in kind.body if isinstance(item, ast.Assign))
    if any(isinstance(inner, FILLED | ast.Call) for value in values for inner in ast.walk(value)):
        return True
    making = (item for _, kind in reach.named for item in kind.body if isinstance(item, ast.FunctionDef))
    given = {inner for item in making if item.name == "__init__" for inner in ast.walk(item)}
    stored = (node for node in reach.seen if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load))
    if not all(node in given and isinstance(node.value, ast.Name) and node.value.id == "self" for node in stored):
        return True
    return any(isinstance(node, ast.Name) and node.id in ("setattr", "vars") for node in reach.seen)


def require_repeatable(
    outer: Outer, reach: Reach, inside: Sequence[ast.stmt], behind: Sequence[ast.stmt], made: set[str]
) -> None:
    """Refuses building that is not the same each time; `inside` are its statements, `behind` those that follow."""
    state, test = outer.state, outer.test
    if outer.beside:
        raise Refused(test, "what each run builds anew is needed for more than what runs fetch", _STEP)
    if reach.draws or reach.remembers or _draws_again(reach):
        raise Refused(test, "what each run builds anew draws random numbers, or remembers something", _STEP)
    if not _LOOPS.isdisjoint(reach.symbols):
        raise Refused(test, "what each run builds anew holds a loop of the graph", "update them outside of it")
    read = set().union(*map(loads_of, inside))
    bound = set().union(*map(state.stores.of, behind))
    changed = set().union(*(state.changed_by(item, made) for item in behind))
    kin = read.union(*map(state.read_by, inside)) | kin_of(read, test, outer.module, made)
    if (bound & read | changed & kin) - made or any(name.startswith("self.") for name in bound):
        raise Refused(test, "what builds may be another thing at a later run", _STEP)
    outer.require_same(inside)


def _draws_again(reach: Reach) -> bool:
    """Whether random numbers may be drawn that are no initial values: a variable takes its own only once."""
    if not reach.symbols.keys().isdisjoint({DISTRIBUTIONS, DRAWING_MODULE}):
        return True
    for home in reach.names.values() if not DRAWING.isdisjoint(reach.symbols) else ():
        named = (node for node in reach.seen & home.module.parents.keys() if isinstance(node, ast.Name | ast.Attribute))
        if any(home.resolve(node) in DRAWING and not _is_initial_value(home, node) for node in named):
            return True
    return False


def _is_initial_value(home: Names, node: ast.expr) -> bool:
    drawn = home.module.parents[node]
    around = home.module.parents[drawn]
    made = home.module.parents[around] if isinstance(around, ast.keyword) else around
    if not isinstance(made, ast.Call) or home.resolve(made.func) != "tf.Variable":
        return False
    return isinstance(drawn, ast.Call) and drawn.func is node and argument(made, "initial_value", 0) is drawn


class Outer:
    """What the code that builds reads of the test around it: values that it cannot change."""

    def __init__(
        self,
        state: State,
        staying: Sequence[ast.stmt],
        decorators: Sequence[ast.expr],
        constant: Callable[[ast.stmt], bool],
        *,
        beside: bool,
    ) -> None:
        self.state = state
        self.beside = beside
        """Whether more than the runs needs what is built."""
        self.module = state.module
        self.test = test = state.test
        self.staying = staying
        self.is_constant = constant
        given = [argument.arg for argument in (*test.args.posonlyargs, *test.args.args)][1:]
        self.given: dict[str, list[ast.expr]] = {name: [] for name in given}
        for decorator in decorators:
            for row in rows_of(self.module, decorator, given):
                for name, value in zip(given, row or (), strict=False):
                    self.given[name].append(value)
        self.unread = {name for name, values in self.given.items() if not values or len(decorators) > 1}

    def require_same(self, inside: Sequence[ast.stmt]) -> None:
        """Refuses code that may change what it reads."""
        outer = {name for item in self.staying for name in stores_of(self.module, item)} | set(self.given)
        own = set().union(*(stores_of(self.module, item) for item in inside))
        for item in inside:
            for node in ast.walk(item):
                if isinstance(node, ast.Name) and node.id in outer - own and not self._keeps(node):
                    raise Refused(self.test, f"building may change `{node.id}`, and is repeated", "give it a copy")
            if stored_into(item) & (outer - own):
                raise Refused(self.test, "what builds changes what is not its own", _STEP)

    def _keeps(self, node: ast.Name) -> bool:
        """Whether code that reads a name leaves what it holds as it is."""
        around = self.module.parents[node]
        if isinstance(around, ast.keyword) and around.arg is None:
            return True
        if isinstance(around, ast.Attribute) and around.attr not in _READING:
            return isinstance(around.ctx, ast.Load) and not self._is_called(around)
        return all(not isinstance(value, FILLED | ast.Call) for value in self._values(node.id)) and self._is_plain(node)

    def _is_called(self, node: ast.Attribute) -> bool:
        around = self.module.parents[node]
        return isinstance(around, ast.Call) and around.func is node

    def _is_plain(self, node: ast.Name) -> bool:
        if node.id in self.given:
            return node.id not in self.unread
        bound = [item for item in self.staying if node.id in stores_of(self.module, item)]
        return all(self._computes(item) or self.is_constant(item) for item in bound)

    def _computes(self, item: ast.stmt) -> bool:
        return isinstance(item, ast.AugAssign) or self.state.is_still(item, drawing=True)

    def _values(self, name: str) -> Iterable[ast.expr]:
        """What a name holds, but for constants."""
        for value in self.given.get(name, []):
            yield from (inner for inner in ast.walk(value) if isinstance(inner, ast.expr))
        for item in self.staying:
            made = isinstance(item, ast.Assign) and name in stores_of(self.module, item) and not self.is_constant(item)
            if made and isinstance(item, ast.Assign) and not is_array(item.value, self.module):
                yield from (inner for inner in ast.walk(item.value) if isinstance(inner, FILLED))
