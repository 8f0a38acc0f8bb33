"""The text of a test whose runs have functions of their own: each makes the updates of variables that it needs.

Such a function takes what its run feeds; no value stands for the other placeholders.
"""

from __future__ import annotations

import ast

from tf_migrate.native.layout import call_text, joined
from tf_migrate.native.naming import fetch_names
from tf_migrate.native.traced import Writer
from tf_migrate.stages.user_tests.fetching import Fetched


class Computing(Writer):
    """Writes a function that builds, and one for all runs that fetch and feed the same."""

    def _function(self, name: str) -> str:
        """The functions, with a blank line above: the one that builds has the name given."""
        traced, indent = self.traced, " " * self.column
        self.functions: dict[tuple[str, frozenset[str]], str] = {}
        for item in traced.fetched:
            self.functions.setdefault(self._key(item), "")
        for key in self.functions:
            node = next(item.node for item in traced.fetched if self._key(item) == key)
            self.functions[key] = self.namer.fresh(*fetch_names(node))
        results = list(dict.fromkeys(text for text, _ in self.functions))
        lines = [f"{indent}{kept} = None\n" for kept in traced.kept]
        store = self.namer.fresh("store", "variables") if traced.stored or traced.idle else None
        lines += [f"{indent}{store} = {self.context.compat}.VariableStore()\n"] if store else []
        lines += self._named_specs()
        lines += ["\n"] if lines else []
        lines += [
            *self._described(),
            *self._opening(name),
            *self._body(1),
            f"{indent}{self.unit}return {', '.join(results)}\n",
        ]
        for (text, fed), function in self.functions.items():
            parameters = [parameter.name for parameter in traced.parameters if parameter.name in fed]
            given = [known if known in fed else self._unfed(known) for known in self.specs]
            place = results.index(text) if len(results) > 1 else None
            options = self._options([self.specs[known] for known in parameters])
            lines += [
                f"\n{indent}@{self.context.tf}.function({options})\n",
                f"{indent}def {function}({', '.join(parameters)}):\n",
                f"{indent}{self.unit}return {self._part(store, name, given, place)}\n",
            ]
        return f"\n{''.join(lines)}\n"

    def _part(self, store: str | None, name: str, given: list[str], place: int | None) -> str:
        """One of the results of the function that builds; of the only one there is `place` is None."""
        if store is None:
            return f"{name}({', '.join(given)}){'' if place is None else f'[{place}]'}"
        part = [] if place is None else [f"part={place}"]
        return call_text(f"{store}.compute", [name, *given, *part], self.column, whole=True)

    def _named_specs(self) -> list[str]:
        """Statements that name the shapes and dtypes of placeholders which some runs do not feed."""
        self.specs: dict[str, str] = {}
        lines = []
        for parameter in self.traced.parameters:
            spec = self._spec(parameter)
            if all(parameter.name in item.fed for item in self.traced.fetched):
                self.specs[parameter.name] = spec
                continue
            named = self.namer.fresh(f"{parameter.name}_spec")
            self.specs[parameter.name] = named
            lines.append(f"{' ' * self.column}{named} = {spec}\n")
        return lines

    def _unfed(self, name: str) -> str:
        return f"{self.context.compat}.unfed({self.specs[name]})"

    def _names(self) -> tuple[str, ...]:
        return ("build", "build_graph")

    def _result(self, name: str, item: Fetched) -> str:
        """The call of a run's function; what nothing reads is left as it is."""
        del name
        call = self._call(self.functions[self._key(item)], item)
        around = self.context.module.parents[item.site.node]
        if isinstance(around, ast.Expr):
            return call
        return self._as_arrays(call, [item.node], around.col_offset if isinstance(around, ast.Assign) else None)

    def _key(self, item: Fetched) -> tuple[str, frozenset[str]]:
        """What a run fetches, and the names of what it feeds."""
        text = joined(self._node(item.node))
        text = f"({text})" if isinstance(item.node, ast.Tuple) and not text.startswith("(") else text
        return text, frozenset(item.fed)
