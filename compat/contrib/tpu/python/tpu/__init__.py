"""`tensorflow.contrib.tpu.python.tpu` of TF 1.15."""

from . import tpu_function as tpu_function
