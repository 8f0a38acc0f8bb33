"""TF 1.15's `tf.contrib.seq2seq`."""

from .loss import sequence_loss as sequence_loss
