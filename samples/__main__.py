"""`python -m samples [NAME...]`: rewrites each sample, and compares the original with its migrated twin.

A sample is a folder beside this file with one `parity*.toml` for each program that is compared. Exit status: 0 where
all agree, 1 where one does not, 2 for a name that is no sample.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tf_migrate.files import notebook
from tf_migrate.parity.legacy import Legacy, find_legacy
from tf_migrate.parity.programs import compare_programs
from tf_migrate.parity.reports import text
from tf_migrate.parity.result import Result, Verdict
from tf_migrate.parity.scenario import Pair, read_scenario

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def find_samples() -> list[Path]:
    """The folders that hold a sample, by name."""
    return sorted({path.parent for path in HERE.glob("*/parity*.toml")})


def compare_sample(sample: Path, folder: Path, legacy: Legacy) -> Iterator[Result]:
    """Migrates one sample into `folder`, and runs each of its programs before and after."""
    original, migrated = folder / sample.name / "original", folder / sample.name / "migrated"
    shutil.copytree(sample, original, ignore=shutil.ignore_patterns("__pycache__", "parity*.toml"))
    command = [sys.executable, "-m", "tf_migrate", "rewrite", str(original), "--output", str(migrated), "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        reason = (done.stdout + done.stderr).strip() or f"exit status {done.returncode}"
        yield Result(sample.name, "cpu", legacy.name, Verdict("migrated failed", f"rewrite: {reason}"))
        return
    for tree in (original, migrated):
        make_scripts(tree)
    for file in sorted(sample.glob("parity*.toml")):
        yield from compare_programs(Pair(original, migrated), read_scenario(file), legacy)


def make_scripts(tree: Path) -> None:
    """Puts a script in place of each notebook, so that it runs without Jupyter; magics do nothing in it."""
    for file in tree.rglob("*.ipynb"):
        file.with_suffix(".py").write_text(notebook.read(file.read_bytes()).text, encoding="utf-8")
        file.unlink()


def show(results: list[tuple[str, Result]], legacy: Legacy, console: Console) -> None:
    """Prints one row a program, and in full what is not as it should be."""
    table = Table(title=f"Original ({legacy.name}) against migrated", title_justify="left")
    for heading in ("sample", "program", "run sites"):
        table.add_column(heading)
    for heading in ("runs", "values", "largest difference"):
        table.add_column(heading, justify="right")
    table.add_column("verdict")
    for name, result in results:
        tiers = ", ".join(f"{count} {tier}" for tier, count in sorted(result.tiers.items()))
        worst = "" if result.worst is None else f"{result.worst.absolute:.2e}"
        colour = "green" if result.verdict.good else "red"
        verdict = f"[{colour}]{result.verdict.kind}[/]"
        table.add_row(name, result.program, tiers, str(result.runs[1]), str(result.values), worst, verdict)
    console.print(table)
    for _, result in results:
        if not result.verdict.good:
            console.print("\n".join(text.lines(result)), markup=False)


def chosen(names: list[str]) -> list[Path]:
    """The samples of these names; all of them where none is named."""
    samples = {path.name: path for path in find_samples()}
    unknown = [name for name in names if name not in samples]
    if unknown:
        sys.stderr.write(f"no sample is called {unknown[0]!r}; there are {', '.join(samples)}\n")
        raise SystemExit(2)
    return [samples[name] for name in names] if names else list(samples.values())


def main(names: list[str]) -> int:
    """Compares the samples of these names, all where none is named, and gives the exit status."""
    samples = chosen(names)
    legacy = find_legacy(ROOT)
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(f"Originals run in: {legacy.name}. Migrated programs run in: this environment's TensorFlow 2.")
    started = time.monotonic()
    results: list[tuple[str, Result]] = []
    with tempfile.TemporaryDirectory() as folder:
        for sample in samples:
            console.print(f"  {sample.name} …")
            results += [(sample.name, result) for result in compare_sample(sample, Path(folder).resolve(), legacy)]
    show(results, legacy, console)
    good = sum(result.verdict.good for _, result in results)
    console.print(f"{good} of {len(results)} programs agree, in {time.monotonic() - started:.0f} s")
    return 0 if good == len(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
