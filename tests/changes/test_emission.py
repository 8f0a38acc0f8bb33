"""The import of the shims: once, behind TensorFlow's, before what needs it, under a name of its own."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated

USE = "x = lambda: tf.placeholder(1)\n"
SHIM = "x = lambda: compat.placeholder(1)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import tensorflow as tf\n", "import tensorflow as tf\nimport compat\n"),
        ("import tensorflow as tf  # v1\n", "import tensorflow as tf  # v1\nimport compat\n"),
        ("import tensorflow as tf; import os\n", "import tensorflow as tf; import os\nimport compat\n"),
        ("import tensorflow as tf\nimport os\n", "import tensorflow as tf\nimport compat\nimport os\n"),
        (
            "'''Doc.'''\nfrom __future__ import division\nimport os\nos.environ['A'] = '1'\nimport tensorflow as tf\n",
            "'''Doc.'''\nfrom __future__ import division\nimport os\nos.environ['A'] = '1'\n"
            "import tensorflow as tf\nimport compat\n",
        ),
        (
            "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n",
            "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\nimport compat\n",
        ),
        ("import tensorflow as \\\n    tf\n", "import tensorflow as \\\n    tf\nimport compat\n"),
    ],
)
def test_place(before: str, after: str) -> None:
    assert migrated(before + USE).text == after + SHIM


def test_crlf() -> None:
    result = migrated("import tensorflow as tf\r\n\r\nx = tf.placeholder(1)\r\n")
    assert (
        result.text
        == "import tensorflow as tf\r\nimport compat\r\n\r\ncompat.open_graph()\r\nx = compat.placeholder(1)\r\n"
    )


def test_no_newline_at_the_end() -> None:
    result = migrated("def f():\n    import tensorflow as tf\n    return tf.placeholder(1)")
    assert result.text == "import compat\ndef f():\n    import tensorflow as tf\n    return compat.placeholder(1)"


def test_imports_between_code() -> None:
    code = "import tensorflow as tf\nx = tf.placeholder(1)\nimport tensorflow.contrib.slim as slim\n"
    lines = migrated(code).text.splitlines()
    assert lines[:3] == ["import tensorflow as tf", "import compat", "compat.open_graph()"]


@pytest.mark.parametrize(
    ("head", "block"),
    [
        ("import os\n", "if os.environ:\n    import tensorflow as tf\n    x = tf.placeholder(1)\n"),
        (
            "import os\n",
            "if os.environ:\n    import tensorflow as tf\n    if tf.VERSION < '1.5':\n        raise ImportError\n",
        ),
        (
            "import os\n",
            "try:\n    import tensorflow as tf\n    tf.placeholder(1)\nexcept ImportError:\n    tf = None\n",
        ),
    ],
)
def test_a_block_that_imports_and_goes_on(head: str, block: str) -> None:
    """The shims are needed inside: what stands behind the block would come too late."""
    lines = migrated(head + block).text.splitlines()
    uses = next(number for number, line in enumerate(lines) if "compat." in line)
    assert lines.index("import compat") < uses


def test_a_graph_that_is_opened_before_a_block_of_imports() -> None:
    code = "import os\n\n# What builds.\nif os.environ:\n    import tensorflow as tf\n    tf.placeholder(1)\n"
    assert migrated(code).text.startswith("import os\nimport compat\n\ncompat.open_graph()\n# What builds.\nif os")


def test_an_import_that_is_there_is_used() -> None:
    code = "import tensorflow as tf\nimport compat as shims\n" + USE
    assert migrated(code).text == code.replace("tf.placeholder", "shims.placeholder")


@pytest.mark.parametrize(
    "other",
    [
        "from tensorflow.python.util import compat\n",
        "compat = 3\n",
        "def f(compat): pass\n",
        "def f():\n    for compat in x: pass\n",
    ],
)
def test_another_compat_is_told_apart(other: str) -> None:
    text = migrated("import tensorflow as tf\n" + other + USE).text
    assert "import compat as tf_compat\n" in text
    assert "tf_compat.placeholder(1)" in text


def test_the_shims_by_another_name() -> None:
    code = "import tensorflow as tf\n" + USE
    assert (
        migrated(code, compat_module="tf1").text
        == "import tensorflow as tf\nimport tf1\nx = lambda: tf1.placeholder(1)\n"
    )
    dotted = migrated(code, compat_module="pkg.shims").text
    assert dotted == "import tensorflow as tf\nfrom pkg import shims\nx = lambda: shims.placeholder(1)\n"


@pytest.mark.parametrize("root", ["", "import tensorflow as tf\n"])
def test_a_parameter_that_hides_the_root(root: str) -> None:
    head = f"{root}from tensorflow.python.ops import math_ops\n"
    before = f"{head}\ndef f(tf, x):\n    return math_ops.log(x), tf\n"
    after = f"{root}import tensorflow\n\ndef f(tf, x):\n    return tensorflow.math.log(x), tf\n"
    becomes(before, after)
