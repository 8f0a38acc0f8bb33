import numpy as np
import tensorflow as tf
import compat

features = np.linspace(-1.0, 1.0, 20, dtype=np.float32).reshape(10, 2)
labels = np.sum(features, axis=1)


def normalize(row, label):
    return row / 2.0, label + 1.0


dataset = tf.data.Dataset.from_tensor_slices((features, labels))
dataset = dataset.map(normalize).batch(4).repeat(2)
iterator = iter(dataset)

w = tf.Variable(compat.zeros_initializer()([2]), name="w")
optimizer = compat.train.GradientDescentOptimizer(0.1)
counter_iterator = iter(tf.data.Dataset.range(100))


@compat.fast_dispatch
@tf.function(input_signature=iterator.element_spec)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.reduce_sum(x * w, axis=1) - y))
    variables = [w]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


@tf.function(input_signature=iterator.element_spec)
def compute_loss(x, y):
    loss = tf.reduce_mean(tf.square(tf.reduce_sum(x * w, axis=1) - y))
    return loss


# The first batch is only looked at.
first_x, first_y = tf.nest.map_structure(lambda value: value.numpy(), next(iterator))
print(first_x.tolist(), first_y.tolist())
print(w.numpy(), next(counter_iterator).numpy())
for x, y in iterator:
    value = train_step(x, y).numpy()
    print(value)
print("end", next(counter_iterator).numpy())
print(w.numpy())
print(compute_loss(features, labels).numpy())
