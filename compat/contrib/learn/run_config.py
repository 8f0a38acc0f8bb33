"""Settings of an Estimator, with the arguments of `tf.contrib.learn`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...estimator import RunConfig as CoreRunConfig

# What may change between a `RunConfig` and the one that the estimator ends up with.
_MAY_CHANGE = (
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
)


class RunConfig(CoreRunConfig):
    """A `compat.estimator.RunConfig` with other arguments; stands for `tf.contrib.learn.RunConfig` of TF 1.15.

    As with TF 1.15's `tf.estimator.Estimator`, what is said about the session counts in `session_config` only.

    Args:
      master, evaluation_master: only empty: this process.
      num_cores, log_device_placement, gpu_memory_fraction: accepted and ignored: give them in `session_config`.
      tf_random_seed, save_summary_steps, keep_checkpoint_max, keep_checkpoint_every_n_hours, log_step_count_steps,
        protocol, model_dir, session_config, session_creation_timeout_secs: as for `compat.estimator.RunConfig`.
      save_checkpoints_secs: seconds between checkpoints; when 0, 600 unless steps are given.
      save_checkpoints_steps: steps between checkpoints.

    Raises:
      ValueError: a master is given: use `tf.distribute`.
    """

    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int = 100,
        save_checkpoints_secs: float | None = 0,
        save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int = 100,
        protocol: str | None = None,
        evaluation_master: str = "",
        model_dir: str | None = None,
        session_config: Any = None,
        session_creation_timeout_secs: float = 7200,
    ) -> None:
        del num_cores, log_device_placement, gpu_memory_fraction
        if master or evaluation_master:
            raise ValueError(
                f"compat.contrib.learn runs in this process, not on {master or evaluation_master!r}: move the program "
                "to tf.distribute"
            )
        super().__init__(
            model_dir=model_dir,
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=save_checkpoints_secs or None,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            protocol=protocol,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )
        if save_checkpoints_secs == 0 and save_checkpoints_steps is None:
            self.save_checkpoints_secs = 600

    def uid(self, whitelist: Iterable[str] | None = None) -> str:
        """A text that two settings share when they are equal but for those that `whitelist` names.

        Args:
          whitelist: names of settings; what programs usually change when it is None.
        """
        left_out = set(_MAY_CHANGE if whitelist is None else whitelist)
        return ", ".join(f"{name}={value!r}" for name, value in sorted(vars(self).items()) if name not in left_out)
