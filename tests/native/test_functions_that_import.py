"""Functions that build and run all by themselves, and import what they need where they stand."""

from __future__ import annotations

import pytest

from tests.native.native import deciding_site, made_native, printed, rewritten, tier_of

SCRIPT = """\
import tensorflow as tf


def doubled(x):
    return x * 2.0


def main():
    \"\"\"Shows a slope.\"\"\"
    import tensorflow as tf
    import numpy as np
    from math import sqrt
    x = tf.placeholder(tf.float32, [None])
    slope = tf.Variable(sqrt(4.0))
    y = doubled(slope * x)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: np.ones([2])}))


if __name__ == "__main__":
    main()
"""


def test_imports_of_the_function() -> None:
    result = made_native(SCRIPT)
    assert "    import numpy as np\n    from math import sqrt\n" in result.text
    assert rewritten(result.text).text == result.text
    assert printed(result.text) == "[4. 4.]\n"


TOP = "import tensorflow as tf\n{}print(np.pi > 3)\n\n\ndef doubled"
CLASH = "`np` means one thing in `main` and another outside it"
REFUSED = {
    "another module of the name": (
        "import tensorflow as tf\n\n\ndef doubled",
        TOP.format("import math as np\n"),
        CLASH,
    ),
    "a part of a module": (
        "import tensorflow as tf\n\n\ndef doubled",
        TOP.format("from numpy import random as np\n"),
        CLASH,
    ),
    "in a block of the function": (
        "    import numpy as np\n",
        "    if True:\n        import numpy as np\n",
        "`main`, which makes a session, imports modules, binds names outside it, or is a generator",
    ),
}


@pytest.mark.parametrize(("before", "after", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_sure(before: str, after: str, reason: str) -> None:
    text = SCRIPT.replace(before, after)
    assert text != SCRIPT
    assert tier_of(text) == "bridge"
    assert (deciding_site(text).reason or "").startswith(reason)
