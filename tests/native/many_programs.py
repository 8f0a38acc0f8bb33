"""The nightly run: `python tests/native/many_programs.py 2000 [FIRST]` compares that many random programs."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from programs import Program
from test_random_programs import Verdict, verdict


def main(count: int, first: int) -> int:
    """Prints the seeds of programs that differ and how many there were of each kind; 1 where any differs."""
    found: Counter[Verdict] = Counter()
    for seed in range(first, first + count):
        became = verdict(Program(seed).text)
        found[became] += 1
        if became == "different":
            print("different:", seed)
    print(dict(found))
    return 1 if found["different"] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
