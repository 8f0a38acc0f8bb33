"""The options of sessions as calls of `tf.config`, where the script begins: TensorFlow takes them before it starts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from tf_migrate.changes.edits import Edit
from tf_migrate.changes.statements import append_after
from tf_migrate.native.layout import joined
from tf_migrate.native.naming import Namer
from tf_migrate.rules import Context
from tf_migrate.stages.options import Literal
from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Refused

_STEP = "set it by `tf.config`"
_SETTERS = {
    "allow_soft_placement": "{tf}.config.set_soft_device_placement",
    "log_device_placement": "{tf}.debugging.set_log_device_placement",
}


def option_edits(context: Context, options: Mapping[str, Literal], run: ast.expr, namer: Namer) -> list[Edit]:
    """The edits that put the options of sessions, of which one makes a `run`, behind the import of TensorFlow."""
    lines = list(_lines(context, options, run, namer))
    if not lines:
        return []
    return [append_after(context.module, _import(context, run), "\n".join(["", *lines]))]


def said_lines(context: Context, program: Program, render: Callable[[int, int], str]) -> Iterator[tuple[int, str]]:
    """The calls that take computed options, with the units in whose place they stand."""
    units = {unit.node: unit.index for unit in program.units}
    for item in program.said:
        if item.statement in units:
            setter = _SETTERS[item.name].format(tf=context.tf)
            yield units[item.statement], f"{setter}({joined(render(*context.module.source.span(item.value)))})\n"


def _import(context: Context, run: ast.expr) -> ast.stmt:
    """The statement of the script's top level that imports TensorFlow."""
    for node, scope in context.module.imports:
        bound = [alias.asname or alias.name for alias in node.names]
        if scope is context.module.root and context.tf in bound:
            top: ast.AST = node
            while not isinstance(context.module.parents[top], ast.Module):
                top = context.module.parents[top]
            assert isinstance(top, ast.stmt)
            return top
    raise Refused(run, "where TensorFlow is imported is not known", _STEP)


def _lines(context: Context, options: Mapping[str, Literal], node: ast.expr, namer: Namer) -> Iterator[str]:
    config = f"{context.tf}.config"
    gpus = f'{config}.list_physical_devices("GPU")'
    for kind in ("inter_op", "intra_op"):
        if threads := options.get(f"{kind}_parallelism_threads"):
            yield f"{config}.threading.set_{kind}_parallelism_threads({threads})"
    if "allow_soft_placement" in options:
        yield f"{config}.set_soft_device_placement({options['allow_soft_placement']})"
    if options.get("log_device_placement"):
        yield f"{context.tf}.debugging.set_log_device_placement(True)"
    counts = options.get("device_count", {})
    assert isinstance(counts, dict)
    if counts.get("CPU", 1) != 1 or counts.get("GPU", 0) or set(counts) - {"CPU", "GPU"}:
        raise Refused(node, "the session is given a number of devices", _STEP)
    visible = _visible(options.get("gpu_options.visible_device_list", ""), node)
    if "GPU" in counts:
        yield f'{config}.set_visible_devices([], "GPU")'
    elif visible:
        name = namer.fresh("gpus")
        chosen = ", ".join(str(number) for number in visible)
        yield f"{name} = {gpus}"
        yield f'{config}.set_visible_devices([{name}[number] for number in ({chosen},) if number < len({name})], "GPU")'
    if options.get("gpu_options.allow_growth"):
        name = namer.fresh("gpu")
        yield f'for {name} in {config}.get_visible_devices("GPU"):' if visible else f"for {name} in {gpus}:"
        yield f"    {config}.experimental.set_memory_growth({name}, True)"


def _visible(listed: object, node: ast.expr) -> list[int]:
    """The numbers of the GPUs in a list such as "0,2"."""
    numbers = [part.strip() for part in str(listed).split(",")] if listed else []
    if not all(number.isdigit() for number in numbers):
        raise Refused(node, "the list of visible devices is no list of numbers", _STEP)
    return [int(number) for number in numbers]
