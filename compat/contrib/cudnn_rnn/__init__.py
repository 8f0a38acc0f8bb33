"""TF 1.15's `tf.contrib.cudnn_rnn`: the cells that run its weights without cuDNN."""

from .cells import CudnnCompatibleGRUCell as CudnnCompatibleGRUCell
from .cells import CudnnCompatibleLSTMCell as CudnnCompatibleLSTMCell
