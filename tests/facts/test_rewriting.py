"""The rewritten snippets name only what exists and stay when rewritten again; tensorflow.compat.v1 is understood."""

import ast
import subprocess
import sys

import pytest

pytest.importorskip("tensorflow")

from tests.engine import migrated
from tests.facts.conftest import FAMILIES, HERE, ROOT
from tf_migrate.facts.generate.usage import exists, is_told, named


@pytest.mark.parametrize("family", FAMILIES)
def test_they_name_only_what_exists_or_is_told(family, rewritten):
    folder, report = rewritten
    findings = [finding for finding in report["findings"] if finding["path"] == f"{family}.py"]
    told = {finding["symbol"] for finding in findings if finding["action"] == "manual" and finding["symbol"]}
    names = {name.path for name in named(ast.parse((folder / f"{family}.py").read_text(encoding="utf-8")))}
    ours = {name for name in names if name.startswith(("tensorflow.", "compat."))}
    assert ours
    assert sorted(name for name in ours if not exists(name) and not is_told(name, told)) == []


def test_rewriting_them_again_changes_nothing(rewritten):
    command = [sys.executable, "-m", "tf_migrate", "rewrite", rewritten[0], "--diff"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("family", FAMILIES)
def test_compat_v1_is_understood(family):
    text = (HERE / "snippets" / f"{family}.py").read_text(encoding="utf-8")
    plain = migrated(text)
    spelled = migrated(text.replace("import tensorflow as tf\n", "import tensorflow.compat.v1 as tf\n"))
    assert spelled.text == plain.text
