"""Programs that keep Keras 2: which they are, and what becomes of their imports and uses."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated, refuses, unchanged


def test_layers_in_a_graph_and_a_session() -> None:
    found = becomes(
        """\
        import tensorflow as tf
        from tensorflow import keras

        x = tf.placeholder(tf.float32, [None, 3])
        y = keras.layers.Dense(2)(x)
        z = tf.keras.layers.Dense(1)(y)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            print(sess.run(z, {x: [[1.0, 2.0, 3.0]]}))
        """,
        """\
        import tensorflow as tf
        from compat import keras2 as keras
        import compat

        compat.open_graph()
        x = compat.placeholder(tf.float32, [None, 3])
        y = keras.layers.Dense(2)(x)
        z = compat.keras2.layers.Dense(1)(y)
        with compat.Session() as sess:
            sess.run(compat.global_variables_initializer())
            print(sess.run(z, {x: [[1.0, 2.0, 3.0]]}))
        """,
    )
    assert [site.tier for site in found.sites] == ["bridge", "bridge"]


def test_the_stand_alone_package() -> None:
    becomes(
        """\
        import keras
        import keras.backend as K
        import keras.layers.core
        from keras.layers.normalization import BatchNormalization as BN
        from keras.models import (Sequential,  # the model
                                  load_model)
        import numpy as np

        K.set_session(None)
        model = Sequential([keras.layers.Dense(1), BN()])
        """,
        """\
        import compat.keras2.standalone as keras
        import compat.keras2.standalone.backend as K
        import compat.keras2.standalone as keras
        from compat.keras2.standalone.layers.normalization import BatchNormalization as BN
        from compat.keras2.standalone.models import (Sequential,  # the model
                                  load_model)
        import numpy as np
        import compat

        compat.open_graph()
        K.set_session(None)
        model = Sequential([keras.layers.Dense(1), BN()])
        """,
    )


def test_an_eager_program_opens_no_graph() -> None:
    text = migrated(
        "import tensorflow as tf\n\ntf.enable_eager_execution()\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "tf.train.AdamOptimizer(0.1).apply_gradients(zip([], model.variables))\n"
    ).text
    assert "compat.keras2.Sequential([compat.keras2.layers.Dense(1)])" in text
    assert "open_graph" not in text


@pytest.mark.parametrize(
    "statement",
    [
        "model.fit_generator(generate(), steps_per_epoch=2)",
        "model.fit(x, y, steps_per_epoch=100)",
        "model.compile(tf.keras.optimizers.SGD(1), 'mse')",
        "print(model.predict_classes(x))",
        "stop = tf.keras.callbacks.EarlyStopping(monitor='val_acc')",
        "f = tf.keras.backend.function([model.input], [model.output])",
        "print(model.get_updates_for(x))",
        "print(model.layers[0].inbound_nodes)",
        "model.compile('sgd', 'mse', metrics=['accuracy']); print(model.fit(x).history)",
    ],
)
def test_what_only_keras_2_has(statement: str) -> None:
    text = migrated(f"import tensorflow as tf\n\nmodel = tf.keras.Sequential()\n{statement}\n").text
    assert "model = compat.keras2.Sequential()" in text


@pytest.mark.parametrize(
    "statement",
    [
        "model.reset_states()",
        "print(model.to_yaml())",
        "print([layer.output_shape for layer in model.layers], model.layers[0].input_shape)",
        "print(model.get_layer('last').get_output_at(1))",
        "print(model.layers[-1].output.get_shape().as_list())",
        "state = model.optimizer.get_weights()",
        "model.save_weights('weights.h5')",
        "model.save_weights(os.path.join(folder, name))",
        "model.save('folder/model')",
        "kept = tf.keras.callbacks.ModelCheckpoint('w-{epoch:02d}.hdf5', save_best_only=True)",
        "shown = tf.keras.callbacks.TensorBoard('logs', batch_size=32)",
        "norm = tf.keras.layers.BatchNormalization(fused=True)",
        "model.fit(x, y, epochs=2, workers=4)",
    ],
)
def test_what_keras_3_refuses_when_it_runs(statement: str) -> None:
    text = migrated(f"import tensorflow as tf\n\nmodel = tf.keras.Sequential()\n{statement}\n").text
    assert "model = compat.keras2.Sequential()" in text


@pytest.mark.parametrize(
    "statement",
    [
        "model.save('model.h5')",
        "model.save_weights('now.weights.h5')",
        "kept = tf.keras.callbacks.ModelCheckpoint('w-{epoch:02d}.keras')",
        "print(model.output_shape, frame.updates, frame.dynamic)",
    ],
)
def test_what_keras_3_takes(statement: str) -> None:
    unchanged(f"import tensorflow as tf\n\nmodel = tf.keras.Sequential()\n{statement}\n")


@pytest.mark.parametrize(
    "statements",
    [
        "model.add(tf.keras.layers.Dense(3, activation='softmax'))\nmodel.compile('sgd', 'categorical_crossentropy')",
        "model.add(tf.keras.layers.Dense(2))\nmodel.add(tf.keras.layers.BatchNormalization())",
        "model.add(tf.keras.layers.Dense(1))\nmodel.compile('sgd', 'binary_crossentropy', metrics=['accuracy'])",
        "print(tf.keras.applications.ResNet50(weights=None).predict(x))",
        "model.fit(x, y, epochs=2)\nprint(model.evaluate(x, y))",
        "# Dataset of 2D points, for applications of BatchNormalization()\nmodel.fit(x, y, epochs=2)",
    ],
)
def test_what_keras_3_computes_alike(statements: str) -> None:
    unchanged(f"import tensorflow as tf\n\nmodel = tf.keras.Sequential()\n{statements}\n")


def test_programs_that_keras_3_runs_alike_stay() -> None:
    unchanged(
        """\
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit([[1.0]], [[1.0]])
        """
    )


@pytest.mark.parametrize(
    "code",
    [
        "import keras\nfrom keras import layers\n\nx = keras.ops.ones([2])\nprint(layers.Dense(1)(x))\n",
        "import keras\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\n",
        "import tf_keras\nfrom tensorflow import keras\n\nmodel = keras.Sequential()\nprint(model.predict_classes)\n",
    ],
)
def test_programs_of_keras_3_stay(code: str) -> None:
    unchanged(code)


def test_a_program_has_one_keras() -> None:
    others = {
        "net.py": "import tensorflow as tf\n\ndef net():\n    return tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
    }
    text = migrated("import net\n\nmodel = net.net()\nmodel.fit_generator(None)\n", others=others).text
    assert "import net" in text
    main = "import net\nimport tensorflow as tf\n\nsess = tf.Session()\ntf.keras.backend.set_session(sess)\nnet.net()\n"
    own = migrated(others["net.py"], "net.py", {"main.py": main}).text
    assert "return compat.keras2.Sequential([compat.keras2.layers.Dense(1)])" in own


def test_a_module_of_that_name_in_the_tree_is_another_one() -> None:
    text = migrated(
        "import tensorflow as tf\nfrom keras import layers\n\nx = tf.placeholder(tf.float32)\ny = layers.mine(x)\n",
        others={"keras/__init__.py": "", "keras/layers.py": "def mine(x):\n    return x\n"},
    ).text
    assert "from keras import layers" in text
    text = migrated(
        "import tensorflow as tf\nimport keras\n\nx = tf.placeholder(tf.float32)\ny = keras.mine(x)\n",
        others={"keras.py": "def mine(x):\n    return x\n"},
    ).text
    assert "import keras\n" in text


def test_a_folder_of_that_name_is_not_what_is_imported() -> None:
    code = "import keras\n\nmodel = keras.models.Sequential()\nprint(model.predict_classes(x))\n"
    text = migrated(code, "keras/lab.py", others={"other.py": "x = 1\n"}).text
    assert text.startswith("import compat.keras2.standalone as keras\n")


def test_names_of_a_star_import() -> None:
    found = migrated(
        "from keras.layers import *\nfrom keras import backend as K\n\nprint(sorted([1]), K.learning_phase(), Add)\n"
    )
    assert "from compat.keras2.standalone.layers import *" in found.text
    assert not [finding for finding in found.findings if finding.action == "manual"]


def test_what_keras_2_lost_is_told_where_it_stands() -> None:
    told = refuses(
        "import tensorflow as tf\n\nx = tf.placeholder(tf.keras.backend.floatx())\n"
        "m = tf.keras.utils.multi_gpu_model(x, 2)\n",
        "tf.keras.utils.multi_gpu_model",
    )
    assert (told.line, told.rule) == (4, "TFM115")
    told = refuses(
        "from keras.utils import multi_gpu_model\nfrom keras import backend as K\n\nK.get_session()\n",
        "tf.keras.utils.multi_gpu_model",
    )
    assert told.line == 1


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("from keras.optimizers import SGD\nfrom keras import backend as K\n\nK.get_session()\nSGD(0.1)\n", [1]),
        ("import keras\n\nkeras.backend.get_session()\nkeras.optimizers.SGD(lr=0.1)\n", [4]),
        ("from keras import models\n\nmodel = models.Sequential()\nmodel.compile('Adam', 'mse')\n", [4]),
        (
            "import re\nimport keras\n\nre.compile('a')\n\n\ndef f(m):\n    m.compile(loss='mse', optimizer='sgd')\n",
            [8],
        ),
    ],
)
def test_the_order_that_stand_alone_optimizers_left_open_is_told(code: str, lines: list[int]) -> None:
    found = [finding for finding in migrated(code).findings if finding.severity == "warning"]
    assert [finding.line for finding in found] == lines
    assert all(finding.action == "shimmed" and finding.next_step for finding in found)


def test_a_function_of_the_backend_alone_keeps_no_keras_2() -> None:
    code = "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\ny = tf.keras.backend.hard_sigmoid(x)\n"
    assert "keras2" not in migrated(code).text
    assert "compat.keras2.backend.get_session" in migrated(f"{code}tf.keras.backend.get_session()\n").text


@pytest.mark.parametrize(
    "line",
    [
        "layers.LSTM(4, batch_input_shape=(2, 3, 1), stateful=True)",
        "optimizers.SGD(0.1 if big else 0.01, decay=0.1)",
        "layers.Embedding(10, 4, weights=[table])",
        "callbacks.ModelCheckpoint('m.h5', period=5)",
        "model.train_on_batch(x, y)",
        "model.trainable = False",
        "model.fit(x, y, use_multiprocessing=True)",
        "callbacks.LambdaCallback(on_batch_end=lambda batch, logs: print(logs['size']))",
        "print(model.fit(x, y).params['samples'])",
    ],
)
@pytest.mark.parametrize("package", ["tensorflow.keras", "keras"])
def test_what_keras_3_takes_no_more_or_does_otherwise(line: str, package: str) -> None:
    text = (
        f"from {package} import callbacks, layers, models, optimizers\n\ndef f(model, x, y, big, table):\n    {line}\n"
    )
    assert "from compat.keras2" in migrated(text).text


@pytest.mark.parametrize(
    "lines",
    [
        "model.add(tf.keras.layers.Dense(2, activation='softmax'))\nmodel.compile('sgd', loss='binary_crossentropy')",
        "model.add(tf.keras.layers.Masking(0.0))",
        "model.add(tf.keras.layers.Embedding(9, 3, mask_zero=True))",
        "model.compile('sgd', 'cosine_similarity')",
        "model.compile('Adagrad', 'mse')",
        "data = tf.keras.preprocessing.image.ImageDataGenerator(rotation_range=20)",
        "model.compile(tf.keras.optimizers.RMSprop(0.1), 'mse')",
        "tf.set_random_seed(3)",
        "model.add(tf.keras.layers.Embedding(9, 3))\nmodel.compile('adam', 'mse')",
        "model.add(tf.keras.layers.LocallyConnected1D(2, 3))",
        "model.compile('sgd', loss='huber_loss')",
        "model.compile('sgd', loss=tf.keras.losses.Huber(reduction='sum'))",
        "model.add(tf.keras.layers.Dense(3, activation='sigmoid'))\nmodel.compile('sgd', 'categorical_crossentropy')",
        "model.add(tf.keras.layers.Conv2D(2, 3))\nmodel.add(tf.keras.layers.BatchNormalization())",
        "base = tf.keras.applications.ResNet50(weights=None)\nmodel.fit(x, y)",
        "print(model.evaluate(tf.data.Dataset.from_tensor_slices((x, y)).batch(2)))",
        "class Lines(tf.keras.utils.Sequence):\n    pass\n\nmodel.fit(Lines(), epochs=2)",
        "model.add(tf.keras.layers.Dense(3))\nmodel.compile('sgd', 'binary_crossentropy', metrics=['accuracy'])",
    ],
)
def test_what_keras_3_computes_otherwise_in_silence(lines: str) -> None:
    text = migrated(f"import tensorflow as tf\n\nmodel = tf.keras.Sequential()\n{lines}\n").text
    assert "model = compat.keras2.Sequential()" in text


def test_the_stand_alone_package_that_trains() -> None:
    code = "from keras.layers import Dense\nfrom keras.models import Sequential\n\nmodel = Sequential([Dense(1)])\n"
    unchanged(code)
    text = migrated(f"{code}model.compile('adam', 'mse')\n").text
    assert "from compat.keras2.standalone.models import Sequential" in text


def test_functions_of_the_package_that_tensorflow_had_later_are_no_sign_of_tensorflow_2() -> None:
    code = "from keras import backend as K\n\nx = K.placeholder((None, 3))\nprint(K.is_sparse(x), K.ndim(x))\n"
    assert "compat.open_graph()\nx = K.placeholder" in migrated(code).text


def test_the_name_of_the_stand_alone_package_is_written_out() -> None:
    imports = "import keras\nfrom keras import backend as K\n\n"
    code = f"{imports}is_old = keras.__name__ == 'keras'\nprint(K.__name__, K.eval(1))\n"
    text = migrated(code).text
    assert "is_old = \"keras\" == 'keras'" in text
    assert 'print("keras.backend", K.eval(1))' in text


def test_which_backend_there_is_builds_nothing() -> None:
    code = (
        "import pytest\nfrom keras import backend as K\nfrom keras.models import Sequential\n\n\n"
        "@pytest.mark.skipif(K.backend() != 'tensorflow',\n                    reason='a')\n"
        "def test_model():\n    Sequential().compile('sgd', 'mse')\n"
    )
    text = migrated(code, "test_model.py").text
    assert "from compat.keras2.standalone.models import Sequential" in text
    assert "open_graph()" not in text


def test_tensorflow_through_the_backend() -> None:
    becomes(
        """\
        import keras.backend.tensorflow_backend as KTF
        from keras import backend as K
        from keras.backend import tf as ktf
        from keras.layers import Lambda

        config = KTF.tf.ConfigProto()
        KTF.set_session(KTF.tf.Session(config=config))
        halved = Lambda(lambda x: ktf.image.resize_images(x, (K.tf.shape(x)[1], 2)))
        """,
        """\
        import compat.keras2.standalone.backend.tensorflow_backend as KTF
        from compat.keras2.standalone import backend as K
        from compat.keras2.standalone.backend import tf as ktf
        from compat.keras2.standalone.layers import Lambda
        import tensorflow as tf
        import compat

        config = compat.ConfigProto()
        compat.open_graph()
        KTF.set_session(compat.Session(config=config))
        halved = Lambda(lambda x: compat.image.resize_images(x, (tf.shape(x)[1], 2)))
        """,
    )


def test_a_copied_optimizer_keeps_its_decorators() -> None:
    code = (
        "from keras.legacy import interfaces\nfrom keras.optimizers import Optimizer\n\n\nclass Own(Optimizer):\n"
        "    @interfaces.legacy_get_updates_support\n    def get_updates(self, loss, params):\n        return []\n"
    )
    found = migrated(code)
    assert "from compat.keras2.standalone.legacy import interfaces\n" in found.text
    assert not [finding for finding in found.findings if finding.action == "manual"]


def test_optimizers_by_the_path_of_their_sources() -> None:
    code = (
        "import tensorflow as tf\nfrom tensorflow.python.keras.optimizer_v2.optimizer_v2 import OptimizerV2\n"
        "from tensorflow.python.keras.optimizer_v2 import adam\n\n\nclass Own(OptimizerV2):\n"
        "    def _resource_apply_dense(self, grad, var):\n        return var.assign_sub(grad)\n\n\n"
        "first = adam.Adam(0.1)\n"
    )
    found = migrated(code)
    assert "from compat.keras2.optimizer_v2.optimizer_v2 import OptimizerV2\n" in found.text
    assert "from compat.keras2.optimizer_v2 import adam\n" in found.text
    assert not [finding for finding in found.findings if finding.action == "manual"]


@pytest.mark.parametrize("line", ["K = tf.keras  # the models' home", "K = tf.keras; RATE = 0.1"])
def test_another_name_of_keras_beside_something_else_on_its_line(line: str) -> None:
    found = migrated(
        f"import tensorflow as tf\n\n{line}\nmodel = K.Sequential([K.layers.Dense(1)])\nmodel.fit_generator(data)\n"
    ).text
    assert line.replace("tf.keras", "compat.keras2") in found


def test_metrics_keep_their_names_under_the_behavior_of_tensorflow_2() -> None:
    becomes(
        """\
        import tensorflow as tf

        tf.enable_v2_behavior()
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse", metrics=["mae"])
        print(model.fit(x, y).history)
        """,
        """\
        import tensorflow as tf
        import compat

        compat.enable_v2_behavior()
        model = compat.keras2.Sequential([compat.keras2.layers.Dense(1)])
        model.compile("sgd", "mse", metrics=["mae"])
        print(model.fit(x, y).history)
        """,
    )


def test_the_behavior_of_tensorflow_2_as_the_program_begins() -> None:
    becomes(
        """\
        import tensorflow as tf
        from tensorflow.keras.layers import Dense

        def main():
            model = tf.keras.Sequential([Dense(1)])
            model.compile("sgd", "mse", metrics=["accuracy"])
            model.train_on_batch(x, y)

        if __name__ == "__main__":
            tf.enable_v2_behavior()
            main()
        """,
        """\
        import tensorflow as tf
        from compat.keras2.layers import Dense
        import compat

        def main():
            model = compat.keras2.Sequential([Dense(1)])
            model.compile("sgd", "mse", metrics=["accuracy"])
            model.train_on_batch(x, y)

        if __name__ == "__main__":
            compat.enable_v2_behavior()
            main()
        """,
    )


def test_a_program_that_prints_what_layers_say_of_themselves() -> None:
    found = migrated("from tensorflow.keras import layers\n\nlayer = layers.Dense(2)\nprint(layer.get_config())\n").text
    assert found.startswith("from compat.keras2 import layers\n")
    found = migrated("import keras\n\nprint(keras.initializers.serialize(keras.initializers.he_normal()))\n").text
    assert "import compat.keras2.standalone as keras\n" in found
    unchanged(
        "from tensorflow.keras import layers\n\n\nclass Scale(layers.Layer):\n    def get_config(self):\n"
        "        return dict(super(Scale, self).get_config(), by=self.by)\n"
    )


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("from keras import layers, wrappers", "from compat.keras2.standalone import layers, wrappers"),
        ("from tensorflow.python.keras import wrappers", "from compat.keras2 import wrappers"),
    ],
)
def test_a_module_that_a_library_only_hands_on(line: str, after: str) -> None:
    found = migrated(f"import tensorflow as tf\nfrom tensorflow.keras import backend as K\n{line}\nK.get_session()\n")
    assert after in found.text.splitlines()
    assert not [finding for finding in found.findings if finding.action == "manual"]


def test_wrappers_for_scikit_learn_are_told() -> None:
    symbol = "tf.keras.wrappers.scikit_learn.KerasClassifier"
    found = migrated(
        "from keras.models import Sequential\nfrom keras.wrappers.scikit_learn import KerasClassifier\n\n"
        "KerasClassifier(make)\nSequential().fit(x)\n"
    )
    told = [finding.line for finding in found.findings if finding.action == "manual" and finding.symbol == symbol]
    assert sorted(told) == [2, 4]
