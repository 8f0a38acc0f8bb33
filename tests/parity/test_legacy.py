"""Finding the interpreter of originals, and making one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tf_migrate.options import UsageError
from tf_migrate.parity.command import command
from tf_migrate.parity.legacy import find_legacy

# Makes an environment whose Python writes down what it is asked to install.
PYTHON = """\
#!/bin/sh
mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "$@" > %s/asked\\n[ ! -e %s/offline ] || { echo "no network" >&2; exit 1; }\\n' "$3" "$HOME" \
    > "$3/bin/python"
chmod +x "$3/bin/python"
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a Python 3.7 of its own, and no other one to be found."""
    (tmp_path / "python3.7").write_text(PYTHON)
    (tmp_path / "python3.7").chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def set_up(folder: Path) -> str:
    done = CliRunner().invoke(command, ["--setup-legacy", str(folder)], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_an_environment_is_made(home: Path) -> None:
    made = home / "legacy"
    assert f"TensorFlow 1.15.5 is in {made / 'bin' / 'python'}" in set_up(made)
    assert (made / "asked").read_text().split()[:4] == ["-m", "pip", "install", "tensorflow==1.15.5"]


def test_what_keeps_it_from_being_made(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "taken").mkdir()
    (home / "taken" / "file").write_text("")
    with pytest.raises(UsageError, match="is not empty"):
        set_up(home / "taken")
    (home / "offline").write_text("")
    with pytest.raises(UsageError, match=r"pip install .* failed: no network"):
        set_up(home / "legacy")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match=r"needs Python 3\.7, and none is found"):
        set_up(home / "other")


def test_where_it_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / ".legacy" / "bin" / "python"
    python.parent.mkdir(parents=True)
    monkeypatch.delenv("TF_MIGRATE_LEGACY_PYTHON", raising=False)
    assert find_legacy(tmp_path).name == "tf.compat.v1 graph"
    python.write_text("")
    assert find_legacy(tmp_path).python == python and find_legacy(tmp_path).name == "TensorFlow 1.15.5"
    monkeypatch.setenv("TF_MIGRATE_LEGACY_PYTHON", str(tmp_path / "none"))
    assert find_legacy(tmp_path).python is None
