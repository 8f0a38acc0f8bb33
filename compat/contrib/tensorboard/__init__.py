"""``tf.contrib.tensorboard`` of TF 1.x."""

from . import plugins as plugins
