"""TF 1.15's `tf.contrib.crf`: linear-chain conditional random fields."""

from .cells import CrfDecodeBackwardRnnCell as CrfDecodeBackwardRnnCell
from .cells import CrfDecodeForwardRnnCell as CrfDecodeForwardRnnCell
from .cells import CrfForwardRnnCell as CrfForwardRnnCell
from .crf import crf_binary_score as crf_binary_score
from .crf import crf_decode as crf_decode
from .crf import crf_log_likelihood as crf_log_likelihood
from .crf import crf_log_norm as crf_log_norm
from .crf import crf_multitag_sequence_score as crf_multitag_sequence_score
from .crf import crf_sequence_score as crf_sequence_score
from .crf import crf_unary_score as crf_unary_score
from .crf import viterbi_decode as viterbi_decode
