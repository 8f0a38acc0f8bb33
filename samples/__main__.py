"""`python -m samples`: rewrites each sample, runs the original and its migrated twin, and compares the numbers."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from tf_migrate.parity.compare import Difference, compare
from tf_migrate.parity.programs import Legacy, find_legacy, run

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


@dataclass(frozen=True)
class Result:
    """What became of one sample."""

    name: str
    tier: str
    differences: list[Difference]
    problem: str | None = None

    @property
    def good(self) -> bool:
        return self.problem is None and all(difference.problem is None for difference in self.differences)


def rewrite(sample: Path, target: Path) -> tuple[str, str | None]:
    """Migrates one sample; gives the tiers of its run sites, and why it failed or None."""
    report = target.with_suffix(".json")
    command = [sys.executable, "-m", "tf_migrate", "rewrite", str(sample), "--output", str(target), "--quiet"]
    done = subprocess.run([*command, "--report", str(report)], cwd=ROOT, capture_output=True, text=True)
    if not report.exists():
        return "-", (done.stderr or done.stdout).strip() or f"exit status {done.returncode}"

    sites = json.loads(report.read_text())["summary"]["sites"]
    tiers = ", ".join(f"{count} {tier}" for tier, count in sites.items() if count)
    return tiers, None if done.returncode in (0, 1) else (done.stderr or done.stdout).strip()


def compare_sample(sample: Path, folder: Path, legacy: Legacy) -> Result:
    """Runs a sample before and after its migration."""
    migrated = folder / sample.name
    tiers, problem = rewrite(sample, migrated)
    if problem:
        return Result(sample.name, tiers, [], f"rewrite: {problem}")
    before, after = folder / f"{sample.name}-original.npz", folder / f"{sample.name}-migrated.npz"
    problem = run(legacy.command(sample / "program.py", [str(before)]), sample)
    if problem:
        return Result(sample.name, tiers, [], f"original: {problem}")
    problem = run([sys.executable, str(migrated / "program.py"), str(after)], migrated, path=[ROOT])
    if problem:
        return Result(sample.name, tiers, [], f"migrated: {problem}")
    with np.load(before) as want, np.load(after) as got:
        return Result(sample.name, tiers, compare(dict(want), dict(got)))


def show(results: list[Result], legacy: Legacy, console: Console) -> None:
    """Prints one row a sample."""
    table = Table(title=f"Original ({legacy.name}) against migrated", title_justify="left")
    for heading in ("sample", "run sites", "compared"):
        table.add_column(heading)
    for heading in ("values", "worst absolute", "worst relative"):
        table.add_column(heading, justify="right")
    table.add_column("verdict")
    for result in results:
        worst = max(result.differences, key=lambda d: d.absolute, default=None)
        problems = [f"{d.name}: {d.problem}" for d in result.differences if d.problem]
        table.add_row(
            result.name,
            result.tier,
            ", ".join(d.name for d in result.differences),
            str(sum(d.values for d in result.differences)),
            f"{worst.absolute:.2e}" if worst else "",
            f"{worst.relative:.2e}" if worst else "",
            "parity" if result.good else "; ".join([*filter(None, [result.problem]), *problems]),
        )
    console.print(table)


def main() -> int:
    legacy = find_legacy(ROOT)
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(f"Originals run in: {legacy.name}. Migrated programs run in: this environment's TensorFlow 2.")
    samples = sorted(path.parent for path in HERE.glob("*/program.py"))
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for sample in samples:
            console.print(f"  {sample.name} …")
            results.append(compare_sample(sample, Path(folder), legacy))
    show(results, legacy, console)
    return 0 if all(result.good for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
