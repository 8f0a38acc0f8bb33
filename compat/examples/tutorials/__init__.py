"""`tensorflow.examples.tutorials` of TF 1.15."""

from . import mnist as mnist
