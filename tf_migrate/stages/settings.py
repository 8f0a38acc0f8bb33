"""Objects that only hold settings: what `argparse` read from the command line, and objects of plain classes of values.

What the graph was built with is read again where a function is traced. So nothing may have set it anew by then, nor
changed what it holds, in the module or in one that the object may have come to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.bindings import star_origin
from tf_migrate.names.canonical import Names
from tf_migrate.stages import purity
from tf_migrate.stages.bound import given_to, home_of, known_of
from tf_migrate.stages.handing import filled, parameters
from tf_migrate.stages.objects import class_of
from tf_migrate.stages.shared_objects import changed_elsewhere, used_up
from tf_migrate.stages.uses import bound_by_text, by_text, only_reads
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

_PARSING = frozenset({"parse_args", "parse_known_args"})
_NUMBERS = frozenset({"bool", "float", "int", "str"})
_KEEPING = frozenset({"store", "store_const", "store_false", "store_true"})
_ASKING = (
    ast.Compare | ast.UnaryOp | ast.If | ast.While | ast.Assert | ast.FormattedValue | ast.Expr | ast.BinOp
    | ast.Attribute
)  # fmt: skip
_YIELDING = ast.BoolOp | ast.IfExp | ast.NamedExpr
_HELD = ast.Dict | ast.List | ast.Set | ast.Tuple
_PATCHING = ("monkeypatch", "patch")
_HOOKED = frozenset({"__dict__", "__setattr__", "exec", "setattr"})


def is_setting(node: ast.Attribute, names: Names) -> bool:
    """Whether an attribute is a value of such an object, which stays what it was when the object was made."""
    module, word = names.module, node.attr
    made = _makers(node.value, names)
    if made is None or not _is_set_once(word, made, module):
        return False
    if by_text(word, module) is not None or bound_by_text(module) is not None:
        return False
    fixed = all(_is_fixed(word, item, home) for item, home in made.items())
    if _is_patched(module) or not (fixed or (_only_read(word, module) and _is_its_own_list(word, made))):
        return False
    linked = names.index.importing(module.name)
    if _goes_out(node, module) or any(home is not module for home in made.values()):
        linked |= names.index.imported_by(module.name)
    return not any(may_set(names, other, word, fixed=fixed) for other in linked - {module.name})


def holds_settings(node: ast.AST, names: Names) -> bool:
    """Whether all that a name, an attribute or a parameter is bound to by a node are such objects."""
    given = given_to(node, names.module)
    return bool(given) and all(_makers(value, names) is not None for value in given)


Made = dict[ast.AST, Module]
"""Calls that parse a command line, and the classes of objects, with the modules that they stand in."""


def _makers(value: ast.expr, names: Names) -> Made | None:
    """What makes the objects that an expression may be; None where one of them may be something else."""
    found: Made = {}
    return found if _follow(value, names, found, set()) and found else None


def _follow(value: ast.expr, names: Names, found: Made, seen: set[str]) -> bool:
    if isinstance(value, ast.Constant):
        return value.value is None
    if isinstance(value, ast.BoolOp | ast.IfExp):
        parts = value.values if isinstance(value, ast.BoolOp) else [value.body, value.orelse]
        return all(_follow(part, names, found, seen) for part in parts)
    if isinstance(value, ast.Call):
        return _follow_call(value, names, found, seen)
    if not isinstance(value, ast.Name | ast.Attribute):
        return False
    home, owner = _definition(value, names)
    if isinstance(owner, ast.ClassDef) and _is_plain_class(owner):
        found[owner] = home.module
        return True
    key = f"{names.module.name} {ast.unparse(value)} {id(home_of(value, names.module))}"
    if key in seen:
        return True
    seen.add(key)
    _, bound = known_of(value, names.module)
    return bool(bound) and all(_follow(item, names, found, seen) for item in bound)


def _follow_call(call: ast.Call, names: Names, found: Made, seen: set[str]) -> bool:
    if _parses(call, names.module):
        found[call] = names.module
        return True
    home, made = _definition(call.func, names)
    if isinstance(made, ast.ClassDef):
        found[made] = home.module
        return _is_plain_class(made)
    if made is None or made.decorator_list:
        return False
    key = f"{home.module.name} {made.name}()"
    if key in seen:
        return True
    seen.add(key)
    returned = [inner.value for inner in ast.walk(made) if isinstance(inner, ast.Return)]
    return bool(returned) and all(item is not None and _follow(item, home, found, seen) for item in returned)


def _definition(node: ast.expr, names: Names) -> tuple[Names, ast.ClassDef | ast.FunctionDef | None]:
    """The class or function that a name means, and the module of the tree that it stands in."""
    if not isinstance(node, ast.Name) or home_of(node, names.module) is not names.module.root:
        return names, None
    bound = names.module.root.bindings[node.id]
    if len(bound) == 1 and isinstance(bound[0], tuple) and isinstance(bound[0][0], ast.ImportFrom):
        statement, alias = bound[0]
        assert isinstance(statement, ast.ImportFrom)
        origin = star_origin(names.module, names.index, statement, names.compat_module) or ""
        module = names.index.tree(origin[1:]) if origin.startswith("@") else None
        if module is not None:
            home = Names(module, names.index, names.compat_module)
            return home, _own(alias.name, module)
    return names, _own(node.id, names.module)


def _own(name: str, module: Module) -> ast.ClassDef | ast.FunctionDef | None:
    """The class or function of a module that is all that its name means."""
    found = [item for item in module.tree.body if isinstance(item, ast.ClassDef | ast.FunctionDef)]
    made = next((item for item in found if item.name == name), None)
    return made if len(module.root.bindings.get(name, [])) == 1 else None


def _is_plain_class(owner: ast.ClassDef) -> bool:
    """Whether a class is derived from none, and has no hooks."""
    bare = all(isinstance(base, ast.Name) and base.id == "object" for base in owner.bases)
    inner = [item for item in owner.body if isinstance(item, ast.FunctionDef)]
    plain = not any(item.name.startswith("__") and item.name != "__init__" for item in inner)
    return bare and plain and not owner.decorator_list and not owner.keywords


def _parses(call: ast.Call, module: Module) -> bool:
    """Whether a call gives what a parser of `argparse` read."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _PARSING:
        return False
    parser = call.func.value
    made = known_of(parser, module)[1] if isinstance(parser, ast.Name | ast.Attribute) else [parser]
    calls = [callee(item.func, module) for item in made if isinstance(item, ast.Call)]
    return len(calls) == len(made) > 0 and set(calls) == {"argparse.ArgumentParser"}


