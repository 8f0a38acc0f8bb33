"""Names that a rewritten text reads and nothing binds: such a text is not taken, and its module goes to the bridge."""

from __future__ import annotations

import pytest

from tests.engine import migrated
from tf_migrate import rewrite
from tf_migrate.files.source import read
from tf_migrate.syntax.module import load
from tf_migrate.syntax.unbound import newly_unbound

BEFORE = "import os\n\ndef f(x):\n    return os.path.join(x, unknown)\n"


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        (BEFORE, set()),
        ("def f(x):\n    return x\n\ndef g():\n    return x\n", {"x"}),
        ("class C:\n    y = 1\n\n    def f(self):\n        return y\n", {"y"}),
        ("def f():\n    global y\n    y = 1\n\ndef g():\n    return y\n", set()),
        ("z = [x for x in range(3)]\nprint(__file__ if z else len(z))\n", {"__file__"}),
        ("def f(:\n", set()),
    ],
)
def test_what_is_lost(text: str, lost: set[str]) -> None:
    assert newly_unbound(load(read("a.py", BEFORE.encode())), text) == lost


CODE = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [])
y = x * 2.0
with tf.Session() as sess:
    print(sess.run(y, {x: 1.0}))
"""


def test_a_module_whose_text_needs_such_a_name_goes_to_the_bridge(monkeypatch: pytest.MonkeyPatch) -> None:
    assert migrated(CODE, tier="native").sites[0].tier == "native"
    monkeypatch.setattr(rewrite, "newly_unbound", lambda module, text: {"y", "z"})
    result = migrated(CODE, tier="native")
    (site,) = result.sites
    assert (site.tier, site.reason) == ("bridge", "`y` would be needed where it is not known (train.py:5)")
    assert site.next_step
    assert "compat.Session()" in result.text
