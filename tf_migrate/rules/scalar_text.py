"""NumPy 2 writes `np.float32(7.0)` where NumPy 1 wrote `7.0`, wherever a number is shown as a part of a list, tuple or
dictionary, or by `repr`. A program that shows so what a session gave prints other lines: it asks for the old text.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from tf_migrate.changes.edits import Edit
from tf_migrate.changes.imports_end import behind_imports
from tf_migrate.eager.imports import dotted
from tf_migrate.names.canonical import Names
from tf_migrate.names.sessions import key_of
from tf_migrate.numpy1.rounds import Rounds, settled
from tf_migrate.numpy1.shapes import Shapes
from tf_migrate.numpy1.values import Tree, Values
from tf_migrate.rules import Change, Context, Rule
from tf_migrate.syntax.module import Module
from tf_migrate.syntax.own_nodes import own_nodes
from tf_migrate.syntax.texts import is_text, written
from tf_migrate.syntax.walk import Binding

_METHODS = frozenset({"mean", "sum", "max", "min", "std", "var", "prod", "ptp", "argmax", "argmin"})
"""What arrays reduce themselves by: to one number, where no axis is given."""
_REDUCTIONS = frozenset(
    f"numpy.{name}" for name in (*_METHODS, "median", "average", "amax", "amin", "percentile", "linalg.norm")
)
_ELEMENTWISE = frozenset(
    f"numpy.{name}"
    for name in (
        *("abs", "absolute", "around", "ceil", "clip", "cos", "exp", "floor", "log", "log10", "log2", "maximum"),
        *("minimum", "power", "round", "sign", "sin", "sqrt", "square", "tanh"),
    )
)
"""What gives as many numbers of NumPy's as it is given numbers."""
_TYPES = frozenset(
    f"numpy.{kind}{bits}" for kind, sizes in (("float", "16 32 64"), ("int", "8 16 32 64")) for bits in sizes.split()
)
_FILLING = {"append": 0, "add": 0, "insert": 1, "extend": 0}
_HOLDING = frozenset({"list", "tuple", "set", "sorted", "reversed", "zip", "dict", "enumerate", "map"})
_ORDERING = frozenset({"list", "reversed", "set", "sorted", "tuple"})
"""What gives the same elements again."""
_CHOOSING = frozenset({"max", "min", "sum", "abs", "round"})
_LISTING = frozenset(
    {
        *("tf.get_collection", "tf.global_variables", "tf.trainable_variables", "tf.local_variables", "tf.unstack"),
        *("tf.losses.get_losses", "tf.losses.get_regularization_losses", "tf.gradients", "tf.tuple", "tf.hessians"),
        *("tf.while_loop", "tf.cond", "tf.case", "tf.map_fn", "tf.scan", "tf.foldl", "tf.foldr", "tf.py_func"),
        *("tf.split", "tf.meshgrid", "tf.clip_by_global_norm", "tf.nn.moments", "tf.nn.top_k", "tf.train.batch"),
    }
)
"""Functions of TensorFlow that give lists, of numbers too, or may."""
_PLAIN = frozenset({"tolist", "item", "tobytes", "tostring", "dump", "dumps", "eval"})
"""Methods of arrays that give nothing of NumPy's."""
_EACH = -1
"""The place of any element."""
_DISPLAYS = ast.List | ast.Tuple | ast.Set
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.GeneratorExp
_RECORDS = frozenset({"NamedTuple", "dataclass"})
_DEEPEST = 80
_READING = "numbers that are shown"
Kinds = frozenset[str]
_NOTHING: Kinds = frozenset()
_SCALAR, _ARRAY, _CONTAINER = frozenset({"scalar"}), frozenset({"array"}), frozenset({"container"})


