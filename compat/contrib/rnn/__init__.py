"""TF 1.15's `tf.contrib.rnn`."""

from ...nn.recurrent import static_bidirectional_rnn as static_bidirectional_rnn
from ...nn.recurrent import static_rnn as static_rnn
from ...nn.recurrent import static_state_saving_rnn as static_state_saving_rnn
from ...nn.recurrent.steps import best_effort_input_batch_size as best_effort_input_batch_size
from ...nn.recurrent.steps import transpose_batch_time as transpose_batch_time
from ...nn.rnn_cell import BasicLSTMCell as BasicLSTMCell
from ...nn.rnn_cell import BasicRNNCell as BasicRNNCell
from ...nn.rnn_cell import DeviceWrapper as DeviceWrapper
from ...nn.rnn_cell import DropoutWrapper as DropoutWrapper
from ...nn.rnn_cell import GRUCell as GRUCell
from ...nn.rnn_cell import LSTMCell as LSTMCell
from ...nn.rnn_cell import LSTMStateTuple as LSTMStateTuple
from ...nn.rnn_cell import MultiRNNCell as MultiRNNCell
from ...nn.rnn_cell import ResidualWrapper as ResidualWrapper
from ...nn.rnn_cell import RNNCell as RNNCell
from ...nn.rnn_cell.base import LayerRNNCell as LayerRNNCell
from .projections import EmbeddingWrapper as EmbeddingWrapper
from .projections import InputProjectionWrapper as InputProjectionWrapper
from .projections import OutputProjectionWrapper as OutputProjectionWrapper
