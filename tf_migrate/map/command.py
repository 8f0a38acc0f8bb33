"""`tf-migrate map PATH [--entry PROGRAM]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from tf_migrate.exit_status import ExitStatus


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--entry", metavar="PROGRAM", help="The program, as it is called from PATH. [each that is found]")
@click.option("--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(path: Path, entry: str | None, output_format: str) -> int:
    """Say what is known of a program without running it; write nothing.

    The lines that build its graph, its variables, what each place that runs a session fetches and feeds, and what is
    not known and why. PATH is a tree, or a program in the tree of its folder.
    """
    from tf_migrate.map import text  # these take their time, which `--help` has no use for
    from tf_migrate.map.programs import map_tree

    found = map_tree(path, entry)
    for result in found.failed:
        click.echo(f"{result.path}: failed: {result.reason}", err=True)
    if output_format == "json" and (found.programs or not found.failed):
        data = [program.as_data() for program in found.programs]
        click.echo(json.dumps(data[0] if len(data) == 1 else {"programs": data}, indent=1))
    elif output_format == "text":
        text.show(found.programs, sys.stdout)
    return ExitStatus.FAILED if found.failed else ExitStatus.DONE
