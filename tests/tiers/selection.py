"""Three tiers of tests, told apart by what a test uses: `--tier check`, `--tier test` and `--tier all`.

| tier | what its tests use |
| --- | --- |
| `check` | no TensorFlow: they rewrite, refuse and report; one that imports it fails |
| `test` | those of `check`, and TensorFlow 2 |
| `all` | those of `test`, and real TensorFlow 1.15.5 or the runs that take minutes (fixtures of tests/conftest.py) |
"""

from __future__ import annotations

import inspect
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
from _pytest.mark.expression import Expression

from tests.tiers.uses import TESTS, imports_tensorflow, runs_tensorflow
from tests.tiers.without_tensorflow import sitecustomize

Tier = Literal["check", "test", "all"]
_OF_ALL = {"legacy", "at_length"}
_OF_TEST = {"own_tensorflow"}
_MARKS = {"legacy": "tf1", "gpu": "gpu"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier", choices=("check", "test", "all"), default="all", help="the tests of which tier run")
    parser.addoption("--record", help="a page whose end becomes the record of this run")


def forbid_tensorflow(config: pytest.Config) -> None:
    """In `make check` nothing can import TensorFlow, here and in the processes that tests start."""
    if config.getoption("tier") != "check":
        return
    sitecustomize.forbid()
    folder = str(Path(sitecustomize.__file__).parent)
    begin = subprocess.Popen.__init__

    def forbidden(env: Mapping[str, str]) -> dict[str, str]:
        return {**env, "PYTHONPATH": os.pathsep.join(filter(None, (folder, env.get("PYTHONPATH"))))}

    def begin_without(self: Any, *arguments: Any, env: Mapping[str, str] | None = None, **options: Any) -> None:
        begin(self, *arguments, env=None if env is None else forbidden(env), **options)

    os.environ.update(forbidden(os.environ))
    subprocess.Popen.__init__ = begin_without  # type: ignore[method-assign]


def asks_for_a_gpu(config: pytest.Config) -> bool:
    """Whether `-m` selects tests that need a GPU, and no other: the others assume that TensorFlow sees none."""
    expression = Expression.compile(config.getoption("markexpr") or "not gpu")
    selects_others = expression.evaluate(lambda name, /, **_: False)
    return expression.evaluate(lambda name, /, **_: name == "gpu") and not selects_others


class _Withheld(pytest.Module):
    """A module that imports TensorFlow, which has no test of `check`: that could not even import it."""

    def collect(self) -> Iterator[pytest.Item]:
        return iter(())


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    if parent.config.getoption("tier") == "check" and imports_tensorflow(module_path):
        return _Withheld.from_parent(parent, path=module_path)
    return None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Marks, for `-m`, follow from fixtures too."""
    for name in _MARKS.keys() & set(getattr(item, "fixturenames", ())):
        item.add_marker(_MARKS[name])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted: Tier = config.getoption("tier")
    if wanted == "all":
        return
    chosen = {"check": ("check",), "test": ("check", "test")}[wanted]
    others = [item for item in items if tier_of(item) not in chosen]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in set(others)]


def tier_of(item: pytest.Item) -> Tier:
    """The least tier that has what a test uses."""
    assert isinstance(item, pytest.Function)
    fixtures = set(item.fixturenames)
    if fixtures & _OF_ALL:
        return "all"
    if fixtures & _OF_TEST or any(runs_tensorflow(path, name) for path, name in _functions(item)):
        return "test"
    return "check"


def _functions(item: pytest.Function) -> Iterator[tuple[Path, str]]:
    """Where the test and its fixtures are defined, and under which names."""
    yield item.path, item.cls.__name__ if item.cls else item.originalname
    for fixtures in item._fixtureinfo.name2fixturedefs.values():
        for fixture in fixtures:
            function = inspect.unwrap(fixture.func)
            path = Path(function.__code__.co_filename)
            if path == item.path or path.is_relative_to(TESTS):
                yield path, function.__name__
