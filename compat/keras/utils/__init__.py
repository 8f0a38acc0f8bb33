"""`tf.keras.utils` of TF 1.15: what Keras 3 gave another meaning."""

from .categorical import to_categorical as to_categorical
