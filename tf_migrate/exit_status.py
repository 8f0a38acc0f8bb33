"""The exit statuses of the contract, and two that are no result of a tree."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """What the shell gets to know."""

    DONE = 0
    LEFT = 1
    """Something is left to a person; of `check` also: something would change."""
    USAGE = 2
    """Wrong usage or configuration; nothing was written."""
    FAILED = 3
    """Some file could not be read, parsed, verified or written; the others were done."""
    BROKEN = 70
    """An error of tf-migrate's own (EX_SOFTWARE)."""
    INTERRUPTED = 130
    """Ctrl-C; each file is wholly the old or wholly the new one."""
