"""Programs whose scripts hand tensors to functions of another module, which has no TensorFlow of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native import test_tensors_handed as one
from tests.native.trees import printed, reasons, rewritten, tiers

TOOLS = "import numpy as np\n\n\n" + one.TRAIN + one.EVALUATE.rstrip() + "\n"
IMPORTS = "import numpy as np\nimport tensorflow as tf\nimport tools\nfrom tools import evaluate\n\n\n"
BODY = one.GRAPH + one.DATA + one.BEGIN + one.CALLS.replace("    train(", "    tools.train(")
PRINTED = f"{one.TRAINED}0.7674\n"


@pytest.mark.parametrize("script", [BODY, one.in_main(BODY)], ids=["the module makes them", "a function makes them"])
def test_the_functions_are_handed_over(tmp_path: Path, script: str) -> None:
    outcome = rewritten(tmp_path, {"tools.py": TOOLS, "train.py": IMPORTS + script})
    assert tiers(outcome) == {"native"}, reasons(outcome)
    tools, train = ((tmp_path / name).read_text() for name in ("tools.py", "train.py"))
    assert "def train(train_step, data, times=1):" in tools and "def evaluate(compute_loss, data):" in tools
    assert "tools.train(train_step, data, 2)" in train and "evaluate(compute_loss, data=data)" in train
    # What TensorFlow 1.15.5 prints.
    assert printed(tmp_path, "train.py") == PRINTED
    assert not rewritten(tmp_path, {"tools.py": tools, "train.py": train}).contents


def test_two_scripts_that_hand_over_the_same(tmp_path: Path) -> None:
    files = {"tools.py": TOOLS, "train.py": IMPORTS + BODY, "again.py": IMPORTS + one.in_main(BODY)}
    outcome = rewritten(tmp_path, files)
    assert tiers(outcome) == {"native"}, reasons(outcome)
    assert printed(tmp_path, "train.py") == printed(tmp_path, "again.py") == PRINTED


def test_two_scripts_that_hand_over_others(tmp_path: Path) -> None:
    other = (IMPORTS + BODY).replace("evaluate(sess, loss", "evaluate(sess, error")
    outcome = rewritten(tmp_path, {"tools.py": TOOLS, "train.py": IMPORTS + BODY, "other.py": other})
    assert tiers(outcome) == {"bridge"}
    assert all("need different code in `tools.py`" in reason for reason in reasons(outcome))


def test_a_program_that_runs_programs(tmp_path: Path) -> None:
    tools = "import subprocess\n\n\ndef call(word):\n    return subprocess.run(['echo', word]).returncode\n"
    train = "import tensorflow as tf\nfrom tools import call\n\nx = tf.placeholder(tf.float32, [])\ny = x * 2\n"
    run = "with tf.Session() as sess:\n    print(sess.run(y, {x: 1.0}) + call('here'))\n"
    outcome = rewritten(tmp_path, {"tools.py": tools, "train.py": train + run})
    assert tiers(outcome) == {"native"} and (tmp_path / "tools.py").read_text() == tools
