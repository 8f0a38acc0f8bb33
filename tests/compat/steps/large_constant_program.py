"""Four steps over a graph with a constant of 200 MB: what the memory of this process grows by, in copies of it."""

import json
from pathlib import Path

import numpy as np
import tensorflow as tf

import compat

SIZE = 50 * 2**20


def memory():
    """What the process holds, in copies of the constant."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / (4 * SIZE)


if __name__ == "__main__":
    with compat.VariableStore(), compat.building():
        x = compat.Input(tf.int32, [])
        large = tf.constant(np.arange(SIZE, dtype=np.float32))
        steps = [compat.step(large[x + number], x) for number in range(4)]
    held = [memory()]
    results = []
    for step in steps:
        results.append(float(step(1000)))
        held.append(memory())
    print(json.dumps({"results": results, "held": held}))
