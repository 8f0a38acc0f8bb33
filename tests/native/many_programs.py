"""The nightly run: `python tests/native/many_programs.py 2000 [FIRST]` compares that many random programs."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Literal

sys.path.insert(0, str(Path(__file__).parent))
from programs import Program
from test_random_programs import Verdict, verdict


def main(count: int, first: int) -> int:
    """Prints the seeds of programs that differ or fail and how many there were of each kind; 1 where any did."""
    found: Counter[Verdict | Literal["failed"]] = Counter()
    for seed in range(first, first + count):
        became: Verdict | Literal["failed"]
        try:
            became = verdict(Program(seed).text)
        except Exception as error:  # the others are to be compared all the same
            became = "failed"
            print(error)
        found[became] += 1
        if became in ("different", "failed"):
            print(f"{became}: {seed}", flush=True)
    print(dict(found))
    return 1 if found["different"] or found["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
