"""A Keras model in each of the forms that it is saved in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tensorflow as tf


def saved_and_loaded(model: Any, folder: Path) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The model as it is, compiled, and saved and loaded in each form: name and function."""
    yield "model", model
    yield "function", tf.function(model)
    model.save(folder / "model.keras")
    yield "keras", tf.keras.models.load_model(folder / "model.keras")
    model.export(folder / "exported", verbose=False)
    exported = tf.saved_model.load(str(folder / "exported"))  # held: its functions do not hold its variables
    yield "export", exported.serve
    tf.saved_model.save(model, str(folder / "saved"))
    saved = tf.saved_model.load(str(folder / "saved"))
    yield "signature", lambda x: next(iter(saved.signatures["serving_default"](x).values()))
