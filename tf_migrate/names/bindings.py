"""What the imports and assignments of a module bind, as origins."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tf_migrate.facts.shims import installed
from tf_migrate.names.exports import Index
from tf_migrate.names.keras import STANDALONE
from tf_migrate.names.origins import first_known, join
from tf_migrate.syntax.module import Binding, Module
from tf_migrate.syntax.outline import Outline
from tf_migrate.syntax.own_nodes import own_nodes

_MAX_HOPS = 20
_IMPORTING = ("__import__", "import_module", "importlib.import_module")
_PACKAGES = {"tensorflow": "tf", "tensorflow.compat.v1": "tf.compat.v1"}


def binding_origin(
    module: Module | Outline, index: Index, bindings: list[Binding], compat_module: str, depth: int = 0
) -> str | None:
    """Origin of a module-level name by all that binds it; None when anything but imports and symbols does."""
    found: list[str] = []
    for binding in bindings:
        if binding is None:
            return None
        if isinstance(binding, tuple):
            origin = import_origin(module, index, *binding, compat_module)
        elif isinstance(binding, ast.Constant) and binding.value is None:
            continue  # `tf = None` where the import failed
        else:
            origin = _chain_origin(module, index, binding, compat_module, depth)
        if origin is None:
            return None
        found.append(origin)
    return first_known(found)


def returned_origins(module: Module | Outline, index: Index, compat_module: str) -> Iterator[tuple[str, str]]:
    """The functions of a module that return TensorFlow, each as `name()`, and what exactly they return."""
    if not any(word in module.source.text for word in ("tensorflow", compat_module)):
        return
    for function in module.tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        returned = [node for node in own_nodes(function) if isinstance(node, ast.Return)]
        words = {node.value.id if isinstance(node.value, ast.Name) else "" for node in returned}
        if len(words) == 1 and "" not in words and not _ends_early(function):
            origin = _imported_in(function, words.pop(), module, index, compat_module)
            if origin in ("tf", "tf.compat.v1"):
                yield f"{function.name}()", origin


def _imported_in(
    function: ast.FunctionDef, word: str, module: Module | Outline, index: Index, compat_module: str
) -> str | None:
    """The origin of a name that a function returns: of its own import, else of the module's."""
    imports = [node for node in own_nodes(function) if isinstance(node, ast.Import | ast.ImportFrom)]
    bound = [(node, alias) for node in imports for alias in node.names if (alias.asname or alias.name) == word]
    stores = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == word]
    others = [each for each in ast.walk(function.args) if isinstance(each, ast.arg) and each.arg == word]
    if others or any(not isinstance(node.ctx, ast.Load) for node in stores):
        return None
    kept: list[Binding] = [*bound] if bound else module.root.bindings.get(word, [None])
    return binding_origin(module, index, kept, compat_module)


def _ends_early(function: ast.FunctionDef) -> bool:
    """Whether a function may end without its `return`, as far as its last statement tells."""
    last = function.body[-1]
    while isinstance(last, ast.With):
        last = last.body[-1]
    return not isinstance(last, ast.Return)


def import_origin(
    module: Module | Outline, index: Index, node: ast.Import | ast.ImportFrom, alias: ast.alias, compat_module: str
) -> str | None:
    """Origin of the name that one part of an import statement binds."""
    if isinstance(node, ast.Import):
        dotted = alias.name if alias.asname else alias.name.partition(".")[0]
        if own := _own(module, index, alias.name, compat_module, _read_of(module, alias)):
            return f"@{own.removesuffix(alias.name.removeprefix(dotted))}"
        return _module_origin(module, index, dotted, compat_module)
    if not node.level and f"{node.module}.{alias.name}" == compat_module:
        return "compat"
    base = star_origin(module, index, node, compat_module)
    if base is None:
        return None
    return f"{base}|{alias.name}" if base.startswith("@") else join(base, alias.name)


