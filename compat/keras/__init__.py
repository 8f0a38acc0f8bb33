"""Keras 3 layers that stand for what TF1 programs did by hand, one file a layer."""

from .previous_input import PreviousInput as PreviousInput
