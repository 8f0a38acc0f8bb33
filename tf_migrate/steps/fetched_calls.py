"""Calls in what runs fetch, and in the keys of what they feed: a step says it by names, and they go.

They may go where they only look something up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set

from tf_migrate.interpreter.recorder import FunctionNode, Recorder

_LOOKING_WORDS = """
    all any bool bytes callable dict enumerate filter float frozenset getattr hasattr hash id int isinstance
    issubclass iter len list map max min object range repr reversed round set slice sorted str sum super tuple type vars
    zip
"""
_LIBRARY_WORDS = "OrderedDict attrgetter chain defaultdict itemgetter namedtuple partial reduce"
_OF_LIBRARIES = frozenset(_LIBRARY_WORDS.split())
_LOOKING = _OF_LIBRARIES | frozenset(_LOOKING_WORDS.split())
"""Functions of Python that change nothing of what they are given."""
_METHOD_WORDS = """
    __getitem__ as_graph_element as_list copy count endswith format get get_collection get_operation_by_name
    get_operations get_shape get_tensor_by_name index items join keys lower replace rsplit rstrip split startswith strip
    title upper values
"""
_LOOKING_METHODS = _OF_LIBRARIES | frozenset(_METHOD_WORDS.split())
"""Methods that change nothing, and functions that a module gives: `itertools.chain`."""
_FILLING_METHODS = frozenset(("add", "append", "extend", "insert", "setdefault", "update"))
_EFFECTS = (ast.Global, ast.Nonlocal, ast.Delete, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)


class FetchedCalls:
    """Tells which calls do more than look something up.

    Args:
      recorder: what the program was seen to do.
      building: the functions that build, which are looked at elsewhere.
    """

    def __init__(self, recorder: Recorder, building: Set[ast.AST] = frozenset()) -> None:
        self.recorder = recorder
        self.building = building
        self._known: dict[FunctionNode, bool] = {}

    def acting(self, parts: Iterable[ast.expr]) -> ast.AST | None:
        """The first of these expressions' parts that does more, None where there is none."""
        return next((node for part in parts for node in self._acting_in(part, frozenset())), None)

    def _acting_in(self, node: ast.AST, own: frozenset[str]) -> Iterator[ast.AST]:
        """What does more in a node; containers with the names in `own` may be changed."""
        for each in ast.walk(node):
            functions = self.recorder.callees.get(each) or self.recorder.properties.get(each)
            if functions:
                acts = any(self._does_more(function) for function in functions if function not in self.building)
            else:
                acts = isinstance(each, _EFFECTS) or (isinstance(each, ast.Call) and self._acts(each, own))
            if acts:
                yield each

    def _acts(self, call: ast.Call, own: frozenset[str]) -> bool:
        """Whether a call of what is not the program's does more."""
        if call in self.recorder.symbols:
            return False  # TensorFlow's
        if isinstance(call.func, ast.Attribute):
            root = call.func.value
            fills = call.func.attr in _FILLING_METHODS and isinstance(root, ast.Name) and root.id in own
            return call.func.attr not in _LOOKING_METHODS and not fills
        return not (isinstance(call.func, ast.Name) and call.func.id in _LOOKING)

    def _does_more(self, function: FunctionNode) -> bool:
        if function not in self._known:
            self._known[function] = False  # a function that calls itself does what it does beside that
            self._known[function] = self._changes(function)
        return self._known[function]

    def _changes(self, function: FunctionNode) -> bool:
        """Whether a function does more than look something up: in its body, or in what it calls."""
        if isinstance(function, ast.Lambda):
            return any(self._acting_in(function.body, frozenset()))
        given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
        own = frozenset(_filled(function.body)) - given
        return any(
            any(self._acting_in(statement, own)) or any(_changed_in(statement, own)) for statement in function.body
        )


def _changed_in(statement: ast.stmt, own: frozenset[str]) -> Iterator[ast.AST]:
    """The items and attributes that a statement sets, but those of what has the names in `own`."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            is_own = isinstance(node.value, ast.Name) and node.value.id in own
            if not is_own:
                yield node


def _filled(body: list[ast.stmt]) -> Iterator[str]:
    """The names that a body binds to containers which it makes itself."""
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Assign) and _is_new(node.value):
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _is_new(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("dict", "list", "set", "OrderedDict")
    return isinstance(value, ast.Dict | ast.DictComp | ast.List | ast.ListComp | ast.Set | ast.SetComp)
