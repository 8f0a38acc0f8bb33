"""`--vendor`: a copy of the shims inside the migrated tree; and telling a tree's own module from the shims."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from tf_migrate.files.discover import VENDORED_MARK, Tree
from tf_migrate.options import UsageError

SHIMS = Path(__file__).resolve().parents[2] / "compat"
_NOTE = "The run-time shims of tf-migrate {version}, copied by `tf-migrate rewrite --vendor`.\n"


def check_name(
    tree: Tree, compat_module: str, contents: Mapping[str, bytes], *, vendored: bool, rooted: bool = False
) -> None:
    """Raise `UsageError` where migrated code would import a module of the tree instead of the shims.

    That is a module in a folder which is no package (code there is imported by its bare name), when some new
    content imports that name and the old content did not; with `vendored` also whatever is in the shims' place,
    and a tree whose folder is no place that imports start from. `rooted` says that the user named it as one, as where
    the scripts of a package are run from inside it.
    """
    if vendored and not rooted and (tree.base / "__init__.py").exists():
        raise UsageError(
            f"--vendor: {tree.base.name} is a package, and the shims belong beside it; "
            "name the folder that the program's imports start from with --root"
        )
    first = compat_module.partition(".")[0]
    own = {file.name for file in tree.code if _is_bare_module(tree.base, file.path, first)}
    if vendored and (place := _place(tree.base, compat_module)) is not None:
        own.add(place)
    if not own:
        return
    imports = _importing(first)
    newly = [
        file.name
        for file in tree.code
        if file.name in contents and imports.search(contents[file.name]) and not imports.search(file.path.read_bytes())
    ]
    if newly or vendored:
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
    return re.compile(rb"^\s*(?:import|from)\s+%s\b" % re.escape(module.encode()), re.MULTILINE)


def _is_bare_module(base: Path, path: Path, name: str) -> bool:
    folder = path.parent.parent if path.name == "__init__.py" else path.parent
    module = path.parent.name if path.name == "__init__.py" else path.stem
    return module == name and folder.is_relative_to(base) and not (folder / "__init__.py").exists()


def _place(base: Path, compat_module: str) -> str | None:
    folder = base.joinpath(*compat_module.split("."))
    for own in (folder, folder.with_suffix(".py")):
        if own.exists() and not (own / VENDORED_MARK).exists():
            return str(own.relative_to(base))
    return None
