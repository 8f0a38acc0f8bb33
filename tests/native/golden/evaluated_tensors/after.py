import tensorflow as tf

scale = tf.Variable(2.0)


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def compute_total(x):
    scaled = x * scale
    total = tf.reduce_sum(scaled)
    return total


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def compute_scaled(x):
    scaled = x * scale
    return scaled


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def compute_scaled_reduce_max(x):
    scaled = x * scale
    return tf.reduce_max(scaled, axis=1)


print(compute_total([[1, 2], [3, 4]]).numpy())
print(compute_scaled([[1, 2]]).numpy())
print(compute_scaled_reduce_max([[5, 6]]).numpy())
print(scale.numpy())

largest = compute_scaled([[9, 8]]).numpy()
print(tf.argmax(largest, 1).numpy())
