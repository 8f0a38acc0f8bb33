"""Random programs whose graph is recorded in a store: their steps print what TensorFlow 1.15.5 prints.

`python tests/compat/steps/test_random_steps.py 300 [FIRST]` compares that many, in one process of each.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))
sys.path.insert(0, str(Path(__file__).parents[2] / "native"))
sys.path.insert(0, str(Path(__file__).parent))
from layer_programs import LayerProgram
from native import rewritten
from programs import Program
from stepping import TRUTH, recorded

ROOT = Path(__file__).resolve().parents[3]
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
_LEFT_OPEN = (0, 8, 10, 19)
"""Programs with a run in which TensorFlow 1.15.5 reads a variable before or after an update, as it comes."""


def program(seed: int) -> str:
    """The text of a program; every other one is made of layers."""
    return str((LayerProgram if seed % 2 else Program)(seed).text)


def are_close(ours: str, theirs: str) -> bool:
    """Whether two programs printed the same numbers."""
    mine, other = ([float(number) for number in _NUMBER.findall(text)] for text in (ours, theirs))
    return mine == pytest.approx(other, rel=1e-4, abs=1e-5)


@pytest.fixture(scope="module")
def truths(run_legacy_once: Callable[[Sequence[str]], list[str]]) -> dict[int, str]:
    seeds = [seed for seed in range(24) if seed not in _LEFT_OPEN]
    return dict(zip(seeds, run_legacy_once([program(seed) for seed in seeds]), strict=True))


@pytest.fixture(scope="module")
def run_legacy_once(legacy_python: Path) -> Callable[[Sequence[str]], list[str]]:
    return lambda texts: in_tensorflow_1(legacy_python, texts)


def in_tensorflow_1(python: Path, texts: Sequence[str]) -> list[str]:
    """What programs print in TensorFlow 1.15.5, all in one process; None where one fails."""
    environment = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [str(python), "-c", TRUTH],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("seed", [seed for seed in range(24) if seed not in _LEFT_OPEN])
def test_steps_print_what_tensorflow_1_prints(seed: int, truths: dict[int, str]) -> None:
    assert are_close(recorded(rewritten(program(seed), tier="bridge").text), truths[seed])


def outcome(text: str, once: str | None, python: Path) -> str:
    """What became of a program; TensorFlow 1.15.5 left it open where it prints something else in other runs."""
    if once is None:
        return "not run by TensorFlow 1.15.5"
    bridged = rewritten(text, tier="bridge").text
    ours = [recorded(bridged)]
    if are_close(ours[0], once):
        return "same"
    theirs = [once, *in_tensorflow_1(python, [text] * 10)]
    ours += [recorded(bridged) for _ in range(3)]
    if any(are_close(one, other) for one in ours for other in theirs):
        return "left open, and one of the results of TensorFlow 1.15.5"
    varies = any(not are_close(once, other) for other in theirs)
    return "left open" if varies else "different"


def main(count: int, first: int) -> int:
    """Prints the seeds of programs that differ, and how many there were of each kind; 1 where any did."""
    from tf_migrate.parity.legacy import find_legacy

    python = Path(str(find_legacy(ROOT).executable))
    seeds = range(first, first + count)
    found: Counter[str] = Counter()
    for seed, once in zip(seeds, in_tensorflow_1(python, [program(seed) for seed in seeds]), strict=True):
        became = outcome(program(seed), once, python)
        found[became] += 1
        if became == "different":
            print(f"{became}: {seed}", flush=True)
    print(dict(sorted(found.items())))
    return 1 if found["different"] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
