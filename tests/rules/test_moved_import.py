"""Imports go where their names live; others stay."""

from __future__ import annotations

from typing import Any

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


def test_what_has_no_home_fails_when_it_is_used() -> None:
    """The rest of the module, and what imports it, lives: the import alone would stop it."""
    code = "from tensorflow.contrib import tensor_forest as forest, slim\n\nx = lambda: forest.client\n"
    result = migrated(code)
    assert result.text == (
        "from compat.contrib import slim\nfrom compat import missing as missing_in_tf2\n"
        'forest = missing_in_tf2("tensorflow.contrib.tensor_forest")\n\nx = lambda: forest.client\n'
    )
    refuses(code, "tf.contrib.tensor_forest")
    names: dict[str, Any] = {}
    exec(result.text, names)
    with pytest.raises(ImportError, match=r"tensor_forest\.client is used"):
        names["x"]()


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    from tensorflow.contrib import tensor_forest\nexcept ImportError:\n    tensor_forest = None\n",
        "def f():\n    from tensorflow.contrib import tensor_forest\n    return tensor_forest.client\n",
    ],
)
def test_an_import_that_may_fail_or_runs_later_stays(code: str) -> None:
    code += "\nx = lambda: tensor_forest.client\n"
    assert migrated(code).text == code


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
