"""Names of variables that TensorFlow 1 may have changed, because an operation or a scope of the graph had them already.

It made all names of a graph unique, whatever their case; natively only variables and scopes are counted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.names.run_sites import COUNTING
from tf_migrate.stages.partials import symbol_called
from tf_migrate.stages.program import Program
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument

_BY_NAME = 5
"""The place of the name among the arguments of `tf.Variable`."""
_MAKING = frozenset({"tf.Variable", "tf.get_variable"})
_NAMES = ("name", "op")
_SCOPES = frozenset({"tf.name_scope", "tf.variable_scope", "tf.variable_op_scope", "tf.op_scope"})
_OF_OPERATORS = """
add and floordiv greater greaterequal invert less lessequal matmul mod mul neg or pow stridedslice sub truediv xor
"""
_BY_DEFAULT = {
    "constant": "const",
    "divide": "truediv",
    "embedding_lookup_sparse": "embeddinglookupsparse",
    "gather": "gatherv2",
    "get_or_create_global_step": "globalstep",
    "global_variables_initializer": "init",
    "group": "groupdeps",
    "initialize_all_variables": "init",
    "multiply": "mul",
    "Saver": "save",
    "sigmoid_cross_entropy_with_logits": "logisticloss",
    "softmax_cross_entropy_with_logits_v2": "softmaxcrossentropywithlogits",
    "subtract": "sub",
    "top_k": "topkv2",
    "where": "select",
}
"""Names of operations that the names of their functions do not tell."""


def counted(name: str) -> str:
    """What names have in common that may be one: their letters, small, and digits."""
    return name.replace("_", "").lower()


def names_of_operations(program: Program, making: frozenset[ast.Call]) -> frozenset[str]:
    """The names, as `counted`, that operations and scopes are given or may get by default, but for those of variables.

    Texts that are given to functions of TensorFlow count, whatever they are; where a name is computed, so do all texts
    of the module, but for keys.
    """
    found = set(_OF_OPERATORS.split())
    computed = False
    for call in program.calls:
        symbol = symbol_called(program.names, call) if call not in making else None
        if symbol is None:
            continue
        found |= {counted(text) for text in _texts_given(call)}
        computed = computed or any(word.arg == "name" and not _is_written(word.value) for word in call.keywords)
        if symbol in _MAKING or symbol in COUNTING:
            continue
        word = symbol.rpartition(".")[2]
        found |= {counted(word), counted(word.removeprefix("reduce_")), _BY_DEFAULT.get(word, "")}
        if word.startswith("reduce_"):
            found.add("const")
    return frozenset(found.union(map(counted, _texts_beside(program, making)) if computed else ()))


def require_own_names(program: Program) -> None:
    """Refuses variables that functions make under a name that TF1 may have changed, where something goes by names."""
    units = [unit for unit in program.units if unit.makers]
    asked = any(word in program.module.attributes for word in _NAMES) or any(unit.lists for unit in program.units)
    if not units or not (asked or program.saves or program.listed):
        return
    made = {call for unit in units for call in unit.makers if program.names.resolve(call.func) in _MAKING}
    others = names_of_operations(program, frozenset(made))
    for call in sorted(made, key=lambda call: call.lineno):
        name = _name_of(program, call)
        if name is not None and counted(name) in others:
            what = f"another operation may have the name `{name}`, so TF1 may have changed it"
            raise Refused(call, what, "rename one")
        if program.names.resolve(call.func) == "tf.Variable":
            _require_own_scopes(program, call, frozenset(made))


def _require_own_scopes(program: Program, call: ast.Call, made: frozenset[ast.Call]) -> None:
    """Refuses a scope that names a variable, where an operation or a scope elsewhere may have its name."""
    module = program.module
    if call not in module.parents:
        return
    scopes = {other: name for other in program.calls if (name := _scope_name(program, other)) is not None}
    around = [item.context_expr for block in module.around(call) if isinstance(block, ast.With) for item in block.items]
    own = [item for item in around if isinstance(item, ast.Call) and item in scopes]
    operations = names_of_operations(program, made | scopes.keys()) if own else frozenset()
    for scope in own:
        name = scopes[scope]
        home = module.function_of(scope)
        elsewhere = any(
            counted(other) == counted(name) and module.function_of(node) is not home for node, other in scopes.items()
        )
        if elsewhere or counted(name) in operations:
            raise Refused(
                scope,
                f"something else may have the name of the scope `{name}`, so TF1 may have numbered it",
                "rename one",
            )


def _scope_name(program: Program, call: ast.Call) -> str | None:
    """The name of a scope that a call opens, as it is written out; None where it opens none, or of another name."""
    if program.names.resolve(call.func) not in _SCOPES or not call.args:
        return None
    name = call.args[0]
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None


def _name_of(program: Program, call: ast.Call) -> str | None:
    """The last part of a variable's name; None where it is known only at run time."""
    plain = program.names.resolve(call.func) == "tf.Variable"
    name = argument(call, "name", _BY_NAME if plain else 0)
    if name is None:
        return "Variable" if plain else None
    text = name.value if isinstance(name, ast.Constant) else None
    return text.rpartition("/")[2] if isinstance(text, str) else None


def _is_written(name: ast.expr) -> bool:
    """Whether a name is written out, or None."""
    return isinstance(name, ast.Constant)


def _texts_beside(program: Program, making: frozenset[ast.Call]) -> Iterator[str]:
    """The texts of a module that names may be computed of, but for those of variables."""
    module = program.module
    own = {inner for call in making for inner in ast.walk(call)}
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node in own:
            continue
        around = module.parents.get(node)
        key = isinstance(around, ast.Dict) and any(node is other for other in around.keys)
        if not key and not isinstance(around, ast.Subscript):
            yield from node.value.split("/")


def _texts_given(call: ast.Call) -> Iterator[str]:
    for item in (*call.args, *(word.value for word in call.keywords)):
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            yield from item.value.split("/")
