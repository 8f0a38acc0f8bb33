"""Pins of TensorFlow 1: moved where the text is certain, told where it is not."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from tf_migrate.changes.pins import update
from tf_migrate.files.pin_files import is_pin_file

NEW = "tensorflow>=2.16,<2.22"


def moved(name: str, line: str) -> str:
    new, findings = update(name, f"# first\n{line}\n".encode())
    assert [(found.rule, found.action, found.line) for found in findings] == [("TFM311", "rewritten", 2)]
    again, more = update(name, new)
    assert (again, more) == (new, ())
    return new.decode().removeprefix("# first\n").removesuffix("\n")


def told(name: str, line: str) -> str:
    raw = f"{line}\n".encode()
    new, findings = update(name, raw)
    assert new == raw
    assert [(found.rule, found.action, found.line) for found in findings] == [("TFM312", "manual", 1)]
    return findings[0].next_step or ""


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("tensorflow==1.15.0", NEW),
        ("tensorflow-gpu==1.14  # for the cluster", f"{NEW}  # for the cluster"),
        ("tensorflow-gpu", NEW),
        ("tensorflow_gpu==1.8.0", NEW),
        ("Tensorflow >= 1.4, < 2.0", NEW),
        ("tensorflow<2; python_version<'3.8'", f"{NEW}; python_version<'3.8'"),
        ("tensorflow~=1.15", NEW),
        ("tensorflow>=1.15,<3", NEW),
        ("tensorflow-cpu==1.15", "tensorflow-cpu>=2.16,<2.22"),
        ("tensorflow[and-cuda]==1.15", "tensorflow[and-cuda]>=2.16,<2.22"),
    ],
)
def test_a_line_of_a_requirements_file_is_moved(line: str, becomes: str) -> None:
    assert moved("requirements.txt", line) == becomes


@pytest.mark.parametrize(
    "line",
    [
        "tensorflow",
        "tensorflow>=2.4",
        "tensorflow!=1.5",
        "tensorflow<2.16",
        "tensorflow-probability==0.7",
        "tensorflow-hub==0.4",
        "tensorflow-datasets==1.0",
        "# tensorflow==1.15",
        "tensorflow==1.15  # tf-migrate: skip",
        "# tf-migrate: skip-file\ntensorflow==1.15",
        "-e git+https://github.com/tensorflow/tensor2tensor.git@v1.15.7",
        "my-tensorflow==1.15",
    ],
)
def test_what_is_no_pin_of_tensorflow_1_stays(line: str) -> None:
    raw = f"{line}\n".encode()
    assert update("requirements.txt", raw) == (raw, ())


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("tensorflow==1.15 --hash=sha256:aa", "hashes anew"),
        ("tensorflow==1.15 \\", "hashes anew"),
        ("tensorboard==1.15.0", "remove tensorboard"),
        ("tensorflow-estimator==1.15.1", "remove tensorflow-estimator"),
        ("tensorflow-rocm==1.14", NEW),
        ("https://example.org/cpu/tensorflow-1.0.0-cp27-none-linux_x86_64.whl", NEW),
    ],
)
def test_an_uncertain_line_of_a_requirements_file_is_told(line: str, advice: str) -> None:
    assert advice in told("requirements.txt", line)


def test_setup_py_is_moved_inside_whole_strings_only() -> None:
    assert (
        moved("setup.py", "install_requires=['tensorflow>=1.4', 'numpy'],") == f"install_requires=['{NEW}', 'numpy'],"
    )
    assert moved("setup.py", "{'tensorflow_gpu': ['tensorflow-gpu>=1.15.0']}") == f"{{'tensorflow_gpu': ['{NEW}']}}"
    assert NEW in told("setup.py", "ERROR = 'please install tensorflow==1.4 first'")
    assert NEW in told("setup.py", "REQUIRED = ['tensorflow-gpu']")


def test_setup_cfg_and_pyproject() -> None:
    assert moved("setup.cfg", "    tensorflow==1.15") == f"    {NEW}"
    assert moved("setup.cfg", "install_requires = tensorflow<2") == f"install_requires = {NEW}"
    assert moved("pyproject.toml", 'dependencies = ["tensorflow==1.15.*"]') == f'dependencies = ["{NEW}"]'
    assert NEW in told("pyproject.toml", 'tensorflow = "^1.15"')
    assert NEW in told("pyproject.toml", 'tensorflow = {version = "1.15", optional = true}')


def test_conda_files_and_dockerfiles_are_told_because_python_must_move_too() -> None:
    assert "python>=3.10" in told("environment.yml", "  - tensorflow=1.15")
    assert "python>=3.10" in told("environment.yml", "  - tensorflow-gpu==1.13.1=py36_0")
    assert "image of TensorFlow 2.16" in told("Dockerfile", "FROM tensorflow/tensorflow:1.15.2-gpu-py3")
    assert "Python 3.10" in told("Dockerfile", "RUN pip install numpy tensorflow-gpu==1.13.1")
    assert "Python 3.10" in told("Dockerfile", "    pip install 'tensorflow < 2' && \\")


def test_newlines_encoding_and_mark_are_kept() -> None:
    assert update("requirements.txt", b"\xef\xbb\xbftensorflow==1.15\r\nx # \xe9\r\n")[0] == (
        b"\xef\xbb\xbf" + NEW.encode() + b"\r\nx # \xe9\r\n"
    )
    powershell = "\ufefftensorflow==1.15\r\n".encode("utf-16-le")
    assert update("requirements.txt", powershell)[0] == f"\ufeff{NEW}\r\n".encode("utf-16-le")


def test_several_pins_of_one_line_are_all_moved() -> None:
    raw = b"X = ['tensorflow==1.15', 'tensorflow-gpu==1.15']\n"
    new, findings = update("setup.py", raw)
    assert new.decode() == f"X = ['{NEW}', '{NEW}']\n"
    assert sorted(found.column for found in findings) == [7, 27]


@pytest.mark.parametrize(
    "name",
    [
        "requirements.txt",
        "requirements_gpu.txt",
        "dev-requirements.txt",
        "requirements/base.txt",
        "constraints.txt",
        "setup.py",
        "setup.cfg",
        "pyproject.toml",
        "Pipfile",
        "environment.yml",
        "conda-env.yaml",
        "Dockerfile",
        "Dockerfile.gpu",
        "gpu.Dockerfile",
    ],
)
def test_names_of_pin_files(name: str) -> None:
    assert is_pin_file(PurePath(name))


@pytest.mark.parametrize("name", ["train.py", "notes.txt", "config.yml", "my_setup.py", "requirements.md"])
def test_names_of_other_files(name: str) -> None:
    assert not is_pin_file(PurePath(name))


KERAS_2 = "tf_keras>=2.16,<2.22"


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("requirements.txt", "tensorflow==1.15\nkeras==2.2.4\n", f"{NEW}\n{KERAS_2}\n"),
        ("requirements.txt", "Keras>=2.0  # models\n", f"{KERAS_2}  # models\n"),
        ("requirements.txt", "keras\nnumpy\n", f"{KERAS_2}\nnumpy\n"),
        ("requirements.txt", "tensorflow-gpu==1.15\r\nnumpy\r\n", f"{NEW}\r\n{KERAS_2}\r\nnumpy\r\n"),
        ("setup.cfg", "  tensorflow==1.15\n", f"  {NEW}\n  {KERAS_2}\n"),
        ("setup.py", "x = ['tensorflow==1.15', 'keras==2.3.1']\n", f"x = ['{NEW}', '{KERAS_2}']\n"),
        ("requirements.txt", f"tensorflow==1.15\n{KERAS_2}\n", f"{NEW}\n{KERAS_2}\n"),
        ("requirements.txt", "keras==3.1\nkeras-applications==1.0\n", "keras==3.1\nkeras-applications==1.0\n"),
    ],
)
def test_programs_that_keep_keras_2(name: str, before: str, after: str) -> None:
    new, _ = update(name, before.encode(), keras2=True)
    assert new.decode() == after
    assert update(name, new, keras2=True) == (new, ())


def test_other_programs_keep_their_keras() -> None:
    assert update("requirements.txt", b"keras==2.2.4\n") == (b"keras==2.2.4\n", ())


def test_an_environment_is_told_of_keras_2_too() -> None:
    _, findings = update("environment.yml", b"  - tensorflow=1.15\n", keras2=True)
    assert (findings[0].next_step or "").endswith(f", and {KERAS_2}")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("numpy<1.17", "numpy>=1.26"),
        ("numpy==1.16.4", "numpy>=1.26"),
        ("numpy>=1.14.5,<2.0", "numpy>=1.14.5,<2.0"),
        ("numpy~=1.16", "numpy~=1.16"),
        ("numpy~=1.16.2", "numpy>=1.26"),
        ("numpy==1.*", "numpy==1.*"),
        ("numpy>=1.11", "numpy>=1.11"),
        ("numpy!=1.19", "numpy!=1.19"),
        ("h5py==2.10.0  # old files", "h5py>=3.10  # old files"),
        ("keras==2.2.5", "keras>=3.0"),
        ("protobuf<=3.20", "protobuf>=3.20.3"),
        ("my-numpy==1.16", "my-numpy==1.16"),
        ("numpy-stl==2.7", "numpy-stl==2.7"),
    ],
)
def test_what_tensorflow_2_needs_newer_is_let_go_beside_a_pin(before: str, after: str) -> None:
    raw = f"tensorflow==1.15\n{before}\n".encode()
    assert update("requirements.txt", raw)[0].decode() == f"tensorflow>=2.16,<2.22\n{after}\n"
    assert update("requirements.txt", f"{before}\n".encode()) == (f"{before}\n".encode(), ())


def test_a_pin_that_is_held_back_where_a_person_decides() -> None:
    raw = b"dependencies:\n  - python=3.6\n  - numpy=1.16\n  - pip:\n    - tensorflow==1.14\n"
    findings = update("environment.yml", raw)[1]
    told = [(finding.line, finding.action, finding.next_step) for finding in findings]
    assert (3, "manual", "write numpy>=1.26 here") in told
