"""Keras 3 layers that stand for what TF1 programs did by hand, and what TF 1.15's Keras computed otherwise."""

from . import activations as activations
from . import layers as layers
from . import utils as utils
from .constant_noise import ConstantNoise as ConstantNoise
from .previous_input import PreviousInput as PreviousInput
from .print_tensor import PrintTensor as PrintTensor
from .print_tensor import print_tensor as print_tensor
from .spatial_pyramid_pooling import SpatialPyramidPooling as SpatialPyramidPooling
from .spatial_pyramid_pooling import spatial_pyramid_pool as spatial_pyramid_pool
from .surgery import without_layers as without_layers
