"""`--vendor`: a copy of the shims inside the migrated tree; and telling a tree's own module from the shims."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from tf_migrate.facts.shims import installed
from tf_migrate.files.discover import VENDORED_MARK, Tree
from tf_migrate.options import UsageError

SHIMS = Path(__file__).resolve().parents[2] / "compat"
_NOTE = "The run-time shims of tf-migrate {version}, copied by `tf-migrate rewrite --vendor`.\n"


def check_name(
    tree: Tree, compat_module: str, contents: Mapping[str, bytes], *, vendored: bool, rooted: bool = False
) -> None:
    """Raise `UsageError` where migrated code would import a module of the tree instead of the shims.

    That is a module of that name, or in the place of a package of that name, which code imports by it, when some new
    content imports the shims and the old content did not; with `vendored` also whatever is in the shims' place, and a
    tree whose folder is no place that imports start from. `rooted` says that the user named it as one, as where the
    scripts of a package are run from inside it.
    """
    if vendored and not rooted and (tree.base / "__init__.py").exists():
        raise UsageError(
            f"--vendor: {tree.base.name} is a package, and the shims belong beside it; "
            "name the folder that the program's imports start from with --root"
        )
    first = compat_module.partition(".")[0]
    imports = _importing(compat_module)
    own = {file.name for file in tree.code if _is_imported_as(tree, file.path, compat_module)}
    if vendored and (place := _place(tree.base, compat_module)) is not None:
        own.add(place)
    if not own:
        return
    if vendored or any(_imports_more(imports, contents[name], path) for name, path in _changed(tree, contents)):
        raise UsageError(
            f"the tree has a module named {first} of its own ({', '.join(sorted(own))}), which is not the shims; "
            f"name these otherwise: --compat-module tf1_{first} --vendor"
        )


def needs_shims(contents: Mapping[str, bytes], compat_module: str) -> bool:
    """Whether some of the new contents import the shims."""
    imports = _importing(compat_module)
    return any(imports.search(content) for content in contents.values())


def vendor(into: Path, compat_module: str, version: str) -> Path:
    """Copy the shims into a tree under the name of `compat_module`; earlier ones of ours are replaced."""
    folder = into.joinpath(*compat_module.split("."))
    if (folder / VENDORED_MARK).exists():
        shutil.rmtree(folder)
    shutil.copytree(SHIMS, folder, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    (folder / VENDORED_MARK).write_text(_NOTE.format(version=version), encoding="utf-8")
    return folder


def _importing(module: str) -> re.Pattern[bytes]:
    """Matches the lines of code, in a file or a notebook, that import a module."""
    whole = re.escape(module.encode())
    package, _, last = module.encode().rpartition(b".")
    from_package = rb"|from\s+%s\s+import\s+%s" % (re.escape(package), re.escape(last)) if package else b""
    return re.compile(
        rb"""(?:^|[;"])[ \t]*(?:import\s+%s|from\s+%s%s)\b""" % (whole, whole, from_package), re.MULTILINE
    )


def _changed(tree: Tree, contents: Mapping[str, bytes]) -> Iterator[tuple[str, Path]]:
    return ((file.name, file.path) for file in tree.code if file.name in contents)


def _imports_more(imports: re.Pattern[bytes], content: bytes, path: Path) -> bool:
    return len(imports.findall(content)) > len(imports.findall(path.read_bytes()))


def _is_imported_as(tree: Tree, path: Path, dotted: str) -> bool:
    """Whether a file is what code imports by a dotted name, or a module that stands where that has a package."""
    module = path.parent if path.name == "__init__.py" else path.with_suffix("")
    words = dotted.split(".")
    for depth in range(1, len(words) + 1):
        folder = module.parents[depth - 1]
        named = module.parts[-depth:] == tuple(words[:depth]) and (depth == len(words) or module != path.parent)
        if named and folder.is_relative_to(tree.base):
            return not (folder / "__init__.py").exists() or any(
                _reads_more(file.path, dotted) for file in tree.code if file.path.parent == folder
            )
    around = module.parent
    inside = around.parts[-len(words) :] == tuple(words) and not (around / "__init__.py").exists()
    imports = _importing(f"{dotted}.{module.name}")
    return inside and any(imports.search(file.path.read_bytes()) for file in tree.code)


def _reads_more(path: Path, dotted: str) -> bool:
    """Whether a file imports a module of that name by it, and reads what the shims have not got."""
    text, name = path.read_bytes(), re.escape(dotted.encode())
    if _importing(dotted).search(text) is None:
        return False
    listed = re.findall(rb"\bfrom[ \t]+%s[ \t]+import[ \t]+(\([^)]*|[^\n;#]*)" % name, text)
    taken = [part.split()[0] for each in listed for part in each.strip(b"( \t").split(b",") if part.strip()]
    words = [*taken, *re.findall(rb"(?<![\w.])%s\.(\w+)" % name, text)]
    return not all(installed().has(f"compat.{word.decode('utf-8', 'replace')}") for word in words)


def _place(base: Path, compat_module: str) -> str | None:
    folder = base.joinpath(*compat_module.split("."))
    for own in (folder, folder.with_suffix(".py")):
        if own.exists() and not (own / VENDORED_MARK).exists():
            return str(own.relative_to(base))
    return None
