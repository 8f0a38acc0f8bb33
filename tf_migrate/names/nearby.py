"""A first look at the text of a tree's files: which of them may have to do with TensorFlow.

A large tree of which a few files are TensorFlow's is not parsed as a whole: what neither names TensorFlow nor imports,
directly or not, a file that does, nor is imported by one of all these, nor imports what these import, has nothing to
say of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tf_migrate.names.closure import closure

_STARTS = re.compile(rb"tensorflow|keras")
_WORD = re.compile(rb"\w+")


def nearby(texts: Mapping[str, bytes], compat_module: str) -> frozenset[str]:
    """The modules that may have to do with TensorFlow or the shims; `texts` has the bytes of all.

    Names of modules are only compared by their last words, so some are taken that have nothing to do with it.

    >>> sorted(nearby({"a": b"import tensorflow", "b": b"from a import x", "c": b"import os"}, "compat"))
    ['a', 'b']
    """
    shims = compat_module.rpartition(".")[2].encode()
    named: dict[bytes, list[str]] = {}
    for module in texts:
        named.setdefault(module.rpartition(".")[2].encode(), []).append(module)
    imports: dict[str, set[str]] = {}
    starts = set()
    for module, text in texts.items():
        words = set(_words(text))
        if shims in words or _STARTS.search(text) is not None:
            starts.add(module)
        imports[module] = {found for word in words & named.keys() for found in named[word]}
        imports[module].update(_around(module, texts))
    importers: dict[str, set[str]] = {}
    for module, found in imports.items():
        for each in found:
            importers.setdefault(each, set()).add(module)
    used = closure(imports, closure(importers, starts))
    return closure(importers, used)  # what these import may be bound anew by others


def _words(text: bytes) -> Iterator[bytes]:
    """The words of the lines that import, over several lines in parentheses, also as cells of a notebook hold them."""
    text = text.replace(b"\\\n", b" ").replace(b"\\n", b" ")
    end = -1
    while (at := text.find(b"import", end + 1)) >= 0:
        start = text.rfind(b"\n", 0, at) + 1
        end = _found(text, b"\n", at)
        if b"(" in text[at:end]:
            end = max(end, _found(text, b")", at))
        yield from _WORD.findall(text, start, end)


def _found(text: bytes, mark: bytes, start: int) -> int:
    """Where a mark is; at the end of the text where there is none."""
    at = text.find(mark, start)
    return len(text) if at < 0 else at


def _around(module: str, modules: Mapping[str, bytes]) -> Iterable[str]:
    """The packages that a module is in: a relative import names none of them."""
    while module:
        module = module.rpartition(".")[0]
        if module in modules:
            yield module
