"""TensorFlow that functions return, or are given: a person is told that nothing behind it was migrated."""

from __future__ import annotations

import pytest

from tests.engine import migrated

RETURNED = {
    "its own import": "import os\n\n\ndef import_tf():\n    os.environ['A'] = '1'\n"
    "    import tensorflow as tf\n    return tf\n",
    "the module's": "import tensorflow\n\n\nclass Lazy(object):\n    def library(self):\n        return tensorflow\n",
}
GIVEN = "def build(tf, rate):\n    x = tf.placeholder(tf.float32, [None])\n    return x * rate\n"
FINE = {
    "a tensor": "import tensorflow as tf\n\n\ndef make():\n    return tf.zeros([2])\n",
    "another tf": "def frequency(tf, idf):\n    return tf.value * idf\n",
    "what TensorFlow 2 has": "def zero(tf):\n    return tf.zeros([2])\n",
}


@pytest.mark.parametrize("code", [*RETURNED.values(), GIVEN], ids=[*RETURNED, "given"])
def test_a_person_is_told(code: str) -> None:
    found = [finding for finding in migrated(code).findings if finding.rule == "TFM108"]
    assert [finding.action for finding in found] == ["manual"]
    assert found[0].next_step


@pytest.mark.parametrize("code", FINE.values(), ids=FINE)
def test_others_are_fine(code: str) -> None:
    assert not [finding for finding in migrated(code).findings if finding.rule == "TFM108"]
