"""Checks of Keras models, losses, numbers and strategies: what they find, and much more of what they leave alone."""

from __future__ import annotations

import pytest

from tests.engine import migrated


def rules_told(code: str, imports: str = "import tensorflow as tf\nfrom tensorflow.keras import layers") -> list[str]:
    found = migrated(f"import os\nimport random\nimport numpy as np\n{imports}\n\n{code}\n", advice=True).findings
    return [finding.rule for finding in found if finding.rule.startswith("TFM4")]


INPUT = "def build():\n    x = layers.Input([8])\n"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (INPUT + "    x = layers.Dense(4)(x)\n    return tf.keras.Model(x, layers.Dense(2)(x))", True),
        (INPUT + "    x = norm(x)\n    y = layers.Dense(2)(x)\n    return tf.keras.Model(inputs=[x], outputs=y)", True),
        (INPUT + "    y = layers.Dense(4)(x)\n    return tf.keras.Model(x, y)", False),
        (INPUT + "    y = x\n    y = layers.Dense(4)(y)\n    return tf.keras.Model(x, y)", False),
        (INPUT + "    i = x\n    x = layers.Dense(4)(x)\n    return tf.keras.Model(i, x)", False),
        (INPUT + "    y = f(x)\n    x = layers.Input([9])\n    return tf.keras.Model(x, f(x))", False),
        (INPUT + "    if deep:\n        x = layers.Dense(4)(x)\n    return tf.keras.Model(x, f(x))", False),
        ("def build(x):\n    x = layers.Dense(4)(x)\n    return tf.keras.Model(x, f(x))", False),
    ],
)
def test_rebound_inputs(code: str, told: bool) -> None:
    assert rules_told(code) == (["TFM431"] if told else [])


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (INPUT + "    tf.print(x)", True),
        (INPUT + "    y = layers.Dense(4)(layers.ReLU()(x))\n    tf.print('y', y)", True),
        (INPUT + "    print(x)", False),
        (INPUT + "    y = f(x)\n    tf.print(y)", False),
        ("def show(x):\n    tf.print(x)\n    return x", False),
        ("y = layers.Dense(4)(tf.ones([1, 8]))\ntf.print(y)", False),
    ],
)
def test_symbolic_prints(code: str, told: bool) -> None:
    assert rules_told(code) == (["TFM432"] if told else [])


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("m = tf.keras.Sequential([layers.Dense(3), layers.ReLU()])\nv = m.trainable_variables", True),
        ("d = layers.Dense(3)\nv = d.weights", True),
        ("m = tf.keras.Sequential([layers.Dense(3, input_shape=(2,))])\nv = m.trainable_variables", False),
        ("m = tf.keras.Sequential([layers.Input([2]), layers.Dense(3)])\nv = m.trainable_variables", False),
        ("m = tf.keras.Sequential([layers.Dense(3)])\nm.build((None, 2))\nv = m.trainable_variables", False),
        ("m = tf.keras.Sequential([layers.Dense(3)])\nm(x)\nv = m.trainable_variables", False),
        ("m = tf.keras.Sequential([layers.Dense(3)])\ntrain(m)\nv = m.trainable_variables", False),
        ("m = tf.keras.Sequential([base, layers.Dense(3)])\nv = m.trainable_variables", False),
        ("m = tf.keras.Sequential([layers.Dense(3)])\ndef f():\n    v = m.trainable_variables", False),
        ("m = tf.keras.applications.ResNet50()\nv = m.trainable_variables", False),
        ("def f(m):\n    v = m.trainable_variables", False),
    ],
)
def test_variables_before_they_exist(code: str, told: bool) -> None:
    assert rules_told(code) == (["TFM415"] if told else [])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("m.load_weights('w.weights.h5', by_name=True)", True),
        ("m.load_weights('checkpoints/last', by_name=True)", True),
        ("m.load_weights('m.keras', by_name=True)", True),
        ("m.load_weights(tf.train.latest_checkpoint(d), by_name=True)", True),
        ("m.load_weights('w.h5', by_name=True)", False),
        ("m.load_weights('w.hdf5', by_name=True)", False),
        ("m.load_weights(path, by_name=True)", False),
        ("m.load_weights(folder + name, by_name=True)", False),
        ("m.load_weights('w.weights.h5')", False),
        ("m.load_weights('w.weights.h5', by_name=False)", False),
    ],
)
def test_weights_by_name(call: str, told: bool) -> None:
    assert rules_told(call) == (["TFM434"] if told else [])


