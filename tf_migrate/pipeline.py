"""The whole way of a tree: read it, know what each module gives to others, rewrite, verify, report."""

from __future__ import annotations

import ast
import functools
import gc
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial

from tf_migrate.changes.application import Rewritten
from tf_migrate.changes.edits import OverlapError
from tf_migrate.changes.successors import successor
from tf_migrate.files.discover import TreeFile
from tf_migrate.files.source import Source, SourceError, read
from tf_migrate.names.canonical import Names
from tf_migrate.names.eras import is_in_both, marked
from tf_migrate.names.exports import Exports, Index
from tf_migrate.names.library import Library
from tf_migrate.names.nearby import nearby
from tf_migrate.names.search_path import folder_names
from tf_migrate.names.stars import spelled
from tf_migrate.names.summary import summarize
from tf_migrate.options import Options
from tf_migrate.programs.conversion import convert_all
from tf_migrate.programs.groups import Family, Program, families, is_script_too
from tf_migrate.programs.joining import Apart
from tf_migrate.report.model import FileResult, Finding, Reason, Report, ShimUse, Site
from tf_migrate.rewrite import is_relevant, rewrite
from tf_migrate.rules import graph_in_tests, open_graph
from tf_migrate.steps import seeds
from tf_migrate.steps.conversion import convert
from tf_migrate.steps.draft import Unwritable
from tf_migrate.steps.groups import around, offered
from tf_migrate.steps.lifetimes import OF_SLICED, SESSIONS, keeps_sessions, outlives_errors
from tf_migrate.steps.part import reason_at
from tf_migrate.steps.plan import ProgramPlan
from tf_migrate.steps.planner import plan_tree, races_of_tree
from tf_migrate.steps.races import Race, finding_of
from tf_migrate.syntax.module import Module, is_skipped_file, load, module_name
from tf_migrate.syntax.outline import outline
from tf_migrate.syntax.unbound import newly_unbound
from tf_migrate.verify import VerificationError, accounts_for, checked
from tf_migrate.workers import run_each

_UNWRITTEN = "unwritten"
_OPENING = frozenset({open_graph.RULE.id, graph_in_tests.RULE.id})
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_IMPORT = re.compile(rb"""(?m)(?:^|[;:])[ \t"]*(?:import|from)[ \t]+([^\n;]*)""")
_TENSORFLOW = re.compile(rb"\s*tensorflow\b")
Advance = Callable[[int, int], None]


@dataclass(frozen=True)
class Outcome:
    """The report, and the new bytes of each file that changes, by name."""

    report: Report
    contents: Mapping[str, bytes]


@dataclass(frozen=True)
class Known:
    """What is kept of a file once it was read: its summary for the others, its lines, or why it could not be read."""

    exports: Exports | None
    lines: int
    failed: FileResult | None = None


@dataclass(frozen=True)
class FileOutcome:
    """What became of one file."""

    result: FileResult
    rewritten: Rewritten | None = None
    content: bytes | None = None


def run(files: Sequence[TreeFile], options: Options, advance: Advance | None = None) -> Outcome:
    """Rewrites the files with ``edit`` set; the others are only read. Nothing is written to disk."""
    tick = _ticker(advance, 2 * len(files))
    with _collector_off():
        known, index = _indexed(files, options, tick)
        edited = [file for file, item in zip(files, known, strict=True) if file.edit and item.failed is None]
        index = index.settled(_native(edited, index, options))
        together, apart = _together(edited, index, options)
        index = index.settled(together, apart)
        rest = [file for file in edited if module_name(file.name)[0] not in together]
        migrate = partial(migrate_file, index=index, options=options)
        outcomes = [*run_each(migrate, rest, options.jobs, tick), *together.values()]
        for _ in together:
            tick()
        if options.tier == "native" and options.enabled("TFM205"):
            with _collector_on():
                outcomes = _in_steps(outcomes, edited, index, options)
        elif options.enabled("TFM147"):
            with _collector_on():
                outcomes = _with_races(outcomes, edited, index, options)
    failed = [item.failed for item, file in zip(known, files, strict=True) if item.failed is not None and file.edit]
    return _outcome(outcomes, failed, sum(item.lines for item, file in zip(known, files, strict=True) if file.edit))


