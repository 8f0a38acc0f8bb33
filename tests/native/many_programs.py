"""`python -m tests.native.many_programs 2000 [FIRST]` compares that many random programs, as `make test-all` does.

Every other one is made of layers, where real TensorFlow 1.15.5 is found. The rest run as `tf.compat.v1` graphs, which
takes a tenth of the time. That is not always TensorFlow 1: in TensorFlow 2.21 `x + x` takes an element of the iterator
whose output `x` is fed. So TensorFlow 1.15.5 decides on what differs.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from tests import warm
from tests.native.layer_programs import LayerProgram
from tests.native.programs import Program
from tests.native.test_random_programs import verdict
from tf_migrate.parity.legacy import find_legacy

ROOT = Path(__file__).parents[2]


class NotRunError(Exception):
    """TensorFlow 1.15.5 itself fails: two unrolled loops behind updates may leave a fetch without a value."""


def in_tensorflow_1(code: str) -> str:
    """What a program prints in TensorFlow 1.15.5."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": "", "PYTHONWARNINGS": "ignore"}
    environment = {**os.environ, **quiet}
    environment.pop("TF2_BEHAVIOR", None)  # importing TF2 sets it, and TF1 obeys it
    done = warm.run([str(find_legacy(ROOT).executable), "-c", code], env=environment)
    if done.returncode:
        raise NotRunError(done.stderr)
    return done.stdout


def outcome(seed: int) -> str:
    """What became of a program; `failed` where it could not be compared."""
    legacy = bool(find_legacy(ROOT).python)
    try:
        if legacy and seed % 2:
            return f"layers {verdict(LayerProgram(seed).text, in_tensorflow_1)}"
        code = Program(seed).text
        became = verdict(code)
        if became == "different" and legacy:
            became = verdict(code, in_tensorflow_1)
            return became if became == "different" else f"{became}, in TensorFlow 1.15.5 alone"
    except NotRunError:
        return "not run by TensorFlow 1.15.5"
    except Exception as error:  # the others are to be compared all the same
        print(error)
        return "failed"
    return became


def main(count: int, first: int) -> int:
    """Prints the seeds of programs that differ or fail and how many there were of each kind; 1 where any did."""
    found: Counter[str] = Counter()
    for seed in range(first, first + count):
        became = outcome(seed)
        found[became] += 1
        if became.endswith(("different", "failed")):
            print(f"{became}: {seed}", flush=True)
    print(dict(sorted(found.items())))
    return 1 if any(became.endswith(("different", "failed")) for became in found) else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
