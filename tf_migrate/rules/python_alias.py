"""TensorFlow 2 needs Python 3.10 at least, TensorFlow 1 had 3.7 at most. What Python itself took away in between ends a
program at its first use: the abstract classes of `collections`, `time.clock`, `thread.isAlive`, second names of tests'
assertions. Each becomes what it stood for, what has no exact successor is told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.changes.edits import Edit
from tf_migrate.eager.imports import dotted, is_foreign_method
from tf_migrate.rules import Change, Context, Rule

_ABSTRACT = frozenset(
    {
        *("AsyncGenerator", "AsyncIterable", "AsyncIterator", "Awaitable", "ByteString", "Callable", "Collection"),
        *("Container", "Coroutine", "Generator", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView"),
        *("Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet", "Reversible", "Sequence"),
        *("Set", "Sized", "ValuesView"),
    }
)
_NAMES = {
    **{f"collections.{name}": f"abc.{name}" for name in _ABSTRACT},
    "time.clock": "process_time",
    "base64.encodestring": "encodebytes",
    "base64.decodestring": "decodebytes",
}
"""Names of modules, and what each was, in the same module."""
_GONE = {
    "inspect.getargspec": "use `inspect.getfullargspec`, which gives more",
    "fractions.gcd": "use `math.gcd`, which is never negative",
    "cgi.escape": "use `html.escape`",
    "platform.linux_distribution": "use the package distro",
    "platform.dist": "use the package distro",
    "os.errno": "import `errno` and use that",
    "string.maketrans": "use `str.maketrans`",
}
_METHODS = {
    "isAlive": "is_alive",
    "assertEquals": "assertEqual",
    "assertNotEquals": "assertNotEqual",
    "assertAlmostEquals": "assertAlmostEqual",
    "assertNotAlmostEquals": "assertNotAlmostEqual",
    "assertRaisesRegexp": "assertRaisesRegex",
    "assertRegexpMatches": "assertRegex",
    "assertNotRegexpMatches": "assertNotRegex",
}
"""Second names of methods of threads and of tests."""


def find(context: Context) -> Iterator[Change]:
    """Looks at attributes and imports with these names, and at calls of methods."""
    for path in (*_NAMES, *_GONE):
        for node in context.module.attributes.get(path.rpartition(".")[2], ()):
            found = isinstance(node.ctx, ast.Load) and dotted(context.module, context.names, node) == path
            if found and not context.module.is_skipped(node):
                yield from _attribute(context, node, path)
    for statement, _ in context.module.imports:
        if isinstance(statement, ast.ImportFrom) and not statement.level and not context.module.is_skipped(statement):
            yield from _imported(context, statement)
    for old, new in _METHODS.items():
        for node in context.module.attributes.get(old, ()):
            if is_foreign_method(context.module, context.names, node) and not context.module.is_skipped(node):
                end = context.module.source.end(node)
                finding = context.finding(node, "TFM146", f"`{old}` was a second name of `{new}`")
                yield Change(finding, (Edit(end - len(old), end, new),))


def _attribute(context: Context, node: ast.Attribute, path: str) -> Iterator[Change]:
    module, _, name = path.rpartition(".")
    if path in _GONE:
        yield context.manual(node, "TFM146", f"Python has no `{path}` any more", _GONE[path])
    elif isinstance(node.value, ast.Name):
        end = context.module.source.end(node)
        finding = context.finding(node, "TFM146", f"`{path}` is `{module}.{_NAMES[path]}`")
        yield Change(finding, (Edit(end - len(name), end, _NAMES[path]),))


def _imported(context: Context, statement: ast.ImportFrom) -> Iterator[Change]:
    """`from collections import Iterable`: all that the statement imports has moved, or a part of it."""
    paths = [f"{statement.module}.{alias.name}" for alias in statement.names]
    lost = [path for path in paths if path in _NAMES or path in _GONE]
    if not lost:
        return
    moved = all(path in _NAMES and path.startswith("collections.") for path in paths)
    source = context.module.source
    start = source.text.find("collections", source.start(statement))
    if not moved:
        step = _GONE.get(lost[0]) or f"import `{_NAMES[lost[0]].rpartition('.')[2]}` by a statement of its own"
        yield context.manual(statement, "TFM146", f"Python has no `{lost[0]}` any more", step)
        return
    finding = context.finding(statement, "TFM146", "the abstract classes of `collections` are in `collections.abc`")
    yield Change(finding, (Edit(start, start + len("collections"), "collections.abc"),))


RULE = Rule(
    id="TFM146",
    name="python-alias",
    before="""\
import collections
import time
import tensorflow as tf

def listed(value):
    begin = time.clock()
    found = list(value) if isinstance(value, collections.Iterable) else [tf.constant(value)]
    return found, time.clock() - begin
""",
    after="""\
import collections
import time
import tensorflow as tf

def listed(value):
    begin = time.process_time()
    found = list(value) if isinstance(value, collections.abc.Iterable) else [tf.constant(value)]
    return found, time.process_time() - begin
""",
    find=find,
)