def read_tree(files: Sequence[TreeFile], options: Options) -> tuple[Index, tuple[FileResult, ...]]:
    """What each module of a tree gives to others, and the files that cannot be read."""
    with _collector_off():
        known, index = _indexed(files, options, _ticker(None, 0))
    return index, tuple(item.failed for item in known if item.failed is not None)


def _indexed(files: Sequence[TreeFile], options: Options, tick: Callable[[], None]) -> tuple[list[Known], Index]:
    inside = _package_around(files)
    searched = folder_names(file.path for file in files)
    modules = Index(_modules(files), {}, inside, searched=searched)
    near = nearby(_texts(files), options.compat_module)
    known = run_each(partial(know, index=modules, options=options, near=near), files, options.jobs, tick)
    exports = {item.exports.module: item.exports for item in known if item.exports is not None}
    kept = [module_name(file.name)[0] for file in files if not file.edit]
    library = Library({module_name(file.name)[0]: (file.name, file.path) for file in files if file.edit})
    return known, Index(_modules(files), exports, inside, kept, library=library, searched=searched)


def _native(files: Sequence[TreeFile], index: Index, options: Options) -> frozenset[str]:
    """The modules that others import and that become native by themselves: those others need no graph for them."""
    found = set()
    for file in files if options.tier == "native" else ():
        module = module_name(file.name)[0]
        if module in index.imported_modules and index.holds_tf1(module) and index.users(module) is not None:
            made = migrate_file(file, index, options).rewritten
            if made is not None and made.sites and all(site.tier == "native" for site in made.sites):
                found.add(module)
    return frozenset(found)


def _together(
    files: Sequence[TreeFile], index: Index, options: Options
) -> tuple[dict[str, FileOutcome], dict[str, str]]:
    """What becomes of the programs of several modules that become native together, and why others do not."""
    by_name = {module_name(file.name)[0]: file for file in files}
    done: dict[str, FileOutcome] = {}
    apart: dict[str, str] = {}
    for family in families(by_name.keys() - index.native - index.keras2, index) if options.tier == "native" else ():
        try:
            done |= _converted(family.together, by_name, index, options)
        except Apart as error:
            apart.update(_reasons(family, error, by_name, index, options))
        for program in family.alone if done.keys().isdisjoint(family.shared) else ():
            try:
                done |= _converted((program,), by_name, index, options)
            except Apart as error:
                apart.update(dict.fromkeys(program, str(error)))
    return done, {name: reason for name, reason in apart.items() if name not in done}


def _reasons(
    family: Family, error: Apart, by_name: Mapping[str, TreeFile], index: Index, options: Options
) -> dict[str, str]:
    """Why each module of a family stays as it is: a program's own modules for its own reason, where it has one."""
    members = (name for program in family.together for name in program)
    found = dict.fromkeys((*error.members, *family.shared, *members), str(error))
    for program in family.together:
        alone = not any(is_script_too(index.tree(name)) for name in program[:-1])
        if alone and not set(program) <= set(error.members):
            try:
                _converted((program,), by_name, index, options)
            except Apart as own:
                found.update(dict.fromkeys(set(program) - family.shared, str(own)))
    return found


def _converted(
    programs: Sequence[Program], by_name: Mapping[str, TreeFile], index: Index, options: Options
) -> dict[str, FileOutcome]:
    """What becomes of programs that share modules; raises Apart where they do not become native."""
    members = tuple(dict.fromkeys(name for program in programs for name in program))
    modules = {name: module for name in members if (module := index.tree(name)) is not None}
    if len(modules) < len(members):
        raise Apart("one of them cannot be read, or has to stay as it is")
    try:
        read = {name: spelled(Names(module, index, options.compat_module)) for name, module in modules.items()}
        named = [[read[name] for name in program] for program in programs]
        converted = convert_all(named, options)
        known = index.settled(members)
        return {
            name: _verified(by_name[name], module.source, converted[name], known, options)
            for name, module in modules.items()
        }
    except (SourceError, VerificationError) as error:
        raise Apart(str(error)) from None
    except Apart:
        raise
    except Exception as error:  # one program's bad luck must not lose the others
        raise Apart(f"internal error ({said(error)})") from None


