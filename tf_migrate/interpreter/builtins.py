"""Functions and types of Python's own, and of its standard library as far as programs build with them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tf_migrate.interpreter.attributes import Attributes
from tf_migrate.interpreter.core import opaque_of
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    NONE,
    Arguments,
    Bound,
    Builtin,
    Class,
    Const,
    Frame,
    Function,
    Instance,
    Items,
    Native,
    Node,
    Opaque,
    Partial,
    Super,
    Table,
    Thing,
    Unknown,
    Value,
    Wrapped,
    items_of,
    join,
    join_all,
    options,
)

_PLAIN: dict[str, Callable[..., object]] = {
    function.__name__: function
    for function in (len, abs, min, max, sum, round, int, float, str, bool, sorted, ord, chr, repr)
}
"""Functions that are computed of constants."""
_TYPES = {"int": int, "float": float, "str": str, "bool": bool}
_LONGEST_RANGE = 200
NAMED_BY_TEXT = "eval"
"""Where an object comes from that a text names which only the running program knows: it may be a class of the tree."""
_IMPORT = "importlib.import_module"


class Builtins(Attributes):
    """What Python's own functions give."""

    def call_builtin(self, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a function of Python's."""
        for keyword, value in arguments.keywords:
            if keyword == "key":
                self.hand_over(value, node)
        method: Callable[[Arguments, ast.AST], Value] | None = getattr(self, f"_python_{name}", None)
        if method is not None and not (arguments.more and not arguments.positional):
            return method(arguments, node)
        if name in _PLAIN:
            found = self._computed(name, arguments)
            if found is not None:
                return found
            if any(isinstance(option, Node) for value in arguments.positional for option in options(value)):
                if name in ("int", "float", "len", "bool", "str", "repr"):
                    return DATA
                return self.node("tensor", f"builtin.{name}", node)
            if name in ("min", "max", "sum") and any(self.holds_graph(value) for value in arguments.positional):
                return self.node("tensor", f"builtin.{name}", node)
            return opaque_of(arguments.positional)
        for value in arguments.all():
            self.hand_over(value, node)
        return DATA

    def _computed(self, name: str, arguments: Arguments) -> Value | None:
        values = arguments.positional
        if arguments.keywords or arguments.more or not values:
            return None
        if name == "len" and isinstance(values[0], Items | Table) and "rest" not in values[0].slots:
            first = values[0]
            return Const(len(items_of(first)) if isinstance(first, Items) else len(self.pairs(first)))
        if name == "bool" and isinstance(values[0], Items | Table):
            answer = self.truth(values[0])
            return None if answer is None else Const(answer)
        plain: list[object] = []
        for value in values:
            if isinstance(value, Const):
                plain.append(value.value)
            elif isinstance(value, Items) and "rest" not in value.slots and name != "str":
                inner = items_of(value)
                if not all(isinstance(item, Const) for item in inner):
                    return None
                plain.append([item.value for item in inner if isinstance(item, Const)])
            else:
                return None
        try:
            found = _PLAIN[name](*plain)
        except Exception:
            return DATA
        return self.items("list", [Const(part) for part in found]) if isinstance(found, list) else Const(found)

    # -- sequences --

    def _python_range(self, given: Arguments, node: ast.AST) -> Value:
        numbers = [value.value for value in given.positional if isinstance(value, Const)]
        if len(numbers) == len(given.positional) and all(isinstance(number, int) for number in numbers):
            try:
                found = range(*numbers)
            except (TypeError, ValueError):
                return self.items("list", (), DATA)
            if len(found) <= _LONGEST_RANGE:
                return self.items("list", [Const(number) for number in found])
        return self.items("list", (), DATA)

    _python_xrange = _python_range

    def _python_sorted(self, given: Arguments, node: ast.AST) -> Value:
        found = self._computed("sorted", given)
        if found is not None:
            return found
        known, more = self.elements(given.positional[0], node)
        if len(known) <= 1 and more is None:
            return self.items("list", known)
        plain = [each.value for each in known if isinstance(each, Const)]
        if more is None and not given.keywords and len(plain) == len(known):
            try:
                return self.items("list", [Const(value) for value in sorted(plain)])
            except TypeError:
                return self.items("list", (), DATA)
        return self.items("list", (), join_all(known, more))

    def _sequence(self, kind: str, given: Arguments, node: ast.AST) -> Value:
        if not given.positional:
            return self.items(kind, ())
        known, more = self.elements(given.positional[0], node)
        return self.items(kind, known, more)

    def _python_list(self, given: Arguments, node: ast.AST) -> Value:
        return self._sequence("list", given, node)

    def _python_tuple(self, given: Arguments, node: ast.AST) -> Value:
        return self._sequence("tuple", given, node)

    def _python_set(self, given: Arguments, node: ast.AST) -> Value:
        return self._sequence("set", given, node)

    _python_frozenset = _python_set

    def _python_iter(self, given: Arguments, node: ast.AST) -> Value:
        return given.positional[0]

    def _python_next(self, given: Arguments, node: ast.AST) -> Value:
        owner = given.positional[0]
        for name in ("__next__", "next"):
            method = self.attribute(owner, name, node) if isinstance(owner, Instance) else ABSENT
            if isinstance(method, Bound):
                return self.call(method, Arguments(), node)
        return self.any_of(owner, node)

    def _python_reversed(self, given: Arguments, node: ast.AST) -> Value:
        known, more = self.elements(given.positional[0], node)
        if more is None:
            return self.items("list", known[::-1])
        return self.items("list", (), join_all(known, more))

    def _python_enumerate(self, given: Arguments, node: ast.AST) -> Value:
        known, more = self.elements(given.positional[0], node)
        first = given.get(1, "start")
        start = (
            first.value if isinstance(first, Const) and isinstance(first.value, int) else 0 if first is None else None
        )
        pairs = [
            self.items("tuple", (DATA if start is None else Const(start + at), value)) for at, value in enumerate(known)
        ]
        rest = None if more is None else self.items("tuple", (DATA, more))
        return self.items("list", pairs, rest)

    def _python_zip(self, given: Arguments, node: ast.AST) -> Value:
        rows = [self.elements(value, node) for value in given.positional]
        if not rows:
            return self.items("list", ())
        complete = [len(known) for known, more in rows if more is None]
        if complete:
            count = min(complete)
            made = []
            for at in range(count):
                parts = [known[at] if at < len(known) else more if more is not None else DATA for known, more in rows]
                made.append(self.items("tuple", parts))
            return self.items("list", made)
        return self.items("list", (), self.items("tuple", [join_all(known, more) or DATA for known, more in rows]))

    _python_izip = _python_zip

    def _python_map(self, given: Arguments, node: ast.AST) -> Value:
        function, *rows = given.positional
        columns = [self.elements(row, node) for row in rows]
        count = min((len(known) for known, _ in columns), default=0)
        values = [self.call(function, Arguments(tuple(known[at] for known, _ in columns)), node) for at in range(count)]
        if all(more is None for _, more in columns):
            return self.items("list", values)
        others = Arguments(tuple(DATA if more is None else more for _, more in columns))
        with self.repeated():
            rest = self.call(function, others, node)
        return self.items("list", values, rest)

    def _python_filter(self, given: Arguments, node: ast.AST) -> Value:
        function, row = (*given.positional, DATA)[:2]
        known, more = self.elements(row, node)
        kept: list[Value] = []
        for value in known:
            answer = self.truth(
                value if isinstance(function, Const) else self.call(function, Arguments((value,)), node)
            )
            if answer is None:
                more = value if more is None else join(more, value)
            elif answer and more is None:
                kept.append(value)
            elif answer and more is not None:
                more = join(more, value)
        return self.items("list", kept, more)

    def _python_reduce(self, given: Arguments, node: ast.AST) -> Value:
        function, row = (*given.positional, DATA)[:2]
        known, more = self.elements(row, node)
        values = [*given.positional[2:3], *known]
        if not values:
            return DATA
        found = values[0]
        for value in values[1:]:
            found = self.call(function, Arguments((found, value)), node)
        return found if more is None else join(found, self.call(function, Arguments((found, more)), node))

    # -- dictionaries --

    def _python_dict(self, given: Arguments, node: ast.AST) -> Value:
        cell = self.table()
        for value in given.positional:
            self.update(cell, value)
        for name, value in given.keywords:
            self.put(cell, Const(name), value)
        if given.more:
            self.heap.write(cell, "rest", Unknown("an argument that is not known", node))
        return cell

    def _python_vars(self, given: Arguments, node: ast.AST) -> Value:
        if given.positional and isinstance(given.positional[0], Instance | Thing):
            return self.attribute(given.positional[0], "__dict__", node)
        return DATA if given.positional else self._python_locals(given, node)

    def _python_locals(self, given: Arguments, node: ast.AST) -> Value:
        frame = self.frame
        while frame.kind == "comprehension" and frame.outer is not None:
            frame = frame.outer
        return self._names(frame)

    def _python_globals(self, given: Arguments, node: ast.AST) -> Value:
        found = self._names(self.frame.top)
        self.heap.acts()
        self.namespaces.append((found, self.frame.top))
        return found

    def _python_eval(self, given: Arguments, node: ast.AST) -> Value:
        """What a text names, where both are known; else something that only the running program knows."""
        text = given.positional[0] if len(given.positional) == 1 else DATA
        named = _name_of(text.value) if isinstance(text, Const) and isinstance(text.value, str) else None
        return Thing("data", NAMED_BY_TEXT, node) if named is None else self.evaluate(named)

    def _python_exec(self, given: Arguments, node: ast.AST) -> Value:
        self.written_unseen(node)
        return NONE

    _python_execfile = _python_exec

    def _names(self, frame: Frame) -> Table:
        self.heap.looked_over(frame)
        pairs = [(Const(name), value) for name, value in frame.slots.items() if isinstance(name, str)]
        return self.table(pairs)

    # -- objects --

    def _python_getattr(self, given: Arguments, node: ast.AST) -> Value:
        owner, name = (*given.positional, DATA, DATA)[:2]
        default = given.positional[2] if len(given.positional) > 2 else None
        texts = [
            option.value for option in options(name) if isinstance(option, Const) and isinstance(option.value, str)
        ]
        if isinstance(owner, Thing) and owner.origin == _IMPORT:
            return Thing("data", NAMED_BY_TEXT, node)
        if len(texts) < len(options(name)):
            if isinstance(owner, Opaque):
                return DATA
            if isinstance(owner, Frame):
                return self._any_function(owner, node)
            return Unknown("an attribute whose name is not known", node)
        found: Value | None = None
        for text in texts:
            part = self.attribute(owner, text, node)
            if part is ABSENT:
                part = Unknown(f"there is no `{text}`", node) if default is None else default
            elif default is not None and isinstance(part, Opaque | Unknown):
                part = join(part, default)
            found = part if found is None else join(found, part)
        return DATA if found is None else found

    def _any_function(self, module: Frame, node: ast.AST) -> Value:
        """What is chosen of a module by a name that nobody knows: one of its functions or classes."""
        self.heap.looked_over(module)
        found: Value | None = None
        for value in module.slots.values():
            own = isinstance(value, Function | Class) and getattr(value, "frame", None) in (None, module)
            if own:
                found = value if found is None else join(found, value)
        return Unknown("an attribute whose name is not known", node) if found is None else found

    def _python_setattr(self, given: Arguments, node: ast.AST) -> Value:
        owner, name, value = (*given.positional, DATA, DATA, DATA)[:3]
        for one in options(owner):
            if isinstance(one, Opaque | Unknown) and self.holds_graph(value):
                self.written_unseen(node)
            if not isinstance(name, Const) and isinstance(one, Instance | Class | Frame):
                for key, kept in [(key, kept) for key, kept in one.slots.items() if self.holds_graph(kept)]:
                    self.heap.write(one, key, join(kept, value))
            if isinstance(name, Const) and isinstance(name.value, str):
                self.store_attribute(one, name.value, value, node)
            elif isinstance(one, Instance):
                one.open = True
        return NONE

    def _python_hasattr(self, given: Arguments, node: ast.AST) -> Value:
        owner, name = (*given.positional, DATA, DATA)[:2]
        if not isinstance(name, Const) or not isinstance(name.value, str):
            return DATA
        if isinstance(owner, Instance) and not owner.open and not owner.cls.outside:
            found, _ = self.lookup(owner.cls, name.value)
            kept = self.heap.read(owner, name.value)
            if any(option is ABSENT for option in options(kept)) and kept is not ABSENT:
                return DATA
            return Const(kept is not ABSENT or found is not ABSENT)
        found_ = self.attribute(owner, name.value, node)
        if found_ is ABSENT:
            return Const(False)
        return DATA if isinstance(found_, Opaque | Unknown) else Const(True)

    def _python_isinstance(self, given: Arguments, node: ast.AST) -> Value:
        value, types = (*given.positional, DATA, DATA)[:2]
        wanted = items_of(types) if isinstance(types, Items) else (types,)
        answers = {self._is_a(option, one) for option in options(value) for one in wanted}
        if len(options(value)) == 1 and True in answers:
            return Const(True)
        return Const(answers.pop()) if len(answers) == 1 and None not in answers else DATA

    def _is_a(self, value: Value, wanted: Value) -> bool | None:
        if isinstance(wanted, Class):
            if isinstance(value, Instance):
                return wanted in value.cls.mro
            return None if isinstance(value, Opaque | Unknown) else False
        if not isinstance(wanted, Builtin):
            return False if isinstance(value, Const | Items | Table) else None
        if isinstance(value, Const):
            expected = _TYPES.get(wanted.name)
            return isinstance(value.value, expected) if expected is not None else False
        if isinstance(value, Items):
            return wanted.name in ("list", "tuple", "set") and value.kind == wanted.name
        if isinstance(value, Table):
            return wanted.name == "dict"
        return False if isinstance(value, Node | Instance | Function | Class) else None

    def _python_callable(self, given: Arguments, node: ast.AST) -> Value:
        value = given.positional[0]
        if isinstance(value, Function | Class | Bound | Builtin | Native | Partial):
            return Const(True)
        return Const(False) if isinstance(value, Const | Items | Table | Node) else DATA

    def _python_type(self, given: Arguments, node: ast.AST) -> Value:
        value = given.positional[0]
        if isinstance(value, Instance):
            return value.cls
        if isinstance(value, Items) and value.cls is not None:
            return value.cls
        if isinstance(value, Const) and value.value is not None:
            return Builtin(type(value.value).__name__)
        if isinstance(value, Items | Table):
            return Builtin("dict" if isinstance(value, Table) else value.kind)
        return DATA

    def _python_super(self, given: Arguments, node: ast.AST) -> Value:
        if len(given.positional) >= 2 and isinstance(given.positional[0], Class):
            return Super(given.positional[0], given.positional[1])
        frame: Frame | None = self.frame
        while frame is not None and frame.kind != "function":
            frame = frame.outer
        function = None if frame is None else self._owners.get(id(frame))
        if frame is None or function is None or function.owner is None:
            return Unknown("super() of a class that is not known", node)
        if function.name == "__new__":
            return Super(function.owner, function.owner)
        if frame.receiver is None:
            return Unknown("super() of a class that is not known", node)
        return Super(function.owner, frame.receiver)

    def _python_property(self, given: Arguments, node: ast.AST) -> Value:
        named = dict(given.keywords)
        get, put = (*given.positional, None, None)[:2]
        return Wrapped("property", get or named.get("fget", DATA), put or named.get("fset"))

    def _python_print(self, given: Arguments, node: ast.AST) -> Value:
        return NONE

    def _python_id(self, given: Arguments, node: ast.AST) -> Value:
        return DATA

    # -- the standard library --

    def call_standard(self, origin: str, given: Arguments, node: ast.AST) -> Value | None:
        """Calls a function of the standard library with which programs build; None where it is another one."""
        method = _STANDARD.get(origin)
        return None if method is None else method(self, given, node)


Standard = Callable[[Builtins, Arguments, ast.AST], Value | None]
_OF_EVERY_CLASS = frozenset(dir(type("", (), {})))


def _partial(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    if not given.positional:
        return DATA
    rest = Arguments(given.positional[1:], given.keywords, given.more, given.places[1:], given.keyword_places)
    return Partial(given.positional[0], rest)


def _identity_decorator(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    bare = len(given.positional) == 1 and not given.keywords and not isinstance(node, ast.Call)
    if bare and isinstance(given.positional[0], Function):
        return given.positional[0]
    return Native("decorator", lambda inner, _: inner.positional[0] if inner.positional else DATA)


def _first(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    return given.positional[0] if given.positional else DATA


def _progress(machine: Builtins, given: Arguments, node: ast.AST) -> Value | None:
    """A loop that shows its progress goes through what it is given."""
    statement = machine.frame.statements[-1] if machine.frame.statements else None
    goes = isinstance(statement, ast.For) and any(inner is node for inner in ast.walk(statement.iter))
    return given.positional[0] if goes and given.positional else None


def _wraps(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    wrapped = given.positional[0] if given.positional else DATA

    def wrap(inner: Arguments, _: ast.AST) -> Value:
        function = inner.positional[0]
        if isinstance(function, Function) and isinstance(wrapped, Function):
            machine.function_attributes[function.node, id(function.frame), "__name__"] = Const(wrapped.name)
        return function

    return Native("wraps", wrap)


def _manager(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    return Wrapped("manager", given.positional[0]) if given.positional else DATA


def _named_tuple(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    name, fields = given.get(0, "typename"), given.get(1, "field_names")
    names: list[str] = []
    if isinstance(fields, Const) and isinstance(fields.value, str):
        names = fields.value.replace(",", " ").split()
    elif isinstance(fields, Items) and "rest" not in fields.slots:
        names = [str(item.value) for item in items_of(fields) if isinstance(item, Const)]
    else:
        return DATA
    made = Class(str(name.value) if isinstance(name, Const) else "", None, ())
    machine.heap.write(made, "_fields", machine.items("tuple", [Const(each) for each in names]))
    machine.heap.write(
        made,
        "_make",
        Native(
            "_make", lambda inner, at: machine.call(made, Arguments(machine.elements(inner.positional[0], at)[0]), at)
        ),
    )
    return made


def _ordered(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    return machine.call_builtin("dict", given, node)


def _default_table(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    cell = machine.table()
    cell.factory = given.positional[0] if given.positional else None
    return cell


def _members(machine: Builtins, given: Arguments, node: ast.AST) -> Value | None:
    """`inspect.getmembers` of a class or object whose attributes are all known."""
    owner = given.positional[0] if len(given.positional) == 1 and not given.keywords else None
    cls = owner.cls if isinstance(owner, Instance) else owner
    if not isinstance(cls, Class) or cls.outside or (isinstance(owner, Instance) and owner.open):
        return None
    cells = [owner, *cls.mro] if isinstance(owner, Instance) else [*cls.mro]
    for cell in cells:
        machine.heap.looked_over(cell)
    names = {name for cell in cells for name in cell.slots if isinstance(name, str)} | _OF_EVERY_CLASS
    pairs = []
    for name in sorted(names):
        value = DATA if name in _OF_EVERY_CLASS else machine.attribute(owner or cls, name, node)
        pairs.append(machine.items("tuple", (Const(name), value)))
    return machine.items("list", pairs)


def _signature(machine: Builtins, given: Arguments, node: ast.AST) -> Value | None:
    """`inspect.signature` of a function or class of the program: its parameters by name."""
    owner = given.positional[0] if given.positional else DATA
    bound = isinstance(owner, Class | Bound)
    function = machine.lookup(owner, "__init__")[0] if isinstance(owner, Class) else owner
    function = function.function if isinstance(function, Bound) else function
    if not isinstance(function, Function):
        return None
    spec = function.node.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)][bound:]
    names += [each.arg for each in (spec.vararg, *spec.kwonlyargs, spec.kwarg) if each is not None]
    found = Thing("data", "inspect.Signature", node)
    machine.heap.write(found, "parameters", machine.table([(Const(name), DATA) for name in names]))
    return found


def _counter(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    if given.positional or given.keywords:
        return DATA
    cell = machine.table()
    cell.factory = Native("missing", lambda *_: Const(0))
    return cell


def _deque(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    known, more = machine.elements(given.positional[0], node) if given.positional else ((), None)
    return machine.items("list", known, more)


def _copy(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    value = given.positional[0] if given.positional else DATA
    if isinstance(value, Items):
        return machine.items(value.kind, items_of(value), value.slots.get("rest"))
    if isinstance(value, Table):
        return machine.table(machine.pairs(value), value.slots.get("rest"))
    return value


def _chain(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    values: list[Value] = []
    rest: Value | None = None
    for one in given.positional:
        known, more = machine.elements(one, node)
        for value in known:
            if rest is None:
                values.append(value)
            else:
                rest = join(rest, value)
        if more is not None:
            rest = more if rest is None else join(rest, more)
    return machine.items("list", values, rest)


def _thread(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    target, arguments = given.get(1, "target"), given.get(3, "args")
    if target is None:
        return Thing("data", "threading.Thread", node)

    def start(inner: Arguments, at: ast.AST) -> Value:
        known, more = machine.elements(arguments, at) if arguments is not None else ((), None)
        machine.call(target, Arguments(known, (), more is not None), at)
        return NONE

    thing = Thing("thread", "threading.Thread", node)
    machine.heap.write(thing, "start", Native("start", start))
    return thing


def _imported(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    name = given.positional[0] if len(given.positional) == 1 else DATA
    if isinstance(name, Const) and isinstance(name.value, str):
        return machine.load_module(name.value) or Thing("data", _IMPORT, node)
    unnamed = machine.index.imported_unnamed(machine.frame.module.name)
    modules = [machine.load_module(each) for each in unnamed]
    return join_all([each for each in modules if each is not None], Thing("data", _IMPORT, node)) or DATA


def _name_of(text: str) -> ast.expr | None:
    """The dotted name that a text is, if it is one."""
    try:
        found = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
    part = found
    while isinstance(part, ast.Attribute):
        part = part.value
    return found if isinstance(part, ast.Name) else None


def _shuffle(machine: Builtins, given: Arguments, node: ast.AST) -> Value:
    for value in given.positional[:1]:
        for option in options(value):
            if isinstance(option, Items):
                machine.call(machine.attribute(option, "sort", node), Arguments(), node)
    return NONE


_STANDARD: dict[str, Standard] = {
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "functools.lru_cache": _identity_decorator,
    "functools.cached_property": lambda machine, given, node: Wrapped("property", given.positional[0]),
    "functools.reduce": lambda machine, given, node: machine.call_builtin("reduce", given, node),
    "abc.abstractmethod": _first,
    "abc.abstractproperty": lambda machine, given, node: Wrapped("property", given.positional[0]),
    "contextlib.contextmanager": _manager,
    "collections.namedtuple": _named_tuple,
    "collections.OrderedDict": _ordered,
    "collections.defaultdict": _default_table,
    "collections.Counter": _counter,
    "collections.deque": _deque,
    "random.shuffle": _shuffle,
    "np.random.shuffle": _shuffle,
    "numpy.random.shuffle": _shuffle,
    "queue.Queue": lambda machine, given, node: machine.items("queue", ()),
    "queue.LifoQueue": lambda machine, given, node: machine.items("queue", ()),
    "Queue.Queue": lambda machine, given, node: machine.items("queue", ()),
    "multiprocessing.Queue": lambda machine, given, node: machine.items("queue", ()),
    "inspect.getmembers": _members,
    "inspect.signature": _signature,
    _IMPORT: _imported,
    "unittest.skip": _identity_decorator,
    "unittest.skipIf": _identity_decorator,
    "unittest.skipUnless": _identity_decorator,
    "unittest.expectedFailure": _first,
    "copy.copy": _copy,
    "copy.deepcopy": _copy,
    "itertools.chain": _chain,
    "itertools.izip": lambda machine, given, node: machine.call_builtin("zip", given, node),
    "threading.Thread": _thread,
    "six.moves.range": lambda machine, given, node: machine.call_builtin("range", given, node),
    "six.moves.xrange": lambda machine, given, node: machine.call_builtin("range", given, node),
    "six.moves.zip": lambda machine, given, node: machine.call_builtin("zip", given, node),
    "six.moves.map": lambda machine, given, node: machine.call_builtin("map", given, node),
    "six.moves.filter": lambda machine, given, node: machine.call_builtin("filter", given, node),
    "six.moves.reduce": lambda machine, given, node: machine.call_builtin("reduce", given, node),
    "six.iteritems": lambda machine, given, node: machine.call(
        machine.attribute(given.positional[0], "items", node), Arguments(), node),
    "six.itervalues": lambda machine, given, node: machine.call(
        machine.attribute(given.positional[0], "values", node), Arguments(), node),
    "six.add_metaclass": _identity_decorator,
    "six.with_metaclass": lambda machine, given, node: given.positional[1] if len(given.positional) > 1 else DATA,
    **dict.fromkeys(("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.tqdm_notebook", "tqdm.notebook.tqdm"), _progress),
    "past.builtins.xrange": lambda machine, given, node: machine.call_builtin("range", given, node),
}  # fmt: skip
