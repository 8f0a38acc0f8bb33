"""`tf.random` of TF 1.15: seeds, and what TF2 lacks or gave another meaning."""

from ..bridge.v1 import multinomial as multinomial
from ..bridge.v1 import random_poisson as poisson
from ..bridge.v1 import stateless_multinomial as stateless_multinomial
from ..random_sequences import new_sequence as new_sequence
from .drawing import first_draw as first_draw
from .seeds import get_seed as get_seed
from .seeds import set_random_seed as set_random_seed
