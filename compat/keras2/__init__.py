"""Keras 2, as TF 1.15 had it, under the bridge: `tf.keras` of programs that lean on graphs and sessions.

Its modules are those of `tf_keras`, which still has the Keras of TF 1.15 in it: below a bridge graph they make
`compat`'s variables and run in `compat`'s sessions. The stand-alone Keras of that time is `compat.keras2.standalone`.

  >>> from compat.keras2 import layers
  >>> with compat.Graph().as_default():
  ...     x = compat.placeholder(tf.float32, [None, 3])
  ...     y = layers.Dense(2)(x)
  ...     [variable.name for variable in compat.trainable_variables()]
  ['dense/kernel:0', 'dense/bias:0']
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import warnings
from typing import Any

import tensorflow as tf


def _require() -> None:
    """Raises where `tf_keras` is missing, or made for another TensorFlow."""
    minor = ".".join(tf.__version__.split(".")[:2])
    wanted = f"pip install 'tf_keras=={minor}.*'"
    if importlib.util.find_spec("tf_keras") is None:
        raise ImportError(
            f"compat.keras2 is Keras 2, which is the package tf_keras: {wanted} (or pip install 'tf-migrate[keras]')"
        )
    found = importlib.metadata.version("tf_keras")
    if ".".join(found.split(".")[:2]) != minor:
        raise ImportError(f"tf_keras {found} does not belong to TensorFlow {tf.__version__}: {wanted}")


_require()

from tf_keras.src.optimizers.legacy.optimizer_v2 import OptimizerV2 as _OptimizerV2  # noqa: E402

from . import (  # noqa: E402
    argument_order,
    changed_functions,
    configuration,
    eager_callbacks,
    eager_training,
    epoch_ends,
    graph_mode,
    image_transforms,
    layer_keys,
    layer_names,
    metric_names,
    model_summary,
    nodes,
    ranks,
    removed,
    repeated_weights,
    serialization,
)
from .paths import register  # noqa: E402
from .to_estimator import model_to_estimator  # noqa: E402

# `tf_keras` tells programs of TensorFlow 1 what to write in TensorFlow 2.
warnings.filterwarnings("ignore", category=UserWarning, module=r"tf_keras\.")
graph_mode.install()
changed_functions.install()
ranks.install()
argument_order.install()
image_transforms.install()
layer_keys.install()
layer_names.install()
metric_names.install()
eager_training.install()
eager_callbacks.install()
nodes.install()
repeated_weights.install()
model_summary.install()
removed.restore()
configuration.install()
serialization.install()
epoch_ends.install()
_root = register(
    __name__,
    {
        **argument_order.FUNCTIONS,
        "preprocessing.image": image_transforms.IMAGE,
        "backend": {**graph_mode.VALUES, **changed_functions.BACKEND, **ranks.BACKEND},
        "estimator": {"model_to_estimator": model_to_estimator},
        "initializers": serialization.INITIALIZERS,
        "losses": changed_functions.LOSSES,
        "metrics": changed_functions.METRICS,
        "models": configuration.MODELS,
        "optimizer_v2.optimizer_v2": {"OptimizerV2": _OptimizerV2},
        "optimizers": changed_functions.OPTIMIZERS,
        "regularizers": serialization.REGULARIZERS,
        "wrappers": {},
    },
)
_root.__version__ = configuration.VERSION


def __getattr__(name: str) -> Any:
    return getattr(_root, name)


def __dir__() -> list[str]:
    return [*globals(), *dir(_root)]
