"""TensorFlow's symbols, values and objects, as the interpreter meets them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tf_migrate import facts
from tf_migrate.interpreter.builtins import NAMED_BY_TEXT
from tf_migrate.interpreter.core import is_none
from tf_migrate.interpreter.expressions import is_session
from tf_migrate.interpreter.imports import Imports
from tf_migrate.interpreter.values import (
    ABSENT,
    DATA,
    NONE,
    Arguments,
    Bound,
    Const,
    External,
    Function,
    Generator,
    Instance,
    Items,
    Method,
    Native,
    Node,
    Opaque,
    Partial,
    Table,
    Thing,
    Unknown,
    Value,
    Wrapped,
    items_of,
    options,
)
from tf_migrate.names.origins import canonical
from tf_migrate.semantics import object_checkpoints
from tf_migrate.semantics.effects import Effect, effect
from tf_migrate.semantics.estimators import MODES
from tf_migrate.semantics.keras_layers import LAYER, KerasLayers
from tf_migrate.semantics.sessions import PYTHON_VERSION, TENSORFLOW_VERSION
from tf_migrate.syntax.run_texts import reads_as_run, runs_by_fetches

DEBUGGED = "session.debugged"
"""Marks calls of a debugger of sessions behind which the migrated program does not go on."""
_PACKAGES = frozenset(
    ("tf.contrib", "tf.python", "tf.compat", "tensorflow.python", "tensorflow.core", "tensorflow.contrib")
)
_DESCRIBING = frozenset(
    [
        "shape",
        "dtype",
        "name",
        "device",
        "graph",
        "get_shape",
        "set_shape",
        "consumers",
        "node_def",
        "type",
        "inputs",
        "outputs",
        "control_inputs",
        "value_index",
        "rank",
        "ndims",
        "initial_value",
        "from_proto",
        "to_proto",
        "constraint",
        "trainable",
        "is_compatible_with",
    ]
)
_ASSIGNING = frozenset(
    [
        "assign",
        "assign_add",
        "assign_sub",
        "scatter_add",
        "scatter_sub",
        "scatter_mul",
        "scatter_div",
        "scatter_min",
        "scatter_max",
        "scatter_update",
        "batch_scatter_update",
        "scatter_nd_add",
        "scatter_nd_sub",
        "scatter_nd_update",
        "count_up_to",
    ]
)
_READING = frozenset(
    [
        *("as_tensor", "gather_nd", "get_next", "initialized_value", "is_initialized"),
        *("read_value", "sparse_read", "value"),
    ]
)
_DEQUEUING = frozenset(("dequeue", "dequeue_many", "dequeue_up_to"))
"""What gives elements of a queue, of one too that `tf.train.input_producer` made."""
TAKING = _DEQUEUING | {"get_next"}
"""What takes elements of a queue or an iterator away: the next run gets others."""
_ARRANGING = frozenset(
    [
        *("close", "concat", "gather", "grad", "identity", "read", "scatter", "size", "split", "stack", "unstack"),
        *("bounding_shape", "nested_row_lengths", "nested_value_rowids", "nrows", "row_lengths", "row_limits"),
        *("row_starts", "to_sparse", "to_tensor", "value_rowids", "with_flat_values", "with_row_splits_dtype"),
        *("with_values", "write"),
    ]
)
"""What arrays of tensors, ragged and sparse tensors build of themselves."""
_BUILDING = _READING | _DEQUEUING | _ARRANGING
_CALLABLE = Function | Bound | Partial


class GraphValues(KerasLayers, Imports):
    """What TensorFlow's symbols do."""

    custom_getters = False

    # -- symbols --

    def external_attribute(self, origin: str, name: str) -> Value:
        """An attribute of a library's symbol."""
        if origin == "tf" and name in ("__version__", "VERSION"):
            return Const(TENSORFLOW_VERSION)
        if origin == "sys" and name == "version_info":
            return self.items("tuple", [Const(part) for part in PYTHON_VERSION])
        if origin == "tf" or origin.startswith(("tf.", "tensorflow.", "compat")):
            if effect(origin).name == "flags" and name == "FLAGS":
                return Thing("data", "flags")
            if origin == "tf.estimator.ModeKeys" and name in MODES:
                return Const(MODES[name])
            found = canonical(self.index.attribute(origin, name) or f"{origin}.{name}")
            if origin == "tf" and not facts.is_recorded(found) and found not in _PACKAGES:
                return ABSENT  # TensorFlow 1.15 had it no more
            return External(found)
        return External(f"{origin}.{name}")

    def call_external(self, origin: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a symbol of a library."""
        if not origin.startswith(("tf.", "tensorflow.", "compat.", "keras")):
            found = self.call_standard(origin, arguments, node)
            if found is not None:
                return found
            if any(is_session(option) for value in arguments.all() for option in options(value)):
                self.problem(
                    "session-given",
                    node,
                    f"the session is given to `{origin}`",
                    "run what it needs beside the call, or keep this program on the bridge",
                )
            return self.call_library(arguments, node, origin)
        self.recorder.symbols[node].add(origin)
        self.heap.acts()
        if _is_given(arguments, "seed"):
            self.recorder.repeated.add(node)
        self.custom_getters = self.custom_getters or _is_given(arguments, "custom_getter")
        row = effect(origin)
        handler: Callable[[str, Effect, Arguments, ast.AST], Value] | None
        handler = getattr(self, f"_effect_{row.name}", None)
        return (
            self._effect_tensor(origin, row, arguments, node)
            if handler is None
            else handler(origin, row, arguments, node)
        )

    def _has_other_graphs(self) -> bool:
        """Whether a module that has been executed makes graphs, or begins the default one anew."""
        modules = [frame.module for frame in self.modules.values()]
        names = {name for module in modules for name in (*module.attributes, *module.loads)}
        return not names.isdisjoint(("Graph", "reset_default_graph"))

    def _effect_tensor(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        last = origin.rpartition(".")[2]
        self.call_functions(arguments, node)
        if last[:1].isupper() and last not in (
            "Assert",
            "Print",
            "SparseTensor",
            "SparseTensorValue",
            "LSTMStateTuple",
        ):
            self.builds(node)
            return Thing("object", origin, node)
        return self.node("tensor", origin, node)

    def call_functions(self, arguments: Arguments, node: ast.AST) -> None:
        """Calls the program's functions that TensorFlow is given, as it calls them while it builds."""
        for value in arguments.all():
            for option in options(value):
                inner = items_of(option) if isinstance(option, Items) else ()
                for one in (option, *inner):
                    self.call_given(one, node)

    def call_given(self, value: Value, node: ast.AST) -> Value:
        """Calls one function of the program with tensors."""
        function = value.function if isinstance(value, Bound | Partial) else value
        if isinstance(value, Instance):
            method = self.attribute(value, "__call__", node)
            if not isinstance(method, Bound):
                return DATA
            value, function = method, method.function
        if not isinstance(value, _CALLABLE) or not isinstance(function, Function):
            return DATA
        spec = function.node.args
        count = len(spec.posonlyargs) + len(spec.args) - len(function.defaults)
        count -= isinstance(value, Bound)
        if isinstance(value, Partial):
            count -= len(value.arguments.positional) + len(value.arguments.keywords)
        given = tuple(self.node("tensor", "argument", node) for _ in range(max(0, count)))
        found, log = self.heap.attempt(lambda: self.call(value, Arguments(given), node))
        self.heap.merge([log])
        return found

    def _effect_control(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        for value in arguments.all():
            inner = [*items_of(value)] if isinstance(value, Items) else []
            inner += [part for pair in self.pairs(value) for part in pair] if isinstance(value, Table) else []
            for one in (value, *inner):
                for part in (one, *(items_of(one) if isinstance(one, Items) else ())):
                    self.call_given(part, node)
        return self.node("tensor", origin, node)

    def _effect_python_function(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        function = arguments.get(0, "func")
        if function is not None:
            self._running_later(function)
        return self.node("tensor", origin, node)

    def _running_later(self, function: Value) -> None:
        code = function.function if isinstance(function, Bound | Partial) else function
        if isinstance(code, Function):
            self.recorder.escaped.add(code.node)

    def _effect_describe(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        if origin.startswith("tf.test.main"):
            return NONE
        return Thing("data", origin, node)

    def _effect_flags(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return DATA

    def _effect_object(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        if row.detail in ("queue", "table", "reader") or origin.endswith(".DropoutWrapper"):
            self.builds(node)
        return Thing(row.detail, origin, node)

    def _effect_context(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return Thing("context", origin, node)

    def _effect_built_context(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.builds(node)
        return Thing("context", origin, node)

    def _effect_event_writer(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.builds(node)
        return Thing("event_writer", origin, node)

    def _effect_operations(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return self.list_of("operation", origin, node, self.graph)

    def _effect_variable(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.call_functions(arguments, node)
        # What a custom getter gives may be any tensor.
        return self.node("tensor" if self.custom_getters and "get_variable" in origin else "variable", origin, node)

    def _effect_placeholder(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        made = self.node("placeholder", origin, node)
        made.default = row.detail == "default"
        return made

    def _effect_operation(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        given = [option for value in arguments.all() for option in options(value)]
        initializes = given and all(isinstance(each, Node) and each.kind == "initializer" for each in given)
        return self.node("initializer" if initializes else "operation", origin, node)

    def _effect_initializer(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return self.node("initializer", origin, node)

    def _effect_assignment(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return self._assignment(origin, arguments.all(), node)

    def _assignment(self, origin: str, values: Sequence[Value], node: ast.AST) -> Value:
        made = self.node("assignment", origin, node)
        made.at_once = all(
            option.kind == "variable" for value in values for option in options(value) if isinstance(option, Node)
        )
        return made

    def _effect_seed(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.recorder.repeated.add(node)
        if self._has_other_graphs():
            self.builds(node)  # the seed is that of one graph alone
        return NONE

    def _effect_register(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.builds(node)
        return NONE

    def _effect_collection(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self._asks_outermost(node)
        return self.from_collection(arguments, origin, node, self.graph)

    def _asks_outermost(self, node: ast.AST) -> None:
        """What the default graph of a program holds that has others: its store is there where something builds."""
        if len(self.graphs) == 1 and self._has_other_graphs():
            self.builds(node)

    def _effect_variables(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self._asks_outermost(node)
        return self.list_of("variable", origin, node, self.graph)

    def _effect_dataset(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.builds(node)
        if row.detail == "iterator":
            self.recorder.repeated.add(node)
        return Thing(row.detail or "dataset", origin, node)

    def _effect_decorator(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        first = arguments.positional[0] if arguments.positional else DATA
        if isinstance(first, Function):
            return first

        def decorate(inner: Arguments, _: ast.AST) -> Value:
            function = inner.positional[0] if inner.positional else DATA
            if origin == "tf.RegisterGradient":
                self._running_later(function)
            return function

        return Native("decorator", decorate)

    def _effect_template(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        function = arguments.get(1, "func_")
        if function is None:
            return DATA
        skipped = ("name_", "func_", "create_scope_now_", "unique_name_", "custom_getter_")
        keywords = tuple((name, value) for name, value in arguments.keywords if name not in skipped)
        return Partial(function, Arguments((), keywords))

    def _effect_optimizer(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        return Thing("optimizer", origin, node)

    def _effect_app_run(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        main = arguments.get(0, "main")
        script = self.modules.get(self.script)
        if (main is None or is_none(main)) and script is not None:
            main = script.slots.get("main")
        return DATA if main is None else self.call(main, Arguments((DATA,)), node)

    def _effect_debugger(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        """A debugger of sessions behind an option: steps have none, and the migrated program says so there."""
        statement = self.frame.statements[-1] if self.frame.statements else None
        alone = isinstance(statement, ast.Assign | ast.Expr) and statement.value is node
        if not alone or not self.is_optional:
            return self._effect_unsupported(origin, Effect("unsupported", "debuggers"), arguments, node)
        self.recorder.symbols[node].add(DEBUGGED)
        self.ends = True
        return arguments.get(0, "sess") or NONE

    def _effect_unsupported(self, origin: str, row: Effect, arguments: Arguments, node: ast.AST) -> Value:
        self.problem(
            row.detail, node, f"`{origin}` has no form in steps", "it stays on the bridge, where it works as before"
        )
        self.call_functions(arguments, node)
        last = origin.rpartition(".")[2]
        if "Session" in last or last == "managed_session":
            return self.session(origin, arguments, node)
        if last[:1].isupper():
            return Thing("object", origin, node)
        return self.node("unknown", origin, node)

    # -- values of the graph --

    def node_attribute(self, value: Node, name: str, node: ast.AST) -> Value:
        """An attribute of a value of the graph."""
        if name == "op":
            return value.part("op", "operation")
        if name == "initializer":
            return value.part("initializer", "initializer")
        if name in (
            "shape",
            "dtype",
            "device",
            "type",
            "node_def",
            "control_inputs",
            "value_index",
            "trainable",
            "constraint",
        ):
            return DATA
        if name in ("inputs", "outputs"):
            return value.parts.setdefault(
                name, Node("unknown", value.symbol, node, self.frame, value.time, value.graph)
            )
        if name == "name":
            return value.parts.setdefault("name", Thing("name", value.symbol, node, value))
        if name == "graph":
            return self.seen_graph(value.graph or self.graph, node)
        if name in ("eval", "run", "load") or name in _BUILDING | _DESCRIBING | _ASSIGNING:
            return Method(value, name)
        # Parts of tuples and of sparse tensors: `state.c`, `x.values`.
        return value.part(("attribute", name), "unknown" if value.kind == "unknown" else "tensor")

    def call_method(self, method: Method, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of a library's object or of a value of the graph."""
        owner, name = method.receiver, method.name
        if isinstance(owner, Node):
            return self._call_node(owner, name, arguments, node)
        if isinstance(owner, Thing):
            if owner.kind == "session":
                return self.call_session(owner, name, arguments, node)
            if owner.kind == "monitored":
                return self.call_monitored(owner, name, arguments, node)
            if owner.kind == "supervisor":
                return self.call_supervisor(owner, name, arguments, node)
            if owner.kind == LAYER:
                return self.call_layer_method(owner, name, arguments, node)
            return self._call_thing(owner, name, arguments, node)
        if isinstance(owner, Unknown):
            return self._call_unknown_run(owner, name, arguments, node)
        return self.call_library(arguments, node, name)

    def _call_unknown_run(self, owner: Unknown, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """`x.eval(…)` of what nobody knows: a run, where it is given a session or is fed."""
        feeds = [value for value in arguments.all() if isinstance(value, Table) and self.holds_graph(value)]
        if feeds or any(is_session(option) for value in arguments.all() for option in options(value)):
            made = Node("unknown", name, node, self.frame, self.heap.tick(), self.graph)
            return self.evaluated(made, name, arguments, node)
        return self.call_unknown(owner, arguments, node)

    def call_unknown(self, callee: Value, arguments: Arguments, node: ast.AST) -> Value:
        """Calls what nobody knows: in a function that no script calls, `model.sess.run(y, feed_dict=feeds)` is a run.

        So is `x.eval()`, where its result is used.
        """
        if self.guesses and isinstance(node, ast.Call) and runs_by_fetches(node):
            return self.call_session(Thing("session", "tf.Session", node, self.graph), "run", arguments, node)
        if not self.guesses or not isinstance(node, ast.Call) or not self._evaluates(node):
            return super().call_unknown(callee, arguments, node)
        made = Node("unknown", "eval", node, self.frame, self.heap.tick(), self.graph)
        return self.evaluated(made, "eval", arguments, node)

    def _evaluates(self, node: ast.Call) -> bool:
        """Whether a call reads as `tensor.eval()`, and as nothing that the program itself calls `eval`."""
        module = self.frame.module
        if not reads_as_run(node, ()) or isinstance(module.parents.get(node), ast.Expr):
            return False
        scopes = (scope for frame in self.modules.values() for scope in frame.module.every_scope)
        return not any("eval" in scope.bindings for scope in scopes)

    def _call_node(self, owner: Node, name: str, arguments: Arguments, node: ast.AST) -> Value:
        if name in ("eval", "run"):
            return self.evaluated(owner, name, arguments, node)
        if name == "load":
            self.runs_in(arguments, 1, "session", node)
            return NONE
        if name in _ASSIGNING:
            return self._assignment(name, (owner, *arguments.all()), node)
        if name == "is_initialized":
            return self.call_external("tf.is_variable_initialized", Arguments((owner, *arguments.all())), node)
        if name in _BUILDING:
            return self.node("tensor", name, node)
        return DATA

    # -- objects of TensorFlow --

    def thing_attribute(self, thing: Thing, name: str, node: ast.AST) -> Value:
        """An attribute of a library's object."""
        if thing.kind == "session":
            return self.session_attribute(thing, name, node)
        if thing.kind in ("monitored", "run_context"):
            return self.monitored_attribute(thing, name, node)
        if thing.kind == "supervisor":
            return self.supervisor_attribute(thing, name, node)
        if thing.kind == LAYER:
            return self.layer_attribute(thing, name, node)
        if thing.kind in ("data", "name"):
            return Thing("data", f"{thing.origin}.{name}", node) if thing.origin != "flags" else DATA
        if thing.kind == "config":
            found = Thing("config", thing.origin, node)
            self.heap.write(thing, name, found)
            return found
        if thing.kind == object_checkpoints.CHECKPOINT and name == "save_counter":
            return self._kept(thing, name, "variable", node)
        if thing.kind == object_checkpoints.MANAGER and name in ("latest_checkpoint", "checkpoints", "directory"):
            return DATA
        if thing.kind == "context" and name in ("name", "original_name_scope"):
            return DATA
        if thing.kind == "dataset" and name in ("output_types", "output_shapes", "output_classes"):
            return DATA
        if thing.kind == "table" and name in ("init", "initializer"):
            return self._kept(thing, name, "initializer", node)
        if thing.kind == "queue" and name in ("queue_ref", "name", "names", "dtypes", "shapes"):
            return DATA
        if thing.kind == "iterator" and name == "initializer":
            return self._kept(thing, name, "operation", node)
        if thing.kind == "cell" and name in ("state_size", "output_size"):
            return DATA
        return Method(thing, name)

    def _kept(self, thing: Thing, name: str, kind: str, node: ast.AST) -> Value:
        made = self.node(kind, f"{thing.origin}.{name}", node)
        self.heap.write(thing, name, made)
        return made

    def _call_thing(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        kind = owner.kind
        if kind == "namespace":
            return self._call_namespace(owner, name, arguments, node)
        if kind == "optimizer":
            return self._call_optimizer(owner, name, arguments, node)
        if kind == "event_writer":
            return Thing("context", name, node) if name.endswith("as_default") else self.node("operation", name, node)
        if kind == "saver":
            return self.call_saver(name, arguments, node)
        if kind in object_checkpoints.KINDS:
            return self.call_checkpoint(owner, name, arguments, node)
        if kind == "model_builder":
            return self.call_model_builder(name, arguments, node)
        if kind == "graph":
            return self.call_graph(owner, name, arguments, node)
        if kind == "dataset":
            self.builds(node)
            if name == "make_one_shot_iterator":
                self.recorder.repeated.add(node)
            if name in ("make_one_shot_iterator", "make_initializable_iterator"):
                return Thing("iterator", name, node)
            for value in arguments.all():
                self._running_later(value)
            return Thing("dataset", name, node)
        if kind == "iterator":
            if name == "make_initializer":
                return self.node("operation", name, node)
            return self.node("tensor", name, node)
        if kind in ("queue", "table"):
            updates = name in ("enqueue", "enqueue_many", "close", "put", "insert", "clear")
            return self.node("operation" if updates else "tensor", f"{owner.origin}.{name}", node)
        if kind == "average":
            return self.node("operation" if name == "apply" else "tensor", name, node)
        if kind == "external_optimizer":
            return self.call_external_optimizer(name, arguments, node)
        if kind in ("writer", "coordinator", "config", "run_context", "hook"):
            if kind == "writer" and name == "add_session_log":
                return NONE
            return DATA
        if kind == "context" and name in ("reuse_variables", "set_regularizer", "set_initializer"):
            return NONE
        if kind in ("data", "name"):
            return self.call_library(arguments, node, f"{owner.origin}.{name}")
        if kind in ("initializer", "regularizer", "constraint"):
            return self.node("tensor", owner.origin, node)
        if kind == "entered_session" and isinstance(owner.inner, Thing) and name in ("__enter__", "__exit__"):
            if name == "__exit__":
                return self.call_session(owner.inner, name, arguments, node)
            self.default_sessions.append(owner.inner)
            return owner.inner
        if kind == "entered_graph" and isinstance(owner.inner, Thing) and name in ("__enter__", "__exit__"):
            return self._enter_graph(owner.inner, node) if name == "__enter__" else self._exit_graph(owner.inner, node)
        if kind in ("thread", "callable", "entered_graph", "entered_session"):
            return DATA
        self.call_functions(arguments, node)
        return self.node("unknown" if kind == "object" else "tensor", f"{owner.origin}.{name}", node)

    def _enter_graph(self, graph: Thing, node: ast.AST) -> Thing:
        """Enters a graph, by `with` or by its context's `__enter__`."""
        self.enters(node)
        self.graphs.append(graph)
        return graph

    def _exit_graph(self, graph: Thing, node: ast.AST) -> Value:
        """`context.__exit__(...)`, of what entered a graph."""
        self.enters(node)
        if self.graphs[-1] is graph and len(self.graphs) > 1:
            self._leave_graph()
        return NONE

    def _call_namespace(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls a method of the dictionary of an object's attributes."""
        if name != "update" or owner.inner is None:
            return DATA
        for value in arguments.positional:
            for key, item in self.pairs(value) if isinstance(value, Table) else ():
                if isinstance(key, Const):
                    self.store_attribute(owner.inner, str(key.value), item, node)
            known = isinstance(value, Table) and "rest" not in value.slots
            if not known and isinstance(owner.inner, Instance):
                owner.inner.open = True
        for key_, item in arguments.keywords:
            self.store_attribute(owner.inner, key_, item, node)
        return NONE

    def _call_optimizer(self, owner: Thing, name: str, arguments: Arguments, node: ast.AST) -> Value:
        if name in ("minimize", "apply_gradients"):
            self.call_functions(arguments, node)
            return self.node("operation", f"{owner.origin}.{name}", node)
        if name in ("get_slot_names", "get_name", "variables"):
            return DATA
        return self.node("tensor", f"{owner.origin}.{name}", node)

    def call_thing(self, thing: Thing, arguments: Arguments, node: ast.AST) -> Value:
        """Calls an object of a library."""
        if thing.kind == "data" and thing.origin == NAMED_BY_TEXT and isinstance(node, ast.Call):
            self.recorder.unnamed[node] = self.frame.module
            self.recorder.unresolved.add(node)
            self.call_library(arguments, node, thing.origin)
            return Unknown("an object of what a text names", node)
        if thing.kind == "data":
            return self.call_library(arguments, node, thing.origin)
        if thing.kind in ("session", "monitored", "graph", "saver", "writer", "config", "hook", "scaffold"):
            return DATA
        if thing.kind == "restorer":
            return self.call_saver("restore", arguments, node)
        if thing.kind == LAYER:
            return self.call_layer(thing, arguments, node)
        if thing.kind == "context" and arguments.positional and isinstance(arguments.positional[0], Function):
            return arguments.positional[0]  # a context manager as a decorator
        self.call_functions(arguments, node)
        if thing.kind == "callable":
            self.runs(node)
            return DATA
        return self.node("tensor" if thing.kind != "object" else "unknown", thing.origin, node)

    # -- contexts --

    def enter(self, value: Value, node: ast.expr) -> tuple[Value, Callable[[], None]]:
        """What a context manager gives, and what leaves it."""
        if isinstance(value, Thing):
            if value.kind == "session":
                return self.enter_session(value, node)
            if value.kind == "monitored":
                return value, lambda: self.leave_monitored(value, node)
            if value.kind == "managed_session" and value.inner is not None:
                return value.inner, lambda: self.leave_managed(node)
            if value.kind == "entered_graph" and isinstance(value.inner, Thing):
                return self._enter_graph(value.inner, node), self._leave_graph
            if value.kind == "entered_session" and isinstance(value.inner, Thing):
                return self.enter_default_session(value.inner)
            return value, _nothing
        if isinstance(value, Wrapped) and value.kind == "entered" and isinstance(value.function, Generator):
            found = value.function.run()
            return (found[0] if found else DATA), _nothing
        if isinstance(value, Instance):
            method = self.attribute(value, "__enter__", node)
            if isinstance(method, Bound):
                entered = self.call(method, Arguments(), node)
                leave = self.attribute(value, "__exit__", node)
                return entered, lambda: self._leave(leave, node)
            return value, _nothing
        return (value if isinstance(value, Opaque | Unknown | Node) else DATA), _nothing

    def goes_on(self, value: Value) -> bool:
        """Whether a program may go on behind a context manager's block that ended with an error: the end of input."""
        return isinstance(value, Thing) and value.kind in ("managed_session", "monitored")

    def _leave(self, method: Value, node: ast.expr) -> None:
        if isinstance(method, Bound):
            self.call(method, Arguments((NONE, NONE, NONE)), node)

    def _leave_graph(self) -> None:
        self.graphs.pop()


def _is_given(arguments: Arguments, keyword: str) -> bool:
    """Whether a call is given something by a keyword."""
    given = [value for name, value in arguments.keywords if name == keyword]
    return any(not is_none(value) for value in given)


def _nothing() -> None:
    """Leaves a context that changes nothing here."""
