"""Only what is TensorFlow's by its imports is touched: words in comments, texts and other libraries' names are not."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tf_migrate.files.discover import discover
from tf_migrate.options import Options
from tf_migrate.pipeline import Outcome, run


def outcome_of(tree: Path, files: Mapping[str, str]) -> Outcome:
    """The tree of the files given, rewritten in memory."""
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    options = Options(paths=(tree,), jobs=1)
    return run(discover(options).code, options)


def untouched(outcome: Outcome) -> None:
    """Nothing changes, and nothing is told."""
    assert outcome.contents == {}
    assert outcome.report.sites == () and outcome.report.findings == ()
    assert {file.status for file in outcome.report.files} == {"unchanged"}


WEB = {
    "web/__init__.py": "# thanks to all contributors: https://tensorflow.org/contrib\n",
    "web/client.py": """\
import numpy as np
import requests


class ClientSession(requests.Session):
    placeholder = "get_variable"


session = ClientSession()
mask = np.zeros(3, np.bool)
answer = session.run("a graph")
""",
    "web/app.py": """\
from flask import Flask

from web.client import session

app = Flask(__name__)


def main():
    app.run(debug=True)
    return session.run("GET")


session.run("at once")
if __name__ == "__main__":
    main()
""",
}
GRAPHS = {
    "walk.py": """\
'''Like tf.Graph(), but without tensorflow: import tensorflow as tf; tf.placeholder(tf.float32)'''
import networkx as nx
import numpy as np


def grown(variable_scope=np.float):
    graph = nx.Graph()
    graph.add_edge("GraphKeys", "ConfigProto")
    return graph, variable_scope(1)
""",
    "tests/test_walk.py": """\
import pytest
from walk import grown


class TestWalk:
    @pytest.mark.parametrize("kind", ["train.AdamOptimizer"])
    def test_grown(self, kind):
        assert grown()[0]

    def test_asscalar(self):
        assert grown()[1].asscalar() == 1
