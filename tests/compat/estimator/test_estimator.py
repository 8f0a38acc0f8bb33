"""`compat.estimator` trains, evaluates, predicts and exports what TF 1.15's Estimator did."""

import json
import types
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.goldens import estimator_program

GOLDENS = Path(__file__).parents[2] / "goldens"


def as_tf1():
    """What the recorded program calls `tf`: the shims, and TF2 for the rest."""
    fake = types.SimpleNamespace()
    for name in ("estimator", "losses", "metrics", "train", "get_variable", "zeros_initializer"):
        setattr(fake, name, getattr(compat, name))
    return fake


def close(got, want):
    np.testing.assert_allclose(got, want, rtol=1.3e-6, atol=1e-5)


def test_it_computes_what_tf1_did(tmp_path):
    want = json.loads((GOLDENS / "estimator.json").read_text())
    got = estimator_program.run(as_tf1(), str(tmp_path))
    close(got["losses"], want["losses"])
    assert got["names"] == want["names"] and got["checkpoint"] == want["checkpoint"]
    for key in ("evaluated", "evaluated_one"):
        assert got[key].keys() == want[key].keys()
        close([got[key][name] for name in want[key]], list(want[key].values()))
    close([p["logits"] for p in got["predicted"]], [p["logits"] for p in want["predicted"]])
    close(got["kernel"], want["kernel"])


def make(tmp_path, **settings):
    config = compat.estimator.RunConfig(save_checkpoints_steps=100, **settings)
    model_fn = estimator_program.make_model_fn(as_tf1(), [])
    return compat.estimator.Estimator(model_fn, str(tmp_path), config, {"learning_rate": 0.1})


def input_fn():
    x, y = estimator_program.data()
    return tf.data.Dataset.from_tensor_slices(({"x": x}, y)).batch(8)


def test_an_exported_model_is_served_by_tensorflow_2(tmp_path):
    estimator = make(tmp_path / "model").train(input_fn)

    def receive():
        x = compat.placeholder(tf.float32, [None, 3], name="rows")
        return compat.estimator.export.ServingInputReceiver({"x": x}, {"rows": x})

    path = estimator.export_saved_model(str(tmp_path / "export"), receive)
    serve = tf.saved_model.load(path.decode()).signatures["serving_default"]
    x, _ = estimator_program.data()
    features = compat.estimator.inputs.numpy_input_fn({"x": x}, shuffle=False)
    want = [example["logits"] for example in estimator.predict(features)]
    close(serve(rows=tf.constant(x))["logits"], want)


def test_train_and_evaluate_evaluates_each_checkpoint(tmp_path):
    estimator = make(tmp_path)
    train_spec = compat.estimator.TrainSpec(lambda: input_fn().repeat(), max_steps=250)
    metrics, exported = compat.estimator.train_and_evaluate(estimator, train_spec, compat.estimator.EvalSpec(input_fn))
    assert metrics["global_step"] == 250 and exported == []
    assert estimator.latest_checkpoint().endswith("model.ckpt-250")


def test_a_tpu_estimator_without_a_tpu(tmp_path):
    tpu = compat.contrib.tpu
    seen = []

    def model_fn(features, labels, mode, params):
        seen.append(params["batch_size"])
        spec = estimator_program.make_model_fn(as_tf1(), [])(features, labels, mode, {"learning_rate": 0.1})
        metrics = (lambda logits: {"mean": compat.metrics.mean(logits)}, [spec.loss])
        return tpu.TPUEstimatorSpec(mode, loss=spec.loss, train_op=spec.train_op, eval_metrics=metrics)

    config = tpu.RunConfig(model_dir=str(tmp_path), tpu_config=tpu.TPUConfig(iterations_per_loop=10))
    estimator = tpu.TPUEstimator(model_fn, config=config, use_tpu=False, train_batch_size=8, eval_batch_size=4)
    estimator.train(lambda params: input_fn(), max_steps=2)
    assert set(estimator.evaluate(lambda params: input_fn())) == {"loss", "mean", "global_step"}
    assert seen == [8, 4]
    with pytest.raises(ValueError, match="use_tpu=False"):
        tpu.TPUEstimator(model_fn)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda e: e.train(input_fn, steps=1, max_steps=1), "both steps and max_steps"),
        (lambda e: e.train(input_fn, steps=0), "steps > 0"),
        (lambda e: e.evaluate(input_fn, steps=-1), "steps > 0"),
        (lambda e: e.export_saved_model("x", None), "find trained model"),
    ],
)
def test_wrong_use_says_what_is_wrong(tmp_path, call, says):
    with pytest.raises(ValueError, match=says):
        call(make(tmp_path))


def test_steps_and_seconds_exclude_each_other():
    with pytest.raises(ValueError, match="both"):
        compat.estimator.RunConfig(save_checkpoints_steps=1, save_checkpoints_secs=1)
    config = compat.estimator.RunConfig()
    assert (config.save_checkpoints_secs, config.save_checkpoints_steps) == (600, None)
    assert config.replace(save_checkpoints_steps=5).save_checkpoints_secs is None
    with pytest.raises(ValueError, match="nothing"):
        config.replace(nothing=1)