def _function(node: ast.expr, module: Module) -> ast.FunctionDef | None:
    """The function of the module that a name means."""
    made = _own(node.id, module) if isinstance(node, ast.Name) and home_of(node, module) is module.root else None
    return made if isinstance(made, ast.FunctionDef) else None


def _stores(word: str, module: Module) -> Iterator[ast.Attribute]:
    return (place for place in module.attributes.get(word, ()) if not isinstance(place.ctx, ast.Load))


def _is_set_once(word: str, made: Made, module: Module) -> bool:
    """Whether nothing sets an attribute of such an object but what makes it."""
    if _sets_by_parsing(module) or not all(_is_its_own(place, module) for place in _stores(word, module)):
        return False
    for item, home in made.items():
        arguments = [] if isinstance(item, ast.ClassDef) else _arguments(word, home)
        plain = bool(arguments) and all(_is_plain_argument(call, home) for call in arguments)
        if not (_sets_once(word, item, home) if isinstance(item, ast.ClassDef) else plain):
            return False
    return True


def _sets_by_parsing(module: Module) -> bool:
    """Whether a parser sets the attributes of an object that it is given."""
    calls = (call for call in module.calls if getattr(call.func, "attr", "") in _PARSING)
    return any(len(call.args) > 1 or any(item.arg != "args" for item in call.keywords) for call in calls)


def _is_its_own(place: ast.Attribute, module: Module) -> bool:
    """Whether an attribute is one of the object whose method this is, which nothing calls as another one's."""
    home = module.function_of(place)
    if not isinstance(home, ast.FunctionDef) or not isinstance(place.value, ast.Name):
        return False
    name, owner = place.value.id, module.parents[home]
    bound = [item.arg for item in home.args.args][:1] == [name] and not home.decorator_list
    stored = any(inner.id == name and not isinstance(inner.ctx, ast.Load) for inner in _names(home))
    if not bound or stored or not isinstance(owner, ast.ClassDef):
        return False
    calls = (call for call in module.calls if getattr(call.func, "attr", "") == home.name)
    return all(_is_called_plainly(call, module) for call in calls)


