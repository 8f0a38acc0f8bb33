"""What TF 1.15.5's Keras computes in recurrent layers, for tests/compat/keras/test_recurrent_layers.py."""

import json
import os

import tensorflow as tf

from tests.goldens.keras_recurrent_cases import POINTS, outputs

tf.compat.v1.enable_eager_execution()
found = outputs(tf.keras, tf.keras.layers, lambda tensor: tensor.numpy())
found["hard_sigmoid"] = tf.keras.activations.hard_sigmoid(tf.constant(POINTS)).numpy().tolist()
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_recurrent.json"), "w") as file:
    json.dump(found, file, indent=1, sort_keys=True)
    file.write("\n")