def find(context: Context) -> Iterator[Change]:
    """Looks at everything that is printed, logged or made to text, until something needs the old text."""
    module = context.module
    if not context.of_tf1 or any(map(_asks_for_old_text, module.calls)):
        return
    values = _Values(context.names)
    texts = (node for node, by_repr in written(module) if values.is_shown(node, by_repr))
    shown = next((node for node in texts if not module.is_skipped(node)), None)
    bound = next((word for word, kept in module.root.bindings.items() if _is_numpy(kept)), None)
    place = None if shown is None else behind_imports(module, bound)
    if shown is None or place is None:
        return
    source = module.source
    spaced = not source.line_text(source.line_of(place)).strip()
    lines = [*([] if bound else ["import numpy"]), *([""] if spaced else [])]
    lines.append(f'{bound or "numpy"}.set_printoptions(legacy="1.25")')
    text = "".join(f"{line}{source.newline}" for line in lines)
    message = "a number that a session gave is shown in a container, or by repr: NumPy is asked for the text it had"
    yield Change(context.finding(shown, "TFM135", message), (Edit(place, place, text, 1, line=True),))


def _asks_for_old_text(call: ast.Call) -> bool:
    """Whether the program chooses NumPy's way of printing itself."""
    named = isinstance(call.func, ast.Attribute) and call.func.attr in ("set_printoptions", "printoptions")
    return named and any(keyword.arg == "legacy" for keyword in call.keywords)


def _is_numpy(kept: Sequence[Binding]) -> bool:
    """Whether a name of the module is NumPy, and nothing else."""
    if len(kept) != 1 or not isinstance(kept[0], tuple):
        return False
    statement, alias = kept[0]
    return isinstance(statement, ast.Import) and alias.name == "numpy"


class _Others:
    """What the modules of a tree give each other, asked for once."""

    def __init__(self) -> None:
        self.rounds = Rounds[ast.AST, str]()
        self._values: dict[Values, _Values] = {}

    @classmethod
    def of(cls, names: Names) -> _Others:
        """Those of the tree that a module belongs to."""
        found = names.index.readings.setdefault(_READING, cls())
        assert isinstance(found, cls)
        return found

    def values(self, module: Values) -> _Values:
        """The values of a module as it is in the tree."""
        if module not in self._values:
            self._values[module] = _Values(module.names, self.rounds)
        return self._values[module]


