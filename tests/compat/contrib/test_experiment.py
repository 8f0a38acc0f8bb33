"""`tf.contrib.learn`'s experiments: the evaluations, exports and values that real TF 1.15.5 gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compat
from compat.contrib import learn
from tests.goldens import experiment_program, recovery_program

GOLDENS = Path(__file__).parents[2] / "goldens"

WANT = json.loads((GOLDENS / "experiment.json").read_text())
TF = recovery_program.Shims()


@pytest.mark.parametrize("name", WANT)
def test_a_schedule_does_what_it_did_in_tf1(name: str, tmp_path: Path) -> None:
    got, want = experiment_program.run_schedule(TF, str(tmp_path), name), WANT[name]
    for key in ("exports", "kept", "checkpoints"):
        assert got[key] == want[key], key
    assert [row[:2] for row in got["evaluations"]] == [row[:2] for row in want["evaluations"]]
    np.testing.assert_allclose([row[2] for row in got["evaluations"]], [row[2] for row in want["evaluations"]], 1e-6)
    np.testing.assert_allclose(got["w"], want["w"], rtol=1e-6)
    assert got["result"] == (want["result"] and pytest.approx(want["result"], rel=1e-6))


def experiment(folder: Any, **settings: Any) -> learn.Experiment:
    config = learn.RunConfig(model_dir=str(folder), save_checkpoints_steps=3)
    hparams = compat.contrib.training.HParams(rate=0.05)
    return experiment_program.experiment_of(TF, config, hparams, [], [], **settings)


def test_evaluations_of_what_another_process_trains_end_with_the_last_step(tmp_path: Path) -> None:
    trained = experiment(tmp_path)
    trained.train()
    seen: list[Any] = []

    def goes_on(metrics: Any, checkpoint_path: Any) -> bool:
        seen.append((metrics and int(metrics["global_step"]), checkpoint_path))
        return True

    trained.continuous_eval(0, 0, continuous_eval_predicate_fn=goes_on)
    last = str(tmp_path / f"model.ckpt-{experiment_program.STEPS}")
    assert seen == [(None, None), (experiment_program.STEPS, last)]
    assert (tmp_path / "eval_continuous").is_dir() and len(list((tmp_path / "export" / "Servo").iterdir())) == 1
    data = experiment_program.data(TF, None)
    two_batches = learn.Experiment(trained.estimator, data, data, train_steps=experiment_program.STEPS, eval_steps=2)
    two_batches.continuous_eval_on_train_data(0, 0)
    assert (tmp_path / "eval_continuous_on_train_data").is_dir()


def test_a_predicate_ends_the_turns(tmp_path: Path) -> None:
    in_turns = experiment(tmp_path, train_steps_per_iteration=2)
    metrics, _ = in_turns.continuous_train_and_eval(lambda metrics: not metrics or metrics["global_step"] < 4)
    assert metrics["global_step"] == 4


def test_hooks_and_strategies_change(tmp_path: Path) -> None:
    changed = experiment(tmp_path)
    before = changed.reset_export_strategies()
    assert [strategy.name for strategy in before] == ["counter", "Servo"]
    changed.extend_train_hooks([compat.train.StopAtStepHook(last_step=4)])
    metrics, exported = changed.train_and_evaluate()
    assert (metrics["global_step"], exported) == (4, [])


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"eval_metrics": {}}, "must be `None`"),
        ({"train_steps_per_iteration": 2.5}, "must be an integer"),
        ({"export_strategies": ["best"]}, "must be an ExportStrategy"),
    ],
)
def test_wrong_settings_say_what_is_wrong(settings: Any, says: str, tmp_path: Path) -> None:
    estimator = experiment(tmp_path).estimator
    with pytest.raises(ValueError, match=says):
        learn.Experiment(estimator, lambda: None, lambda: None, **settings)


def test_only_estimators_are_taken() -> None:
    with pytest.raises(ValueError, match=r"must be a `compat\.estimator\.Estimator`"):
        learn.Experiment(object(), lambda: None, lambda: None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({}, ValueError, "Must set value for"),
        ({"output_dir": "x", "run_config": learn.RunConfig(model_dir="x")}, ValueError, "Cannot provide both"),
        ({"output_dir": ""}, ValueError, "Must specify an output directory"),
        ({"output_dir": "x", "hparams": compat.contrib.training.HParams()}, ValueError, "Must set `hparams` as None"),
        ({"run_config": compat.estimator.RunConfig("x")}, ValueError, "must be `tf.contrib.learn.RunConfig`"),
        ({"run_config": learn.RunConfig()}, ValueError, "Must specify a model directory"),
        ({"run_config": learn.RunConfig(model_dir="x"), "hparams": {}}, ValueError, "must be `HParams`"),
    ],
)
def test_a_runner_says_what_is_wrong(arguments: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        learn.learn_runner.run(lambda **_: None, **arguments)


def test_a_runner_checks_what_was_made(tmp_path: Path) -> None:
    made = experiment(tmp_path)
    with pytest.raises(TypeError, match="did not return an Experiment"):
        learn.learn_runner.run(lambda output_dir: None, output_dir=str(tmp_path))
    with pytest.raises(ValueError, match="non-existent task learn"):
        learn.learn_runner.run(lambda output_dir: made, output_dir=str(tmp_path), schedule="learn")
    with pytest.raises(TypeError, match="non-callable member train_steps"):
        learn.learn_runner.run(lambda output_dir: made, output_dir=str(tmp_path), schedule="train_steps")
    other = learn.RunConfig(model_dir=str(tmp_path / "other"))
    with pytest.raises(RuntimeError, match="is expected to be used by the `Estimator`"):
        learn.learn_runner.run(lambda config, hparams: made, run_config=other)
    with pytest.raises(ValueError, match=r"tf\.distribute"):
        made.run_std_server()


def test_settings_are_equal_but_for_what_programs_change() -> None:
    config = learn.RunConfig(model_dir="x", save_checkpoints_secs=None)
    assert config.save_checkpoints_secs is None and learn.RunConfig().save_checkpoints_secs == 600
    assert config.uid() == config.replace(save_checkpoints_steps=7, tf_random_seed=1).uid()
    assert config.uid() != config.replace(model_dir="y").uid() != config.replace(model_dir="y").uid(whitelist=[])
    with pytest.raises(ValueError, match=r"tf\.distribute"):
        learn.RunConfig(master="grpc://here:2222")


def test_a_strategy_gives_its_function_what_it_takes() -> None:
    assert (
        learn.ExportStrategy("one", lambda estimator, export_path: export_path).export(None, "here", "a", {}) == "here"
    )
    takes = learn.ExportStrategy("two", lambda estimator, export_path, eval_result: 0)
    with pytest.raises(ValueError, match="must also accept checkpoint_path"):
        takes.export(None, "here")
