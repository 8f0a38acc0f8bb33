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


def test_what_is_gone_gets_a_stand_in_that_raises_when_it_is_used() -> None:
    code = "from tensorflow.contrib import tensor_forest, rnn as cell\nimport os\n\nx = lambda: tensor_forest.a, cell\n"
    refuses(code, "tf.contrib.tensor_forest")
    assert migrated(code).text == (
        "import compat\nfrom compat.contrib import rnn as cell\n"
        'tensor_forest = compat.Removed("tensorflow.contrib.tensor_forest")\n'
        "import os\n\nx = lambda: tensor_forest.a, cell\n"
    )


def test_the_stand_in_of_a_whole_module_comes_behind_the_shims_import() -> None:
    code = (
        "from __future__ import division\nimport tensorflow.contrib.quantize as q\nimport tensorflow as tf\n\nq.x(tf)\n"
    )
    assert migrated(code).text.startswith(
        "from __future__ import division\nimport compat\n"
        'q = compat.Removed("tensorflow.contrib.quantize")\nimport tensorflow as tf\n'
    )


def test_other_imports_of_what_is_gone_stay() -> None:
    guarded = (
        "try:\n    from tensorflow.contrib import nccl\nexcept ImportError:\n    nccl = None\nx = lambda: nccl.a\n"
    )
    inside = "def f():\n    from tensorflow.contrib import nccl\n    return nccl.client\n"
    star = "from tensorflow.contrib.nccl import *\n"
    for code in (guarded, inside, star):
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


@pytest.mark.parametrize(
    ("star", "body", "added"),
    [
        (
            "tensorflow.python.ops.rnn_cell",
            "print(len(GRUCell(2)))",
            "compat.nn.rnn_cell",
        ),
        ("tensorflow", "x = GraphKeys, print, len", "compat"),
    ],
)
def test_a_star_import_gives_names_that_live_elsewhere(star: str, body: str, added: str) -> None:
    name = "GRUCell" if "GRUCell" in body else "GraphKeys"
    result = migrated(f"from {star} import *\n\ndef f():\n    {body}\n")
    assert result.text.startswith(f"from {star} import *\nfrom {added} import {name}\n")
    assert not [finding for finding in result.findings if finding.action == "manual"]


def test_names_that_another_module_has_from_a_star_import() -> None:
    cells = "from tensorflow.python.ops.rnn_cell import *\n"
    model = "import tensorflow as tf\nfrom cells import *\n\ndef f(x):\n    return super, print, LSTMCell(2)\n"
    names = migrated(model, "model.py", {"cells.py": cells})
    assert not [finding for finding in names.findings if finding.action == "manual"]


@pytest.mark.parametrize(
    ("statement", "use", "expected"),
    [
        (
            "from tensorflow.contrib.slim.nets import vgg, resnet_v1",
            "y = resnet_v1.resnet_v1_50(x)\nz = vgg.vgg_16(x)",
            "from compat.contrib.slim.nets import vgg, resnet_v1",
        ),
        (
            "from tensorflow.contrib.slim.python.slim.nets import resnet_v1",
            "y = resnet_v1.resnet_v1(x, [])",
            "y = compat.contrib.slim.nets.resnet_v1.resnet_v1(x, [])",
        ),
        (
            "from tensorflow.contrib.slim.python.slim.nets.resnet_v1 import resnet_v1_block",
            "y = resnet_v1_block('a', 1, 1, 2)",
            "from compat.contrib.slim.nets.resnet_v1 import resnet_v1_block",
        ),
        (
            "from tensorflow.contrib import slim",
            "y = slim.nets.resnet_v2.resnet_v2_50(x)",
            "from compat.contrib import slim",
        ),
        (
            "from tensorflow.contrib.slim import nets",
            "y = nets.resnet_utils.conv2d_same(x, 3, 3, 2)",
            "from compat.contrib.slim import nets",
        ),
        (
            "import tensorflow.contrib.slim.nets as nets",
            "y = nets.alexnet.alexnet_v2(x)",
            "import compat.contrib.slim.nets as nets",
        ),
        (
            "import tensorflow.contrib.slim.python.slim.nets.inception_v3 as inception",
            "y = inception.inception_v3(x)",
            "y = compat.contrib.slim.nets.inception_v3.inception_v3(x)",
        ),
    ],
)
def test_networks_of_slim(statement: str, use: str, expected: str) -> None:
    found = migrated(f"import tensorflow as tf\n{statement}\n\nx = tf.ones([1, 32, 32, 3])\n{use}\n")
    assert expected in found.text
    assert not [finding for finding in found.findings if finding.action == "manual"]


@pytest.mark.parametrize(
    ("statement", "use", "expected"),
    [
        (
            "from tensorflow.contrib.learn.python.learn import monitored_session as ms",
            "s = ms.MonitoredSession()",
            "s = compat.train.MonitoredSession()",
        ),
        (
            "from tensorflow.contrib.slim.python.slim.data import tfexample_decoder",
            "d = tfexample_decoder.Tensor('x')",
            "d = compat.contrib.slim.tfexample_decoder.Tensor('x')",
        ),
        (
            "import tensorflow.contrib.opt.python.training.lazy_adam_optimizer as lazy",
            "o = lazy.LazyAdamOptimizer(0.1)",
            "o = compat.contrib.opt.LazyAdamOptimizer(0.1)",
        ),
        (
            "from tensorflow.contrib.framework.python.framework.checkpoint_utils import load_variable",
            "v = load_variable('a', 'b')",
            "from compat.contrib.framework import load_variable",
        ),
    ],
)
def test_files_of_contrib_by_their_paths(statement: str, use: str, expected: str) -> None:
    found = migrated(f"import tensorflow as tf\n{statement}\n\n{use}\n")
    assert expected in found.text
    assert not [finding for finding in found.findings if finding.action == "manual"]


def test_the_private_module_that_writes_graphs() -> None:
    imports = "import tensorflow as tf\nfrom tensorflow.python.framework import graph_io\n\n"
    found = migrated(f"{imports}graph_io.write_graph(g, '.', 'a.pb')\n")
    assert "tf.io.write_graph(g, '.', 'a.pb')" in found.text
    assert not [finding for finding in found.findings if finding.action == "manual"]
