"""Joins the names of TF 1.15.5 and of TF 2 into the rows of the facts table.

    python -m tf_migrate.facts.generate.join TF1.tsv TF2.tsv OLDEST_TF2.tsv

The three tables are what `dump.py` wrote under TF 1.15.5, under the newest TF 2 and under the oldest one that
we support; a target counts only where both TF 2 have it. What cannot be derived from them stands in
`overrides.tsv`; which shims exist is read from `compat`.

A name becomes, in this order: what an override says of it or of an alias of it; the same object under its own
or another native name; a shim; an op of `tf.raw_ops`; what the namespace row around it says.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tf_migrate.facts import COLUMNS, NO_SHIM, keras_name
from tf_migrate.facts.generate.tables import HERE, Name, Override, Row, read_names, read_overrides
from tf_migrate.facts.shims import installed, shim_path

TABLES = ("core", "raw_ops", "keras", "estimator", "contrib", "private")
CHANGED = "TF2 has something else of that name."
UNKNOWN = ("?", "*args, **kwargs")
_OLD_KERAS = "tensorflow.python.keras."
_WITHOUT_LAYERS = (f"{_OLD_KERAS}utils.generic_utils.", f"{_OLD_KERAS}utils.tf_utils.")


class Join:
    """The tables side by side, and what they say about one name."""

    def __init__(self, tf1: dict[str, Name], tf2: dict[str, Name], oldest: dict[str, Name]) -> None:
        self.tf1 = tf1
        self.tf2 = {name: tf2[name] for name in tf2.keys() & oldest.keys()}
        self.overrides = read_overrides()
        self.shims = installed()
        self.aliases: dict[str, list[str]] = defaultdict(list)
        for name in tf1.values():
            self.aliases[name.object].append(name.symbol)
        self.natives: dict[str, list[str]] = defaultdict(list)
        for name in self.tf2.values():
            if name.symbol.startswith("tf.") and not name.symbol.startswith("tf.compat.v1."):
                self.natives[name.object].append(name.symbol)
        self.raw_ops = {name.rpartition(".")[2].lower(): name for name in self.tf2 if name.startswith("tf.raw_ops.")}

    def row(self, name: Name) -> Row:
        """The row of one name of TF 1.15.5; its note tells where TF2 has the name with another meaning."""
        row = self.decide(name)
        changed = row.action in ("shim", "manual") or row.target not in ("", row.symbol)
        if not changed or row.kind == "module" or row.symbol not in self.tf2 or row.symbol.startswith("tensorflow."):
            return row
        reason, bar, step = row.note.partition(" | ")
        return replace(row, note=f"{reason} {CHANGED}".strip() + bar + step)

    def decide(self, name: Name) -> Row:
        """What becomes of one name."""
        row = Row(name.symbol, name.kind, "manual", tf1=",".join(name.parameters))
        of_keras = self.of_keras(name)
        if of_keras is not None:
            return of_keras
        override = self.override_of(name)
        if override is not None:
            return self.written(row, override)
        return (
            self.native(row, name)
            or self.shim(row, name)
            or self.raw_op(row, name)
            or self.private(row, name)
            or self.changed(row, name)
            or self.namespace(row, name)
        )

    def of_keras(self, name: Name) -> Row | None:
        """A path into Keras's sources, or into contrib, is what `tf.keras` made of the object, if it has that."""
        own = keras_name(name.symbol)
        if name.symbol.startswith(_OLD_KERAS):
            own = f"tf.keras.{name.symbol.removeprefix(_OLD_KERAS)}"
        if own == name.symbol or name.symbol in self.overrides:
            return None
        last = own.rpartition(".")[2]
        found = [alias for alias in self.aliases[name.object] if is_keras(alias)]
        if not found and own in self.tf1 and not name.symbol.startswith(_OLD_KERAS):
            found = [own]  # a class of which contrib has the version that works eagerly too
        if name.kind == "module" and own in self.tf1:
            found = [own]
        if not found:
            return None

        def distance(alias: str) -> tuple[bool, bool, int, str]:
            return alias != own, alias.rpartition(".")[2] != last, len(alias), alias

        public = self.tf1[min(found, key=distance)]
        row = self.decide(public)
        if row.action == "same":
            return replace(row, symbol=name.symbol, action="rename", target=public.symbol, tf2=row.tf1)
        return replace(row, symbol=name.symbol)

    def override_of(self, name: Name) -> Override | None:
        """The override of the name, else of an alias of it (core names before contrib)."""
        for alias in (name.symbol, *sorted(self.aliases[name.object], key=is_inner)):
            if alias in self.overrides:
                return self.overrides[alias] if self.overrides[alias].action != "derive" else None
        return None

    def written(self, row: Row, override: Override) -> Row:
        """The row that an override asks for."""
        row = replace(row, action=override.action, edits=override.edits, note=override.note)
        if override.action == "shim":
            target = override.target or self.shim_target(row.symbol)
            return replace(row, target=target) if target else self.missing(row)
        if override.action == "manual":
            return row
        if override.action == "rule":
            return replace(row, target=override.target)
        target = self.own_name(row.symbol, override.target)
        if row.action in ("same", "rename"):
            same = target == row.symbol
            return replace(row, action="same" if same else "rename", target="" if same else target)
        return replace(row, target=target, tf2=override.tf2 or ",".join(self.tf2[target].parameters))

    def own_name(self, symbol: str, target: str) -> str:
        """The target, under the symbol's own name where that is the same object."""
        if not target:
            natives = [name for name in self.candidates(symbol) if name in self.tf2 and name.startswith("tf.")]
            if not natives:
                raise LookupError(f"overrides.tsv: TensorFlow 2 has no {symbol} that could be the same")
            target = natives[0]
        own = self.tf2.get(symbol) if symbol.startswith("tf.") else None
        return symbol if own is not None and own.object == self.tf2[target].object else target

    def candidates(self, symbol: str) -> Iterable[str]:
        """The symbol and its aliases in TF 1.15.5, as names that TF 2 may have."""
        others = self.aliases[self.tf1[symbol].object]
        return (symbol, *sorted(others, key=lambda other: (is_inner(other), len(other), other)))

    def native_names(self, name: Name) -> list[str]:
        """Native names of the object that TF 2 has under the v1 name of any alias, best first."""
        found: set[str] = set()
        for alias in self.aliases[name.object]:
            v1 = self.tf2.get("tf.compat.v1." + alias.removeprefix("tf."))
            if is_inner(alias) or is_keras(alias) != is_keras(name.symbol):
                continue
            if v1 is not None:
                found.update(self.natives[v1.object])
            elif alias in self.tf2 and self.has_no_v1(alias):
                found.update(self.natives[self.tf2[alias].object])
        found = {native for native in found if is_keras(native) == is_keras(name.symbol)}
        last = name.symbol.rpartition(".")[2]
        return sorted(found, key=lambda n: (n != name.symbol, n.rpartition(".")[2] != last, len(n), n))

    @staticmethod
    def has_no_v1(symbol: str) -> bool:
        """Parts of the API that TF 2 keeps in one version only."""
        return symbol.startswith(("tf.raw_ops.", "tf.keras.", "tf.compat.", "tf.distribute."))

    def native(self, row: Row, name: Name) -> Row | None:
        """Same or renamed, where TF 2 has the same object natively."""
        if name.kind in ("module", "constant") and name.symbol in self.tf2 and name.symbol.startswith("tf."):
            return replace(row, action="same")
        targets = self.native_names(name)
        if not targets:
            return None
        target = self.tf2[targets[0]]
        if name.kind == "function" and not fits(name, target):
            return self.reordered(row, name, target)
        if target.symbol == name.symbol:
            return replace(row, action="same")
        return replace(row, action="rename", target=target.symbol, tf2=",".join(target.parameters))

    def reordered(self, row: Row, name: Name, target: Name) -> Row | None:
        """A call whose arguments need their names, where TF 2 only moved or added parameters."""
        if not set(name.parameters) <= set(target.parameters) or changed_defaults(name, target):
            return None
        return replace(row, action="call", target=target.symbol, tf2=",".join(target.parameters))

    def shim(self, row: Row, name: Name) -> Row | None:
        """A shim, where `compat` has one, or should: the API that TF 2 keeps in `tf.compat.v1` only."""
        target = self.shim_target(name.symbol)
        return replace(row, action="shim", target=target) if target else None

    def shim_target(self, symbol: str) -> str:
        """The shim of the symbol or of an alias of it, empty where `compat` exports none."""
        if symbol not in self.tf1:
            return ""
        is_module = self.tf1[symbol].kind == "module"
        has = self.shims.has_module if is_module else self.shims.has
        names = [name for name in self.candidates(symbol) if name.startswith("tf.")]
        if symbol.startswith("tensorflow.python."):  # compat may keep a module of the sources in its package
            names.append("tf." + symbol.removeprefix("tensorflow.python.").replace("training.", "train.", 1))
        of_sources = is_module and ".python." in symbol
        paths = (shim_path(path) for name in names for path in (name, *without_sources(name, of_sources)))
        return next((path for path in paths if has(path)), "")

    def kind(self, symbol: str, override: Override) -> str:
        """What a name is that TF 1.15.5's public names do not tell of."""
        if symbol.endswith((")", "]")):
            return "argument" if symbol.endswith(")") else "key"
        if self.shims.has_module(override.target):
            return "module"
        if "__" in symbol:
            return "constant"
        if symbol.endswith("_pb2"):
            return "module"
        around = self.tf1.get(symbol.rpartition(".")[0])
        if around is not None and around.kind == "class":
            return "method"
        return "older" if override.action == "manual" and symbol.startswith("tf.") else "function"

    def raw_op(self, row: Row, name: Name) -> Row | None:
        """A call of the raw op of the same name and parameters."""
        op = self.raw_ops.get(name.symbol.rpartition(".")[2].replace("_", "").lower())
        if op is None or name.kind != "function" or is_inner(name.symbol):
            return None
        target = self.tf2[op]
        if not name.parameters or not set(name.parameters) <= set(target.parameters):
            return None
        missing = set(target.parameters) - set(target.defaults) - set(name.parameters) - {"*"}
        edits = [f"+{key}={value}" for key, value in name.defaults.items() if key not in target.defaults]
        if missing or any("<" in edit for edit in edits):
            return None
        return replace(row, action="call", target=op, tf2=",".join(target.parameters), edits="; ".join(edits))

    def private(self, row: Row, name: Name) -> Row | None:
        """A path into TensorFlow's sources that TF 2 still has."""
        there = self.tf2.get(name.symbol)
        if not name.symbol.startswith("tensorflow.") or there is None or there.kind != name.kind:
            return None
        if f"{name.symbol}.".startswith(_OLD_KERAS) and not f"{name.symbol}.".startswith(_WITHOUT_LAYERS):
            return None  # TensorFlow 2 keeps a copy of Keras 2 there, whose objects are not those of tf.keras
        if name.kind == "function" and not fits(name, there):
            return None
        return replace(row, action="same", note="private")

    def changed(self, row: Row, name: Name) -> Row | None:
        """A function of Keras that Keras 3 has under the same name, with other parameters."""
        there = self.tf2.get(name.symbol)
        if there is None or not is_keras(name.symbol):
            return None
        note = f"Keras 3 changed its parameters. | Compare the call with ({', '.join(there.parameters)})."
        return replace(row, note=note)

    def namespace(self, row: Row, name: Name) -> Row:
        """What the innermost namespace override says; without one the row stays without a reason."""
        stem = name.symbol
        while stem:
            override = self.overrides.get(stem + ".*")
            stem = stem.rpartition(".")[0]
            if override is not None:
                if override.action == "shim":
                    return self.missing(row)
                return replace(row, action=override.action, note=override.note)
        return row

    def missing(self, row: Row) -> Row:
        """A row whose shim nobody wrote; the innermost namespace says what to do instead."""
        stem = row.symbol
        while stem and not (step := self.overrides[stem + ".*"].note if stem + ".*" in self.overrides else ""):
            stem = stem.rpartition(".")[0]
        return replace(row, action="manual", target="", note=f"{NO_SHIM} | {step.rpartition(' | ')[2]}")


