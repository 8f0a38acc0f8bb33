"""`tf-migrate freeze`."""

from __future__ import annotations

from pathlib import Path

import click

from tf_migrate.exit_status import ExitStatus
from tf_migrate.freeze.frozen import Frozen, freeze_checkpoint, freeze_saved_model
from tf_migrate.freeze.graphs import write
from tf_migrate.options import UsageError

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("source", type=_PATH)
@click.argument("target", type=_PATH)
@click.option("--outputs", metavar="NAME,…", help="The nodes to keep; needed for a checkpoint.")
@click.option("--graph", type=_PATH, help="The graph of a checkpoint: GraphDef or MetaGraphDef, binary or text.")
@click.option("--signature", default="serving_default", show_default=True, help="Of a SavedModel: what to freeze.")
@click.option("--tags", default="serve", show_default=True, help="Of a SavedModel: its tags, separated by commas.")
@click.option("--clear-devices", is_flag=True, help="Forget on which devices the operations ran.")
@click.option("--force", is_flag=True, help="Replace TARGET where it exists.")
def command(
    source: Path,
    target: Path,
    outputs: str | None,
    graph: Path | None,
    signature: str,
    tags: str,
    clear_devices: bool,
    force: bool,
) -> int:
    """Write SOURCE, a checkpoint or a SavedModel, as one GraphDef whose variables are constants.

    TARGET is written as text where it ends in `.pbtxt`, else in binary form. Node names are kept; those of a TensorFlow
    2 SavedModel are the names in its signature. Real TensorFlow 1.15 reads the result as long as it has all operations.
    """
    if target.exists() and not force:
        raise UsageError(f"{target}: exists already; name another file, or replace it with --force")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"{target}: its folder does not exist; make it first")
    names = [name.strip() for name in outputs.split(",") if name.strip()] if outputs else []
    if (source / "saved_model.pb").exists() or (source / "saved_model.pbtxt").exists():
        if graph is not None:
            raise UsageError("--graph belongs to a checkpoint, and this is a SavedModel: leave it out")
        frozen = freeze_saved_model(source, [tag for tag in tags.split(",") if tag], signature, names)
    else:
        frozen = freeze_checkpoint(source, graph, names)
    write(frozen.graph, target, clear_devices=clear_devices)
    click.echo("\n".join(_told(frozen, target)))
    return ExitStatus.DONE


def _told(frozen: Frozen, target: Path) -> list[str]:
    counted = f"{len(frozen.graph.node)} nodes, {len(frozen.constants)} of them variables that became constants"
    inputs = [f"  input   {line}" for line in frozen.inputs]
    return [f"wrote {target}: {counted}", *inputs, *(f"  output  {line}" for line in frozen.outputs)]
