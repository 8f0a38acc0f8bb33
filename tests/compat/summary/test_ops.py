"""Summary operations give TF 1.15.5's bytes, in every way of running."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat
from compat import summary

GOLDENS = Path(__file__).parents[2] / "goldens"
RECORD = json.loads((GOLDENS / "summary.json").read_text())
IMAGES = np.linspace(-1, 1, 4 * 3 * 2 * 1).astype(np.float32).reshape(4, 3, 2, 1)
SOUNDS = np.linspace(-1, 1, 2 * 20).astype(np.float32).reshape(2, 20)
# PNG compression belongs to the library, not to the summary: pixels are compared in its place.
IMAGE_NAMES = ("image", "one_image")


def build() -> dict[str, Any]:
    """The lines of `build` in tests/goldens/make_summary.py."""
    constant = tf.constant
    with compat.name_scope("tower"):
        made = {
            "scalar": summary.scalar("loss", constant(0.5)),
            "again": summary.scalar("loss", constant(1.5)),
            "cleaned": summary.scalar("/a b:c%", constant(2, "int32")),
            "family": summary.scalar("loss", constant(0.25), family="losses"),
            "histogram": summary.histogram("weights", constant([0.5, -1.0, 2.0, 2.0])),
            "image": summary.image("digits", constant(IMAGES), max_outputs=2),
            "one_image": summary.image("digit", constant((IMAGES * 100 + 100).astype(np.uint8)), 1, family="pictures"),
            "audio": summary.audio("voice", constant(SOUNDS), 16000, max_outputs=2),
            "text": summary.text("words", constant(["one", "two"])),
            "tensor": summary.tensor_summary("raw", constant([[1.0, 2.0]]), "what it is", display_name="shown"),
        }
        made["merged"] = summary.merge([made["scalar"], made["again"], made["histogram"]])
        made["named"] = summary.merge([made["text"]], name="pair of words")
    return made


def check(name: str, serialized: bytes) -> None:
    ours = summary.Summary.FromString(serialized)
    golden = summary.Summary.FromString(base64.b64decode(RECORD[name]["bytes"]))
    if name in IMAGE_NAMES:
        for value, wanted in zip(ours.value, golden.value, strict=True):
            pixels = tf.io.decode_png(value.image.encoded_image_string).numpy()
            np.testing.assert_array_equal(pixels, tf.io.decode_png(wanted.image.encoded_image_string).numpy())
            value.image.encoded_image_string = wanted.image.encoded_image_string
    assert str(ours) == str(golden)


def test_bridged() -> None:
    with compat.Graph().as_default(), compat.Session() as sess:
        made = build()
        made["merged_all"] = summary.merge_all(scope="tower/(loss|weights)")
        values = sess.run(made)
        names = {name: tensor.op.name for name, tensor in made.items()}
    for name, value in values.items():
        check(name, value)
        if name != "merged_all":  # in the golden it is the second of three merges
            assert names[name] == RECORD[name]["op"].replace("Merge_1", "Merge")


@pytest.mark.parametrize("traced", [False, True])
def test_natively_with_a_store(traced: bool) -> None:
    store = compat.VariableStore()

    def run() -> dict[str, Any]:
        with store:
            made = build()
            made["merged_all"] = summary.merge_all(scope="tower/(loss|weights)") if traced else made["scalar"]
            return made

    values = (tf.function(run) if traced else run)()
    if not traced:
        values.pop("merged_all")
    for name, value in values.items():
        check(name, value.numpy())


def test_merge_all_is_of_one_pass() -> None:
    store = compat.VariableStore()

    @tf.function(reduce_retracing=False)
    def step(x: Any) -> Any:
        with store:
            assert summary.merge_all() is None
            summary.scalar("x", x)
            summary.scalar("twice", 2.0 * x, collections=["others"])
            return summary.merge_all(), summary.merge_all("others")

    for x in (tf.constant(1.0), tf.constant(2.0, tf.float64)):
        merged, others = (summary.Summary.FromString(part.numpy()) for part in step(x))
        assert [(v.tag, v.simple_value) for v in merged.value] == [("x", float(x))]
        assert [(v.tag, v.simple_value) for v in others.value] == [("twice", 2 * float(x))]


def test_without_a_store() -> None:
    value = summary.Summary.FromString(summary.scalar("x", 3).numpy())
    assert [(v.tag, v.simple_value) for v in value.value] == [("x", 3.0)]


def test_wrong_use() -> None:
    with pytest.raises(ValueError, match="to have dtype string, got <dtype: 'float32'>"):
        summary.text("words", tf.constant(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Duplicate tag"):
        summary.merge([summary.scalar("x", 1.0), summary.scalar("x", 2.0)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Nan in summary histogram"):
        summary.histogram("x", [1.0, float("nan")])


def test_the_golden_program_is_the_one_above() -> None:
    golden = (GOLDENS / "make_summary.py").read_text()
    here = Path(__file__).read_text()
    lines = [line.strip() for line in here.split("made = {")[1].split("}")[0].splitlines() if line.strip()]
    assert len(lines) == 10
    for line in lines:
        assert line in golden