class _Values:
    """What values hold of a session's numbers, as far as a module's text tells.

    A value may be a `scalar` of NumPy, an `array`, or a `container` that such numbers are in.
    """

    def __init__(self, names: Names, rounds: Rounds[ast.AST, str] | None = None) -> None:
        self.names = names
        self.module = names.module
        self.tree = Tree.of(names)
        self._others = _Others.of(names)
        self._rounds = rounds or Rounds[ast.AST, str]()
        self._results: dict[str, list[ast.expr]] = {}
        self._asked: set[ast.expr] = set()
        """What functions return that is being asked for, which may call themselves."""
        self._depth = 0

    @cached_property
    def shapes(self) -> Shapes:
        """What is known of the shapes of the module's tensors."""
        return Shapes(self.names)

    def is_shown(self, node: ast.expr, by_repr: bool) -> bool:
        """Whether the text of a value is another with NumPy 2."""
        kinds = settled([self._rounds, self._others.rounds], lambda: self.kinds(node))
        return "container" in kinds or (by_repr and "scalar" in kinds)

    def kinds(self, node: ast.expr) -> Kinds:
        """What a value may be, as far as this round knows."""
        rounds = self._rounds
        if rounds.is_open(node) and self._depth < _DEEPEST:
            rounds.round.add(node)
            self._depth += 1
            rounds.add(node, self._kinds(node))
            self._depth -= 1
        return rounds.known.get(node, _NOTHING)

    def _kinds(self, node: ast.expr) -> Kinds:
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._of_name(node)
        if isinstance(node, ast.Dict):
            return self._holding(node.values)
        if isinstance(node, _DISPLAYS):
            return self._holding(node.elts)
        if isinstance(node, _COMPREHENSIONS):
            return self._holding([node.elt])
        if isinstance(node, ast.DictComp):
            return self._holding([node.value])
        if isinstance(node, ast.Subscript):
            kinds = self.kinds(node.value)
            return kinds if isinstance(node.slice, ast.Slice) else self._item(node) if kinds else _NOTHING
        if isinstance(node, ast.BinOp) and not is_text(node.left):
            return self.kinds(node.left) | self.kinds(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.kinds(node.operand)
        if isinstance(node, ast.IfExp):
            return self.kinds(node.body) | self.kinds(node.orelse)
        return self.kinds(node.value) if isinstance(node, ast.Starred) else _NOTHING

    def _holding(self, nodes: Iterable[ast.expr | None]) -> Kinds:
        return _CONTAINER if any(self.kinds(node) - _ARRAY for node in nodes if node is not None) else _NOTHING

    def _of_call(self, call: ast.Call) -> Kinds:
        fetched = self.shapes.fetched(call) or self._called_back(call)
        if fetched is not None:
            return self._of_fetch(fetched)
        func = call.func
        word = _last_word(func)
        if isinstance(func, ast.Name) and word in _HOLDING | _CHOOSING:
            every = _NOTHING.union(*(self.kinds(argument) for argument in call.args))
            return (_CONTAINER if word in _HOLDING else _SCALAR) if every else _NOTHING
        symbol = dotted(self.module, self.names, func)
        if symbol in _REDUCTIONS | _TYPES:
            return _SCALAR
        if symbol in _ELEMENTWISE and call.args:
            return self.kinds(call.args[0]) or (_SCALAR if _is_number(call.args[0]) else _NOTHING)
        returned = self._returned(word)
        if isinstance(func, ast.Attribute) and not symbol and returned == []:
            if word in _METHODS and not (call.args or call.keywords):
                return _SCALAR
            kinds = self.kinds(func.value) if word not in _PLAIN else _NOTHING
            if kinds:
                return _CONTAINER if "container" in kinds else _SCALAR | _ARRAY
        if self._is_record(func):
            return self._holding([*call.args, *(keyword.value for keyword in call.keywords)])
        if not returned and self._runs_are_handed_on and self._is_held(func):
            return _SCALAR | _ARRAY | (self._of_fetch(call.args[0]) if call.args else _NOTHING)
        found = _NOTHING.union(*(self.kinds(value) for value in returned))
        own = not symbol or self.names.definition(func) is not None
        return found or (self._elsewhere(word) if own and not returned else _NOTHING)

    def _item(self, node: ast.Subscript) -> Kinds:
        """What one item of a value may be: a container where that is told."""
        place = node.slice.value if isinstance(node.slice, ast.Constant) else None
        found = _SCALAR
        for value in [node.value, *(each for each, whole in self._each_of(node.value) if whole is None)]:
            fetched = self.shapes.fetched(value) if isinstance(value, ast.Call) else None
            held = value if fetched is None else fetched
            for key, part in _written_items(held):
                if place is None or key is None or key == place:
                    found |= self.kinds(part) & _CONTAINER if fetched is None else self._of_fetch(part) & _CONTAINER
        put = (self.kinds(each) for each in self._filled.get(key_of(node.value) or "", ()))
        return found | (_NOTHING.union(*put) & _CONTAINER)

    def _called_back(self, call: ast.Call) -> ast.expr | None:
        """What a function fetches that `make_callable` made."""
        for each, place in self._each_of(call.func):
            if place is None and isinstance(each, ast.Call) and _last_word(each.func) == "make_callable":
                keywords = (keyword.value for keyword in each.keywords if keyword.arg == "fetches")
                return each.args[0] if each.args else next(keywords, None)
        return None

    def _is_record(self, func: ast.expr) -> bool:
        """Whether a call makes a named tuple or an object of a data class: its text shows what it holds."""
        return _last_word(func) in self._records

    @cached_property
    def _records(self) -> frozenset[str]:
        """The names of the module's named tuples and data classes."""
        made = (node for node in self.module.nodes if isinstance(node, ast.ClassDef))
        found = {node.name for node in made if _is_of(_RECORDS, *node.bases, *node.decorator_list)}
        every = ((word, value) for word, values in self._bound.items() for value, _ in values)
        return frozenset(found | {word for word, value in every if _is_of({"namedtuple"}, value)})

    def _elsewhere(self, word: str) -> Kinds:
        """What functions of a name return in the other modules of the tree."""
        found = _NOTHING
        for other in self.tree.mentioning(word, self.module.name) if word else ():
            values = self._others.values(other)
            found = found.union(*(values.kinds(value) for value in values._returned(word)))
        return found

    @cached_property
    def _runs_are_handed_on(self) -> bool:
        """Whether the program keeps `sess.run` or `x.eval` for later, or gives it to something."""
        holders, parents = self.shapes.holders, self.module.parents
        attributes = self.module.attributes
        runs = (node for node in attributes.get("run", ()) if holders.is_session(node.value))
        evals = (node for node in attributes.get("eval", ()) if holders.is_element(node.value))
        called = (isinstance(call := parents[node], ast.Call) and call.func is node for node in (*runs, *evals))
        return not all(called) or any(call.attr == "make_callable" for call in attributes.get("make_callable", ()))

    def _is_held(self, func: ast.expr) -> bool:
        """Whether what is called comes out of a name or a container of the program, and is no library's."""
        if isinstance(func, ast.Name):
            return self.module.binding_scope(func) is not None and not dotted(self.module, self.names, func)
        return isinstance(func, ast.Subscript)

    def _of_fetch(self, node: ast.expr) -> Kinds:
        """What a run gives that fetches something."""
        parts = node.values if isinstance(node, ast.Dict) else node.elts if isinstance(node, _DISPLAYS) else None
        if parts is not None:
            return _CONTAINER if any(self._of_fetch(part) - _ARRAY for part in parts) else _NOTHING
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            lists = (isinstance(side, _DISPLAYS | ast.ListComp) for side in (node.left, node.right))
            if any(lists) or _CONTAINER & (self._of_fetch(node.left) | self._of_fetch(node.right)):
                return _CONTAINER
        rows = [value for value, place in self._each_of(node) if place == _EACH]
        if any(_CONTAINER & self._of_fetch(part) for row in rows if isinstance(row, _DISPLAYS) for part in row.elts):
            return _CONTAINER
        bound = [*self.shapes.bound(node), *self._each_of(node)]
        held = [node, *(value for value, place in bound if place is None)]
        if any(isinstance(value, ast.Dict | ast.List | ast.Tuple | ast.ListComp | ast.DictComp) for value in held):
            return _CONTAINER
        if any(isinstance(value, ast.Call) and self._gives_several(value) for value in held):
            return _CONTAINER
        return _ARRAY if self.shapes.of(node, 0) else _SCALAR | _ARRAY

    def _gives_several(self, call: ast.Call) -> bool:
        """Whether a call may give several tensors together, as far as is known."""
        symbol = dotted(self.module, self.names, call.func)
        if symbol.startswith("tf."):
            return symbol in _LISTING or symbol.startswith("tf.metrics.")
        word = _last_word(call.func)
        if word in _HOLDING or self._is_record(call.func):
            return True
        returned = self._returned(word)
        if returned:
            asked = [value for value in returned if value not in self._asked]
            self._asked |= set(asked)
            several = any(self._of_fetch(value) & _CONTAINER for value in asked)
            self._asked -= set(asked)
            return several
        if not isinstance(call.func, ast.Attribute) or symbol:
            return False
        return word in ("compute_gradients", "zero_state") or (word == "get_next" and self._has_parts(call))

    def _has_parts(self, call: ast.Call) -> bool:
        """Whether the dataset that an iterator goes through may have elements of several tensors."""
        made, waiting = set[ast.expr](), [call.func]
        while waiting:
            node = waiting.pop()
            if node not in made:
                made.add(node)
                named = (each for each in ast.walk(node) if isinstance(each, ast.Name | ast.Attribute))
                waiting += [value for each in named for value, place in self._assigned(each) if place is None]
        calls = (each for node in made for each in ast.walk(node) if isinstance(each, ast.Call))
        return any(map(_makes_parts, calls))

    def _each_of(self, node: ast.expr) -> list[tuple[ast.expr, int | None]]:
        """What a name is bound to, by loops too."""
        return self._assigned(node) if isinstance(node, ast.Name | ast.Attribute) else []

    def _of_name(self, node: ast.Name | ast.Attribute) -> Kinds:
        found = _NOTHING
        for value, place in self._assigned(node):
            found |= self.kinds(value) if place is None else self._part(value, place)
        filled = any(self.kinds(value) - _ARRAY for value in self._filled.get(key_of(node) or "", ()))
        return found | _CONTAINER if filled else found

    def _part(self, value: ast.expr, place: int) -> Kinds:
        """What an element of a value may be, `_EACH` being any of them."""
        if isinstance(value, ast.Call) and self.shapes.fetched(value) is None and isinstance(value.func, ast.Name):
            rows = [
                row for row in self._returned(value.func.id) if isinstance(row, ast.Tuple) and place < len(row.elts)
            ]
            if rows:
                return _NOTHING.union(*(self.kinds(row.elts[place]) for row in rows))
        fetched = self.shapes.fetched(value) if isinstance(value, ast.Call) else None
        if isinstance(fetched, ast.List | ast.Tuple) and 0 <= place < len(fetched.elts):
            return self._of_fetch(fetched.elts[place])
        if not self.kinds(value) & (_CONTAINER | _ARRAY):
            return _NOTHING
        each = _NOTHING.union(*map(self.kinds, self._rows(value))) if place == _EACH else _NOTHING
        return _SCALAR | (each & _CONTAINER)

    def _rows(self, value: ast.expr) -> Iterator[ast.expr]:
        """What is written down of the elements of a container, or put into it."""
        for held in (value, *(each for each, place in self._each_of(value) if place is None)):
            yield from (part for _, part in _written_items(held))
            if isinstance(held, _COMPREHENSIONS):
                yield held.elt
        yield from self._filled.get(key_of(value) or "", ())

    def _returned(self, word: str) -> list[ast.expr]:
        """What the module's functions of a name return."""
        if word not in self._results:
            self._results[word] = [value for each in self._functions.get(word, ()) for value in _returns(each)]
        return self._results[word]

    @cached_property
    def _functions(self) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
        found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for function in self.module.functions:
            if not isinstance(function, ast.Lambda):
                found.setdefault(function.name, []).append(function)
        return found

    def _assigned(self, node: ast.Name | ast.Attribute) -> list[tuple[ast.expr, int | None]]:
        return self._bound.get(key_of(node) or "", [])

    @cached_property
    def _bound(self) -> dict[str, list[tuple[ast.expr, int | None]]]:
        """By names and attributes: what they are bound to, anywhere in the module, and which element of it."""
        found: dict[str, list[tuple[ast.expr, int | None]]] = {}
        for node in self.module.nodes:
            for target, value, place in self._bindings(node):
                if (key := key_of(target)) is not None:
                    found.setdefault(key, []).append((value, place))
        return found

    def _bindings(self, node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, int | None]]:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _unpacked(target, node.value, None)
        elif isinstance(node, ast.AugAssign | ast.NamedExpr):
            yield node.target, node.value, None
        elif isinstance(node, ast.For | ast.comprehension):
            yield from _iterated(node.target, node.iter)
        elif isinstance(node, ast.Call):
            word = (key_of(node.func) or "").lstrip(".")
            for function in self._functions.get(word, ()):
                names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
                names = names[isinstance(self.module.parents[function], ast.ClassDef) :]
                pairs = [*zip(names, node.args, strict=False), *((each.arg, each.value) for each in node.keywords)]
                yield from ((ast.Name(name), value, None) for name, value in pairs if name is not None)

    @cached_property
    def _filled(self) -> dict[str, list[ast.expr]]:
        """By names and attributes: what was put into the containers that they hold."""
        found: dict[str, list[ast.expr]] = {}
        for holder, value in _fillings(self.module):
            if (key := key_of(holder)) is not None:
                found.setdefault(key, []).append(value)
        return found


