"""What to run and how to compare: from a TOML file and the command line.

script = "train.py"            # or module = "package.train"
arguments = ["--epochs", "2"]
folder = "src"                 # where to run it, inside the tree
seed = 7
steps = "sampled"              # or "every"
gradients = true               # compare them, too
seconds = 300
megabytes = 8192
devices = ["cpu"]
checkpoint = "weights/model"   # both begin with these values

[environment]
DATA_DIR = "/data"

[tolerances]                   # by name: a variable, a function or "script.py:57"; the first match counts
"*/Adam" = { rtol = 1e-4, atol = 1e-6 }
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tf_migrate.options import UsageError

_toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
DEVICES = ("cpu", "gpu")


@dataclass(frozen=True)
class Tolerance:
    """How far a value may be from the original's: at most `atol + rtol * |original|`."""

    rtol: float
    atol: float


@dataclass(frozen=True)
class Scenario:
    """One way to run both programs.

    Attributes:
      script: the program's file, relative to the tree.
      module: the program's module, in place of a file.
      arguments: its command line.
      folder: where it runs, relative to the tree.
      seed: for Python, NumPy and TensorFlow.
      every_step: whether all runs are compared, or at first each and then fewer.
      align_random: whether random operations give the same numbers in both.
      gradients: whether what optimizers are given is compared, too.
      bisect: whether both run once more where they differ, to find the operation at which they part.
      seconds: the time limit of each program.
      megabytes: the memory limit of each program.
      devices: on which to compare.
      checkpoint: a name-based checkpoint whose values both begin with.
      environment: more environment variables.
      tolerances: by pattern of the name.
    """

    script: str | None = None
    module: str | None = None
    arguments: tuple[str, ...] = ()
    folder: str = "."
    seed: int = 0
    every_step: bool = False
    align_random: bool = True
    gradients: bool = False
    bisect: bool = False
    seconds: float = 600.0
    megabytes: int = 16384
    devices: tuple[str, ...] = ("cpu",)
    checkpoint: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    tolerances: tuple[tuple[str, Tolerance], ...] = ()

    def tolerance(self, name: str) -> Tolerance | None:
        """The one that was asked for a name, if any; a run is named by its place and function, too."""
        names = (name, *name.split(" ")[:2])
        return next(
            (given for pattern, given in self.tolerances if any(fnmatchcase(item, pattern) for item in names)), None
        )


@dataclass(frozen=True)
class Pair:
    """What is compared: two trees (folders), with the same program in both.

    Attributes:
      legacy: the original's tree.
      migrated: the migrated program's tree.
      shims: the name under which migrated code imports the shims.
      copied_from: the trees that these are copies of, where they are.
    """

    legacy: Path
    migrated: Path
    shims: str = "compat"
    copied_from: Pair | None = None


def read_scenario(path: Path) -> Scenario:
    """Reads a scenario file.

    Raises:
      UsageError: it cannot be read, or says something that has no meaning.
    """
    try:
        content = _toml.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise UsageError(f"{path}: no TOML: {error}") from None
    return scenario_of(content, path)


def scenario_of(content: Mapping[str, Any], path: Path) -> Scenario:
    """The scenario that the content of a file describes; `path` names it in messages.

    Raises:
      UsageError: it says something that has no meaning.
    """
    known = {item.name for item in fields(Scenario)} - {"every_step"} | {"steps"}
    unknown = sorted(set(content) - known)
    if unknown:
        raise UsageError(f"{path}: `{unknown[0]}` means nothing here; known are {', '.join(sorted(known))}")
    words = {name: _value(path, name, value) for name, value in content.items() if name != "steps"}
    if content.get("steps", "sampled") not in ("sampled", "every"):
        raise UsageError(f'{path}: `steps` is "sampled" or "every", not {content["steps"]!r}')
    return replace(Scenario(**words), every_step=content.get("steps") == "every")


def _value(path: Path, name: str, value: Any) -> Any:
    kinds: dict[str, tuple[type, ...]] = {
        **dict.fromkeys(("script", "module", "folder", "checkpoint"), (str,)),
        **dict.fromkeys(("arguments", "devices"), (list,)),
        **dict.fromkeys(("seed", "megabytes"), (int,)),
        **dict.fromkeys(("environment", "tolerances"), (dict,)),
        "seconds": (int, float),
        **dict.fromkeys(("align_random", "bisect", "gradients"), (bool,)),
    }
    if type(value) not in kinds[name]:
        raise UsageError(f"{path}: `{name}` cannot be {value!r}")
    return _converted(path, name, value)


def _converted(path: Path, name: str, value: Any) -> Any:
    if name == "checkpoint":
        return (path.parent / value).absolute()
    if name == "tolerances":
        return tuple((pattern, _tolerance(path, pattern, given)) for pattern, given in value.items())
    if name == "devices":
        return require_devices(value, str(path))
    if name == "environment":
        return {key: str(item) for key, item in value.items()}
    return tuple(str(item) for item in value) if isinstance(value, list) else value


def _tolerance(path: Path, pattern: str, given: Any) -> Tolerance:
    numbers = isinstance(given, dict) and all(isinstance(item, int | float) for item in given.values())
    if not numbers or set(given) != {"rtol", "atol"}:
        raise UsageError(f'{path}: the tolerance of "{pattern}" has to give rtol and atol, two numbers')
    return Tolerance(float(given["rtol"]), float(given["atol"]))


def require_devices(names: Sequence[str], place: str) -> tuple[str, ...]:
    """The devices, if all are known."""
    for name in names:
        if name not in DEVICES:
            raise UsageError(f"{place}: the device {name!r} is not known; there are {' and '.join(DEVICES)}")
    return tuple(names)
