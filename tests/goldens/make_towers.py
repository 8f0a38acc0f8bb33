"""Records towers on two devices under real TF 1.15.5: tests/goldens/towers.json and tower_queue.json."""

import contextlib
import io
import json
import os

import tensorflow as tf

from tests.goldens import tower_queue_program, towers_program

HERE = os.path.dirname(os.path.abspath(__file__))

assert tf.__version__ == "1.15.5", tf.__version__
found, devices = towers_program.run(tf, 2)
assert {"CPU:0", "CPU:1"} <= set(devices), devices
with open(os.path.join(HERE, "towers.json"), "w") as file:
    json.dump(found, file, indent=1, sort_keys=True)
    file.write("\n")
out = io.StringIO()
with contextlib.redirect_stdout(out):
    tower_queue_program.train("/cpu:%d")
with open(os.path.join(HERE, "tower_queue.json"), "w") as file:
    json.dump(out.getvalue().splitlines(), file, indent=1)
    file.write("\n")
