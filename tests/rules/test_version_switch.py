"""Where TensorFlow's version decides, it is the one that is migrated; where it is shown, the installed one."""

from __future__ import annotations

import pytest

from tests.engine import becomes, migrated, unchanged

HEAD = "import tensorflow as tf\nfrom distutils.version import LooseVersion\n\ndef f(x):\n    tf.Session()\n    "


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("return tf.__version__ < '1.4'", "return compat.VERSION < '1.4'"),
        ("return tf.VERSION >= '2'", "return compat.VERSION >= '2'"),
        ("return tf.version.VERSION.startswith('2')", "return compat.VERSION.startswith('2')"),
        ("return LooseVersion(tf.__version__) < x", "return LooseVersion(compat.VERSION) < x"),
        ("return int(tf.__version__[0]) > 1", "return int(compat.VERSION[0]) > 1"),
        ("return [int(n) for n in tf.__version__.split('.')]", "return [int(n) for n in compat.VERSION.split('.')]"),
        ("return str(tf.__version__)[0] == '2'", "return str(compat.VERSION)[0] == '2'"),
        ("v = tf.__version__; return v < '2'", "v = compat.VERSION; return v < '2'"),
        ("print(tf.__version__)", "print(tf.__version__)"),
        ("print('%s' % tf.__version__)", "print('%s' % tf.__version__)"),
        ("v = tf.__version__; print(v)", "v = tf.__version__; print(v)"),
        ("x.write(tf.__version__ + x)", "x.write(tf.__version__ + x)"),
    ],
)
def test_versions(line: str, after: str) -> None:
    text = migrated(HEAD + line + "\n").text
    assert text.endswith(f"    {after}\n")


def test_a_version_that_is_imported() -> None:
    becomes(
        "from tensorflow import __version__ as v\n\ndef f():\n    return v >= '2'\n",
        "import compat\n\ndef f():\n    return compat.VERSION >= '2'\n",
    )


def test_code_of_tensorflow_2_asks_for_the_installed_version() -> None:
    unchanged("import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return tf.__version__ > '2.10'\n")
