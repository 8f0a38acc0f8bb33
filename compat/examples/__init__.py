"""`tensorflow.examples` of TF 1.15: what its tutorials' readers import from it."""

from . import tutorials as tutorials
