"""``tf.contrib.training`` of TF 1.x."""

from ...train.checkpoint_reader import checkpoints_iterator as checkpoints_iterator
from .hparams import HParams as HParams
from .hparams import parse_values as parse_values
from .loops import train as train
from .loops import wait_for_new_checkpoint as wait_for_new_checkpoint
from .train_op import add_gradients_summaries as add_gradients_summaries
from .train_op import clip_gradient_norms as clip_gradient_norms
from .train_op import clip_gradient_norms_fn as clip_gradient_norms_fn
from .train_op import create_train_op as create_train_op
from .train_op import multiply_gradients as multiply_gradients
