"""What the user sees: the report on standard output, report files, diffs, and a progress bar on long work."""

from __future__ import annotations

import difflib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click

from tf_migrate.files.discover import Tree, display_name
from tf_migrate.files.write import replace_file
from tf_migrate.options import Options
from tf_migrate.report.files import render
from tf_migrate.report.model import Report

_BAR_AFTER_SECONDS = 1.0


def show(report: Report, base: Path, options: Options, *, only_check: bool) -> bool:
    """Print the report in the format asked for, and write the report files; whether all could be written."""
    prefix = _prefix(base)
    _print(report, prefix, options, only_check=only_check)
    all_written = True
    for file in options.reports:
        try:
            replace_file(file, render(report, file.suffix, prefix, _titles()).encode("utf-8", "backslashreplace"))
        except OSError as error:
            click.echo(f"tf-migrate: {file} cannot be written: {error.strerror or error}", err=True)
            all_written = False
    return all_written


def say(options: Options, message: str) -> None:
    """Tell the user one more thing, where the report is meant for eyes."""
    if options.output_format == "text" and options.verbosity >= 0:
        click.echo("\n" + message)


def show_diff(tree: Tree, contents: Mapping[str, bytes]) -> None:
    """Print a unified diff that `git apply` and `patch -p1` take, in the current folder or else in the tree's."""
    prefix = _prefix(tree.base)
    prefix = "" if os.path.isabs(prefix) else prefix
    out = sys.stdout.buffer
    paths = {file.name: file.path for file in (*tree.code, *tree.pins)}
    for name in sorted(contents):
        old, new = _lines(paths[name].read_bytes()), _lines(contents[name])
        labels = (f"a/{prefix}{name}".encode(), f"b/{prefix}{name}".encode())
        for line in difflib.diff_bytes(difflib.unified_diff, old, new, *labels):
            out.write(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n")
    out.flush()


def from_here(path: Path) -> str:
    """A path as the user would type it in the current folder."""
    return display_name(os.path.relpath(path))


@contextmanager
def progress(what: str, options: Options) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error while work takes long; nothing where that is no terminal."""
    if options.verbosity < 0 or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    bar = _Bar(what)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """Appears only after a while, so that short work neither flickers nor pays for importing rich."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.start = time.monotonic()
        self.update: Callable[[int, int], None] | None = None
        self.close: Callable[[], None] = _nothing

    def advance(self, done: int, total: int) -> None:
        if self.update is None and time.monotonic() - self.start >= _BAR_AFTER_SECONDS:
            self._open(total)
        if self.update is not None:
            self.update(done, total)

    def _open(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(self.what, total=total)
        bar.start()
        self.update = lambda done, total: bar.update(task, completed=done, total=total)
        self.close = bar.stop


def _nothing() -> None:
    """What closing a bar does that never appeared."""


def _print(report: Report, prefix: str, options: Options, *, only_check: bool) -> None:
    if options.output_format in ("json", "sarif"):
        click.echo(render(report, f".{options.output_format}", prefix, _titles()), nl=False)
        return
    from tf_migrate.report import text

    colour = False if os.environ.get("NO_COLOR") else None
    if options.output_format == "github":
        from tf_migrate.report import github

        click.echo(github.render(report, prefix) + text.summary(report, only_check=only_check))
        return
    # Behind a diff the report goes to standard error, so that the diff can be piped into `git apply`.
    details: tuple[text.Detail, ...] = ("kinds" if only_check else "work", "places", "failures")
    listed = text.render(report, prefix, details[options.verbosity], only_check=only_check or options.diff)
    click.echo(listed, nl=False, err=options.diff, color=colour)
    if options.statistics:
        click.echo("\n" + text.statistics(report), nl=False, color=colour)


def _titles() -> Mapping[str, str]:
    from tf_migrate.shell.explain import titles

    return titles()


def _prefix(base: Path) -> str:
    """The way from the current folder to the tree, to put before the names of its files."""
    way = from_here(base)
    if way.startswith(".."):
        way = display_name(str(base)).rstrip("/")
    return "" if way == "." else way + "/"


def _lines(data: bytes) -> list[bytes]:
    return [line + b"\n" for line in data.split(b"\n")[:-1]] + ([last] if (last := data.rpartition(b"\n")[2]) else [])
