"""Records what Estimators of real TF 1.15.5 compute: tests/goldens/estimator.json, estimator_loop.json, canned.json,
experiment.json."""

import json
import os
import tempfile

import tensorflow as tf

from tests.goldens import canned_program, estimator_loop_program, estimator_program, experiment_program

HERE = os.path.dirname(os.path.abspath(__file__))

assert tf.__version__ == "1.15.5", tf.__version__
PROGRAMS = {
    "estimator": estimator_program,
    "estimator_loop": estimator_loop_program,
    "canned": canned_program,
    "experiment": experiment_program,
}
for name, program in PROGRAMS.items():
    with open(os.path.join(HERE, name + ".json"), "w") as file:
        json.dump(program.run(tf, tempfile.mkdtemp()), file, indent=1, sort_keys=True)
        file.write("\n")
