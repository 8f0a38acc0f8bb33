"""What layers do beyond their numbers: reuse, scopes, collections, subclasses, errors, dtypes."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import layers


@pytest.fixture
def store() -> Any:
    with compat.VariableStore() as entered:
        yield entered


def names(store: compat.VariableStore) -> list[str]:
    return [variable.name for variable in store.variables]


class Scale(layers.Layer):
    """A user's layer, in the style of TF1 programs."""

    def build(self, input_shape: Any) -> None:
        self.scale = self.add_variable(
            "scale",
            shape=[int(input_shape[-1])],
            initializer=compat.ones_initializer(),
            regularizer=lambda weights: tf.reduce_sum(weights) * 0.5,
        )
        self.calls = self.add_weight("calls", shape=[], dtype=tf.int32, trainable=False, initializer="zeros")
        super().build(input_shape)

    def call(self, inputs: Any, factor: float = 1.0) -> Any:
        self.add_update(compat.assign_add(self.calls, 1))
        self.add_loss(tf.reduce_sum(inputs))
        return inputs * self.scale * factor


def test_a_subclass_builds_once_and_collects(store: compat.VariableStore) -> None:
    layer = Scale(name="scaled")
    first = layer(tf.ones([2, 3]))
    second = layer.apply(np.ones([1, 3], np.float32), factor=2.0)
    np.testing.assert_array_equal(first, np.ones([2, 3]))
    np.testing.assert_array_equal(second, np.full([1, 3], 2.0))
    assert names(store) == ["scaled/scale:0", "scaled/calls:0"]
    assert layer.name == layer.scope_name == "scaled"
    assert [float(loss) for loss in layer.losses] == [1.5, 6.0, 3.0]
    assert [float(loss) for loss in compat.get_collection("regularization_losses")] == [1.5, 6.0, 3.0]
    assert len(layer.updates) == len(compat.get_collection("update_ops")) == 2
    assert layer.calls.numpy() == 2
    assert layer.count_params() == 4
    assert layer.trainable_weights == [layer.scale]
    assert layer.non_trainable_variables == [layer.calls]


def test_an_untrainable_layer(store: compat.VariableStore) -> None:
    layer = layers.Dense(2, trainable=False, name="frozen")
    layer(tf.ones([1, 3]))
    assert compat.trainable_variables() == []
    assert layer.trainable_variables == []
    assert [weight.name for weight in layer.weights] == ["frozen/kernel:0", "frozen/bias:0"]


def test_an_object_is_one_set_of_weights_in_every_pass() -> None:
    store = compat.VariableStore()
    layer = layers.Dense(2, kernel_regularizer=lambda weights: tf.reduce_sum(weights))

    @tf.function(autograph=False)
    def step(x: tf.Tensor) -> Any:
        with store:
            outputs = layers.dense(layer(x), 2)
            return outputs, compat.get_collection("regularization_losses")

    for rows in (1, 2):
        _, losses = step(tf.ones([rows, 2]))
        assert len(losses) == 1
    assert names(store) == ["dense/kernel:0", "dense/bias:0", "dense_1/kernel:0", "dense_1/bias:0"]


def test_a_layer_made_outside_of_a_store_may_be_called_inside() -> None:
    layer = layers.Dense(2)
    store = compat.VariableStore()
    with store:
        layer(tf.ones([1, 2]))
    assert names(store) == ["dense/kernel:0", "dense/bias:0"]


def test_reuse_through_the_scope(store: compat.VariableStore) -> None:
    def net(x: Any) -> Any:
        return layers.dense(layers.conv1d(x, 2, 3, name="conv"), 2, name="out")

    for reuse in (None, True, compat.AUTO_REUSE):
        with compat.variable_scope("net", reuse=reuse):
            net(tf.ones([1, 5, 2]))
    assert names(store) == ["net/conv/kernel:0", "net/conv/bias:0", "net/out/kernel:0", "net/out/bias:0"]
    with compat.variable_scope("net"), pytest.raises(ValueError, match="net/conv/kernel already exists"):
        net(tf.ones([1, 5, 2]))
    with (
        compat.variable_scope("other", reuse=True),
        pytest.raises(ValueError, match="other/conv/kernel does not exist"),
    ):
        net(tf.ones([1, 5, 2]))


