"""A cell that attends to memories."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import tensorflow as tf

from ...layers.dense import Dense
from ...nn.rnn_cell.base import RNNCell, assert_like_rnncell
from ...nn.rnn_cell.shapes import zero_state_tensors
from .mechanisms import AttentionMechanism


class _State(NamedTuple):
    cell_state: Any
    attention: Any
    time: Any
    alignments: Any
    alignment_history: Any
    attention_state: Any


class AttentionWrapperState(_State):
    """The state of an `AttentionWrapper` (TF 1.15's `tf.contrib.seq2seq.AttentionWrapperState`).

    With several mechanisms, `alignments`, `alignment_history` and `attention_state` are tuples.
    """

    __slots__ = ()

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """A copy with other parts, of the shapes of the old ones.

        Raises:
          ValueError: a shape differs.
        """
        return tf.nest.map_structure(_of_shape, self, self._replace(**kwargs))  # type: ignore[no-any-return]


def _of_shape(old: Any, new: Any) -> Any:
    if not (isinstance(old, tf.Tensor) and isinstance(new, tf.Tensor)):
        return new
    if not old.shape.is_compatible_with(new.shape):
        raise ValueError(
            "The shape of the AttentionWrapperState is expected to be same as the one to clone. "
            f"self.shape: {old.shape}, input.shape: {new.shape}"
        )
    return new if tf.executing_eagerly() else tf.ensure_shape(new, old.shape)


def attend(
    mechanism: Any, cell_output: tf.Tensor, attention_state: Any, attention_layer: Any
) -> tuple[tf.Tensor, tf.Tensor, Any]:
    """What a mechanism reads for a query: `(attention, alignments, next_state)`; the default `attention_fn`."""
    alignments, next_state = mechanism(cell_output, state=attention_state)
    context = tf.squeeze(tf.matmul(tf.expand_dims(alignments, 1), mechanism.values), [1])
    if attention_layer is None:
        return context, alignments, next_state
    return attention_layer(tf.concat([cell_output, context], 1)), alignments, next_state


def _join_last(inputs: tf.Tensor, attention: tf.Tensor) -> tf.Tensor:
    return tf.concat([inputs, attention], -1)


_TILE = (
    "Non-matching batch sizes between the memory (encoder output) and {}.  Are you using the BeamSearchDecoder?  "
    "You may need to tile {} via the tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
)


class AttentionWrapper(RNNCell):
    """A cell that attends to memories (TF 1.15's `tf.contrib.seq2seq.AttentionWrapper`).

    Its inputs are joined with what the step before attended to.

    Variables below `attention_wrapper`: the cell's, the mechanism's, and `attention_layer/kernel`.

    Args:
      cell: the cell.
      attention_mechanism: an `AttentionMechanism`, or a list of them.
      attention_layer_size: size of the attention made of output and context by a layer (a list for several
        mechanisms); None takes the context itself.
      alignment_history: whether the state keeps the alignments of all steps, in a TensorArray.
      cell_input_fn: called as `cell_input_fn(inputs, attention)` for the cell's inputs; joins them by default.
      output_attention: whether the output is the attention (Luong) or the cell's output (Bahdanau).
      initial_cell_state: the cell's state in `zero_state`; its zeros by default.
      name: name of the cell.
      attention_layer: a layer, or a list of them, in place of `attention_layer_size`.
      attention_fn: called as `attention_fn(mechanism, cell_output, attention_state, attention_layer)`, gives
        `(attention, alignments, next_attention_state)`.
      dtype: dtype of the variables.

    Raises:
      TypeError: a mechanism is none, or `cell_input_fn` is not callable.
      ValueError: both a size and a layer, or not one for each mechanism.
      tf.errors.InvalidArgumentError: batch sizes of memory and state differ.
    """

    def __init__(
        self,
        cell: Any,
        attention_mechanism: Any,
        attention_layer_size: Any = None,
        alignment_history: bool = False,
        cell_input_fn: Callable[[Any, Any], Any] | None = None,
        output_attention: bool = True,
        initial_cell_state: Any = None,
        name: str | None = None,
        attention_layer: Any = None,
        attention_fn: Callable[..., Any] | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, list | tuple)
        self._attention_mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for mechanism in self._attention_mechanisms:
            if not isinstance(mechanism, AttentionMechanism):
                raise TypeError(
                    "attention_mechanism must be an AttentionMechanism or list of multiple AttentionMechanism "
                    f"instances, saw type: {type(mechanism).__name__}"
                )
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}")
        self._cell = cell
        self._cell_input_fn = cell_input_fn or _join_last
        self._attention_fn = attention_fn or attend
        self._output_attention = output_attention
        self._alignment_history = alignment_history
        self._attention_layers = self._layers(attention_layer_size, attention_layer)
        self._attention_layer_size = self._size(attention_layer_size)
        self._initial_cell_state = None
        if initial_cell_state is not None:
            last = tf.nest.flatten(initial_cell_state)[-1]
            with self._same_batch(last.shape[0] or tf.shape(last)[0], "initial_cell_state", "your initial state"):
                self._initial_cell_state = tf.nest.map_structure(tf.identity, initial_cell_state)

    def _layers(self, size: Any, layer: Any) -> tuple[Any, ...] | None:
        if size is not None and layer is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        given, what = (size, "attention_layer_size") if size is not None else (layer, "attention_layer")
        if given is None:
            return None
        each = tuple(given) if isinstance(given, list | tuple) else (given,)
        if len(each) != len(self._attention_mechanisms):
            raise ValueError(
                f"If provided, {what} must contain exactly one per attention_mechanism, "
                f"saw: {len(each)} vs {len(self._attention_mechanisms)}"
            )
        if layer is not None:
            return each
        return tuple(
            Dense(units, name="attention_layer", use_bias=False, dtype=mechanism.dtype)
            for units, mechanism in zip(each, self._attention_mechanisms, strict=True)
        )

    def _size(self, size: Any) -> int:
        """The size of all attentions together."""
        if size is not None:
            return sum(size) if isinstance(size, list | tuple) else size
        depths = [mechanism.values.shape[-1] for mechanism in self._attention_mechanisms]
        if self._attention_layers is None:
            return sum(depths)
        return sum(
            tf.TensorShape(layer.compute_output_shape([None, self._cell.output_size + depth]))[-1]
            for layer, depth in zip(self._attention_layers, depths, strict=True)
        )

    def _batch_size_checks(self, batch_size: Any, error_message: str) -> list[Any]:
        """Checks, to depend on, that every memory has this batch size; under TF1's name, for subclasses."""
        checks = [
            tf.debugging.assert_equal(batch_size, mechanism.batch_size, message=error_message)
            for mechanism in self._attention_mechanisms
        ]
        return [check for check in checks if check is not None]

    def _same_batch(self, batch_size: Any, what: str, tiled: str) -> Any:
        message = f"AttentionWrapper {self._base_name}: {_TILE.format(what, tiled)}"
        return tf.control_dependencies(self._batch_size_checks(batch_size, message))

    def _item_or_tuple(self, items: Iterable[Any]) -> Any:
        each = tuple(items)
        return each if self._is_multi else each[0]

    def _each(self, value: Any) -> Any:
        return value if self._is_multi else (value,)

    @property
    def output_size(self) -> Any:
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> Any:
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            time=tf.TensorShape([]),
            attention=self._attention_layer_size,
            alignments=self._item_or_tuple(each.alignments_size for each in mechanisms),
            attention_state=self._item_or_tuple(each.state_size for each in mechanisms),
            alignment_history=self._item_or_tuple(
                each.alignments_size if self._alignment_history else () for each in mechanisms
            ),
        )

    def zero_state(self, batch_size: Any, dtype: Any) -> AttentionWrapperState:
        """The first state; see `RNNCell.zero_state`."""
        mechanisms = self._attention_mechanisms
        with tf.name_scope(type(self).__name__ + "ZeroState"):
            cell_state = self._initial_cell_state
            if cell_state is None:
                cell_state = self._cell.get_initial_state(batch_size=batch_size, dtype=dtype)
            with self._same_batch(batch_size, "the requested batch size", "your encoder output"):
                cell_state = tf.nest.map_structure(tf.identity, cell_state)
            alignments = [each.initial_alignments(batch_size, dtype) for each in mechanisms]
            histories = (
                tf.TensorArray(dtype, size=0, dynamic_size=True, element_shape=each.shape)
                if self._alignment_history
                else ()
                for each in alignments
            )
            return AttentionWrapperState(
                cell_state=cell_state,
                time=tf.zeros([], tf.int32),
                attention=zero_state_tensors(self._attention_layer_size, batch_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(each.initial_state(batch_size, dtype) for each in mechanisms),
                alignment_history=self._item_or_tuple(histories),
            )

    def call(self, inputs: Any, state: Any) -> tuple[Any, AttentionWrapperState]:
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                f"Expected state to be instance of AttentionWrapperState. Received type {type(state)} instead."
            )
        cell_inputs = self._cell_input_fn(inputs, state.attention)
        cell_output, cell_state = self._cell(cell_inputs, state.cell_state)
        batch_size = cell_output.shape[0] or tf.shape(cell_output)[0]
        with self._same_batch(batch_size, "the query (decoder output)", "your memory input"):
            cell_output = tf.identity(cell_output, name="checked_cell_output")
        results = [
            self._attention_fn(mechanism, cell_output, previous, layer)
            for mechanism, previous, layer in zip(
                self._attention_mechanisms,
                self._each(state.attention_state),
                self._attention_layers or [None] * len(self._attention_mechanisms),
                strict=True,
            )
        ]
        attentions, alignments, attention_states = zip(*results, strict=True)
        histories = (
            history.write(state.time, each) if self._alignment_history else ()
            for history, each in zip(self._each(state.alignment_history), alignments, strict=True)
        )
        attention = tf.concat(attentions, 1)
        next_state = AttentionWrapperState(
            time=state.time + 1,
            cell_state=cell_state,
            attention=attention,
            attention_state=self._item_or_tuple(attention_states),
            alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(histories),
        )
        return attention if self._output_attention else cell_output, next_state
