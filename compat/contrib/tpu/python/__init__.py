"""`tensorflow.contrib.tpu.python` of TF 1.15, as far as programs import from it."""

from . import tpu as tpu
