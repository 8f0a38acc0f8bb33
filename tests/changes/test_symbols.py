"""Each use of a symbol: renamed, called otherwise, shimmed, left alone, or left to a person."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated, refuses, unchanged

HEAD = "import tensorflow as tf\n\ndef f(x, y, z):\n    "
SHIM = "import tensorflow as tf\nimport compat\n\ndef f(x, y, z):\n    "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return tf.log(x)", "return tf.math.log(x)"),
        ("return tf.log(tf.log(x))", "return tf.math.log(tf.math.log(x))"),
        ("return map(tf.log, x)", "return map(tf.math.log, x)"),
        ("return tf . log (x)", "return tf.math.log (x)"),
        ("return (tf\n            .log(x))", "return (tf.math.log(x))"),
        ("return tf.reduce_sum(x, keep_dims=True)", "return tf.reduce_sum(x, keepdims=True)"),
        (
            "return tf.nn.dropout(tf.log(x), 1 - tf.log(y))",
            "return tf.nn.dropout(tf.math.log(x), rate=1 - (1 - tf.math.log(y)))",
        ),
        ("return tf.to_float(x)", None),
        ("return tf.compat.v1.log(x)", "return tf.math.log(x)"),
        ("return tf.compat.v1.reshape(x, y)", "return tf.reshape(x, y)"),
        ("return [tf.log(tf_) for tf_ in x]", "return [tf.math.log(tf_) for tf_ in x]"),
    ],
)
def test_tensorflow_2(before: str, after: str | None) -> None:
    if after is None:
        result = migrated(HEAD + before + "\n")
        assert "tf.to_float" not in result.text
        return
    becomes(HEAD + before + "\n", HEAD + after + "\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return tf.placeholder(x)", "return compat.placeholder(x)"),
        ("return tf.get_variable('w', x)", "return compat.get_variable('w', x)"),
        ("return tf.compat.v1.placeholder(x)", "return compat.placeholder(x)"),
        ("return tf.train.AdamOptimizer", "return compat.train.AdamOptimizer"),
        ("return tf.GraphKeys.LOSSES", "return compat.GraphKeys.LOSSES"),
        ("return tf.placeholder(tf.log(x))", "return compat.placeholder(tf.math.log(x))"),
        ("return tf.nn.dropout(*x)", "return compat.nn.dropout(*x)"),
        ("return map(tf.reduce_sum, x)", "return map(compat.reduce_sum, x)"),
        ("return tf.Variable(x)", "return compat.Variable(x)"),
        ("return tf.assert_equal(x, y, [z])", "return compat.assert_equal(x, y, [z])"),
        ("return tf.assert_rank(x, 2, data=[z])", "return compat.assert_rank(x, 2, data=[z])"),
        ("layers = tf.layers; return layers.dense(x, 3)", "layers = compat.layers; return layers.dense(x, 3)"),
    ],
)
def test_shims(before: str, after: str) -> None:
    becomes(HEAD + before + "\n", SHIM + after + "\n")


@pytest.mark.parametrize(
    "line",
    [
        "return tf.reshape(x, [-1])",
        "return tf.reduce_sum(x, axis=1)",
        "return tf.constant(1.0)",
        "return tf.nn.relu(x)",
        "return tf.float32",
        "return x.log(y)",
        "return tf.__version__",
        "return tf.nn.dropout(x, rate=y)",
        "tf = x; return tf.log(y)",
        "return 'tf.log(x)'  # tf.placeholder",
        "return tf.math.log(x)",
        "return x == y and x != z",
    ],
)
def test_what_means_the_same(line: str) -> None:
    unchanged(HEAD + line + "\n")


def test_a_module_without_tensorflow() -> None:
    unchanged("import numpy as tf\nprint(tf.log(1.0))\n")


def test_other_roots() -> None:
    becomes(
        "import tensorflow\nx = lambda: tensorflow.log(1.0)\n",
        "import tensorflow\nx = lambda: tensorflow.math.log(1.0)\n",
    )
    becomes(
        "import tensorflow as T\nx = lambda: T.placeholder(T.log(T.float32))\n",
        "import tensorflow as T\nimport compat\nx = lambda: compat.placeholder(T.math.log(T.float32))\n",
    )


def test_a_root_is_imported_where_none_is() -> None:
    becomes(
        "from tensorflow.contrib import slim\n\ndef f(x):\n    return slim.nn.relu(x)\n".replace(
            "slim.nn.relu", "slim.conv2d"
        ),
        "from compat.contrib import slim\n\ndef f(x):\n    return slim.conv2d(x)\n",
    )


def test_names_of_modules_of_the_tree() -> None:
    becomes(
        "from ops import *\n\ndef f(x):\n    return tf.placeholder(slim.conv2d(x))\n",
        "from ops import *\nimport compat\n\ndef f(x):\n    return compat.placeholder(slim.conv2d(x))\n",
        **{"ops.py": "import tensorflow as tf\nimport tensorflow.contrib.slim as slim\n"},
    )


def test_what_no_shim_stands_for_is_left() -> None:
    found = refuses(
        HEAD + "return tf.contrib.tensor_forest.python.tensor_forest.X(x)\n",
        "tf.contrib.tensor_forest.python.tensor_forest.X",
    )
    assert (found.line, found.column) == (4, 12)
    assert found.rule == "TFM104"


def test_left_uses_of_v1_say_v1() -> None:
    result = migrated("import tensorflow.compat.v1 as tf\nx = lambda: tf.get_session_handle(1)\n")
    assert result.text == "import tensorflow as tf\nx = lambda: tf.compat.v1.get_session_handle(1)\n"


def test_f_strings() -> None:
    code = HEAD + "return f'{tf.log(x)} {tf.float32}'\n"
    result = migrated(code)
    if result.text == code:  # before Python 3.12 positions inside f-strings are not to be relied on
        assert [finding.action for finding in result.findings] == ["manual"]
    else:
        assert result.text == code.replace("tf.log", "tf.math.log")


def test_skip_comments() -> None:
    code = HEAD + "return tf.placeholder(x)  # tf-migrate: skip\n"
    result = unchanged(code)
    assert result.findings == ()
    block = "import tensorflow as tf\n\ndef f(x):  # tf-migrate: skip\n    return tf.log(x)\n\ny = lambda: tf.log(1)\n"
    assert migrated(block).text == block.replace("lambda: tf.log", "lambda: tf.math.log")


def test_each_use_is_told_once() -> None:
    result = migrated(HEAD + "return tf.placeholder(tf.log(x)), tf.log(y), tf.nn.relu(z), tf.get_session_handle\n")
    told = [(finding.symbol, finding.action) for finding in result.findings]
    assert sorted(told) == [
        ("tf.get_session_handle", "manual"),
        ("tf.log", "rewritten"),
        ("tf.log", "rewritten"),
        ("tf.placeholder", "shimmed"),
    ]
    assert result.unchanged == 1


def test_select_and_ignore() -> None:
    code = HEAD + "return tf.placeholder(tf.log(x))\n"
    assert "tf.math.log" not in migrated(code, ignore=("TFM101",)).text
    assert "compat.placeholder" in migrated(code, ignore=("TFM101",)).text
    assert migrated(code, select=("TFM101",)).text == code.replace("tf.log", "tf.math.log")


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf\nimport compat\nv = tf.Variable(1.0)\nx = tf.nn.dropout(v, 0.1)\n",
        "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return tf.nn.dropout(tf.Variable(x), 0.1)\n",
    ],
)
def test_names_of_both_in_modules_of_tensorflow_2(code: str) -> None:
    unchanged(code)


def test_private_paths_are_the_public_names_that_they_gave() -> None:
    head = "from tensorflow.python.ops import array_ops\n"
    becomes(
        head + "\ndef f(x):\n    return array_ops.placeholder(array_ops.where_v2(x))\n",
        "import tensorflow as tf\nimport compat\n\ndef f(x):\n    return compat.placeholder(tf.compat.v2.where(x))\n",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return tf.keras.optimizers.Adam(lr=x)", "return tf.keras.optimizers.Adam(learning_rate=x)"),
        (
            "return tf.keras.optimizers.SGD(x, 0.9, nesterov=True)",
            "return tf.keras.optimizers.SGD(x, 0.9, nesterov=True)",
        ),
        ("return tf.keras.optimizers.Adam(x, clipnorm=1.0)", "return tf.keras.optimizers.Adam(x, clipnorm=1.0)"),
    ],
)
def test_optimizers_of_keras(before: str, after: str) -> None:
    if before == after:
        assert migrated(HEAD + before + "\n").text == HEAD + before + "\n"
    else:
        becomes(HEAD + before + "\n", HEAD + after + "\n")


def test_a_decay_keeps_keras_2() -> None:
    text = migrated(HEAD + "return tf.keras.optimizers.SGD(lr=x, decay=1e-6)\n").text
    assert text.endswith("    return compat.keras2.optimizers.SGD(lr=x, decay=1e-6)\n")


def test_paths_into_the_sources_of_keras_are_the_public_names() -> None:
    code = "\n\ndef f(x):\n    K.clear_session()\n    return Sequential([Dropout(x)]), to_categorical(x)\n"
    becomes(
        "from tensorflow.python.keras import backend as K\nfrom tensorflow.python.keras.models import Sequential\n"
        "from tensorflow.python.keras.layers.core import Dropout\n"
        f"from tensorflow.python.keras.utils.np_utils import to_categorical{code}",
        "from tensorflow.keras import backend as K\nfrom tensorflow.keras.models import Sequential\n"
        "from tensorflow.keras.layers import Dropout\n"
        f"from compat.keras.utils import to_categorical{code}",
    )


def test_what_a_private_path_shares_with_the_public_api_moves_as_that_does() -> None:
    code = "import flags\nFLAGS = flags.FLAGS\nflags.DEFINE_integer('n', 3, 'how many')\nprint(FLAGS.n)\n"
    becomes("from tensorflow.python.platform " + code, "from compat " + code)
    scopes = "import add_arg_scope, arg_scope\n\n@add_arg_scope\ndef f(x):\n    return arg_scope([f], x=5)\n"
    becomes("from tensorflow.contrib.framework.python.ops " + scopes, "from compat.contrib.framework " + scopes)
    becomes(
        "from tensorflow.python.client import session\nsession.register_session_run_conversion_functions(list, f)\n",
        "import compat\ncompat.register_session_run_conversion_functions(list, f)\n",
    )


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("return tf.moments(x, y)", "`tf.nn.moments`"),
        ("return tf.gfile.open(x)", "`tf.gfile.Open`"),
        ("return tf.compat.v2.logging.warn(x)", "`tf-migrate explain tf.logging.warn`"),
    ],
)
def test_names_that_no_tensorflow_has_are_told_with_what_was_meant(line: str, meant: str) -> None:
    result = refuses(HEAD + line + "\n", line.removeprefix("return ").partition("(")[0])
    assert meant in (result.next_step or "")


def test_a_name_that_the_program_puts_into_tensorflow_is_its_own() -> None:
    unchanged("import tensorflow as tf\n\ntf.model = tf.keras.Sequential()\ntf.model.fit(1)\n")


def test_sources_are_no_attributes_of_tensorflow_2() -> None:
    found = refuses(
        HEAD + "return tf.core.framework.graph_pb2.GraphDef\n", "tensorflow.core.framework.graph_pb2.GraphDef"
    )
    assert found.next_step == "import it: `from tensorflow.core.framework.graph_pb2 import GraphDef`"


@pytest.mark.parametrize(
    "code",
    [
        "from tensorflow.core.util import event_pb2\nprint(event_pb2.Event())\n",
        "from tensorflow.core.framework import summary_pb2 as s, graph_pb2\nprint(s.Summary, graph_pb2.GraphDef)\n",
        "import tensorflow.core.framework.types_pb2\nprint(tensorflow.core.framework.types_pb2.DT_FLOAT)\n",
        "import tensorflow.core.framework.types_pb2 as t\nprint(t.DT_FLOAT)\n",
    ],
)
def test_protocol_buffers_stay_where_they_are(code: str) -> None:
    unchanged(code)


def test_a_protocol_buffer_that_is_gone() -> None:
    code = "from tensorflow.core.profiler import op_profile_pb2\nprint(op_profile_pb2)\n"
    found = [finding.action for finding in migrated(code).findings]
    assert found and set(found) == {"manual"}
