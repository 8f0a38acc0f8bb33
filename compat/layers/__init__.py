"""``tf.layers`` of TF 1.x, on TF2 and without Keras."""

from .base import Layer as Layer
from .dense import Dense as Dense
from .dense import dense as dense
from .dropout import Dropout as Dropout
from .dropout import dropout as dropout
from .flatten import Flatten as Flatten
from .flatten import flatten as flatten
from .input_spec import InputSpec as InputSpec