@pytest.mark.parametrize(
    ("last", "loss", "told"),
    [
        ("layers.Dense(3, activation='softmax')", "tf.keras.losses.CategoricalCrossentropy(from_logits=True)", True),
        ("layers.Softmax()", "tf.keras.losses.CategoricalCrossentropy(True)", True),
        ("layers.Dense(3, tf.nn.softmax)", "tf.keras.losses.CategoricalCrossentropy(from_logits=True)", True),
        ("layers.Dense(3)", "'categorical_crossentropy'", True),
        ("layers.Dense(1)", "tf.keras.losses.BinaryCrossentropy()", True),
        ("layers.Dense(3, activation='softmax')", "'categorical_crossentropy'", False),
        ("layers.Dense(3)", "tf.keras.losses.CategoricalCrossentropy(from_logits=True)", False),
        ("layers.Dense(3)", "'mse'", False),
        ("layers.Dense(3)", "my_loss", False),
        ("layers.Dense(3)", "tf.keras.losses.BinaryCrossentropy(from_logits=logits)", False),
        ("layers.Dense(3, activation=head)", "'categorical_crossentropy'", False),
        ("layers.Dense(3, **options)", "'categorical_crossentropy'", False),
        ("head", "'categorical_crossentropy'", False),
    ],
)
def test_logits_of_compiled_models(last: str, loss: str, told: bool) -> None:
    model = f"m = tf.keras.Sequential([layers.Flatten(), {last}])\n"
    assert rules_told(f"{model}m.compile('adam', loss={loss})") == (["TFM441"] if told else [])
    assert rules_told(f"{model}m.add(more)\nm.compile('adam', loss={loss})") == []


@pytest.mark.parametrize(
    ("logits", "told"),
    [("tf.nn.softmax(z)", True), ("tf.sigmoid(z)", True), ("z", False), ("tf.nn.relu(z)", False), ("f(z)", False)],
)
def test_logits_of_operations(logits: str, told: bool) -> None:
    for operation in ("softmax_cross_entropy_with_logits", "sigmoid_cross_entropy_with_logits"):
        code = f"def f(y, z):\n    p = {logits}\n    return tf.nn.{operation}(labels=y, logits=p)"
        assert rules_told(code) == (["TFM441"] if told else [])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("loss(p, y)", True),
        ("tf.keras.losses.categorical_crossentropy(p, y)", True),
        ("tf.keras.losses.KLDivergence()(p, y)", True),
        ("tf.keras.losses.categorical_crossentropy(p, tf.one_hot(y, 3))", True),
        ("loss(y, p)", False),
        ("loss(y_true=y, y_pred=p)", False),
        ("loss(p, other(y))", False),
        ("loss(p, model(y, training=False))", False),
        ("tf.keras.losses.MeanSquaredError()(p, y)", False),
        ("my_loss(p, y)", False),
    ],
)
def test_order_of_loss_arguments(call: str, told: bool) -> None:
    code = "loss = tf.keras.losses.CategoricalCrossentropy()\n\ndef f(model, x, y):\n    p = model(x, training=True)\n"
    assert rules_told(f"{code}    return {call}") == (["TFM442"] if told else [])


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("tf.reduce_sum(tf.cast(x, tf.uint8))", True),
        ("tf.math.reduce_sum(tf.constant([1, 2], dtype='uint8'))", True),
        ("tf.reduce_mean(tf.reshape(tf.io.decode_png(c), [-1]))", True),
        ("y = tf.io.decode_raw(c, tf.uint8)\ntf.reduce_sum(y, axis=0)", True),
        ("tf.reduce_sum(tf.cast(tf.io.decode_png(c), tf.int32))", False),
        ("tf.reduce_sum(tf.io.decode_png(c, 3, tf.uint16))", False),
        ("tf.reduce_max(tf.io.decode_png(c))", False),
        ("tf.reduce_sum(tf.cast(x, tf.int64))", False),
        ("tf.reduce_sum(x)", False),
        ("tf.reduce_sum(tf.cast(x, kind))", False),
    ],
)
def test_small_integers_that_are_summed(code: str, told: bool) -> None:
    assert rules_told(code) == (["TFM443"] if told else [])


