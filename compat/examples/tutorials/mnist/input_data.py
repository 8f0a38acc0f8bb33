"""`tensorflow.examples.tutorials.mnist.input_data` of TF 1.15: MNIST as its tutorials read it."""

from ....contrib.learn.datasets.mnist import read_data_sets as read_data_sets
