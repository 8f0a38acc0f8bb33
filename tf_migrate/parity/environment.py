"""The environment variables of a program: the user's own, and what makes the programs of a pair alike."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.scenario import Pair, Scenario

PROJECT = Path(__file__).resolve().parents[2]
# What of a tree is not copied with it.
LEFT_OUT = (".git", "__pycache__", ".venv", ".legacy", "node_modules")
_QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore", "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg"}
# The same kernels on both sides: none of oneDNN's; on the GPU no shortened products, no order of threads in cuDNN.
_ALIKE = {"TF_ENABLE_ONEDNN_OPTS": "0", "TF_CUDNN_DETERMINISTIC": "1", "NVIDIA_TF32_OVERRIDE": "0"}
# All other kernels of the GPU; an operation that has none then raises an error.
_DETERMINISTIC = "TF_DETERMINISTIC_OPS"
_PATH = "PYTHONPATH"


def environment(
    side: str, tree: Path, pair: Pair, scenario: Scenario, legacy: Legacy, device: str, deterministic: bool
) -> dict[str, str]:
    """The variables of one side of a pair, which runs in the copy `tree` of its own."""
    found = {**os.environ, **_QUIET, **_ALIKE, "TMPDIR": str(tree.parent / "tmp")}
    found.pop("TF2_BEHAVIOR", None)
    if side == "original" and legacy.python is None and find_spec("tf_keras") is not None:
        found["TF_USE_LEGACY_KERAS"] = "1"  # as TensorFlow 1's own, where `tf.layers` is too
    if device == "cpu":
        found["CUDA_VISIBLE_DEVICES"] = ""
    elif deterministic:
        found[_DETERMINISTIC] = "1"
    else:
        found.pop(_DETERMINISTIC, None)
    asked = scenario.environment
    if _PATH in asked:
        path = _places(asked[_PATH], tree, tree, pair, tree)
    else:
        path = _places(found.get(_PATH, ""), Path.cwd(), tree / scenario.folder, pair, tree)
    kept = [str(place) for place in path if _may_search(place, side, legacy)]
    searched = [str(PROJECT), *kept] if side == "migrated" else kept
    return {**found, **asked, _PATH: os.pathsep.join(dict.fromkeys(searched))}


def has_tf32(variables: Mapping[str, str]) -> bool:
    """Whether a program with these variables may compute with TF32."""
    return variables.get("NVIDIA_TF32_OVERRIDE") != "0"


def is_deterministic(variables: Mapping[str, str]) -> bool:
    """Whether TensorFlow is asked for deterministic kernels by these variables."""
    return variables.get(_DETERMINISTIC, "").lower() in ("1", "true")


def _places(text: str, here: Path, runs_in: Path, pair: Pair, tree: Path) -> Iterator[Path]:
    """The folders of a search path, a tree's as those of its copy.

    A relative one counts from where the program runs, as by hand, and from `here`; an empty one is where it runs.
    """
    for item in text.split(os.pathsep) if text else ():
        if not os.path.isabs(item) and (runs_in / item).is_dir():
            yield Path(os.path.normpath(runs_in / item))
        if item:
            place = Path(os.path.abspath(here / item))
            yield next(_copies(place, pair, tree), place)


def _copies(place: Path, pair: Pair, tree: Path) -> Iterator[Path]:
    """What a place of either tree is in the copy of one, the innermost tree first."""
    for root in sorted(set(_roots(pair)), key=lambda root: len(root.parts), reverse=True):
        for form in (place, place.resolve()):
            if form.is_relative_to(root) and not set(form.relative_to(root).parts) & set(LEFT_OUT):
                yield tree / form.relative_to(root)


def _roots(pair: Pair) -> Iterable[Path]:
    for root in (pair.legacy, pair.migrated):
        yield root
        yield root.resolve()
    if pair.copied_from is not None:
        yield from _roots(pair.copied_from)


def _may_search(place: Path, side: str, legacy: Legacy) -> bool:
    """Whether a side may import from a place.

    An original knows nothing of tf-migrate. In a Python of its own it has packages of its own, too: those that bring
    this Python's TensorFlow or NumPy are not for it.
    """
    if side == "migrated":
        return True
    if place.resolve() == PROJECT:
        return False
    own = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    brings = any((place / name / "__init__.py").exists() for name in ("tensorflow", "numpy"))
    return legacy.python is None or not (place.resolve() in own or brings)
