"""Writes keras_backend.json: what TF 1.15.5's `tf.keras.backend` and `keras.backend` of Keras 2.2.5 give.

PYTHONPATH=KERAS_2_2_5 PY1/bin/python -m tests.goldens.make_keras_backend
"""

import json
import os

import tensorflow as tf
from keras import backend as standalone

from tests.goldens.keras_backend_cases import cases, standalone_cases, values

backend = tf.keras.backend
found = {"tf.keras": values(backend, cases(backend)), "keras": values(standalone, standalone_cases(standalone))}
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_backend.json"), "w") as file:
    json.dump(found, file, indent=0, sort_keys=True)
    file.write("\n")
