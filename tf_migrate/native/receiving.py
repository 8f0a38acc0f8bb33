"""Functions that run tensors which they are given: each gets the functions that replace its runs, in place of these.

Where all calls hand over the same tensors, and the module makes them, its one function is called by its name.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tf_migrate.changes.edits import Edit
from tf_migrate.native.naming import Namer, fetch_names, function_names
from tf_migrate.native.objects import prefix
from tf_migrate.plan import Call, Function
from tf_migrate.stages.given import Given
from tf_migrate.stages.handing import Handed
from tf_migrate.stages.program import Program
from tf_migrate.stages.runs import Run
from tf_migrate.stages.values import Refused


@dataclass
class Receiver:
    """What becomes of one function: `carried` are the parameters that hold functions now, with what they are called.

    `givens` are the tensors that it is given, `known` the functions for each of these by which it replaces its runs,
    and the names of these functions in it. Tensors in `held`, which are variables, stay what they are.
    """

    function: ast.FunctionDef
    givens: Sequence[Given]
    held: set[str]
    carried: dict[str, tuple[str, Mapping[Given, Function]]] = field(default_factory=dict)
    known: dict[tuple[object, ...], str] = field(default_factory=dict)


@dataclass
class Received:
    """What functions call in place of their runs, and what they are handed for that.

    `called` are the names by which they know the functions, by the runs, `texts` what they hand on to others, by the
    arguments, `gone` the tensors that are not handed over any more, `edits` those of the parameters and arguments that
    are functions now.
    """

    program: Program
    calls: Sequence[Call]
    names: Mapping[object, str]
    namer: Namer
    receivers: dict[ast.FunctionDef, Receiver] = field(default_factory=dict)
    texts: dict[ast.expr, str] = field(default_factory=dict)
    called: dict[ast.Call, str] = field(default_factory=dict)
    gone: list[Handed] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)

    def collect(self) -> Received:
        """Finds all that the functions of the program need."""
        for given in self.program.given:
            self._receiver(given.function)
        for given in self.program.given:
            for handed in given.handed():
                self._handed(handed, given)
        return self

    def _receiver(self, function: ast.FunctionDef) -> Receiver:
        if function in self.receivers:
            return self.receivers[function]
        givens = [given for given in self.program.given if given.function is function]
        own = [call for call in self.calls if call.run.given in givens]
        held = {leaf.given.id for call in own if call.function is None for leaf in call.run.leaves if leaf.given}
        made = self.receivers[function] = Receiver(function, givens, held)
        for site in dict.fromkeys(call.run.site.node for call in own):
            self._replaces(made, site, {call.run.given: call for call in own if call.run.site.node is site})
        around = [item for given in self.program.given for item in given.calls]
        for call in dict.fromkeys(call for call, outer in around if outer in givens):
            self._hands_on(made, call)
        self.edits += [self._parameter_edit(function, word, name) for word, (name, _) in made.carried.items()]
        return made

    def _replaces(self, receiver: Receiver, site: ast.Call, made: Mapping[Given | None, Call]) -> None:
        """Finds what replaces one run of a function."""
        functions = {given: known for given in receiver.givens if (known := made[given].function) is not None}
        if functions and len(functions) < len(receiver.givens):
            what = "the run computes something for some of the tensors that its function is given, and not for others"
            raise Refused(site, what, "hand it tensors that are fetched alike")
        if functions:
            words = _words(made[receiver.givens[0]].run)
            self.called[site] = self._name(receiver, site, functions, words)

    def _hands_on(self, receiver: Receiver, call: ast.Call) -> None:
        """Finds what a function hands on to another one."""
        inner = {around: given for given in self.program.given for known, around in given.calls if known is call}
        first = inner[receiver.givens[0]]
        arguments = {handed.parameter: handed.argument for handed in first.handed() if handed.call is call}
        own = receiver.givens[0].tensors
        for word, (_, functions) in self._receiver(first.function).carried.items():
            argument = arguments[word]
            by_given = {given: functions[inner[given]] for given in receiver.givens}
            if isinstance(argument, ast.Name) and argument.id in own:
                others = [node.id for node in arguments.values() if isinstance(node, ast.Name)]
                self.texts[argument] = self._name(receiver, call, by_given, [argument.id, *others])
            elif len({function.key for function in by_given.values()}) > 1:
                what = f"`{ast.unparse(argument)}` is handed over beside tensors that differ from call to call"
                raise Refused(argument, what, "hand it over from the first function on")

    def _name(
        self, receiver: Receiver, place: ast.Call, functions: Mapping[Given, Function], words: Sequence[str]
    ) -> str:
        """The name by which a function knows what it calls, which one of the parameters `words` may hold."""
        key = tuple(functions[given].key for given in receiver.givens)
        if key in receiver.known:
            return receiver.known[key]
        first = functions[receiver.givens[0]]
        made = self.program.units[first.anchor].node
        near = self.program.home_of(first.anchor) is None and self.program.module.source.holds_both(
            made, receiver.function
        )
        alone = near and self.program.case is None and len(set(key)) == 1
        if alone:
            receiver.known[key] = self.names[first.key]
            return receiver.known[key]
        taken = {*receiver.carried, *receiver.held}
        word = next((word for word in words if word in receiver.givens[0].tensors and word not in taken), None)
        if word is None:
            what = f"`{receiver.function.name}` runs more than it has parameters to be given the functions for"
            raise Refused(place, what, "run each tensor in one way")
        receiver.known[key] = self._word(receiver, word, [functions[given] for given in receiver.givens])
        receiver.carried[word] = receiver.known[key], functions
        return receiver.known[key]

    def _word(self, receiver: Receiver, parameter: str, functions: Sequence[Function]) -> str:
        """What a function calls one that it is given: by its own name, where it is always the same."""
        inner = list(ast.walk(receiver.function))
        own = {node.id for node in inner if isinstance(node, ast.Name)}
        own |= {node.arg for node in inner if isinstance(node, ast.arg)} | {
            name for name, _ in receiver.carried.values()
        }
        fetched = fetch_names(ast.Name(parameter))
        common = {self.names[function.key] for function in functions}
        alike = function_names(functions[0], several=False)[:1] if functions[0].updates else fetched
        words = [*common, *fetched] if len(common) == 1 else [*alike, *fetched]
        return next((word for word in words if word not in own), None) or self.namer.fresh(*fetched)

    def _handed(self, handed: Handed, given: Given) -> None:
        """What becomes of one argument."""
        receiver = self.receivers[given.function]
        if handed.parameter in receiver.carried:
            name, functions = receiver.carried[handed.parameter]
            known = functions[given]
            home = self.program.module.function_of(handed.call)
            text = self.texts.get(handed.argument) or prefix(self.program, known, home) + self.names[known.key]
            self.edits.append(self._argument_edit(handed.argument, name, text))
        elif handed.parameter not in receiver.held:
            self.gone.append(handed)

    def _parameter_edit(self, function: ast.FunctionDef, parameter: str, name: str) -> Edit:
        node = next(argument for argument in function.args.args if argument.arg == parameter)
        return Edit(*self.program.module.source.span(node), name, encloses=True)

    def _argument_edit(self, node: ast.expr, name: str, text: str) -> Edit:
        around = self.program.module.parents[node]
        if isinstance(around, ast.keyword):
            return Edit(*self.program.module.source.span(around), f"{name}={text}", encloses=True)
        return Edit(*self.program.module.source.span(node), text, encloses=True)


def _words(run: Run) -> list[str]:
    """The parameters that a run fetches, and those that it feeds."""
    assert run.given is not None
    fed = [feed.placeholder for feed in run.feeds]
    fetched = [leaf.given.id for leaf in run.leaves if leaf.given is not None]
    return [*fetched, *(word for word, binding in run.given.tensors.items() if binding in fed)]


def is_first(edits: Sequence[Edit], call: Call, edit: Edit) -> bool:
    """Whether the edit of a run is not there already; refuses a run that becomes something else with other tensors."""
    known = next((other for other in edits if (other.start, other.end) == (edit.start, edit.end)), None)
    if known not in (None, edit):
        what = "the run becomes another call with other tensors that its function is given"
        raise Refused(call.run.site.node, what, "hand it tensors that are fed and fetched alike")
    return known is None
