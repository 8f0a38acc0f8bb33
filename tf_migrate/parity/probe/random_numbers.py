"""The same random numbers in both TensorFlows: those that NumPy draws for (operation, shape, run).

TensorFlow 1 and 2 derive the seeds of operations differently, and number them differently. Here each random operation
gives what a generator draws that is seeded with the operation's kind, the shape and the number of the run: dropout and
noise then compare too, and vary from run to run. Two operations of one kind and shape in one run get the same numbers.
"""

from __future__ import annotations

import importlib
import threading
import zlib
from typing import Any, Callable, Dict, List, NamedTuple, Sequence

import numpy as np

_Draw = Callable[..., Any]

DRAWING = "aligned_numbers"
"""The name of the operations that draw."""


def align_random(recorder: Any) -> None:
    """Puts the drawn numbers in the place of TensorFlow's random operations."""
    import tensorflow

    tf = getattr(getattr(tensorflow, "compat", tensorflow), "v1", tensorflow)

    own = threading.local()  # made once in a thread: a new generator asks the system for numbers, seeded or not
    own.generator = np.random.RandomState()

    def generator(kind: str, shape: Sequence[int]) -> np.random.RandomState:
        key = f"{kind} {','.join(str(int(size)) for size in shape)} {recorder.step}"
        if not hasattr(own, "generator"):
            own.generator = np.random.RandomState()
        made: np.random.RandomState = own.generator
        made.seed(zlib.crc32(key.encode()) & 0x7FFFFFFF)
        return made

    def operation(kind: str, draw: _Draw) -> Callable[..., Any]:
        def replaced(*args: Any, **kwargs: Any) -> Any:
            return draw(tf, generator, kind, *args, **kwargs)

        return replaced

    modules = [_module("tensorflow.python.ops." + name) for name in _MODULES]
    raw_ops = getattr(tensorflow, "raw_ops", None)
    for name, draw in _OPERATIONS.items():
        made = operation(name, draw)
        for module in modules:
            if hasattr(module, name):
                setattr(module, name, made)
        camel = "".join(part.capitalize() for part in name.split("_"))
        if hasattr(raw_ops, camel):
            setattr(raw_ops, camel, made)


_MODULES = (
    "gen_random_ops",
    "gen_stateless_random_ops",
    "gen_stateless_random_ops_v2",
    "gen_candidate_sampling_ops",
)


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _array(tf: Any, draw: Callable[[Any], Any], shape: Any, dtype: Any) -> Any:
    """A tensor of what `draw` gives for the shape, drawn anew whenever it is computed."""
    shape = tf.convert_to_tensor(shape, dtype=tf.int32) if not hasattr(shape, "dtype") else tf.cast(shape, tf.int32)
    dtype = tf.as_dtype(dtype)
    numpy_dtype = np.float32 if dtype == tf.bfloat16 else dtype.as_numpy_dtype

    def drawn(sizes: Any) -> Any:
        return np.asarray(draw(np.asarray(sizes)), numpy_dtype)

    eager = getattr(tf, "executing_eagerly", lambda: False)()
    if eager:
        return tf.cast(tf.constant(drawn(shape.numpy())), dtype)
    numbers = tf.py_func(drawn, [shape], tf.as_dtype(numpy_dtype), name=DRAWING)
    numbers.set_shape(tf.fill(shape, False).get_shape())  # which TensorFlow tells as that of what it draws itself
    return numbers if numbers.dtype == dtype else tf.cast(numbers, dtype)


def _type(tf: Any, kind: str, args: Sequence[Any], kwargs: Dict[str, Any]) -> Any:
    """The type asked for: it stands behind the shape, and behind seeds or key, counter and algorithm."""
    place = 3 if kind.endswith("_v2") else 1 if kind.startswith("stateless") else 0
    return kwargs.get("dtype", args[place] if len(args) > place else tf.float32)


def _uniform(tf: Any, generator: Any, kind: str, shape: Any, *args: Any, **kwargs: Any) -> Any:
    return _array(
        tf, lambda sizes: generator("uniform", sizes).random_sample(sizes), shape, _type(tf, kind, args, kwargs)
    )


def _normal(tf: Any, generator: Any, kind: str, shape: Any, *args: Any, **kwargs: Any) -> Any:
    return _array(
        tf, lambda sizes: generator("normal", sizes).standard_normal(sizes), shape, _type(tf, kind, args, kwargs)
    )


def _truncated(tf: Any, generator: Any, kind: str, shape: Any, *args: Any, **kwargs: Any) -> Any:
    def draw(sizes: Any) -> Any:
        numbers = generator("truncated", sizes)
        drawn = numbers.standard_normal(sizes)
        while True:
            far = np.abs(drawn) > 2
            if not far.any():
                return drawn
            drawn = np.where(far, numbers.standard_normal(sizes), drawn)

    return _array(tf, draw, shape, _type(tf, kind, args, kwargs))


