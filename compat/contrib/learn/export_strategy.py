"""How an `Experiment` exports its model."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import tensorflow as tf


class ExportStrategy(NamedTuple):
    """A name and a function that exports; stands for `tf.contrib.learn.ExportStrategy` of TF 1.15.

    Attributes:
      name: the folder below `export` that it writes to.
      export_fn: takes an estimator and a folder, and any of `checkpoint_path`, `eval_result` and
        `strip_default_attrs`; gives the path of what it wrote.
      strip_default_attrs: passed to a function that takes it.
    """

    name: str
    export_fn: Callable[..., Any]
    strip_default_attrs: bool | None = None

    def export(
        self,
        estimator: Any,
        export_path: str | bytes,
        checkpoint_path: str | None = None,
        eval_result: Mapping[str, Any] | None = None,
    ) -> Any:
        """Exports the estimator's model.

        Raises:
          ValueError: the function takes `eval_result` but no `checkpoint_path`.
        """
        names = inspect.signature(self.export_fn).parameters
        if "eval_result" in names and "checkpoint_path" not in names:
            raise ValueError("An export_fn accepting eval_result must also accept checkpoint_path.")
        offered = {
            "checkpoint_path": checkpoint_path,
            "eval_result": eval_result,
            "strip_default_attrs": self.strip_default_attrs,
        }
        arguments = {name: value for name, value in offered.items() if name in names}
        return self.export_fn(estimator, export_path, **arguments)


def make_export_strategy(
    serving_input_fn: Callable[[], Any],
    default_output_alternative_key: str | None = None,
    assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """A strategy called "Servo", which exports a SavedModel and keeps the last ones; `tf.contrib.learn`'s of that name.

    Args:
      serving_input_fn: gives a `compat.estimator.export.ServingInputReceiver`.
      default_output_alternative_key: only None, as for every `tf.estimator.Estimator`.
      assets_extra, as_text: as for `Estimator.export_saved_model`.
      exports_to_keep: how many exports stay; all when None.
      strip_default_attrs: accepted: TF2 always leaves such attributes out.

    Raises:
      ValueError: on export, when a `default_output_alternative_key` is given.
    """

    def export(estimator: Any, export_dir_base: str | bytes, checkpoint_path: str | None = None) -> bytes:
        if default_output_alternative_key is not None:
            raise ValueError(
                "default_output_alternative_key is not supported in core Estimator. "
                f"Given: {default_output_alternative_key}"
            )
        folder = os.fsdecode(export_dir_base)
        exported: bytes = estimator.export_savedmodel(
            folder, serving_input_fn, assets_extra=assets_extra, as_text=as_text, checkpoint_path=checkpoint_path
        )
        garbage_collect_exports(folder, exports_to_keep)
        return exported

    return ExportStrategy("Servo", export, strip_default_attrs)


def garbage_collect_exports(export_dir_base: str, exports_to_keep: int | None) -> None:
    """Deletes the oldest exports, told by the numbers that are their names, so that so many stay; all when None."""
    if exports_to_keep is None:
        return
    names = (name.rstrip("/") for name in tf.io.gfile.listdir(export_dir_base))
    exports = sorted((name for name in names if name.isdigit()), key=int)
    for name in exports[: max(0, len(exports) - exports_to_keep)]:
        tf.io.gfile.rmtree(os.path.join(export_dir_base, name))
