"""What functions are given that are read where they are called: objects, sessions, tensors."""

from __future__ import annotations

import ast
import re
from typing import TypeGuard

from tf_migrate.stages import effects
from tf_migrate.stages.entrances import local_names
from tf_migrate.stages.evaluation import Evaluator
from tf_migrate.stages.handing import Handed, defaults, filled, parameters
from tf_migrate.stages.initialization import Initialization
from tf_migrate.stages.notes import own_name
from tf_migrate.stages.objects import ObjectClass
from tf_migrate.stages.values import Binding, Refused, Stage, Value

_OPERATION = re.compile(r"tf\.nn\.[a-z]\w*")
_PASSED = frozenset({Stage.PLACEHOLDER, Stage.TENSOR})


class Giving(Initialization):
    """Keeps account of the sessions and tensors that calls hand to functions: neither is passed in native code."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.handed: list[Handed] = []

    def given_to(
        self, call: ast.Call, function: ast.FunctionDef, owner: ObjectClass | None
    ) -> dict[str, Value | Binding]:
        """The parameters that hold the object, a session, a tensor or an initializer; all others hold Python values."""
        names = [argument.arg for argument in function.args.args]
        given: dict[str, Value | Binding] = {} if owner is None else {names.pop(0): Value(Stage.PYTHON, owner=owner)}
        for name, argument in filled(call, names):
            passed = None if owner is None else self._passed(argument)
            if passed is not None and name is not None:
                self.require_free(function, name, passed, argument)
                self.handed.append(Handed(call, argument, function, name))
                given[name] = passed
            elif not self.is_session(argument):
                self.require_python(argument)
                if name is not None:
                    given |= self._known(name, argument)
            elif owner is None or name is None:
                raise Refused(argument, "the session is handed to a function", "make it in the function")
            else:
                given[name] = self.hand(call, argument, function, name)
        left = set(names) - {name for name, _ in filled(call, names)}
        for name, default in defaults(function):
            if name in left:
                given |= self._known(name, default)
        return given

    def _known(self, name: str, given: ast.expr) -> dict[str, Value | Binding]:
        """A parameter that holds None, an operation of `tf.nn`, an optimizer's class, or a call of an initializer."""
        symbol = self.evaluator.names.resolve(given) or ""
        if symbol in effects.OPTIMIZERS or _OPERATION.fullmatch(symbol):
            return {name: Value(Stage.PYTHON, symbol=symbol, truth=True, is_none=False)}
        with self.evaluator.aside():
            value = self.evaluator.value(given)
        known = value.node is not None or bool(value.is_none)
        return {name: value} if value.stage is Stage.PYTHON and known else {}

    def defaults_of_all(self, known: ObjectClass) -> dict[str, Value | Binding]:
        """The parameters of a constructor that hold a function of TensorFlow because no call gives them anything."""
        names = parameters(known.constructor, bound=True)
        given = {name for call in known.calls for name, _ in filled(call, names)}
        starred = any(isinstance(item, ast.Starred) for call in known.calls for item in call.args)
        found: dict[str, Value | Binding] = {}
        for name, default in defaults(known.constructor) if not starred and None not in given else ():
            if name not in given and self.evaluator.names.resolve(default) is not None:
                found |= self._known(name, default)
        return found

    def _passed(self, argument: ast.expr) -> Binding | None:
        """A tensor or placeholder that a method takes under a name of its own: of a script, or of another object."""
        binding = self.evaluator.env.get(self.evaluator.key_of(argument) or "")
        if binding is None or binding.value.stage not in _PASSED or binding.value.parts is not None:
            return None
        return binding if binding.attribute is not None or self.is_named(binding) else None

    def require_free(self, function: ast.FunctionDef, name: str, binding: Binding, node: ast.AST) -> None:
        """Refuses a tensor whose own name means something else in a function that knows it as `name`."""
        own = own_name(name, binding)
        if own != name and own in local_names(self.evaluator.module, function):
            what = f"`{name}` of `{function.name}` is `{own}` where it is made, which is another value here"
            raise Refused(node, what, "give one of them another name")

    @staticmethod
    def is_named(binding: Binding) -> bool:
        """Whether a plain name is what a value has where it is made."""
        return isinstance(binding.node, ast.Name)

    def is_session(self, argument: ast.expr) -> TypeGuard[ast.Name]:
        return isinstance(argument, ast.Name) and self.evaluator.lookup(argument).stage is Stage.SESSION

    def is_handed(self, node: ast.expr) -> bool:
        """Whether an expression is nothing but what a call hands to a function."""
        return any(handed.argument is node for handed in self.handed)

    def hand(self, call: ast.Call, argument: ast.Name, function: ast.FunctionDef, name: str) -> Value:
        self.handed.append(Handed(call, argument, function, name))
        return self.evaluator.lookup(argument)

    def sessions_given(self, call: ast.Call, known: ObjectClass) -> dict[str, Value]:
        """The parameters of a constructor that hold a session at a call."""
        names = [argument.arg for argument in known.constructor.args.args[1:]]
        return {
            name: self.hand(call, argument, known.constructor, name)
            for name, argument in filled(call, names)
            if name is not None and self.is_session(argument)
        }

    def given_to_all(self, known: ObjectClass) -> dict[str, Value]:
        """The parameters of a constructor that hold a session at every call; all others hold Python values."""
        start = len(self.handed)
        given = [self.sessions_given(call, known) for call in known.calls]
        if any(names != given[0] for names in given):
            what = f"some objects of `{known.node.name}` get a session, others do not"
            raise Refused(known.place, what, "treat all alike")
        for call in known.calls:
            self.evaluator.making[call] = frozenset(
                handed.argument for handed in self.handed[start:] if handed.call is call
            )
        own = known.constructor.args.args[0].arg
        return {own: Value(Stage.PYTHON, owner=known), **given[0]}