def _integers(tf: Any, generator: Any, kind: str, shape: Any, minval: Any, maxval: Any, *args: Any, **kw: Any) -> Any:
    minval, maxval = tf.convert_to_tensor(minval), tf.convert_to_tensor(maxval)
    unit = _array(tf, lambda sizes: generator("integers", sizes).random_sample(sizes), shape, tf.float64)
    span = tf.cast(maxval, tf.float64) - tf.cast(minval, tf.float64)
    return minval + tf.cast(tf.floor(unit * span), minval.dtype)


def _shuffled(tf: Any, generator: Any, kind: str, value: Any, *args: Any, **kwargs: Any) -> Any:
    value = tf.convert_to_tensor(value)
    count = tf.shape(value)[:1]
    order = _array(tf, lambda sizes: generator("shuffle", sizes).permutation(int(sizes[0])), count, tf.int32)
    return tf.gather(value, order)


def _categories(tf: Any, generator: Any, kind: str, logits: Any, num_samples: Any, *args: Any, **kwargs: Any) -> Any:
    logits = tf.cast(tf.convert_to_tensor(logits), tf.float64)
    dtype = kwargs.get("output_dtype") or tf.int64  # None where the program says nothing
    shape = tf.stack([tf.shape(logits)[0], tf.cast(num_samples, tf.int32)])
    unit = _array(tf, lambda sizes: generator("categories", sizes).random_sample(sizes), shape, tf.float64)
    bounds = tf.cumsum(tf.nn.softmax(logits), axis=1)
    chosen = tf.reduce_sum(tf.cast(unit[:, :, None] > bounds[:, None, :-1], tf.int32), axis=2)
    return tf.cast(chosen, dtype)


class _Candidates(NamedTuple):
    """What a candidate sampler gives."""

    sampled_candidates: Any
    true_expected_count: Any
    sampled_expected_count: Any


def _candidates(
    tf: Any,
    generator: Any,
    kind: str,
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Sampled classes, and how often the true and the sampled ones are expected among them."""
    classes = np.arange(range_max)
    if kind.startswith("fixed_unigram"):
        chances = _unigram_chances(range_max, **kwargs)
    elif kind.startswith("log_uniform"):
        chances = np.log((classes + 2.0) / (classes + 1.0)) / np.log(range_max + 1.0)
    else:
        chances = np.full(range_max, 1.0 / range_max)

    def draw(true: Any) -> Any:
        numbers = generator(kind, [num_sampled])
        sampled: List[int] = []
        tries = 0
        while len(sampled) < num_sampled:
            tries += 1
            candidate = min(int(np.searchsorted(np.cumsum(chances), numbers.random_sample())), range_max - 1)
            if not unique or candidate not in sampled:
                sampled.append(candidate)
        expected = (-np.expm1(tries * np.log1p(-chances)) if unique else chances * num_sampled).astype(np.float32)
        return np.array(sampled, np.int64), expected[np.asarray(true)], expected[sampled]

    true_classes = tf.cast(true_classes, tf.int64)
    if getattr(tf, "executing_eagerly", lambda: False)():
        return _Candidates(*(tf.constant(value) for value in draw(true_classes.numpy())))
    sampled, true_expected, sampled_expected = tf.py_func(
        draw, [true_classes], [tf.int64, tf.float32, tf.float32], name=DRAWING
    )
    sampled.set_shape([num_sampled])
    true_expected.set_shape(true_classes.get_shape())
    sampled_expected.set_shape([num_sampled])
    return _Candidates(sampled, true_expected, sampled_expected)


def _unigram_chances(
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    unigrams: Sequence[float] = (),
    **others: Any,
) -> Any:
    """How likely each class is by the counts of a list, or of the last column of a file; reserved ones never are."""
    if vocab_file:
        with open(vocab_file) as lines:
            unigrams = [float(line.rpartition(",")[2]) for line in lines if line.strip()]
    weights = np.zeros(range_max)
    counts = np.asarray(unigrams, np.float64)[: range_max - num_reserved_ids]
    weights[num_reserved_ids : num_reserved_ids + len(counts)] = counts**distortion
    return weights / weights.sum()


_OPERATIONS: Dict[str, _Draw] = {
    "fixed_unigram_candidate_sampler": _candidates,
    "log_uniform_candidate_sampler": _candidates,
    "uniform_candidate_sampler": _candidates,
    "random_uniform": _uniform,
    "random_standard_normal": _normal,
    "truncated_normal": _truncated,
    "random_uniform_int": _integers,
    "random_shuffle": _shuffled,
    "multinomial": _categories,
    "stateless_random_uniform": _uniform,
    "stateless_random_normal": _normal,
    "stateless_truncated_normal": _truncated,
    "stateless_random_uniform_v2": _uniform,
    "stateless_random_normal_v2": _normal,
    "stateless_truncated_normal_v2": _truncated,
}