def _in_steps(
    outcomes: Sequence[FileOutcome], files: Sequence[TreeFile], index: Index, options: Options
) -> list[FileOutcome]:
    """The outcomes, those of programs with runs on the bridge in the form of steps where they can be written so.

    So are those that are sliced, though that gives other numbers: else they go to the bridge.
    """
    by_name = {module_name(file.name)[0]: file for file in files}
    done = {outcome.result.path: outcome for outcome in outcomes}
    bridged = {module_name(path)[0] for path, outcome in done.items() if _is_bridged(outcome)}
    sliced = {
        name: Names(module, index, options.compat_module)
        for path, outcome in done.items()
        if _is_native(outcome) and (module := index.tree(name := module_name(path)[0])) is not None
    }
    seeded = seeds.seeded(sliced.keys(), index, options.compat_module)
    keeping = {name for name, known in sliced.items() if keeps_sessions(known) or outlives_errors(known)}
    asked = offered([*bridged, *seeded, *keeping], by_name.keys(), index)
    names = {
        name: Names(module, index, options.compat_module) for name in asked if (module := index.tree(name)) is not None
    }
    try:
        planned = plan_tree(names, options)
    except Exception as error:  # the bridge still stands
        fault = _fault(f"its form in steps failed: the planner failed ({said(error)})")
        return [_explained(outcome, (fault,)) for outcome in outcomes]
    sharing = {name for name in keeping if any(why.code in OF_SLICED for why in planned.refused.get(name, ()))}
    wanted, written = bridged | seeded.keys() | sharing, set[str]()
    faults: dict[str, Reason] = {}
    waiting = [program for program in planned.programs if not wanted.isdisjoint(program.modules)]
    while waiting:
        program = waiting.pop(0)
        if wanted.isdisjoint(program.modules):
            continue
        in_steps = written.union(program.modules, *(other.modules for other in waiting))
        tied = program.modules.keys() - program.shared
        users = set[str]().union(*(index.importing(name) for name in tied)) & by_name.keys() - in_steps - planned.idle
        opened = _opened([by_name[name] for name in sorted(users)], index.settled(in_steps), options)
        made = opened or _written(program, names, by_name, index.settled(written), options)
        if isinstance(made, Reason):
            faults |= dict.fromkeys(program.modules, made)
            waiting += planned.parts(program)
        else:
            written.update(program.modules)
            done |= {outcome.result.path: outcome for outcome in made}
    lost = (seeded.keys() | sharing) - written
    for name in set[str]().union(*(index.importing(each) | index.imported_by(each) for each in lost)) - written:
        if name in by_name:
            done[by_name[name].name] = migrate_file(by_name[name], index, replace(options, tier="bridge"))
    # What stands around them in their programs needs no graph for them any more.
    known = index.settled(written | planned.idle)
    for name in sorted(around(written, index) & by_name.keys()):
        path = by_name[name].name
        if done[path].rewritten is not None and not _is_native(done[path]):
            done[path] = migrate_file(by_name[name], known, options)
    for name in sorted(names.keys() - written):
        reasons = [*([seeds.reason(seeded[name])] if name in seeded else []), *planned.refused.get(name, ())]
        path = by_name[name].name
        done[path] = _explained(done[path], (*reasons, *([faults[name]] if name in faults else [])))
    return _telling(done.values(), planned.races) if options.enabled("TFM147") else list(done.values())


