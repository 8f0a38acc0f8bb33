"""Towers: one model on several devices, each with its part of the batch, as replicas of TensorFlow 2's strategy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ..variables.replicas import replica_number
from ..variables.store import VariableStore


class Towers:
    """What TF1 programs built in a loop over GPUs, with shared variables, under ``tf.distribute.MirroredStrategy``.

    Each device holds all variables. The towers compute at the same time, and ``compat``'s optimizers in them sum the
    gradients over all towers: divide the loss by their number for the mean.

    >>> towers = compat.train.Towers(["/cpu:0"])
    >>> @towers.replicated(tf.TensorSpec([None], tf.float32))
    ... def tower(i, x):
    ...     w = compat.get_variable("w", initializer=tf.constant(2.0))
    ...     loss = tf.reduce_mean(tf.square(x[i * 2 : (i + 1) * 2] * w))
    ...     compat.train.GradientDescentOptimizer(0.1).minimize(loss / towers.count)
    ...     return loss
    >>> @tf.function(input_signature=tower.signature)
    ... def train_step(x):
    ...     return tower(x)[-1]
    >>> train_step([1.0, 2.0]).numpy()
    np.float32(10.0)
    >>> towers.store.find("w").numpy()
    np.float32(1.0)

    Make it before TensorFlow computes anything. Where the machine has no GPU, the CPU is divided into as many devices
    as there are towers, and the numbers stay the same.

    Args:
        devices: the device of each tower, as ``"/gpu:0"``.

    Attributes:
        count: how many towers there are.
        store: the variables, for savers and for what else looks them up.

    Raises:
        ValueError: there are GPUs, but fewer than towers; or there are none, and the CPU is in use already.
    """

    def __init__(self, devices: Sequence[str]) -> None:
        self.count = len(devices)
        self.store = VariableStore()
        self._strategy = _strategy_on(_present(devices))

    def replicated(self, *signature: tf.TensorSpec) -> Callable[[Callable[..., Any]], Replicated]:
        """A decorator for what one tower computes: a function of the tower's number (an ``int``) and of the inputs.

        The variables that it uses are made at once, as the first of TF1's towers made them.

        Args:
            signature: shape and type of each input; every tower gets the inputs whole.
        """

        def decorate(tower: Callable[..., Any]) -> Replicated:
            with self._strategy.scope():
                self.store.build(lambda: self._run(tower, _stand_ins(signature), lambda: 0))
            return Replicated(signature, lambda inputs: self._by_tower(self._run(tower, inputs, replica_number)))

        return decorate

    def _run(self, tower: Callable[..., Any], inputs: Sequence[tf.Tensor], number: Callable[[], int]) -> Any:
        def in_replica() -> Any:
            with self.store:
                return tower(number(), *inputs)

        return self._strategy.run(in_replica)

    def _by_tower(self, found: Any) -> list[Any]:
        def of(number: int) -> Any:
            return tf.nest.map_structure(lambda leaf: self._strategy.experimental_local_results(leaf)[number], found)

        return [of(number) for number in range(self.count)]


class Replicated:
    """What :meth:`Towers.replicated` makes of a function: call it in a ``tf.function``, with the inputs alone.

    A call gives a list, with what the function returns in each tower.

    Attributes:
        signature: shape and type of each input, for ``tf.function``.
    """

    def __init__(self, signature: Sequence[tf.TensorSpec], run: Callable[[Sequence[tf.Tensor]], list[Any]]) -> None:
        self.signature = list(signature)
        self._run = run

    def __call__(self, *inputs: tf.Tensor) -> list[Any]:
        return self._run(inputs)


def _stand_ins(signature: Sequence[tf.TensorSpec]) -> list[tf.Tensor]:
    """Tensors that have a type and a shape and no value, for a graph that nobody runs."""
    return [tf.raw_ops.Placeholder(dtype=spec.dtype, shape=spec.shape) for spec in signature]


@functools.cache
def _strategy_on(devices: tuple[str, ...]) -> tf.distribute.MirroredStrategy:
    # One for all: each strategy numbers what its replicas exchange, and two of them on the same devices mix that up.
    return tf.distribute.MirroredStrategy(devices)


def _present(devices: Sequence[str]) -> tuple[str, ...]:
    """The devices, or as many parts of the CPU where a GPU is meant and the machine has none.

    Raises:
        ValueError: see :class:`Towers`.
    """
    kinds = {tf.DeviceSpec.from_string(device).device_type for device in devices}
    gpus = len(tf.config.list_physical_devices("GPU"))
    if kinds == {"GPU"} and gpus:
        if gpus < len(devices):
            raise ValueError(f"There are {len(devices)} towers and {gpus} GPUs: ask for as many towers as there are.")
        return tuple(devices)
    _divide_cpu(len(devices))
    return tuple(f"/cpu:{number}" for number in range(len(devices)))


def _divide_cpu(count: int) -> None:
    (cpu,) = tf.config.list_physical_devices("CPU")
    if len(tf.config.get_logical_device_configuration(cpu) or [None]) >= count:
        return
    try:
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * count)
    except RuntimeError:
        raise ValueError(
            f"The CPU is to be divided for {count} towers, for there is no GPU, and it is in use already: make the "
            "Towers before TensorFlow computes anything."
        ) from None
