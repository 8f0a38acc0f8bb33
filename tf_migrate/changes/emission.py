"""The imports that rewritten code needs, and the names under which it reaches TensorFlow and the shims."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tf_migrate.changes.edits import Edit
from tf_migrate.changes.statements import append_after
from tf_migrate.names.canonical import Names
from tf_migrate.syntax.module import Module, first_line

_TF_NAMES = ("tf", "tensorflow", "tf_2")
_FIRST = -1  # before other lines that are put at the same place
_ALIASES = ("tf_compat", "tf1_compat", "tf_migrate_compat")


def compat_name(names: Names) -> str:
    """The name for the shims in a module: the one that it has already, else one that nothing in it uses."""
    root = names.module.root
    for name in root.bindings:
        if names.lookup(name, root) == "compat":
            return name
    last = names.compat_module.rpartition(".")[2]
    return next(name for name in (last, *_ALIASES, f"_{last}_shims") if not names.is_foreign(name))


def new_tf_name(names: Names) -> str:
    """The name for an import of TensorFlow where a module has none, or hides it behind a name of its own."""
    return next(name for name in (*_TF_NAMES, "_tensorflow_2") if not names.is_bound(name))


def import_edits(
    names: Names,
    compat: str,
    new_tf: str,
    needs: Iterable[str],
    starts: Iterable[Edit],
    early: Iterable[Edit],
    others: Sequence[Edit],
) -> tuple[Edit, ...]:
    """Adds the imports named in ``needs`` (``compat``, ``tf``) that the module has not got.

    ``starts`` are the edits that need them, ``early`` those that do in an import's place, ``others`` all that are made
    beside these imports.
    """
    lines = list(_lines(names, compat, new_tf, frozenset(needs)))
    if not lines:
        return ()
    module = names.module
    first = min([_first_use(module, starts), *(edit.start for edit in early)])
    anchor = _anchor(names, first)
    if anchor is not None:
        if first < _line_end(module, anchor):  # what needs them stands on the same line
            end = module.source.end(anchor)
            return (Edit(end, end, "".join(f"; {line}" for line in lines), _FIRST, line=True),)
        added = replace(append_after(module, anchor, module.source.newline.join(lines)), order=_FIRST)
        return (_outside(added, others),)
    start = _first_line(module)
    text = "".join(line + module.source.newline for line in lines)
    return (Edit(start, start, text, _FIRST, line=True),)


def _lines(names: Names, compat: str, new_tf: str, needs: frozenset[str]) -> Iterator[str]:
    root = names.module.root
    if "tf" in needs:
        yield "import tensorflow" if new_tf == "tensorflow" else f"import tensorflow as {new_tf}"
    if "compat" in needs and names.lookup(compat, root) != "compat":
        package, _, last = names.compat_module.rpartition(".")
        alias = "" if last == compat else f" as {compat}"
        yield f"from {package} import {last}{alias}" if package else f"import {last}{alias}"
    for package in sorted(needs - {"tf", "compat"}):
        if not names.is_bound(package):
            yield f"import {package}"


def _line_end(module: Module, node: ast.stmt) -> int:
    """Offset of the end of the line that a statement ends on."""
    line = node.end_lineno or node.lineno
    return module.source.line_starts[line - 1] + len(module.source.line_text(line))


def _outside(added: Edit, others: Sequence[Edit]) -> Edit:
    """Added lines behind the edits that take out, or write anew, what is around their place."""
    for cover in sorted((edit for edit in others if edit.encloses), key=lambda edit: edit.start):
        if cover.start < added.start < cover.end:
            added = replace(added, start=cover.end, end=cover.end)
    return added


def _first_use(module: Module, edits: Iterable[Edit]) -> int:
    """Where the first of the edits begins that changes more than an import."""
    imports = [_lines_of(module, node) for node, _ in module.imports]
    others = (e.start for e in edits if not any(first <= e.start < e.end <= last for first, last in imports))
    return min(others, default=len(module.source.text))


def _lines_of(module: Module, node: ast.stmt) -> tuple[int, int]:
    """Where a statement's lines begin and end; where the statement itself does, if others stand on them too."""
    source, (start, end) = module.source, module.source.span(node)
    first, row = source.line_starts[node.lineno - 1], node.end_lineno or node.lineno
    last = source.line_starts[row] if row < len(source.line_starts) else len(source.text)
    alone = not source.text[first:start].strip() and source.text[end:last].lstrip(" \t;")[:1] in ("", "#", "\r", "\n")
    return (first, last) if alone else (start, end)


def _anchor(names: Names, first_use: int) -> ast.stmt | None:
    """The top-level statement to put imports behind: the last import of TensorFlow before code that may need them.

    Not further up: programs set environment variables before they import TensorFlow, and the shims import it too.
    """
    found: ast.stmt | None = None
    fallback: ast.stmt | None = None
    for node in names.module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            break
        if first_use < names.module.source.end(node):
            break
        if _only_imports(node):
            if _imports_tensorflow(names, node):
                found = node
            fallback = node
        elif _is_docstring(node) and fallback is None:
            fallback = node
    return found or fallback


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _only_imports(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Try | ast.If) and any(
        isinstance(inner, ast.Import | ast.ImportFrom) for inner in ast.walk(node)
    )


def _imports_tensorflow(names: Names, node: ast.stmt) -> bool:
    return any(
        (names.import_origin(inner, alias) or "").partition(".")[0] in ("tf", "tensorflow")
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
        for alias in inner.names
    )


def _first_line(module: Module) -> int:
    """Offset of the first line of code: behind a shebang, an encoding line and the comments at the top."""
    if not module.tree.body:
        return len(module.source.text)
    return module.source.line_starts[first_line(module.tree.body[0]) - 1]
