"""TF 1.15's `tf.contrib.legacy_seq2seq`: sequences as lists of steps."""

from .attention import attention_decoder as attention_decoder
from .attention import embedding_attention_decoder as embedding_attention_decoder
from .decoders import embedding_rnn_decoder as embedding_rnn_decoder
from .decoders import rnn_decoder as rnn_decoder
from .loss import sequence_loss as sequence_loss
from .loss import sequence_loss_by_example as sequence_loss_by_example
from .models import basic_rnn_seq2seq as basic_rnn_seq2seq
from .models import embedding_attention_seq2seq as embedding_attention_seq2seq
from .models import embedding_rnn_seq2seq as embedding_rnn_seq2seq
from .models import embedding_tied_rnn_seq2seq as embedding_tied_rnn_seq2seq
from .models import model_with_buckets as model_with_buckets
from .models import one2many_rnn_seq2seq as one2many_rnn_seq2seq
from .models import tied_rnn_seq2seq as tied_rnn_seq2seq
