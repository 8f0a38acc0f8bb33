"""How an Estimator runs: where it saves, how often, with which session options."""

from __future__ import annotations

import copy
from typing import Any

_UNSET: Any = object()


class RunConfig:
    """Settings of an `Estimator`; stands for `tf.estimator.RunConfig` of TF 1.15.

    Args:
      model_dir: where checkpoints and summaries go.
      tf_random_seed: the graph's seed.
      save_summary_steps: steps between summaries.
      save_checkpoints_steps: steps between checkpoints; excludes `save_checkpoints_secs`.
      save_checkpoints_secs: seconds between checkpoints; 600 unless steps are given.
      session_config: a `ConfigProto`.
      keep_checkpoint_max: how many checkpoints are kept.
      keep_checkpoint_every_n_hours: one more is kept for good each time these hours have passed.
      log_step_count_steps: steps between notes of loss and speed.

    Raises:
      ValueError: steps and seconds are both given, or a distribution strategy is: use `tf.distribute` itself.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        tf_random_seed: int | None = None,
        save_summary_steps: int = 100,
        save_checkpoints_steps: int | None = _UNSET,
        save_checkpoints_secs: float | None = _UNSET,
        session_config: Any = None,
        keep_checkpoint_max: int = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int = 100,
        train_distribute: Any = None,
        device_fn: Any = None,
        protocol: str | None = None,
        eval_distribute: Any = None,
        experimental_distribute: Any = None,
        experimental_max_worker_delay_secs: int | None = None,
        session_creation_timeout_secs: float = 7200,
    ) -> None:
        if save_checkpoints_steps not in (_UNSET, None) and save_checkpoints_secs not in (_UNSET, None):
            raise ValueError("Can not provide both save_checkpoints_steps and save_checkpoints_secs.")
        if train_distribute or eval_distribute or experimental_distribute:
            raise ValueError(
                "compat.estimator runs in one process on one device: for a distribution strategy, move the model_fn's "
                "body to a tf.function under strategy.scope()"
            )
        by_steps = save_checkpoints_steps not in (_UNSET, None)
        self.model_dir = model_dir
        self.tf_random_seed = tf_random_seed
        self.save_summary_steps = save_summary_steps
        self.save_checkpoints_steps = save_checkpoints_steps if by_steps else None
        if save_checkpoints_secs is _UNSET:
            # Seconds are the default, but not where steps were given, be it None: that turns saving off.
            self.save_checkpoints_secs = 600 if save_checkpoints_steps is _UNSET else None
        else:
            self.save_checkpoints_secs = save_checkpoints_secs
        self.session_config = session_config
        self.keep_checkpoint_max = keep_checkpoint_max
        self.keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self.log_step_count_steps = log_step_count_steps
        self.device_fn = device_fn
        self.protocol = protocol
        self.train_distribute = self.eval_distribute = None
        self.experimental_max_worker_delay_secs = experimental_max_worker_delay_secs
        self.session_creation_timeout_secs = session_creation_timeout_secs
        self.master = self.evaluation_master = ""
        self.is_chief = True
        self.num_worker_replicas, self.num_ps_replicas = 1, 0
        self.task_type, self.task_id, self.global_id_in_cluster = "worker", 0, 0
        self.service: Any = None

    def replace(self, **changes: Any) -> RunConfig:
        """A copy with other settings.

        Raises:
          ValueError: a name is not a setting.
        """
        unknown = sorted(set(changes) - set(vars(self)))
        if unknown:
            raise ValueError(f"Replacing {unknown[0]} is not allowed: RunConfig has no such property")
        other = copy.copy(self)
        vars(other).update(changes)
        if "save_checkpoints_steps" in changes and "save_checkpoints_secs" not in changes:
            other.save_checkpoints_secs = None
        elif "save_checkpoints_secs" in changes and "save_checkpoints_steps" not in changes:
            other.save_checkpoints_steps = None
        return other
