"""Writes contrib.json: what TF 1.15.5 gives for contrib_program_cases.py. Run it with Python 3.7 from this folder."""

import json
import os
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import tensorflow as tf

from tests.goldens import contrib_program_cases as cases


def main():
    found = {}
    for name, case in cases.CASES.items():
        with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
            found[name] = case(tf, folder)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "contrib.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
