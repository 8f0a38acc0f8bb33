import numpy as np
import tensorflow as tf
import compat

inputs = np.arange(12.0).reshape(6, 2)
targets = np.arange(6.0)


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32),
        tf.TensorSpec([None], tf.float32),
    ]
)
def make_dataset(features, labels):
    # Create the data loader
    dataset = tf.data.Dataset.from_tensor_slices((features, labels))
    dataset = dataset.map(lambda row, label: (row / 10.0, label))
    dataset = dataset.shuffle(6, seed=1).batch(2)
    return dataset


@tf.function(
    input_signature=make_dataset.get_concrete_function().structured_outputs.element_spec
)
def compute_y(x, y):
    return y


w = tf.Variable([[0.5], [0.25]], name="w")
optimizer = compat.train.MomentumOptimizer(0.01, 0.9)


@compat.fast_dispatch
@tf.function(
    input_signature=make_dataset.get_concrete_function().structured_outputs.element_spec
)
def train_step(x, y):
    with tf.GradientTape() as tape:
        prediction = tf.matmul(x, w)[:, 0]
        loss = tf.reduce_mean(tf.square(prediction - y))
    variables = [w]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


@tf.function(
    input_signature=make_dataset.get_concrete_function().structured_outputs.element_spec
)
def predict(x, y):
    prediction = tf.matmul(x, w)[:, 0]
    return prediction


for epoch in range(3):
    iterator = iter(make_dataset(inputs, targets + epoch))
    for x, y in iterator:
        value = train_step(x, y).numpy()
        print(epoch, value)
# New data, with another number of rows
iterator = iter(make_dataset(inputs[:3], targets[:3]))
print(predict(*next(iterator)).numpy().shape, tf.nest.map_structure(lambda value: value.numpy(), compute_y(*next(iterator))).shape)
print(w.numpy().tolist())
