"""``tf.contrib.tensorboard.plugins`` of TF 1.x."""

from . import projector as projector
