"""`PreviousInput`: the values of TF 1.15's idiom, and its state in all that TensorFlow 2 makes of a layer."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat.keras import previous_input

# What it stands for, as its authors ran it in TF 1.15: two runs, and a variable between them.
IDIOM = """
import tensorflow as tf
kept = tf.Variable(0, dtype=tf.uint8)
given = tf.placeholder_with_default(kept, shape=())
moving = tf.Variable(0, dtype=tf.uint8)
save, shift = tf.assign(moving, given), tf.assign(kept, moving)
session = tf.Session()
session.run(tf.global_variables_initializer())
seen = []
for value in (42, 50, 55, 200, 13):
    seen.append(session.run([kept, save], {given: value})[0])
    session.run(shift)
print(",".join(str(value) for value in seen))
"""


def image(value: float, size: int = 2, batch: int = 1) -> Any:
    return np.full((batch, size, size, 3), value, np.float32)


def difference() -> tf.keras.Model:
    """A network of two images: this one less the one before."""
    this = tf.keras.Input((None, None, 3))
    return tf.keras.Model(this, this - compat.PreviousInput(1.0, name="before")(this))


def one(result: Any) -> float:
    values = np.unique(result)
    assert len(values) == 1
    return float(values[0])


def test_the_example() -> None:
    assert doctest.testmod(previous_input).failed == 0


def test_gives_what_the_idiom_gave_in_tf1(run_legacy: Callable[..., str]) -> None:
    previous = compat.PreviousInput(0, dtype=tf.uint8)
    values = [int(previous(tf.constant(value, tf.uint8))) for value in (42, 50, 55, 200, 13)]
    assert values == [0, 42, 50, 55, 200]
    assert [int(value) for value in run_legacy(IDIOM).split(",")] == values


@pytest.mark.parametrize(
    ("dtype", "zero", "value"),
    [
        ("bool", False, True),
        ("uint8", 0, 200),
        ("int64", 0, -3),
        ("float16", 0, 1.5),
        ("bfloat16", 0, 1.5),
        ("float64", 0, 1 / 3),
        ("complex64", 0, 1 + 2j),
        ("string", b"", b"text"),
    ],
)
def test_any_type(dtype: str, zero: Any, value: Any) -> None:
    given = tf.constant([value], dtype)
    for call in (compat.PreviousInput(dtype=dtype), tf.function(compat.PreviousInput(dtype=dtype))):
        first, second = call(given), call(tf.zeros([1], dtype))
        assert first.dtype == second.dtype == given.dtype
        assert first.numpy()[0] == zero
        assert second.numpy()[0] == given.numpy()[0]


def test_initial_values_are_broadcast_and_bring_their_type() -> None:
    previous = compat.PreviousInput(np.arange(3, dtype=np.int64))
    assert previous.dtype == "int64"
    np.testing.assert_array_equal(previous(tf.zeros([2, 3], tf.int64)), [[0, 1, 2]] * 2)


def test_one_trace_serves_every_size() -> None:
    previous = compat.PreviousInput(shape=[None, None, None, 3])
    traces = []

    @tf.function(input_signature=[tf.TensorSpec([None, None, None, 3])])
    def step(images: tf.Tensor) -> tf.Tensor:
        traces.append(1)
        before = previous(images)
        assert before.shape.as_list() == [None, None, None, 3]
        return before

    assert step(image(7, size=2)).shape == (1, 2, 2, 3)
    traces.clear()  # the first call, which makes the state, traces twice
    assert one(step(image(8, size=5, batch=2))) == 7
    after = step(image(9))
    assert after.shape == (2, 5, 5, 3)
    assert one(after) == 8
    assert not traces


def test_the_last_batch_may_be_smaller() -> None:
    previous = compat.PreviousInput()
    previous(tf.ones([4, 2]))
    assert previous(tf.ones([3, 2])).shape == (4, 2)
    assert previous(tf.ones([4, 2])).shape == (3, 2)


def test_in_a_keras_model() -> None:
    model = difference()
    assert model.output_shape == (None, None, None, 3)
    assert one(model(image(5))) == 4
    assert one(model.predict(image(7), verbose=0)) == 2
    assert one(model(image(7.5))) == 0.5
    model.get_layer("before").reset()
    assert one(model(image(5))) == 4


def test_in_training() -> None:
    model = tf.keras.Sequential([tf.keras.Input((2,)), compat.PreviousInput(), tf.keras.layers.Dense(1)])
    model.layers[1].set_weights([np.ones((2, 1)), np.zeros(1)])
    model.compile(tf.keras.optimizers.SGD(0.0), "mae")
    data = np.array([[1, 1], [2, 2], [3, 3]], np.float32)
    model.fit(data, np.zeros((3, 1)), batch_size=1, shuffle=False, verbose=0)
    assert [one(model(row[None])) for row in data] == [6, 2, 4]


def test_streams_are_kept_apart() -> None:
    this, which = tf.keras.Input((None, None, 3)), tf.keras.Input((), dtype="int32")
    layer = compat.PreviousInput(-1.0, streams=2)
    model = tf.keras.Model([this, which], layer(this, stream=which))
    turns = [(1, 0, 2), (2, 1, 4), (3, 0, 2), (4, 1, 4)]
    results = [model([image(value, size), np.array([number])]) for value, number, size in turns]
    assert [one(result) for result in results] == [-1, -1, 1, 2]
    assert [result.shape[1] for result in results] == [2, 4, 2, 4]
    layer.reset(0)
    assert one(layer(tf.constant(image(5)), stream=0)) == -1
    assert one(layer(tf.constant(image(5, 4)), stream=1)) == 4


def test_saved_as_keras_file(tmp_path: Path) -> None:
    model = difference()
    model(image(5))
    model.save(tmp_path / "model.keras")
    loaded = tf.keras.models.load_model(tmp_path / "model.keras")
    assert one(loaded(image(7))) == 2
    loaded.get_layer("before").reset()
    assert one(loaded(image(7))) == 6


def test_weights_files_hold_it(tmp_path: Path) -> None:
    model, other = difference(), difference()
    model(image(5))
    model.save_weights(tmp_path / "model.weights.h5")
    other.load_weights(tmp_path / "model.weights.h5")
    assert one(other(image(7))) == 2


def test_checkpointed(tmp_path: Path) -> None:
    model, other = difference(), difference()
    model(image(5, size=3))
    path = tf.train.Checkpoint(model=model).save(str(tmp_path / "checkpoint"))
    tf.train.Checkpoint(model=other).restore(path).assert_consumed()
    assert one(other(image(7, size=3))) == 2


@pytest.mark.parametrize("save", [tf.saved_model.save, lambda model, path: model.export(path, verbose=False)])
def test_in_a_saved_model(save: Callable[..., None], tmp_path: Path) -> None:
    model = difference()
    model(image(5))
    save(model, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path)).signatures["serving_default"]
    results = [next(iter(loaded(tf.constant(image(value))).values())) for value in (7, 10, 11)]
    assert [one(result) for result in results] == [2, 3, 1]
    assert one(model(image(7))) == 2


def test_in_a_session_of_the_bridge() -> None:
    with compat.Graph().as_default():
        x = compat.placeholder(tf.uint8, [])
        change = x - compat.PreviousInput(dtype="uint8")(x)
        with compat.Session() as session:
            assert [int(session.run(change, {x: value})) for value in (42, 50)] == [42, 8]
            session.run(x, {x: 99})  # does not reach the layer
            assert int(session.run(change, {x: 55})) == 5


def test_from_its_configuration() -> None:
    layer = compat.PreviousInput(np.float32([1, 2]), shape=[None, 2], streams=3, name="before")
    again = compat.PreviousInput.from_config(layer.get_config())
    assert (again.name, again.streams, again.dtype) == ("before", 3, "float32")
    np.testing.assert_array_equal(again(tf.zeros([1, 2])), [[1, 2]])


def test_no_gradient_into_the_call_before() -> None:
    previous = compat.PreviousInput()
    x = tf.constant([3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        previous(x)
        y = x * previous(x)
    assert float(tape.gradient(y, x)[0]) == 3


def test_says_what_does_not_fit() -> None:
    previous = compat.PreviousInput(dtype="uint8")
    with pytest.raises(TypeError, match="keeps uint8, but got int32: give dtype='int32'"):
        previous(tf.constant([1]))
    with pytest.raises(TypeError, match="keeps uint8"):
        previous(tf.keras.Input((3,), dtype="int32"))
    images = compat.PreviousInput()
    images(image(1, size=2))
    with pytest.raises(ValueError, match="give `shape` with None"):
        images(image(1, size=4))
    with pytest.raises(ValueError, match="stream 2 is not one of 2"):
        compat.PreviousInput(streams=2)(tf.zeros([1]), stream=2)
    with pytest.raises(tf.errors.InvalidArgumentError):
        compat.PreviousInput(streams=2)(tf.zeros([1]), stream=tf.constant([2]))
    with pytest.raises(ValueError, match="streams is 0"):
        compat.PreviousInput(streams=0)