def _is_of(words: Collection[str], *nodes: ast.expr) -> bool:
    """Whether something has one of some last words, or is called by it."""
    return any(_last_word(node.func if isinstance(node, ast.Call) else node) in words for node in nodes)


def _makes_parts(call: ast.Call) -> bool:
    """Whether a call makes a dataset, or a dataset of another, whose elements are written as several."""
    word = _last_word(call.func)
    if word == "zip" and isinstance(call.func, ast.Attribute):
        return True
    given = call.args[0] if call.args else None
    if word == "map" and isinstance(given, ast.Lambda):
        given = given.body
    return word in ("map", "from_tensors", "from_tensor_slices") and isinstance(given, ast.Tuple | ast.Dict)


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is a number of Python's that is written out."""
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _last_word(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _written_items(node: ast.expr) -> Iterator[tuple[object, ast.expr]]:
    """The items of a list or dictionary that is written out, by their places or keys, None where one is not known."""
    if isinstance(node, ast.List | ast.Tuple):
        yield from enumerate(node.elts)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield (key.value if isinstance(key, ast.Constant) else None), value


def _fillings(module: Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    for call in module.calls:
        if isinstance(call.func, ast.Attribute) and len(call.args) > _FILLING.get(call.func.attr, len(call.args)):
            yield call.func.value, call.args[_FILLING[call.func.attr]]
    for node in module.assignments:
        if isinstance(node, ast.Assign):
            yield from ((target.value, node.value) for target in node.targets if isinstance(target, ast.Subscript))


def _unpacked(target: ast.expr, value: ast.expr, place: int | None) -> Iterator[tuple[ast.expr, ast.expr, int | None]]:
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, value, place
        return
    for number, each in enumerate(target.elts):
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            yield from _unpacked(each, value.elts[number], None)
        else:
            yield from _unpacked(each, value, number)


def _iterated(target: ast.expr, rows: ast.expr) -> Iterator[tuple[ast.expr, ast.expr, int | None]]:
    word = (key_of(rows.func) or "").lstrip(".") if isinstance(rows, ast.Call) else ""
    if isinstance(rows, ast.Call) and isinstance(target, ast.Tuple) and word == "zip":
        yield from ((each, row, _EACH) for each, row in zip(target.elts, rows.args, strict=False))
    elif isinstance(rows, ast.Call) and isinstance(target, ast.Tuple) and word == "enumerate" and rows.args:
        yield from _iterated(target.elts[-1], rows.args[0])
    elif isinstance(rows, ast.Call) and isinstance(rows.func, ast.Name) and word in _ORDERING and rows.args:
        yield from _iterated(target, rows.args[0])
    elif isinstance(rows, ast.Call) and isinstance(rows.func, ast.Attribute) and word in ("items", "values"):
        yield (target.elts[-1] if isinstance(target, ast.Tuple) else target), rows.func.value, _EACH
    else:
        every = target.elts if isinstance(target, ast.Tuple) else [target]
        yield from ((each, rows, _EACH) for each in every)


def _returns(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    for node in own_nodes(function):
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value


RULE = Rule(
    id="TFM135",
    name="scalar-text",
    before="""\
import numpy as np
import tensorflow as tf

x = tf.Variable(7.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([x, tf.square(x)]))
""",
    after="""\
import numpy as np
import tensorflow as tf
import compat

np.set_printoptions(legacy="1.25")

compat.open_graph()
x = compat.Variable(7.0)
with compat.Session() as sess:
    sess.run(compat.global_variables_initializer())
    print(sess.run([x, tf.square(x)]))
""",
    find=find,
)
