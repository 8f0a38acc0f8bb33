"""Records what an uninterrupted run of real TF 1.15.5 ends with under each manager: tests/goldens/recovery.json."""

import json
import os
import tempfile

import tensorflow as tf

from tests.goldens import recovery_program

HERE = os.path.dirname(os.path.abspath(__file__))

assert tf.__version__ == "1.15.5", tf.__version__
ends = {
    manager: recovery_program.run(tf, manager, tempfile.mkdtemp(), 15, None)
    for manager in ("monitored", "estimator", "supervisor")
}
with open(os.path.join(HERE, "recovery.json"), "w") as file:
    json.dump(ends, file, indent=1, sort_keys=True)
    file.write("\n")
