"""What a module gives to the others of its tree, told by its outline alone."""

from __future__ import annotations

import ast
import re

from tf_migrate.names.bindings import binding_origin, public, returned_origins, star_origin
from tf_migrate.names.building import main_guard
from tf_migrate.names.exports import Exports, Index
from tf_migrate.names.keras import builds_graphs, keras_of
from tf_migrate.names.mentions import imported_by_text, mentions
from tf_migrate.names.origins import dotted_names
from tf_migrate.syntax.outline import Outline

_WORD = re.compile(r"\w+")
_ATTRIBUTE = re.compile(r"\.\s*(\w+)")
_BASES = re.compile(r"^\s*class\s+\w+\s*\(([^)]*)\)", re.MULTILINE)
# `module.name = …`, also as one of several targets, and `setattr(module, …)`.
_STORED = re.compile(r"\b(\w+)(?:\.\w+)*\.(\w+)\s*(?:(?:[-+*/]|//|\*\*)?=(?!=)|,[^=\n()]*=(?!=))")
_SET = re.compile(r"\bsetattr\(\s*(\w+)")
OF_SCRIPTS = "__main__"
"""What a module binds that may bind names of the script which runs, whichever it is."""
_SCRIPT = re.compile(
    r"""\bmodules\[\s*['"]__main__|\bimport\s+__main__|\bfrom\s+__main__|\(\s*['"]__main__['"]\s*\)|\bf_globals\b"""
)
_RUNS = frozenset({"run", "eval"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_REFLECTION = re.compile(r"\b(?:getattr|setattr|vars)\b")


def summarize(module: Outline, index: Index, compat_module: str) -> Exports:
    """What a parsed module gives to others; ``index`` needs no exports for this, only the tree's modules."""
    origins: dict[str, str] = {}
    opaque: set[str] = set()
    for name, bindings in module.root.bindings.items():
        origin = binding_origin(module, index, bindings, compat_module)
        if origin is None:
            opaque.add(name)
        else:
            origins[name] = origin
    origins.update(returned_origins(module, index, compat_module))
    stars = (star_origin(module, index, node, compat_module) for node in module.root.stars)
    dotted = (name for node in module.imports for name in dotted_names(module.package, node))
    imported = frozenset((*dotted, *imported_by_text(module)))
    reaching = any(index.find(module.package, dotted) is not None for dotted in imported)
    return Exports(
        module.name,
        origins,
        frozenset(opaque),
        tuple(star for star in stars if star is not None),
        imported,
        public(module.tree),
        mentions(module, index, compat_module),
        _words(module) if reaching else frozenset(),
        frozenset(word for listed in _BASES.findall(module.source.text) for word in _WORD.findall(listed)),
        (_changed(module, index) if reaching else frozenset()) | _of_scripts(module),
        keras_of(module),
        builds_graphs(module),
        _only_gives(module),
    )


def _only_gives(module: Outline) -> bool:
    """Whether a module does nothing when it is executed but define names and build, as far as its outline shows."""
    library = {
        alias.asname or alias.name.partition(".")[0]
        for node in module.imports
        for alias in (node.names if isinstance(node, ast.Import) else ())
        if alias.name.partition(".")[0] == "tensorflow"
    }
    for statement in module.tree.body:
        if main_guard(statement) is not None:
            return False
        for node in () if isinstance(statement, _DEFINITIONS) else ast.walk(statement):
            if isinstance(node, ast.Attribute) and node.attr in _RUNS:
                return False
            if isinstance(node, ast.Expr) and not (_is_said(node) or _root(node.value) in library):
                return False
    return True


def _is_said(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Constant)


def _root(node: ast.expr) -> str | None:
    """The name that a path, or the path of what is called, begins with."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else None


def _of_scripts(module: Outline) -> frozenset[str]:
    text = module.source.text
    named = "__main__" in text or "f_globals" in text
    return frozenset({OF_SCRIPTS}) if named and _SCRIPT.search(text) else frozenset()


def _changed(module: Outline, index: Index) -> frozenset[str]:
    """The names in other modules of the tree that a module binds, `*` where it may be any; more does no harm."""
    text, bindings = module.source.text, module.root.bindings
    stored = (match.groups() for match in _STORED.finditer(text) if not _is_in_call(text, match))
    found = [*stored, *((name, "*") for name in _SET.findall(text))]
    imported = {
        name
        for name in {name for name, _ in found}
        for item in bindings.get(name, ())
        if isinstance(item, tuple) and _is_of_tree(module, index, *item)
    }
    return frozenset(word for name, word in found if name in imported)


def _is_of_tree(module: Outline, index: Index, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    """Whether a part of an import statement binds a module of the tree, or something of one."""
    if isinstance(node, ast.Import):
        return index.find(module.package, alias.name, module.name) is not None
    origin = star_origin(module, index, node, "")
    return origin is not None and origin.startswith("@")


def _is_in_call(text: str, match: re.Match[str]) -> bool:
    """Whether what looks like one of several targets stands among the arguments of a call: `f(module.name, word=…)`."""
    if "," not in match.group():
        return False
    start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    depth = 0
    for sign in text[match.end() : end if end >= 0 else len(text)]:
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return True
    before = text[start : match.start()]
    return before.count("(") > before.count(")")


def _words(module: Outline) -> frozenset[str]:
    """Every word by which a module may reach into another one; more than that does no harm."""
    text = module.source.text
    taken = (alias.name for node in module.imports if isinstance(node, ast.ImportFrom) for alias in node.names)
    return frozenset((*_ATTRIBUTE.findall(text), *taken, *_REFLECTION.findall(text)))
