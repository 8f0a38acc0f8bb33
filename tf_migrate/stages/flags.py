"""Flags of the command line, and members of modules, that a graph was built with: a function that is traced reads them.

So nothing may set one anew by then. What does that before, in the same function, or in the script ahead of what
starts it, is over when the graph is built.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tf_migrate.names.canonical import Names
from tf_migrate.stages.shared_objects import is_before
from tf_migrate.stages.uses import by_text, only_reads
from tf_migrate.syntax.callee import callee
from tf_migrate.syntax.module import Module

_VALUE = re.compile(r"(?:tf\.(?:app\.)?|absl\.)flags\.FLAGS\.(\w+)")
_FLAGS = "FLAGS"
_DEFINING = "DEFINE_"
_FIXED = frozenset({"bool", "boolean", "enum", "float", "integer", "string"})
"""Flags of these kinds hold what nothing can change in place."""
_FILLED = frozenset({"os.environ", "sys.argv", "sys.path"})
"""What modules hold that programs change in place."""
_SETTING = frozenset({"__delattr__", "__dict__", "__flags", "__setattr__", "remove_flag_values", "set_default"})


def flag_of(symbol: str | None) -> str | None:
    """The name of the flag whose value a symbol is: `tf.app.flags.FLAGS.rate`."""
    found = _VALUE.fullmatch(symbol or "")
    return None if found is None else found[1]


def stays(names: Names, word: str, home: Names, since: ast.stmt | None) -> bool:
    """Whether no module sets a flag that the one of `names` reads, unless that is over before a statement of `home`."""
    index = names.index
    linked = index.importing(names.module.name) | index.importing(home.module.name)
    linked = linked.union(*(index.imported_by(other) for other in linked))
    read = {names.module.name: names.module, home.module.name: home.module}
    found = {**{other: index.tree(other) for other in linked - read.keys()}, **read}
    modules = [module for module in found.values() if module is not None]
    if len(modules) < len(found):
        return False
    fixed = _is_fixed(word, modules)
    for module in modules:
        if any(not (module is home.module and _is_over(place, since, home)) for place in _setting(word, module)):
            return False
        if not fixed and not all(only_reads(load, module) for load in module.attributes.get(word, ())):
            return False
    return True


def is_left(names: Names, node: ast.Attribute, home: Names, since: ast.stmt | None) -> bool:
    """Whether nothing sets a member of an imported module, or changes what it holds."""
    module = names.module
    name, places = callee(node, module), module.attributes.get(node.attr, ())
    flag = flag_of(name)
    if flag is not None:
        return stays(names, flag, home, since)
    if name in _FILLED:
        return all(only_reads(place, module) for place in places)
    return name is None or all(isinstance(item.ctx, ast.Load) for item in places if callee(item, module) == name)


def _is_fixed(word: str, modules: list[Module]) -> bool:
    """Whether a flag is a number or a text, as far as the modules define it."""
    kinds = [
        call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        for module in modules
        for call in module.calls
        if call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value == word
    ]
    defining = {kind.removeprefix(_DEFINING) for kind in kinds if kind.startswith(_DEFINING)}
    return bool(defining) and defining <= _FIXED


def _setting(word: str, module: Module) -> Iterator[ast.expr]:
    """The places that may set a flag: by its name, by a text, or as one of all that a command line gives."""
    for place in module.attributes.get(word, ()):
        if not isinstance(place.ctx, ast.Load) and ast.unparse(place.value) != "self":
            yield place
    bound = module.root.bindings.items()
    named = {name for name, values in bound if any(getattr(value, "attr", "") == _FLAGS for value in values)}
    uses: list[ast.expr] = [use for name in {_FLAGS, *named} for use in module.loads.get(name, ())]
    uses += module.attributes.get(_FLAGS, ())
    text = by_text(word, module) if uses else None
    if isinstance(text, ast.expr):
        yield text
    for use in uses:
        around = module.parents[use]
        if isinstance(around, ast.Attribute):
            if around.attr in _SETTING and not only_reads(around, module):
                yield use
        elif isinstance(around, ast.Subscript) or (isinstance(around, ast.Call) and around.func is use):
            yield use


def _is_over(place: ast.expr, since: ast.stmt | None, home: Names) -> bool:
    """Whether what stands at a place is over before a statement of the same module."""
    module = home.module
    if since is None or since not in module.parents:
        return False
    function = module.function_of(since)
    of_object = function is not None and isinstance(module.parents.get(function), ast.ClassDef)
    if not of_object and is_before(place, since, module):
        return True
    if not isinstance(function, ast.FunctionDef) or module.function_of(place) is not None:
        return False
    starts: list[ast.expr] = [load for load in module.loads.get(function.name, ()) if module.function_of(load) is None]
    starts += [call.func for call in module.calls if home.resolve(call.func) == "tf.app.run"]
    return bool(starts) and all(is_before(place, start, module) for start in starts)
