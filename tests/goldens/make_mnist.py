"""Records what TF 1.15.5's reader of MNIST gives for small files of that format.

PY1/bin/python -m tests.goldens.make_mnist        # writes tests/goldens/mnist.json
"""

import json
import os
import tempfile
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
from tensorflow.examples.tutorials.mnist.input_data import read_data_sets

from tests.goldens import mnist_cases

tf.logging.set_verbosity("ERROR")


def main():
    """Record every case."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        mnist_cases.write_files(folder)
        for name, arguments in mnist_cases.CASES.items():
            with tf.Graph().as_default():
                found[name] = mnist_cases.run(read_data_sets, tf.set_random_seed, folder, arguments)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found))
    Path(__file__).with_name("mnist.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