def _with_races(
    outcomes: Sequence[FileOutcome], files: Sequence[TreeFile], index: Index, options: Options
) -> list[FileOutcome]:
    """The outcomes, with what is told of runs on the bridge of which TensorFlow 1 left open what comes first."""
    by_name = {module_name(file.name)[0]: file for file in files}
    bridged = {module_name(outcome.result.path)[0] for outcome in outcomes if _is_bridged(outcome)}
    asked = offered([*bridged], by_name.keys(), index)
    names = {
        name: Names(module, index, options.compat_module) for name in asked if (module := index.tree(name)) is not None
    }
    try:
        return _telling(outcomes, races_of_tree(names, options))
    except Exception as error:  # the bridge stands without it
        fault = _fault(f"whether it reads what it changes, without an order, was not found out ({said(error)})")
        return [_explained(outcome, (fault,)) for outcome in outcomes]


def _fault(message: str) -> Reason:
    """A fault of ours that concerns all of a tree."""
    return Reason(_UNWRITTEN, "", None, (), message, "please report it with the tree")


def _telling(outcomes: Iterable[FileOutcome], found: Iterable[Race]) -> list[FileOutcome]:
    """The outcomes, with findings at the runs of which TensorFlow 1 left open what comes first.

    Runs that are sliced have their own.
    """
    told: dict[str, list[Finding]] = {}
    for race in found:
        if not race.module.is_skipped(race.site):
            told.setdefault(race.module.path, []).append(finding_of(race))
    done = []
    for outcome in outcomes:
        made = outcome.rewritten
        places = () if made is None else {(site.line, site.column) for site in made.sites if site.form != "sliced"}
        more = [each for each in told.get(outcome.result.path, ()) if (each.line, each.column) in places]
        if made is not None and more:
            outcome = replace(outcome, rewritten=replace(made, findings=(*made.findings, *more)))
        done.append(outcome)
    return done


def _opened(users: Sequence[TreeFile], index: Index, options: Options) -> Reason | None:
    """Where one of the modules that use a program opens a graph for what it builds, in which no step can be made."""
    for user in users:
        made = migrate_file(user, index, options).rewritten
        for finding in () if made is None else made.findings:
            if finding.rule in _OPENING:
                message = f"the graph is opened in {user.name}, which builds something that nobody followed"
                step = "name there what is called, or make it in a function of the module that builds"
                return Reason("opened-outside", user.name, finding.line, (), message, step)
    return None


def _written(
    program: ProgramPlan, names: Mapping[str, Names], by_name: Mapping[str, TreeFile], index: Index, options: Options
) -> list[FileOutcome] | Reason:
    """What becomes of the modules of a program in steps; where one of them cannot be written, why."""
    known = index.settled(program.modules)
    made = []
    for name, plan in program.modules.items():
        module = names[name].module
        try:
            rewritten = convert(names[name], plan, options)
            made.append(_verified(by_name[name], module.source, rewritten, known, options))
        except Unwritable as error:
            return _unwritten(module, error.node, error.reason)
        except (OverlapError, SourceError, VerificationError) as error:
            return _unwritten(module, module.tree, str(error))
        except Exception as error:  # one program's bad luck must not lose the others
            return _unwritten(module, module.tree, f"internal error ({said(error)})")
    return made


def _unwritten(module: Module, node: ast.AST, why: str) -> Reason:
    """Why a module cannot be written in the form of steps: what stands in the way at a node, or in all of it."""
    if hasattr(node, "lineno"):
        step = "write it there in another way, or report it with the file"
        return reason_at(module, _UNWRITTEN, node, f"its form in steps failed: {why}", step)
    message = f"its form in steps failed: {module.path}: {why}"
    return Reason(_UNWRITTEN, module.path, None, (), message, "please report it with the file")


def _explained(outcome: FileOutcome, reasons: tuple[Reason, ...]) -> FileOutcome:
    """The outcome of a file that stays on the bridge, with more reasons of its runs behind those that they have."""
    if outcome.rewritten is None:
        return outcome
    sites = tuple(
        replace(site, reasons=(*site.reasons, *(replace(why, path=why.path or site.path) for why in reasons)))
        if site.tier == "bridge"
        else site
        for site in outcome.rewritten.sites
    )
    return replace(outcome, rewritten=replace(outcome.rewritten, sites=sites))


