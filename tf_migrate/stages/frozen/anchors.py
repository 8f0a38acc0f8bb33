"""Where the functions of a session are made: once it, the graph, and the names of what it runs are known."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tf_migrate.stages.frozen.holding import Holder
from tf_migrate.stages.frozen.places import Places
from tf_migrate.stages.frozen.values import Graph, Tensor
from tf_migrate.stages.values import Refused


class Anchors:
    """Finds the statements behind which functions are made."""

    def __init__(self, places: Places, holder: Holder) -> None:
        self.places = places
        self.module, self.reader = places.module, places.reader
        self.holder = holder

    def anchor(self, session: ast.Call) -> ast.stmt:
        """The statement behind which the functions of a session can be made: once it, graph and names are there."""
        made, home = self.module.statement_of(session), self.places.home_of(session)
        self._require_own_graph(session)
        behind: list[ast.stmt] = [made]
        there = self._loading()
        if self.places.home_of(there) is home and there.lineno > made.lineno:
            behind.append(there)
        for run in self.places.runs:
            if run.session is session:
                tensors = [*run.fetched, *(tensor for tensor, _ in run.feeds)]
                behind += [place for tensor in tensors for place in self._named(tensor, made)]
        last = max(behind, key=lambda node: node.lineno)
        if last is not made and not all(map(self.places.is_straight, (last, made))):
            raise Refused(last, "the session is made before what it runs, in a loop or a condition", "make it behind")
        for run in self.places.runs:
            inside = self.places.home_of(run.site.node) is home and run.session is session
            if inside and last is not made and run.site.node.lineno <= (last.end_lineno or 0):
                raise Refused(run.site.node, "what is run gets its name behind the run", "name it before")
        return last

    def _loading(self) -> ast.stmt:
        """The statement behind which a function has the graph."""
        if self.holder.loaded is not None:
            return self.holder.loaded
        home, statement = self.places.home, self.reader.imported.statement
        if isinstance(home, ast.FunctionDef):
            calls = [call for call in self.module.calls if self.reader.called(call) is home]
            if len(calls) == 1 and self.places.home_of(calls[0]) in self.places.homes():
                return self.module.statement_of(calls[0])
        return statement

    def _require_own_graph(self, session: ast.Call) -> None:
        """Refuses a session of another graph."""
        given = next((word.value for word in session.keywords if word.arg == "graph"), None)
        if session.args or any(word.arg not in ("graph", "config") for word in session.keywords):
            raise Refused(session, "the session is given more than a graph and options", "make it without")
        if self.reader.maker is None:
            return
        value = None if given is None else self.reader.value(given)
        if isinstance(value, Graph) and value.named:
            return
        if self.places.graph_around(session) is None:
            raise Refused(session, "the session is not one of the graph that the program makes", "give it that graph")

    def _named(self, tensor: Tensor, made: ast.stmt) -> Iterator[ast.stmt]:
        """The statement behind which a tensor's name is known, where that is not so from the beginning."""
        if isinstance(tensor.name, ast.Constant):
            return
        for node in ast.walk(tensor.name):
            if not isinstance(node, ast.Name | ast.Attribute | ast.BinOp | ast.Add | ast.Mod | ast.Constant | ast.Load):
                raise Refused(tensor.name, "the name of a tensor is computed", "write it out")
        for name in (node for node in ast.walk(tensor.name) if isinstance(node, ast.Name)):
            yield from self._bound(name, made)
        for node in (node for node in ast.walk(tensor.name) if isinstance(node, ast.Attribute)):
            if any(not isinstance(other.ctx, ast.Load) for other in self.module.attributes[node.attr]):
                raise Refused(node, "the name of a tensor is an attribute that may change", "write it out")

    def _bound(self, name: ast.Name, made: ast.stmt) -> Iterator[ast.stmt]:
        scope = self.module.binding_scope(name)
        if scope is None or len(scope.bindings[name.id]) != 1 or name.id in self.module.bound_globally:
            raise Refused(name, f"`{name.id}`, of a tensor's name, may change", "write the name out")
        home = self.places.home_of(made)
        if scope.node is home or (scope is self.module.root and home is None):
            stores = [node for node in ast.walk(scope.node) if isinstance(node, ast.Name) and node.id == name.id]
            bound = [self.module.statement_of(node) for node in stores if not isinstance(node.ctx, ast.Load)]
            if not all(isinstance(node, ast.Assign) for node in bound):
                raise Refused(name, f"`{name.id}`, of a tensor's name, may change", "write the name out")
            yield from bound
            return
        if scope is not self.module.root or self.places.home_of(name) is not home:
            raise Refused(
                name, f"`{name.id}`, of a tensor's name, is not known where its session is made", "write it out"
            )
