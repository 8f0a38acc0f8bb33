"""The two commands that read a tree, from options to exit status: find, analyse, write, report."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tf_migrate import __version__, pipeline
from tf_migrate.changes import pins
from tf_migrate.changes.keras2 import RULE_ID
from tf_migrate.exit_status import ExitStatus
from tf_migrate.files.discover import Tree, TreeFile, discover
from tf_migrate.files.git import unsaved
from tf_migrate.files.output import TreeCopy, check_output
from tf_migrate.files.vendor import check_name, needs_shims, vendor
from tf_migrate.files.write import Stamp, stamps, write_in_place
from tf_migrate.options import Interrupted, Options, UsageError
from tf_migrate.report.files import check_report_file
from tf_migrate.report.model import FileResult, Finding, Report
from tf_migrate.shell import console

_SHIMS = (
    "The migrated code imports `{name}`, the run-time half of tf-migrate: install tf-migrate where it runs, "
    "or copy that half into the tree with --vendor."
)
_KERAS_2 = (
    "It keeps Keras 2, which is the package tf_keras of TensorFlow's own version: pip install 'tf-migrate[keras]', or "
    "'tf_keras==2.21.*' beside TensorFlow 2.21."
)


def rewrite_tree(options: Options) -> int:
    """`tf-migrate rewrite`: the exit status; raises `UsageError` before anything is written."""
    in_place = options.output is None and not options.diff
    if options.diff and options.output_format != "text":
        raise UsageError("--diff prints a diff, not a report: give --report FILE instead of --output-format")
    tree = _found(options)
    output = None if options.output is None else check_output(options.output, tree.base, options.paths)
    if in_place and not options.allow_dirty:
        _guard(options, ())
    read_at = stamps((*tree.code, *tree.pins))
    draft = _draft(tree, options)
    rooted = options.root is not None
    check_name(tree, options.compat_module, draft.contents, vendored=options.vendor, rooted=rooted)
    if in_place and not options.allow_dirty:
        _guard(options, [file.path for file in (*tree.code, *tree.pins) if file.name in draft.contents])
    if options.diff:
        console.show_diff(tree, draft.contents)
        return _finish(options, tree, draft, only_check=False)
    failed = _write(options, tree, draft.contents, read_at, output)
    if options.vendor and draft.contents:
        failed += _vendor(options, output or tree.base)
    status = _finish(options, tree, draft.with_failures(failed), only_check=False)
    if output is not None:
        console.say(options, f"The migrated copy is in {console.from_here(output)}.")
    if not options.vendor and needs_shims(draft.contents, options.compat_module):
        console.say(options, _SHIMS.format(name=options.compat_module))
    if _keeps_keras2(draft.report.findings):
        console.say(options, _KERAS_2)
    return status


def check_tree(options: Options) -> int:
    """`tf-migrate check`: the exit status; writes nothing but the reports asked for."""
    options = replace(options, advice=True)
    tree = _found(options)
    return _finish(options, tree, _draft(tree, options), only_check=True)


@dataclass(frozen=True)
class _Draft:
    """All that is known before writing: what each file becomes and what is to be told."""

    report: Report
    contents: Mapping[str, bytes]

    def with_failures(self, failed: Sequence[FileResult]) -> _Draft:
        results = {result.path: result for result in (*self.report.files, *failed)}
        return replace(self, report=_with(self.report, results.values(), self.report.findings))


def _found(options: Options) -> Tree:
    for file in options.reports:
        check_report_file(file)
    return discover(options)


def _guard(options: Options, files: Sequence[Path]) -> None:
    """Refuse a tree with uncommitted changes, and to overwrite `files` that git does not know."""
    lost = unsaved(options.paths, files)
    if lost:
        shown = ", ".join(console.from_here(path) for path in lost[:5])
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        raise UsageError(
            f"git has no copy of {shown}{more} as it stands; commit or stash first, "
            "write a copy with --output DIR, look with --diff, or pass --allow-dirty"
        )


def _draft(tree: Tree, options: Options) -> _Draft:
    start = time.monotonic()
    try:
        with console.progress("reading", options) as advance:
            outcome = pipeline.run(tree.code, options, advance)
    except KeyboardInterrupt:
        raise Interrupted("nothing was written") from None
    contents = dict(outcome.contents)
    results = {result.path: result for result in (*tree.set_aside, *outcome.report.files)}
    findings = list(outcome.report.findings)
    keras2 = _keeps_keras2(findings)
    for file in tree.pins:
        if file.edit:
            findings += _update_pins(file, options, contents, results, keras2)
    report = _with(outcome.report, results.values(), findings, seconds=time.monotonic() - start)
    return _Draft(report, contents)


def _keeps_keras2(findings: Iterable[Finding]) -> bool:
    return any(found.rule == RULE_ID and found.action == "shimmed" for found in findings)


def _update_pins(
    file: TreeFile, options: Options, contents: dict[str, bytes], results: dict[str, FileResult], keras2: bool
) -> tuple[Finding, ...]:
    earlier = results.get(file.name)
    if earlier is not None and earlier.status in ("failed", "skipped"):
        return ()
    try:
        old = file.path.read_bytes()
    except OSError as error:
        reason = f"cannot be read: {error.strerror}; make it readable (chmod u+r)"
        results[file.name] = FileResult(file.name, "failed", reason)
        return ()
    _, findings = pins.update(file.name, old, keras2=keras2)
    findings = tuple(found for found in findings if options.enabled(found.rule))
    if findings and earlier is None:
        results[file.name] = FileResult(file.name, "unchanged")
    if any(found.action == "rewritten" for found in findings):
        # `setup.py` may hold code that changes as well: the pins move in what the code became.
        contents[file.name], _ = pins.update(file.name, contents.get(file.name, old), keras2=keras2)
        results[file.name] = FileResult(file.name, "changed")
    return findings


def _write(
    options: Options,
    tree: Tree,
    contents: Mapping[str, bytes],
    read_at: Mapping[str, Stamp],
    output: Path | None,
) -> tuple[FileResult, ...]:
    files = {file.name: file for file in (*tree.code, *tree.pins)}
    try:
        with console.progress("writing", options) as advance:
            if output is not None:
                return TreeCopy(tree.base, output, contents).write(_absolute(options.paths), advance)
            return write_in_place([files[name] for name in sorted(files)], contents, read_at, advance)
    except Interrupted as stop:
        then = "run again with --allow-dirty to do the rest" if output is None else f"remove {output} and run again"
        raise Interrupted(f"{stop}; {then}") from None


def _vendor(options: Options, into: Path) -> tuple[FileResult, ...]:
    try:
        vendor(into, options.compat_module, __version__)
    except OSError as error:
        name = options.compat_module.replace(".", "/")
        return (FileResult(name, "failed", f"the shims cannot be copied ({error}); make room and run again"),)
    return ()


def _finish(options: Options, tree: Tree, draft: _Draft, *, only_check: bool) -> int:
    all_told = console.show(draft.report, tree.base, options, only_check=only_check)
    return exit_status(draft.report, only_check=only_check) if all_told else ExitStatus.FAILED


def exit_status(report: Report, *, only_check: bool) -> ExitStatus:
    """The exit status of the contract for a report."""
    if report.failed:
        return ExitStatus.FAILED
    if report.leaves_work or (only_check and report.would_change):
        return ExitStatus.LEFT
    return ExitStatus.DONE


def _with(
    report: Report,
    files: Iterable[FileResult],
    findings: Sequence[Finding],
    *,
    seconds: float | None = None,
) -> Report:
    return Report.of(
        files,
        report.sites,
        findings,
        report.shims,
        lines=report.summary.lines,
        seconds=report.summary.seconds if seconds is None else seconds,
        unchanged_symbols=report.summary.symbols.unchanged,
    )


def _absolute(paths: Sequence[Path]) -> list[Path]:
    return [path.absolute() for path in paths]