def _is_bridged(outcome: FileOutcome) -> bool:
    """Whether a file runs on the bridge, or makes a session there of which nobody has seen where it runs."""
    if outcome.rewritten is None:
        return False
    makes = any(finding.symbol in SESSIONS for finding in outcome.rewritten.findings)
    return any(site.tier == "bridge" for site in outcome.rewritten.sites) or (makes and not outcome.rewritten.sites)


def _is_native(outcome: FileOutcome) -> bool:
    sites = () if outcome.rewritten is None else outcome.rewritten.sites
    return bool(sites) and all(site.tier == "native" for site in sites)


def _texts(files: Sequence[TreeFile]) -> dict[str, bytes]:
    """The bytes of the modules, of those that import anything; what cannot be read is told where it is read again."""
    found: dict[str, bytes] = {}
    for file in files:
        with suppress(OSError):
            raw = file.path.read_bytes()
            name = module_name(file.name)[0]
            found[name] = found.get(name, b"") + (raw if b"import" in raw else b"")
    return found


def know(file: TreeFile, index: Index, options: Options, near: frozenset[str]) -> Known:
    """First pass over a file: what it gives to other modules, where it is `near` TensorFlow. Its tree is not kept."""
    try:
        raw = file.path.read_bytes()
    except OSError as error:
        return Known(None, 0, _failed(file, f"cannot be read: {error.strerror}; make it readable (chmod u+r)"))
    lines = raw.count(b"\n")
    if b"import" not in raw or module_name(file.name)[0] not in near:
        return Known(None, lines)
    try:
        source = read(file.name, raw)
        return Known(summarize(outline(source), index, options.compat_module), lines)
    except SourceError as error:
        if not _concerns_tensorflow(file.name, raw):
            return Known(None, lines)
        return Known(None, lines, _failed(file, f"line {error.line}: {error.reason}; {error.next_step}"))


def migrate_file(file: TreeFile, index: Index, options: Options) -> FileOutcome:
    """Second pass: rewrites one file and verifies the result; the file itself is not touched."""
    try:
        raw = file.path.read_bytes()
        if not is_relevant(raw, module_name(file.name)[0], index):
            return FileOutcome(FileResult(file.name, "unchanged"))
        source = read(file.name, raw)
        if is_skipped_file(source.text):
            return FileOutcome(FileResult(file.name, "skipped", "it says `# tf-migrate: skip-file`"))
        return _rewritten(file, source, index, options)
    except SourceError as error:
        if not (_concerns_tensorflow(file.name, raw) or index.reaches_tensorflow(module_name(file.name)[0])):
            return FileOutcome(FileResult(file.name, "unchanged"))  # it is NumPy's at most
        return FileOutcome(_failed(file, f"line {error.line}: {error.reason}; {error.next_step}"))
    except VerificationError as error:
        return FileOutcome(_failed(file, f"{error}; left as it stood, please report it with the file"))
    except OSError as error:
        return FileOutcome(_failed(file, f"cannot be read: {error.strerror}; make it readable (chmod u+r)"))
    except Exception as error:  # one file's bad luck must not lose the others
        reason = f"internal error ({said(error)}); left as it stood, please report it with the file"
        return FileOutcome(_failed(file, reason))


def said(error: Exception) -> str:
    """An exception's kind and words, without the addresses that objects print themselves with."""
    return _ADDRESS.sub("", f"{type(error).__name__}: {error}")


def _rewritten(file: TreeFile, source: Source, index: Index, options: Options) -> FileOutcome:
    """A file rewritten and verified: on the bridge where a fault of ours stands in the way of its native code."""
    try:
        return _verified(file, source, rewrite(source, index, options), index, options)
    except SourceError:
        raise
    except Exception as error:
        if options.tier != "native":
            raise
        message = f"its native code failed ({said(error)})"
        barred = Reason("internal", file.name, None, (), message, "please report it with the file")
        return _verified(file, source, rewrite(source, index, options, barred), index, options)


