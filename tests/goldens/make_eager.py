"""Writes eager.json: what TF 1.15.5 gives for eager_program.py. Run it with Python 3.7 from this folder."""

import json
import os
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import tensorflow as tf

from tests.goldens import eager_program


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = eager_program.results(tf, folder)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "eager.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
