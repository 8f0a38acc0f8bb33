"""Programs against their own migrated twins: every verdict but "parity" is a false alarm, or a fault of the migration.

    python -m benchmarks.parity_pairs PAIRS.toml [--results FILE] [--match TEXT] [--again]

Each program is migrated by the tool and compared by `tf-migrate parity`; originals run in TF 1.15.5 where it is found.
One line a program is printed, and kept in FILE (JSON lines) so that a later call goes on. PAIRS.toml:

    [[pair]]
    name = "mnist"
    tree = "/data/tutorials"            # copied, never written
    only = ["mnist*.py", "data/*"]      # what of it; everything where nothing is named
    change = [["*.py", "epochs = \\d+", "epochs = 2"]]
    script = "mnist.py"                 # and all that a scenario file may say: arguments, folder, seconds, …
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tf_migrate.parity.legacy import Legacy, find_legacy
from tf_migrate.parity.programs import compare_programs
from tf_migrate.parity.reports import text
from tf_migrate.parity.result import Result, Verdict
from tf_migrate.parity.scenario import Pair, Scenario, scenario_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent


def prepared(pair: dict[str, Any], folder: Path) -> Path:
    """A copy of what is asked for of the pair's tree, with its changes."""
    source, tree = Path(pair["tree"]), folder / "original"
    patterns = pair.get("only", ["**/*"])
    for path in sorted({path for pattern in patterns for path in source.glob(pattern)}):
        if path.is_file() and ".git" not in path.parts:
            target = tree / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    for pattern, old, new in pair.get("change", ()):
        for path in tree.glob(pattern):
            path.write_text(re.sub(old, new, path.read_text()))
    return tree


def compared(pair: dict[str, Any], legacy: Legacy) -> Result:
    """Migrates one program and compares it with its twin."""
    given = {key: value for key, value in pair.items() if key not in ("name", "tree", "only", "change")}
    scenario: Scenario = scenario_of(given, Path(pair["name"]))
    with tempfile.TemporaryDirectory() as name:
        tree, migrated = prepared(pair, Path(name)), Path(name) / "migrated"
        command = [sys.executable, "-m", "tf_migrate", "rewrite", str(tree), "--output", str(migrated), "--quiet"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            reason = (done.stderr or done.stdout).strip() or f"exit status {done.returncode}"
            return Result(pair["name"], "cpu", legacy.name, Verdict("migrated failed", f"rewrite: {reason}"))
        return compare_programs(Pair(tree, migrated), scenario, legacy)[0]


def line(name: str, result: Result) -> str:
    """One program: original, tier, sites, values compared, worst difference, verdict."""
    sites = ", ".join(f"{count} {tier}" for tier, count in sorted(result.tiers.items())) or "none"
    worst = "" if result.worst is None else f"{result.worst.absolute:.2g}"
    kind = result.verdict.kind if result.verdict.good else f"{result.verdict.kind.upper()}: {result.verdict.message}"
    return (
        f"{name} | {result.legacy} | sites {sites} | runs {result.runs[1]} | values {result.values} | {worst} | {kind}"
    )


def done_before(path: Path | None) -> dict[str, dict[str, Any]]:
    """What an earlier call has found, by name."""
    if path is None or not path.exists():
        return {}
    found = [json.loads(item) for item in path.read_text().splitlines()]
    return {item["name"]: item for item in found}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--match", default="")
    parser.add_argument("--again", action="store_true", help="compare once more what an earlier call has compared")
    asked = parser.parse_args()
    legacy = find_legacy(ROOT)
    before = done_before(asked.results)
    good = total = values = 0
    for pair in _chosen(tomllib.loads(asked.pairs.read_text())["pair"], asked.match):
        found = before.get(pair["name"])
        if found is None or asked.again:
            start = time.perf_counter()
            result = compared(pair, legacy)
            found = {
                "name": pair["name"],
                "good": result.verdict.good,
                "values": result.values,
                "line": line(pair["name"], result),
                "text": list(text.lines(result, verbose=True)),
                "seconds": round(time.perf_counter() - start, 1),
            }
            if asked.results is not None:
                with asked.results.open("a") as file:
                    file.write(json.dumps(found) + "\n")
        print(found["line"], flush=True)
        total, good, values = total + 1, good + found["good"], values + found["values"]
    print(f"{good} of {total} programs agree, {values} values compared")
    return int(good != total)


def _chosen(pairs: list[dict[str, Any]], match: str) -> Iterator[dict[str, Any]]:
    yield from (pair for pair in pairs if match in pair["name"])


if __name__ == "__main__":
    sys.exit(main())
