"""What became of every public symbol of TensorFlow 1.15.5: one row a symbol.

The rows are the `*.tsv` files beside this module, written by `tf_migrate/facts/generate/`. A symbol that
ends in `.*` speaks for a whole namespace; the longest row that matches a name wins. Reading needs no
TensorFlow:

    >>> lookup("tf.log").target
    'tf.math.log'
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

COLUMNS = ("symbol", "kind", "action", "target", "tf1", "tf2", "edits", "note")
ACTIONS = ("same", "rename", "call", "shim", "rule", "manual")
# Paths into the sources (`tensorflow.python…`) are many and seldom asked for: they have a table of their own.
PUBLIC = ("core", "contrib", "keras", "estimator", "raw_ops")
# The reason of names that would have a shim, had somebody written it.
NO_SHIM = "TensorFlow 2 has nothing in its place, and compat has no shim for it."
_KERAS_COPIES = ("tf.contrib.keras.api.keras", "tf.contrib.keras")
"""Where else than in `tf.keras` TensorFlow 1.15 had its Keras."""
_V1 = "tf.compat.v1."
# What is "older" was gone in 1.15 already.
KINDS = ("function", "class", "module", "constant", "method", "argument", "key", "older")


@dataclass(frozen=True)
class ArgumentEdit:
    """One change to the arguments of a call.

    * `old` and `new`: the keyword `old` becomes `new`; `template` gives the new value, where `{}` stands for
      the old one. With `text_only` that holds where the value is text as it stands in the source; what any other
      value is cannot be seen, and the call takes the shim.
    * only `old`: the argument is dropped.
    * only `new`: `new=template` is added where the call gives no argument of that name.
    """

    old: str | None
    new: str | None
    template: str = "{}"
    text_only: bool = False

    @classmethod
    def parse(cls, text: str) -> ArgumentEdit:
        """Read one edit: `keep_dims>keepdims`, `keep_prob>rate:1 - {}`, `name>title?text`, `-name` or `+stddev=1.0`."""
        if text.startswith("-"):
            return cls(text[1:], None)
        if text.startswith("+"):
            name, value = text[1:].split("=", 1)
            return cls(None, name, value)
        old, new = text.split(">", 1)
        new, _, template = new.partition(":")
        new, guard, _ = new.partition("?text")
        return cls(old, new, template or "{}", bool(guard))


@dataclass(frozen=True)
class Fact:
    """One row: what TensorFlow 1.15.5's `symbol` becomes.

    `action` is one of:

    * `same`: name, meaning and call stay.
    * `rename`: the same thing under the name `target`, called the same way.
    * `call`: `target`, after `edits`; a positional argument whose index differs between `tf1` and `tf2`
      (the parameter names in order; `*args` and `**kwargs` keep their stars) becomes a keyword.
    * `shim`: `target` in `compat`.
    * `rule`: the rule `target` (TFMxxx) rewrites it.
    * `manual`: a person has to; `reason` and `next_step` say why and what.
    """

    symbol: str
    kind: str
    action: str
    target: str = ""
    tf1: tuple[str, ...] = ()
    tf2: tuple[str, ...] = ()
    edits: tuple[ArgumentEdit, ...] = ()
    note: str = ""

    @classmethod
    def parse(cls, line: str) -> Fact:
        """Read one row of a table."""
        symbol, kind, action, target, tf1, tf2, edits, note = line.split("\t")
        return cls(
            symbol,
            kind,
            action,
            target,
            tuple(tf1.split(",")) if tf1 else (),
            tuple(tf2.split(",")) if tf2 else (),
            tuple(ArgumentEdit.parse(edit) for edit in edits.split("; ")) if edits else (),
            note,
        )

    @property
    def reason(self) -> str:
        """Why the symbol is as it is (the note up to ` | `)."""
        return self.note.partition(" | ")[0]

    @property
    def next_step(self) -> str:
        """What a person does next (the note after ` | `), empty where nothing is left to do."""
        return self.note.partition(" | ")[2]

    @property
    def stays_when_passed_on(self) -> bool:
        """Whether a call row needs nothing where the symbol is passed on: only `name`, which comes last, moved."""
        moved_name = self.tf1[-1:] == ("name",) and self.tf2[: len(self.tf1) - 1] == self.tf1[:-1]
        return self.action == "call" and self.target == self.symbol and not self.edits and moved_name

    def for_name(self, symbol: str) -> Fact:
        """This namespace row read for one name inside the namespace."""
        stem = self.symbol[:-1]
        target = self.target[:-1] + symbol[len(stem) :] if self.target.endswith(".*") else self.target
        return replace(self, symbol=symbol, target=target)


@functools.cache
def _table(name: str) -> dict[str, str]:
    lines: dict[str, str] = {}
    with (Path(__file__).parent / f"{name}.tsv").open(encoding="utf-8") as table:
        next(table)
        for line in table:
            lines[line[: line.index("\t")]] = line
    return lines


def _lines(symbol: str) -> dict[str, str]:
    return _table("private") if symbol.startswith("tensorflow.") else _public()


@functools.cache
def _public() -> dict[str, str]:
    return {symbol: line for name in PUBLIC for symbol, line in _table(name).items()}


@functools.cache
def lookup(symbol: str) -> Fact | None:
    """The row of `symbol`: its own, else that of the innermost namespace row around it, else None.

    A member of a class has no row; see `owner`. `tf.compat.v1` names mean what they mean in TensorFlow 1, and those of
    a module inside of TensorFlow that a shim stands for what they mean in the public module of that shim.
    """
    if symbol.startswith(_V1):
        return _in_v1(symbol)
    lines = _lines(symbol)
    line = lines.get(symbol)
    if line is not None:
        return Fact.parse(line.rstrip("\n"))
    stem = symbol
    while "." in stem:
        stem = stem.rpartition(".")[0]
        line = lines.get(stem)
        if line is not None:
            _, kind, action, target, _ = line.split("\t", 4)
            if kind != "module":
                return None
            public = "tf" + (target + symbol[len(stem) :]).removeprefix("compat")
            if action == "shim" and not symbol.startswith("tf.") and (known := lookup(public)):
                return replace(known, symbol=symbol)
        line = lines.get(stem + ".*")
        if line is not None:
            return Fact.parse(line.rstrip("\n")).for_name(symbol)
    return None


@functools.cache
def public_name(symbol: str) -> str:
    """The public name of what a path into the sources leads to, where one shim stands for both; else the path.

    >>> public_name("tensorflow.python.framework.ops.reset_default_graph")
    'tf.reset_default_graph'
    """
    fact = lookup(symbol)
    if fact is None or fact.action != "shim":
        return symbol
    name = "tf" + fact.target.removeprefix("compat")
    public = lookup(name)
    return name if public is not None and (public.action, public.target) == ("shim", fact.target) else symbol


def keras_name(symbol: str) -> str:
    """The name in `tf.keras` of what its copy in contrib has, which is the same object; any other name as it is.

    >>> keras_name("tf.contrib.keras.layers.PReLU"), keras_name("tf.contrib.slim.conv2d")
    ('tf.keras.layers.PReLU', 'tf.contrib.slim.conv2d')
    """
    for root in _KERAS_COPIES:
        if f"{symbol}.".startswith(f"{root}."):
            return f"tf.keras{symbol.removeprefix(root)}"
    return symbol


@functools.cache
def public_function(symbol: str) -> str:
    """The public name of the very function of TF 1.15 that a path into the sources leads to; else the path.

    >>> public_function("tensorflow.python.ops.array_ops.identity")
    'tf.identity'
    >>> public_function("tensorflow.python.ops.math_ops.reduce_sum")
    'tensorflow.python.ops.math_ops.reduce_sum'
    """
    fact = lookup(symbol) if symbol.startswith("tensorflow.python.") else None
    if fact is None or fact.kind != "function" or fact.action not in ("rename", "call"):
        return symbol
    last = symbol.rpartition(".")[2]
    for name in (f"tf.{last}", f"tf.nn.{last}", fact.target):
        public = lookup(name)
        if public is None or not name.endswith(f".{last}") or (public.kind, public.tf1) != (fact.kind, fact.tf1):
            continue
        became = ("rename", name, ()) if public.action == "same" else (public.action, public.target, public.edits)
        if became == (fact.action, fact.target, fact.edits):
            return name
    return symbol


@functools.cache
def moved_name(symbol: str) -> str:
    """What a path into the sources is once the import of its module became that of the public one; else the path.

    >>> moved_name("tensorflow.python.keras.backend.set_session")
    'tf.keras.backend.set_session'
    """
    stem = symbol.rpartition(".")[0] if symbol.startswith("tensorflow.") else ""
    while stem:
        line = _lines(stem).get(stem)
        if line is not None:
            fact = Fact.parse(line.rstrip("\n"))
            return fact.target + symbol[len(stem) :] if fact.action == "rename" else symbol
        stem = stem.rpartition(".")[0]
    return symbol


def _in_v1(symbol: str) -> Fact | None:
    fact = lookup("tf." + symbol.removeprefix(_V1))
    if fact is None:
        return None
    action, target = ("rename", fact.symbol) if fact.action == "same" else (fact.action, fact.target)
    return replace(fact, symbol=symbol, action=action, target=target)


def owner(symbol: str) -> tuple[Fact, str] | None:
    """The row of the longest leading part of `symbol` that has one, and the attributes that follow it.

    `tf.GraphKeys.LOSSES` has no row of its own; its owner is the row of `tf.GraphKeys`, with `LOSSES` left.
    """
    stem, rest = symbol, ""
    while stem:
        fact = lookup(stem)
        if fact is not None:
            return fact, rest
        stem, _, last = stem.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    return None


@functools.cache
def _modules() -> frozenset[str]:
    """What names of TF 1.15.5 lie in."""
    rows = (Fact.parse(line.rstrip("\n")) for line in _public().values())
    found: set[str] = set()
    for fact in rows:
        stem = "" if fact.kind == "older" or fact.symbol.endswith("*") else fact.symbol.rpartition(".")[0]
        while stem and stem not in found:
            found.add(stem)
            stem = stem.rpartition(".")[0]
    return frozenset(found)


@functools.cache
def is_recorded(symbol: str) -> bool:
    """Whether TF 1.15.5 had the name, or had a class or object of which it is a member.

    >>> is_recorded("tf.data.Dataset.map"), is_recorded("tf.data.AUTOTUNE"), is_recorded("tf.merge_all_summaries")
    (True, False, False)
    >>> is_recorded("tf.contrib.slim.losses")  # A module: its functions have rows.
    True
    """
    if symbol in _modules():
        return True
    found = owner(symbol)
    if found is None or found[0].kind == "older":
        return False
    return symbol in _lines(symbol) or (found[0].symbol in _lines(symbol) and found[0].kind != "module")


def is_absent(symbol: str) -> bool:
    """Whether TensorFlow 1.15 had a symbol no more, nor has TensorFlow 2."""
    found = lookup(symbol)
    return found is not None and found.kind == "older"


@functools.cache
def _newer() -> frozenset[str]:
    return frozenset((Path(__file__).parent / "newer.txt").read_text(encoding="utf-8").split())


@functools.cache
def _newer_modules() -> frozenset[str]:
    return frozenset(name.rpartition(".")[0] for name in _newer())


def is_newer(symbol: str) -> bool:
    """Whether TensorFlow 2 has the name, or a class or object of which it is a member, and TF 1.15.5 had not.

    >>> is_newer("tf.data.AUTOTUNE"), is_newer("tf.RaggedTensorSpec.from_value"), is_newer("tf.data.Dataset")
    (True, True, False)
    """
    if symbol in _newer():
        return True
    stem = symbol.rpartition(".")[0]
    while stem:
        if stem in _newer():
            return stem not in _newer_modules()
        stem = stem.rpartition(".")[0]
    return False


def symbols() -> Iterator[str]:
    """Every symbol that has a row, namespace rows (`….*`) included."""
    return chain(_public(), _table("private"))


def near(symbol: str, count: int = 5) -> list[str]:
    """Names with a row that look like `symbol`, best first; for messages about a typo."""
    names = [name for name in _public() if not name.endswith(".*")]
    last = symbol.rpartition(".")[2].lower()
    by_last: dict[str, list[str]] = {}
    for name in names:
        by_last.setdefault(name.rpartition(".")[2].lower(), []).append(name)
    close = difflib.get_close_matches(last, by_last, n=count, cutoff=0.75)
    candidates = [name for key in close for name in by_last[key]]

    def likeness(name: str) -> tuple[float, int, str]:
        return (-difflib.SequenceMatcher(None, symbol, name).ratio(), len(name), name)

    return sorted(candidates, key=likeness)[:count]
