"""The pytest plugin: `assert_parity` and `assert_close` as fixtures, while a port goes on and after it.

    def test_encoder(assert_parity):
        assert_parity(function="model.py:encode", inputs=[np.ones([2, 3], np.float32)])

The two trees are named once, on the command line or in the project's settings:

    [tool.pytest.ini_options]
    parity_original = "legacy"
    parity_migrated = "src"
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

_TREES = ("original", "migrated")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The trees that are compared."""
    group = parser.getgroup("tf-migrate")
    for tree in _TREES:
        group.addoption(f"--parity-{tree}", metavar="DIR", help=f"the {tree} program's tree, for assert_parity")
        parser.addini(f"parity_{tree}", f"the {tree} program's tree, relative to this file's folder")


@pytest.fixture
def assert_parity(pytestconfig: pytest.Config) -> Callable[..., None]:
    """`tf_migrate.parity.api.assert_parity` of the trees that the settings name; arguments may name others."""
    from tf_migrate.parity import api

    trees: dict[str, Any] = {tree: found for tree in _TREES if (found := _tree(pytestconfig, tree)) is not None}
    return partial(api.assert_parity, **trees)


@pytest.fixture
def assert_close() -> Callable[..., None]:
    """`tf_migrate.parity.api.assert_close`."""
    from tf_migrate.parity import api

    return api.assert_close


def _tree(config: pytest.Config, tree: str) -> Path | None:
    given = config.getoption(f"--parity-{tree}")
    if given:
        return Path(given).absolute()
    setting = config.getini(f"parity_{tree}")
    return config.rootpath / setting if setting else None
