"""`tf.feature_column` of TF 1.15: the functions that make layers of columns. TF2 still has the columns themselves."""

from .input_layer import input_layer as input_layer
from .linear_model import linear_model as linear_model
