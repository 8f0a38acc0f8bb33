"""Cells of a notebook: code in and out, everything else byte for byte."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest

from tf_migrate.files.source import SourceError, parse, read
from tf_migrate.syntax.module import load

_CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# Graphs with tf.Session\n", "text"]},
    {
        "cell_type": "code",
        "execution_count": 3,
        "metadata": {"collapsed": True},
        "outputs": [{"name": "stdout", "output_type": "stream", "text": ["tf.log \u00e9\n"]}],
        "source": ["%matplotlib inline\n", "import tensorflow as tf\n", "x = tf.log(1.0)"],
    },
    {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": []},
    {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": "!ls\ny = '\u00e9'\nx?\n"},
    {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": [],
        "source": ["# page\n", "%%bash\n", "ls |"],
    },
    {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": [],
        "source": ["if x:\n", "    %time f()\n"],
    },
]


def notebook(**layout: object) -> bytes:
    content = {"cells": _CELLS, "metadata": {"name": "\u00fc"}, "nbformat": 4, "nbformat_minor": 2}
    return json.dumps(content, **layout).encode() + b"\n"  # type: ignore[arg-type]


_LAYOUTS = [{"indent": 1, "ensure_ascii": False}, {"indent": 2}, {}, {"separators": (",", ":")}]


def without_results(raw: bytes) -> dict[str, Any]:
    """The notebook as one that has not run yet."""
    content: dict[str, Any] = json.loads(raw)
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return content


@pytest.mark.parametrize("layout", _LAYOUTS)
def test_only_code_that_changed_changes(layout: dict[str, object]) -> None:
    raw = notebook(**layout)
    source = read("a.ipynb", raw)
    parse(source)
    assert source.encode(source.text) == raw
    edited = source.encode(source.text.replace("tf.log(", "tf.math.log("))
    expected = without_results(raw.replace(b"= tf.log(", b"= tf.math.log("))
    assert json.loads(edited) == expected
    assert edited == json.dumps(expected, **layout).encode() + b"\n"  # type: ignore[arg-type]


def test_results_go_with_the_code_that_gave_them() -> None:
    raw = notebook(indent=1)
    source = read("a.ipynb", raw)
    edited = json.loads(source.encode(source.text.replace("tf.log(", "tf.math.log(")))
    assert edited["cells"][1]["outputs"] == [] and edited["cells"][1]["metadata"] == {"collapsed": True}
    assert [cell.get("execution_count") for cell in edited["cells"]] == [None] * 6


@pytest.mark.parametrize("layout", _LAYOUTS)
def test_added_lines_take_the_cells_layout(layout: dict[str, object]) -> None:
    source = read("a.ipynb", notebook(**layout))
    edited = source.encode(source.text.replace("as tf\n", "as tf\nimport compat\n"))
    expected = without_results(notebook())
    expected["cells"][1]["source"].insert(2, "import compat\n")
    assert json.loads(edited) == expected
    assert edited == json.dumps(expected, **layout).encode() + b"\n"  # type: ignore[arg-type]


def test_magic_is_kept_and_parses() -> None:
    source = read("a.ipynb", notebook())
    assert "%%bash" not in source.text
    edited = json.loads(source.encode(source.text.replace("y = ", "z = ").replace("if x:", "if y:")))
    assert edited["cells"][3]["source"] == "!ls\nz = '\u00e9'\nx?\n"
    assert edited["cells"][5]["source"] == ["if y:\n", "    %time f()\n"]


def test_a_shell_command_of_several_lines_is_kept_and_parses() -> None:
    cell = '!curl -s localhost |  python -c \\\n    "import json" \\\n\t&\nif x:\n    !ls \\\n  -l\ny = tf.log(x)\n'
    source = read("a.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": cell}]}).encode())
    parse(source)
    edited = json.loads(source.encode(source.text.replace("tf.log", "tf.math.log")))
    assert edited["cells"][0]["source"] == cell.replace("tf.log", "tf.math.log")


@pytest.mark.parametrize(
    "code",
    [
        "print('%d of %d'\n      % (a, b))\n%time f()\n",
        "t = {'a': (1\n%b)}\n",
        'text = """\n%matplotlib inline\n! and ?\n"""\n!ls \'("\ny = 1\n',
        "t = a \\\n  % b  # it's (\n!ls\n",
        "if t:\n    u = '(' + \"it's\"\n    %time f()\n",
    ],
)
def test_only_what_begins_a_statement_is_magic(code: str) -> None:
    source = read("a.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": code}]}).encode())
    parse(source)
    expected = sum(line.lstrip().startswith(("%time", "!ls")) for line in code.split("\n"))
    assert source.text.count("# tf-migrate magic") == expected
    edited = json.loads(source.encode(source.text + "z = 1\n"))
    assert edited["cells"][0]["source"] == code + "\nz = 1"


def test_the_cells_of_python_2_are_told_what_converts_them() -> None:
    source = read("a.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": "print 'x'"}]}).encode())
    with pytest.raises(SourceError, match="Python 2") as caught:
        parse(source)
    assert "jupytext" in caught.value.next_step  # 2to3 by itself reads no notebook


def test_places_are_those_of_the_file() -> None:
    raw = notebook(indent=1)
    source = read("a.ipynb", raw)
    module = load(source)
    calls = {ast.unparse(call.func): module.position(call) for call in module.calls}
    line, column = calls["tf.log"]
    assert raw.decode().splitlines()[line - 1].strip() == '"x = tf.log(1.0)"'
    assert column == 5
    line, _ = module.position(next(node for node in module.tree.body if ast.unparse(node) == "y = '\u00e9'"))
    assert raw.decode().splitlines()[line - 1].strip().startswith('"source": "!ls')


def test_lines_that_share_one_of_the_file_differ_in_column() -> None:
    module = load(read("a.ipynb", b'{"cells": [{"cell_type": "code", "source": "f(1)\\ng(2)\\n  \\nh(3)"}]}'))
    assert [module.position(call) for call in module.calls] == [(1, 1), (1, 6), (1, 14)]


def test_cells_that_share_a_line_of_the_file_differ_in_column() -> None:
    cells = b'{"cells": [{"cell_type": "code", "source": ["f(1)\\n", "g(2)"]}, {"cell_type": "code", "source": "h(3)"},'
    module = load(read("a.ipynb", cells + b'\n{"cell_type": "code", "source": "k(4)"}]}'))
    assert [module.position(call) for call in module.calls] == [(1, 1), (1, 6), (1, 11), (2, 1)]


def test_a_mistake_is_told_with_the_files_line() -> None:
    raw = notebook(indent=1).replace(b"x = tf.log(1.0)", b"x = tf.log(1.0")
    with pytest.raises(SourceError) as caught:
        parse(read("a.ipynb", raw))
    assert "tf.log(1.0" in raw.decode().splitlines()[caught.value.line - 1]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"worksheets": []}', b'{"cells": 3}', b"\xff\xfe"])
def test_what_is_no_notebook(raw: bytes) -> None:
    with pytest.raises(SourceError) as caught:
        read("a.ipynb", raw)
    assert caught.value.next_step


@pytest.mark.parametrize("magic", ["%%time", "%%timeit -n 3", "%%capture out", "%%prun"])
def test_cells_that_are_python_below_their_first_line_are_read(magic: str) -> None:
    body = f"{magic}\nimport tensorflow as tf\n\nx = tf.log(1.0)"
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": body}], "nbformat": 4})
    source = read("a.ipynb", notebook.encode())
    assert "x" in load(source).root.bindings
    added = source.text.replace("pass  #", "import os\npass  #").replace("tf.log", "tf.math.log")
    assert source.cells is not None
    written = json.loads(source.encode(source.cells.trimmed(added)))["cells"][0]["source"]
    assert written == f"{magic}\nimport os\nimport tensorflow as tf\n\nx = tf.math.log(1.0)"
    assert source.cells.repeats == magic.startswith("%%timeit")


@pytest.mark.parametrize("magic", ["%%bash", "%%writefile time.py", "%%timer", "%%html", "%%javascript"])
def test_other_cells_are_left_to_their_language(magic: str) -> None:
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": f"{magic}\nx = 1"}], "nbformat": 4})
    assert load(read("a.ipynb", notebook.encode())).root.bindings == {}