def star_origin(module: Module | Outline, index: Index, node: ast.ImportFrom, compat_module: str) -> str | None:
    """Origin of the module that a ``from`` import names."""
    if node.level:
        parts = module.package.split(".") if module.package else []
        if node.level - 1 > len(parts):
            return None
        parts = parts[: len(parts) - (node.level - 1)]
        name = ".".join([*parts, *([node.module] if node.module else [])])
        return f"@{name}" if index.has(name) or not name else None
    name = node.module or ""
    if own := _own(module, index, name, compat_module, (alias.name for alias in node.names)):
        return f"@{own}"
    return _module_origin(module, index, name, compat_module)


def _own(module: Module | Outline, index: Index, dotted: str, compat_module: str, read: Iterable[str]) -> str | None:
    """The tree's own module where an import of the shims' name means that one: `read` is what is taken of it.

    A module in a folder that is a package is imported by its bare name only where that folder's files are run as
    scripts: then it is meant if something is read that the shims have not got.
    """
    rest = dotted.removeprefix(compat_module)
    if rest == dotted or (rest and not rest.startswith(".")):
        return None
    found = index.find(module.package, dotted, module.name)
    if found is None or found not in index.modules:
        return None
    if index.is_bare(found, dotted) or not all(installed().has(f"compat{rest}.{word}") for word in read):
        return found
    return None


def _read_of(module: Module | Outline, alias: ast.alias) -> Iterator[str]:
    """What the module reads of another one that `import` names."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == (alias.asname or alias.name):
            yield node.attr


def imported_package(call: ast.Call) -> str | None:
    """TensorFlow, where a call imports it by a text: `importlib.import_module("tensorflow")`, `__import__(…)`."""
    given = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else None
    if call.keywords or ast.unparse(call.func) not in _IMPORTING or not isinstance(given, str):
        return None
    return _PACKAGES.get(given) if "import_module" in ast.unparse(call.func) or given == "tensorflow" else None


def _module_origin(module: Module | Outline, index: Index, dotted: str, compat_module: str) -> str | None:
    if dotted == "tensorflow" or dotted.startswith("tensorflow."):
        return join("tf", dotted[len("tensorflow.") :]) if "." in dotted else "tf"
    if dotted == compat_module or dotted.startswith(compat_module + "."):
        return "compat" + dotted[len(compat_module) :]
    found = index.find(module.package, dotted, module.name)
    if found not in index.modules and dotted.partition(".")[0] == STANDALONE:
        return dotted  # a folder of that name which is no package hides none
    return f"@{found}" if found is not None else None


def _chain_origin(
    module: Module | Outline, index: Index, value: ast.expr, compat_module: str, depth: int
) -> str | None:
    attributes: list[str] = []
    while isinstance(value, ast.Attribute):
        attributes.insert(0, value.attr)
        value = value.value
    if isinstance(value, ast.Call) and (package := imported_package(value)) is not None:
        return join(package, ".".join(attributes)) if attributes else package
    if not isinstance(value, ast.Name) or depth > _MAX_HOPS:
        return None
    bindings = module.root.bindings.get(value.id)
    if bindings is None:
        # Only a star import can have bound it: this very module's namespace answers, once all are known.
        origin: str | None = f"@{module.name}|{value.id}" if module.root.stars else None
    else:
        origin = binding_origin(module, index, bindings, compat_module, depth + 1)
    if origin is None or not attributes:
        return origin
    rest = ".".join(attributes)
    if origin.startswith("@"):
        return f"{origin}.{rest}" if "|" in origin else f"{origin}|{rest}"
    return join(origin, rest)


def public(tree: ast.Module) -> frozenset[str] | None:
    """The names in `__all__`, where that is written out."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            try:
                value = ast.literal_eval(node.value)
            except ValueError:
                return None
            return frozenset(value) if isinstance(value, list | tuple) else None
    return None