def test_frames_are_read_by_column():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "z"]}, index=[4, 5, 6])
    wanted = pandas.Series([7, 8, 9], index=[4, 5, 6])
    inputs = compat.estimator.inputs.pandas_input_fn

    def batch_of(**options):
        with compat.Graph().as_default(), compat.Session() as session:
            read = inputs(frame, shuffle=False, batch_size=2, num_epochs=1, **options)()
            session.run(compat.tables_initializer())
            return [session.run(read), session.run(read)]

    (features, labels), (rest, last) = batch_of(y=wanted)
    assert features["a"].tolist() == [1.0, 2.0]
    assert features["b"].tolist() == [b"x", b"y"]
    assert (labels.tolist(), rest["a"].tolist(), last.tolist()) == ([7, 8], [3.0], [9])
    assert batch_of(y=pandas.DataFrame({"a": wanted}))[1][1]["a"].tolist() == [9]
    assert batch_of()[0]["b"].tolist() == [b"x", b"y"]
    for options, says in (
        ({"y": wanted, "target_column": "a"}, "has a column of that name"),
        ({"y": wanted.reset_index(drop=True)}, "mismatched"),
    ):
        with pytest.raises(ValueError, match=says):
            inputs(frame, shuffle=False, **options)
    with pytest.raises(TypeError, match="must be a string"):
        inputs(frame, shuffle=False, target_column=3)


def test_modes_of_contrib_learn_are_those_of_estimators():
    keys, modes = compat.contrib.learn.ModeKeys, compat.estimator.ModeKeys
    assert (keys.TRAIN, keys.EVAL, keys.INFER) == (modes.TRAIN, modes.EVAL, modes.PREDICT)
    keys.validate("infer")
    with pytest.raises(ValueError, match="Invalid mode predict"):
        keys.validate("predict")


def test_what_is_exported_is_loaded_into_a_session_as_in_tf1(tmp_path):
    def model_fn(features, labels, mode):
        words = compat.contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]))
        known = tf.cast(words.lookup(features["word"]), tf.float32)
        w = compat.get_variable("w", initializer=np.float32(2.0))
        y = tf.cond(tf.reduce_sum(known) > 0.5, lambda: known * w, lambda: known - w)
        if mode == compat.estimator.ModeKeys.PREDICT:
            return compat.estimator.EstimatorSpec(mode, predictions={"y": y})
        step = compat.train.get_global_step()
        op = compat.train.GradientDescentOptimizer(0.25).minimize(tf.square(w), step)
        return compat.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(y), train_op=op)

    def receiver():
        word = compat.placeholder(tf.string, [None])
        return compat.estimator.export.ServingInputReceiver({"word": word}, {"word": word})

    model = compat.estimator.Estimator(model_fn, str(tmp_path / "model"))
    inputs = compat.estimator.inputs.numpy_input_fn
    model.train(inputs({"word": np.array(["a", "b"])}, num_epochs=None, shuffle=False), steps=1)
    words = {"word": np.array(["b", "a", "b"])}
    want = [example["y"] for example in model.predict(inputs(words, shuffle=False))]
    folders = [model.export_saved_model(str(tmp_path / name), receiver).decode() for name in ("one", "two")]
    for folder in folders:
        with compat.Graph().as_default(), compat.Session() as session:
            meta = compat.saved_model.loader.load(session, [compat.saved_model.SERVING], folder)
            signature = meta.signature_def["serving_default"]
            fed = {signature.inputs["word"].name: words["word"]}
            assert session.run(signature.outputs["y"].name, fed).tolist() == want == [1.0, 0.0, 1.0]


def test_results_of_signatures() -> None:
    export = compat.estimator.export
    scores, classes = tf.constant([[0.25, 0.75]]), tf.constant([["a", "b"]])
    found = export.ClassificationOutput(scores=scores, classes=classes)
    assert isinstance(found, export.ExportOutput) and found.outputs == {"scores": scores, "classes": classes}
    assert export.ClassificationOutput(scores=scores).outputs == {"scores": scores}
    assert export.RegressionOutput(scores).outputs == {"outputs": scores}
    with pytest.raises(ValueError, match="At least one of scores and classes"):
        export.ClassificationOutput()


def test_an_exporter_of_a_user() -> None:
    class Nothing(compat.estimator.Exporter):
        name = "nothing"

        def export(self, *arguments: object, **options: object) -> None:
            return None

    assert Nothing().export("estimator", "path", "checkpoint", {}, True) is None
    with pytest.raises(TypeError, match="abstract"):
        compat.estimator.Exporter()


def test_what_needs_a_tpu_says_so() -> None:
    with pytest.raises(ValueError, match="CrossShardOptimizer"):
        compat.contrib.tpu.CrossShardOptimizer(compat.train.GradientDescentOptimizer(0.1))
    assert (
        compat.contrib.tpu.TPUConfig().per_host_input_for_training == compat.contrib.tpu.InputPipelineConfig.PER_HOST_V1
    )


def test_hooks_find_the_loss_among_the_losses(tmp_path):
    found = []

    class Total(compat.train.SessionRunHook):
        def begin(self):
            found.append([tensor.op.name for tensor in compat.losses.get_losses()])

    make(tmp_path).train(input_fn, hooks=[Total()], steps=1)
    # TF 1.15's Estimator put the loss of the model there once more.
    assert len(found[0]) >= 1 and found[0][-1] in found[0][:-1]