def _verified(file: TreeFile, source: Source, rewritten: Rewritten, index: Index, options: Options) -> FileOutcome:
    if rewritten.text == source.text:
        return FileOutcome(FileResult(file.name, "unchanged"), rewritten)
    written = checked(source, rewritten.text)
    try:
        again = rewrite(written, index, replace(options, advice=False))
    except SourceError as error:
        raise VerificationError(f"the result does not parse ({error.reason}, line {error.line})") from None
    if again.text != rewritten.text:
        # Names of TensorFlow 2 that it takes for those of TensorFlow 1: nothing else says of which the module is.
        taken = [found.symbol for found in again.findings if found.action in ("rewritten", "shimmed")]
        if all(symbol and is_in_both(symbol) for symbol in taken) and (text := marked(written)) != rewritten.text:
            return _verified(file, source, replace(rewritten, text=text), index, options)
        raise VerificationError("rewriting the result again would change it")
    if lost := newly_unbound(load(source), rewritten.text):
        raise VerificationError(f"`{min(lost)}` would be read and is bound nowhere")
    accounts_for(rewritten.findings, again.findings)
    return FileOutcome(FileResult(file.name, "changed"), rewritten, written.raw)


def _outcome(outcomes: Iterable[FileOutcome], failed: Iterable[FileResult], lines: int) -> Outcome:
    results: list[FileResult] = list(failed)
    sites: list[Site] = []
    findings: list[Finding] = []
    contents: dict[str, bytes] = {}
    shims: Counter[str] = Counter()
    unchanged = 0
    for outcome in outcomes:
        results.append(outcome.result)
        if outcome.rewritten is not None:
            sites += outcome.rewritten.sites
            findings += outcome.rewritten.findings
            unchanged += outcome.rewritten.unchanged
            shims.update(outcome.rewritten.shims)
        if outcome.content is not None:
            contents[outcome.result.path] = outcome.content
    in_use = (ShimUse(shim, count, successor(shim)) for shim, count in shims.items())
    report = Report.of(results, sites, findings, in_use, lines=lines, unchanged_symbols=unchanged)
    return Outcome(report, contents)


def _modules(files: Sequence[TreeFile]) -> Iterator[tuple[str, bool]]:
    for file in files:
        name, package = module_name(file.name)
        yield name, name == package


def _package_around(files: Sequence[TreeFile]) -> str:
    """Dotted name of the package that the folder is which the files' names count from; empty where it is none."""
    if not files:
        return ""
    folder = files[0].path.parents[files[0].name.count("/")]
    parts: list[str] = []
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)


def _concerns_tensorflow(name: str, raw: bytes) -> bool:
    """Whether a file that cannot be parsed imports TensorFlow; a notebook that cannot be read may."""
    if b"tensorflow" not in raw:
        return False
    imported = (part for statement in _IMPORT.finditer(raw) for part in statement[1].split(b","))
    return name.endswith(".ipynb") or any(_TENSORFLOW.match(part) for part in imported)


def _failed(file: TreeFile, reason: str) -> FileResult:
    return FileResult(file.name, "failed", reason)


def _ticker(advance: Advance | None, total: int) -> Callable[[], None]:
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        if advance is not None:
            advance(done, total)

    return tick


@contextmanager
def _collector_off() -> Iterator[None]:
    # Trees and tables hold no cycles and are freed as each file ends; collecting between costs more than all of it.
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _collector_on() -> Iterator[None]:
    # What the interpreter makes of a program holds cycles, and much of it; what stood before is not gone through.
    enabled, freezes = gc.isenabled(), not _is_frozen()
    if freezes:
        gc.freeze()
    gc.enable()
    try:
        yield
    finally:
        if not enabled:
            gc.disable()
        if freezes:
            gc.unfreeze()


_FROZEN_AT_FIRST = gc.get_freeze_count()  # Python 3.12 begins with some


@functools.cache
def _is_frozen() -> bool:
    # What others have frozen since then is behind us as it is, and would not stay so. Asked once: all of it is counted.
    return gc.get_freeze_count() > _FROZEN_AT_FIRST
