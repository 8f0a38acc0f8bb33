"""Which shims exist, told from the files alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_migrate.facts.shims import Shims, installed, shim_path

FILES = {
    "__init__.py": "from . import flags as flags\nfrom . import nn as nn\n"
    "from .impl import placeholder as placeholder\nfrom .impl import _hidden as _hidden\n"
    "from .impl import unexported\n",
    "impl.py": "def placeholder(): pass\ndef unexported(): pass\n",
    "flags.py": "from absl import flags as _absl\n"
    "DEFINE_string = _absl.DEFINE_string\nclass Flag: pass\ndef _private(): pass\n",
    "nn/__init__.py": "from .cell import LSTMCell as LSTMCell\nfrom . import rnn_cell as rnn_cell\n",
    "nn/cell.py": "class LSTMCell: pass\n",
    "nn/rnn_cell.py": "from .cell import LSTMCell as LSTMCell\nfrom .cell import GRUCell\n",
    "unreachable/__init__.py": "from ..impl import placeholder as placeholder\n",
}


@pytest.fixture
def shims(tmp_path: Path) -> Shims:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return Shims(tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        "compat.placeholder",
        "placeholder",
        "flags",
        "flags.DEFINE_string",
        "flags.Flag",
        "nn.LSTMCell",
        "nn.rnn_cell.LSTMCell",
    ],
)
def test_there(shims: Shims, path: str) -> None:
    assert shims.has(path)


@pytest.mark.parametrize(
    "path",
    [
        "unexported",
        "_hidden",
        "impl.placeholder",
        "flags._private",
        "nn.rnn_cell.GRUCell",
        "unreachable.placeholder",
        "nn.x",
        "x.y",
    ],
)
def test_not_there(shims: Shims, path: str) -> None:
    assert not shims.has(path)


def test_modules(shims: Shims) -> None:
    assert shims.has_module("nn")
    assert shims.has_module("compat.nn.rnn_cell")
    assert not shims.has_module("placeholder")
    assert not shims.has_module("nn.LSTMCell")


def test_paths() -> None:
    assert shim_path("tf.layers.dense") == "compat.layers.dense"
    assert shim_path("tensorflow.examples.tutorials.mnist") == "compat.examples.tutorials.mnist"


def test_those_that_are_installed() -> None:
    assert installed().has("compat.placeholder")
    assert installed().has("compat.train.AdamOptimizer")
    assert not installed().has("compat.train.NoSuchOptimizer")
