"""`tf.contrib.eager.python` of TF 1.15."""

from . import tfe as tfe