def _is_called_plainly(call: ast.Call, module: Module) -> bool:
    """Whether a method is called as one of an object, or of the class that the object's is derived from."""
    assert isinstance(call.func, ast.Attribute)
    if not isinstance(call.func.value, ast.Name):
        return True
    classes = {item.name for item in ast.walk(module.tree) if isinstance(item, ast.ClassDef)}
    if call.func.value.id in classes:
        return bool(call.args) and isinstance(call.args[0], ast.Name) and call.args[0].id == "self"
    return call.func.attr != "__init__"


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Name))


def _is_in_constructor(place: ast.Attribute, owner: ast.ClassDef, module: Module) -> bool:
    statement = module.statement_of(place)
    home = module.parents[statement]
    return isinstance(home, ast.FunctionDef) and home.name == "__init__" and module.parents[home] is owner


def _sets_once(word: str, owner: ast.ClassDef, module: Module) -> bool:
    """Whether the body of a class, to a plain value, or its constructor binds a name once, and nothing else in it."""
    own = [place for place in _stores(word, module) if class_of(module, place) is owner]
    values = _values(word, owner, module)
    plain = bool(own) or all(isinstance(value, _HELD) or purity.is_immutable(value, module) for value in values)
    made = all(_is_in_constructor(place, owner, module) and used_up(word, place, module) is None for place in own)
    return made and len(values) == 1 and plain and not any(word == getattr(item, "name", None) for item in owner.body)


def _values(word: str, owner: ast.ClassDef, module: Module) -> list[ast.expr]:
    """What a class binds to the attribute."""
    return [value for node in _bound_in(word, owner, module) for value in given_to(node, module)]


def _bound_in(word: str, owner: ast.ClassDef, module: Module) -> list[ast.expr]:
    """Where a class binds the attribute, in its body or its methods."""
    inner = [item for item in owner.body if isinstance(item, ast.Assign | ast.AnnAssign)]
    names = [node for item in inner for node in ast.walk(item) if isinstance(node, ast.Name) and node.id == word]
    own = [place for place in _stores(word, module) if class_of(module, place) is owner]
    return [*(node for node in names if isinstance(node.ctx, ast.Store)), *own]


def _is_fixed(word: str, made: ast.AST, module: Module) -> bool:
    """Whether nothing can change what the attribute holds: a number, say."""
    if isinstance(made, ast.ClassDef):
        return all(purity.is_immutable(value, module) for value in _values(word, made, module))
    listed = (item for call in _arguments(word, module) for item in call.keywords)
    return all(item.arg != "nargs" and not isinstance(item.value, _HELD) for item in listed)


def _is_its_own_list(word: str, made: Made) -> bool:
    """Whether nothing changes in place, under another name, what the attribute holds."""
    owners = ((item, home) for item, home in made.items() if isinstance(item, ast.ClassDef))
    stores = ((place, home) for owner, home in owners for place in _bound_in(word, owner, home))
    return all(changed_elsewhere(word, place, home) is None for place, home in stores)


def _is_patched(module: Module) -> bool:
    """Whether attributes may be set for a while, by their names as texts: `mock.patch.object(config, "rate", 0.5)`."""
    return any(module.loads.get(word) or module.attributes.get(word) for word in _PATCHING)


def _only_read(word: str, module: Module) -> bool:
    """Whether nothing changes in place what attributes of this name hold."""
    loads = (load for load in module.attributes.get(word, ()) if isinstance(load.ctx, ast.Load))
    return all(only_reads(load, module) for load in loads)


