"""The text of a test that builds updates of variables: each run becomes a function that makes those which it needs."""

from __future__ import annotations

import ast

from tf_migrate.native.layout import call_text, joined
from tf_migrate.native.naming import fetch_names
from tf_migrate.native.traced import Writer
from tf_migrate.stages.user_tests.fetching import Fetched


class Computing(Writer):
    """Writes a function that builds, and one for each thing that runs fetch."""

    def _function(self, name: str) -> str:
        """The functions, with a blank line above: the one that builds has the name given."""
        traced, indent = self.traced, " " * self.column
        self.functions: dict[str, str] = {}
        for item in traced.fetched:
            self.functions.setdefault(self._text_of(item), "")
        for known in self.functions:
            node = next(item.node for item in traced.fetched if self._text_of(item) == known)
            self.functions[known] = self.namer.fresh(*fetch_names(node))
        store = self.namer.fresh("store", "variables")
        lines = [f"{indent}{kept} = None\n" for kept in traced.kept]
        lines += [f"{indent}{store} = {self.context.compat}.VariableStore()\n", "\n", *self._opening(name)]
        lines += [*self._body(1), f"{indent}{self.unit}return {', '.join(self.functions)}\n"]
        parameters = [parameter.name for parameter in traced.parameters]
        for place, function in enumerate(self.functions.values()):
            part = [f"part={place}"] if len(self.functions) > 1 else []
            result = call_text(f"{store}.compute", [name, *parameters, *part], self.column, whole=True)
            lines += [
                f"\n{indent}@{self.context.tf}.function({self._options()})\n",
                f"{indent}def {function}({', '.join(parameters)}):\n",
                f"{indent}{self.unit}return {result}\n",
            ]
        return f"\n{''.join(lines)}\n"

    def _names(self) -> tuple[str, ...]:
        return ("build", "build_graph")

    def _result(self, name: str, item: Fetched) -> str:
        """The call of a run's function; what nothing reads is left as it is."""
        del name
        call = self._call(self.functions[self._text_of(item)], item)
        around = self.context.module.parents[item.site.node]
        if isinstance(around, ast.Expr):
            return call
        return self._as_arrays(call, [item.node], around.col_offset if isinstance(around, ast.Assign) else None)

    def _text_of(self, item: Fetched) -> str:
        text = joined(self._node(item.node))
        return f"({text})" if isinstance(item.node, ast.Tuple) and not text.startswith("(") else text
