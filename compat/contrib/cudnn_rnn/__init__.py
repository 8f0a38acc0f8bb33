"""TF 1.15's `tf.contrib.cudnn_rnn`: its layers without cuDNN, and the cells that run their weights."""

from .cells import CudnnCompatibleGRUCell as CudnnCompatibleGRUCell
from .cells import CudnnCompatibleLSTMCell as CudnnCompatibleLSTMCell
from .layers import CudnnGRU as CudnnGRU
from .layers import CudnnLSTM as CudnnLSTM
from .layers import CudnnRNNRelu as CudnnRNNRelu
from .layers import CudnnRNNTanh as CudnnRNNTanh
