"""Writes keras_values.json: what the functions among TF 1.15.5's losses, metrics and activations give.

PY1/bin/python -m tests.goldens.make_keras_values
"""

import json
import os

import numpy as np
import tensorflow as tf

TRUE = np.eye(3, dtype="float32")[[0, 2]]
MADE = np.array([[0.7, 0.2, 0.1], [0.05, 0.9, 0.05]], "float32")
GIVEN = {"losses": (TRUE, MADE), "metrics": (TRUE, MADE), "activations": (np.linspace(-4, 4, 6, dtype="float32"),)}

found = {}
for module, given in GIVEN.items():
    owner = getattr(tf.keras, module)
    for name in dir(owner):
        function = getattr(owner, name)
        if name.startswith("_") or isinstance(function, type) or not callable(function):
            continue
        try:
            value = tf.keras.backend.eval(function(*map(tf.constant, given)))
        except (TypeError, ValueError):
            continue  # it takes something else: a configuration, a matrix, a label
        found[f"tf.keras.{module}.{name}"] = np.asarray(value, "float64").ravel().tolist()

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_values.json"), "w") as file:
    json.dump(found, file, indent=0, sort_keys=True)
    file.write("\n")
