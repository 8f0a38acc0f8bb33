"""IPython's own lines in the code of a cell (``%magic``, ``!shell``, ``?help``): hidden, so that it parses, and shown.

With the lines that a backslash joins to them they are carried as ``pass`` statements with a comment. Only what begins
a statement is one: a ``%`` that goes on with an expression, or stands in a text of several lines, is Python's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MAGIC = "pass  # tf-migrate magic "
_JOINED = "pass  # tf-migrate joined "
_MAGIC_LINE = re.compile(r"([ \t]*)((?:[%!?]|\w[\w.]*\?{1,2}[ \t]*$|[\w,. ]+=[ \t]*[%!])(?:.*\\\n)*.*)", re.MULTILINE)
_HIDDEN_LINE = re.compile(rf"^(?:([ \t]*){re.escape(_MAGIC)}|[ \t]*{re.escape(_JOINED)})", re.MULTILINE)
_PIECE = re.compile(
    r'''"""(?:\\[\s\S]|[^\\])*?(?:"""|\Z)|\'\'\'(?:\\[\s\S]|[^\\])*?(?:\'\'\'|\Z)'''
    r"""|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|\#.*|\\\n|[^"'#\\\n()\[\]{}]+|[\s\S]""",
)


def hidden(code: str) -> str:
    """The code of a cell with IPython's lines as statements that do nothing."""
    return "".join(_pieces(code))


def shown(code: str) -> str:
    """The way back."""
    return _HIDDEN_LINE.sub(r"\1", code)


def _pieces(code: str) -> Iterator[str]:
    position = depth = 0
    begins = True
    while position < len(code):
        magic = _MAGIC_LINE.match(code, position) if begins else None
        if magic is not None:
            yield f"{magic[1]}{_MAGIC}" + magic[2].replace("\n", f"\n{magic[1]}{_JOINED}")
            position, begins = magic.end(), False
            continue
        piece = _PIECE.match(code, position)
        assert piece is not None
        yield piece[0]
        position = piece.end()
        depth = max(depth + (piece[0] in ("(", "[", "{")) - (piece[0] in (")", "]", "}")), 0)
        begins = piece[0] == "\n" and depth == 0
