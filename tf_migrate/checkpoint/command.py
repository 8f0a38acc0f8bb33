"""`tf-migrate checkpoint inspect|convert`."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import click

from tf_migrate.checkpoint.convert import convert as convert_checkpoint
from tf_migrate.checkpoint.files import read
from tf_migrate.checkpoint.model import Checkpoint, lines, match
from tf_migrate.exit_status import ExitStatus
from tf_migrate.options import UsageError

_PATH = click.Path(path_type=Path)


@click.group()
def command() -> None:
    """Look into checkpoints, and carry their values over."""


@command.command()
@click.argument("checkpoint", type=_PATH)
@click.option("--against", type=_PATH, help="Another checkpoint: tells what does not match.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def inspect(checkpoint: Path, against: Path | None, output_format: str) -> int:
    """List the variables of a checkpoint, a path without suffix or a folder.

    Exit status 1 when `--against` is given and something does not match.
    """
    found, _ = read(checkpoint)
    if against is None:
        click.echo(_as_json(found) if output_format == "json" else _as_text(found))
        return ExitStatus.DONE
    compared = match(found, read(against)[0], {})
    if output_format == "json":
        click.echo(json.dumps(dataclasses.asdict(compared), indent=2))
    else:
        click.echo("\n".join(lines(compared, str(checkpoint), str(against))))
    return ExitStatus.DONE if compared.whole else ExitStatus.LEFT


@command.command()
@click.argument("source", type=_PATH)
@click.argument("target", type=_PATH)
@click.option("--like", type=_PATH, help="A checkpoint whose form to take: one that the migrated program saved.")
@click.option("--rename", multiple=True, metavar="OLD=NEW", help="A variable has another name in the target.")
@click.option("--drop", metavar="REGEX", help="Leave out variables of the source whose names match.")
@click.option("--keep-missing", is_flag=True, help="Where the source lacks a variable, keep the value of --like.")
@click.option("--skip-left-over", is_flag=True, help="Leave out variables that --like does not have.")
def convert(
    source: Path,
    target: Path,
    like: Path | None,
    rename: tuple[str, ...],
    drop: str | None,
    keep_missing: bool,
    skip_left_over: bool,
) -> int:
    """Write the checkpoint TARGET with the values of SOURCE, in the form of another or by names.

    Every variable of either side must have its like on the other, in name, shape and dtype; else the differences are
    listed, nothing is written, and the exit status is 1.
    """
    if target.is_dir():
        raise UsageError(f"{target}: this is a folder; name the checkpoint that is to be in it")
    if target.exists() or target.with_name(target.name + ".index").exists():
        raise UsageError(f"{target}: this checkpoint exists already; name another, or remove it first")
    found, written = convert_checkpoint(
        source,
        target,
        like=like,
        renames=dict(_renames(rename)),
        drop=_pattern(drop),
        keep_missing=keep_missing,
        skip_left_over=skip_left_over,
    )
    click.echo("\n".join(lines(found, str(source), str(like or target))))
    click.echo(f"wrote {target}" if written else "nothing was written")
    return ExitStatus.DONE if written else ExitStatus.LEFT


def _renames(given: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = []
    for text in given:
        old, equals, new = text.partition("=")
        if not (old and equals and new):
            raise UsageError(f"--rename takes OLD=NEW, not {text!r}")
        pairs.append((old, new))
    return pairs


def _pattern(given: str | None) -> re.Pattern[str] | None:
    try:
        return None if given is None else re.compile(given)
    except re.error as error:
        raise UsageError(f"--drop {given}: no regular expression: {error}") from error


def _as_text(found: Checkpoint) -> str:
    kind = "object-based (tf.train.Checkpoint)" if found.object_based else "name-based (TF1's Saver)"
    listed = [f"{entry}  [{entry.key}]" if entry.key != entry.name else str(entry) for entry in found.entries]
    return "\n".join([f"{found.path}: {kind}, {len(found.entries)} variables", *listed])


def _as_json(found: Checkpoint) -> str:
    return json.dumps(dataclasses.asdict(found), indent=2)
