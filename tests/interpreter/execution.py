"""Programs that tests execute over abstract values, and what is known of their names at the end."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tf_migrate import pipeline
from tf_migrate.files.discover import TreeFile
from tf_migrate.interpreter.recorder import Recorder
from tf_migrate.interpreter.values import (
    ABSENT,
    Const,
    Frame,
    Instance,
    Items,
    Node,
    Opaque,
    Table,
    Union,
    Unknown,
    Value,
    items_of,
    options,
)
from tf_migrate.names.exports import Index
from tf_migrate.names.library import Library
from tf_migrate.names.search_path import folder_names
from tf_migrate.options import Options
from tf_migrate.syntax.module import module_name
from tf_migrate.trace.execution import Machine


def index_of(folder: Path, files: Mapping[str, str]) -> Index:
    """The modules of a tree that is written into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    tree = [TreeFile(folder / name, name, edit=True) for name in sorted(files)]
    options = Options(paths=[])
    modules = [(module_name(each.name)[0], each.name.endswith("__init__.py")) for each in tree]
    searched = folder_names(each.path for each in tree)
    know = partial(
        pipeline.know,
        index=Index(modules, {}, searched=searched),
        options=options,
        near=frozenset(name for name, _ in modules),
    )
    exports = {item.exports.module: item.exports for item in map(know, tree) if item.exports is not None}
    library = Library({module_name(each.name)[0]: (each.name, each.path) for each in tree})
    return Index(modules, exports, library=library, searched=searched)


def executed(folder: Path, files: Mapping[str, str] | str, script: str = "main") -> tuple[Machine, Frame]:
    """The machine that has executed a script, and the frame of its names."""
    index = index_of(folder, {"main.py": files} if isinstance(files, str) else files)
    machine = Machine(index, Recorder(), "compat")
    frame = machine.run_script(script)
    assert frame is not None, [problem.message for problem in machine.recorder.problems]
    return machine, frame


def shown(value: Value) -> str:
    """A value as tests write it: constants as in Python, `?` for data, ops by their symbols."""
    if isinstance(value, Const):
        return repr(value.value)
    if isinstance(value, Opaque):
        return "?"
    if isinstance(value, Unknown):
        return "unknown"
    if value is ABSENT:
        return "absent"
    if isinstance(value, Node):
        return f"<{value.symbol.rpartition('.')[2]}>"
    if isinstance(value, Items):
        more = [f"*{shown(value.slots['rest'])}"] if "rest" in value.slots else []
        return f"[{', '.join([*map(shown, items_of(value)), *more])}]"
    if isinstance(value, Table):
        pairs = [f"{shown(value.keys[key])}: {shown(part)}" for key, part in value.slots.items() if key in value.keys]
        return f"{{{', '.join([*pairs, *(['**'] if 'rest' in value.slots else [])])}}}"
    if isinstance(value, Union):
        return " | ".join(sorted(map(shown, options(value))))
    return f"a {value.cls.name}" if isinstance(value, Instance) else type(value).__name__


def known(folder: Path, text: str) -> str:
    """What is known of the name `found` behind a program."""
    _, frame = executed(folder, text)
    return shown(frame.slots.get("found", ABSENT))
