"""`tf.contrib.tpu` of TF 1.15 for programs that run without a TPU."""

from . import python as python
from .config import InputPipelineConfig as InputPipelineConfig
from .config import RunConfig as RunConfig
from .config import TPUConfig as TPUConfig
from .estimator import CrossShardOptimizer as CrossShardOptimizer
from .estimator import TPUEstimator as TPUEstimator
from .estimator import TPUEstimatorSpec as TPUEstimatorSpec
