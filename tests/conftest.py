"""What every test needs: its tier, quiet TensorFlow on the CPU, a fresh graph, and real TF 1.15.5 where it is found."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import warm
from tests.tiers import selection
from tests.tiers.record import Record
from tests.tiers.selection import (  # noqa: F401
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_itemcollected,
    pytest_pycollect_makemodule,
)
from tf_migrate.parity.legacy import Legacy, find_legacy

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

ROOT = Path(__file__).resolve().parent.parent


class _SlowTests:
    """Names each test that took over a minute as it ends: a run that is stopped has said where its time went."""

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.duration > 60:
            self._terminal.write_line(f"\n{report.duration:.0f} s, {report.when}: {report.nodeid}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    selection.forbid_tensorflow(config)
    if not selection.asks_for_a_gpu(config):
        os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
    if not hasattr(config, "workerinput"):
        page = config.getoption("record")
        if page:
            config.pluginmanager.register(Record(Path(page)))
        config.pluginmanager.register(_SlowTests(config.pluginmanager.get_plugin("terminalreporter")))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Modules and tests stay: a collector that goes through their objects again and again takes a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Hypothesis looks for the source of every module beside the packages, and AutoGraph makes a thousand: minutes."""
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        for name in [name for name in sys.modules if name.startswith("__autograph_generated_file")]:
            del sys.modules[name]


@pytest.fixture
def gpu() -> None:
    """An NVIDIA GPU that TensorFlow sees: with `-m gpu` alone, and where there is one."""
    import tensorflow as tf

    if not tf.config.list_physical_devices("GPU"):
        pytest.skip("needs an NVIDIA GPU, and `-m gpu`")


@pytest.fixture
def cpu() -> None:
    """TensorFlow sees no GPU: for devices, messages and the last bits of numbers that are a CPU's."""
    import tensorflow as tf

    if tf.config.list_physical_devices("GPU"):
        pytest.skip("is about the CPU, and TensorFlow sees a GPU: run it without CUDA_VISIBLE_DEVICES")


@pytest.fixture(scope="session")
def legacy() -> Legacy:
    """Where originals run: in real TensorFlow 1.15.5, or where that is not found as `tf.compat.v1` graphs."""
    return find_legacy(ROOT)


@pytest.fixture(scope="session")
def legacy_python(legacy: Legacy) -> Path:
    """Python 3.7 with real TensorFlow 1.15.5; skips the test where there is none."""
    if legacy.python is None:
        pytest.skip("needs real TensorFlow 1.15.5: `make legacy`, or set TF_MIGRATE_LEGACY_PYTHON")
    return legacy.python


@pytest.fixture(scope="session")
def run_legacy(legacy_python: Path) -> Callable[..., str]:
    """Runs a program under real TF 1.15.5 and gives what it printed."""

    def run(program: str, *arguments: str, cwd: Path | None = None) -> str:
        environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", PYTHONWARNINGS="ignore")
        environment.pop("PYTHONPATH", None)
        environment.pop("TF2_BEHAVIOR", None)  # importing TF2 sets it, and TF1 obeys it
        done = warm.run([str(legacy_python), "-c", program, *arguments], cwd=cwd, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(autouse=True)
def _seed_of_its_own() -> Iterator[None]:
    """What a test, or a program that it runs, makes TensorFlow's seed is not the next test's."""
    yield
    # Not without need: it empties the cache of kernels, which has taken up to 18 s, and they have to be made anew.
    if "tensorflow" in sys.modules and sys.modules["tensorflow.python.eager.context"].global_seed() is not None:
        sys.modules["tensorflow"].random.set_seed(None)


@pytest.fixture(autouse=True)
def _store_of_its_own() -> Iterator[None]:
    """Variables that a test made in the program's default store are not the next test's."""
    yield
    if "compat.variables.store" in sys.modules:
        sys.modules["compat.variables.store"].leave_default_store()


@pytest.fixture(autouse=True)
def _session_of_its_own() -> Iterator[None]:
    """An interactive session that a program left open is not the next test's default session."""
    yield
    if "compat.bridge.session" in sys.modules:
        sessions = sys.modules["tensorflow.python.framework.stack"]._default_session_stack.stack
        for session in list(reversed(sessions)):
            if isinstance(session, sys.modules["compat.bridge.session"].InteractiveSession):
                session.close()


@pytest.fixture
def small_heap() -> None:
    """Hides what earlier tests left: to go through all of it takes longer than a test that collects garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program is converted as it stands: none of its functions is written where it is called."""
    monkeypatch.setattr("tf_migrate.rewrite.with_inlined", lambda *_: None)


@pytest.fixture
def graph() -> Iterator[object]:
    """An empty bridge graph, open for the test."""
    import compat

    compat.reset_default_graph()
    yield compat.open_graph()
    compat.close_graph()
    compat.reset_default_graph()


@pytest.fixture
def own_tensorflow() -> None:
    """The test, or a program that it starts, imports TensorFlow in a way that tests/tiers/uses.py does not see."""


@pytest.fixture
def at_length() -> None:
    """The test is one of many that take minutes together, and fewer look at the same: `make test-all` has them."""
