"""One function, layer or module of two trees, called with the same inputs: a small program that does so in each."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tf_migrate.options import UsageError
from tf_migrate.parity.scenario import Pair

SCRIPT = "parity_call.py"
_INPUTS = "parity_inputs.npz"
_SHIMS = {"original": "shims = tf", "migrated": "import {shims} as shims"}
_PROGRAM = """\
import importlib
import numpy as np
import tensorflow as tf
{shims}

made = importlib.import_module({module!r})
getattr(shims, "open_graph", lambda: None)()
for part in {name!r}.split("."):
    made = getattr(made, part)
if isinstance(made, type):
    made = made(*{positional!r}, **{named!r})
stored = np.load({inputs!r})
feed = {{}}
for number in range(len(stored.files)):
    value = stored["input_%d" % number]
    feed[shims.placeholder(value.dtype, value.shape, name="input_%d" % number)] = value


def tensors(result):
    if isinstance(result, dict):
        return [item for key in sorted(result) for item in tensors(result[key])]
    if isinstance(result, (list, tuple)):
        return [item for inner in result for item in tensors(inner)]
    return [] if result is None else [tf.convert_to_tensor(result)]


outputs = tensors(made(*feed))
smooth = [item for item in outputs if item.dtype.is_floating]
slopes = tf.gradients(smooth, [item for item in feed if item.dtype.is_floating]) if smooth else []
session = shims.Session()
session.run([shims.global_variables_initializer(), shims.local_variables_initializer()])
session.run([outputs, [item for item in slopes if item is not None]], feed_dict=feed)
"""


@dataclass(frozen=True)
class Call:
    """What is called, and with what.

    Attributes:
      target: "model.py:encode" or "package/layers.py:Dense"; a class is made first, then called.
      inputs: the arrays that are passed, as tensors.
      positional: what the class is made with.
      named: what it is made with by name.
    """

    target: str
    inputs: Sequence[Any]
    positional: Sequence[Any] = ()
    named: Mapping[str, Any] = field(default_factory=dict)


@contextmanager
def trees_that_call(pair: Pair, call: Call) -> Iterator[Pair]:
    """Copies of both trees with a program that makes the call; they are removed at the end.

    Raises:
      UsageError: the target names no file of both trees.
    """
    file, _, name = call.target.partition(":")
    if not name or not all((tree / file).is_file() for tree in (pair.legacy, pair.migrated)):
        raise UsageError(f'"{call.target}" names nothing to call: say "file.py:function", a file that both trees have')
    with tempfile.TemporaryDirectory(prefix="tf-migrate-call-") as temporary:
        folder = Path(temporary).resolve()
        arrays = {f"input_{number}": np.asarray(value) for number, value in enumerate(call.inputs)}
        for side, tree in (("original", pair.legacy), ("migrated", pair.migrated)):
            shutil.copytree(tree, folder / side, ignore=shutil.ignore_patterns(".git", "__pycache__"), symlinks=True)
            np.savez(folder / side / _INPUTS, **arrays)  # type: ignore[arg-type]
            program = _PROGRAM.format(
                shims=_SHIMS[side].format(shims=pair.shims),
                module=".".join(Path(file).with_suffix("").parts),
                name=name,
                positional=tuple(call.positional),
                named=dict(call.named),
                inputs=_INPUTS,
            )
            (folder / side / SCRIPT).write_text(program, encoding="utf-8")
        yield Pair(folder / "original", folder / "migrated", pair.shims, copied_from=pair)
