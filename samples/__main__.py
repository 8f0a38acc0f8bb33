"""`python -m samples`: rewrites each sample, and compares the original with its migrated twin."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tf_migrate.parity.legacy import Legacy, find_legacy
from tf_migrate.parity.programs import compare_programs
from tf_migrate.parity.reports import text
from tf_migrate.parity.result import Result, Verdict
from tf_migrate.parity.scenario import Pair, Scenario, read_scenario

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def compare_sample(sample: Path, folder: Path, legacy: Legacy) -> Result:
    """Migrates one sample into `folder`, and runs it before and after."""
    migrated = folder / sample.name
    command = [sys.executable, "-m", "tf_migrate", "rewrite", str(sample), "--output", str(migrated), "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        reason = (done.stderr or done.stdout).strip() or f"exit status {done.returncode}"
        return Result(sample.name, "cpu", legacy.name, Verdict("migrated failed", f"rewrite: {reason}"))
    file = sample / "parity.toml"
    scenario = read_scenario(file) if file.exists() else Scenario(script="program.py")
    (result,) = compare_programs(Pair(sample, migrated), scenario, legacy)
    return result


def show(results: dict[str, Result], legacy: Legacy, console: Console) -> None:
    """Prints one row a sample, and in full what is not as it should be."""
    table = Table(title=f"Original ({legacy.name}) against migrated", title_justify="left")
    for heading in ("sample", "run sites"):
        table.add_column(heading)
    for heading in ("runs", "values", "largest difference"):
        table.add_column(heading, justify="right")
    table.add_column("verdict")
    for name, result in results.items():
        tiers = ", ".join(f"{count} {tier}" for tier, count in sorted(result.tiers.items()))
        worst = "" if result.worst is None else f"{result.worst.absolute:.2e}"
        table.add_row(name, tiers, str(result.runs[1]), str(result.values), worst, result.verdict.kind)
    console.print(table)
    for result in results.values():
        if not result.verdict.good:
            console.print("\n".join(text.lines(result)), markup=False)


def main() -> int:
    legacy = find_legacy(ROOT)
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(f"Originals run in: {legacy.name}. Migrated programs run in: this environment's TensorFlow 2.")
    samples = sorted(path.parent for path in HERE.glob("*/program.*"))
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for sample in samples:
            console.print(f"  {sample.name} …")
            results[sample.name] = compare_sample(sample, Path(folder), legacy)
    show(results, legacy, console)
    return 0 if all(result.verdict.good for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
