"""Programs whose layers' outputs go to TensorFlow's own operations keep Keras 2; others do not."""

from __future__ import annotations

import ast

import pytest

from tests.engine import migrated
from tf_migrate.names.layer_outputs import takers_of_layer_outputs

OPERATIONS = {
    "between two layers": """
        import tensorflow as tf
        from tensorflow import keras
        x = keras.layers.Input((4, 3))
        h = keras.layers.Dense(2)(x)
        y = keras.layers.Dense(1)(tf.reduce_mean(h, axis=1))
        """,
    "in a function that the module calls": """
        import tensorflow as tf
        from tensorflow.python.keras import layers, models

        def attention(query, values):
            return tf.matmul(tf.nn.softmax(tf.matmul(query, values, transpose_b=True)), values)

        class Net:
            def __init__(self, width):
                given = layers.Input((width, 2))
                self.query = layers.Dense(2)(given)
                self.model = models.Model(given, layers.Flatten()(attention(values=given, query=self.query)))
        """,
    "a closure of a Lambda": """
        from tensorflow.keras.layers import *
        a = Input((3,))
        gate = Dense(3)(a)
        out = Lambda(lambda t: t * gate)(Dense(3)(a))
        """,
    "a function that a Lambda takes": """
        import tensorflow.keras as k

        def build(width):
            a = k.layers.Input((width,))
            gate = k.layers.Dense(width)(a)

            def gated(t):
                return t * gate

            return k.Model(a, k.layers.Lambda(gated)(a))
        """,
    "the backend": """
        from tensorflow.keras import backend as K, layers
        parts = []
        for width in (2, 3):
            parts.append(layers.Dense(width)(layers.Input((5,))))
        joined = K.concatenate(parts)
        """,
    "a model's output": """
        import tensorflow as tf
        base = tf.keras.applications.VGG16(include_top=False)
        top = tf.reduce_mean(base.get_layer("block5_pool").output, [1, 2])
        """,
    "what a function gives": """
        import tensorflow as tf

        def features():
            return [tf.keras.layers.Dense(n)(tf.keras.Input((2,))) for n in (2, 2)]

        first, second = features()
        both = tf.concat([first, second], 1)
        """,
}
NEITHER = {
    "a loss and a Lambda's own tensor": """
        import tensorflow as tf
        from tensorflow.keras import backend as K, layers, models

        def loss(y_true, y_pred):
            return tf.reduce_mean(tf.square(y_true - y_pred))

        x = layers.Input((3,))
        scale = 2.0
        y = layers.Lambda(lambda t: tf.tile(t, [1, 2]) * scale)(layers.Dense(2)(x))
        model = models.Model(x, y)
        model.compile("sgd", loss)
        print(K.int_shape(y), tf.__version__, len(model.layers))
        """,
    "a layer of the program": """
        import tensorflow as tf

        class Scale(tf.keras.layers.Layer):
            def build(self, shape):
                self.scale = self.add_weight("scale", shape[1:])

            def call(self, inputs):
                return tf.exp(inputs) * self.scale

        x = tf.keras.Input((3,))
        model = tf.keras.Model(x, Scale()(x * 2.0))
        """,
    "arrays": """
        import numpy as np
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        x = np.ones((2, 3))
        data = tf.data.Dataset.from_tensor_slices((x, model.predict(x)))
        """,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_that_take_them(name: str) -> None:
    assert takers_of_layer_outputs(_tree(OPERATIONS[name])) == "operations"


@pytest.mark.parametrize("name", NEITHER)
def test_what_is_no_such_place(name: str) -> None:
    assert takers_of_layer_outputs(_tree(NEITHER[name])) == ""


def test_functions_of_other_modules_count_where_such_a_module_has_tensorflow() -> None:
    main = (
        "from tensorflow import keras\n\nfrom ops import pooled\n\nx = keras.layers.Input((4, 3))\n"
        "model = keras.Model(x, pooled(keras.layers.Dense(2)(x)))\n"
    )
    assert takers_of_layer_outputs(ast.parse(main)) == "modules"
    assert takers_of_layer_outputs(ast.parse(main.replace("import pooled", "import *"))) == "modules"
    plain = "def pooled(x):\n    return x + 1.0\n"
    assert migrated(main, others={"ops.py": plain}).text == main
    text = migrated(main, others={"ops.py": "import tensorflow as tf\n\n" + plain.replace("x + 1.0", "tf.exp(x)")}).text
    assert "compat import keras2 as keras" in text


def _tree(text: str) -> ast.Module:
    lines = text.splitlines()
    return ast.parse("\n".join(line[8:] for line in lines))
