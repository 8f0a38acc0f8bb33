"""Bad input: a message with file, line and next step, the status of the contract, and nothing lost."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tf_migrate.cli import main

GOOD = b"import tensorflow as tf\ndef f(x):\n    return tf.log(x)\n"
GOOD_AFTER = GOOD.replace(b"tf.log", b"tf.math.log")

Call = Callable[..., tuple[int, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Calls `tf-migrate` in `tmp_path`, which has one good file; gives the status and all that was printed."""
    monkeypatch.chdir(tmp_path)
    Path("good.py").write_bytes(GOOD)

    def run(*arguments: str) -> tuple[int, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out + err

    return run


def failed_alone(call: Call, name: str, content: bytes, *said: str) -> None:
    """The file fails with a message, stays as it was, and the good one beside it is rewritten."""
    Path(name).write_bytes(content)
    status, shown = call("rewrite", ".")
    (line,) = [line for line in shown.splitlines() if line.startswith(f"{name}: failed: ")]
    for words in said:
        assert words in line
    assert status == 3
    assert Path(name).read_bytes() == content
    assert Path("good.py").read_bytes() == GOOD_AFTER


@pytest.mark.parametrize(
    ("content", "line", "why", "step"),
    [
        (b"import tensorflow as tf\n\ndef f(:\n", "line 3", "syntax error", "correct it"),
        (b"import tensorflow as tf\nprint 'x'\n", "line 2", "Python 2", "2to3"),
        (b"import tensorflow as tf\nexcept E, e: pass\n", "line 2", "", "run again"),
        (b"import tensorflow as tf\nx = 0777\n", "line 2", "Python 2", "2to3"),
        (b"import tensorflow as tf\n\0\0\x01", "line 1", "binary file", "--exclude"),
        (b"import tensorflow as tf\nname = 'caf\xe9'\n", "line 2", "not valid utf-8", "coding"),
        (b"# -*- coding: nonsense -*-\nimport tensorflow as tf\n", "line 1", "encoding", "UTF-8"),
        (b"import tensorflow as tf\nx = " + b"-" * 100_000 + b"1\n", "line", "nested too deeply", "split"),
        (b"import tensorflow as tf\nx = " + b"(" * 5_000 + b")" * 5_000, "line", "", "run again"),
    ],
    ids=["syntax", "print", "except", "octal", "binary", "latin-1", "coding", "unary", "parentheses"],
)
def test_a_file_that_cannot_be_parsed(call: Call, content: bytes, line: str, why: str, step: str) -> None:
    failed_alone(call, "bad.py", content, line, why, step)


def test_a_notebook_that_is_none(call: Call) -> None:
    failed_alone(call, "bad.ipynb", b"tensorflow: not a notebook, import", "line", "not a notebook", "exclude")


@pytest.mark.parametrize("depth", [300, 900, 3000])
def test_deeply_nested_code_is_done_or_fails_but_never_crashes(call: Call, depth: int) -> None:
    content = b"import tensorflow as tf\ndef f(x):\n    return " + b"+".join([b"tf.log(x)"] * depth) + b"\n"
    Path("deep.py").write_bytes(content)
    status, shown = call("rewrite", ".")
    if status == 3:
        assert "deep.py: failed: " in shown and "internal error" not in shown
        assert Path("deep.py").read_bytes() == content
    else:
        assert status == 0
        assert Path("deep.py").read_bytes() == content.replace(b"tf.log", b"tf.math.log")
    assert Path("good.py").read_bytes() == GOOD_AFTER


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD + b"name = 'caf\xc3\xa9'\n",
        b"# -*- coding: latin-1 -*-\n" + GOOD + b"name = 'caf\xe9'\n",
        (GOOD + b"name = 1\n").replace(b"\n", b"\r\n"),
        GOOD + b"a = 1\r\nb = 2\n",
        GOOD.removesuffix(b"\n"),
        GOOD + b"\x0c\nclass A: pass\n",
    ],
    ids=["bom", "latin-1", "crlf", "mixed newlines", "no last newline", "form feed"],
)
def test_encoding_mark_and_newlines_are_kept(call: Call, content: bytes) -> None:
    Path("a.py").write_bytes(content)
    assert call("rewrite", ".")[0] == 0
    assert Path("a.py").read_bytes() == content.replace(b"tf.log", b"tf.math.log")