def _arguments(word: str, module: Module) -> list[ast.Call]:
    """The calls that tell a parser of an argument."""
    found = []
    for call in module.calls:
        given = call.args if getattr(call.func, "attr", "") == "add_argument" else []
        options = [item.value for item in given if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        if word in {option.lstrip("-").replace("-", "_") for option in options}:
            found.append(call)
    return found


def _is_plain_argument(call: ast.Call, module: Module) -> bool:
    """Whether an argument of the command line is a number, a truth value or a text, or a list of them."""
    words = {item.arg: item.value for item in call.keywords}
    kind, action, default = words.get("type"), words.get("action"), words.get("default")
    parts = default.elts if isinstance(default, ast.List | ast.Tuple) else [default] if default else []
    return (
        not words.keys() & {None, "dest"}
        and (kind is None or (isinstance(kind, ast.Name) and kind.id in _NUMBERS))
        and (action is None or (isinstance(action, ast.Constant) and action.value in _KEEPING))
        and all(purity.is_immutable(part, module) for part in parts)
        and (words.get("const") is None or purity.is_immutable(words["const"], module))
    )


def _goes_out(node: ast.Attribute, module: Module) -> bool:
    """Whether the object whose attribute this is may come to code outside the module."""
    pending: list[ast.expr] = [node.value]
    seen, returned = set[str](), set[str]()
    while pending:
        source = pending.pop()
        if isinstance(source, ast.Name | ast.Attribute):
            key = f"{ast.unparse(source)} {id(home_of(source, module))}"
            if key in seen:
                continue
            seen.add(key)
            uses, bound = known_of(source, module)
            pending += bound
            given = [_given(use, module) for use in uses]
        elif isinstance(source, ast.Call) and (function := _function(source.func, module)) is not None:
            if function.name in returned:
                continue
            returned.add(function.name)
            pending += [inner.value for inner in ast.walk(function) if isinstance(inner, ast.Return) and inner.value]
            calls = [call for call in module.calls if _function(call.func, module) is function]
            given = [_given(call, module) for call in calls]
        else:
            continue
        for items in given:
            if items is None:
                return True
            pending += items
    return False


def _given(use: ast.expr, module: Module) -> list[ast.expr] | None:
    """The names that one use of an object gives it too; None where it may come to other code."""
    child: ast.AST = use
    parent = module.parents[use]
    while isinstance(parent, _YIELDING):
        child, parent = parent, module.parents[parent]
    if isinstance(parent, ast.Assign) and parent.value is child:
        targets = list(parent.targets)
        return targets if all(isinstance(target, ast.Name | ast.Attribute) for target in targets) else None
    if isinstance(parent, ast.Return):
        home = module.function_of(parent)
        return [call for call in module.calls if _function(call.func, module) is home and home is not None]
    if isinstance(parent, _ASKING):
        return []
    if isinstance(parent, ast.keyword):
        child, parent = parent, module.parents[parent]
    return _taken(child, parent, module) if isinstance(parent, ast.Call) else None


def _taken(child: ast.AST, call: ast.Call, module: Module) -> list[ast.expr] | None:
    """The names under which functions of the module know an argument; None where others may be called."""
    name = getattr(call.func, "id", None) or getattr(call.func, "attr", None)
    if callee(call.func, module) in purity.BUILTINS | {"print", "vars"}:
        return []
    found: list[ast.expr] = []
    functions = [item for item in module.functions if isinstance(item, ast.FunctionDef)]
    owners = {item: module.parents[item] for item in functions}
    meant = [
        item
        for item, owner in owners.items()
        if item.name == name or (item.name == "__init__" and isinstance(owner, ast.ClassDef) and owner.name == name)
    ]
    for function in meant:
        words = parameters(function, bound=isinstance(owners[function], ast.ClassDef))
        for word, argument in filled(call, words):
            if argument is not child and argument is not getattr(child, "value", None):
                continue
            if word is None:
                return None
            loads = module.loads.get(word, [])
            found += [load for load in loads if function in module.around(load)][:1]
    return found if meant else None


def may_set(names: Names, other: str, word: str, *, fixed: bool) -> bool:
    """Whether another module may set an attribute of this name, or change what it holds, of what it is given."""
    module = names.index.tree(other)
    if module is None or any(module.loads.get(hook) or module.attributes.get(hook) for hook in _HOOKED):
        return True
    if by_text(word, module) is not None or _sets_by_parsing(module) or _is_patched(module):
        return True
    stores = [place for place in _stores(word, module) if not _is_its_own(place, module)]
    return bool(stores) or not (fixed or _only_read(word, module))
