"""The faults that the checks speak of, seen in TensorFlow 2: the program before has each, the one after has not."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests import warm
from tf_migrate import rules


@pytest.fixture(autouse=True)
def no_seed() -> Iterator[None]:
    """The seed that an example sets is forgotten."""
    yield
    tf.random.set_seed(None)


def run(rule: str, after: bool) -> dict[str, Any]:
    """Runs a rule's own example under TensorFlow and gives its names."""
    found = rules.get(rule)
    assert found is not None
    module: dict[str, Any] = {"__name__": "example"}
    folder = tempfile.mkdtemp()
    path = f"{folder}/example.py"  # tf.function reads the source of what it traces
    with open(path, "w") as file:
        file.write(found.after if after else found.before)
    exec(compile(found.after if after else found.before, path, "exec"), module)
    return module


@pytest.mark.parametrize("after", [False, True])
def test_a_python_counter_is_traced_each_time(after: bool) -> None:
    module = run("number-argument", after)
    module["train"]([tf.ones([2])] * 7)
    assert module["train_step"].experimental_get_tracing_count() == (1 if after else 7)


@pytest.mark.parametrize("after", [False, True])
def test_padded_batches_are_traced_for_each_length(after: bool) -> None:
    module = run("shape-retraced", after)
    module["train"](lambda: iter([[1] * n for n in range(1, 65)]))
    assert module["step"].experimental_get_tracing_count() == (2 if after else 8)


@pytest.mark.parametrize("after", [False, True])
def test_print_speaks_once(after: bool, capfd: pytest.CaptureFixture[str]) -> None:
    step = run("traced-effect", after)["step"]
    for _ in range(3):
        step(tf.ones([2]))
    told = capfd.readouterr()
    assert (told.out + told.err).count("sum") == (3 if after else 1)
    assert ("sum Tensor(" in told.out) is not after


def test_a_variable_in_a_traced_function_raises() -> None:
    with pytest.raises(ValueError, match="singleton"):
        run("traced-creation", False)["count"](tf.ones([2]))
    assert float(run("traced-creation", True)["count"](tf.ones([2]))) == 2.0


def test_unwatched_tensors_have_no_gradient() -> None:
    assert run("unwatched-tensor", False)["slope"] is None
    assert float(run("unwatched-tensor", True)["slope"]) == 6.0


class Line(tf.Module):
    """A model of one weight, and one variable that is not trained."""

    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable(2.0)
        self.calls = tf.Variable(0.0, trainable=False)

    def __call__(self, x: tf.Tensor, training: bool = False) -> tf.Tensor:
        return self.w * x


@pytest.mark.parametrize("after", [False, True])
def test_what_is_added_after_the_tape_has_no_gradient(after: bool) -> None:
    gradients = run("after-tape", after)["step"](Line(), tf.constant([1.0]), 0.0, lambda model: model.w * 3)
    assert (gradients[0] is None) is not after


def test_numpy_cuts_the_tape() -> None:
    x = tf.ones([1, 3])
    with pytest.raises(AttributeError):
        run("numpy-in-tape", False)["saliency"](x)
    assert run("numpy-in-tape", True)["saliency"](x).shape == (1, 3)


class Strict:
    """An optimizer that says what it is given no gradient for."""

    def apply_gradients(self, pairs: Any) -> None:
        missing = [variable.name for gradient, variable in pairs if gradient is None]
        if missing:
            raise ValueError(missing)


def test_variables_without_gradient() -> None:
    with pytest.raises(ValueError, match="Variable"):
        run("all-variables", False)["step"](Line(), Strict(), tf.constant([1.0]), 0.0)
    run("all-variables", True)["step"](Line(), Strict(), tf.constant([1.0]), 0.0)


def test_a_model_that_is_not_built_has_no_variables() -> None:
    assert run("unbuilt-variables", False)["weights"] == []
    assert len(run("unbuilt-variables", True)["weights"]) == 2


