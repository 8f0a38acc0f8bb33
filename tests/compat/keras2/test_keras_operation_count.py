"""Behind layers and functions of Keras stand as many operations as TF 1.15.5 had, or a table says no.

The number is the second seed of what is drawn there (tests/goldens/operation_count.json).
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from tests.compat.bridge.test_operation_count_of_tf1 import OF_KERAS, different
from tests.conftest import ROOT
from tf_migrate import pipeline
from tf_migrate.facts.operation_count import rows
from tf_migrate.files.discover import discover
from tf_migrate.options import Options

GOLDENS = ROOT / "tests" / "goldens"
CASES = "keras_operation_count_cases.py"


@pytest.mark.filterwarnings("ignore")  # What TensorFlow says of these programs is not asked here.
def test_the_table_names_all_calls_behind_which_the_number_is_another(tmp_path: Path) -> None:
    (tmp_path / CASES).write_text((GOLDENS / CASES).read_text(encoding="utf-8"), encoding="utf-8")
    options = Options(paths=(tmp_path,), root=tmp_path, tier="bridge")
    text = pipeline.run(discover(options).code, options).contents[CASES]
    (tmp_path / CASES).write_bytes(text)
    spec = importlib.util.spec_from_file_location("keras_cases", tmp_path / CASES)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    wanted = json.loads((GOLDENS / "operation_count.json").read_text(encoding="utf-8"))["keras"]
    assert wanted.keys() == module.CASES.keys()
    assert different(module.CASES, wanted) == {row.symbol for row in rows() if row.symbol.startswith(OF_KERAS)}
