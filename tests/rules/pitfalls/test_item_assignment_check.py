"""Item assignment: found where the name holds a tensor for certain, mended without another change of meaning."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
import tensorflow as tf

from tests.engine import migrated
from tf_migrate.report.model import Finding

HEAD = "import numpy as np\nimport tensorflow as tf\n\n"


def told(code: str) -> list[Finding]:
    found = migrated(HEAD + code + "\n", advice=True).findings
    return [finding for finding in found if finding.rule == "TFM425"]


def mended(code: str) -> str:
    text = migrated(HEAD + code + "\n", advice=True, select=("TFM425",)).text
    return (
        text.removeprefix("import numpy as np\nimport tensorflow as tf\nimport compat\n\n").removeprefix(HEAD).strip()
    )


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("x = tf.constant([0, 0, 0])\nx[0] = 4", "x = compat.item_assigned(x, 0, 4)"),
        ("x = tf.zeros([3]) * 2\nx[1:] -= 1 + 2", "x = compat.item_assigned(x, slice(1, None), x[1:] - (1 + 2))"),
        ("x = tf.zeros([3])\nx[0] **= (2)", "x = compat.item_assigned(x, 0, x[0] ** 2)"),
        ("x = -tf.nn.relu(y)\nx[..., ::-1] = 1", "x = compat.item_assigned(x, (..., slice(None, None, -1)), 1)"),
        ("x = 2 * tf.ones([3])\nx[:] = y", "x = compat.item_assigned(x, slice(None), y)"),
        ("x = tf.ones([3])\nx[x > 0] = 0", "x = compat.item_assigned(x, x > 0, 0)"),
        ("x = tf.ones([3])\nx[i, j] = (1,\n    2)", "x = compat.item_assigned(x, (i, j), (1,\n    2))"),
        ("v = tf.Variable([1, 2])\nv[0] = 3", "v[0].assign(3)"),
        ("v = tf.Variable([1, 2])\nv[0:2] += 3", "v[0:2].assign(v[0:2] + 3)"),
        ("x = tf.ones([4])\nfor i in range(4):\n    x[i] = i", "x = compat.item_assigned(x, i, i)"),
        (
            "@tf.function(input_signature=[tf.TensorSpec([3], tf.float32)])\ndef f(x):\n    x[0] = 1.0\n    return x",
            "x = compat.item_assigned(x, 0, 1.0)\n    return x",
        ),
    ],
)
def test_tensors_and_variables(code: str, after: str) -> None:
    (finding,) = told(code)
    assert (finding.action, finding.severity) == ("manual", "warning")
    assert mended(code).endswith(after)


@pytest.mark.parametrize(
    "code",
    [
        "x = tf.zeros([3])\ndef f():\n    x[0] = 1",
        "x = tf.zeros([3])\nx[0] = y[0] = 1",
    ],
)
def test_what_no_rebinding_mends_is_told_and_left(code: str) -> None:
    assert len(told(code)) == 1
    assert mended(code) == code


@pytest.mark.parametrize(
    "code",
    [
        "x = np.zeros(3)\nx[0] = 4",
        "x = tf.zeros([3]).numpy()\nx[0] = 4",
        "x = np.array(tf.zeros([3]))\nx[0] = 4",
        "x = [tf.zeros([3])]\nx[0] = 4",
        "x = {}\nx['a'] = tf.zeros([3])",
        "x = tf.split(y, 2)\nx[0] = 4",
        "x = tf.unstack(y)\nx[0] = 4",
        "x = tf.get_static_value(y)\nx[0] = 4",
        "x = tf.TensorArray(tf.float32, 3)\nx[0] = 4",
        "x = tf.zeros([3])\nif y:\n    x = np.zeros(3)\nx[0] = 4",
        "x = tf.zeros([3])\nx = x.numpy()\nx[0] = 4",
        "x = tf.zeros([3])\nwith tf.Session() as session:\n    x = session.run(x)\nx[0] = 4",
        "x = np.zeros(3)\nfor _ in range(3):\n    x[0] = 4\n    x = tf.constant(x)",
        "def f(x):\n    x[0] = 4",
        "@tf.function\ndef f(x):\n    x[0] = 4",
        "x = tf.zeros([3])\nx[0] = 4  # tf-migrate: skip",
        "tensor = other.zeros([3])\ntensor[0] = 4",
    ],
)
def test_arrays_lists_and_what_is_not_known(code: str) -> None:
    assert told(code) == []
    assert mended(code) == code


def test_the_fault_is_real_and_the_mended_program_gives_what_numpy_gives() -> None:
    code = """\
    import tensorflow as tf
    x = tf.zeros([3, 4])
    x[0] = 4.0
    x[1:, ::2] += 1.0
    """
    with pytest.raises(TypeError):
        exec(textwrap.dedent(code), {})
    module: dict[str, object] = {}
    exec(migrated(textwrap.dedent(code), advice=True, select=("TFM425",)).text, module)
    expected = np.zeros([3, 4])
    expected[0] = 4
    expected[1:, ::2] += 1
    np.testing.assert_array_equal(tf.convert_to_tensor(module["x"]), expected)
