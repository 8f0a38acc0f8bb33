"""`train_and_evaluate`, exporters and warm starts, as recorded from real TF 1.15.5."""

import json
from pathlib import Path

import numpy as np
import pytest

import compat
from tests.goldens import estimator_loop_program, recovery_program

GOLDENS = Path(__file__).parents[2] / "goldens"

WANT = json.loads((GOLDENS / "estimator_loop.json").read_text())
TF = recovery_program.Shims()
RECEIVER = compat.estimator.export.build_raw_serving_input_receiver_fn({})


@pytest.mark.usefixtures("cpu")
@pytest.mark.parametrize(("name", "throttle"), [("each", 0), ("throttled", 600)])
def test_checkpoints_are_evaluated_and_exported_as_in_tf1(name, throttle, tmp_path):
    got, want = estimator_loop_program.train_and_evaluate(TF, str(tmp_path), throttle), WANT[name]
    for key in ("exports", "kept", "given", "again"):
        assert got[key] == want[key], key
    np.testing.assert_allclose(got["evaluations"], want["evaluations"], rtol=1e-6)
    assert got["metrics"].keys() == want["metrics"].keys()


@pytest.mark.usefixtures("cpu")
def test_training_stops_where_tf1_stopped_it(tmp_path):
    got = estimator_loop_program.early_stopping(TF, str(tmp_path))
    for name, want in WANT["early_stopping"].items():
        metrics = got[name].pop("metrics")
        assert got[name] == {key: value for key, value in want.items() if key != "metrics"}, name
        for key, value in want["metrics"].items():
            np.testing.assert_allclose(metrics[key], value, rtol=1e-6, err_msg=f"{name}: {key}")


def test_wrong_hooks_of_early_stopping_are_refused(tmp_path):
    model = compat.estimator.Estimator(lambda features: None, str(tmp_path))
    make = compat.estimator.experimental.make_early_stopping_hook
    with pytest.raises(ValueError, match="Only one of"):
        make(model, lambda: True, run_every_secs=3, run_every_steps=2)
    with pytest.raises(TypeError, match="must have type"):
        make("model", lambda: True)
    with pytest.raises(TypeError, match="must be callable"):
        make(model, True)
    assert make(model, lambda: True)
    stop = compat.estimator.experimental.make_stop_at_checkpoint_step_hook(model, 5)
    assert isinstance(stop, compat.train.StopAtStepHook)


def test_an_interrupted_run_remembers_its_best_result(tmp_path):
    with compat.summary.FileWriter(str(tmp_path / "eval")) as writer:
        for loss in (0.7, 0.5):
            value = compat.summary.Summary.Value(tag="loss", simple_value=loss)
            writer.add_summary(compat.summary.Summary(value=[value]), 1)
    exported = []

    class Model:
        model_dir = str(tmp_path)

        def export_saved_model(self, folder, *arguments, checkpoint_path):
            (tmp_path / "export").mkdir(exist_ok=True)
            exported.append(checkpoint_path)

    exporter = compat.estimator.BestExporter("best", RECEIVER)
    for path, loss in (("a", 0.6), ("b", 0.4), ("c", 0.45)):
        exporter.export(Model(), str(tmp_path / "export"), path, {"loss": loss}, False)
    assert exported == ["b"]


def test_warm_starts_give_tf1s_values(tmp_path):
    got = estimator_loop_program.warm_start(TF, str(tmp_path))
    for values, want in zip(got, WANT["warm_start"], strict=True):
        assert values.keys() == want.keys()
        for name, value in want.items():
            np.testing.assert_allclose(values[name], value, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("name", ["var_name_to_vocab_info", "var_name_to_prev_var_name"])
def test_a_name_that_no_variable_has_is_an_error(name, tmp_path, graph):
    compat.get_variable("w", [2])
    with pytest.raises(ValueError, match=f"{name}.*not used.*'v'"):
        compat.train.warm_start(str(tmp_path), **{name: {"v": None}})


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: compat.estimator.LatestExporter("a", RECEIVER, exports_to_keep=0), "positive"),
        (lambda: compat.estimator.BestExporter("a", RECEIVER, compare_fn=None), "must not be None"),
        (lambda: compat.estimator.BestExporter("a", RECEIVER, compare_fn=lambda a, b: True), "best_eval_result"),
        (lambda: compat.estimator.Estimator(lambda features: None, warm_start_from=3), "warm_start_from must be"),
    ],
)
def test_wrong_settings_say_what_is_wrong(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_exporters_are_checked_before_anything_is_trained():
    exporter = compat.estimator.FinalExporter("one", RECEIVER)
    train_spec = compat.estimator.TrainSpec(lambda: None, max_steps=1)
    for exporters, error in (([exporter, exporter], ValueError), ([None], TypeError)):
        with pytest.raises(error, match="exporters"):
            compat.estimator.train_and_evaluate(
                None, train_spec, compat.estimator.EvalSpec(lambda: None, exporters=exporters)
            )
