"""`python -m samples [--device gpu] [NAME...]`: rewrites each sample, and compares the original with its migrated twin.

A sample is a folder beside this file with one `parity*.toml` for each program that is compared. Where it has a folder
`ported`, its migrated twin is a port by hand, in the form of steps (docs/steps.md): these files, and the rest as it is.
Where there is no TensorFlow 1.15.5, originals run as `tf.compat.v1` graphs; of those that cannot, the output of
TensorFlow 1.15.5 is kept beside them, and `--record NAME...` writes it down anew.

Exit status: 0 where all agree, 1 where one does not, 2 for a name that is no sample.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from samples import printed
from tf_migrate.files import notebook
from tf_migrate.parity.legacy import Legacy, find_legacy
from tf_migrate.parity.programs import compare_programs
from tf_migrate.parity.reports import text
from tf_migrate.parity.result import Result, Verdict
from tf_migrate.parity.scenario import DEVICES, Pair, read_scenario

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
# Each program is a process of its own; what more of them at once would gain, they lose to each other.
_AT_ONCE = 2
_PORTED = "ported"
_NOT_THE_PROGRAMS = ("__pycache__", "parity*.toml", "printed*.*", _PORTED)


def find_samples() -> list[Path]:
    """The folders that hold a sample, by name."""
    return sorted({path.parent for path in HERE.glob("*/parity*.toml")})


def compare_sample(sample: Path, folder: Path, legacy: Legacy, device: str) -> Iterator[Result]:
    """Migrates one sample into `folder`, and runs each of its programs before and after."""
    original, migrated = folder / sample.name / "original", folder / sample.name / "migrated"
    shutil.copytree(sample, original, ignore=shutil.ignore_patterns(*_NOT_THE_PROGRAMS))
    if (sample / _PORTED).is_dir():
        shutil.copytree(original, migrated)
        shutil.copytree(sample / _PORTED, migrated, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    elif reason := rewrite(original, migrated):
        yield Result(sample.name, device, legacy.name, Verdict("migrated failed", f"rewrite: {reason}"))
        return
    for tree in (original, migrated):
        make_scripts(tree)
    pair = Pair(original, migrated)
    for file in sorted(sample.glob("parity*.toml")):
        for result in compare_programs(pair, replace(read_scenario(file), devices=(device,)), legacy):
            failed = result.verdict.kind == "original failed" and legacy.python is None
            yield printed.compare(file, pair, device) if failed and printed.file_of(file).exists() else result


def rewrite(original: Path, migrated: Path) -> str | None:
    """Migrates a tree; gives why that failed, or None."""
    command = [sys.executable, "-m", "tf_migrate", "rewrite", str(original), "--output", str(migrated), "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    return (done.stdout + done.stderr).strip() or f"exit status {done.returncode}"


def record_sample(sample: Path, folder: Path, legacy: Legacy) -> None:
    """Runs the originals of a sample, and keeps what they print beside it."""
    original = folder / sample.name
    shutil.copytree(sample, original, ignore=shutil.ignore_patterns(*_NOT_THE_PROGRAMS))
    make_scripts(original)
    for file in sorted(sample.glob("parity*.toml")):
        printed.keep(file, original, legacy)


def make_scripts(tree: Path) -> None:
    """Puts a script in place of each notebook, so that it runs without Jupyter; magics do nothing in it."""
    for file in tree.rglob("*.ipynb"):
        file.with_suffix(".py").write_text(notebook.read(file.read_bytes()).text, encoding="utf-8")
        file.unlink()


def show(results: list[tuple[str, Result]], console: Console, device: str) -> None:
    """Prints one row a program, and in full what is not as it should be."""
    where = next((result.where for _, result in results if result.gpu is not None), device)
    table = Table(title=f"Original against migrated, on {where}", title_justify="left")
    for heading in ("sample", "program", "original in", "run sites"):
        table.add_column(heading)
    for heading in ("runs", "values", "largest difference"):
        table.add_column(heading, justify="right")
    table.add_column("verdict")
    for name, result in results:
        tiers = ", ".join(f"{count} {tier}" for tier, count in sorted(result.tiers.items()))
        worst = "" if result.worst is None else f"{result.worst.absolute:.2e}"
        colour = "green" if result.verdict.good else "red"
        verdict = f"[{colour}]{result.verdict.kind}[/]"
        table.add_row(
            name, result.program, result.legacy, tiers, str(result.runs[1]), str(result.values), worst, verdict
        )
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


def compare(samples: list[Path], folder: Path, legacy: Legacy, device: str, console: Console) -> bool:
    """Compares samples, prints the table, and tells whether all agree."""
    started = time.monotonic()
    results: list[tuple[str, Result]] = []
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        compared = pool.map(lambda sample: list(compare_sample(sample, folder, legacy, device)), samples)
        for sample, found in zip(samples, compared, strict=True):
            results += [(sample.name, result) for result in found]
            console.print(f"  {sample.name}: {', '.join(result.verdict.kind for result in found)}")
    show(results, console, device)
    good = sum(result.verdict.good for _, result in results)
    console.print(f"{good} of {len(results)} programs agree, in {time.monotonic() - started:.0f} s")
    return good == len(results)


def main(arguments: list[str]) -> int:
    """Does what the command line says, and gives the exit status."""
    parser = argparse.ArgumentParser("python -m samples", description="Compares samples before and after.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the samples; all of them where none is named")
    parser.add_argument("--device", choices=DEVICES, default="cpu", help="where to compare")
    parser.add_argument("--record", action="store_true", help="keep what the originals print in TensorFlow 1.15.5")
    asked = parser.parse_args(arguments)
    samples = chosen(asked.names)
    legacy = find_legacy(ROOT)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        if not asked.record:
            console = Console(width=None if sys.stdout.isatty() else 140)
            return 0 if compare(samples, folder, legacy, asked.device, console) else 1
        if legacy.python is None:
            sys.stderr.write("--record needs TensorFlow 1.15.5: set TF_MIGRATE_LEGACY_PYTHON\n")
            return 2
        for sample in samples if asked.names else [path for path in samples if any(path.glob("printed*.txt"))]:
            record_sample(sample, folder, legacy)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
