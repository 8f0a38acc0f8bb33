"""What assignments bind: names get values, new variables get the expressions by which the program reaches them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.gradients import makes_list
from tf_migrate.stages.lists import Listing
from tf_migrate.stages.pairs import is_list_of_variables
from tf_migrate.stages.updates import Gradients
from tf_migrate.stages.values import MOVED, TENSOR, Binding, Refused, Stage, Value, Variable, flatten, one_of
from tf_migrate.syntax.module import bound_as_text

_DEFAULTS = frozenset({Stage.PYTHON, Stage.CONSTANT, Stage.VARIABLE})
_NAMED_TWICE = frozenset({Stage.CONSTANT, Stage.EFFECT, Stage.LAYER, Stage.STATIC, Stage.TENSOR})


class Targets:
    """The targets of assignments; `depth` is the number of blocks around the statement."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.variables: list[Variable] = evaluator.variables
        self.depth = 0
        self.home: ast.FunctionDef | None = None
        self.listed_late: set[ast.stmt] = set()

    def require_python(self, node: ast.expr) -> None:
        """Refuses an expression that holds a part of the graph."""
        value = self.evaluator.value(node)
        if any(part.is_graph for part in flatten([value])):
            raise Refused(node, "a part of the graph is used as a Python value", "keep graph and Python values apart")

    def takes_default(self, node: ast.expr) -> None:
        """The default of a parameter: a Python value, or variables and constants, which stay where they are too."""
        value, reads, _ = self.evaluator.collect(node)
        if any(part.stage not in _DEFAULTS for part in flatten([value])) or self.evaluator.created:
            raise Refused(node, "a part of the graph is used as a Python value", "keep graph and Python values apart")
        self.evaluator.defaults[node] = value, reads

    def taken_lists(self, node: ast.stmt, value: Value, gradients: tuple[Gradients, ...]) -> tuple[Listing, ...]:
        """What a statement lists of the variables of layers: it has to move."""
        lists, self.evaluator.lists = tuple(self.evaluator.lists), []
        named = [item.call for item in lists if item.call not in [taken.call for taken in gradients]]
        within = bool(gradients) and any(call.args or call.keywords for call in named)
        inside = self.depth and not self.lists_in_method(node, value)
        if lists and (inside or value.stage not in MOVED or within):
            raise Refused(node, "the variables of layers are listed inside another expression", "name the list before")
        return lists

    def lists_in_method(self, node: ast.stmt, value: Value) -> bool:
        """Whether a method of the one object of a class asks for collections: they hold what they always hold."""
        known = self.evaluator
        owner = known.methods.get(known.running[-1]) if known.running and self.depth == 1 else None
        plain = isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        own = value.stage is Stage.VARIABLES and value.parts is None and all(listing.is_own for listing in value.listed)
        late = owner is not None and owner.name is not None and plain and own
        self.listed_late.update([node] if late else [])
        return late

    def is_initial(self, node: ast.Assign) -> bool:
        """Whether the value of a statement is what one variable begins with, and nothing else."""
        module, target = self.evaluator.module, node.targets[0]
        loads = module.loads.get(target.id, []) if isinstance(target, ast.Name) and len(node.targets) == 1 else []
        if len(loads) != 1 or module.function_of(loads[0]) is not module.function_of(node):
            return False
        call = module.parents[loads[0]]
        while isinstance(call, ast.BinOp | ast.UnaryOp | ast.keyword):
            call = module.parents[call]
        return isinstance(call, ast.Call) and self.evaluator.names.resolve(call.func) == "tf.Variable"

    def reach(self, target: ast.expr) -> None:
        """What an assignment's target itself evaluates: `x[i] = …` reads `x` and `i`."""
        if isinstance(target, ast.Tuple | ast.List):
            for item in target.elts:
                self.reach(item)
        elif isinstance(target, ast.Starred):
            self.reach(target.value)
        elif isinstance(target, ast.Subscript):
            self.require_python(target.value)
            self.require_python(target.slice)
        elif isinstance(target, ast.Attribute) and self.evaluator.key_of(target) is None:
            self.require_python(target.value)

    def require_named(self, node: ast.Assign, value: Value) -> None:
        """Refuses `a = b = …` of what must not have two names at once: a list could be changed under either."""
        plain = all(self.evaluator.key_of(target) is not None for target in node.targets)
        one = value.stage in _NAMED_TWICE or (value.stage is Stage.VARIABLE and value.parts is None)
        one = one and not makes_list(self.evaluator, node.value)
        if len(node.targets) > 1 and value.is_graph and not (plain and one):
            raise Refused(node, "a part of the graph gets two names at once", "give it one name")

    def read_again(self, target: ast.Name | ast.Attribute | ast.Subscript) -> ast.expr:
        """What `x += …` reads: the target itself, at its place."""
        load: ast.expr
        if isinstance(target, ast.Name):
            load = ast.Name(target.id, ast.Load())
            self.evaluator.module.scopes[load] = self.evaluator.module.scope_of(target)
        else:
            assert isinstance(target, ast.Attribute)
            load = ast.Attribute(target.value, target.attr, ast.Load())
        return ast.copy_location(load, target)

    def store(self, target: ast.expr, value: Value) -> Value:
        """Binds a target to a value and gives the value back, its new variables named."""
        key = self.evaluator.key_of(target)
        if key is not None:
            value = self._first_named(target, self._claim(ast.unparse(target), value))
            self.bind(key, value, target)
        elif isinstance(target, ast.Tuple | ast.List):
            parts = value.parts if value.parts is not None and len(value.parts) == len(target.elts) else None
            if any(variable.unit == self.evaluator.unit for variable in value.variables) and parts is None:
                raise Refused(target, "new variables are unpacked", "give each variable a statement of its own")
            plain = value.items if value.items is not None and len(value.items) == len(target.elts) else None
            named = []
            for index, item in enumerate(target.elts):
                known = parts or plain
                part = known[index] if known is not None else one_of(value)
                if value.stage in MOVED and is_list_of_variables(part):
                    # The statement moves: who reads the name has to move behind it.
                    part = Value(Stage.VARIABLES, variables=part.variables)
                named.append(self.store(item, part))
            return replace(value, parts=tuple(named)) if parts is not None else value
        elif isinstance(target, ast.Starred):
            self.store(target.value, value)
        elif value.is_graph:
            raise Refused(target, "a part of the graph is stored in an object", "bind it to a plain name")
        return value

    def _first_named(self, target: ast.expr, value: Value) -> Value:
        """What a target holds: a placeholder under its first name only, under any other a tensor that is the same."""
        known = self.evaluator.placeholders.get(value.node) if value.node is not None else None
        again = known is not None and known[1].node is not target and value.stage is Stage.PLACEHOLDER
        return replace(TENSOR, node=value.node) if again else value

    def _claim(self, name: str, value: Value) -> Value:
        """Notes the variables that a statement creates, and how the program reaches them."""
        if value.parts is None:
            new = [known for known in value.variables if known.unit == self.evaluator.unit and not known.target]
            if value.stage is not Stage.VARIABLE or not new:
                return value
            variable = replace(new[0], target=name)
            self.variables.append(variable)
            return replace(value, variables=(variable,))
        named = []
        for index, part in enumerate(value.parts):
            new = [variable for variable in part.variables if variable.unit == self.evaluator.unit]
            if new and (part.parts is not None or part.stage is not Stage.VARIABLE):
                raise Refused(new[0].call, "a variable is created inside a nested container", "bind it to a name first")
            if new:
                key = value.keys[index] if value.keys is not None else index
                source = ast.Constant(key) if isinstance(key, str | int) else key
                assert isinstance(source, ast.expr)
                variable = replace(new[0], target=name, key=source)
                self.variables.append(variable)
                part = replace(part, variables=(variable,))
            named.append(part)
        variables = tuple(variable for part in named for variable in part.variables)
        return replace(value, parts=tuple(named), variables=variables)

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """Binds a name to a value."""
        home = None if "." in name else self.home
        anew = self.evaluator.module.bound_globally.get(name)
        if anew is not None and home is None and value.is_graph:
            raise Refused(anew, f"`{name}`, a part of the graph, may be bound anew here", "give the other value a name")
        attribute = name if "." in name else None
        depth = self.depth_of(value, node)
        self.evaluator.env[name] = bound = Binding(value, self.evaluator.unit, depth, node, home, attribute)
        if any(item.text is not None for item in value.items or ()):
            self.evaluator.written.append((name, bound))
        alone = value.stage is Stage.PLACEHOLDER and value.parts is None and value.iteration is None
        if alone and value.node is not None:
            self.evaluator.placeholders.setdefault(value.node, (name, bound))
        for variable in value.variables:
            if variable.unit == self.evaluator.unit:
                self.evaluator.bound.setdefault(variable.call, (name, bound))

    def depth_of(self, value: Value, node: ast.AST) -> int:
        """The number of blocks around a binding of a value."""
        return self.depth

    def names_of(self, targets: Iterable[ast.AST]) -> Iterator[str]:
        """The names, and attributes of objects, that the targets of an assignment bind, in order."""
        for target in targets:
            for inner in ast.walk(target):
                if not isinstance(getattr(inner, "ctx", None), ast.Load | None):
                    key = self.evaluator.key_of(inner)
                    if key is not None:
                        yield key

    def bound_by(self, node: ast.AST) -> set[str]:
        """The names, and attributes of objects, that are bound or deleted anywhere inside a node."""
        return set(self.names_of([node])) | ({name for name, _ in bound_as_text(node)} & self.evaluator.env.keys())


def bound_in(node: ast.AST) -> set[str]:
    """The names that are bound or deleted anywhere inside a node."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)}
