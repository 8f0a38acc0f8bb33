"""argv -> options -> exit status."""

from __future__ import annotations

import importlib
import io
import keyword
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from tf_migrate import __version__
from tf_migrate.exit_status import ExitStatus
from tf_migrate.options import Interrupted, Options, UsageError

_Command = TypeVar("_Command", bound=Callable[..., Any])
# Each brings its own click command, `tf_migrate.<name>.command.command`.
_PARTS = ("map", "parity", "checkpoint", "freeze")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with the exit status of the contract."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal or pipe that has no letter for something
            stream.reconfigure(errors="backslashreplace")
    try:
        status = commands.main(args=arguments, prog_name="tf-migrate", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except UsageError as error:
        click.echo(f"tf-migrate: error: {error}", err=True)
        status = ExitStatus.USAGE
    except (Interrupted, click.Abort, KeyboardInterrupt) as stop:
        click.echo(f"tf-migrate: interrupted; {stop}" if str(stop) else "tf-migrate: interrupted", err=True)
        status = ExitStatus.INTERRUPTED
    except Exception:
        click.echo(
            f"{traceback.format_exc()}tf-migrate: an error of its own; please report it with this text", err=True
        )
        status = ExitStatus.BROKEN
    sys.exit(status)


class _Commands(click.Group):
    """The commands here, and those of the parts that have a `command.py`: imported only when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        parts = [name for name in _PARTS if (Path(__file__).parent / name / "command.py").exists()]
        return [*super().list_commands(ctx), *parts]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in self.list_commands(ctx):
            return own
        command: click.Command = importlib.import_module(f"tf_migrate.{cmd_name}.command").command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tf-migrate")
def commands() -> None:
    """Moves TensorFlow 1.x programs to TensorFlow 2.

    Exit status: 0 all done, 1 something is left to a person (check: something would change), 2 wrong usage and
    nothing written, 3 some file failed and the others were done, 130 interrupted.
    """


def _rules(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(rule.strip() for value in values for rule in value.split(",") if rule.strip())


_SHARED = (
    click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH..."),
    click.option(
        "--tier", type=click.Choice(["native", "bridge"]), help="The highest tier to try for a session run. [native]"
    ),
    click.option("--select", multiple=True, callback=_rules, metavar="RULES", help="Only these rules (TFM1,TFM203)."),
    click.option("--ignore", multiple=True, callback=_rules, metavar="RULES", help="Not these rules."),
    click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Processes. [all cores]"),
    click.option("--exclude", multiple=True, metavar="GLOB", help="Leave these files alone, written as in .gitignore."),
    click.option("--root", type=click.Path(path_type=Path), metavar="DIR", help="The tree the analysis may read."),
    click.option(
        "--report",
        "reports",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write a report: .json, .sarif, .html or .md.",
    ),
    click.option(
        "--output-format", type=click.Choice(["text", "github", "json", "sarif"]), help="Standard output. [text]"
    ),
    click.option("--compat-module", metavar="NAME", help="The name that migrated code imports the shims by. [compat]"),
    click.option("--vendor/--no-vendor", default=None, help="Copy the shims into the migrated tree."),
    click.option("--quiet", "-q", is_flag=True, default=None, help="Print failures only."),
    click.option("--verbose", "-v", is_flag=True, default=None, help="Print what went well too."),
)


def _with_shared_options(command: _Command) -> _Command:
    for decorate in reversed(_SHARED):
        command = decorate(command)
    return command


@commands.command()
@_with_shared_options
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a migrated copy of the tree to a new folder.",
)
@click.option("--diff/--no-diff", default=None, help="Print a unified diff and write nothing.")
@click.option("--allow-dirty/--no-allow-dirty", default=None, help="Rewrite files that git has no copy of, too.")
def rewrite(**given: Any) -> int:
    """Rewrite TensorFlow 1 code; in place unless --output or --diff is given."""
    from tf_migrate.shell.migration import rewrite_tree

    return rewrite_tree(_options(given))


@commands.command()
@_with_shared_options
@click.option("--statistics/--no-statistics", default=None, help="Count the places by rule and reason.")
def check(**given: Any) -> int:
    """Report what would change and what needs a person; write nothing."""
    from tf_migrate.shell.migration import check_tree

    return check_tree(_options(given))


@commands.command()
@click.argument("name", metavar="RULE|SYMBOL")
def explain(name: str) -> int:
    """Explain a rule (TFM201), or what becomes of a TensorFlow 1.15 symbol (tf.layers.dense)."""
    from tf_migrate.shell.explain import explain as explanation

    click.echo(explanation(name))
    return 0


@commands.command()
def rules() -> int:
    """List all rules."""
    from tf_migrate.shell.explain import list_rules

    click.echo(list_rules())
    return 0


def _options(given: dict[str, Any]) -> Options:
    """The options of the command line over those of the configuration over the defaults."""
    from tf_migrate.shell import config

    paths: tuple[Path, ...] = given["paths"]
    merged = config.read(paths[0])
    merged["reports"] = merged.pop("report", ())
    for one, other in (("diff", "output"), ("output", "diff"), ("quiet", "verbose"), ("verbose", "quiet")):
        if given.get(one):
            merged.pop(other, None)  # what the command line asks for excludes it, and the command line wins
    merged |= {name: value for name, value in given.items() if value not in (None, ())}
    quiet, verbose = merged.pop("quiet", False), merged.pop("verbose", False)
    if quiet and verbose:
        raise UsageError("--quiet and --verbose exclude each other")
    if merged.get("diff") and merged.get("output"):
        raise UsageError("--diff writes nothing and --output writes a copy: give one of them")
    options = Options(**{"jobs": _cores(), **merged, "verbosity": verbose - quiet})
    if options.select or options.ignore:
        from tf_migrate.shell.explain import check_rules

        check_rules(options.select, "--select")
        check_rules(options.ignore, "--ignore")
    if not all(part.isidentifier() and not keyword.iskeyword(part) for part in options.compat_module.split(".")):
        raise UsageError(f"--compat-module {options.compat_module}: not a name that Python can import")
    return options


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
