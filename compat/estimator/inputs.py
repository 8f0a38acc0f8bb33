"""`tf.estimator.inputs` of TF 1.15."""

from .input import numpy_input_fn as numpy_input_fn
from .input import pandas_input_fn as pandas_input_fn
