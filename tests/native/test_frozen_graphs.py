"""Programs that load a frozen graph and run it become calls of functions; whatever does more stays on the bridge."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import tensorflow as tf

import compat
from tests.native.frozen_programs import CLASS, CLASSIFY, PROGRAMS
from tests.native.native import STEPS, made_native, printed
from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.options import Options


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a frozen graph that TensorFlow 1 reads too."""
    weights = tf.constant([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, "x")])
    def net(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        z = tf.matmul(x, weights, name="z")
        return tf.nn.softmax(z), tf.norm(z)

    file = tmp_path_factory.mktemp("frozen") / "net.pb"
    compat.freeze(net, ["y", "norm"], file)
    image = tf.reshape(tf.range(7 * 9 * 3) * 5 % 256, [7, 9, 3])
    tf.io.write_file(f"{file}.png", tf.io.encode_png(tf.cast(image, tf.uint8)))
    return file


@pytest.mark.parametrize("name", PROGRAMS)
def test_computes_what_tf1_computed(name: str, path: Path, run_legacy: Callable[..., str]) -> None:
    code = PROGRAMS[name].replace("PATH", str(path))
    text = made_native(code).text
    assert "Session" not in text and "import_graph_def" not in text
    expected = run_legacy(code)
    assert printed(text) == expected
    tf.config.run_functions_eagerly(True)
    try:
        assert printed(text) == expected
    finally:
        tf.config.run_functions_eagerly(False)


def test_a_main_function_runs_once() -> None:
    # Run here, it would set up logging for all tests behind it.
    text = made_native(CLASSIFY).text
    assert text.endswith("    compat.app.run()\n") and "        return compat.FrozenGraph(graph_def" in text


MODULES = {
    "model.py": CLASS.partition("\n\nmodel, other")[0] + "\n",
    "run.py": "import numpy as np\nfrom model import Model\n\nmodel = Model('PATH')\n"
    "print(model.predict(np.ones([1, 2])).round(4))\n",
}


def tiers(modules: dict[str, str], folder: Path) -> tuple[dict[str, str], list[str | None]]:
    """The texts of modules that are rewritten together, and why their runs are not native."""
    for name, text in modules.items():
        (folder / name).write_text(text, encoding="utf-8")
    files = [TreeFile(folder / name, name) for name in modules]
    outcome = pipeline.run(files, Options(paths=(folder,), ignore=STEPS))
    texts = {name: outcome.contents.get(name, text.encode()).decode() for name, text in modules.items()}
    return texts, [site.reason for site in outcome.report.sites]


def test_other_modules_may_make_the_object(
    path: Path, run_legacy: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules = {name: text.replace("PATH", str(path)) for name, text in MODULES.items()}
    texts, reasons = tiers(modules, tmp_path)
    expected = run_legacy("import sys\nsys.path.insert(0, '.')\n" + modules["run.py"], cwd=tmp_path)
    assert reasons == [None] and "FrozenGraph" in texts["model.py"]
    (tmp_path / "model.py").write_text(texts["model.py"], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert printed(texts["run.py"]) == expected
    sys.modules.pop("model")


def test_other_modules_may_not_derive_from_its_class(tmp_path: Path) -> None:
    derived = "class Other(Model):\n    def compute_y(self):\n        return 1\n"
    _, reasons = tiers({**MODULES, "run.py": f"from model import Model\n\n\n{derived}"}, tmp_path)
    assert reasons == ["another module may use `Model`, of the frozen graph (model.py:11)"]


@pytest.mark.parametrize("word", ["graph", "sess", "y"])
def test_other_modules_may_not_use_its_parts(word: str, tmp_path: Path) -> None:
    _, reasons = tiers({**MODULES, "run.py": f"{MODULES['run.py']}print(model.{word})\n"}, tmp_path)
    assert f"another module may use `{word}`, of the frozen graph (model.py:11)" in reasons
