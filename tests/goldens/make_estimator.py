"""Records what an Estimator of real TF 1.15.5 computes: tests/goldens/estimator.json."""

import json
import os
import sys
import tempfile

import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import estimator_program  # noqa: E402

assert tf.__version__ == "1.15.5", tf.__version__
with open(os.path.join(HERE, "estimator.json"), "w") as file:
    json.dump(estimator_program.run(tf, tempfile.mkdtemp()), file, indent=1, sort_keys=True)
    file.write("\n")
