"""Runs scope_cases.py in real TF 1.15.5 (Python 3.7) and keeps what it gave, in scopes.json."""

import json
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf

from tests.goldens import scope_cases


def main():
    """Writes one entry a case."""
    kept = {}
    for case in scope_cases.CASES:
        with tf.Graph().as_default():
            kept[case.__name__] = case(tf)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scopes.json"), "w") as file:
        json.dump(kept, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
