"""TF 1.15's ways to unroll a cell over time (`tf.nn.dynamic_rnn`, `tf.nn.static_rnn`, …)."""

from .dynamic import bidirectional_dynamic_rnn as bidirectional_dynamic_rnn
from .dynamic import dynamic_rnn as dynamic_rnn
from .raw import raw_rnn as raw_rnn
from .static import static_bidirectional_rnn as static_bidirectional_rnn
from .static import static_rnn as static_rnn
from .static import static_state_saving_rnn as static_state_saving_rnn
