"""Where rewritten code meets code that stays TensorFlow 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_migrate import pipeline
from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.report.model import Finding

MODEL = "import tensorflow as tf\n\ndef net():\n    return tf.placeholder(tf.float32)\n"


def told(tree: Path, named: str, files: dict[str, str]) -> list[Finding]:
    for name, text in files.items():
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(text)
    options = Options(paths=(tree / named,), root=tree, tier="bridge")
    report = pipeline.run(discover(options).code, options).report
    return [finding for finding in report.findings if finding.rule == "TFM302"]


@pytest.mark.parametrize(
    "line",
    [
        "from pkg.model import net",
        "from pkg import model",
        "import pkg.model",
        "import pkg.model as m",
        "from pkg.model import *",
    ],
)
def test_a_rewritten_module_that_others_use(tmp_path: Path, line: str) -> None:
    train = f"{line}\nimport tensorflow as tf\ntf.Session()\n"
    found = told(tmp_path, "pkg", {"pkg/__init__.py": "", "pkg/model.py": MODEL, "train.py": train})
    assert [(finding.path, finding.line, finding.severity) for finding in found] == [("pkg/model.py", 1, "warning")]
    assert "`train`" in found[0].message


def test_a_rewritten_module_that_uses_others(tmp_path: Path) -> None:
    train = "import os\nfrom pkg.model import net\nimport tensorflow as tf\ntf.Session()\n"
    found = told(tmp_path, "train.py", {"pkg/__init__.py": "", "pkg/model.py": MODEL, "train.py": train})
    assert [(finding.path, finding.line) for finding in found] == [("train.py", 2)]
    assert found[0].next_step is not None
    assert "pkg.model" in found[0].next_step


def test_no_border_within_what_is_rewritten(tmp_path: Path) -> None:
    train = "from pkg.model import net\nimport tensorflow as tf\ntf.Session()\n"
    assert told(tmp_path, ".", {"pkg/__init__.py": "", "pkg/model.py": MODEL, "train.py": train}) == []


def test_no_border_to_code_without_tensorflow_1(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "", "pkg/model.py": MODEL, "plain.py": "from pkg.model import net\nprint(net)\n"}
    assert told(tmp_path, "pkg", files) == []


def test_names_of_modules_that_stay_are_spelled_out(tmp_path: Path) -> None:
    (tmp_path / "ops.py").write_text("import tensorflow as tf\nfrom tensorflow.contrib import slim\n")
    (tmp_path / "net.py").write_text(
        "import ops\nfrom ops import slim\n\ndef f(x):\n    return slim.conv2d(ops.slim.flatten(x))\n"
    )
    options = Options(paths=(tmp_path / "net.py",), root=tmp_path, tier="bridge")
    content = pipeline.run(discover(options).code, options).contents["net.py"].decode()
    assert "return compat.contrib.slim.conv2d(compat.contrib.slim.flatten(x))" in content
