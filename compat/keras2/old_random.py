"""Random numbers of Keras 2.2, whose seeds come from NumPy: `np.random.seed(7)` fixes weights and dropout.

TF 1.15's own Keras, and `tf_keras`, leave them to TensorFlow's seed. Keras 2.2 drew the seed of an operation that has
none from NumPy's generator, and orthogonal matrices from that generator itself.
"""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tf_keras.src import backend, initializers
from tf_keras.src.engine import base_layer_v1

from ..private import init_ops

__all__ = ["accept"]

_SEEDS = int(10e6)


def _orthogonal(initializer: Any, shape: Any) -> Callable[..., tf.Tensor]:
    """A matrix with orthogonal rows or columns, of NumPy's numbers."""
    sizes = [int(size) for size in shape]
    flat = (math.prod(sizes[:-1]), sizes[-1])
    generator = np.random if initializer.seed is None else np.random.RandomState(initializer.seed)
    left, _, right = np.linalg.svd(generator.normal(0.0, 1.0, flat), full_matrices=False)
    value = initializer.gain * (left if left.shape == flat else right).reshape(sizes)
    return lambda shape, dtype=None, **_: tf.constant(value, dtype or tf.float32, shape)


def _seeded(initializer: Any, shape: Any) -> Any:
    """The initializer with a seed of NumPy's, where it has none."""
    if isinstance(initializer, init_ops.Orthogonal):
        return _orthogonal(initializer, shape)
    if getattr(initializer, "seed", 0) is not None:
        return initializer
    drawn = copy.copy(initializer)
    drawn.seed = np.random.randint(_SEEDS)
    return drawn


def _weight(add_weight: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(add_weight)
    def added(
        self: Any,
        name: Any = None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        *args: Any,
        **kw: Any,
    ) -> Any:
        floating = tf.as_dtype(dtype or self.dtype or backend.floatx()).is_floating
        found = initializers.get("glorot_uniform" if initializer is None and floating else initializer)
        return add_weight(self, name, shape, dtype, found and _seeded(found, shape or ()), *args, **kw)

    return added


def _legacy_seed(self: Any) -> int:
    """The seed of a layer's operation: the layer's own, or one of NumPy's."""
    return int(np.random.randint(_SEEDS)) if self._seed is None else int(self._seed)


def accept() -> None:
    """Has layers draw as Keras 2.2 did, from now on in this process."""
    base_layer_v1.Layer.add_weight = _weight(base_layer_v1.Layer.add_weight)
    backend.RandomGenerator.make_legacy_seed = _legacy_seed
