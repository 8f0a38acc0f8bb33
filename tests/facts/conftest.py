"""The snippets, once for each name of the symbol that they are about, rewritten by the tool."""

import ast
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tf_migrate import facts
from tf_migrate.files.source import parse, read

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FAMILIES = sorted(path.stem for path in (HERE / "snippets").glob("*.py"))


@dataclass(frozen=True)
class Snippet:
    """One snippet: its family, the name that its golden has, and the symbol that it calls here."""

    family: str
    name: str
    symbol: str

    @property
    def key(self):
        return f"{self.symbol} < {self.name}"


def aliases():
    """The other names of each object of TF 1.15, by name."""
    groups = {}
    for line in (
        (ROOT / "tf_migrate" / "facts" / "generate" / "names_of_tf1.txt").read_text(encoding="utf-8").splitlines()
    ):
        name, first = line.split("\t")
        groups.setdefault(first, []).append(name)
    return {name: group for group in groups.values() for name in group}


def entries(family):
    """Name and source of each snippet of a file, and the source that stands before them."""
    source = read(f"{family}.py", (HERE / "snippets" / f"{family}.py").read_bytes())
    table = next(n for n in parse(source).body if isinstance(n, ast.Assign) and n.targets[0].id == "SNIPPETS")
    pairs = zip(table.value.keys, table.value.values, strict=True)
    head = source.text[: source.text.index("SNIPPETS = {")]
    return head, [(key.value, source.segment(value)) for key, value in pairs]


def expand(family, names):
    """The file's snippets, each under every name that its symbol has in the core and in contrib: Snippet and source."""
    for name, source in entries(family)[1]:
        symbol = name.split(" / ")[0]
        yield Snippet(family, name, symbol), source
        for alias in names.get(symbol, ()):
            other = alias != symbol and alias.startswith("tf.") and not {"keras", "python"} & set(alias.split("."))
            if other and f"{symbol}(" in source:
                yield Snippet(family, name, alias), source.replace(f"{symbol}(", f"{alias}(")


def all_snippets():
    names = aliases()
    return [snippet for family in FAMILIES for snippet, _ in expand(family, names)]


@pytest.fixture(scope="session")
def rewritten(tmp_path_factory):
    """The snippets after `tf-migrate rewrite`, by family, and its report."""
    source, target = tmp_path_factory.mktemp("snippets"), tmp_path_factory.mktemp("rewritten") / "out"
    names = aliases()
    for family in FAMILIES:
        lines = [f"    {snippet.key!r}: {text},\n" for snippet, text in expand(family, names)]
        head = entries(family)[0]
        (source / f"{family}.py").write_text(head + "SNIPPETS = {\n" + "".join(lines) + "}\n", encoding="utf-8")
    report = target.parent / "report.json"
    command = [
        sys.executable,
        "-m",
        "tf_migrate",
        "rewrite",
        source,
        "--ignore",
        "TFM205",
        "--output",
        target,
        "--report",
        report,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return target, json.loads(report.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def goldens():
    """What TF 1.15.5 gave, by family and snippet."""
    return json.loads((ROOT / "tests" / "goldens" / "facts.json").read_text(encoding="utf-8"))


def action_of(symbol):
    """What the table says of a symbol."""
    return facts.lookup(symbol).action
