"""A whole tree: what is changed, what is not, what fails, in one process and in several."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tf_migrate import pipeline, verify
from tf_migrate import rewrite as rewriting
from tf_migrate.files.discover import discover
from tf_migrate.files.source import read
from tf_migrate.options import Options
from tf_migrate.report.model import Finding
from tf_migrate.rules import Change, Context
from tf_migrate.verify import VerificationError

TREE = {
    "ops.py": b"import tensorflow as tf\r\n"
    b"from tensorflow.contrib import slim\r\n\r\ndef net(x):\r\n    return slim.conv2d(x, 3, 3)\r\n",
    "train.py": b"from ops import *\n\nx = tf.placeholder(tf.float32)\n"
    b"with tf.Session() as sess:\n    print(sess.run(net(x)))\n",
    "plain.py": b"print('tensorflow')\n",
    "old.py": b"import tensorflow as tf\nprint 'a'\n",
    "data.py": b"import tensorflow\n\x00\x01",
    "skipped.py": b"# tf-migrate: skip-file\nimport tensorflow as tf\nx = tf.placeholder(1)\n",
    "pkg/__init__.py": b"",
    "pkg/latin.py": b"# coding: latin-1\nimport tensorflow as tf\ns = lambda: tf.log('\xe9')\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, content in TREE.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    return tmp_path


def run(path: Path, **options: object) -> pipeline.Outcome:
    chosen = Options(paths=(path,), tier="bridge", **options)  # type: ignore[arg-type]
    return pipeline.run(discover(chosen).code, chosen)


def test_a_tree(tree: Path) -> None:
    outcome = run(tree)
    assert {result.path: result.status for result in outcome.report.files} == {
        "ops.py": "changed",
        "train.py": "changed",
        "plain.py": "unchanged",
        "old.py": "failed",
        "data.py": "failed",
        "skipped.py": "skipped",
        "pkg/__init__.py": "unchanged",
        "pkg/latin.py": "changed",
    }
    assert outcome.contents["ops.py"] == TREE["ops.py"].replace(b"from tensorflow.contrib", b"from compat.contrib")
    assert outcome.contents["pkg/latin.py"] == TREE["pkg/latin.py"].replace(b"tf.log", b"tf.math.log")
    assert outcome.contents["train.py"].startswith(
        b"from ops import *\nimport compat\n\ncompat.open_graph()\nx = compat."
    )
    reasons = {result.path: result.reason for result in outcome.report.files}
    assert "line 2: Python 2" in (reasons["old.py"] or "")
    assert {name: (tree / name).read_bytes() for name in TREE} == TREE, "nothing is written here"


def test_counts(tree: Path) -> None:
    report = run(tree).report
    assert report.summary.files == len(TREE)
    assert report.summary.sites.bridge == 1
    assert report.sites[0].path == "train.py"
    assert (report.sites[0].line, report.sites[0].column) == (5, 11)
    assert report.summary.symbols.shimmed == 4
    assert report.summary.symbols.unchanged >= 1


def test_a_second_run_changes_nothing(tree: Path) -> None:
    for name, content in run(tree).contents.items():
        (tree / name).write_bytes(content)
    assert run(tree).contents == {}


def test_what_the_process_has_frozen_stays_so(tree: Path) -> None:
    """The collector goes through TensorFlow's objects again and again where `gc.unfreeze` gives them back to it."""
    frozen = gc.get_freeze_count()  # tests/conftest.py: once all tests are collected
    assert frozen > 0 and run(tree).contents
    assert gc.get_freeze_count() > frozen // 2


def test_only_what_is_named_is_edited(tree: Path) -> None:
    chosen = Options(paths=(tree / "train.py",), root=tree, tier="bridge")
    outcome = pipeline.run(discover(chosen).code, chosen)
    assert set(outcome.contents) == {"train.py"}
    assert {result.path for result in outcome.report.files} == {"train.py"}


def test_processes_give_what_one_gives(tree: Path) -> None:
    for number in range(70):
        shutil.copy(tree / "train.py", tree / f"train_{number}.py")
    ticks: list[tuple[int, int]] = []
    chosen = Options(paths=(tree,), tier="bridge", jobs=2)
    several = pipeline.run(discover(chosen).code, chosen, lambda done, total: ticks.append((done, total)))
    one = run(tree)
    assert several.contents == one.contents
    assert several.report.findings == one.report.findings
    assert ticks[-1][0] <= ticks[-1][1]
    assert len(ticks) > 100


