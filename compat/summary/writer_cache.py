"""One writer a folder."""

from __future__ import annotations

import threading

from .writer import FileWriter


class FileWriterCache:
    """Writers that are shared by folder. Stands for ``tf.summary.FileWriterCache``."""

    _cache: dict[str, FileWriter] = {}  # noqa: RUF012 (TF1's programs clear it by this name)
    _lock = threading.RLock()

    @staticmethod
    def get(logdir: str) -> FileWriter:
        """The writer of ``logdir``, made at the first call."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriter(logdir)
            return FileWriterCache._cache[logdir]

    @staticmethod
    def clear() -> None:
        """Closes and forgets all writers."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache.clear()
