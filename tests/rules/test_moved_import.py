"""Imports go where their names live; others stay."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated, refuses, unchanged


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import tensorflow.compat.v1 as tf", "import tensorflow as tf"),
        ("from tensorflow.compat import v1 as tf", "import tensorflow as tf"),
        ("import tensorflow.contrib.slim as slim", "import compat.contrib.slim as slim"),
        ("from tensorflow.contrib import slim", "from compat.contrib import slim"),
        ("from tensorflow.contrib import slim as s, rnn", "from compat.contrib import slim as s, rnn"),
        ("from tensorflow.contrib import (\n    slim,  # nets\n    rnn,\n)", "from compat.contrib import slim, rnn"),
        ("from tensorflow import placeholder", "from compat import placeholder"),
        (
            "from tensorflow import placeholder as ph, log",
            "from compat import placeholder as ph\nfrom tensorflow.math import log",
        ),
        ("from tensorflow import log, float32", "from tensorflow.math import log\nfrom tensorflow import float32"),
        ("from tensorflow.contrib.layers import fully_connected", "from compat.contrib.layers import fully_connected"),
        (
            "if True:\n    from tensorflow import placeholder, log",
            "if True:\n    from compat import placeholder\n    from tensorflow.math import log",
        ),
        (
            "import os; from tensorflow import placeholder, log",
            "import os; from compat import placeholder; from tensorflow.math import log",
        ),
        ("import tensorflow.contrib.slim", "import tensorflow"),
        ("from tensorflow.contrib.layers import *", "from compat.contrib.layers import *"),
    ],
)
def test_moved(before: str, after: str) -> None:
    becomes(before + "\n", after + "\n")


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf",
        "import tensorflow",
        "import tensorflow as tf, numpy as np",
        "from tensorflow import nn",
        "from tensorflow import float32, reshape",
        "import tensorflow.keras as keras",
        "from tensorflow.keras import layers",
        "from tensorflow import keras",
        "import tensorflow_hub as hub",
        "from .tensorflow import contrib",
        "from tensorflowx import contrib",
        "from contrib import slim",
    ],
)
def test_stay(code: str) -> None:
    unchanged(code + "\n")


def test_what_has_no_home_stays() -> None:
    code = "from tensorflow.contrib import tensor_forest\n\nx = lambda: tensor_forest.client\n"
    assert migrated(code).text == code
    refuses(code, "tf.contrib.tensor_forest")


def test_an_import_without_uses_goes() -> None:
    becomes(
        "import tensorflow as tf\nimport tensorflow.contrib.tensor_forest as forest\n\nx = tf.float32\n",
        "import tensorflow as tf\n\nx = tf.float32\n",
    )


def test_version_switches_keep_working() -> None:
    becomes(
        """\
        try:
            from tensorflow.contrib import rnn
        except ImportError:
            rnn = None
        """,
        """\
        try:
            from compat.contrib import rnn
        except ImportError:
            rnn = None
        """,
    )


def test_another_name_of_the_shims() -> None:
    result = migrated("from tensorflow.contrib import slim\n", compat_module="my.shims")
    assert result.text == "from my.shims.contrib import slim\n"


def test_an_import_of_the_shims_that_is_skipped() -> None:
    unchanged("from tensorflow.contrib import slim  # tf-migrate: skip\n")


def test_paths_into_the_sources_of_estimators() -> None:
    becomes(
        """\
        import tensorflow as tf
        from tensorflow.python.estimator import model_fn
        from tensorflow.python.estimator.export import export_output as outputs

        def predict(x):
            made = {"x": outputs.PredictOutput(x)}
            return model_fn.EstimatorSpec(model_fn.ModeKeys.PREDICT, predictions=x, export_outputs=made)
        """,
        """\
        import tensorflow as tf
        from compat import estimator as model_fn
        from compat.estimator import export as outputs

        def predict(x):
            made = {"x": outputs.PredictOutput(x)}
            return model_fn.EstimatorSpec(model_fn.ModeKeys.PREDICT, predictions=x, export_outputs=made)
        """,
    )


def test_constants_of_a_module_that_has_a_shim() -> None:
    becomes(
        """\
        import tensorflow as tf
        from tensorflow.python.saved_model import signature_constants, tag_constants

        print(tag_constants.SERVING, signature_constants.CLASSIFY_INPUTS)
        """,
        """\
        import tensorflow as tf

        print(tf.saved_model.SERVING, tf.saved_model.CLASSIFY_INPUTS)
        """,
    )


def test_a_star_import_of_the_sources_stays_and_its_names_that_moved_come_below() -> None:
    becomes(
        """\
        import tensorflow as tf
        from tensorflow.python.ops.rnn_cell import *

        class Half(GRUCell):
            def call(self, inputs, state):
                print(len(inputs), range(2))
                return super(Half, self).call(inputs, state)
        """,
        """\
        import tensorflow as tf
        from tensorflow.python.ops.rnn_cell import *
        from compat.nn.rnn_cell import GRUCell

        class Half(GRUCell):
            def call(self, inputs, state):
                print(len(inputs), range(2))
                return super(Half, self).call(inputs, state)
        """,
    )


def test_names_of_python_are_no_symbols_of_a_star_import() -> None:
    code = "from tensorflow.python.ops.rnn_cell import *\n\nprint(len([1]), sorted(zip([2])), GRUCell(3))\n"
    assert not [finding for finding in migrated(code).findings if finding.action == "manual"]


def test_a_star_import_that_others_take_names_of_gives_all_that_moved() -> None:
    code = "from tensorflow.python.ops.rnn_cell import *\n\nSIZE = 3\n"
    text = migrated(code, "cells.py", {"train.py": "from cells import *\ncell = GRUCell(SIZE)\n"}).text
    names = text.splitlines()[1].removeprefix("from compat.nn.rnn_cell import ").split(", ")
    assert {"BasicLSTMCell", "DropoutWrapper", "GRUCell", "LSTMStateTuple", "RNNCell"} <= set(names)