def test_a_tape_gives_one_set_of_gradients() -> None:
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    with pytest.raises(RuntimeError, match="non-persistent"):
        run("tape-used-twice", False)["both"](3.0, v, w)
    assert [float(g) for g in run("tape-used-twice", True)["both"](3.0, v, w)] == [3.0, 3.0]


def test_repeat_true_repeats_once() -> None:
    assert len(list(run("boolean-count", False)["data"].take(20))) == 3
    assert len(list(run("boolean-count", True)["data"].take(20))) == 20


def test_numpy_in_map_raises() -> None:
    with pytest.raises(NotImplementedError, match="symbolic"):
        run("python-in-map", False)
    assert [int(x) for x in run("python-in-map", True)["data"]] == [x * x for x in range(8)]


def test_unknown_dimensions_raise() -> None:
    with pytest.raises(TypeError):
        run("static-shape", False)["pad"](tf.ones([2, 3]))
    assert run("static-shape", True)["pad"](tf.ones([2, 3])).shape == (2, 4)


def test_features_of_another_length_raise() -> None:
    wrong, right = run("feature-length", False), run("feature-length", True)
    record = right["write"](3, 4).SerializeToString()
    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong["read"](record)
    assert right["read"](record)["size"].numpy().tolist() == [3, 4]


def test_a_rebound_input_leaves_a_layer_out() -> None:
    layers = tf.keras.layers
    assert run("rebound-input", False)["build"](layers.AveragePooling2D(2), layers.Flatten()).input_shape == (
        None,
        4,
        4,
        3,
    )
    assert run("rebound-input", True)["build"](layers.AveragePooling2D(2), layers.Flatten()).input_shape == (
        None,
        8,
        8,
        3,
    )


@pytest.mark.parametrize("after", [False, True])
def test_symbolic_tensors_print_nothing_when_the_model_runs(after: bool, capfd: pytest.CaptureFixture[str]) -> None:
    model = run("symbolic-print", after)["build"]()
    capfd.readouterr()
    model(np.ones([1, 8], np.float32))
    assert bool(capfd.readouterr().err) is after


def test_weights_by_name_are_for_the_old_format() -> None:
    model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(3)])
    folder = tempfile.mkdtemp()
    model.save_weights(f"{folder}/w.weights.h5")
    with pytest.raises(ValueError, match="by_name"):
        model.load_weights(f"{folder}/w.weights.h5", by_name=True)


def test_losses_are_not_symmetric() -> None:
    entropy = tf.keras.losses.CategoricalCrossentropy()
    truth, guess = tf.constant([[1.0, 0.0]]), tf.constant([[0.6, 0.4]])
    assert float(entropy(truth, guess)) == pytest.approx(-np.log(0.6), rel=1e-5)
    assert float(entropy(guess, truth)) > 1.0


def test_small_integers_wrap_around() -> None:
    image = tf.io.encode_jpeg(tf.fill([8, 8, 3], tf.constant(200, tf.uint8))).numpy()
    assert int(run("integer-overflow", False)["brightness"](image)) < 256
    assert int(run("integer-overflow", True)["brightness"](image)) == pytest.approx(200 * 8 * 8 * 3, rel=0.02)


def test_tensorflows_seed_is_not_numpys() -> None:
    np.random.seed()
    assert not np.array_equal(run("unseeded-part", False)["data"], run("unseeded-part", False)["data"])
    assert np.array_equal(run("unseeded-part", True)["data"], run("unseeded-part", True)["data"])


REPLICAS = """
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    bare = tf.Variable(0.0)
    summed = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)

@tf.function
def step():
    number = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32) + 1.0
    bare.assign_add(number)
    summed.assign_add(number)

strategy.run(step)
print("copies", [float(copy) for copy in bare.values], [float(copy) for copy in summed.values])
"""


def test_copies_of_a_variable_drift_apart() -> None:
    # Two devices must be asked for before TensorFlow starts, so this needs a process of its own.
    done = warm.run([sys.executable, "-c", REPLICAS])
    assert done.returncode == 0, done.stderr
    assert "copies [1.0, 2.0] [3.0, 3.0]" in done.stdout
