"""`tf.data` of TF 1.15: iterators, and the parts of an element. Datasets themselves are TF2's."""

from .iterator import Iterator as Iterator
from .iterator import make_initializable_iterator as make_initializable_iterator
from .iterator import make_one_shot_iterator as make_one_shot_iterator
from .legacy_structure import output_classes as get_output_classes
from .legacy_structure import output_shapes as get_output_shapes
from .legacy_structure import output_types as get_output_types
