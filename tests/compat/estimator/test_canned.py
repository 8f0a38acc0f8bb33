"""Linear, deep and combined estimators train, evaluate and predict to TF 1.15.5's numbers."""

import json
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import compat
from tests.goldens import canned_program, recovery_program

GOLDENS = Path(__file__).parents[2] / "goldens"

WANT = json.loads((GOLDENS / "canned.json").read_text())
TF = recovery_program.Shims()


def close(got, want, what):
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6, err_msg=what)


@pytest.mark.parametrize("name", [name for name in WANT if name != "layers"])
def test_it_trains_as_tf1_did(name, tmp_path):
    make, kind = canned_program.estimators(TF)[name]
    got, want = canned_program.train(TF, make, kind, str(tmp_path)), WANT[name]
    assert got["summaries"] == want["summaries"]
    for part in ("variables", "metrics"):
        assert got[part].keys() == want[part].keys()
        for key, value in want[part].items():
            close(got[part][key], value, key)
    for example, expected in zip(got["predicted"], want["predicted"], strict=True):
        assert example.keys() == expected.keys()
        for key, value in expected.items():
            if isinstance(value[0], str):
                assert example[key] == value
            else:
                close(example[key], value, key)


def test_a_classifier_is_exported_with_its_words(tmp_path):
    columns = canned_program.columns(TF)["wide"]
    features = canned_program.examples(TF)
    labels = canned_program.labels_of("words", features)
    model = compat.estimator.LinearClassifier(columns, str(tmp_path / "model"), label_vocabulary=["no", "yes"])
    inputs = compat.estimator.inputs.numpy_input_fn
    model.train(inputs(features, labels, 12, None, shuffle=False), steps=3)
    spec = {**tf.feature_column.make_parse_example_spec(columns), "kind": tf.io.VarLenFeature(tf.int64)}
    receiver = compat.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    loaded = tf.saved_model.load(model.export_saved_model(str(tmp_path / "export"), receiver).decode())
    assert set(loaded.signatures) == {"serving_default", "classification", "regression", "predict"}
    served = loaded.signatures["predict"](examples=tf.constant([serialized(features, i) for i in range(3)]))
    predicted = list(model.predict(inputs(features, batch_size=4, shuffle=False)))[:3]
    close(served["probabilities"], [example["probabilities"] for example in predicted], "probabilities")
    assert served["classes"].numpy().tolist() == [example["classes"].tolist() for example in predicted]


def serialized(features, index):
    def feature(value):
        if value.dtype.kind == "f":
            return tf.train.Feature(float_list=tf.train.FloatList(value=value))
        if value.dtype.kind == "i":
            return tf.train.Feature(int64_list=tf.train.Int64List(value=value))
        words = [word if isinstance(word, bytes) else word.encode() for word in value]
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=words))

    values = {name: feature(array[index]) for name, array in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=values)).SerializeToString()


def column():
    return [tf.feature_column.numeric_column("x")]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: compat.estimator.LinearClassifier(column(), n_classes=1), "n_classes must be > 2"),
        (lambda: compat.estimator.LinearRegressor(column(), label_dimension=0), "label_dimension"),
        (lambda: compat.estimator.LinearRegressor(column(), loss_reduction="none"), "loss_reduction"),
        (lambda: compat.estimator.DNNLinearCombinedRegressor(), "must be defined"),
        (lambda: compat.estimator.DNNLinearCombinedRegressor(dnn_feature_columns=column()), "dnn_hidden_units"),
    ],
)
def test_wrong_settings_say_what_is_wrong(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_metrics_are_added_and_replaced(tmp_path):
    inputs = compat.estimator.inputs.numpy_input_fn({"x": np.ones([4, 1])}, np.array([0, 1, 1, 1]), shuffle=False)
    model = compat.estimator.LinearClassifier(column(), str(tmp_path)).train(inputs)

    def more(features, labels, predictions):
        tripled = compat.metrics.mean(features["x"] * 3.0)
        return {"tripled": tripled, "accuracy": compat.metrics.mean(predictions["logistic"] * 0.0 + 7.0)}

    before, after = model.evaluate(inputs), compat.estimator.add_metrics(model, more).evaluate(inputs)
    assert after == {**before, "tripled": 3.0, "accuracy": 7.0}
    with pytest.raises(ValueError, match="must take predictions"):
        compat.estimator.add_metrics(model, lambda config: {})


def test_specifications_of_examples_hold_label_and_weight():
    float_label = tf.io.FixedLenFeature((2,), tf.float32)
    made = compat.estimator.regressor_parse_example_spec(column(), "y", label_dimension=2, weight_column="w")
    assert made["y"] == float_label and made["w"] == tf.io.FixedLenFeature((1,), tf.float32)
    assert compat.estimator.classifier_parse_example_spec(column(), "y")["y"].dtype == tf.int64
    with pytest.raises(ValueError, match="should not be used as feature"):
        compat.estimator.classifier_parse_example_spec(column(), "x")


@pytest.mark.parametrize(
    ("labels", "settings", "says"),
    [
        (np.zeros([4, 2], np.int64), {}, "labels dimension=1"),
        (np.zeros([4, 1], np.float32), {"n_classes": 3}, "should be integer"),
        (np.zeros([4, 1], np.int64), {"label_vocabulary": ["a", "b"]}, "should be string"),
        (np.zeros([4, 1], np.int64), {"optimizer": "Nothing"}, "Unsupported optimizer"),
    ],
)
def test_labels_that_do_not_fit_are_refused(labels, settings, says):
    inputs = compat.estimator.inputs.numpy_input_fn({"x": np.ones([4, 1], np.float32)}, labels, shuffle=False)
    with pytest.raises(ValueError, match=says):
        compat.estimator.LinearClassifier(column(), **settings).train(inputs)


def test_a_label_out_of_range_is_an_error():
    inputs = compat.estimator.inputs.numpy_input_fn({"x": np.ones([2, 1])}, np.array([0, 2]), shuffle=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Labels must be <= 2 - 1"):
        compat.estimator.LinearClassifier(column()).train(inputs)
