"""`Estimator` of TF 1.15 over bridge graphs: one graph a mode, checkpoints under TF1's names."""

from __future__ import annotations

import copy
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from .. import logging, metrics, summary, train
from ..bridge.functions import as_function
from ..bridge.graph import Graph
from ..random import set_random_seed
from ..train.checkpoint_reader import load_checkpoint
from ..variables import GraphKeys, add_to_collection, get_collection
from .export import save, signatures, start_of_tables
from .input import accepted, call_input_fn
from .run_config import RunConfig
from .spec import LOSS_KEY, EstimatorSpec, ModeKeys
from .warm_start import WarmStartSettings, settings_from, warm_start

_RESERVED = {"features", "labels", "mode", "params", "config"}


class Estimator:
    """Trains, evaluates, predicts and exports a model; stands for `tf.estimator.Estimator` of TF 1.15.

    Args:
      model_fn: builds the model for a mode. Takes `features` and any of `labels`, `mode`, `params`, `config`.
      model_dir: where checkpoints and summaries go; `config.model_dir`, else a new temporary folder.
      config: a `RunConfig`.
      params: a dictionary, or an object such as `HParams`: copies go to `model_fn` and to `input_fn`s that take them.
      warm_start_from: a checkpoint, a folder of such, or `WarmStartSettings`, to take initial values from where
        `model_dir` has no checkpoint yet.

    Raises:
      ValueError: `model_fn` takes no features, or `model_dir` and `config.model_dir` differ.
    """

    def __init__(
        self,
        model_fn: Callable[..., EstimatorSpec],
        model_dir: str | None = None,
        config: RunConfig | None = None,
        params: Any = None,
        warm_start_from: str | WarmStartSettings | None = None,
    ) -> None:
        if not accepted(model_fn, dict.fromkeys(_RESERVED)):
            raise ValueError(f"model_fn ({model_fn}) must include features argument.")
        config = config or RunConfig()
        if model_dir and config.model_dir and model_dir != config.model_dir:
            raise ValueError(
                f"model_dir are set both in constructor and RunConfig, but with different values: {model_dir}, "
                f"{config.model_dir}"
            )
        folder = model_dir or config.model_dir or tempfile.mkdtemp()
        self._config = config if config.model_dir == folder else config.replace(model_dir=folder)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = settings_from(warm_start_from)

    @property
    def config(self) -> RunConfig:
        """The settings."""
        return self._config

    @property
    def params(self) -> Any:
        """A copy of the parameters."""
        return copy.deepcopy(self._params)

    @property
    def model_dir(self) -> str:
        """Where checkpoints and summaries go."""
        return str(self._config.model_dir)

    @property
    def model_fn(self) -> Callable[..., EstimatorSpec]:
        """What builds the model: takes features, labels, mode and config, and gives an `EstimatorSpec`."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    @property
    def warm_start_settings(self) -> WarmStartSettings | None:
        """Where initial values come from."""
        return self._warm_start_settings

    def eval_dir(self, name: str | None = None) -> str:
        """Where the summaries of evaluations go, of those called `name`."""
        return os.path.join(self.model_dir, f"eval_{name}" if name else "eval")

    def latest_checkpoint(self) -> str | None:
        """The path of the last checkpoint in `model_dir`, or None."""
        return train.latest_checkpoint(self.model_dir)

    def get_variable_names(self) -> list[str]:
        """Names of the variables in the last checkpoint."""
        return [name for name, _ in train.list_variables(self.model_dir)]

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable in the last checkpoint."""
        return load_checkpoint(self.model_dir).get_tensor(name)

    # -- training -----------------------------------------------------------------------------------------------------

    def train(
        self,
        input_fn: Callable[..., Any],
        hooks: Sequence[Any] | None = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Sequence[Any] | None = None,
    ) -> Estimator:
        """Trains until the input ends, or for `steps` more steps, or until step `max_steps`.

        Raises:
          ValueError: both `steps` and `max_steps` are given, or one is not positive.
          compat.train.NanLossDuringTrainingError: the loss became NaN.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, number in (("steps", steps), ("max_steps", max_steps)):
            if number is not None and number <= 0:
                raise ValueError(f"Must specify {name} > 0, given: {number}")
        if max_steps is not None and self._step_of(self.latest_checkpoint()) >= max_steps:
            logging.info("Skipping training since max_steps has already saved.")
            return self
        stop = [train.StopAtStepHook(steps, max_steps)] if steps or max_steps else []
        with Graph().as_default():
            set_random_seed(self._config.tf_random_seed)
            step = train.get_or_create_global_step()
            features, labels = self._input(input_fn, ModeKeys.TRAIN)
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN)
            if self._warm_start_settings and not self.latest_checkpoint():
                warm_start(self._warm_start_settings)
            self._run_training(spec, step, [*(hooks or ()), *stop], saving_listeners)
        return self

    def _run_training(self, spec: EstimatorSpec, step: Any, hooks: list[Any], listeners: Any) -> None:
        config = self._config
        if not any(tensor.op.name == LOSS_KEY for tensor in get_collection(GraphKeys.SUMMARIES)):
            summary.scalar(LOSS_KEY, spec.loss)
        add_to_collection(GraphKeys.LOSSES, spec.loss)
        scaffold = spec.scaffold or train.Scaffold()
        if scaffold.saver is None and not get_collection(GraphKeys.SAVERS):
            add_to_collection(GraphKeys.SAVERS, self._saver())
        every = config.log_step_count_steps
        log = [train.LoggingTensorHook({LOSS_KEY: spec.loss, "step": step}, every)] if every else []
        chief_hooks = [*spec.training_chief_hooks]
        saves = config.save_checkpoints_secs or config.save_checkpoints_steps
        if saves and not any(isinstance(hook, train.CheckpointSaverHook) for hook in [*hooks, *spec.training_hooks]):
            chief_hooks.append(
                train.CheckpointSaverHook(
                    self.model_dir,
                    save_secs=config.save_checkpoints_secs,
                    save_steps=config.save_checkpoints_steps,
                    scaffold=scaffold,
                    listeners=list(listeners or ()),
                )
            )
        with train.MonitoredTrainingSession(
            checkpoint_dir=self.model_dir,
            scaffold=scaffold,
            hooks=[*hooks, train.NanTensorHook(spec.loss), *log, *spec.training_hooks],
            chief_only_hooks=chief_hooks,
            save_checkpoint_secs=None,
            save_checkpoint_steps=None,
            save_summaries_steps=config.save_summary_steps,
            config=config.session_config,
            log_step_count_steps=every,
        ) as session:
            loss = None
            while not session.should_stop():
                _, loss = session.run([spec.train_op, spec.loss])
        logging.info("Loss for final step: %s.", loss)

    # -- evaluation ---------------------------------------------------------------------------------------------------

    def evaluate(
        self,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Sequence[Any] | None = None,
        checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Metrics of the model over `steps` batches, or all; also written as summaries to `model_dir/eval[_name]`.

        Returns:
          Metric name -> value, with `loss` and `global_step`.

        Raises:
          ValueError: `steps` is not positive.
        """
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        path = checkpoint_path or self.latest_checkpoint()
        with Graph().as_default():
            set_random_seed(self._config.tf_random_seed)
            step = train.get_or_create_global_step()
            features, labels = self._input(input_fn, ModeKeys.EVAL)
            spec = self._call_model_fn(features, labels, ModeKeys.EVAL)
            values, updates = _metric_ops(spec)
            values["global_step"] = step
            with self._session(spec, path, [*(hooks or ()), *spec.evaluation_hooks]) as session:
                done = 0
                while (steps is None or done < steps) and not session.should_stop():
                    try:
                        session.run(updates)
                    except tf.errors.OutOfRangeError:
                        break
                    done += 1
                results = session.raw_session().run(values)
        self._write_results(results, self.eval_dir(name))
        return {key: results[key] for key in (*sorted(results.keys() - {"global_step"}), "global_step")}

    def _write_results(self, results: Mapping[str, Any], folder: str) -> None:
        step = int(results["global_step"])
        text = ", ".join(f"{key} = {results[key]}" for key in sorted(results))
        logging.info("Saving dict for global step %d: %s", step, text)
        values = [
            summary.Summary.Value(tag=key, simple_value=float(value))
            for key, value in results.items()
            if key != "global_step" and np.ndim(value) == 0 and np.asarray(value).dtype.kind in "fiu"
        ]
        with summary.FileWriter(folder) as writer:
            writer.add_summary(summary.Summary(value=values), step)

    # -- prediction ---------------------------------------------------------------------------------------------------

    def predict(
        self,
        input_fn: Callable[..., Any],
        predict_keys: str | Sequence[str] | None = None,
        hooks: Sequence[Any] | None = None,
        checkpoint_path: str | None = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Yields predictions, one an example, or one a batch when `yield_single_examples` is False.

        Raises:
          ValueError: a key is unknown, or the batches of predictions have different lengths.
        """
        path = checkpoint_path or self.latest_checkpoint()
        with Graph().as_default():
            set_random_seed(self._config.tf_random_seed)
            train.get_or_create_global_step()
            features, _ = self._input(input_fn, ModeKeys.PREDICT)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT)
            predictions = _chosen(spec.predictions, predict_keys)
            monitored = self._session(spec, path, [*(hooks or ()), *spec.prediction_hooks])
        with monitored as session:
            while not session.should_stop():
                try:
                    batch = session.run(predictions)
                except tf.errors.OutOfRangeError:
                    return
                if yield_single_examples:
                    yield from _examples(batch)
                else:
                    yield batch

    # -- export -------------------------------------------------------------------------------------------------------

    def export_saved_model(
        self,
        export_dir_base: str,
        serving_input_receiver_fn: Callable[[], Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:
        """Saves the model as a TF2 SavedModel in a new folder, named by the time, of `export_dir_base`.

        Args:
          export_dir_base: the folder to make it in.
          serving_input_receiver_fn: gives a `ServingInputReceiver`.
          assets_extra: path below `assets.extra` -> file to copy there.
          as_text: only False: TF2 writes SavedModels in binary.
          checkpoint_path: the checkpoint; the last one when None.
          experimental_mode: only prediction.

        Returns:
          The path of the folder.

        Raises:
          ValueError: there is no checkpoint, or an argument asks for what TF2 does not do.
        """
        if as_text or experimental_mode != ModeKeys.PREDICT:
            raise ValueError("compat exports the prediction mode, in binary: as_text and other modes are not supported")
        path = checkpoint_path or self.latest_checkpoint()
        if not path:
            raise ValueError(f"Couldn't find trained model at {self.model_dir}.")
        folder = os.path.join(os.fsdecode(export_dir_base), str(int(time.time())))
        while os.path.exists(folder):
            folder = os.path.join(os.path.dirname(folder), str(int(os.path.basename(folder)) + 1))
        with Graph().as_default() as graph:
            train.get_or_create_global_step()
            receiver = serving_input_receiver_fn()
            spec = self._call_model_fn(receiver.features, None, ModeKeys.PREDICT)
            received = receiver.receiver_tensors
            inputs = dict(received) if isinstance(received, Mapping) else {"input": received}
            outputs = signatures(spec.export_outputs, spec.predictions)
            start = start_of_tables()
            with self._session(spec, path, []):
                pass
            functions = {name: as_function(graph, inputs, output.outputs) for name, output in outputs.items()}
            starts = [as_function(graph, {}, {"started": start})] if start is not None else []
        save(folder, graph, functions, starts, assets_extra or {})
        return os.fsencode(folder)

    def export_savedmodel(
        self, export_dir_base: str, serving_input_receiver_fn: Any, *args: Any, **kwargs: Any
    ) -> bytes:
        """`export_saved_model` under its older name."""
        kwargs.pop("strip_default_attrs", None)
        return self.export_saved_model(export_dir_base, serving_input_receiver_fn, *args, **kwargs)

    # -- what the modes share -----------------------------------------------------------------------------------------

    def _input(self, input_fn: Callable[..., Any], mode: str) -> tuple[Any, Any]:
        return call_input_fn(input_fn, mode=mode, params=self._parameters(mode), config=self._config)

    def _parameters(self, mode: str) -> Any:
        """The parameters that the functions of the user are called with."""
        del mode
        return self.params

    def _finish_spec(self, spec: Any) -> Any:
        """An `EstimatorSpec` from what the model function gave."""
        return spec

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any = None) -> EstimatorSpec:
        config = config or self._config
        available = {"labels": labels, "mode": mode, "params": self._parameters(mode), "config": config}
        arguments = accepted(self._model_fn, available)
        if labels is not None and "labels" not in arguments:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        spec = self._finish_spec(self._model_fn(features, **arguments))
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _saver(self) -> Any:
        config = self._config
        return train.Saver(
            max_to_keep=config.keep_checkpoint_max,
            keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
            defer_build=True,
        )

    def _session(self, spec: EstimatorSpec, path: str | None, hooks: Sequence[Any]) -> Any:
        return train.SingularMonitoredSession(
            hooks, spec.scaffold, config=self._config.session_config, checkpoint_filename_with_path=path
        )

    def _step_of(self, path: str | None) -> int:
        return int(load_checkpoint(path).get_tensor(GraphKeys.GLOBAL_STEP)) if path else 0


def _metric_ops(spec: EstimatorSpec) -> tuple[dict[str, Any], tf.Operation]:
    """Metric values by name, and the operation that takes one batch into all of them."""
    pairs = dict(spec.eval_metric_ops)
    pairs[LOSS_KEY] = metrics.mean(spec.loss)
    values = {name: value for name, (value, _) in pairs.items()}
    return values, tf.group(*[update for _, update in pairs.values()])


def _chosen(predictions: Any, keys: str | Sequence[str] | None) -> Any:
    if keys is None:
        return predictions
    if not isinstance(predictions, Mapping):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    wanted = [keys] if isinstance(keys, str) else list(keys)
    chosen = {key: tensor for key, tensor in predictions.items() if key in wanted}
    if not chosen:
        raise ValueError(f"Expected to run at least one output from {list(predictions)}, provided {wanted}.")
    return chosen


def _examples(batch: Any) -> Iterator[Any]:
    if not isinstance(batch, Mapping):
        yield from batch
        return
    lengths = {len(values) for values in batch.values()}
    if len(lengths) > 1:
        raise ValueError(f"Batch length of predictions should be same, but they are {sorted(lengths)}")
    for index in range(lengths.pop()):
        yield {key: values[index] for key, values in batch.items()}
