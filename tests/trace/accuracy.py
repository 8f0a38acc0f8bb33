"""The map of programs, held against TensorFlow 1.15.5.

`python -m tests.trace.accuracy PROGRAMS [--truth FILE] [--only TEXT] [--list]`. PROGRAMS is a script (`tree/train.py`),
a folder with a folder for each program (`NAME/main.py` or `NAME/before/main.py`), or a file `cases.py` whose `CASES`
maps names to files and their texts. The truth is a file with the recording of each name (of a script: its recording),
or is recorded anew in `.legacy`. Status 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.trace.comparison import PARTS, Comparison, Share, compare
from tf_migrate.map.programs import map_tree
from tf_migrate.parity.legacy import find_legacy

ROOT = Path(__file__).resolve().parents[2]


def record(folder: Path, script: str, *arguments: str) -> dict[str, Any]:
    """What the graph of a program is in TensorFlow 1.15.5."""
    python = find_legacy(ROOT).python
    if python is None:
        raise SystemExit("needs real TensorFlow 1.15.5: `make legacy`, or give --truth FILE")
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary) / "recording.json"
        command = [
            str(python),
            "-W",
            "ignore",
            str(Path(__file__).with_name("recorder.py")),
            str(out),
            script,
            *arguments,
        ]
        environment = {name: value for name, value in os.environ.items() if name != "TF2_BEHAVIOR"}
        # TensorFlow 2 sets it where it was imported, and 1.15 obeys it.
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if not out.exists():
            raise SystemExit(f"{folder / script} cannot be recorded:\n{done.stderr[-2000:]}")
        found: dict[str, Any] = json.loads(out.read_text())
        return found


def map_of(folder: Path, script: str) -> dict[str, Any]:
    """The map of a program, as data."""
    (program,) = map_tree(folder, script).programs
    return program.as_data()


def programs(path: Path, scratch: Path) -> Iterator[tuple[str, Path, str]]:
    """The programs that a path stands for: name, folder, script."""
    if path.is_dir():
        for folder in sorted(each for each in path.iterdir() if each.is_dir()):
            for tree in (folder / "before", folder):
                if (tree / "main.py").exists():
                    yield folder.name, tree, "main.py"
                    break
        return
    cases = runpy.run_path(str(path)).get("CASES") if path.name == "cases.py" else None
    if cases is None:
        yield path.stem, path.parent, path.name
        return
    for name, files in cases.items():
        for inner, text in files.items():
            file = scratch / name / inner
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        yield name, scratch / name, "main.py"


def main() -> int:
    """Compares all programs and prints the shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", type=Path)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--only", default="", help="programs whose name has this text")
    parser.add_argument("--list", action="store_true", help="every fault and gap")
    given = parser.parse_args()
    truths = json.loads(given.truth.read_text()) if given.truth else None
    total = Comparison()
    with tempfile.TemporaryDirectory() as scratch:
        for name, folder, script in programs(given.programs.resolve(), Path(scratch)):
            if given.only not in name:
                continue
            truth = record(folder, script) if truths is None else truths if "runs" in truths else truths[name]
            found = compare(map_of(folder, script), truth)
            print(f"{name}: {', '.join(f'{part} {_short(found.shares[part])}' for part in PARTS)}")
            for line in (*(f"wrong: {each}" for each in found.faults), *(found.gaps if given.list else ())):
                print(f"  {line}")
            for part in PARTS:
                total.shares[part] += found.shares[part]
            total.faults += found.faults
    for part in PARTS:
        print(f"{part}: {total.shares[part]}")
    return 1 if total.faults else 0


def _short(share: Share) -> str:
    return f"{share.right}/{share.wrong}/{share.unknown}"


if __name__ == "__main__":
    sys.exit(main())
