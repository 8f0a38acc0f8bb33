"""What the imports and assignments of a module bind, as origins; and the summary of that for other modules."""

from __future__ import annotations

import ast
import re

from tf_migrate.names.exports import Exports, Index
from tf_migrate.names.keras import STANDALONE, builds_graphs, keras_of
from tf_migrate.names.origins import dotted_names, first_known, join
from tf_migrate.syntax.module import Binding, Module
from tf_migrate.syntax.outline import Outline

_MAX_HOPS = 20
# Told by the text alone, because it must be known of every module before any is resolved; it decides only whether a
# script that builds through other modules opens a graph.
_TF1_ONLY = re.compile(
    r"\b(?:placeholder\w*|\w*Session|get_variable|variable_scope|contrib|compat\.v1|get_collection|global_variables"
    r"|global_variables_initializer|initialize_all_variables|layers\.dense|layers\.conv\w+|GraphKeys|ConfigProto"
    r"|train\.\w+Optimizer|app\.run|app\.flags|get_default_graph|summary\.FileWriter|Graph\(\))"
)

_TF2_ONLY = re.compile(r"\b(?:tf\.function|GradientTape|TensorSpec)\b")
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
    stars = (star_origin(module, index, node, compat_module) for node in module.root.stars)
    imported = frozenset(dotted for node in module.imports for dotted in dotted_names(module.package, node))
    reaching = any(index.find(module.package, dotted) is not None for dotted in imported)
    tf2 = _TF2_ONLY.search(module.source.text) is not None
    return Exports(
        module.name,
        origins,
        frozenset(opaque),
        tuple(star for star in stars if star is not None),
        imported,
        public(module.tree),
        _TF1_ONLY.search(module.source.text) is not None and not tf2,
        _words(module) if reaching else frozenset(),
        frozenset(word for listed in _BASES.findall(module.source.text) for word in _WORD.findall(listed)),
        (_changed(module, index) if reaching else frozenset()) | _of_scripts(module),
        tf2,
        keras_of(module),
        builds_graphs(module),
    )


def _of_scripts(module: Outline) -> frozenset[str]:
    return frozenset({OF_SCRIPTS}) if _SCRIPT.search(module.source.text) else frozenset()


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


def import_origin(
    module: Module | Outline, index: Index, node: ast.Import | ast.ImportFrom, alias: ast.alias, compat_module: str
) -> str | None:
    """Origin of the name that one part of an import statement binds."""
    if isinstance(node, ast.Import):
        dotted = alias.name if alias.asname else alias.name.partition(".")[0]
        return _module_origin(module, index, dotted, compat_module)
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
    return _module_origin(module, index, node.module or "", compat_module)


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
