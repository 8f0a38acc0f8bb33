"""`tf.contrib` of TF 1.15, as far as programs use it."""

from . import eager as eager
from . import framework as framework
from . import layers as layers
from . import legacy_seq2seq as legacy_seq2seq
from . import lookup as lookup
from . import opt as opt
from . import rnn as rnn
from . import seq2seq as seq2seq
from . import slim as slim
from . import training as training