@pytest.mark.usefixtures("at_length")
def test_a_file_of_five_megabytes(call: Call) -> None:
    line = b"values = [1.25, 2.5, 'three', None]\n"
    Path("big.py").write_bytes(GOOD + line * (5_000_000 // len(line)))
    start = time.monotonic()
    assert call("rewrite", ".")[0] == 0
    assert time.monotonic() - start < 120
    assert Path("big.py").read_bytes() == GOOD_AFTER + line * (5_000_000 // len(line))


def test_a_missing_path_writes_nothing_anywhere(call: Call) -> None:
    status, shown = call("rewrite", "good.py", "god.py")
    assert status == 2
    assert "god.py: no such file or folder; did you mean good.py?" in shown
    assert Path("good.py").read_bytes() == GOOD


def test_a_path_that_is_a_circle_of_links(call: Call) -> None:
    os.symlink("loop", "loop")
    status, shown = call("check", "loop")
    assert status == 2
    assert "loop: " in shown and "name the real file or folder" in shown


def test_an_unreadable_file(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("closed.py").write_bytes(GOOD)
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "closed.py":
            raise PermissionError(errno.EACCES, "Permission denied")
        return read(path)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refuse)
        status, shown = call("rewrite", ".", "--jobs", "1")
    assert status == 3
    assert "closed.py: failed: cannot be read: Permission denied; make it readable (chmod u+r)" in shown
    assert Path("closed.py").read_bytes() == GOOD
    assert Path("good.py").read_bytes() == GOOD_AFTER


def test_an_unreadable_file_for_real(call: Call) -> None:
    Path("closed.py").write_bytes(GOOD)
    Path("closed.py").chmod(0)
    if os.access("closed.py", os.R_OK):
        pytest.skip("permissions do not bind this user (root)")
    status, shown = call("rewrite", ".")
    assert status == 3 and "closed.py: failed: cannot be read" in shown


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_disk(call: Call, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(*_: object, **__: object) -> tuple[int, str]:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    status, shown = call("rewrite", ".", "--jobs", "1")
    assert status == 3
    assert f"good.py: failed: cannot be written: {os.strerror(number)}; the file is as it was" in shown
    assert Path("good.py").read_bytes() == GOOD
    assert os.listdir(".") == ["good.py"]


def test_a_tree_with_its_own_compat_module(call: Call) -> None:
    Path("compat.py").write_text("string_types = (str,)\n")
    Path("train.py").write_text("import tensorflow as tf\nimport compat\nx = tf.placeholder(tf.float32)\n")
    Path("other.py").write_text("import tensorflow as tf\nx = tf.placeholder(tf.float32)\n")
    status, shown = call("rewrite", ".")
    assert status == 2
    assert "a module named compat of its own (compat.py)" in shown
    assert "--compat-module tf1_compat --vendor" in shown
    assert Path("other.py").read_text() == "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"
    status, _ = call("rewrite", ".", "--compat-module", "tf1_compat", "--vendor")
    assert status == 0
    assert "import compat\n" in Path("train.py").read_text()
    assert "tf1_compat.placeholder" in Path("train.py").read_text()
    assert Path("tf1_compat/__init__.py").exists()
    assert Path("compat.py").read_text() == "string_types = (str,)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
def test_what_would_block_is_not_opened(call: Call) -> None:
    os.mkfifo("pipe.py")
    status, shown = call("check", ".")
    assert status == 3
    assert "pipe.py: failed: not a regular file; remove it, or leave it out with --exclude" in shown


def test_python_2_that_only_computes_with_numpy_is_left_alone(call: Call) -> None:
    Path("good.py").write_bytes(b"import tensorflow as tf\nimport rows\n\n\ndef f(x):\n    return tf.log(x)\n")
    Path("rows.py").write_bytes(b"import numpy as np\nprint np.ones(3)\n")
    status, shown = call("rewrite", ".")
    assert (status, "rows.py: failed" in shown) == (0, False)
    assert Path("rows.py").read_bytes() == b"import numpy as np\nprint np.ones(3)\n"


def test_prose_that_begins_like_an_import_is_left_alone(call: Call) -> None:
    """In a file that is no Python, and in a time that grows with its length only."""
    content = b"print 'a table'\nfrom " + b", ".join([b"one table"] * 100) + b"\n"
    Path("rows.py").write_bytes(content)
    status, shown = call("rewrite", ".")
    assert (status, "rows.py: failed" in shown) == (0, False)
    assert Path("rows.py").read_bytes() == content
