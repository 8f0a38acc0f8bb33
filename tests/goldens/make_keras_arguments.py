"""Writes keras_arguments.json: what arguments of TF 1.15.5's `tf.keras` classes do, and keys of histories.

PY1/bin/python -m tests.goldens.make_keras_arguments
"""

import json
import os

import tensorflow as tf

from tests.goldens.keras_argument_cases import plain, uses

found = {}
for symbol, use in sorted(uses().items()):
    tf.keras.backend.clear_session()
    found[symbol] = plain(use(tf.keras))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_arguments.json"), "w") as file:
    file.write("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in sorted(found.items())))
    file.write("\n}\n")
