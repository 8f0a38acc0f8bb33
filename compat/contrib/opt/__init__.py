"""``tf.contrib.opt`` of TF 1.x."""

from .adam_variants import AdaMaxOptimizer as AdaMaxOptimizer
from .adam_variants import LazyAdamOptimizer as LazyAdamOptimizer
from .adam_variants import NadamOptimizer as NadamOptimizer
from .external import ExternalOptimizerInterface as ExternalOptimizerInterface
from .external import ScipyOptimizerInterface as ScipyOptimizerInterface
from .lars import LARSOptimizer as LARSOptimizer
from .moving_average import MovingAverageOptimizer as MovingAverageOptimizer
from .multitask import MultitaskOptimizerWrapper as MultitaskOptimizerWrapper
from .multitask import clip_gradients_by_global_norm as clip_gradients_by_global_norm
from .reg_adagrad import RegAdagradOptimizer as RegAdagradOptimizer
from .sign import AddSignOptimizer as AddSignOptimizer
from .sign import PowerSignOptimizer as PowerSignOptimizer
from .variable_clipping import VariableClippingOptimizer as VariableClippingOptimizer
from .weight_decay import AdamWOptimizer as AdamWOptimizer
from .weight_decay import DecoupledWeightDecayExtension as DecoupledWeightDecayExtension
from .weight_decay import MomentumWOptimizer as MomentumWOptimizer
from .weight_decay import extend_with_decoupled_weight_decay as extend_with_decoupled_weight_decay
