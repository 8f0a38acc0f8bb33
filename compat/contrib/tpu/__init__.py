"""`tf.contrib.tpu` of TF 1.15 for programs that run without a TPU."""

from .config import InputPipelineConfig as InputPipelineConfig
from .config import RunConfig as RunConfig
from .config import TPUConfig as TPUConfig
from .context import TpuContext as TpuContext
from .context import get_tpu_context as get_tpu_context
from .context import tpu_shard_context as tpu_shard_context
from .estimator import CrossShardOptimizer as CrossShardOptimizer
from .estimator import TPUEstimator as TPUEstimator
from .estimator import TPUEstimatorSpec as TPUEstimatorSpec
