"""Writes keras_summary.json: how TF 1.15.5's `tf.keras` draws models, in a graph and eagerly.

PY1/bin/python -m tests.goldens.make_keras_summary
"""

import json
import os

import tensorflow as tf

from tests.goldens.keras_summary_cases import cases

found = {}
with tf.Graph().as_default():
    found["graph"] = cases(tf.keras)
tf.compat.v1.enable_eager_execution()
found["eager"] = cases(tf.keras)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_summary.json"), "w") as file:
    json.dump(found, file, indent=0, sort_keys=True)
    file.write("\n")
