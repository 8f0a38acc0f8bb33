"""The command line as a user meets it: what is printed, what is written, and the exit status."""

from __future__ import annotations

import errno
import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tf_migrate.cli import main

SHELL = "import os\n\nprint(os.sep)\n"
RENAMED = "import tensorflow as tf\n\n\ndef f(x):\n    return tf.log(x)\n"
RENAMED_AFTER = RENAMED.replace("tf.log", "tf.math.log")
PYTHON2 = 'import tensorflow as tf\nprint "hello"\n'


class Run:
    """One call: its status and what it printed."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err


Call = Callable[..., Run]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Calls `tf-migrate` in `tmp_path`."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Run:
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return Run(left.value.code, out, err)

    return run


def grow(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def git(*arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def test_rewrite_in_place(call: Call) -> None:
    grow({"src/a.py": RENAMED, "src/b.py": SHELL})
    run = call("rewrite", "src")
    assert run.status == 0
    assert Path("src/a.py").read_text() == RENAMED_AFTER
    assert Path("src/b.py").read_text() == SHELL
    assert "2 files: 1 changed, 1 unchanged" in run.out
    assert call("rewrite", "src").out.startswith("2 files: 0 changed, 2 unchanged")


def test_check_writes_nothing_and_tells_by_its_status(call: Call) -> None:
    grow({"a.py": RENAMED, "b.py": SHELL})
    run = call("check", ".")
    assert run.status == 1
    assert "a.py:5:12: TFM101 rewritten" in run.out
    assert "1 would change" in run.out
    assert Path("a.py").read_text() == RENAMED
    assert call("check", "b.py").status == 0


def test_a_failed_file_does_not_stop_the_others(call: Call) -> None:
    grow({"a.py": PYTHON2, "b.py": RENAMED})
    run = call("rewrite", ".")
    assert run.status == 3
    assert "a.py: failed: line 2: Python 2 source; convert it to Python 3 first" in run.out
    assert Path("a.py").read_text() == PYTHON2
    assert Path("b.py").read_text() == RENAMED_AFTER


def test_diff_prints_a_patch_that_git_takes_and_writes_nothing(call: Call) -> None:
    grow({"src/a.py": RENAMED, "src/no_newline.py": RENAMED.rstrip()})
    grow({"src/crlf.py": RENAMED.replace("\n", "\r\n")})
    Path("src/crlf.py").write_bytes(RENAMED.replace("\n", "\r\n").encode())
    run = call("rewrite", "--diff", "src")
    assert run.status == 0
    assert Path("src/a.py").read_text() == RENAMED
    assert "-    return tf.log(x)\n+    return tf.math.log(x)\n" in run.out
    assert "3 files" in run.err and "files" not in run.out
    Path("x.patch").write_bytes(run.out.encode())
    git("init", "-q")
    git("apply", "x.patch")
    assert Path("src/a.py").read_text() == RENAMED_AFTER
    assert Path("src/no_newline.py").read_bytes() == RENAMED_AFTER.rstrip().encode()
    assert Path("src/crlf.py").read_bytes() == RENAMED_AFTER.replace("\n", "\r\n").encode()


def test_output_writes_a_copy(call: Call) -> None:
    grow({"src/a.py": RENAMED, "src/data/x.txt": "1", "src/bad.py": PYTHON2})
    run = call("rewrite", "src", "--output", "out")
    assert run.status == 3
    assert Path("out/a.py").read_text() == RENAMED_AFTER
    assert Path("out/data/x.txt").read_text() == "1"
    assert Path("out/bad.py").read_text() == PYTHON2
    assert Path("src/a.py").read_text() == RENAMED
    again = call("rewrite", "src", "--output", "out")
    assert again.status == 2 and "not empty" in again.err


def test_reports_in_every_format_at_once(call: Call) -> None:
    grow({"src/a.py": RENAMED})
    files = ["r.json", "r.sarif", "r.html", "r.md"]
    run = call("check", "src", *(argument for file in files for argument in ("--report", file)))
    assert run.status == 1
    data = json.loads(Path("r.json").read_text())
    assert data["files"] == [{"path": "a.py", "status": "changed", "reason": None}]
    assert data["findings"][0]["symbol"] == "tf.log"
    assert json.loads(Path("r.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "TFM101"
    assert "TFM101" in Path("r.html").read_text() and "TFM101" in Path("r.md").read_text()


@pytest.mark.parametrize("output_format", ["json", "sarif"])
def test_standard_output_is_one_document(call: Call, output_format: str) -> None:
    grow({"a.py": RENAMED, "bad.py": PYTHON2})
    run = call("check", ".", "--output-format", output_format)
    assert run.status == 3
    assert isinstance(json.loads(run.out), dict)


def test_github_output(call: Call) -> None:
    grow({"src/a.py": RENAMED})
    run = call("check", "src", "--output-format", "github")
    assert run.out.startswith("::notice file=src/a.py,line=5,col=12,title=tf-migrate TFM101::")


def test_quiet_and_verbose(call: Call) -> None:
    grow({"a.py": RENAMED})
    quiet = call("check", ".", "--quiet")
    assert (quiet.status, quiet.out, quiet.err) == (1, "", "")
    assert "TFM101" not in call("rewrite", "--diff", ".").err
    assert "TFM101" in call("rewrite", "--diff", ".", "--verbose").err
    assert call("check", ".", "-q", "-v").status == 2


def test_statistics(call: Call) -> None:
    grow({"a.py": RENAMED + "def g(x):\n    return tf.log(x)\n"})
    assert "2  TFM101  rewritten  `tf.log` is `tf.math.log`" in call("check", ".", "--statistics").out


def test_the_command_line_wins_over_the_configuration(call: Call) -> None:
    grow({"a.py": RENAMED, "pyproject.toml": '[tool.tf-migrate]\noutput-format = "json"\nexclude = ["a.py"]\n'})
    assert json.loads(call("check", ".").out)["files"] == []
    assert call("check", ".", "--output-format", "text").out.startswith("0 files")
    assert "1 file:" in call("check", ".", "--output-format", "text", "--exclude", "b.py").out


def test_the_command_line_wins_over_a_setting_that_it_excludes(call: Call) -> None:
    grow({"src/a.py": RENAMED, "src/pyproject.toml": '[tool.tf-migrate]\noutput = "../out"\nquiet = true\n'})
    run = call("rewrite", "src", "--diff", "--verbose")
    assert run.status == 0
    assert "+    return tf.math.log(x)" in run.out and "TFM101" in run.err
    assert not Path("out").exists()
    assert call("rewrite", "src").status == 0
    assert Path("out/a.py").read_text() == RENAMED_AFTER


def test_rules_can_be_chosen(call: Call) -> None:
    grow({"a.py": RENAMED})
    assert call("check", ".", "--ignore", "TFM311,TFM101").status == 0
    assert call("check", ".", "--select", "TFM1").status == 1
    wrong = call("check", ".", "--select", "TFM31l")
    assert wrong.status == 2
    assert "did you mean TFM" in wrong.err
    assert "TFM311" in wrong.err


def test_pins_move_with_the_code(call: Call) -> None:
    grow(
        {
            "a.py": SHELL,
            "requirements.txt": "tensorflow-gpu==1.15.0\n",
            "Dockerfile": "FROM tensorflow/tensorflow:1.15.0\n",
        }
    )
    run = call("rewrite", ".")
    assert run.status == 1
    assert Path("requirements.txt").read_text() == "tensorflow>=2.16,<2.22\n"
    assert "Dockerfile:1:6: TFM312 manual" in run.out


def test_setup_py_gets_both_its_code_and_its_pins(call: Call) -> None:
    grow({"setup.py": RENAMED + "install_requires = ['tensorflow==1.15']\n"})
    assert call("rewrite", ".").status == 0
    assert Path("setup.py").read_text() == RENAMED_AFTER + "install_requires = ['tensorflow>=2.16,<2.22']\n"


def test_a_package_named_by_itself_knows_its_modules_by_their_full_names(call: Call) -> None:
    importing = "from mypkg.common import *\n\n\ndef f(x):\n    return tf.log(x)\n"
    grow({"mypkg/__init__.py": "", "mypkg/common.py": "import tensorflow as tf\n", "mypkg/sub/m.py": importing})
    assert call("rewrite", "mypkg").status == 0
    assert Path("mypkg/sub/m.py").read_text() == importing.replace("tf.log", "tf.math.log")


def test_a_dirty_tree_is_refused_and_nothing_is_written(call: Call) -> None:
    grow({"a.py": RENAMED, "b.py": SHELL, "requirements.txt": "tensorflow==1.15\n"})
    git("init", "-q")
    untracked = call("rewrite", ".")
    assert untracked.status == 2
    assert "git has no copy of a.py, requirements.txt as" in untracked.err and "--allow-dirty" in untracked.err
    git("add", "-A")
    git("commit", "-qm", "x")
    grow({"scratch.py": SHELL})
    Path("b.py").write_text(SHELL + "\n")
    dirty = call("rewrite", ".")
    assert dirty.status == 2 and "git has no copy of b.py as it stands" in dirty.err
    assert Path("a.py").read_text() == RENAMED
    assert call("rewrite", "a.py").status == 0
    assert call("rewrite", ".", "--diff").status == 0
    assert call("rewrite", ".", "--allow-dirty").status == 0


def test_vendored_shims_go_into_the_migrated_tree(call: Call) -> None:
    grow({"src/a.py": "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\n"})
    assert call("rewrite", "src", "--output", "out", "--vendor", "--compat-module", "tf1").status == 0
    assert (Path("out/tf1/__init__.py")).exists()
    assert "import tf1" in Path("out/a.py").read_text()
    assert not Path("src/tf1").exists()
    assert call("check", "out", "--compat-module", "tf1").status == 0


def test_check_lists_the_shims_in_use_and_what_would_replace_them(call: Call) -> None:
    grow({"a.py": "import tensorflow as tf\n\n\ndef f(x):\n    return tf.layers.dense(tf.layers.dense(x, 3), 4)\n"})
    assert "Shims in use" not in call("check", ".").out
    assert call("rewrite", ".").status == 0
    run = call("check", ".", "--report", "r.json")
    assert run.status == 0
    assert "  2  compat.layers.dense  tf.keras.layers, where checkpoints" in run.out
    (use,) = json.loads(Path("r.json").read_text())["shims"]
    assert (use["shim"], use["uses"]) == ("compat.layers.dense", 2)


def test_explain_and_rules(call: Call) -> None:
    assert "becomes tf.math.log" in call("explain", "tf.log").out
    assert "becomes tf.math.log" in call("explain", "tensorflow.log").out
    assert "becomes compat.placeholder" in call("explain", "tf.placeholder").out
    assert "keep_prob becomes rate, its value as 1 - x" in call("explain", "tf.nn.dropout").out
    assert "moved-pin" in call("explain", "tfm311").out
    assert "TFM311  moved-pin" in call("rules").out
    unknown = call("explain", "tf.lgo")
    assert unknown.status == 2 and "did you mean tf.log" in unknown.err
    assert call("explain", "TFM31l").status == 2


def test_what_a_link_leads_to_is_guarded_too(call: Call) -> None:
    grow({"shared/a.py": RENAMED, "pkg/b.py": SHELL})
    Path("pkg/a.py").symlink_to("../shared/a.py")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "x")
    Path("shared/a.py").write_text(RENAMED + "\n")
    run = call("rewrite", "pkg")
    assert run.status == 2 and "git has no copy of shared/a.py" in run.err
    git("commit", "-qam", "y")
    assert call("rewrite", "pkg").status == 0
    assert Path("shared/a.py").read_text() == RENAMED_AFTER + "\n"
    assert Path("pkg/a.py").is_symlink()


def test_what_git_cannot_tell_counts_as_dirty(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    grow({"a.py": RENAMED})
    git("init", "-q")
    monkeypatch.setenv("PATH", "")
    run = call("rewrite", ".")
    assert run.status == 2
    assert "cannot tell whether git has a copy" in run.err and "--allow-dirty" in run.err
    assert Path("a.py").read_text() == RENAMED


def test_vendoring_into_a_package_asks_for_its_root(call: Call) -> None:
    grow({"mypkg/__init__.py": "", "mypkg/a.py": "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\n"})
    run = call("rewrite", "mypkg", "--vendor")
    assert run.status == 2 and "--root" in run.err
    assert call("rewrite", "mypkg", "--vendor", "--root", ".").status == 0
    assert Path("compat/__init__.py").exists()


def test_a_report_that_cannot_be_written_is_a_failure(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    grow({"a.py": SHELL})
    monkeypatch.setattr("tf_migrate.shell.console.replace_file", full)
    run = call("check", ".", "--report", "r.json")
    assert run.status == 3
    assert "r.json cannot be written: No space left on device" in run.err


def test_an_error_of_our_own_is_not_taken_for_a_finding(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr("tf_migrate.pipeline.run", break_down)
    run = call("check", ".")
    assert run.status == 70
    assert "a mistake of ours" in run.err and "please report" in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rewrite",), "Missing argument"),
        (("rewrite", "nowhere"), "no such file or folder"),
        (("check", ".", "--jobs", "0"), "--jobs"),
        (("check", ".", "--report", "x.xml"), "use one of .json"),
        (("rewrite", ".", "--diff", "--output", "out"), "give one of them"),
        (("rewrite", ".", "--diff", "--output-format", "json"), "--report FILE"),
        (("rewrite", ".", "--output", "."), "inside the tree"),
        (("check", ".", "--compat-module", "a-b"), "not a name"),
        (("check", ".", "--compat-module", "a.class"), "not a name"),
        (("reqrite", "."), "No such command"),
    ],
)
def test_wrong_usage_has_status_2(call: Call, arguments: tuple[str, ...], message: str) -> None:
    run = call(*arguments)
    assert run.status == 2
    assert message in run.err + run.out


def test_without_arguments_it_says_how_it_is_used(call: Call) -> None:
    run = call()
    assert "Usage: tf-migrate" in run.out + run.err
    assert run.status in (0, 2)  # click changed its mind in 8.2


def test_ctrl_c_while_reading_writes_nothing(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    grow({"a.py": RENAMED})
    monkeypatch.setattr("tf_migrate.pipeline.run", press)
    run = call("rewrite", ".")
    assert run.status == 130
    assert "nothing was written" in run.err
    assert Path("a.py").read_text() == RENAMED


def test_ctrl_c_while_writing_says_how_far_it_came(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    grow({"a.py": RENAMED, "b.py": RENAMED})
    pressed: list[int] = []

    def press(handle: int) -> None:
        pressed.append(handle)
        if len(pressed) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", press)
    run = call("rewrite", ".")
    assert run.status == 130
    assert "1 of 2 files written, each of them whole" in run.err
    assert [Path(name).read_text() for name in ("a.py", "b.py")] == [RENAMED_AFTER, RENAMED]
