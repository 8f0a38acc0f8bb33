"""The names of what is frozen: those that TensorFlow 1 gave, which who reads the file knows."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence

from tf_migrate import facts
from tf_migrate.planning.operation_names import counted, names_of_operations
from tf_migrate.stages.effects import GRAPH_SEEDS
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.runs import Run
from tf_migrate.stages.slices import Slice
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument

_STEP = 'give it a name that nothing else has: `tf.identity(y, name="output")`'
_NAMES = """
    abs add add_n arg_max argmax clip_by_value div divide exp expand_dims greater identity log matmul maximum
    minimum multiply negative nn.avg_pool nn.bias_add nn.conv2d nn.elu nn.l2_normalize nn.leaky_relu nn.log_softmax
    nn.max_pool nn.relu nn.relu6 nn.sigmoid nn.softmax nn.softplus nn.tanh nn.xw_plus_b pow reduce_max reduce_mean
    reduce_sum reshape round sigmoid sqrt square squeeze stack subtract tanh transpose truediv
"""
NAMED_AFTER = frozenset(f"tf.{name}" for name in _NAMES.split())
"""What gives the operation that computes its result the very name that it is given."""
_OTHERS = """
    argmin cast concat constant contrib.layers.flatten cos equal floor gather layers.average_pooling2d layers.conv2d
    layers.dense layers.flatten layers.max_pooling2d less nn.depthwise_conv2d nn.dropout nn.embedding_lookup nn.lrn
    nn.selu one_hot ones_like pad reduce_min reduce_prod rsqrt shape sign sin slice tensordot tile to_float to_int32
    zeros_like
"""
MEASURED = NAMED_AFTER | frozenset(f"tf.{name}" for name in _OTHERS.split())
"""What is computed by operations that TensorFlow 1.15.5 has: tests freeze each and read it there."""
_BESIDE = frozenset({"tf.Variable", "tf.get_variable", "tf.name_scope", "tf.placeholder", "tf.variable_scope"})
_TYPES = frozenset(f"tf.{name}" for name in ("bool", "float32", "float64", "int32", "int64", "uint8"))


def require_names(program: Program, run: Run, found: Slice) -> None:
    """Refuses what is frozen unless inputs and outputs have their names in both, and the graph computes the same."""
    node = run.site.node
    if program.names.index.imports_tf1(program.module.name):
        raise Refused(node, "other modules may give operations the names of what is frozen", "build it in one module")
    if any(unit.averages or unit.in_place for unit in found.units) or run.updates:
        raise Refused(node, "what is frozen moves averages", "freeze what does not train")
    if any(leaf.value.several or leaf.value.parts for leaf in run.leaves):
        raise Refused(node, "one of the outputs is several tensors", "freeze each by a name")
    seeds = any(use.symbol in GRAPH_SEEDS for use in program.names.uses)
    if any(leaf.value.random for leaf in run.leaves) and (seeds or any(unit.seeded for unit in found.units)):
        raise Refused(
            node, "what is frozen draws seeded random numbers, and its operations are others now", "draw none"
        )
    _require_measured(program, found)
    if not found.parameters:
        raise Refused(node, "what is frozen has no inputs", "freeze what has a placeholder")
    for unit in found.parameters:
        _require_input(program, unit)
    for name, call in run.freezes:
        if program.names.resolve(call.func) not in NAMED_AFTER:
            raise Refused(call, f"the operation of `{name}` may have another name", _STEP)
        statement = program.module.statement_of(call)
        _require_alone(program, next(unit for unit in program.units if unit.node is statement), call, name)


def _require_measured(program: Program, found: Slice) -> None:
    """Refuses what may be computed by operations that TensorFlow 1 lacks."""
    inside = set(_inside(program, [unit.node for unit in found.units]))
    for use in program.names.uses:
        known = use.symbol in MEASURED | _BESIDE | _TYPES or use.symbol.endswith("_initializer")
        if use.node in inside and not known:
            what = f"TensorFlow 1 may lack what `{use.symbol}` becomes, and would not read what is frozen"
            raise Refused(use.node, what, "compute it by other operations, or keep this program on the bridge")


def _inside(program: Program, nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All that stands in statements, and in the functions of the module that they mention."""
    functions: dict[str, list[ast.AST]] = {}
    for function in program.module.functions:
        if isinstance(function, ast.FunctionDef):
            functions.setdefault(function.name, []).append(function)
    pending, seen = list(nodes), set(nodes)
    while pending:
        for node in ast.walk(pending.pop()):
            yield node
            word = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            found = [function for function in functions.get(word, ()) if function not in seen]
            pending += found
            seen.update(found)


def _require_input(program: Program, unit: Unit) -> None:
    """Refuses an input that has no name, or a value of its own."""
    if unit.value.default is not None or unit.value.iteration is not None:
        raise Refused(unit.node, "an input of what is frozen has a value of its own", "make it a `tf.placeholder`")
    call = unit.node.value if isinstance(unit.node, ast.Assign) else None
    name = argument(call, "name", 2) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        raise Refused(unit.node, "an input of what is frozen has no name that is written out", "name it")
    _require_alone(program, unit, call, name.value)


def _require_alone(program: Program, unit: Unit, call: ast.Call, name: str) -> None:
    """Refuses a name that TF1 may have changed."""
    home = program.home_of(unit.index)
    entered = [function for function in program.entered.values() if function is home]
    if unit.around or unit.chosen or len(entered) > 1 or not name.replace("_", "").isalnum():
        raise Refused(unit.node, f"`{name}` is made in a scope or a branch", "make it outside")
    symbol = (program.names.resolve(call.func) or "").rpartition(".")[2]
    others = names_of_operations(program, frozenset({call})) | {"variable"} | (_kinds() - {counted(symbol)})
    if counted(name) in others or any(name.startswith(start) for start in _starts(program)):
        raise Refused(unit.node, f"something else may have the name `{name}`, so TF1 may have numbered it", _STEP)


@functools.cache
def _kinds() -> frozenset[str]:
    """The names that operations get by their type."""
    return frozenset(
        counted(symbol.rpartition(".")[2]) for symbol in facts.symbols() if symbol.startswith("tf.raw_ops.")
    )


def _starts(program: Program) -> set[str]:
    """What names begin with that are put together of texts."""
    found = set()
    for call in program.module.calls:
        for word in call.keywords if program.names.resolve(call.func) is not None else ():
            if word.arg == "name" and isinstance(word.value, ast.BinOp | ast.JoinedStr | ast.Call):
                texts = (node.value for node in ast.walk(word.value) if isinstance(node, ast.Constant))
                found |= {text.partition("%")[0].partition("{")[0] for text in texts if isinstance(text, str)}
    return found