def test_a_scope_object_as_name(store: compat.VariableStore) -> None:
    with compat.variable_scope("given") as scope:
        pass
    layers.dense(tf.ones([1, 2]), 2, name=scope)
    with compat.variable_scope("around") as around:
        layers.Dense(2, name="inner", _scope=around)(tf.ones([1, 2]))
    assert names(store) == ["given/kernel:0", "given/bias:0", "around/kernel:0", "around/bias:0"]


def test_regularizers_count_once_for_shared_weights(store: compat.VariableStore) -> None:
    for reuse in (None, True):
        layers.dense(tf.ones([1, 2]), 2, name="d", reuse=reuse, kernel_regularizer=tf.reduce_sum)
    assert len(compat.get_collection("regularization_losses")) == 1


def test_an_activity_regularizer_is_a_loss_per_example(store: compat.VariableStore) -> None:
    layers.dense(tf.ones([4, 2]), 3, kernel_initializer=compat.ones_initializer(), activity_regularizer=tf.reduce_sum)
    (loss,) = compat.get_collection("regularization_losses")
    assert float(loss) == 4 * 3 * 2 / 4


def test_a_custom_getter_may_make_weights_untrainable(store: compat.VariableStore) -> None:
    def frozen(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        return getter(name, *args, **{**kwargs, "trainable": False})

    layer = layers.Dense(2)
    with compat.variable_scope("s", custom_getter=frozen):
        layer(tf.ones([1, 2]))
    assert layer.trainable_weights == []
    assert len(layer.non_trainable_weights) == 2


def test_a_partitioned_kernel(store: compat.VariableStore) -> None:
    with compat.variable_scope("p", partitioner=compat.fixed_size_partitioner(2)):
        outputs = layers.dense(tf.ones([1, 4]), 2, name="d", kernel_initializer=compat.ones_initializer())
        normalized = layers.batch_normalization(tf.ones([3, 4]), name="bn")
    np.testing.assert_array_equal(outputs, [[4.0, 4.0]])
    assert normalized.shape == (3, 4)
    assert names(store)[:4] == ["p/d/kernel/part_0:0", "p/d/kernel/part_1:0", "p/d/bias/part_0:0", "p/d/bias/part_1:0"]
    assert names(store)[-2:] == ["p/bn/moving_mean:0", "p/bn/moving_variance:0"]


@pytest.mark.parametrize("dtype", [tf.float16, tf.float64])
def test_weights_take_the_dtype_of_the_inputs(store: compat.VariableStore, dtype: tf.DType) -> None:
    outputs = layers.dense(layers.flatten(layers.conv2d(tf.ones([1, 4, 4, 1], dtype), 2, 3)), 2)
    assert outputs.dtype == dtype
    assert {variable.dtype for variable in store.variables} == {dtype}


def test_float16_normalization_keeps_float32_statistics(store: compat.VariableStore) -> None:
    for x in (tf.ones([2, 3], tf.float16), tf.ones([2, 2, 2, 3], tf.float16)):
        assert layers.batch_normalization(x, training=True).dtype == tf.float16
    assert {variable.dtype for variable in store.variables} == {tf.float32}


def test_unknown_sizes_stay_unknown() -> None:
    store = compat.VariableStore()

    @tf.function(autograph=False, input_signature=[tf.TensorSpec([None, None, None, 3])])
    def step(x: tf.Tensor) -> tf.Tensor:
        with store:
            x = layers.conv2d_transpose(layers.conv2d(x, 4, 3, padding="same"), 2, 3, strides=2, padding="same")
            assert x.shape.as_list() == [None, None, None, 2]
            x = layers.dense(x, 5)
            assert x.shape.as_list() == [None, None, None, 5]
            return layers.flatten(layers.batch_normalization(x, training=True))

    assert step(tf.ones([2, 4, 6, 3])).shape == (2, 8 * 12 * 5)


def test_channels_first() -> None:
    x = np.random.RandomState(0).normal(size=[2, 3, 6, 5]).astype(np.float32)
    results = []
    for data_format in ("channels_last", "channels_first"):
        first = data_format == "channels_first"
        with compat.VariableStore() as store:
            y = tf.constant(x if first else x.transpose(0, 2, 3, 1))
            y = layers.conv2d_transpose(y, 4, 3, strides=2, data_format=data_format, kernel_initializer="ones")
            y = layers.batch_normalization(y, axis=1 if first else -1, training=True, fused=False)
            assert [variable.shape.as_list() for variable in store.variables] == [[3, 3, 4, 3], *[[4]] * 5]
            results.append(y.numpy().transpose(0, 2, 3, 1) if first else y.numpy())
            flat = layers.flatten(y, data_format=data_format)
            results[-1] = (results[-1], flat.numpy())
    np.testing.assert_allclose(results[0][0], results[1][0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(results[0][1], results[1][1], rtol=1e-5, atol=1e-6)


def test_causal_padding_sees_only_the_past(store: compat.VariableStore) -> None:
    signal = np.zeros([1, 6, 1], np.float32)
    signal[0, 3] = 1.0
    options = {"padding": "causal", "use_bias": False, "depthwise_initializer": "ones", "pointwise_initializer": "ones"}
    outputs = layers.separable_conv1d(tf.constant(signal), 1, 3, **options)
    assert outputs.numpy()[0, :, 0].tolist() == [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]


def test_batch_norm_with_a_tensor_for_training() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        x = compat.placeholder(tf.float32, [None, 2, 2, 3])
        training = compat.placeholder(tf.bool, [])
        fused = layers.batch_normalization(x, training=training, momentum=0.5, name="fused")
        plain = layers.batch_normalization(x, training=training, momentum=0.5, fused=False, name="plain")
        updates = compat.get_collection("update_ops")
        session.run(compat.global_variables_initializer())
        batch = np.random.RandomState(1).normal(2.0, 3.0, size=[8, 2, 2, 3]).astype(np.float32)
        still = session.run([fused, plain, updates], {x: batch, training: False})
        np.testing.assert_allclose(still[0], batch / np.sqrt(1.001), rtol=1e-5)
        np.testing.assert_allclose(still[1], batch / np.sqrt(1.001), rtol=1e-5)
        moved = {variable.name: session.run(variable) for variable in compat.global_variables()}
        np.testing.assert_array_equal(moved["fused/moving_mean:0"], np.zeros(3))
        values = session.run([fused, plain], {x: batch, training: True})
        np.testing.assert_allclose(values[0], values[1], rtol=1e-4, atol=1e-5)
        session.run(updates, {x: batch, training: True})
        moved = {variable.name: session.run(variable) for variable in compat.global_variables()}
        mean, variance = batch.mean((0, 1, 2)), batch.var((0, 1, 2))
        np.testing.assert_allclose(moved["plain/moving_mean:0"], 0.5 * mean, rtol=1e-5)
        np.testing.assert_allclose(moved["plain/moving_variance:0"], 0.5 + 0.5 * variance, rtol=1e-5)
        np.testing.assert_allclose(moved["fused/moving_variance:0"], 0.5 + 0.5 * variance * 32 / 31, rtol=1e-5)


def test_dropout_in_training(store: compat.VariableStore) -> None:
    x = tf.ones([2000, 10])
    dropped = layers.dropout(x, rate=0.2, training=True).numpy()
    assert set(np.unique(dropped)) == {0.0, np.float32(1.25)}
    assert 0.17 < (dropped == 0.0).mean() < 0.23
    rows = layers.dropout(x, rate=0.5, noise_shape=[None, 1], training=True).numpy()
    assert (rows == rows[:, :1]).all()


def test_seeded_dropout_is_tf1s(store: compat.VariableStore) -> None:
    # TF 1.15.5: tf.layers.dropout(tf.ones([2, 4]), 0.5, seed=3, training=True)
    dropped = tf.function(lambda x: layers.dropout(x, 0.5, seed=3, training=True), autograph=False)
    np.testing.assert_array_equal(dropped(tf.ones([2, 4])), [[0.0, 0.0, 2.0, 0.0], [2.0, 0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: layers.dense(tf.ones([3]), 2), ValueError, "expected min_ndim=2, found ndim=1"),
        (lambda: layers.dense(tf.ones([3, 3], tf.int32), 2), TypeError, "non-floating point dtype"),
        (lambda: layers.conv2d(tf.ones([3, 3]), 2, 3), ValueError, "expected ndim=4, found ndim=2"),
        (
            lambda: layers.conv2d(tf.ones([1, 3, 3, 1]), 2, [3]),
            ValueError,
            "`kernel_size` argument must be a tuple of 2",
        ),
        (lambda: layers.conv2d(tf.ones([1, 3, 3, 1]), 2, 3, padding="odd"), ValueError, "`padding` argument"),
        (lambda: layers.conv2d(tf.ones([1, 3, 3, 1]), 2, 3, padding="causal"), ValueError, "Causal padding"),
        (lambda: layers.conv2d(tf.ones([1, 3, 3, 1]), 2, 3, data_format="x"), ValueError, "`data_format` argument"),
        (lambda: layers.batch_normalization(tf.ones([2, 3]), axis=2), ValueError, "Invalid axis: 2"),
        (lambda: layers.batch_normalization(tf.ones([2, 3]), axis=[1, -1]), ValueError, "Duplicate axis"),
        (lambda: layers.Dense(2).scope_name, ValueError, "has not been used yet"),
        (lambda: layers.Dense(2).count_params(), ValueError, "isn't built"),
        (lambda: layers.Dense(2, unknown=1), TypeError, "not understood"),
        (lambda: layers.dense(tf.ones([1, 2]), 2, activation="odd"), ValueError, "Unknown activation function: odd"),
        (lambda: layers.dense(tf.ones([1, 2]), 2, kernel_initializer="odd"), ValueError, "Unknown initializer: odd"),
        (lambda: layers.max_pooling2d(tf.ones([1, 2]), 2, 2), ValueError, "expected ndim=4"),
    ],
)
def test_wrong_use(store: compat.VariableStore, use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use()


def test_a_built_layer_insists_on_its_inputs(store: compat.VariableStore) -> None:
    layer = layers.Dense(2)
    layer(tf.ones([1, 3]))
    with pytest.raises(ValueError, match="expected axis -1 of input shape to have value 3"):
        layer(tf.ones([1, 4]))
    assert layer.compute_output_shape([None, 3]).as_list() == [None, 2]


def test_a_deep_copy_shares_nothing_before_it_is_built(store: compat.VariableStore) -> None:
    layer = layers.Dense(2, name="d")
    twin = copy.deepcopy(layer)
    layer(tf.ones([1, 3]))
    assert not twin.built
    assert twin.units == 2


def test_without_a_store_the_error_says_so() -> None:
    with pytest.raises(ValueError, match="No VariableStore is active"):
        layers.dense(tf.ones([1, 2]), 2)


def test_op_names_under_the_bridge() -> None:
    with compat.Graph().as_default():
        x = compat.placeholder(tf.float32, [None, 8, 8, 1])
        conv = layers.conv2d(x, 2, 3, activation=tf.nn.relu)
        pool = layers.max_pooling2d(conv, 2, 2)
        again = layers.conv2d(x, 2, 3, name="named")
        out = layers.dense(layers.flatten(pool), 3, activation=tf.nn.softmax, name="out")
        assert [each.name for each in (conv, pool, again, out)] == [
            "conv2d/Relu:0",
            "max_pooling2d/MaxPool:0",
            "named/BiasAdd:0",
            "out/Softmax:0",
        ]
