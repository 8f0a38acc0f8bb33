"""Which version of TensorFlow a module is written for, told by what its imports lead to and never by words alone."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from tf_migrate.names.bindings import binding_origin, import_origin, star_origin
from tf_migrate.names.exports import Index
from tf_migrate.names.origins import is_of_either, join
from tf_migrate.syntax.outline import Outline
from tf_migrate.syntax.own_nodes import every_node

# A module without any of these words mentions nothing that tells one version from the other.
_TELLING = re.compile(
    r"(?:Session|Optimizer)\b|\b(?:placeholder\w*|get_variable|variable_scope|contrib|compat|get_collection"
    r"|global_variables|global_variables_initializer|layers|GraphKeys|initialize_all_variables|ConfigProto|app"
    r"|get_default_graph|FileWriter|Graph|GradientTape|TensorSpec|tf|tensorflow)\b"
)
_IMPORTED_BY_TEXT = frozenset({"import_module", "__import__"})


def mentions(module: Outline, index: Index, compat_module: str) -> frozenset[str]:
    """Origins that a module reads through its imports, and that only one version of TensorFlow may have."""
    text = module.source.text
    shims = re.compile(rf"\b{re.escape(compat_module)}\b")
    if not module.imports or (_TELLING.search(text) is None and shims.search(text) is None):
        return frozenset()
    named = _named(module, index, compat_module)
    imported = (origin for origins in named.values() for origin in origins)
    stars = (star_origin(module, index, node, compat_module) or "" for node in module.root.stars)
    paths = (node for node in every_node(module.tree) if isinstance(node, ast.Attribute | ast.Name))
    read = (origin for node in paths for origin in _read(node, named, module))
    return frozenset(origin for origin in (*imported, *stars, *read) if is_of_either(origin))


def _named(module: Outline, index: Index, compat_module: str) -> Mapping[str, set[str]]:
    """The origins of the names that imports bind anywhere in the module, and of their aliases at its top level."""
    named: dict[str, set[str]] = defaultdict(set)
    for node in module.imports:
        for alias in node.names:
            origin = import_origin(module, index, node, alias, compat_module) if alias.name != "*" else None
            if origin is not None:
                plain = alias.name if isinstance(node, ast.ImportFrom) else alias.name.partition(".")[0]
                named[alias.asname or plain].add(origin)
            if isinstance(node, ast.Import) and alias.asname is None and (origin or "").partition(".")[0] == "tf":
                named[alias.name.partition(".")[0]].add(join("tf", alias.name.partition(".")[2]))
    for name, bindings in module.root.bindings.items():
        origin = binding_origin(module, index, bindings, compat_module)
        if origin is not None:
            named[name].add(origin)
    return named


def _read(node: ast.AST, named: Mapping[str, set[str]], module: Outline) -> Iterator[str]:
    """The origins of one dotted expression, if it begins with a name that an import may have bound."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return
    starred = module.root.stars and node.id not in module.root.bindings
    for origin in named.get(node.id) or ({f"@{module.name}|{node.id}"} if starred else ()):
        yield _extended(origin, words)


def _extended(origin: str, words: Iterable[str]) -> str:
    rest = ".".join(words)
    if not origin.startswith("@"):
        return join(origin, rest)
    return origin + ("." if "|" in origin else "|") * bool(rest) + rest


def imported_by_text(module: Outline) -> Iterator[str]:
    """The modules that a module imports by a text: `importlib.import_module("tensorflow")`.

    Where the text is known to the running program alone, any of a package (`models.*`), or any at all (`*`).
    """
    if not any(word in module.source.text for word in _IMPORTED_BY_TEXT):
        return
    for node in every_node(module.tree):
        function = node.func if isinstance(node, ast.Call) and node.args else None
        word = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
        if isinstance(node, ast.Call) and word in _IMPORTED_BY_TEXT:
            text = _beginning(node.args[0])
            if not isinstance(node.args[0], ast.Constant):
                yield f"{text.rpartition('.')[0]}.*".lstrip(".")
            elif text:
                yield text


def _beginning(text: ast.expr) -> str:
    """What a text begins with: its constant, or the first one that it is made of."""
    while isinstance(text, ast.BinOp):
        text = text.left
    if isinstance(text, ast.Call) and isinstance(text.func, ast.Attribute) and text.func.attr == "format":
        text = text.func.value
    if isinstance(text, ast.JoinedStr) and text.values:
        text = text.values[0]
    found = text.value if isinstance(text, ast.Constant) else ""
    return re.split("[%{]", found)[0] if isinstance(found, str) else ""
