"""Making and running an `Experiment`: `tf.contrib.learn.learn_runner` of TF 1.15."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..training.hparams import HParams
from .experiment import Experiment
from .run_config import RunConfig


def run(
    experiment_fn: Callable[..., Experiment],
    output_dir: str | None = None,
    schedule: str | None = None,
    run_config: RunConfig | None = None,
    hparams: HParams | None = None,
) -> Any:
    """Makes an experiment and runs one of its schedules; stands for `tf.contrib.learn.learn_runner.run` of TF 1.15.

    Args:
      experiment_fn: makes the `Experiment`, from `output_dir` alone or from `run_config` and `hparams`.
      output_dir: where checkpoints go; excludes `run_config`.
      schedule: the name of a method of `Experiment`; "train_and_evaluate" when None.
      run_config: the estimator's settings, with a `model_dir`.
      hparams: passed on; only with `run_config`.

    Returns:
      What the schedule gives.

    Raises:
      ValueError: an argument is missing or one too many, or there is no such schedule.
      TypeError: something cannot be called, or `experiment_fn` made no `Experiment`.
      RuntimeError: the estimator has other settings than `run_config`.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    if run_config is not None:
        experiment = _from_settings(experiment_fn, run_config, hparams)
    else:
        experiment = _from_folder(experiment_fn, output_dir, hparams)
    chosen = schedule or "train_and_evaluate"
    task = getattr(experiment, chosen, None)
    if task is None:
        raise ValueError(f"Schedule references non-existent task {chosen}")
    if not callable(task):
        raise TypeError(f"Schedule references non-callable member {chosen}")
    return task()


def _from_folder(experiment_fn: Callable[..., Experiment], folder: str | None, hparams: Any) -> Experiment:
    if not folder:
        raise ValueError("Must specify an output directory")
    if hparams is not None:
        raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
    return _checked(experiment_fn(output_dir=folder))


def _from_settings(experiment_fn: Callable[..., Experiment], config: Any, hparams: Any) -> Experiment:
    if not isinstance(config, RunConfig):
        raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
    if not config.model_dir:
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
    if hparams is not None and not isinstance(hparams, HParams):
        raise ValueError("`hparams` must be `HParams` instance")
    wanted = config.uid()
    experiment = _checked(experiment_fn(config, hparams))
    found = experiment.estimator.config
    if not isinstance(found, RunConfig) or found.uid() != wanted:
        raise RuntimeError(
            "`RunConfig` instance is expected to be used by the `Estimator` inside the `Experiment`: pass the "
            "`run_config` of `experiment_fn` to it as `config`."
        )
    return experiment


def _checked(experiment: Any) -> Experiment:
    if not isinstance(experiment, Experiment):
        raise TypeError(f"Experiment builder did not return an Experiment instance, got {type(experiment)} instead.")
    return experiment
