"""`tensorflow.examples.tutorials.mnist` of TF 1.15."""

from . import input_data as input_data
