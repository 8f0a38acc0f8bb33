"""Behind every snippet, and behind further programs, stand as many operations as TF 1.15.5 had, or a table says no.

That number is the second seed of what is drawn there (tests/goldens/operation_count.json).
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import compat
from tf_migrate.facts.operation_count import rows

pytestmark = pytest.mark.filterwarnings("ignore")  # What TensorFlow says of these programs is not asked here.
ROOT = Path(__file__).parent.parent.parent.parent
SNIPPETS = ROOT / "tests" / "facts" / "snippets"
CASES = ROOT / "tests" / "goldens" / "operation_count_cases.py"
OF_CASES = {
    *("tf.Variable.initialized_value", "tf.contrib.framework.arg_scope", "tf.contrib.layers.*", "tf.gradients"),
    *(
        "tf.contrib.slim.*",
        "tf.layers.*",
        "tf.losses.*",
        "tf.nn.embedding_lookup",
        "tf.train.Optimizer.apply_gradients",
    ),
    *("tf.train.Optimizer.minimize", "tf.train.Saver"),
}
"""Rows that only the cases show: their snippets agree, or they are none's."""
OF_KERAS = ("tf.keras.layers.", "tf.keras.losses.", "tf.keras.activations.", "tf.keras.backend.")
FAMILIES = sorted(path.stem for path in SNIPPETS.glob("*.py"))


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The snippets and the cases as the tool writes them for graphs and sessions."""
    source, target = tmp_path_factory.mktemp("counted"), tmp_path_factory.mktemp("rewritten") / "out"
    for path in [*SNIPPETS.glob("*.py"), CASES]:
        shutil.copy(path, source / path.name)
    command = ["rewrite", source, "--tier", "bridge", "--ignore", "TFM205", "--output", target]
    done = subprocess.run([sys.executable, "-m", "tf_migrate", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return target


@pytest.fixture(scope="module")
def golden() -> dict[str, dict[str, int | None]]:
    """What TF 1.15.5 had."""
    path = ROOT / "tests" / "goldens" / "operation_count.json"
    found: dict[str, dict[str, int | None]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"counted_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def second_seed(build: Callable[[], Any]) -> int:
    """That of numbers drawn behind what `build` makes."""
    with compat.Graph().as_default() as graph:
        compat.set_random_seed(1)
        build()
        tf.random.normal([1])
        drawing = [each for each in graph.get_operations() if each.type == "RandomStandardNormal"]
        return int(drawing[-1].get_attr("seed2"))


def different(table: dict[str, Callable[[], Any]], wanted: dict[str, int | None]) -> set[str]:
    """The names of those behind which other numbers are drawn."""
    return {name for name, number in wanted.items() if number is not None and second_seed(table[name]) != number}


@pytest.mark.parametrize("family", FAMILIES)
def test_snippets(
    family: str, rewritten: Path, golden: dict[str, dict[str, int | None]], request: pytest.FixtureRequest
) -> None:
    if family == "tools":
        request.getfixturevalue("cpu")  # They choose which GPUs are seen.
    table = load(rewritten / f"{family}.py").SNIPPETS
    assert golden[family].keys() == table.keys() - {*load(rewritten / CASES.name).ONCE}
    others = {name.split(" / ")[0] for name in different(table, golden[family])}
    asked = {name.split(" / ")[0] for name in golden[family]}
    told = {row.symbol for row in rows() if row.symbol not in OF_CASES and not row.symbol.startswith(OF_KERAS)}
    assert others == told & asked


def test_cases(rewritten: Path, golden: dict[str, dict[str, int | None]]) -> None:
    module = load(rewritten / CASES.name)
    assert golden["cases"].keys() == module.CASES.keys()
    assert different(module.CASES, golden["cases"]) == module.DIFFERENT.keys()


def test_programs_show_each_row_of_the_table(rewritten: Path, golden: dict[str, dict[str, int | None]]) -> None:
    snippets = {name.split(" / ")[0] for family in FAMILIES for name in golden[family]}
    cases = {*load(rewritten / CASES.name).DIFFERENT.values()}
    for row in rows():
        if row.symbol.startswith(OF_KERAS):
            continue  # tests/compat/keras2/test_keras_operation_count.py
        assert f"{row.symbol} {row.keyword}".strip() in cases if row.symbol in OF_CASES else row.symbol in snippets
    assert {row.through for row in rows()} - {""} <= {
        row.symbol for row in rows() if not row.keyword and not row.through
    }
