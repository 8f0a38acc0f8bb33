"""`tf.keras.activations` of TF 1.15: what Keras 3 gave another meaning."""

from .hard_sigmoid import hard_sigmoid as hard_sigmoid