def is_inner(symbol: str) -> int:
    """Sort key: core names, then contrib, then paths into the sources."""
    return symbol.startswith(("tf.contrib", "tensorflow.")) + (".python." in symbol)


def without_sources(symbol: str, is_module: bool) -> list[str]:
    """Where a package of contrib may offer a name of its sources: `x.python.ops.y.z` as `x.ops.y.z`, `x.y.z`, `x.z`."""
    package, inside, path = symbol.partition(".python.")
    if not inside or not package.startswith("tf.contrib."):
        return []
    parts = path.split(".")
    found = [".".join([package, *parts[start:]]) for start in range(len(parts))]
    return [*found, package] if is_module else found


def is_keras(symbol: str) -> bool:
    """Keras 3 took nothing over from TF 1.15 but names, so its objects stand for no others."""
    return symbol.startswith("tf.keras")


def fits(old: Name, new: Name) -> bool:
    """Whether every call that is valid for `old` is valid for `new` and means the same."""
    if old.signature in UNKNOWN or new.signature in UNKNOWN:
        return True
    if new.parameters[:1] == ("*",):
        return set(old.parameters) <= set(new.parameters) and not changed_defaults(old, new)
    return new.parameters[: len(old.parameters)] == old.parameters and not changed_defaults(old, new)


