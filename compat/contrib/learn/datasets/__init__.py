"""`tf.contrib.learn.datasets` of TF 1.15: MNIST and what it is made of."""

from . import base as base
from . import mnist as mnist