""",
    "old.py": "print 'import of tensorflow 1, tf.Session()'\n",
}


@pytest.mark.parametrize("files", [WEB, GRAPHS], ids=["web", "graphs"])
def test_trees_without_tensorflow_stay_as_they_are(files: Mapping[str, str], tmp_path: Path) -> None:
    untouched(outcome_of(tmp_path, files))


def test_modules_beside_a_program_stay_as_they_are(tmp_path: Path) -> None:
    program = {
        "train.py": "import tensorflow as tf\nimport steps\nx = tf.placeholder(tf.float32)\n"
        "with tf.Session() as sess:\n    steps.step(sess, x)\n",
        "steps.py": "import numpy as np\n\n\ndef step(sess, x):\n    return sess.run(x, {x: np.float(1)})\n",
    }
    beside = {
        "noxfile.py": "import nox\n\n\n@nox.session\ndef tests(session):\n    session.run('pytest', 'tensorflow')\n",
        "plot.py": "import numpy as np\n\nprint(np.float(2))\n",
        **WEB,
    }
    outcome = outcome_of(tmp_path, {**program, **beside})
    assert set(outcome.contents) == {"train.py", "steps.py"}
    assert {site.path for site in outcome.report.sites} == {"steps.py"}
    assert b"float(1)" in outcome.contents["steps.py"]


@pytest.mark.parametrize("package", ["click", "packaging", "pathspec", "pygments", "requests"])
def test_known_packages_stay_as_they_are(package: str, tmp_path: Path) -> None:
    folder = Path(str(importlib.import_module(package).__file__)).parent
    shutil.copytree(folder, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    untouched(outcome_of(tmp_path, {}))


@pytest.mark.parametrize(
    "other",
    [
        {"common.py": "import tensorflow as tf\n"},
        {"common.py": "from deeper import *\n", "deeper.py": "import tensorflow.compat.v1 as tf\n"},
        {"common.py": "import importlib\ntf = importlib.import_module('tensorflow')\n"},
    ],
    ids=["import", "star", "text"],
)
def test_tensorflow_is_found_through_modules(other: Mapping[str, str], tmp_path: Path) -> None:
    """A script that builds through modules of which one alone imports TensorFlow."""
    model = "from common import tf\n\n\ndef build():\n    return tf.placeholder(tf.float32)\n"
    if "importlib" in other["common.py"]:
        model = "import tensorflow as tf\n\n\ndef build():\n    return tf.placeholder(tf.float32)\n"
    outcome = outcome_of(tmp_path, {**other, "model.py": model, "main.py": "import model\n\nx = model.build()\n"})
    assert b"compat.open_graph()\nx = model.build()" in outcome.contents["main.py"]


def test_a_name_of_tensorflow_2_in_a_text_makes_no_module_one_of_it(tmp_path: Path) -> None:
    build = "# No tf.function\nimport tensorflow as tf\n\n\ndef scores():\n    return tf.get_variable('w', [])\n"
    main = "'''Without a GradientTape.'''\nimport build\n\nx = build.scores()\n"
    outcome = outcome_of(tmp_path, {"build.py": build, "main.py": main})
    assert b"compat.open_graph()\nx = build.scores()" in outcome.contents["main.py"]


OWN = "import tensorflow as tf\nfrom compat import xrange\n\n\ndef f(x):\n    return tf.log(x) * max(xrange(3))\n"


@pytest.mark.parametrize(
    ("files", "script", "after"),
    [
        ({"compat.py": "xrange = range\n"}, OWN, OWN.replace("tf.log", "tf.math.log")),
        ({"compat/__init__.py": "xrange = range\n"}, OWN, OWN.replace("tf.log", "tf.math.log")),
        (
            {"pkg/__init__.py": "", "pkg/compat.py": "xrange = range\n"},
            OWN,
            OWN.replace("tf.log", "tf.math.log"),
        ),
        (
            {"compat/six.py": "xrange = range\n"},
            "import compat.six\nimport tensorflow as tf\n\nf = lambda x: tf.log(x) * compat.six.xrange\n",
            "import compat.six\nimport tensorflow as tf\n\nf = lambda x: tf.math.log(x) * compat.six.xrange\n",
        ),
        (
            {"compat.py": "layers = {}\n"},
            "import tensorflow as tf\nimport compat\n\nf = lambda x: tf.log(x) * compat.layers\n",
            "import tensorflow as tf\nimport compat\n\nf = lambda x: tf.math.log(x) * compat.layers\n",
        ),
    ],
    ids=["module", "package", "inside a package", "folder", "name of a shim"],
)
def test_a_module_named_compat_keeps_its_meaning(
    files: Mapping[str, str], script: str, after: str, tmp_path: Path
) -> None:
    """It does not make the module one that was migrated before: what TensorFlow 1 means is rewritten."""
    folder = "pkg/" if "pkg/__init__.py" in files else ""
    outcome = outcome_of(tmp_path, {**files, f"{folder}train.py": script})
    assert {name: text.decode() for name, text in outcome.contents.items()} == {f"{folder}train.py": after}


def test_the_shims_are_told_from_a_module_of_a_package_by_what_is_read(tmp_path: Path) -> None:
    """Code that was migrated before stays so beside a module of that name in its package."""
    migrated = "import compat\n\ncompat.open_graph()\nx = compat.placeholder('float32')\n"
    files = {"pkg/__init__.py": "", "pkg/compat.py": "xrange = range\n", "pkg/train.py": migrated}
    assert outcome_of(tmp_path, files).contents == {}


@pytest.mark.parametrize("folder", ["", "lib/"], ids=["beside", "inside"])
def test_shims_inside_a_package_of_the_tree(folder: str, tmp_path: Path) -> None:
    """What imports them by a dotted name is as migrated before as what imports `compat`."""
    script = "import tensorflow as tf\n\nx = tf.placeholder(tf.float32)\n"
    files = {"lib/__init__.py": "", f"{folder}train.py": script}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    options = Options(paths=(tmp_path,), jobs=1, compat_module="lib.tf1")
    outcome = run(discover(options).code, options)
    after = "import tensorflow as tf\nfrom lib import tf1\n\ntf1.open_graph()\nx = tf1.placeholder(tf.float32)\n"
    assert outcome.contents == {f"{folder}train.py": after.encode()}
    (tmp_path / folder / "train.py").write_text(after)
    assert run(discover(options).code, options).contents == {}
