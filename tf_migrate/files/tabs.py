"""Files that are indented with tabs: read with four spaces for each, and written with tabs again.

What is made for a file is made with spaces, as nearly all files are. A line that is not touched gets its own tabs and
spaces back, byte for byte; any other one gets a tab for every four spaces that it begins with.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Container, Mapping
from dataclasses import dataclass

from tf_migrate.files.lines import inside_strings

_WIDTH = 4
_TABS = re.compile(r"\t+")
_SPACES = re.compile(rf"(?: {{{_WIDTH}}})+")
_BROKEN = (tokenize.TokenError, SyntaxError)


@dataclass(frozen=True)
class Tabs:
    """How a file was indented: its lines as they are read, each with what it was."""

    lines: Mapping[str, str]

    def restored(self, text: str) -> str:
        """A text of the file, edited or not, indented with tabs.

        >>> read, tabs = expanded("if a:\\n\\tb = 1\\n")
        >>> read
        'if a:\\n    b = 1\\n'
        >>> tabs.restored(read + "    c = (b +\\n          1)\\n")
        'if a:\\n\\tb = 1\\n\\tc = (b +\\n\\t\\t  1)\\n'
        """
        try:
            held: Container[int] = inside_strings(text)
        except _BROKEN:  # whoever verifies the result finds out
            held = ()
        lines = enumerate(text.split("\n"), 1)
        return "\n".join(line if number in held else self._restored(line) for number, line in lines)

    def _restored(self, line: str) -> str:
        end = line[len(line.rstrip("\r")) :]
        before = self.lines.get(line.rstrip("\r"))
        return before + end if before is not None else _SPACES.sub(_as_tabs, line, count=1) if line[:1] == " " else line

    def column(self, line: str, column: int) -> int:
        """The column, from 1, in the file, of one in a line as it is read."""
        before = self.lines.get(line, line)
        tabs = len(before) - len(before.lstrip("\t"))
        return max(column - tabs * (_WIDTH - 1), min(tabs, (column - 1) // _WIDTH) + 1)


def expanded(text: str) -> tuple[str, Tabs] | None:
    """A text with spaces for the tabs that its lines begin with; None where it has none, or mixes them with spaces."""
    if "\n\t" not in text:
        return None
    try:
        held = inside_strings(text)
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        indents = [token.string for token in tokens if token.type == tokenize.INDENT]
    except _BROKEN:
        return None
    if not all(_TABS.fullmatch(indent) for indent in indents):
        return None
    became: list[str] = []
    lines: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if number in held:
            became.append(line)
            continue
        read = _TABS.sub(_as_spaces, line, count=1) if line[:1] == "\t" else line
        if lines.setdefault(read.rstrip("\r"), line.rstrip("\r")) != line.rstrip("\r"):
            return None
        became.append(read)
    return "\n".join(became), Tabs({read: line for read, line in lines.items() if line[:1] in ("\t", " ")})


def _as_tabs(spaces: re.Match[str]) -> str:
    return "\t" * (len(spaces.group()) // _WIDTH)


def _as_spaces(tabs: re.Match[str]) -> str:
    return " " * (len(tabs.group()) * _WIDTH)
