"""Which lines of a piece of code begin inside a string: those are no code, and stay as they are."""

from __future__ import annotations

import io
import tokenize


def inside_strings(text: str) -> set[int]:
    """Lines that begin inside a string."""
    indented = text[:1] in (" ", "\t") or text.lstrip("\n")[:1] in (" ", "\t")
    code = "if 1:\n" + text if indented else text
    offset = 1 if indented else 0
    held: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        name = tokenize.tok_name[token.type]
        if name == "STRING":
            held.update(range(token.start[0] + 1 - offset, token.end[0] + 1 - offset))
        elif name.endswith("STRING_START"):
            opened.append(token.start[0])
        elif name.endswith("STRING_END"):
            held.update(range(opened.pop() + 1 - offset, token.end[0] + 1 - offset))
    return held
