"""What a frozen graph may be computed by: of each symbol an expression, of which TensorFlow 1.15.5 reads the result.

`x` is of shape [None, 4], `im` of [None, 4, 4, 2], `n` of whole numbers of shape [None].
"""

from __future__ import annotations

EXPRESSIONS = {
    "tf.abs": "tf.abs(x)",
    "tf.add": "tf.add(x, 1.0)",
    "tf.add_n": "tf.add_n([x, x])",
    "tf.arg_max": "tf.arg_max(x, 1)",
    "tf.argmax": "tf.argmax(x, 1)",
    "tf.argmin": "tf.argmin(x, 1)",
    "tf.cast": "tf.cast(n, tf.float32)",
    "tf.clip_by_value": "tf.clip_by_value(x, 0.0, 1.0)",
    "tf.concat": "tf.concat([x, x], 1)",
    "tf.constant": "x + tf.constant([1.0, 2.0, 3.0, 4.0])",
    "tf.contrib.layers.flatten": "tf.contrib.layers.flatten(im)",
    "tf.cos": "tf.cos(x)",
    "tf.div": "tf.div(x, 2.0)",
    "tf.divide": "tf.divide(x, 2.0)",
    "tf.equal": "tf.equal(x, 1.0)",
    "tf.exp": "tf.exp(x)",
    "tf.expand_dims": "tf.expand_dims(x, 1)",
    "tf.floor": "tf.floor(x)",
    "tf.gather": "tf.gather(weights, n)",
    "tf.greater": "tf.greater(x, 0.5)",
    "tf.identity": "tf.identity(x)",
    "tf.layers.average_pooling2d": "tf.layers.average_pooling2d(im, 2, 2)",
    "tf.layers.conv2d": "tf.layers.conv2d(im, 3, 2, kernel_initializer=ones, activation=tf.nn.relu)",
    "tf.layers.dense": "tf.layers.dense(x, 3, kernel_initializer=ones)",
    "tf.layers.flatten": "tf.layers.flatten(im)",
    "tf.layers.max_pooling2d": "tf.layers.max_pooling2d(im, 2, 2)",
    "tf.less": "tf.less(x, 0.5)",
    "tf.log": "tf.log(tf.abs(x) + 1.0)",
    "tf.matmul": "tf.matmul(x, weights)",
    "tf.maximum": "tf.maximum(x, 0.0)",
    "tf.minimum": "tf.minimum(x, 0.0)",
    "tf.multiply": "tf.multiply(x, 2.0)",
    "tf.negative": "tf.negative(x)",
    "tf.nn.avg_pool": 'tf.nn.avg_pool(im, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")',
    "tf.nn.bias_add": "tf.nn.bias_add(x, bias)",
    "tf.nn.conv2d": 'tf.nn.conv2d(im, kernel, [1, 1, 1, 1], "SAME")',
    "tf.nn.depthwise_conv2d": 'tf.nn.depthwise_conv2d(im, kernel, [1, 1, 1, 1], "SAME")',
    "tf.nn.dropout": "tf.nn.dropout(x, 1.0 + 0.0 * x[0, 0])",
    "tf.nn.elu": "tf.nn.elu(x)",
    "tf.nn.embedding_lookup": "tf.nn.embedding_lookup(weights, n)",
    "tf.nn.l2_normalize": "tf.nn.l2_normalize(x, 1)",
    "tf.nn.leaky_relu": "tf.nn.leaky_relu(x)",
    "tf.nn.log_softmax": "tf.nn.log_softmax(x)",
    "tf.nn.lrn": "tf.nn.lrn(im)",
    "tf.nn.max_pool": 'tf.nn.max_pool(im, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")',
    "tf.nn.relu": "tf.nn.relu(x)",
    "tf.nn.relu6": "tf.nn.relu6(x)",
    "tf.nn.selu": "tf.nn.selu(x)",
    "tf.nn.sigmoid": "tf.nn.sigmoid(x)",
    "tf.nn.softmax": "tf.nn.softmax(x)",
    "tf.nn.softplus": "tf.nn.softplus(x)",
    "tf.nn.tanh": "tf.nn.tanh(x)",
    "tf.nn.xw_plus_b": "tf.nn.xw_plus_b(x, weights, bias)",
    "tf.one_hot": "tf.one_hot(n, 4)",
    "tf.ones_like": "tf.ones_like(x)",
    "tf.pad": "tf.pad(x, [[0, 0], [1, 1]])",
    "tf.pow": "tf.pow(x, 2.0)",
    "tf.reduce_max": "tf.reduce_max(x, 1)",
    "tf.reduce_mean": "tf.reduce_mean(im, axis=[1, 2])",
    "tf.reduce_min": "tf.reduce_min(x, 1)",
    "tf.reduce_prod": "tf.reduce_prod(x, 1)",
    "tf.reduce_sum": "tf.reduce_sum(x, 1, keepdims=True)",
    "tf.reshape": "tf.reshape(im, [-1, 32])",
    "tf.round": "tf.round(x)",
    "tf.rsqrt": "tf.rsqrt(tf.abs(x) + 1.0)",
    "tf.shape": "tf.shape(x)",
    "tf.sigmoid": "tf.sigmoid(x)",
    "tf.sign": "tf.sign(x)",
    "tf.sin": "tf.sin(x)",
    "tf.slice": "tf.slice(x, [0, 1], [-1, 2])",
    "tf.sqrt": "tf.sqrt(tf.abs(x))",
    "tf.square": "tf.square(x)",
    "tf.squeeze": "tf.squeeze(tf.expand_dims(x, 1), [1])",
    "tf.stack": "tf.stack([x, x])",
    "tf.subtract": "tf.subtract(x, 2.0)",
    "tf.tanh": "tf.tanh(x)",
    "tf.tensordot": "tf.tensordot(x, weights, [[1], [0]])",
    "tf.tile": "tf.tile(x, [1, 2])",
    "tf.to_float": "tf.to_float(n)",
    "tf.to_int32": "tf.to_int32(x)",
    "tf.transpose": "tf.transpose(x)",
    "tf.truediv": "tf.truediv(x, 2.0)",
    "tf.zeros_like": "tf.zeros_like(x)",
}
_OPERATORS = ("x - x[:, 1:2] * 2.0", "-x / 3.0 + x ** 2.0", "x > 0.5", "x[..., None]", "x % 2.0", "n // 2")


def program(path: str) -> tuple[str, list[str]]:
    """A script that freezes all of them into a file, and the names of its outputs."""
    expressions = [*EXPRESSIONS.values(), *_OPERATORS]
    names = [f"out{index}z" for index in range(len(expressions))]
    lines = [f'{name} = tf.identity({text}, name="{name}")' for name, text in zip(names, expressions, strict=True)]
    return "\n".join([_BEGIN, *lines, _END.format(names=names, path=path)]), names


_BEGIN = """\
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4], name="x")
im = tf.placeholder(tf.float32, [None, 4, 4, 2], name="im")
n = tf.placeholder(tf.int32, [None], name="n")
weights = tf.Variable(np.arange(16.0).reshape(4, 4).astype(np.float32))
bias = tf.Variable(np.float32([1.0, 2.0, 3.0, 4.0]))
kernel = tf.Variable(np.arange(24.0).reshape(2, 2, 2, 3).astype(np.float32))
ones = tf.ones_initializer()"""
_END = """\
sess = tf.Session()
sess.run(tf.global_variables_initializer())
sess.run(out1z, {{x: np.ones([1, 4], np.float32)}})
frozen = tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, {names})
with open({path!r}, "wb") as f:
    f.write(frozen.SerializeToString())
"""
