"""`--output DIR`: a migrated copy of the tree.

The copy has the same layout as the tree. What is not code comes along; version control, caches and virtual
environments do not. Links stay links: one that leads to a place inside the tree leads to its copy, one that leads
outside leads to the same place as before, unless the code behind it was migrated: then the copy has the new code.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tf_migrate.files.discover import display_name, is_left_out
from tf_migrate.files.write import explain_failure, replace_file
from tf_migrate.options import Interrupted, UsageError
from tf_migrate.report.model import FileResult


def check_output(output: Path, base: Path, paths: Sequence[Path]) -> Path:
    """The absolute folder to write to; raises `UsageError` where that could cost somebody a file."""
    target = Path(os.path.abspath(output))
    real = target.resolve()
    for path in {base, *(Path(os.path.abspath(path)) for path in paths)}:
        if path.is_dir() and real.is_relative_to(path.resolve()):
            raise UsageError(
                f"--output {output} lies inside the tree that is read ({path}); "
                f"name a folder outside of it, such as {path.parent / (path.name + '-tf2')}"
            )
    if target.exists() and not target.is_dir():
        raise UsageError(f"--output {output}: there is a file of that name; name a folder")
    if target.is_dir() and any(target.iterdir()):
        raise UsageError(f"--output {output}: the folder is not empty; empty or remove it first, or name a new one")
    return target


class TreeCopy:
    """Copies what the paths name from below `base` to below `output`, with new contents for some files."""

    def __init__(self, base: Path, output: Path, contents: Mapping[str, bytes]) -> None:
        self.base = base
        self.output = output
        self.contents = contents
        self.failed: list[FileResult] = []

    def write(
        self, paths: Sequence[Path], advance: Callable[[int, int], None] = lambda done, total: None
    ) -> tuple[FileResult, ...]:
        """Make the copy and give back the files that failed. Raises `Interrupted` on Ctrl-C."""
        named = [Path(os.path.abspath(path)) for path in paths]
        entries = list(dict.fromkeys(entry for path in named for entry in self._entries(path)))
        for done, source in enumerate(entries):
            try:
                self._copy(source, follow=source in named)
            except OSError as error:
                self._fail(source, explain_failure(error))
            except KeyboardInterrupt:
                raise Interrupted(f"{done} of {len(entries)} files and folders copied, each of them whole") from None
            advance(done + 1, len(entries))
        return tuple(self.failed)

    def _entries(self, path: Path) -> Iterator[Path]:
        """All files, links and folders to copy, a folder before what is in it."""
        yield path
        if not path.is_dir():
            return
        try:
            names = sorted(os.listdir(path))
        except OSError as error:
            self._fail(path, f"this folder cannot be listed ({error.strerror}); make it readable (chmod u+rx)")
            return
        for entry in (path / name for name in names):
            if entry.is_symlink() or not entry.is_dir():
                yield entry
            elif not is_left_out(entry):
                yield from self._entries(entry)

    def _copy(self, source: Path, *, follow: bool) -> None:
        """Copy one entry; a link that the user named (`follow`) stands for what it leads to."""
        target = self.output / source.relative_to(self.base)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target != self.output and not target.parent.resolve().is_relative_to(self.output.resolve()):
            raise OSError(errno.ELOOP, f"{target.parent} leads out of {self.output}")
        new = self.contents.get(self._name(source))
        if new is not None:
            replace_file(target, new)
            shutil.copymode(source, target)
        elif source.is_symlink() and not follow:
            os.symlink(self._link(source, target), target)
        elif source.is_dir():
            target.mkdir(exist_ok=True)
        elif source.is_file():
            _copy_file(source, target)

    def _link(self, source: Path, target: Path) -> str:
        """What the copied link says, so that it leads to the copy of what it led to, or to what lies outside."""
        said = os.readlink(source)
        leads_to = Path(os.path.normpath(source.parent / said))
        if leads_to.is_relative_to(self.base):
            copied = self.output / leads_to.relative_to(self.base)
            return os.path.relpath(copied, target.parent) if os.path.isabs(said) else said
        return str(leads_to)

    def _fail(self, source: Path, reason: str) -> None:
        self.failed.append(FileResult(self._name(source), "failed", reason))

    def _name(self, source: Path) -> str:
        return display_name(os.path.relpath(source, self.base))


def _copy_file(source: Path, target: Path) -> None:
    """Copy contents, mode and times; half a file is never left behind."""
    try:
        shutil.copy2(source, target)
    except BaseException:
        with suppress(OSError):
            target.unlink()
        raise
