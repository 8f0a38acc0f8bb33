"""One program of a pair, run as by hand in a copy of its tree, with the probe beside it."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count, takewhile
from pathlib import Path

from tf_migrate.parity import probe
from tf_migrate.parity.analysis import Analysis
from tf_migrate.parity.environment import LEFT_OUT, environment, has_tf32, is_deterministic
from tf_migrate.parity.legacy import Legacy
from tf_migrate.parity.notebooks import SUFFIX, script_of
from tf_migrate.parity.process import Ended, run
from tf_migrate.parity.record import Record
from tf_migrate.parity.result import Gpu
from tf_migrate.parity.scenario import Pair, Scenario

_PROBE = Path(next(iter(probe.__path__))) / "run.py"
_NOT_COPIED = shutil.ignore_patterns(*LEFT_OUT)


@dataclass(frozen=True)
class Look:
    """What a probe writes down beside what every comparison needs.

    Attributes:
      inside: the number of a run, all tensors of which are wanted.
      variables_after: the first and the last run after which the variables are wanted.
      disturbed: whether the original's initial values are changed in the last places.
    """

    inside: int | None = None
    variables_after: tuple[int, int] | None = None
    disturbed: bool = False


@dataclass(frozen=True)
class Trial:
    """A pair of programs, and how they are run; on a GPU with deterministic kernels, or with those that there are."""

    pair: Pair
    scenario: Scenario
    legacy: Legacy
    program: str
    device: str
    analysis: Analysis
    deterministic: bool = True

    def gpu(self, names: tuple[str, ...]) -> Gpu | None:
        """What is told of the GPUs of these names; None of a comparison on the CPU."""
        if self.device == "cpu":
            return None
        variables = self._environment("migrated", Path())
        return Gpu(names, has_tf32(variables), is_deterministic(variables))

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A folder with a fresh copy of both trees, in original/tree and migrated/tree; it is removed at the end."""
        with tempfile.TemporaryDirectory(prefix="tf-migrate-parity-") as name:
            folder = Path(name).resolve()
            for side, tree in (("original", self.pair.legacy), ("migrated", self.pair.migrated)):
                shutil.copytree(tree, folder / side / "tree", ignore=_NOT_COPIED, symlinks=True)
                _let_write(folder / side / "tree")
            yield folder

    def record(self, side: str, folder: Path, look: Look | None = None) -> Record:
        """Runs one side of the pair, in `folder`/side/tree, and gives what its probe wrote down."""
        record, tree = folder / side / "record", folder / side / "tree"
        record.mkdir()
        (folder / side / "tmp").mkdir(exist_ok=True)
        file = record / "settings.json"
        settings = self._settings(side, folder, look or Look())
        if self.program.endswith(SUFFIX):
            settings["cells"] = asdict(script_of(tree / self.scenario.folder / self.program))
        file.write_text(json.dumps(settings), encoding="utf-8")
        executable = self.legacy.executable if side == "original" else sys.executable
        ended = run(
            [executable, str(_PROBE), str(file), self.program, *self.scenario.arguments],
            tree / self.scenario.folder,
            self._environment(side, tree),
            record / "stdout.txt",
            record / "stderr.txt",
            self.scenario.seconds,
            self.scenario.megabytes,
        )
        return Record(record, ended)

    def as_it_is(self, folder: Path) -> tuple[Ended, str]:
        """Runs the migrated program without a probe, in `folder`/migrated/tree: how it ended, and its last words."""
        tree, logs = folder / "migrated" / "tree", folder / "as_it_is"
        logs.mkdir()
        (folder / "migrated" / "tmp").mkdir(exist_ok=True)
        place = tree / self.scenario.folder
        # Deterministic, TensorFlow asks for a seed of each operation that draws, which the probe gives.
        variables = self._environment("migrated", tree, deterministic=False)
        if self.scenario.module is not None:
            command = ["-m", self.program]
        elif self.program.endswith(SUFFIX):
            cells = logs / "cells.py"
            cells.write_text(f"display = print\n{script_of(place / self.program).text}", encoding="utf-8")
            variables["PYTHONPATH"] = os.pathsep.join([str(place), variables["PYTHONPATH"]])
            command = [str(cells)]
        else:
            command = [self.program]
        ended = run(
            [sys.executable, *command, *self.scenario.arguments],
            place,
            variables,
            logs / "stdout.txt",
            logs / "stderr.txt",
            self.scenario.seconds,
            self.scenario.megabytes,
        )
        said = (logs / "stderr.txt").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return ended, said[-1].strip() if said else ""

    def _settings(self, side: str, folder: Path, look: Look) -> dict[str, object]:
        graphs = (folder / "original" / "record" / f"begins-{number}.npz" for number in count())
        begins = list(takewhile(Path.exists, graphs)) if side == "migrated" else []
        return {
            "role": side,
            "record": str(folder / side / "record"),
            "root": str(folder / side / "tree"),
            "seed": self.scenario.seed,
            "align_random": self.scenario.align_random,
            "v1": side == "original" and self.legacy.python is None,
            "module": self.scenario.module is not None,
            "cells": None,
            "every_step": self.scenario.every_step,
            "shims": self.pair.shims,
            "begins": [str(file) for file in begins],
            "checkpoint": str(self.scenario.checkpoint) if self.scenario.checkpoint else None,
            "inside": look.inside,
            "variables_after": look.variables_after,
            "disturbed": look.disturbed,
            "gradients": self.scenario.gradients,
            "device": self.device,
            "functions": self.analysis.functions,
            "lines": self.analysis.told_apart(),
        }

    def _environment(self, side: str, tree: Path, deterministic: bool | None = None) -> dict[str, str]:
        asked = self.deterministic if deterministic is None else deterministic
        return environment(side, tree, self.pair, self.scenario, self.legacy, self.device, asked)


def _let_write(tree: Path) -> None:
    """Programs may write into their copy, also where the tree itself may only be read."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o700 if path.is_dir() else 0o600))
