"""Sessions go: where they are made, kept, entered, handed on and closed."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from tf_migrate.interpreter.recorder import RECORD, UNFIT, FunctionNode
from tf_migrate.report.model import Reason
from tf_migrate.semantics.graph_values import DEBUGGED
from tf_migrate.semantics.sessions import STAYS
from tf_migrate.semantics.supervisors import HANDED_ON, MANAGED, PREPARED
from tf_migrate.semantics.test_cases import SESSIONS as SESSIONS_OF_TESTS
from tf_migrate.steps.facts import ProgramFacts
from tf_migrate.steps.leftover_sessions import closing_leftovers
from tf_migrate.steps.part import Part
from tf_migrate.steps.plan import Insertion, ModulePlan, Verdict
from tf_migrate.steps.session_tests import SessionTests
from tf_migrate.syntax.parameters import defaults

STORE = "compat.VariableStore()"
"""What stands where a graph was made."""
TAKING = ("pop", "popleft")
"""Methods that take something out of what holds it: they do so when nobody needs it, too."""
_CLOSING = ("close", "__exit__", "__enter__")
_GRAPH = "compat.get_default_graph()"
_DEBUGGED = 'raise NotImplementedError("steps have no session to debug: look at tensors by compat.run")'


class SessionRemoval(Part):
    """Takes the sessions of a program out; what it cannot take out is a reason."""

    def __init__(self, facts: ProgramFacts, plans: dict[str, ModulePlan]) -> None:
        super().__init__(facts, plans)
        self._tests = SessionTests(facts, plans)
        self._given: list[tuple[ast.expr, list[ast.arg]]] = []
        """Sessions that functions of the program are given, and the parameters that they become."""
        self._kept: dict[ast.arg, ast.Call] = {}
        """Parameters that are given what a function made, which gives None now."""

    def plan(self) -> list[Reason]:
        """Fills the plans; gives what stands in the way."""
        for run in self.facts.removed - self.facts.evaluated:
            self.plan_of(run).dropped.add(self.facts.statement(run))
        self._fold()
        nodes = [
            node for node in self.facts.recorder.sessions if node in self.facts.owners and node not in self.facts.folded
        ]
        for node in nodes:
            kinds = self.facts.kinds(node)
            if (
                "session" in kinds
                and isinstance(node, ast.expr)
                and not isinstance(getattr(node, "ctx", None), ast.Store)
            ):
                self._consume(node)
        for statement in {self.facts.parent(each): None for each in nodes if isinstance(each, ast.alias)}:
            if isinstance(statement, ast.ImportFrom):
                self._import_less(statement)
        for call, symbols in self.facts.recorder.symbols.items():
            anew = "session.again" in symbols and symbols.isdisjoint((MANAGED, PREPARED))
            if anew and call in self.facts.owners and isinstance(call, ast.Call):
                self._restart(call)
            if STAYS in symbols and call in self.facts.owners and isinstance(call, ast.Call):
                self._stay(call)
            if DEBUGGED in symbols and call in self.facts.owners:
                self._end(self.facts.statement(call))
        self.reasons += self._tests.plan()
        self._hand_over()
        for name, module in self.facts.modules.items():
            plan = self.plans[name]
            plan.dropped.update(list(closing_leftovers(module, plan.dropped, self.facts.recorder.sessions)))
        self._refuse_unseen()
        return self.reasons

    def _fold(self) -> None:
        """Of branches that differ in the session alone one goes, and so does the test."""
        for fold in self.facts.folds:
            plan = self.plan_of(fold.test)
            plan.dropped |= {node for part in fold.gone for node in ast.walk(part) if isinstance(node, ast.stmt)}
            if isinstance(fold.test, ast.IfExp):
                plan.chosen[fold.test] = fold.test.body
            elif fold.behind:
                plan.dropped.add(fold.test)
            else:
                plan.unwrapped.add(fold.test)

    def _end(self, node: ast.stmt) -> None:
        """A session is debugged behind an option: an error says that there is none, and what follows goes."""
        plan, outer = self.plan_of(node), self.facts.parent(node)
        blocks = [getattr(outer, name, ()) for name in ("body", "orelse")] if isinstance(outer, ast.If) else []
        block = next((each for each in blocks if node in each), None)
        if block is None:
            self.refuse("debuggers", node, "a session is debugged", "debug it behind an option of the program")
            return
        plan.inserted.append(Insertion(_DEBUGGED, node, before=True))
        plan.dropped.update(block[block.index(node) :])

    def _restart(self, call: ast.Call) -> None:
        """A session over a graph in which another one ran begins with new variables."""
        graph = graph_argument(call)
        text = "compat.restart()" if graph is None else f"{ast.unparse(graph)}.reset()"
        made = Insertion(text, self.facts.statement(call), before=True, restarts=True)
        self.plan_of(call).inserted.append(made)

    def _stay(self, call: ast.Call) -> None:
        """A session enters the graph that it is given for the rest of the program."""
        store = self._entered_by(call)
        if store is not None:
            made = Insertion(f"{store}.enter_program()", self.facts.statement(call), before=True)
            self.plan_of(call).inserted.append(made)

    def _entered_by(self, node: ast.expr) -> str | None:
        """The store that is entered in the place of a session's graph; None, with a reason, where nothing names it."""
        graph = graph_argument(node)
        if graph is not None:
            return ast.unparse(graph)
        if isinstance(node, ast.Call) and any(map(self.facts.makes_graph, graphs_given(node))):
            return STORE
        self.refuse("session-of-graph", node, "a session enters its graph", "enter the graph by `with`")
        return None

    def _refuse_unseen(self) -> None:
        """An attribute that was a session goes: nothing may read it where nobody saw what it is."""
        gone = {
            target.attr
            for plan in self.plans.values()
            for node in plan.dropped
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Attribute)
        } & self.facts.recorder.session_attributes
        for module in self.facts.modules.values():
            for node in [node for name in sorted(gone) for node in module.attributes.get(name, ())]:
                seen = node in self.facts.recorder.sessions or node in self.facts.recorder.plain
                stays = self.facts.statement(node) not in self.plan_of(node).dropped
                if stays and not seen and isinstance(node.ctx, ast.Load):
                    self.refuse(
                        "session-unseen",
                        node,
                        f"`{ast.unparse(node)}` may be a session where nothing was seen to run",
                        "call it in a script of the tree, or remove it",
                    )

    def _import_less(self, node: ast.ImportFrom) -> None:
        """A session that is imported by its name is not there any more."""
        kinds = {alias: self.facts.kinds(alias) for alias in node.names}
        left = [alias for alias, found in kinds.items() if "session" not in found]
        if len(left) == len(node.names):
            return
        if not left or any("session" in found and "other" in found for found in kinds.values()):
            self.refuse("session-imported", node, "a session alone is imported", "import its module")
            return
        text = ast.unparse(ast.ImportFrom(node.module, left, node.level))
        self.plan_of(node).replaced[node] = text

    # -- one expression --

    def _consume(self, node: ast.expr) -> None:
        parent = self.facts.parent(node)
        if "other" in self.facts.kinds(node):
            self.refuse(
                "session-or-other", node, f"`{ast.unparse(node)}` is a session or something else", "keep them apart"
            )
        elif PREPARED in self.facts.recorder.symbols.get(node, ()):
            return  # what supervises steps takes its place
        elif isinstance(parent, ast.BoolOp | ast.IfExp) and "session" in self.facts.kinds(parent):
            return  # what it stands in is a session too
        elif isinstance(parent, ast.Attribute):
            self._consume_attribute(node, parent)
        elif isinstance(parent, ast.withitem):
            if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "as_default"):
                self._leave_item(node, parent)
        elif isinstance(node, ast.Call) and self.facts.callees(node):
            self._keep_call(node, parent)
        elif isinstance(parent, ast.Return | ast.Yield):
            self.plan_of(node).replaced[node] = "None"
        elif isinstance(parent, ast.Assign) and parent.value is node:
            self._drop_assignment(parent)
        elif isinstance(parent, ast.Tuple | ast.List) and self._is_handed_on(parent):
            self.plan_of(node).replaced[node] = "None"
        elif isinstance(parent, ast.arguments | ast.Dict) and node not in getattr(parent, "keys", ()):
            self.plan_of(node).replaced[node] = "None"  # a default may go with its parameter
        elif isinstance(parent, ast.Tuple | ast.List) and self._drop_element(node, parent):
            return
        elif isinstance(parent, ast.keyword):
            call = self.facts.parent(parent)
            if isinstance(call, ast.Call):
                self._consume_argument(node, call)
        elif isinstance(parent, ast.Call) and node in parent.args:
            self._consume_argument(node, parent)
        elif isinstance(parent, ast.Expr) and isinstance(node, ast.Call):
            self.plan_of(node).dropped.add(parent)
        elif self._tests.takes(node):
            return
        else:
            self.refuse(
                "session-use", node, f"`{ast.unparse(node)}` is used otherwise than to run", "hand over what it runs"
            )

    def _consume_attribute(self, node: ast.expr, parent: ast.Attribute) -> None:
        outer = self.facts.parent(parent)
        if "session" in self.facts.kinds(parent) and not self.facts.kinds(parent) - {"session"}:
            return  # what enters the session is kept in it: that goes as a session does
        if parent.attr == "graph":
            if "session.graph.other" in self.facts.recorder.symbols.get(parent, ()):
                self.refuse("session-of-graph", parent, "the session is of another graph", "name the graph itself")
            self.plan_of(node).replaced[parent] = _GRAPH
        elif parent.attr == "graph_def":
            self.plan_of(node).replaced[parent] = f"{_GRAPH}.as_graph_def()"
        elif isinstance(outer, ast.Call) and outer.func is parent:
            if parent.attr == "run" and outer in self.facts.sites:
                return
            place = self.facts.parent(outer)
            if parent.attr in _CLOSING and isinstance(place, ast.Expr):
                self.plan_of(node).dropped.add(place)
            elif parent.attr == "as_default" and isinstance(place, ast.withitem):
                self._drop_item(place)
            elif parent.attr == "as_default" and isinstance(place, ast.Assign):
                return  # what enters it goes as a session does
            else:
                self.refuse(
                    "session-method", parent, f"`{ast.unparse(parent)}` has no form in steps", "call `run` instead"
                )
        elif isinstance(outer, ast.Assign) and (
            (parent.attr == "enforce_nesting" and parent in outer.targets)
            or (parent.attr == "run" and self._binds_names(outer))
        ):
            self.plan_of(node).dropped.add(outer)
        else:
            self.refuse(
                "session-method", parent, f"`{ast.unparse(parent)}` is handed on", "hand on a function that runs it"
            )

    def _binds_names(self, node: ast.Assign) -> bool:
        return all(isinstance(target, ast.Name) for target in node.targets)

    def _leave_item(self, node: ast.expr, item: ast.withitem) -> None:
        """A session that is entered: its graph stays entered, where it is another one."""
        symbols = self.facts.recorder.symbols.get(node, set())
        if "session.enters" not in symbols:
            self._drop_item(item)
            return
        store = self._entered_by(node)
        if store is None:
            return
        plan = self.plan_of(node)
        plan.replaced[node] = store
        if item.optional_vars is not None:
            plan.dropped_elements.add(item.optional_vars)

    def _drop_item(self, item: ast.withitem) -> None:
        statement = self.facts.parent(item)
        if not isinstance(statement, ast.With):
            self.refuse("session-use", item.context_expr, "a session is entered by `async with`", "enter it by `with`")
            return
        plan = self.plan_of(statement)
        plan.dropped_items.add(item)
        if plan.dropped_items.issuperset(statement.items):
            plan.dropped_items.difference_update(statement.items)
            plan.unwrapped.add(statement)

    def _drop_assignment(self, node: ast.Assign) -> None:
        if all(isinstance(target, ast.Name | ast.Attribute) for target in node.targets):
            if isinstance(node.value, ast.Call) and getattr(node.value.func, "attr", "") in TAKING:
                self.plan_of(node).bare.add(node)
            else:
                self.plan_of(node).dropped.add(node)
        else:
            self.refuse("session-use", node, "a session is kept in an item", "keep it by a name")

    def _drop_element(self, node: ast.expr, row: ast.Tuple | ast.List) -> bool:
        assignment = self.facts.parent(row)
        if not isinstance(assignment, ast.Assign) or assignment.value is not row or len(assignment.targets) != 1:
            return False
        targets = assignment.targets[0]
        if not isinstance(targets, ast.Tuple | ast.List) or len(targets.elts) != len(row.elts):
            return False
        plan = self.plan_of(node)
        plan.dropped_elements |= {node, targets.elts[row.elts.index(node)]}
        if plan.dropped_elements.issuperset(row.elts):
            plan.dropped_elements.difference_update([*row.elts, *targets.elts])
            plan.dropped.add(assignment)
        return True

    def _is_handed_on(self, row: ast.Tuple | ast.List) -> bool:
        """Whether a display is what a function gives, or a thread is given: None can stand in it for a session."""
        returned = isinstance(self.facts.parent(row), ast.Return)
        return returned or HANDED_ON in self.facts.recorder.symbols.get(row, ()) or self._is_of_thread(row)

    def _is_of_thread(self, row: ast.expr) -> bool:
        """Whether a display holds the arguments of a thread: `Thread(target=fill, args=(sess,))`, also by a name."""
        keyword = self.facts.parent(row)
        if isinstance(keyword, ast.Assign) and len(keyword.targets) == 1 and isinstance(keyword.targets[0], ast.Name):
            loads = self.facts.owners[row].loads.get(keyword.targets[0].id, ())
            function = self.facts.owners[row].function_of(row)
            mine = [load for load in loads if self.facts.owners[row].function_of(load) is function]
            return bool(mine) and all(map(self._is_of_thread, mine))
        call = self.facts.parent(keyword) if isinstance(keyword, ast.keyword) and keyword.arg == "args" else None
        return isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == "Thread"

    def _consume_argument(self, node: ast.expr, call: ast.Call) -> None:
        plan = self.plan_of(node)
        if call in self.facts.sites:
            return  # `x.eval(session=sess)` becomes a call of a step as a whole
        if "counted" in self.facts.recorder.symbols.get(call, ()):
            variable = call.args[1] if len(call.args) > 1 else None
            if isinstance(variable, ast.Name | ast.Attribute | ast.Subscript):
                plan.replaced[call] = f"int({ast.unparse(variable)}.numpy())"
                plan.verdicts.append(Verdict(call, "native"))
            else:
                self.refuse("global-step", call, "`tf.train.global_step` is given otherwise", "read the variable")
            return
        if "session" in self.facts.recorder.symbols.get(node, ()):
            plan.dropped_arguments.add(node)
            return
        if self.facts.makes_session(call):
            return
        if self._asks_for_class(node, call):
            outer = self.facts.parent(call)
            if isinstance(outer, ast.Assert) and outer.test is call:
                plan.dropped.add(outer)
            else:
                plan.replaced[call] = "True"
            return
        callees = self.facts.callees(call)
        if not callees and not self.facts.recorder.symbols.get(call, set()).isdisjoint((RECORD, UNFIT)):
            plan.replaced[node] = "None"  # it is kept beside others, or the call raises
            return
        parameters = [mapping[node] for mapping in callees.values() if node in mapping]
        if not parameters:
            self.refuse(
                "session-given",
                node,
                f"the session is given to `{ast.unparse(call.func)}`, which is not followed",
                "run what it needs beside the call",
            )
        else:
            self._given.append((node, parameters))

    def _keep_call(self, node: ast.Call, parent: ast.AST | None) -> None:
        """What made a session gives None now, and may do more: it stays where it is handed on."""
        outer = self.facts.parent(parent) if isinstance(parent, ast.keyword) else parent
        if isinstance(outer, ast.Call) and outer.func is not node:
            for mapping in self.facts.callees(outer).values():
                if node in mapping:
                    self._kept[mapping[node]] = node

    def _asks_for_class(self, node: ast.expr, call: ast.Call) -> bool:
        """Whether a call is `isinstance(sess, tf.Session)`, which surely is one."""
        given = call.args[1] if len(call.args) == 2 else None
        if ast.unparse(call.func) != "isinstance" or not isinstance(given, ast.Attribute) or given.attr != "Session":
            return False
        made = {symbol for symbols in self.facts.recorder.symbols.values() for symbol in symbols}
        others = {symbol for symbol in made if symbol.endswith("Session") and symbol != "tf.Session"}
        return self.facts.kinds(node) == {"session"} and not others

    # -- parameters --

    def _hand_over(self) -> None:
        """What functions are given goes with their parameters, and tells those that ask whether there was a session."""
        droppable, flags = self._droppable(), self._tests.flags
        for made in [call for parameter, call in self._kept.items() if parameter in flags]:
            self.refuse("session-given", made, "a test asks whether this gave a session", "hand over a flag")
        for parameter in droppable:
            self.plan_of(parameter).dropped_parameters.add(parameter)
        for node, parameters in self._given:
            plan = self.plan_of(node)
            if all(parameter in droppable for parameter in parameters):
                plan.dropped_arguments.add(node)
            elif flags.isdisjoint(parameters):
                plan.replaced[node] = "None"
            elif self.facts.kinds(node) == {"session"}:
                plan.replaced[node] = "True"

    def _droppable(self) -> frozenset[ast.arg]:
        found: dict[ast.arg, FunctionNode] = {}
        for function in self.facts.functions():
            for parameter in _parameters(function):
                kinds = self.facts.kinds(parameter)
                gone = "session" in kinds and "other" not in kinds and parameter not in self._tests.flags
                if gone and parameter not in self._kept and self._is_followed(function):
                    found[parameter] = function
        changed = True
        while changed:
            changed = False
            for call, callees in self.facts.recorder.callees.items():
                rows = [(function, mapping) for function, mapping in callees.items() if function in self.facts.owners]
                for function, mapping in rows:
                    for parameter in [each for each in _parameters(function) if each in found]:
                        places = [place for place, became in mapping.items() if became is parameter]
                        given_up = bool(places) or parameter.arg not in dict(defaults(function.args))
                        if given_up and not self._goes(call, places, rows, found):
                            del found[parameter]
                            changed = True
        return frozenset(found)

    def _goes(
        self,
        call: ast.AST,
        places: list[ast.expr],
        rows: list[tuple[FunctionNode, dict[ast.expr, ast.arg]]],
        found: dict[ast.arg, FunctionNode],
    ) -> bool:
        """Whether what a call gives for a parameter goes in all functions that it may call."""
        if len(places) != 1 or "session" not in self.facts.kinds(places[0]) or not isinstance(call, ast.Call):
            return False
        return all(mapping.get(places[0]) in found for _, mapping in rows)

    def _is_followed(self, function: FunctionNode) -> bool:
        """Whether every call of a function is known."""
        if isinstance(function, ast.Lambda) or function in self.facts.recorder.escaped:
            return False
        return not (function.name in self._unfollowed or any(not _is_plain(each) for each in function.decorator_list))

    @cached_property
    def _unfollowed(self) -> frozenset[str]:
        """Names of functions and methods in calls that were not followed."""
        calls = (call for module in self.facts.modules.values() for call in module.calls)
        followed = self.facts.recorder.callees.keys() | self.facts.sites.keys()
        unknown = [call.func for call in calls if call not in followed]
        names = {func.id for func in unknown if isinstance(func, ast.Name)}
        return frozenset(names | {func.attr for func in unknown if isinstance(func, ast.Attribute)})


def graph_argument(node: ast.expr) -> ast.Name | ast.Attribute | None:
    """The graph that a session is made with, where a path names it."""
    if not isinstance(node, ast.Call):
        return None
    given = graphs_given(node)
    return given[0] if given and isinstance(given[0], ast.Name | ast.Attribute) else None


def graphs_given(node: ast.Call) -> list[ast.expr]:
    """The argument of a call that makes a session which is its graph, or none."""
    at = 0 if getattr(node.func, "attr", "") in SESSIONS_OF_TESTS else 1
    return [keyword.value for keyword in node.keywords if keyword.arg == "graph"] or node.args[at : at + 1]


def _parameters(function: FunctionNode) -> Iterable[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _is_plain(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in ("staticmethod", "classmethod")
