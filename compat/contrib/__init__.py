"""`tf.contrib` of TF 1.15, as far as programs use it."""

from . import crf as crf
from . import cudnn_rnn as cudnn_rnn
from . import data as data
from . import distributions as distributions
from . import eager as eager
from . import factorization as factorization
from . import framework as framework
from . import image as image
from . import layers as layers
from . import learn as learn
from . import legacy_seq2seq as legacy_seq2seq
from . import lookup as lookup
from . import losses as losses
from . import metrics as metrics
from . import nn as nn
from . import opt as opt
from . import predictor as predictor
from . import rnn as rnn
from . import seq2seq as seq2seq
from . import slim as slim
from . import summary as summary
from . import tensorboard as tensorboard
from . import tpu as tpu
from . import training as training
from . import util as util
