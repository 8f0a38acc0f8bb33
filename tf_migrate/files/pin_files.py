"""Files that may pin TensorFlow, by their names."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

Kind = Literal["requirements", "setup.cfg", "setup.py", "toml", "conda", "dockerfile"]

_KINDS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"(.*[-_.])?(requirements|constraints)([-_.].*)?\.(txt|in)"), "requirements"),
    (re.compile(r"setup\.cfg"), "setup.cfg"),
    (re.compile(r"setup\.py"), "setup.py"),
    (re.compile(r"pyproject\.toml|Pipfile"), "toml"),
    (re.compile(r"(.*[-_.])?(environment|env|conda)([-_.].*)?\.ya?ml"), "conda"),
    (re.compile(r"(.*\.)?[Dd]ockerfile(\..*)?"), "dockerfile"),
)


def is_pin_file(path: PurePath) -> bool:
    """Whether a file of this name may pin TensorFlow."""
    return kind_of(path) is not None


def kind_of(path: PurePath) -> Kind | None:
    """What kind of pin file a path is, by its name."""
    for pattern, kind in _KINDS:
        if pattern.fullmatch(path.name):
            return kind
    return "requirements" if path.parent.name == "requirements" and path.suffix in (".txt", ".in") else None
