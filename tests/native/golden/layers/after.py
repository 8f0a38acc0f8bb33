import numpy as np
import tensorflow as tf
import compat


def encoder(sequence, units):
    # The last output of the unrolled cell
    cell = compat.nn.rnn_cell.BasicRNNCell(units)
    outputs, state = compat.nn.dynamic_rnn(cell, sequence, dtype=tf.float32)
    return outputs[:, -1]


store = compat.VariableStore()

ones = compat.ones_initializer()
optimizer = compat.train.GradientDescentOptimizer(0.05)


def compute_logits(x):
    encoded = encoder(x, 5)
    hidden = compat.layers.dense(encoded, 4, activation=tf.nn.relu, kernel_initializer=ones)
    logits = compat.layers.dense(hidden, 2, kernel_initializer=compat.constant_initializer([[0.1, -0.2]] * 4))
    return logits


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 4, 3], tf.float32),
        tf.TensorSpec([None], tf.int32),
    ]
)
def train_step(x, y):
    with store, tf.GradientTape() as tape:
        logits = compute_logits(x)

        loss = compat.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
    variables = store.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


@tf.function(input_signature=[tf.TensorSpec([None, 4, 3], tf.float32)])
def compute_guess(x):
    with store:
        logits = compute_logits(x)
        guess = tf.argmax(logits, axis=1)
    return guess


batch = np.linspace(-1.0, 1.0, 24).reshape(2, 4, 3)
for _ in range(3):
    value = train_step(batch, [0, 1]).numpy()
    print(value > 0.0)
print(compute_guess(batch).numpy().shape)
