"""Puts new contents on disk: each file is, at every moment, wholly the old one or wholly the new one."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Interrupted
from tf_migrate.report.model import FileResult

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file's size and time when it was read: another one later means that somebody else wrote to it."""

    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        status = path.stat()
        return cls(status.st_size, status.st_mtime_ns)


def stamps(files: Iterable[TreeFile]) -> dict[str, Stamp]:
    """The stamps of files by name, to be taken before they are read; a file that is gone has none."""
    found = {}
    for file in files:
        with suppress(OSError):
            found[file.name] = Stamp.of(file.path)
    return found


def write_in_place(
    files: Iterable[TreeFile],
    contents: Mapping[str, bytes],
    read_at: Mapping[str, Stamp],
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[FileResult, ...]:
    """Write `contents` (by name) over the files, and give back those that could not be written.

    A file that fails is left as it was and the others are done. Raises `Interrupted` on Ctrl-C.
    """
    changed = [file for file in files if file.name in contents]
    failed: list[FileResult] = []
    for done, file in enumerate(changed):
        try:
            reason = _obstacle(file, read_at.get(file.name))
            if reason is None:
                replace_file(file.path, contents[file.name])
        except OSError as error:
            reason = explain_failure(error)
        except KeyboardInterrupt:
            raise Interrupted(f"{done - len(failed)} of {len(changed)} files written, each of them whole") from None
        if reason is not None:
            failed.append(FileResult(file.name, "failed", reason))
        advance(done + 1, len(changed))
    return tuple(failed)


def replace_file(path: Path, data: bytes) -> None:
    """Give a file new contents in one step, keeping its mode; behind a link, the file that it leads to.

    Raises `OSError`; then the old file stands and nothing is left over.
    """
    target = path.resolve()
    status = target.stat() if target.exists() else None
    handle, name = tempfile.mkstemp(prefix=".tf-migrate-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if status is None:
            os.chmod(name, 0o666 & ~_umask())
        else:
            with suppress(OSError, AttributeError):  # only root may, and Windows has none
                os.chown(name, status.st_uid, status.st_gid)
            os.chmod(name, stat.S_IMODE(status.st_mode))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def explain_failure(error: OSError) -> str:
    """Why a file could not be written, and what to do."""
    why = f"cannot be written: {error.strerror or error}; the file is as it was"
    if error.errno in _NO_ROOM:
        return f"{why}; make room and run again"
    return f"{why}; make its folder writable (chmod u+w), or write a copy with --output DIR"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _obstacle(file: TreeFile, read_at: Stamp | None) -> str | None:
    """Why a file must not be overwritten although the system would allow it."""
    if not file.path.stat().st_mode & stat.S_IWUSR:
        return "is write-protected; make it writable (chmod u+w), or write a copy with --output DIR"
    if read_at is not None and Stamp.of(file.path) != read_at:
        return "was changed by somebody else in the meantime and is left as it is; run again"
    return None
