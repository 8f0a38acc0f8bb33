"""The demo: every sample is found, can be run, and is told of when it does not agree."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from samples import __main__ as demo
from tests import warm
from tf_migrate.parity import process
from tf_migrate.parity.record import Record
from tf_migrate.parity.scenario import read_scenario

ROOT = Path(__file__).resolve().parents[2]
AGREES = """\
import tensorflow as tf
w = tf.Variable(2.0, name="w")
x = tf.placeholder(tf.float32, [])
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print(sess.run(w * x, {x: 3.0}))
"""
LAYERS = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [1, 2])
y = tf.contrib.layers.fully_connected(x, 1, activation_fn=None)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
print("y = %.3f" % sess.run(y, {x: [[1.0, 2.0]]})[0, 0])
"""


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in place of the samples, whose programs are forked, and no TensorFlow 1.15.5."""
    if warm.AVAILABLE:
        monkeypatch.setattr(process, "subprocess", warm)
    monkeypatch.setattr(demo, "HERE", tmp_path / "samples")
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(tmp_path / "none"))
    return tmp_path / "samples"


def sample(folder: Path, program: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "program.py").write_text(program)
    (folder / "parity.toml").write_text('script = "program.py"\n')
    return folder


def test_each_folder_is_a_sample_with_programs_that_exist() -> None:
    folders = sorted(path for path in demo.HERE.iterdir() if path.is_dir() and path.name != "__pycache__")
    assert demo.find_samples() == folders
    for folder in folders:
        for file in folder.glob("parity*.toml"):
            script = read_scenario(file).script
            assert script is not None
            assert (folder / script).is_file() or (folder / script).with_suffix(".ipynb").is_file(), file


@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize("name", [path.name for path in demo.find_samples()])
def test_each_sample_agrees(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main([name]) == 0, capsys.readouterr().out


def test_all_agree(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample(samples / "product", AGREES)
    assert demo.main([]) == 0
    shown = capsys.readouterr().out
    assert "product" in shown and "tf.compat.v1 graph" in shown and "1 of 1 programs agree" in shown


def test_on_a_gpu(samples: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is none, nothing is compared: also not with what TensorFlow 1.15.5 printed."""
    sample(samples / "product", AGREES)
    folder = sample(samples / "layers", LAYERS)
    kernel, bias = np.ones([2, 1], np.float32), np.zeros([1], np.float32)
    np.savez(folder / "printed.npz", **{"fully_connected|weights": kernel, "fully_connected|biases": bias})
    (folder / "printed.txt").write_text("y = 3.000\n")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert demo.main(["--device", "gpu"]) == 1
    shown = capsys.readouterr().out
    assert shown.count("no device: TensorFlow sees no GPU in the") == 2 and "0 of 2 programs agree" in shown
    monkeypatch.setattr(Record, "gpus", property(lambda record: ("A card",)))
    assert demo.main(["--device", "gpu"]) == 0, capsys.readouterr().out
    assert "Original against migrated, on gpu: A card, TF32 off, deterministic kernels" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        demo.main(["--device", "tpu"])


def test_one_that_fails_fails_the_demo(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample(samples / "broken", AGREES + "raise RuntimeError('out of luck')\n")
    assert demo.main([]) == 1
    shown = capsys.readouterr().out
    assert "original failed" in shown and "out of luck" in shown and "0 of 1 programs agree" in shown


def test_what_tensorflow_1_printed_stands_in_for_it(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = sample(samples / "layers", LAYERS)
    assert demo.main([]) == 1
    assert "original failed" in capsys.readouterr().out

    kernel, bias = np.array([[3.0], [4.0]], np.float32), np.array([0.5], np.float32)
    np.savez(folder / "printed.npz", **{"fully_connected|weights": kernel, "fully_connected|biases": bias})
    (folder / "printed.txt").write_text("y = 11.500\n")
    assert demo.main([]) == 0
    assert "TensorFlow 1.15.5, printed" in capsys.readouterr().out

    for told, verdict in (("y = 11.600\n", "differs"), ("y = 11.500\nz = 1\n", "structure differs")):
        (folder / "printed.txt").write_text(told)
        assert demo.main(["layers"]) == 1
        assert verdict in capsys.readouterr().out


def test_what_is_left_to_a_person_fails_the_demo(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample(samples / "manual", AGREES + "tf.contrib.tpu.rewrite(lambda: w)\n")
    assert demo.main(["manual"]) == 1
    assert "rewrite: " in capsys.readouterr().out


def test_an_unknown_name_is_a_mistake_in_usage() -> None:
    done = subprocess.run([sys.executable, "-m", "samples", "nothing"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "no sample is called 'nothing'" in done.stderr and "word_vectors" in done.stderr


def test_the_notebook_keeps_its_cells_and_magics_and_loses_its_outputs(tmp_path: Path) -> None:
    original = json.loads((demo.HERE / "notebook" / "program.ipynb").read_text())
    command = [sys.executable, "-m", "tf_migrate", "rewrite", str(demo.HERE / "notebook"), "--output"]
    subprocess.run([*command, str(tmp_path / "new"), "--quiet"], cwd=ROOT, check=True)
    migrated = json.loads((tmp_path / "new" / "program.ipynb").read_text())
    assert migrated["metadata"] == original["metadata"]
    assert any(cell.get("outputs") for cell in original["cells"])
    for before, after in zip(original["cells"], migrated["cells"], strict=True):
        assert (after["cell_type"], after["metadata"]) == (before["cell_type"], before["metadata"])
        if before["cell_type"] == "markdown":
            assert after == before
            continue
        assert after["outputs"] == [] and after["execution_count"] is None
        lines, left = (list(map(str.rstrip, cell["source"])) for cell in (before, after))
        assert all(line in left for line in lines if line.startswith(("%", "!")) or line.endswith("?"))
        if before["source"][0].startswith("%%"):
            assert after["source"] == before["source"]


PORTED = """\
import numpy as np
import tensorflow as tf
import compat
with compat.VariableStore():
    with compat.building():
        w = compat.Variable({value}, name="w")
        x = compat.Input(tf.float32, [])
        step = compat.step(w * x, x)
    print(step(3.0))
"""


@pytest.mark.parametrize(("value", "status"), [(2.0, 0), (2.5, 1)])
def test_a_port_by_hand_stands_in_for_the_rewritten_program(value: float, status: int, samples: Path) -> None:
    # The tool would leave this to a person, and fail.
    folder = sample(samples / "product", AGREES + "tf.contrib.tpu.rewrite if 0 else None\n")
    (folder / "ported").mkdir()
    (folder / "ported" / "program.py").write_text(PORTED.format(value=value))
    assert demo.main([]) == status
