"""A notebook as the script of its code cells, with the lines that its file has for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tf_migrate.files.source import SourceError, read
from tf_migrate.options import UsageError

SUFFIX = ".ipynb"


@dataclass(frozen=True)
class Script:
    """The code of a notebook's cells; `lines` has the line of the file for each line of the code."""

    text: str
    lines: tuple[int, ...]


def script_of(path: Path) -> Script:
    """The code cells of a notebook, one behind the other; IPython's own lines do nothing in it.

    Raises:
      UsageError: it is no notebook, or its cells cannot be parsed.
    """
    try:
        source = read(path.name, path.read_bytes())
    except SourceError as error:
        raise UsageError(f"{path}: line {error.line}: {error.reason}; {error.next_step}") from None
    if source.cells is None:
        raise UsageError(f"{path}: is no notebook with code cells")
    count = source.text.count("\n") + 1
    return Script(source.text, tuple(source.cells.place(line, 1)[0] for line in range(1, count + 1)))


def left_out(path: Path) -> Iterator[str]:
    """A note on the cells that do not run, because their first line hands them to IPython."""
    cells = json.loads(path.read_bytes().decode("utf-8-sig"))["cells"]
    magic = [cell for cell in cells if cell.get("cell_type") == "code"]
    count = sum("".join(cell.get("source", "")).lstrip().startswith("%%") for cell in magic)
    if count:
        yield f"{path.name}: cells that begin with `%%` ({count}) are IPython's, and did not run"
