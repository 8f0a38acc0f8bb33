"""Settings of a `TPUEstimator`; those of the TPU itself are kept and not used."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...estimator.run_config import RunConfig as EstimatorRunConfig


class InputPipelineConfig:
    """How input was dealt out to TPU hosts; `tf.contrib.tpu.InputPipelineConfig` of TF 1.15."""

    PER_SHARD_V1, PER_HOST_V1, PER_HOST_V2, BROADCAST, SLICED = 1, 2, 3, 4, 5


class TPUConfig(NamedTuple):
    """Settings of a TPU; `tf.contrib.tpu.TPUConfig` of TF 1.15. Without a TPU none has an effect."""

    iterations_per_loop: int = 2
    num_shards: int | None = None
    num_cores_per_replica: int | None = None
    per_host_input_for_training: Any = InputPipelineConfig.PER_HOST_V1
    tpu_job_name: str | None = None
    initial_infeed_sleep_secs: int | None = None
    input_partition_dims: Any = None
    eval_training_input_configuration: int = InputPipelineConfig.PER_HOST_V1
    experimental_host_call_every_n_steps: int = 1


class RunConfig(EstimatorRunConfig):
    """Settings of a `TPUEstimator`; stands for `tf.contrib.tpu.RunConfig` of TF 1.15.

    Args:
      tpu_config: a `TPUConfig`.
      evaluation_master, master: only empty: there is no TPU to connect to.
      cluster: only None.
      **kwargs: settings of `compat.estimator.RunConfig`.

    Raises:
      ValueError: a master or cluster is given.
    """

    def __init__(
        self,
        tpu_config: TPUConfig | None = None,
        evaluation_master: str | None = None,
        master: str | None = None,
        cluster: Any = None,
        **kwargs: Any,
    ) -> None:
        if master or evaluation_master or cluster:
            raise ValueError(
                "compat.contrib.tpu runs without a TPU: for one, move the model to tf.distribute.TPUStrategy"
            )
        super().__init__(**kwargs)
        self.tpu_config = tpu_config or TPUConfig()
        self.cluster = None