TESTED = """\
class ModelTest(tf.test.TestCase):
    def test_it(self):
        tf.random.set_seed(1)
"""


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("tf.random.set_seed(1)\nx = np.random.rand(3)", True),
        ("tf.random.set_seed(1)\nx = random.choice(y)", True),
        ("tf.random.set_seed(1)\nnp.random.seed(1)\nx = np.random.rand(3)", False),
        ("tf.random.set_seed(1)\nseed_everything(1)\nx = np.random.rand(3)", False),
        ("tf.keras.utils.set_random_seed(1)\nx = np.random.rand(3)", False),
        ("tf.random.set_seed(1)\nx = np.random.default_rng(1).random(3)", False),
        ("tf.random.set_seed(1)\nx = tf.random.normal([3])", False),
        ("x = np.random.rand(3)", False),
        (f"{TESTED}        x = np.random.rand(3)", False),
        (f"x = np.random.rand(3)\n{TESTED}        pass", True),
        (f"{TESTED}        x = np.random.rand(3)".replace("tf.test", "unittest"), True),
    ],
)
def test_unseeded_parts(code: str, told: bool) -> None:
    assert rules_told(code) == (["TFM444"] if told else [])


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("c = tf.compat.v1.ConfigProto()\nc.gpu_options.allow_growth = True", True),
        ("x = tf.zeros([2])\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'", True),
        ("c = tf.compat.v1.ConfigProto()\nc.gpu_options.allow_growth = True\nuse(c)", False),
        ("def f():\n    c = tf.compat.v1.ConfigProto()\n    c.gpu_options.allow_growth = True\n    return c", False),
        ("os.environ['CUDA_VISIBLE_DEVICES'] = '1'\nx = tf.zeros([2])", False),
        ("def f():\n    return tf.zeros([2])\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'", False),
        ("x = tf.zeros([2])\nos.environ['HOME'] = '1'", False),
    ],
)
def test_options_that_are_lost(code: str, told: bool) -> None:
    assert rules_told(code) == (["TFM435"] if told else [])


@pytest.mark.parametrize(
    ("kernel", "told"),
    [
        ("state['conv.weight'].numpy()", True),
        ("net.conv.weight.detach().cpu().numpy()", True),
        ("net.params['conv'][0].data", True),
        ("state['conv.weight'].numpy().transpose(2, 3, 1, 0)", False),
        ("np.transpose(state['fc.weight'].numpy())", False),
        ("state['fc.weight'].T", False),
        ("state['fc.bias'].numpy()", False),
        ("saved[0]", False),
    ],
)
def test_kernels_of_other_frameworks(kernel: str, told: bool) -> None:
    both = "import tensorflow as tf\nimport torch"
    assert rules_told(f"def f(layer, state):\n    layer.set_weights([{kernel}])", both) == (["TFM445"] if told else [])
    assert rules_told(f"def f(layer, state):\n    k = {kernel}\n    layer.set_weights([k])") == []


STRATEGY = "s = tf.distribute.MirroredStrategy()\n"


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("tf.Variable(0.0)", True),
        ("tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)", False),
        ("tf.Variable(0.0, synchronization=tf.VariableSynchronization.ON_READ)", False),
        ("make()", False),
    ],
)
def test_variables_that_replicas_assign(made: str, told: bool) -> None:
    code = f"{STRATEGY}with s.scope():\n    v = {made}\n\ndef step():\n    v.assign_add(1.0)\n\n"
    assert rules_told(f"{code}s.run(step)") == (["TFM433"] if told else [])
    assert rules_told(f"{code}step()") == []


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        ("tf.reduce_mean(f(x))", True),
        ("tf.nn.compute_average_loss(f(x), global_batch_size=8)", False),
        ("tf.reduce_mean(f(x)) / s.num_replicas_in_sync", False),
        ("tf.reduce_sum(f(x)) * (1.0 / 8)", False),
        ("f(x)", False),
        ("tf.reduce_mean(f(x), axis=0)", False),
    ],
)
def test_losses_of_replicas(loss: str, told: bool) -> None:
    step = (
        f"def step(x):\n    with tf.GradientTape() as tape:\n        loss = {loss}\n"
        "    g = tape.gradient(loss, m.trainable_variables)\n    o.apply_gradients(zip(g, m.trainable_variables))\n\n"
    )
    assert rules_told(f"{STRATEGY}{step}s.run(step, args=(x,))") == (["TFM446"] if told else [])
    assert rules_told(f"{STRATEGY}{step}step(x)") == []


@pytest.mark.parametrize(
    "imports", ["import keras\nfrom keras import layers", "from keras.src import layers\nimport keras"]
)
def test_keras_by_itself(imports: str) -> None:
    code = "m = keras.Sequential([layers.Dense(3, activation='softmax')])\n"
    code += "m.compile('adam', loss=keras.losses.CategoricalCrossentropy(from_logits=True))"
    assert rules_told(code, imports) == ["TFM441"]
