"""Calls of Keras's backend, by ranks, axes and forms: what TensorFlow 1.15.5's own Keras and Keras 2.2.5 give, as JSON.

Runs there (Python 3.7), and below `compat.keras2`.
"""

import numpy as np

RANKS = (
    ((3, 4), (3, 4), (1, (1, 1))),
    ((3, 4), (3, 4, 2), (None, 1)),
    ((3, 2, 4), (3, 4), (None, (2, 1))),
    ((3, 2, 4), (3, 4, 2), (None, (2, 1), (1, 2))),
    ((3, 2, 4), (3, 2, 4), (2, (1, 1))),
    ((3, 2, 4, 5), (3, 2, 5, 4), (None, (3, 2), [2, 3])),
    ((3, 2, 4, 5), (3, 2, 4, 5), (3,)),
)


def numbers(*shape):
    """Numbers from -1 to 1."""
    return np.linspace(-1, 1, int(np.prod(shape))).reshape(shape).astype("float32")


def cases(backend):
    """What a call gives, by its text; a function that makes it."""
    k = backend

    def c(*shape):
        return k.constant(numbers(*shape))

    def dot(x, y, axes):
        return lambda: k.batch_dot(c(*x), c(*y), **({} if axes is None else {"axes": axes}))

    found = {f"batch_dot {x} {y} {axes}": dot(x, y, axes) for x, y, tried in RANKS for axes in tried}
    found.update(
        {
            "softmax of a vector": lambda: k.softmax(c(5)),
            "softmax of a matrix": lambda: k.softmax(c(3, 4), axis=0),
            "softmax of three dimensions": lambda: k.softmax(c(2, 3, 4), axis=1),
            "switch by rows": lambda: k.switch(k.greater(c(4), 0.0), c(4, 4), -c(4, 4)),
            "switch by rows of numbers": lambda: k.switch(k.constant([1, 0, 2]), c(3, 2, 2), -c(3, 2, 2)),
            "switch by elements": lambda: k.switch(k.greater(c(3, 1), 0.0), c(3, 4), -c(3, 4)),
            "switch by a column": lambda: k.switch(k.greater(c(3, 2), 0.0), c(3, 2, 4), -c(3, 2, 4)),
            "switch by a scalar": lambda: k.switch(k.sum(c(3)) > 1.0, lambda: c(3), lambda: -c(3)),
            "bias_add of a matrix": lambda: k.bias_add(c(3, 4), c(4), "channels_first"),
            "bias_add of a picture": lambda: k.bias_add(c(1, 2, 3, 4), c(2), "channels_first"),
            "bias_add of all": lambda: k.bias_add(c(2, 3, 4), c(4, 3), "channels_first"),
            "cross-entropy of a softmax": lambda: k.sparse_categorical_crossentropy(
                k.constant([[0, 1, 1, 0], [0, 0, 0, 0]]), k.softmax(c(2, 3, 4)), axis=1
            ),
            "cross-entropy far off": lambda: k.categorical_crossentropy(
                k.constant(np.eye(4)[None, :3]), k.softmax(c(1, 3, 4) * 40.0)
            ),
            "dot": lambda: k.dot(c(2, 3, 4), c(5, 4, 2)),
            "tile": lambda: k.tile(c(3, 4), [2, 1]),
            "arange": lambda: k.arange(1, 9, 2),
            "eye": lambda: k.eye(3),
        }
    )
    return found


def standalone_cases(backend):
    """Besides, what the stand-alone package had or took."""
    k = backend
    found = cases(backend)
    c = k.constant
    found.update(
        {
            "arange to a tensor": lambda: k.arange(k.shape(c(numbers(3, 4)))[0]),
            "arange below zero": lambda: k.arange(-3),
            "conv3d_transpose": lambda: k.conv3d_transpose(
                c(numbers(1, 2, 2, 2, 2)), c(numbers(2, 2, 2, 1, 2)), (1, 4, 4, 4, 1), strides=(2, 2, 2)
            ),
            "eye of a pair": lambda: k.eye((2, 3)),
            "identity": lambda: k.identity(c(numbers(3))),
            "is_tensor": lambda: [k.is_tensor(c(numbers(3))), k.is_tensor(numbers(3))],
            "separable_conv1d": lambda: k.separable_conv1d(
                c(numbers(1, 7, 2)), c(numbers(3, 2, 2)), c(numbers(1, 4, 3)), padding="same", dilation_rate=2
            ),
            "separable_conv1d by twos": lambda: k.separable_conv1d(
                c(numbers(1, 7, 2)), c(numbers(3, 2, 2)), c(numbers(1, 4, 3)), strides=2
            ),
            "tile of the last": lambda: k.tile(c(numbers(3, 4)), 2),
        }
    )
    return found


def values(backend, made):
    """text -> the value and its type, or what the call gives where that is no tensor."""
    found = {}
    for text, call in sorted(made.items()):
        given = call()
        if hasattr(given, "dtype"):
            value = np.asarray(backend.get_value(given))
            found[text] = [str(value.dtype), list(value.shape), value.astype("float64").ravel().tolist()]
        else:
            found[text] = list(given)
    return found
