"""Folders that a program puts on ``sys.path``: what lies in them is imported by its bare name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_TEXT = re.compile(rb"""["']([\w./\\-]+)["']""")
_SEPARATOR = re.compile(rb"[/\\]")


def folder_names(paths: Iterable[Path]) -> frozenset[str]:
    """The last parts of all texts in files that speak of ``sys.path``; more than the folders does no harm.

    A file that cannot be read has none: whoever needs what stands in it says so.
    """
    found: set[str] = set()
    for path in paths:
        try:
            raw = path.read_bytes()
        except OSError:
            continue
        if b"sys.path" in raw:
            texts = (text.rstrip(b"/\\") for text in _TEXT.findall(raw))
            found.update(_SEPARATOR.split(text)[-1].decode("ascii", "replace") for text in texts)
    return frozenset(found)
