"""TF 1.15's recurrent cells (`tf.nn.rnn_cell`)."""

from .base import RNNCell as RNNCell
from .basic import BasicRNNCell as BasicRNNCell
from .basic import GRUCell as GRUCell
from .dropout import DropoutWrapper as DropoutWrapper
from .keras_cells import KerasSimpleRNNCell as KerasSimpleRNNCell
from .lstm import BasicLSTMCell as BasicLSTMCell
from .lstm import LSTMCell as LSTMCell
from .lstm import LSTMStateTuple as LSTMStateTuple
from .multi import MultiRNNCell as MultiRNNCell
from .wrappers import DeviceWrapper as DeviceWrapper
from .wrappers import ResidualWrapper as ResidualWrapper