def changed_defaults(old: Name, new: Name) -> list[str]:
    """Parameters whose default is not the one that it was."""
    return [key for key, value in old.defaults.items() if new.defaults.get(key) != value]


def table_of(symbol: str) -> str:
    """The file that a row belongs to."""
    for table in ("raw_ops", "keras", "estimator", "contrib"):
        if symbol.startswith(f"tf.{table}"):
            return table
    return "private" if symbol.startswith("tensorflow.") else "core"


def is_said_by(row: Row, rows: dict[str, Row]) -> bool:
    """Whether the namespace row around a row says the same, so that the row can go."""
    stem = row.symbol
    while "." in stem:
        stem = stem.rpartition(".")[0]
        around = rows.get(stem + ".*")
        if around is not None:
            return (around.action, around.note) == (row.action, row.note)
    return False


def namespace_rows(overrides: dict[str, Override]) -> dict[str, Row]:
    """The rows of whole namespaces."""
    return {
        symbol: Row(symbol, "module", override.action, override.target, note=override.note)
        for symbol, override in overrides.items()
        if symbol.endswith(".*") and override.action != "shim"
    }


def other_rows(join: Join) -> list[Row]:
    """Rows of names outside the public names of TF 1.15.5: older ones, examples, and dunders."""
    found = join.overrides.items()
    others = ((name, override) for name, override in found if name not in join.tf1 and not name.endswith(".*"))
    return [Row(name, join.kind(name, said), said.action, said.target, note=said.note) for name, said in others]


