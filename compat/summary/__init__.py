"""``tf.summary`` of TF 1.x."""

from ..bridge.v1 import Event as Event
from ..bridge.v1 import SessionLog as SessionLog
from ..bridge.v1 import Summary as Summary
from ..bridge.v1 import SummaryDescription as SummaryDescription
from ..bridge.v1 import TaggedRunMetadata as TaggedRunMetadata
from .events import summary_iterator as summary_iterator
from .merging import merge as merge
from .merging import merge_all as merge_all
from .ops import audio as audio
from .ops import get_summary_description as get_summary_description
from .ops import histogram as histogram
from .ops import image as image
from .ops import scalar as scalar
from .ops import tensor_summary as tensor_summary
from .ops import text as text
from .writer import FileWriter as FileWriter
from .writer_cache import FileWriterCache as FileWriterCache
