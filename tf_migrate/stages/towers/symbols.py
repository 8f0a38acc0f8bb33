"""What towers in their plain form may use: it computes the same in each replica, and keeps nothing beside variables."""

from __future__ import annotations

from tf_migrate.stages.monitored import COUNTERS as COUNTERS

OPTIMIZERS = frozenset(
    f"tf.train.{name}Optimizer" for name in ("GradientDescent", "Momentum", "Adam", "RMSProp", "Adagrad")
)
RATES = frozenset(
    f"tf.train.{name}"
    for name in (
        "exponential_decay",
        "polynomial_decay",
        "piecewise_constant",
        "inverse_time_decay",
        "natural_exp_decay",
        "cosine_decay",
    )
)
_ROWS_OR_DRAWS = ("embedding", "sampled", "nce_loss", "candidate")
"""Parts of names of what has gradients of rows, which the mean made whole, or draws numbers that belong together."""
STATISTICS = ("batch_norm", "fused_batch", "moving_average", "ExponentialMovingAverage", "spectral")
"""Parts of names of what updates averages, of which each replica would keep its own."""

_FAMILIES = ("tf.nn.", "tf.layers.", "tf.initializers.", "tf.math.", "tf.losses.softmax_", "tf.losses.sigmoid_")
_TYPES = frozenset(
    f"tf.{name}" for name in ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")
)
_PLAIN_NAMES = (
    "abs add add_n argmax argmin cast clip_by_value concat constant cos divide equal exp expand_dims eye fill "
    "floor greater greater_equal identity less less_equal log logical_and logical_not logical_or matmul "
    "maximum minimum multiply negative not_equal one_hot ones ones_like pad pow range rank reduce_max "
    "reduce_mean reduce_min reduce_prod reduce_sum reshape reverse round rsqrt shape sigmoid sign sin size "
    "slice split sqrt square squared_difference squeeze stack stop_gradient subtract tanh tensordot tile "
    "to_float to_int32 to_int64 transpose truediv unstack where zeros zeros_like get_variable "
    "get_variable_scope variable_scope name_scope AUTO_REUSE constant_initializer glorot_normal_initializer "
    "glorot_uniform_initializer ones_initializer orthogonal_initializer random_normal_initializer "
    "random_uniform_initializer truncated_normal_initializer uniform_unit_scaling_initializer "
    "variance_scaling_initializer zeros_initializer"
)
PLAIN = frozenset(f"tf.{name}" for name in _PLAIN_NAMES.split())
_OTHERS = frozenset({"tf.contrib.layers.flatten", "tf.contrib.layers.xavier_initializer"})


def is_known(symbol: str) -> bool:
    """Whether towers may use a symbol."""
    if any(part in symbol for part in (*STATISTICS, *_ROWS_OR_DRAWS)):
        return False
    return symbol.startswith(_FAMILIES) or symbol in _TYPES or symbol in PLAIN or symbol in _OTHERS
