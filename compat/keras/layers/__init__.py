"""`tf.keras.layers` of TF 1.15: what Keras 3 gave other defaults."""

from .recurrent import GRU as GRU
from .recurrent import LSTM as LSTM
from .recurrent import ConvLSTM2D as ConvLSTM2D
from .recurrent import GRUCell as GRUCell
from .recurrent import LSTMCell as LSTMCell