def test_a_mistake_of_ours_loses_one_file_only(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail_once(source: object, *rest: object) -> object:
        if getattr(source, "path", "") == "ops.py":
            raise RuntimeError("a bug")
        return rewrite(source, *rest)  # type: ignore[arg-type]

    rewrite = pipeline.rewrite
    monkeypatch.setattr(pipeline, "rewrite", fail_once)
    outcome = run(tree)
    reasons = {result.path: result.reason for result in outcome.report.failed}
    assert "internal error (RuntimeError: a bug)" in (reasons["ops.py"] or "")


@pytest.mark.parametrize("fault", [RuntimeError("a bug"), None], ids=["raised", "text that does not parse"])
def test_a_fault_of_native_code_leaves_the_file_to_the_bridge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception | None
) -> None:
    code = b"import tensorflow as tf\nx = tf.placeholder(tf.float32, [])\ny = x + 1.0\n"
    (tmp_path / "train.py").write_bytes(code + b"print(tf.Session().run(y, {x: 1.0}))\n")
    whole = rewriting.text_of

    def broken(context: Context, changes: Sequence[Change]) -> str:
        text = whole(context, changes)
        if "open_graph" in text:
            return text
        if fault is not None:
            raise fault
        return text + "with\n"

    monkeypatch.setattr(rewriting, "text_of", broken)
    chosen = Options(paths=(tmp_path,))
    outcome = pipeline.run(discover(chosen).code, chosen)
    (site,) = outcome.report.sites
    assert site.tier == "bridge" and not outcome.report.failed
    assert (site.reason or "").startswith("its native code failed (" + type(fault or VerificationError()).__name__)
    assert site.next_step == "please report it with the file"
    assert b"compat.Session().run(y" in outcome.contents["train.py"]
    assert "train.py" in outcome.contents


def test_a_file_that_cannot_be_read(tree: Path) -> None:
    chosen = Options(paths=(tree,))
    code = discover(chosen).code
    (tree / "ops.py").unlink()
    reasons = {result.path: result.reason for result in pipeline.run(code, chosen).report.failed}
    assert "cannot be read" in (reasons["ops.py"] or "")


def test_a_result_that_does_not_parse_is_not_given(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tf_migrate.changes.application.apply", lambda text, edits: text + ")")
    outcome = run(tree)
    assert outcome.contents == {}
    assert "does not parse" in (next(r.reason for r in outcome.report.failed if r.path == "ops.py") or "")


def test_a_result_that_would_change_again_is_not_given(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tf_migrate.changes.application.apply", lambda text, edits: text + "y = lambda: tf.log(1)\n")
    outcome = run(tree)
    assert "ops.py" not in outcome.contents


def _finding(symbol: str, action: str, line: int = 1) -> Finding:
    return Finding("a.py", line, 1, "TFM104", symbol, action, "info", "why", "next")  # type: ignore[arg-type]


def test_what_is_left_must_have_been_told() -> None:
    told = [_finding("tf.x", "manual")]
    verify.accounts_for(told, [_finding("tf.x", "manual")])
    with pytest.raises(verify.VerificationError, match=r"tf\.x"):
        verify.accounts_for(told, [_finding("tf.x", "manual"), _finding("tf.x", "manual", 2)])
    verify.accounts_for([], [replace(_finding("tf.x", "manual"), rule="TFM150", symbol=None)])  # of either TensorFlow
    with pytest.raises(verify.VerificationError, match="2 times"):
        verify.told_once([*told, *told], [])


def test_what_is_left_may_have_moved_with_its_module(tmp_path: Path) -> None:
    code = "import tensorflow as tf\nfrom tensorflow.python.keras import backend as K\n\nK.set_session(tf.Session())\n"
    code += "K.py_all([True])\n"
    (tmp_path / "a.py").write_text(code)
    outcome = run(tmp_path)
    assert not outcome.report.failed and b"tensorflow.python" not in outcome.contents["a.py"]
    (told,) = [found for found in outcome.report.findings if found.action == "manual"]
    assert told.symbol == "tensorflow.python.keras.backend.py_all"


def test_a_result_its_encoding_cannot_hold() -> None:
    source = read("a.py", b"# coding: ascii\nx = 1\n")
    with pytest.raises(verify.VerificationError, match="ascii"):
        verify.checked(source, source.text + "# é\n")
