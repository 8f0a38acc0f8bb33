"""The text of a test that became one function: what builds moves into it, and it is called where the session ran."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tf_migrate.changes.edits import Edit, render, wrap
from tf_migrate.native.layout import Extent, call_text, extent, joined, line_start, reindent
from tf_migrate.native.naming import Namer, described, fetch_names
from tf_migrate.rules import Change, Context
from tf_migrate.stages import effects
from tf_migrate.stages.stillness import is_description
from tf_migrate.stages.user_tests.case_function import Traced
from tf_migrate.stages.user_tests.changing import Assigned
from tf_migrate.stages.user_tests.fetching import Fetched, Parameter
from tf_migrate.stages.user_tests.own_names import first_binding, places_of
from tf_migrate.stages.user_tests.set_up import build_name
from tf_migrate.stages.values import Refused
from tf_migrate.syntax.arguments import argument

_WIDTH = 100


def repeated_edits(context: Context, traced: Traced) -> Iterator[Edit]:
    """Makes a method of the part of `setUp` that functions repeat, for each class that builds there."""
    source, name = context.module.source, build_name(context.module) or ""
    for built in traced.built:
        if built.above is not None:
            named = source.text.index("setUp", source.start(built.method))
            called = source.text.rindex("setUp", source.start(built.above), source.end(built.above))
            yield from (Edit(place, place + len("setUp"), name) for place in (named, called))
            continue
        outer, inner = " " * built.method.col_offset, " " * built.first.col_offset
        start = line_start(source, extent(source, built.first).comments)
        call = [f"{inner}self.{name}()"]
        if traced.guarded:
            call = [f"{inner}if not {context.tf}.executing_eagerly():", f"{inner}{inner[len(outer) :]}self.{name}()"]
        lines = [*call, "", f"{outer}def {name}(self):", ""]
        yield Edit(start, start, source.newline.join(lines), line=True)


class Writer:
    """Writes one test."""

    def __init__(self, context: Context, traced: Traced, changes: Sequence[Change]) -> None:
        self.context = context
        self.traced = traced
        self.source = context.module.source
        self.namer = Namer(context.names)
        self.edits = [edit for change in changes for edit in change.edits]
        # Lists of the same tensors are equal: TensorFlow 2 compares the values of others.
        compared = [self.source.span(side) for call in traced.alike for side in call.args[:2]]
        self.edits += [edit for span in compared for edit in wrap(*span, "[", "]")]
        self.renamed: list[tuple[str, str]] = []
        """The names that are read before the function binds others in their place, and these."""
        self._rename()
        self.column = traced.test.body[0].col_offset
        self.unit = " " * (self.column - traced.test.col_offset)

    def _rename(self) -> None:
        """Gives names of its own to what the function binds again."""
        inside = [*self.traced.inside, *(item.node for item in self.traced.fetched)]
        for name in self.traced.renamed:
            own = self.namer.fresh(f"own_{name}")
            self.edits += [Edit(*self.source.span(place), own) for place in places_of(name, inside)]
            if first_binding(name, inside) is None:
                self.renamed.append((name, own))

    def written(self) -> tuple[Edit, str]:
        """The edit of the body, and the name of the function."""
        traced = self.traced
        self._require_comments()
        name = self.namer.fresh(*self._names())
        described = traced.test.body[0] if is_description(traced.test.body[0]) else None
        blocks = [self._text(item, 0) for item in traced.staying if item is not described]
        first = traced.test.body[0 if described is None else 1]
        above = self._extent(first).comments
        apart = described is None or not self.source.line_text(above - 1).strip()
        blocks.append(self._function(name))
        blocks[0] = blocks[0].lstrip("\n") if apart else blocks[0]
        blocks += self._calls(name)
        start = line_start(self.source, above)
        end = line_start(self.source, (traced.test.end_lineno or 0) + 1)
        text = "".join(blocks)
        if not text.endswith("\n"):
            text += "\n"
        ended = self.source.text[start:end].endswith("\n")
        return Edit(start, end, text if ended else text.rstrip("\n"), encloses=True), name

    def _require_comments(self) -> None:
        """Refuses a comment that belongs to no statement: it would be lost."""
        traced, kept = self.traced, set[int]()
        items = [*traced.staying, *traced.inside, *traced.late, *traced.behind, *self._placeholders()]
        for item in items:
            for place in (self._extent(item), *self._blocks(item)):
                kept.update(range(place.comments, place.last + 1))
        for line in range(traced.test.body[0].lineno, (traced.test.end_lineno or 0) + 1):
            if line not in kept and self.source.line_text(line).lstrip().startswith("#"):
                raise Refused(traced.test, "a comment belongs to no statement", "put it above one")

    def _extent(self, item: ast.stmt) -> Extent:
        """The lines of a statement, with the comments above it, blank lines between them or not."""
        place = extent(self.source, item)
        number = place.comments - 1
        while number > self.traced.test.body[0].lineno and not self.source.line_text(number).strip():
            number -= 1
        line = self.source.line_text(number)
        if (
            number == place.comments - 1
            or line.lstrip()[:1] != "#"
            or len(line) - len(line.lstrip()) != item.col_offset
        ):
            return place
        return replace(place, comments=extent(self.source, item, number + 1).comments)

    def _blocks(self, item: ast.stmt) -> list[Extent]:
        """The comments above the blocks of sessions that begin with a statement, the outer ones first."""
        found: list[Extent] = []
        block = self.context.module.parents[item]
        while isinstance(block, ast.With):
            items = [*self.traced.inside, *self.traced.late, *self.traced.behind]
            first = min((known for known in items if known in block.body), key=lambda known: known.lineno, default=None)
            if first is not item:
                break
            place = extent(self.source, block)
            found.insert(0, Extent(place.comments, place.first, place.first - 1))
            item, block = block, self.context.module.parents[block]
        return found

    def _text(self, item: ast.stmt, depth: int) -> str:
        """A statement with its comments and the blank line above it, at the indentation of the body or deeper."""
        place = self._extent(item)
        start, end = line_start(self.source, place.comments), line_start(self.source, place.last + 1)
        shift = self.column + depth * len(self.unit) - item.col_offset
        text = reindent(render(self.source.text, self.edits, start, end), shift).rstrip()
        blocks = self._blocks(item)
        indent = " " * (self.column + depth * len(self.unit))
        lines = [self.source.line_text(line) for block in blocks for line in range(block.comments, block.first)]
        text = "".join(f"{indent}{line.strip()}\n" for line in lines) + text
        above = (blocks[0] if lines else place).comments - 1
        first = self.traced.test.body[0]
        apart = above > first.lineno and not self.source.line_text(above).strip()
        return f"{chr(10) if apart else ''}{text}\n"

    def _placeholders(self) -> list[ast.stmt]:
        """The statements that make what becomes parameters."""
        return [self.context.module.statement_of(parameter.call) for parameter in self.traced.parameters]

    def _described(self) -> list[str]:
        """The comments of the parameters, which stand above the function."""
        places = map(self._extent, self._placeholders())
        lines = (self.source.line_text(line) for place in places for line in range(place.comments, place.first))
        return [f"{' ' * self.column}{line.strip()}\n" for line in lines if line.strip()]

    def _function(self, name: str) -> str:
        """The function, with a blank line above."""
        traced, indent = self.traced, " " * self.column
        lines = [f"{indent}{name} = None\n" for name in traced.kept]
        if traced.stored:
            store = self.namer.fresh("store", "variables")
            lines.append(f"{indent}{store} = {self.context.compat}.VariableStore()\n")
        lines += ["\n"] if lines else []
        specs = [self._spec(parameter) for parameter in traced.parameters]
        lines += [*self._described(), f"{indent}@{self.context.tf}.function({self._options(specs)})\n"]
        lines += self._opening(name)
        depth = 1
        if traced.stored:
            lines.append(f"{indent}{self.unit}with {store}:\n")
            depth = 2
        inner = indent + self.unit * depth
        body = self._body(depth)
        result = ", ".join(self._results())
        if traced.idle:
            result = f"({result})" if len(self._results()) > 1 else result
            plain = f"None if isinstance(value, {self.context.tf}.Operation) else value"
            result = self._each(plain, result, len(inner))
        return f"\n{''.join([*lines, *body])}{inner}return {result}\n\n"

    def _opening(self, name: str) -> list[str]:
        """The head of a function that builds, with the names of the test that it binds."""
        traced, indent = self.traced, " " * self.column
        parameters = ", ".join(parameter.name for parameter in traced.parameters)
        kept = [f"{indent}{self.unit}nonlocal {', '.join(traced.kept)}\n"] if traced.kept else []
        return [f"{indent}def {name}({parameters}):\n", *kept]

    def _body(self, depth: int) -> list[str]:
        """The statements that build."""
        traced, inner = self.traced, " " * self.column + self.unit * depth
        lines = [f"{inner}self.{build_name(self.context.module)}()\n"] if traced.built else []
        lines += [f"{inner}{own} = {name}\n" for name, own in self.renamed]
        body = [self._text(item, depth) for item in traced.inside]
        if body and not traced.built:
            body[0] = body[0].lstrip("\n")
        return [*lines, *body]

    def _each(self, result: str, structure: str, column: int | None) -> str:
        """What an expression gives for each part of a structure; on one line where it stands at no known `column`."""
        name, arguments = f"{self.context.tf}.nest.map_structure", [f"lambda value: {result}", structure]
        return call_text(name, arguments, column or 0, whole=column is None)

    def _spec(self, parameter: Parameter) -> str:
        """Shape and dtype of a placeholder."""
        shape, dtype = argument(parameter.call, "shape", 1), argument(parameter.call, "dtype", 0)
        assert dtype is not None
        where = "None" if shape is None else joined(self._node(shape))
        return f"{self.context.tf}.TensorSpec({where}, {joined(self._node(dtype))})"

    def _options(self, specs: Sequence[str]) -> str:
        """How a function is traced that takes tensors of these specifications."""
        plain = "autograph=False"
        if not specs:
            return plain
        indent = " " * self.column
        line = f"input_signature=[{', '.join(specs)}], {plain}"
        if self.column + len(f"@{self.context.tf}.function({line})") <= _WIDTH:
            return line
        inner = indent + self.unit
        listed = "".join(f"{inner}{self.unit}{spec},\n" for spec in specs)
        return f"\n{inner}input_signature=[\n{listed}{inner}],\n{inner}{plain},\n{indent}"

    def _names(self) -> tuple[str, ...]:
        if len(self._results()) == 1:
            return fetch_names(self.traced.fetched[0].node)
        return ("evaluate", "compute_results")

    def _results(self) -> list[str]:
        """What the function returns: what the runs fetch, and each only once where they all call it."""
        found = [joined(self._node(item.node)) for item in self.traced.fetched]
        return list(dict.fromkeys(found)) if self.traced.several else found

    def _calls(self, name: str) -> list[str]:
        """The statements from the first run on, with the function's results in the places of the runs."""
        traced, fetched = self.traced, self.traced.fetched
        lines, results = [], [self._result(name, item) for item in fetched]
        if not traced.several and (len(fetched) > 1 or traced.late):
            text = results[0]
            if len(fetched) > 1:
                text = self._as_arrays(f"{name}()", [item.node for item in fetched], self.column, several=True)
            results = [self.namer.fresh(f"{described(item.node)}_value") for item in fetched]
            lines.append(f"{' ' * self.column}{', '.join(results)} = {text}\n")
        spans = [self.source.span(item.site.node) for item in fetched]
        spans += [self.source.span(change.site.node) for change in traced.changes]
        results += [self._assignment(change) for change in traced.changes]
        made = [Edit(*span, result, encloses=True) for span, result in zip(spans, results, strict=True)]
        outer = self.edits
        self.edits = [edit for edit in outer if not any(low <= edit.start and edit.end <= up for low, up in spans)]
        self.edits += made
        texts = [self._text(item, 0) for item in (*traced.late, *traced.behind)]
        self.edits = outer
        return [*lines, texts[0].lstrip("\n"), *texts[1:]]

    def _result(self, name: str, item: Fetched) -> str:
        """The call of the function in the place of a run, as the arrays that this gave."""
        call = self._call(name, item)
        results = self._results()
        if self.traced.several and len(results) > 1:
            call = f"{call}[{results.index(joined(self._node(item.node)))}]"
        around = self.context.module.parents[item.site.node]
        return self._as_arrays(call, [item.node], around.col_offset if isinstance(around, ast.Assign) else None)

    def _call(self, name: str, item: Fetched) -> str:
        """The call of a function with what a run feeds."""
        fed = sorted(item.fed.items(), key=lambda known: (known[1].lineno, known[1].col_offset))
        arguments = [joined(self._node(value)) for _, value in fed]
        if [known for known, _ in fed] != [known.name for known in self.traced.parameters if known.name in item.fed]:
            # Values are computed in the order of the text.
            arguments = [f"{known}={value}" for (known, _), value in zip(fed, arguments, strict=True)]
        return call_text(name, arguments, self.column, whole=True)

    def _as_arrays(self, call: str, nodes: Sequence[ast.expr], column: int | None, *, several: bool = False) -> str:
        if self.traced.idle or not all(map(self._is_tensor, nodes)):
            plain = "None if value is None else value.numpy()" if self.traced.idle else "value.numpy()"
            return self._each(plain, call, column)
        return f"(value.numpy() for value in {call})" if several else f"{call}.numpy()"

    def _assignment(self, change: Assigned) -> str:
        """The text of an assignment, with constants in the places of their names."""
        edits = [Edit(*self.source.span(name), self._node(value)) for name, value in change.constants]
        return joined(render(self.source.text, [*self.edits, *edits], *self.source.span(change.call)))

    def _is_tensor(self, node: ast.expr) -> bool:
        """Whether an expression is one tensor for sure."""
        if isinstance(node, ast.Call):
            symbol = self.context.names.resolve(node.func)
            return symbol in effects.PURE - effects.SEVERAL
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            made = self._made(node.value.id)
            call = made[0] if len(made) == 1 else None
            return isinstance(call, ast.Call) and self.context.names.resolve(call.func) == "tf.gradients"
        if isinstance(node, ast.Name):
            made = self._made(node.id)
            return len(made) == 1 and not isinstance(made[0], ast.Name) and self._is_tensor(made[0])
        return False

    def _made(self, name: str) -> list[ast.expr]:
        """What the statements of the function bind to a name."""
        return [item.value for item in self.traced.inside if isinstance(item, ast.Assign) and _binds(item, name)]

    def _node(self, node: ast.expr) -> str:
        return render(self.source.text, self.edits, *self.source.span(node))


def _binds(item: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in item.targets)
