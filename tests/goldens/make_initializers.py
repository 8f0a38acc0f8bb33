"""Keeps what TF 1.15.5's initializers give for a seed, in initializers.npz. Run it with Python 3.7."""

import os

import numpy as np

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import tensorflow as tf

from tests.goldens import initializer_cases


def main():
    """Writes one array a case."""
    kept = {}
    for name, (make, shape, dtype) in initializer_cases.CASES.items():
        with tf.Graph().as_default(), tf.Session() as session:
            variable = tf.get_variable("v", shape, dtype=getattr(tf, dtype), initializer=make(tf))
            session.run(variable.initializer)
            kept[name] = session.run(variable)
    np.savez_compressed(os.path.join(os.path.dirname(os.path.abspath(__file__)), "initializers.npz"), **kept)


if __name__ == "__main__":
    main()
