"""`tf.contrib.summary` of TF 1.15: summaries written where they are computed."""

from .ops import all_summary_ops as all_summary_ops
from .ops import audio as audio
from .ops import generic as generic
from .ops import histogram as histogram
from .ops import image as image
from .ops import scalar as scalar
from .recording import SummaryWriter as SummaryWriter
from .recording import always_record_summaries as always_record_summaries
from .recording import create_file_writer as create_file_writer
from .recording import create_summary_file_writer as create_summary_file_writer
from .recording import flush as flush
from .recording import initialize as initialize
from .recording import never_record_summaries as never_record_summaries
from .recording import record_summaries_every_n_global_steps as record_summaries_every_n_global_steps
from .recording import should_record_summaries as should_record_summaries
from .recording import summary_writer_initializer_op as summary_writer_initializer_op