def newer(tf1: Mapping[str, Name], *tables_of_tf2: str) -> list[str]:
    """The public names that TensorFlow 2 has, in any of the versions, and TF 1.15.5 had not."""
    found = {name for table in tables_of_tf2 for name in read_names(table) if name.startswith("tf.")}
    return sorted(name for name in found - set(tf1) if not name.startswith(("tf.compat.", "tf.raw_ops.")))


def main(tf1: str, tf2: str, oldest: str) -> None:
    """Write the tables, the names that TF 1.15.5 has, and those that came later."""
    join = Join(read_names(tf1), read_names(tf2), read_names(oldest))
    around = namespace_rows(join.overrides)
    rows = [row for row in map(join.row, join.tf1.values()) if not (row.action == "manual" and is_said_by(row, around))]
    rows.extend([*around.values(), *other_rows(join)])
    for table in TABLES:
        lines = sorted(row.text() for row in rows if table_of(row.symbol) == table)
        header = "\t".join(COLUMNS)
        (HERE.parent / f"{table}.tsv").write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    names = "".join(f"{name.symbol}\t{name.object}\n" for name in join.tf1.values())
    (HERE / "names_of_tf1.txt").write_text(names, encoding="utf-8")
    (HERE.parent / "newer.txt").write_text("".join(f"{name}\n" for name in newer(join.tf1, tf2, oldest)), "utf-8")
    bare = sorted(row.symbol for row in rows if row.action == "manual" and not row.note)
    print(f"{len(rows)} rows; {len(bare)} manual ones without a reason", *bare[:20], sep="\n  ")


if __name__ == "__main__":
    main(*sys.argv[1:])
