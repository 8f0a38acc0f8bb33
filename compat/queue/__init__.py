"""`tf.queue` of TF 1.15."""

from .queues import FIFOQueue as FIFOQueue
from .queues import PaddingFIFOQueue as PaddingFIFOQueue
from .queues import PriorityQueue as PriorityQueue
from .queues import RandomShuffleQueue as RandomShuffleQueue
