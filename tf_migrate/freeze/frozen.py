"""From a checkpoint or a SavedModel to a graph of constants, by TensorFlow's own conversions."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf_migrate.checkpoint.files import prefix_of, tensorflow
from tf_migrate.freeze.graphs import read_graph
from tf_migrate.options import UsageError

_VARIABLES = frozenset({"Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable"})
# What ends a graph without being what it is for.
_NO_OUTPUTS = _VARIABLES | frozenset(
    {"Assert", "Assign", "AssignVariableOp", "Const", "NoOp", "Placeholder", "SaveV2", "VarIsInitializedOp"}
)
_SHOWN = 8


@dataclass(frozen=True)
class Frozen:
    """A graph without variables: which nodes were variables, and its inputs and outputs in words."""

    graph: Any
    constants: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def freeze_checkpoint(source: Path, graph: Path | None, outputs: Sequence[str]) -> Frozen:
    """The part of a checkpoint's graph that `outputs` need.

    Args:
        source: the checkpoint: its path without suffix, or a folder for the latest one there.
        graph: the file of its graph; None for the `.meta` file beside it.
        outputs: names of the nodes to keep.

    Raises:
        UsageError: something is missing or does not fit; it says what.
    """
    prefix = prefix_of(source)
    path = graph or Path(f"{prefix}.meta")
    if not path.exists():
        raise UsageError(f"{prefix}: no graph is beside it ({path.name}); name its file with --graph")
    graph_def, saver = read_graph(path)
    if not outputs:
        raise UsageError(f"{path}: say with --outputs which nodes to keep, such as {_ends(graph_def)}")
    _require_nodes(graph_def, outputs, path)
    v1 = tensorflow().compat.v1
    with _explaining(source), tensorflow().Graph().as_default() as imported, _session(imported) as session:
        tensorflow().graph_util.import_graph_def(graph_def, name="")
        if saver is not None:
            session.run(saver.restore_op_name, {saver.filename_tensor_name: prefix})
        else:
            _restore_by_name(session, prefix)
        result = v1.graph_util.convert_variables_to_constants(session, graph_def, list(outputs))
    return _frozen(result, graph_def, outputs)


def _session(graph: Any) -> Any:
    """A session that runs operations here although their graph was made for other devices."""
    v1 = tensorflow().compat.v1
    return v1.Session(graph=graph, config=v1.ConfigProto(allow_soft_placement=True))


def _restore_by_name(session: Any, prefix: str) -> None:
    """Gives each variable of the session's graph the checkpoint's value of that name, if it has one."""
    tf = tensorflow()
    reader = tf.train.load_checkpoint(prefix)
    assigned, values = [], {}
    for operation in session.graph.get_operations():
        name = operation.name if operation.type in _VARIABLES else ""
        if name and operation.get_attr("shared_name"):
            name = operation.get_attr("shared_name").decode()
        if not name or not reader.has_tensor(name):
            continue
        value = tf.compat.v1.placeholder(operation.get_attr("dtype"))
        if operation.type == "VarHandleOp":
            assigned.append(tf.raw_ops.AssignVariableOp(resource=operation.outputs[0], value=value))
        else:
            assigned.append(tf.compat.v1.assign(operation.outputs[0], value, validate_shape=False))
        values[value] = reader.get_tensor(name)
    session.run(assigned, values)


def freeze_saved_model(source: Path, tags: Sequence[str], signature: str, outputs: Sequence[str]) -> Frozen:
    """One signature of a SavedModel, TensorFlow 1's or 2's.

    Args:
        source: the SavedModel's folder.
        tags: which of its graphs.
        signature: which of its functions.
        outputs: names of the nodes to keep (for TensorFlow 2's, of the signature's outputs); all of them when empty.

    Raises:
        UsageError: there is no such graph, signature or output.
    """
    with _explaining(source):
        loader = importlib.import_module("tensorflow.python.tools.saved_model_utils")
        meta_graph = loader.get_meta_graph_def(str(source), ",".join(tags))
    if signature not in meta_graph.signature_def:
        known = ", ".join(sorted(meta_graph.signature_def)) or "none"
        raise UsageError(f"{source}: there is no signature {signature!r}; name one with --signature: {known}")
    if meta_graph.object_graph_def.nodes:
        return _of_tensorflow_2(source, tags, signature, outputs)
    described = meta_graph.signature_def[signature].outputs.values()
    names = list(outputs) or sorted({tensor.name.partition(":")[0] for tensor in described})
    _require_nodes(meta_graph.graph_def, names, source)
    v1 = tensorflow().compat.v1
    with _explaining(source), tensorflow().Graph().as_default() as graph, _session(graph) as session:
        v1.saved_model.load(session, list(tags), str(source))
        result = v1.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), names)
    return _frozen(result, meta_graph.graph_def, names)


def _of_tensorflow_2(source: Path, tags: Sequence[str], signature: str, outputs: Sequence[str]) -> Frozen:
    tf = tensorflow()
    convert = importlib.import_module("tensorflow.python.framework.convert_to_constants")
    with _explaining(source):
        loaded = tf.saved_model.load(str(source), list(tags))  # the function's variables live as long as this
        function = loaded.signatures[signature]
        constant = convert.convert_variables_to_constants_v2(function)
    tensors = dict(zip(sorted(function.structured_outputs), constant.outputs, strict=True))
    unknown = sorted(set(outputs) - set(tensors))
    if unknown:
        raise UsageError(f"{source}: the signature has no output {unknown[0]!r}, but {', '.join(tensors)}")
    graph_def = constant.graph.as_graph_def()
    taken = {node.name for node in graph_def.node}
    names = []
    for key in outputs or tensors:
        name = key if key not in taken else f"output_{key}"
        node = graph_def.node.add(name=name, op="Identity", input=[tensors[key].name])
        node.attr["T"].type = tensors[key].dtype.as_datatype_enum
        names.append(name)
    kept = tf.compat.v1.graph_util.extract_sub_graph(graph_def, names)
    return _frozen(kept, None, names, {variable.name.partition(":")[0] for variable in function.graph.variables})


def _frozen(graph: Any, before: Any, outputs: Sequence[str], variables: set[str] | None = None) -> Frozen:
    if variables is None:
        variables = {node.name for node in before.node if node.op in _VARIABLES}
    constants = tuple(sorted(node.name for node in graph.node if node.op == "Const" and node.name in variables))
    tf = tensorflow()
    with tf.Graph().as_default() as imported:
        tf.graph_util.import_graph_def(graph, name="")
    inputs = [operation for operation in imported.get_operations() if operation.type.startswith("Placeholder")]
    found = [imported.get_operation_by_name(name) for name in outputs]
    return Frozen(graph, constants, tuple(map(_described, inputs)), tuple(map(_described, found)))


def _described(operation: Any) -> str:
    tensors = [f"{tensor.dtype.name}{_shape(tensor.shape)}" for tensor in operation.outputs]
    return f"{operation.name} {', '.join(tensors)}".rstrip()


def _shape(shape: Any) -> str:
    if shape.rank is None:
        return " of unknown shape"
    return f"[{', '.join('?' if size is None else str(size) for size in shape.as_list())}]"


def _require_nodes(graph: Any, names: Sequence[str], path: Path) -> None:
    known = {node.name for node in graph.node}
    for name in names:
        if name not in known:
            hint = "give the node's name, without `:0`" if ":" in name else f"such as {_ends(graph)}"
            raise UsageError(f"{path}: the graph has no node {name!r}; {hint}")


def _ends(graph: Any) -> str:
    """The nodes that no other one reads, but for those that save, initialize or train."""
    read = {name.lstrip("^").partition(":")[0] for node in graph.node for name in node.input}
    ends = [
        node.name
        for node in graph.node
        if node.name not in read and node.op not in _NO_OUTPUTS and not node.name.startswith(("save/", "gradients"))
    ]
    return ", ".join(ends[:_SHOWN]) + (", …" if len(ends) > _SHOWN else "") if ends else "the one that predicts"


@contextmanager
def _explaining(source: Path) -> Iterator[None]:
    """Turns what TensorFlow raises for unfit files into one line."""
    try:
        yield
    except (ValueError, RuntimeError, AssertionError, TypeError, KeyError, tensorflow().errors.OpError) as error:
        message = str(getattr(error, "message", None) or error).strip().partition("\n")[0]
        raise UsageError(f"{source}: {message}") from error
