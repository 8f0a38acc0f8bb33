"""Where a program holds its frozen graph, and that no other graph can take its place there."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tf_migrate.names.exports import Users
from tf_migrate.stages.frozen.places import LEFT, ONCE, Home, Places, opened
from tf_migrate.stages.values import Refused

_DEPTH = 10


@dataclass(frozen=True)
class Holder:
    """How the program reaches the graph: its own name for it, or one that is still to be found.

    `kind` says whose name that is: one of the place where the graph is imported (local, or of the module), an
    attribute of the object, or one that is bound to what the loading function returns in the statement `loaded`.
    """

    kind: Literal["own", "name", "attribute", "returned"]
    text: str | None = None
    loaded: ast.Expr | None = None


class Holding:
    """Finds the place where a module holds the graph, of which other modules may use what `users` tells."""

    def __init__(self, places: Places, users: Users | None) -> None:
        self.places = places
        self.module, self.reader = places.module, places.reader
        self.users = users

    def holder(self, *, anew: bool) -> Holder:
        """What holds the graph; `anew` says that the default one is thrown away before each import."""
        maker, statement = self.reader.maker, self.reader.imported.statement
        if self.places.repeats(statement):
            raise Refused(statement, "the graph is imported in a loop", ONCE)
        if maker is not None:
            return self._own(maker)
        if not anew:
            self._require_once(statement, 0)
        homes = self.places.homes()
        if homes <= {self.places.home} or self.places.home is None:
            return Holder("name")
        if self._is_method(self.places.home):
            owner = self.module.parents[self.places.home]
            if all(home is not None and self.module.parents[home] is owner for home in homes):
                return Holder("attribute")
        return self._returned(homes)

    def _is_method(self, function: Home) -> bool:
        """Whether a function is a method that calls its object `self`."""
        if not isinstance(function, ast.FunctionDef) or not isinstance(self.module.parents[function], ast.ClassDef):
            return False
        return [item.arg for item in function.args.args[:1]] == ["self"] and not function.decorator_list

    def _own(self, maker: ast.Call) -> Holder:
        """The graph that the program made for the import: by name, or for a block only."""
        around = list(self.module.around(self.reader.imported.statement))
        entered = [item for block in around if isinstance(block, ast.With) for item in block.items]
        entered = [item for item in entered if self.places.is_entered(item)]
        target = self.module.parents[maker]
        if isinstance(target, ast.Assign) and len(target.targets) == 1 and target.value is maker:
            key = self.reader.key(target.targets[0])
            texts = [text for item in entered if (text := opened(item)) is not None]
            if not texts or self.reader.key(texts[0]) != key or self.places.home_of(target) is not self.places.home:
                raise Refused(maker, "the graph is imported elsewhere than into the one that the program makes", LEFT)
            if self.places.repeats(target):
                raise Refused(maker, "the graph is made in a loop", ONCE)
            return Holder("own", ast.unparse(target.targets[0]))
        own = next((item for item in entered if maker in ast.walk(item.context_expr)), None)
        if own is None:
            raise Refused(maker, "the graph is imported elsewhere than into the one that the program makes", LEFT)
        return Holder("name") if own.optional_vars is None else Holder("own", ast.unparse(own.optional_vars))

    def _returned(self, homes: set[Home]) -> Holder:
        """The name that a statement shall give to what the loading function returns: it did nothing but import."""
        function, statement = self.places.home, self.reader.imported.statement
        what = "the graph is imported in another function than the one that runs it"
        if not isinstance(function, ast.FunctionDef) or function not in self.module.tree.body:
            raise Refused(statement, what, LEFT)
        last: ast.AST = function
        while isinstance(last, ast.FunctionDef | ast.With):
            last = last.body[-1]
        returns = any(isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) for node in ast.walk(function))
        loads = self.module.loads.get(function.name, [])
        call = self.module.parents[loads[0]] if len(loads) == 1 else None
        loaded = self.module.parents[call] if isinstance(call, ast.Call) and call.func is loads[0] else None
        if last is not statement or returns or not isinstance(loaded, ast.Expr) or not self.places.is_straight(loaded):
            raise Refused(statement, f"{what}, and is not all that `{function.name}` does last", LEFT)
        if not homes <= {self.places.home_of(loaded)} and self.places.home_of(loaded) is not None:
            raise Refused(statement, what, LEFT)
        return Holder("returned", None, loaded)

    def _require_once(self, node: ast.AST, depth: int) -> None:
        """Refuses an import into the default graph that the program may come by again: TF1 gave that other names."""
        again = Refused(node, "the default graph may get the import again, under other names", ONCE)
        statement = self.module.statement_of(node)
        if self.places.repeats(statement) or depth >= _DEPTH:
            raise again
        function = self.places.home_of(statement)
        if function is None:
            return
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            raise again
        owner = self.module.parents[function]
        known = owner.name if isinstance(owner, ast.ClassDef) else function.name
        if self.users is not None and self.users.may_reach(known):
            raise again
        places = self._named_in(function, owner)
        place = places[0] if len(places) == 1 else None
        call = self.module.parents[place] if place is not None else None
        if not isinstance(call, ast.Call) or (place is not call.func and not self._runs_main(call.func)):
            raise again
        self._require_once(call, depth + 1)

    def _named_in(self, function: ast.FunctionDef, owner: ast.AST) -> Sequence[ast.expr]:
        """The expressions that name a function, or its class where making an object calls it."""
        body, loads, attributes = self.module.tree.body, self.module.loads, self.module.attributes
        if isinstance(owner, ast.ClassDef):
            if function.name == "__init__":
                return loads.get(owner.name, []) if owner in body else []
            return attributes.get(function.name, [])
        if function not in body:
            return []
        if function.name not in loads and function.name == "main":
            return [node for node in attributes.get("run", []) if self._runs_main(node)]
        return loads.get(function.name, [])

    def _runs_main(self, node: ast.expr) -> bool:
        return self.reader.names.resolve(node) == "tf.app.run"
