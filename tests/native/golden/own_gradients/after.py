import tensorflow as tf
import compat

W = tf.Variable([[0.5], [-0.5]], name="W")
b = tf.Variable([0.1], name="b")

optimizer = compat.train.GradientDescentOptimizer(learning_rate=0.1)


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32),
        tf.TensorSpec([None, 1], tf.float32),
    ]
)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, W) + b - y))
    gvs = list(zip(tape.gradient(loss, [W, b]), [W, b]))
    # Keep each step small
    capped = [(tf.clip_by_value(grad, -1.0, 1.0), var) for grad, var in gvs]
    optimizer.apply_gradients(capped)
    return loss, tf.nest.map_structure(tf.identity, gvs)


# Another step over the same loss, clipped as a whole
adam = compat.train.AdamOptimizer(0.01)
tvars = [W, b]


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32),
        tf.TensorSpec([None, 1], tf.float32),
    ]
)
def adam_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, W) + b - y))
    grads, norm = tf.clip_by_global_norm(tape.gradient(loss, tvars), 5.0)
    adam.apply_gradients(zip(grads, tvars))
    return norm


for _ in range(3):
    loss_value, pairs = tf.nest.map_structure(lambda value: value.numpy(), train_step([[1, 2], [3, 4]], [[1], [2]]))
    print("%.5f %.4f %.4f" % (loss_value, pairs[0][0][0, 0], pairs[1][1][0]))
for _ in range(2):
    size = adam_step([[1, 2], [3, 4]], [[1], [2]]).numpy()
    print("%.4f" % size)
