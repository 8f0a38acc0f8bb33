"""Initial values of an `Estimator` from an earlier model's checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .. import train
from ..train import VocabInfo


class WarmStartSettings(NamedTuple):
    """What to begin from; stands for `tf.estimator.WarmStartSettings` of TF 1.15.

    Attributes:
      ckpt_to_initialize_from: a checkpoint, or a folder of such.
      vars_to_warm_start, var_name_to_vocab_info, var_name_to_prev_var_name: as for `compat.train.warm_start`.

    Example:
      >>> settings = compat.estimator.WarmStartSettings("/tmp/old", vars_to_warm_start=".*kernel")
      >>> settings.vars_to_warm_start
      '.*kernel'
    """

    ckpt_to_initialize_from: str
    vars_to_warm_start: Any = ".*"
    var_name_to_vocab_info: Mapping[str, VocabInfo] | None = None
    var_name_to_prev_var_name: Mapping[str, str] | None = None


def settings_from(warm_start_from: Any) -> WarmStartSettings | None:
    """The settings that an estimator's `warm_start_from` stands for.

    Raises:
      ValueError: it is neither a path nor settings.
    """
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if isinstance(warm_start_from, str | bytes):
        path = warm_start_from if isinstance(warm_start_from, str) else warm_start_from.decode()
        return WarmStartSettings(path)
    raise ValueError(f"warm_start_from must be a string or a WarmStartSettings, instead got {type(warm_start_from)}")


def warm_start(settings: WarmStartSettings) -> None:
    """Lets the graph's variables start from an earlier model's values."""
    train.warm_start(*settings)
