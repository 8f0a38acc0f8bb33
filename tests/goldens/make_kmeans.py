"""Writes kmeans.npz with real TF 1.15.5 (Python 3.7)."""

import os

import numpy as np
import tensorflow as tf

from tests.goldens import kmeans_programs as programs

ARRAYS = {}
for program in programs.PROGRAMS:
    with tf.Graph().as_default():
        for key, value in programs.run(tf, program).items():
            ARRAYS[f"{program}/{key}"] = value
np.savez_compressed(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kmeans.npz"), **ARRAYS)
