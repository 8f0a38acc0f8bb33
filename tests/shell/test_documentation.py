"""What the pages say is what there is: options, scenario keys, checks, rules, and the proofs that the README names."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

from tf_migrate import rules
from tf_migrate.cli import commands
from tf_migrate.parity.scenario import Scenario, read_scenario

ROOT = Path(__file__).resolve().parents[2]
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def options(*path: str) -> set[str]:
    """The long options of a command."""
    command: click.Command | None = commands
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    given = {name for item in command.params if isinstance(item, click.Option) for name in item.opts}
    return {name for name in given if name.startswith("--")} - {"--help"}


def section(title: str) -> str:
    """The text of the section whose heading has these words in it."""
    found = [part for part in re.split(r"^## ", COMMAND_LINE, flags=re.MULTILINE) if title in part.split("\n")[0]]
    assert len(found) == 1, title
    return found[0]


def told(text: str) -> set[str]:
    """The options that a text names."""
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


@pytest.mark.parametrize(
    ("title", "paths"),
    [
        ("tf-migrate parity", [("parity",)]),
        ("tf-migrate checkpoint", [("checkpoint", "inspect"), ("checkpoint", "convert")]),
        ("tf-migrate freeze", [("freeze",)]),
    ],
)
def test_a_section_has_the_options_of_its_commands(title: str, paths: list[tuple[str, ...]]) -> None:
    assert told(section(title)) == set().union(*(options(*path) for path in paths))


def test_rewriting_and_checking_have_all_their_options() -> None:
    everywhere = {option for path in (("parity",), ("freeze",), ("map",)) for option in options(*path)}
    everywhere |= options("checkpoint", "inspect") | options("checkpoint", "convert")
    own = options("rewrite") | options("check")
    assert own - told(COMMAND_LINE) == set()
    assert told(COMMAND_LINE) - own - everywhere == set()


def test_every_command_is_in_the_readme() -> None:
    names = commands.list_commands(click.Context(commands))
    assert [name for name in names if f"`tf-migrate {name}" not in README] == []


def test_the_scenario_shown_has_every_key_and_is_read(tmp_path: Path) -> None:
    example = re.search(r"```toml\n(script = .*?)```", COMMAND_LINE, re.DOTALL)
    assert example is not None
    (tmp_path / "scenario.toml").write_text(example[1])
    assert read_scenario(tmp_path / "scenario.toml").script == "train.py"
    known = {item.name for item in fields(Scenario)} - {"every_step"} | {"steps"}
    assert set(re.findall(r"\b([a-z_]+)(?: =|\])", example[1])) >= known


def test_the_page_of_checks_is_the_one_that_the_rules_make() -> None:
    spec = importlib.util.spec_from_file_location("make_checks", ROOT / "docs" / "make_checks.py")
    assert spec is not None and spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    page = maker.PAGE.read_text(encoding="utf-8")
    assert page == maker.page(), "run `python docs/make_checks.py`"
    assert all(f"## {rule.id} {rule.name}\n" in page for rule in rules.all() if rule.advice)


def test_the_number_of_checks_is_right() -> None:
    count = sum(rule.advice for rule in rules.all())
    assert f"{count} pitfalls of TF2 code" in README


def test_the_proofs_of_the_readme_are_there() -> None:
    named = set(re.findall(r"`((?:samples|tests)/[^`*]+)`", README))
    assert len(named) > 30
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_every_sample_and_shim_of_keras_is_in_the_readme() -> None:
    samples = {path.parent.name for path in ROOT.glob("samples/*/parity*.toml")}
    assert [name for name in sorted(samples) if f"`samples/{name}`" not in README] == []
    layers = (ROOT / "compat" / "keras" / "__init__.py").read_text(encoding="utf-8")
    shims = re.findall(r"^from \.\w+ import (\w+) as \1$", layers, re.MULTILINE)
    assert "PreviousInput" in shims
    assert [name for name in shims if not re.search(rf"\b{name}\b", README)] == []
