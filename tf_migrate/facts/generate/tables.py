"""The tables that the rows of the facts are joined from: names that `dump.py` wrote, and what a person wrote down."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tf_migrate.facts import COLUMNS

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Name:
    """One public name as `dump.py` found it."""

    symbol: str
    kind: str
    object: str
    signature: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """Parameter names in order, stars kept, defaults dropped; keyword-only ones come after a `*`."""
        names: list[str] = []
        for parameter in filter(None, self.signature.split(", ")):
            name = parameter.partition("=")[0]
            if name.endswith("!") and not any(other.startswith("*") for other in names):
                names.append("*")
            names.append(name.rstrip("!"))
        if self.symbol.startswith("tf.raw_ops."):  # their signatures do not tell that they take keywords only
            names.insert(0, "*")
        return () if names == ["?"] else tuple(names)

    @property
    def defaults(self) -> dict[str, str]:
        """The default of each parameter that has one, as text."""
        parts = (parameter.partition("=") for parameter in self.signature.split(", "))
        return {name.rstrip("!"): value for name, equals, value in parts if equals}


@dataclass(frozen=True)
class Row:
    """One row of the table, its fields as they are written."""

    symbol: str
    kind: str
    action: str
    target: str = ""
    tf1: str = ""
    tf2: str = ""
    edits: str = ""
    note: str = ""

    def text(self) -> str:
        """The row as a line of the table."""
        return "\t".join(getattr(self, column) for column in COLUMNS)


@dataclass(frozen=True)
class Override:
    """What a person wrote down about a symbol or a namespace (`….*`)."""

    action: str
    target: str
    tf2: str
    edits: str
    note: str


def read_names(path: str) -> dict[str, Name]:
    """Read a table that `dump.py` wrote."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()[1:]
    return {name.symbol: name for name in (Name(*line.split("\t")) for line in lines)}


def read_overrides() -> dict[str, Override]:
    """Read the hand-written rows."""
    lines = (HERE / "overrides.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {fields[0]: Override(*fields[1:]) for fields in (line.split("\t") for line in lines)}
