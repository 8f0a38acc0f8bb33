"""`[tool.tf-migrate]`: the nearest table counts, the command line wins, and a slip is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_migrate.cli import commands
from tf_migrate.options import UsageError
from tf_migrate.shell import config


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_every_long_option_of_the_command_line_has_a_key() -> None:
    options = {
        option.removeprefix("--")
        for command in ("rewrite", "check")
        for parameter in commands.commands[command].params
        for option in parameter.opts
        if option.startswith("--")
    }
    assert options == set(config._CHECKS)


def test_all_keys_are_read(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        """
        [tool.tf-migrate]
        tier = "bridge"
        select = ["TFM1", "TFM203"]
        ignore = "TFM104"
        jobs = 3
        exclude = ["third_party"]
        root = "."
        report = ["out/report.json"]
        output-format = "github"
        compat-module = "lib.tf1"
        vendor = true
        allow-dirty = true
        statistics = true
        """,
    )
    assert config.read(folder / "pkg" / "train.py") == {
        "tier": "bridge",
        "select": ("TFM1", "TFM203"),
        "ignore": ("TFM104",),
        "jobs": 3,
        "exclude": ("third_party",),
        "root": folder,
        "report": (folder / "out" / "report.json",),
        "output_format": "github",
        "compat_module": "lib.tf1",
        "vendor": True,
        "allow_dirty": True,
        "statistics": True,
    }


def test_the_nearest_file_with_the_table_counts(tmp_path: Path) -> None:
    write(tmp_path, "[tool.tf-migrate]\njobs = 1\n")
    write(tmp_path / "a", "[tool.tf-migrate]\njobs = 2\n")
    write(tmp_path / "a" / "b", "[tool.other]\nx = 1\n")
    assert config.read(tmp_path / "a" / "b" / "c.py") == {"jobs": 2}
    assert config.read(tmp_path) == {"jobs": 1}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("compat_module = 'x'", r"unknown key compat_module; did you mean compat-module\?"),
        ("teir = 'native'", r"unknown key teir; did you mean tier\?"),
        ("zzz = 1", "known are .*vendor"),
        ("tier = 'fast'", "tier must be one of native, bridge, not 'fast'"),
        ("jobs = 0", "jobs must be a number of at least 1"),
        ("jobs = true", "jobs must be a number"),
        ("vendor = 'yes'", "vendor must be true or false, not 'yes'"),
        ("select = [1]", "select must be a list of strings"),
        ("root = 3", "root must be a string"),
    ],
)
def test_a_slip_names_the_file_and_the_next_step(tmp_path: Path, line: str, message: str) -> None:
    write(tmp_path, f"[tool.tf-migrate]\n{line}\n")
    with pytest.raises(UsageError, match=message) as caught:
        config.read(tmp_path)
    assert str(tmp_path / "pyproject.toml") in str(caught.value)


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, "[tool.tf-migrate]\njobs = \n")
    with pytest.raises(UsageError, match=r"pyproject\.toml: cannot be read: .*line 2"):
        config.read(tmp_path)


def test_the_documentation_names_every_option_and_its_example_is_valid(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text()
    missing = [key for key in config._CHECKS if f"--{key}" not in text]
    assert not missing
    examples = [part.partition("```")[0] for part in text.split("```toml\n")[1:]]
    (example,) = (part for part in examples if "[tool.tf-migrate]" in part)
    assert config.read(write(tmp_path, example))["compat_module"] == "mypackage.tf1"
