"""Queues as datasets: files and arrays as their sources, readers as their records, batches in the same order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tf_migrate.changes.edits import Edit
from tf_migrate.native.layout import joined
from tf_migrate.native.naming import Namer
from tf_migrate.stages.program import Program, Unit
from tf_migrate.stages.queues import BATCHES, FILES
from tf_migrate.stages.values import Iteration, Stage
from tf_migrate.syntax.arguments import argument

Render = Callable[[int, int], str]
_PLACES = {"num_epochs": 1, "skip_header_lines": 0}


@dataclass(frozen=True)
class Queues:
    """The queues of a script; `names` are those of the iterators, `tf` that of TensorFlow."""

    program: Program
    tf: str
    names: Mapping[Iteration, str]
    namer: Namer

    def files(self, render: Render) -> Iterator[Edit]:
        """Queues of file names as datasets under the same names."""
        source = self.program.module.source
        for unit in self.program.units:
            call = unit.value.node
            if unit.value.stage is Stage.QUEUE and unit.value.symbol == FILES and isinstance(call, ast.Call):
                listed = argument(call, "string_tensor", 0)
                assert listed is not None
                text = f"{self.tf}.data.Dataset.from_tensor_slices({joined(render(*source.span(listed)))})"
                if unit.value.truth:
                    text += f".shuffle({self._count(listed, render)})"
                yield Edit(*source.span(call), text + self._repeated(call, render), encloses=True)

    def _count(self, listed: ast.expr, render: Render) -> str:
        """How many there are: all of them are shuffled, as TF1 did."""
        if isinstance(listed, ast.List | ast.Tuple):
            return str(len(listed.elts))
        return f"len({joined(render(*self.program.module.source.span(listed)))})"

    def _repeated(self, call: ast.Call, render: Render) -> str:
        epochs = argument(call, "num_epochs", _PLACES["num_epochs"])
        text = "" if epochs is None else joined(render(*self.program.module.source.span(epochs)))
        return f".repeat({'' if text == 'None' else text})"

    def source(self, unit: Unit, render: Render) -> str:
        """The dataset of what a reader reads, or of slices."""
        iteration = unit.value.iteration
        assert iteration is not None and iteration.queue is not None
        if iteration.queue.kind == "records":
            assert iteration.queue.reader is not None
            return f"{iteration.queue.files}{self._read(iteration.queue.reader, render)}"
        listed = argument(iteration.call, "tensor_list", 0)
        assert isinstance(listed, ast.List | ast.Tuple)
        parts = [joined(render(*self.program.module.source.span(item))) for item in listed.elts]
        arrays = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
        text = f"{self.tf}.data.Dataset.from_tensor_slices({arrays})"
        if iteration.queue.shuffled:
            text += f".shuffle(len({parts[0]}))"
        return text + self._repeated(iteration.call, render)

    def _read(self, reader: ast.Call, render: Render) -> str:
        symbol = self.program.names.resolve(reader.func)
        if symbol == "tf.WholeFileReader":
            return f".map({self.tf}.io.read_file)"
        if symbol == "tf.TFRecordReader":
            return f".flat_map({self.tf}.data.TFRecordDataset)"
        header = argument(reader, "skip_header_lines", _PLACES["skip_header_lines"])
        if header is None or (isinstance(header, ast.Constant) and not header.value):
            return f".flat_map({self.tf}.data.TextLineDataset)"
        name = self.namer.fresh("file", "file_name")
        skipped = joined(render(*self.program.module.source.span(header)))
        return f".flat_map(lambda {name}: {self.tf}.data.TextLineDataset({name}).skip({skipped}))"

    def batches(self, iteration: Iteration, source: str, parser: str | None, render: Render) -> str:
        """The lines that make an iterator over batches of what a dataset holds."""
        call = iteration.call
        order = BATCHES[self.program.names.resolve(call.func) or ""]

        def given(word: str) -> str:
            node = argument(call, word, order.index(word))
            return "" if node is None else joined(render(*self.program.module.source.span(node)))

        smaller = argument(call, "allow_smaller_final_batch", 99)
        text = source if parser is None else f"{source}.map({parser})"
        if iteration.queue is not None and iteration.queue.shuffled:
            text += f".shuffle({given('capacity')})"
        whole = "" if isinstance(smaller, ast.Constant) and smaller.value else ", drop_remainder=True"
        examples = self.namer.fresh("examples")
        batches = f"{examples}.batch({given('batch_size')}{whole}).prefetch(1)"
        return f"{examples} = {text}\n{self.names[iteration]} = iter({batches})\n"
