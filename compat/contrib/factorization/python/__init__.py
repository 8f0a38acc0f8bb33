"""`tf.contrib.factorization.python` of TF 1.15."""

from . import ops as ops
