"""cuDNN's recurrent layers, computed by operations that every device has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...initializers import constant_initializer, glorot_uniform_initializer
from ...layers.base import Layer
from ...layers.input_spec import InputSpec
from ...train.saveables import Derived, keep_derived
from ...variables import current_scope
from .parameters import Layout
from .unrolling import run_layer

DIRECTIONS = {"unidirectional": 1, "bidirectional": 2}
INPUT_MODES = ("linear_input", "skip_input", "auto_select")


class _CudnnRNN(Layer):
    """What the four layers share.

    One variable `opaque_kernel` below the layer's scope holds all parameters in cuDNN's order, so that optimizers,
    clipping and slots see what they saw in TF 1.15. A `Saver` of all variables (or of a `VariableStore`) writes the
    parameters as `CudnnCompatibleLSTMCell` and its kin have them too, below the scope that was open when the layer was
    built, and reads these. The arithmetic is cuDNN's; the kernel is not, so it runs anywhere and at the pace of
    `dynamic_rnn`. Dropout draws other numbers than cuDNN's generator.

    Args:
      num_layers: how many layers lie on each other.
      num_units: n, the size of state and output of each direction.
      input_mode: `linear_input`; `auto_select` is the same where the inputs' depth is not n.
      direction: `unidirectional` or `bidirectional`.
      dropout: the part of the values that is dropped between layers in training.
      seed: of the dropout, and of the default initializer.
      dtype: float16, float32 or float64.
      kernel_initializer: of each gate's matrix; `glorot_uniform_initializer` by default.
      bias_initializer: of each bias; zeros by default.
      name: name of the layer and its scope; by default its class's.

    Raises:
      ValueError: an unknown direction, input mode or dtype; (when built) inputs that are not `[time, batch, depth]`.
      NotImplementedError: (when built) a first layer without matrices on its inputs, whose parameters no cell can hold.
    """

    _mode = ""

    def __init__(
        self,
        num_layers: int,
        num_units: int,
        input_mode: str = "linear_input",
        direction: str = "unidirectional",
        dropout: float = 0.0,
        seed: int | None = None,
        dtype: Any = tf.float32,
        kernel_initializer: Callable[..., Any] | None = None,
        bias_initializer: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype, name=name)
        if direction not in DIRECTIONS:
            raise ValueError(f"Invalid direction: {direction}, expecting {' or '.join(DIRECTIONS)}")
        if input_mode not in INPUT_MODES:
            raise ValueError(f"Invalid input_mode: {input_mode}, expect one of ({', '.join(INPUT_MODES)})")
        if dtype not in (tf.float16, tf.float32, tf.float64):
            raise ValueError(f"Only support float16, float32, float64, provided {dtype}")
        self._num_layers, self._num_units = num_layers, num_units
        self._input_mode, self._direction = input_mode, direction
        self._dropout, self._seed = dropout, seed
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer
        self._layout: Layout | None = None
        self._saveable: Derived | None = None

    # -- what it is ---------------------------------------------------------------------------------------------------

    @property
    def num_layers(self) -> int:
        """How many layers lie on each other."""
        return self._num_layers

    @property
    def num_units(self) -> int:
        """The size of state and output of each direction."""
        return self._num_units

    @property
    def input_mode(self) -> str:
        """How the first layer takes its inputs."""
        return self._input_mode

    @property
    def rnn_mode(self) -> str:
        """`lstm`, `gru`, `rnn_tanh` or `rnn_relu`."""
        return self._mode

    @property
    def direction(self) -> str:
        """`unidirectional` or `bidirectional`."""
        return self._direction

    @property
    def num_dirs(self) -> int:
        """How many directions it runs in."""
        return DIRECTIONS[self._direction]

    @property
    def input_size(self) -> int:
        """The inputs' depth.

        Raises:
          ValueError: the layer has not been built.
        """
        if self._layout is None:
            raise ValueError("'input_size' is unknown since layer has not been built.")
        return self._layout.depth

    @property
    def saveable(self) -> Derived | None:
        """What savers write of its parameters; None before it is built."""
        return self._saveable

    @property
    def canonical_weight_shapes(self) -> list[tuple[int, int]]:
        """The shapes of the gates' matrices, layer by layer.

        Raises:
          RuntimeError: the layer has not been built.
        """
        return self._built_layout("canonical_weight_shapes").matrix_shapes()

    @property
    def canonical_bias_shapes(self) -> list[list[int]]:
        """The shapes of the gates' biases, layer by layer."""
        return Layout(self._mode, self._num_layers, self._num_units, 0, self.num_dirs).bias_shapes()

    def state_shape(self, batch_size: Any) -> tuple[list[Any], ...]:
        """The shapes of the state's parts for a batch: `[layers * directions, batch, n]` each."""
        shape = [self._num_layers * self.num_dirs, batch_size, self._num_units]
        return (shape, list(shape)) if self._mode == "lstm" else (shape,)

    # -- what it computes ---------------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        if self.built:
            return
        shape = tf.TensorShape(input_shape)
        if shape.rank != 3:
            raise ValueError(f"Expecting input_shape with 3 dims, got {shape.rank}")
        if shape[-1] is None:
            raise ValueError("The last dimension of the inputs to `CudnnRNN` should be defined. Found `None`.")
        depth = int(shape[-1])
        if self._input_mode == "skip_input" or (self._input_mode == "auto_select" and depth == self._num_units):
            raise NotImplementedError(
                f"{self.name}: with input_mode '{self._input_mode}' the first layer has no matrices on its inputs. "
                "Only cuDNN's kernel computes that; use 'linear_input'."
            )
        self.input_spec = InputSpec(ndim=3, axes={-1: depth})
        self._layout = Layout(self._mode, self._num_layers, self._num_units, depth, self.num_dirs)
        self.kernel = self.add_weight("opaque_kernel", shape=[self._layout.size], initializer=self._initial_value)
        scope = current_scope().name
        names = [f"{scope}/{name}" if scope else name for name in self._layout.names()]
        self._saveable = Derived(self.kernel, tuple(names), self._layout.canonical, self._layout.from_canonical)
        keep_derived(self._saveable)
        self.built = True

    def call(
        self,
        inputs: Any,
        initial_state: tuple[Any, ...] | None = None,
        sequence_lengths: Any = None,
        time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, tuple[Any, ...]]:
        """Runs the layers over a batch of sequences.

        Args:
          inputs: `[time, batch, depth]`, or `[batch, time, depth]` where `time_major` is False.
          initial_state: a tuple of the shapes of :meth:`state_shape`, the first two dimensions swapped where
            `time_major` is False; zeros by default.
          sequence_lengths: int vector `[batch]`; behind the end of a sequence outputs are zero.
          time_major: whether time comes first.
          training: whether values are dropped.

        Returns:
          `(outputs, states)`: `[time, batch, directions * n]` (batch first as the inputs) and a tuple like
          `initial_state`.

        Raises:
          TypeError: `initial_state` is no tuple.
        """
        if initial_state is not None and not isinstance(initial_state, tuple):
            raise TypeError(f"Invalid initial_state type: {initial_state}, expecting tuple.")
        swapped = _as_they_are if time_major else _swapped
        values = swapped(tf.convert_to_tensor(inputs, self.dtype))
        if initial_state is None:
            state = tuple(tf.zeros(shape, self.dtype) for shape in self.state_shape(tf.shape(values)[1]))
        else:
            state = tuple(swapped(tf.convert_to_tensor(part, self.dtype)) for part in initial_state)
        stack = self._built_layout("call").unpack(tf.convert_to_tensor(self.kernel))
        finals: list[tuple[Any, ...]] = []
        for layer in range(self._num_layers):
            if layer and training and self._dropout:
                values = tf.nn.dropout(values, rate=self._dropout, seed=self._seed)
            places = range(layer * self.num_dirs, (layer + 1) * self.num_dirs)
            ways = [
                run_layer(self._mode, stack[at], values, tuple(part[at] for part in state), sequence_lengths, bool(way))
                for way, at in enumerate(places)
            ]
            values = tf.concat([outputs for outputs, _ in ways], 2)
            finals += [final for _, final in ways]
        return swapped(values), tuple(swapped(tf.stack(parts)) for parts in zip(*finals, strict=True))

    def _built_layout(self, wanted: str) -> Layout:
        if self._layout is None:
            raise RuntimeError(f"{type(self).__name__}.{wanted} invoked before input shape is known")
        return self._layout

    def _initial_value(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        del shape, partition_info
        layout = self._built_layout("kernel")
        matrix = self._kernel_initializer or glorot_uniform_initializer(seed=self._seed, dtype=dtype)
        bias = self._bias_initializer or constant_initializer(0.0, dtype=dtype)
        parts = [matrix(shape, dtype=dtype) for shape in layout.matrix_shapes()]
        parts += [bias(shape, dtype=dtype) for shape in layout.bias_shapes()]
        return tf.concat([tf.reshape(part, [-1]) for part in parts], 0)


class CudnnLSTM(_CudnnRNN):
    """Layers of LSTMs with cuDNN's parameters (TF 1.15's `tf.contrib.cudnn_rnn.CudnnLSTM`); the state is `(h, c)`.

    Arguments, names in checkpoints and differences as `_CudnnRNN` tells; no bias is added to the forget gate.

    Example:
      >>> with store:
      ...     lstm = compat.contrib.cudnn_rnn.CudnnLSTM(num_layers=2, num_units=8, direction="bidirectional")
      ...     outputs, (h, c) = lstm(tf.ones([5, 3, 4]))
      >>> outputs.shape, h.shape
      (TensorShape([5, 3, 16]), TensorShape([4, 3, 8]))
    """

    _mode = "lstm"


class CudnnGRU(_CudnnRNN):
    """Layers of GRUs with cuDNN's parameters (TF 1.15's `tf.contrib.cudnn_rnn.CudnnGRU`); the state is `(h,)`.

    As `CudnnCompatibleGRUCell`, whose reset gate acts on the product of state and matrix, not on the state.
    """

    _mode = "gru"


class CudnnRNNTanh(_CudnnRNN):
    """Layers of `h = tanh(x W + h R + b)` with cuDNN's parameters (TF 1.15's `tf.contrib.cudnn_rnn.CudnnRNNTanh`)."""

    _mode = "rnn_tanh"


class CudnnRNNRelu(_CudnnRNN):
    """Layers of `h = relu(x W + h R + b)` with cuDNN's parameters (TF 1.15's `tf.contrib.cudnn_rnn.CudnnRNNRelu`)."""

    _mode = "rnn_relu"


def _as_they_are(values: Any) -> Any:
    return values


def _swapped(values: Any) -> Any:
    return tf.transpose(values, [1, 0, 2])
