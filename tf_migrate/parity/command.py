"""`tf-migrate parity`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tf_migrate.exit_status import ExitStatus
from tf_migrate.files.write import replace_file
from tf_migrate.options import Interrupted, UsageError
from tf_migrate.parity.legacy import find_legacy, set_up
from tf_migrate.parity.reports import as_json, check_suffix, render, text
from tf_migrate.parity.result import Result
from tf_migrate.parity.scenario import Pair, Scenario, read_scenario, require_devices

_PATH = click.Path(path_type=Path)


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("legacy", type=_PATH, required=False)
@click.argument("migrated", type=_PATH, required=False)
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
@click.option("--scenario", "scenarios", type=_PATH, multiple=True, help="A TOML file that says what to run and how.")
@click.option("--module", metavar="NAME", help="Run a module, as `python -m` does, in place of a script.")
@click.option("--pytest", "as_tests", is_flag=True, help="Run the trees' tests: the same as --module pytest.")
@click.option("--folder", metavar="DIR", help="Where in the tree to run the program.  [default: its top]")
@click.option("--legacy-python", type=_PATH, help="An interpreter with TensorFlow 1.15.")
@click.option("--setup-legacy", type=_PATH, metavar="DIR", help="Make an environment with TensorFlow 1.15.5, and stop.")
@click.option("--checkpoint", type=_PATH, help="Both programs begin with the values of this TF1 checkpoint.")
@click.option("--device", "devices", help="Where to compare: cpu, gpu or cpu,gpu.  [default: cpu]")
@click.option("--every-step", is_flag=True, help="Compare every run, not only a sample of long loops.")
@click.option("--gradients", is_flag=True, help="Compare the gradients that optimizers are given, too.")
@click.option("--bisect", is_flag=True, help="Where they differ, find the operation at which it begins.")
@click.option("--seconds", type=float, help="The time limit of each program.  [default: 600]")
@click.option("--megabytes", type=int, help="The memory limit of each program.  [default: 16384]")
@click.option("--compat-module", default="compat", show_default=True, help="The name of the shims in migrated code.")
@click.option(
    "--report", "reports", type=_PATH, multiple=True, help="Write a report: .json, .xml (JUnit), .md or .html."
)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--verbose", "-v", is_flag=True, help="Show every run site.")
@click.option("--quiet", "-q", is_flag=True, help="Show nothing but errors.")
def command(
    legacy: Path | None,
    migrated: Path | None,
    program: tuple[str, ...],
    scenarios: tuple[Path, ...],
    legacy_python: Path | None,
    setup_legacy: Path | None,
    compat_module: str,
    reports: tuple[Path, ...],
    output_format: str,
    verbose: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Run the original and the migrated program side by side and compare what they compute.

    LEGACY and MIGRATED are two trees, or two scripts. What follows `--` is the program and its arguments:

        tf-migrate parity legacy/ migrated/ -- train.py --epochs 2

    Exit status 0 when all values agree, 1 when something differs, fails or cannot be compared.
    """
    from tf_migrate.parity.programs import compare_programs  # with NumPy, which `--help` does not wait for

    if setup_legacy is not None:
        click.echo(f"TensorFlow 1.15.5 is in {set_up(setup_legacy)}; pass it with --legacy-python")
        return ExitStatus.DONE
    if legacy is None or migrated is None:
        raise UsageError("name the original tree and the migrated one: `tf-migrate parity LEGACY MIGRATED -- train.py`")
    _require_places(reports)
    pair, program = _pair(legacy, migrated, program, compat_module)
    changes = _changes(**options)
    asked = [_asked(item, changes, program) for item in [*map(read_scenario, scenarios)] or [Scenario()]]
    interpreter = find_legacy(named=legacy_python)
    results: list[Result] = []
    try:
        for scenario in asked:
            results += compare_programs(pair, scenario, interpreter, lambda line: _progress(line, quiet))
    except KeyboardInterrupt:
        raise Interrupted("both programs were stopped, and nothing was written") from None
    _show(tuple(results), reports, output_format, verbose=verbose, quiet=quiet)
    return ExitStatus.DONE if all(result.verdict.good for result in results) else ExitStatus.LEFT


def _require_places(reports: tuple[Path, ...]) -> None:
    for path in reports:
        check_suffix(path)
        if not os.access(path.absolute().parent, os.W_OK):
            raise UsageError(f"{path}: cannot be written: its folder is read-only")


def _changes(
    module: str | None, as_tests: bool, checkpoint: Path | None, devices: str | None, **others: object
) -> dict[str, object]:
    """What the options say of the scenario; a switch that is not given says nothing."""
    found = {
        "module": "pytest" if as_tests else module,
        "checkpoint": None if checkpoint is None else checkpoint.absolute(),
        "devices": None if devices is None else require_devices(devices.split(","), "--device"),
        **others,
    }
    return {name: value for name, value in found.items() if value is not None and value is not False}


def _pair(legacy: Path, migrated: Path, program: tuple[str, ...], shims: str) -> tuple[Pair, tuple[str, ...]]:
    for path in (legacy, migrated):
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
    if legacy.is_file() != migrated.is_file():
        raise UsageError(f"{legacy} and {migrated}: name two folders or two scripts")
    if legacy.is_file():
        if legacy.name != migrated.name:
            raise UsageError(f"{legacy} and {migrated}: the migrated script has to keep its name; name their folders")
        return Pair(legacy.absolute().parent, migrated.absolute().parent, shims), (legacy.name, *program)
    return Pair(legacy.absolute(), migrated.absolute(), shims), program


def _asked(scenario: Scenario, changes: Mapping[str, object], program: tuple[str, ...]) -> Scenario:
    """The scenario with what the command line says in place of what it said."""
    given = dict(changes)
    if program and given.get("module", scenario.module) is not None:
        given["arguments"] = program
    elif program:
        given.update(script=program[0], arguments=program[1:])
    return replace(scenario, **given)  # type: ignore[arg-type]


def _progress(line: str, quiet: bool) -> None:
    if not quiet:
        click.echo(f"running {line} …", err=True)


def _show(
    results: tuple[Result, ...], reports: tuple[Path, ...], output_format: str, *, verbose: bool, quiet: bool
) -> None:
    for path in reports:
        try:
            replace_file(path, render(results, path).encode("utf-8"))
        except OSError as error:
            raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
    if output_format == "json":
        click.echo(as_json.render(results), nl=False)
    elif not quiet:
        for result in results:
            click.echo("\n".join(text.lines(result, verbose=verbose)))
