"""Writes keras_members.json: what members of TF 1.15.5's `tf.keras` classes give.

PY1/bin/python -m tests.goldens.make_keras_members
"""

import json
import os

import tensorflow as tf

from tests.goldens.keras_member_cases import cases

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_members.json"), "w") as file:
    json.dump(cases(tf.keras), file, indent=0, sort_keys=True)
    file.write("\n")
