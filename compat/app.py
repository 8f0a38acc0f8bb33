"""`tf.app` of TF 1.15: parses the flags and runs the program's `main`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from absl import app as _absl_app

from . import flags as flags

__all__ = ["flags", "run"]


def _parse_known(argv: Sequence[str]) -> list[str]:
    remaining: list[str] = flags.FLAGS(list(argv), known_only=True)
    return remaining


def run(main: Callable[[list[str]], Any] | None = None, argv: Sequence[str] | None = None) -> None:
    """Runs the program: stands for `tf.app.run` of TF 1.15.

    Flags that nobody defined are no error: they stay in the list that `main` gets, after the program's name.

    Args:
      main: called with that list; `main` of the script that was started when None.
      argv: the command line, program name first; `sys.argv` when None.

    Raises:
      SystemExit: always, with what `main` returned.

    Example:
      >>> def main(argv):
      ...     train(compat.flags.FLAGS.learning_rate)
      >>> if __name__ == "__main__":
      ...     compat.app.run(main)
    """
    chosen = main or sys.modules["__main__"].main  # type: ignore[attr-defined]
    _absl_app.run(chosen, argv=None if argv is None else list(argv), flags_parser=_parse_known)
