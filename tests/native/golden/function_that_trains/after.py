"""A program whose graph is built and run by one function, as most programs have it."""
import numpy as np
import tensorflow as tf
import compat


def predict(inputs, slope, offset):
    return inputs * slope + offset


def train(learning_rate, steps):
    slope = tf.Variable(0.0, name="slope")
    offset = tf.Variable(0.0, name="offset")
    optimizer = compat.train.GradientDescentOptimizer(learning_rate)

    @compat.fast_dispatch
    @tf.function(
        input_signature=[
            tf.TensorSpec([None], tf.float32, name="x"),
            tf.TensorSpec([None], tf.float32, name="y"),
        ]
    )
    def train_step(x, y):
        with tf.GradientTape() as tape:
            prediction = predict(x, slope, offset)

            # The mean of the squared errors
            loss = tf.reduce_mean(tf.square(prediction - y))
        variables = [slope, offset]
        gradients = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(gradients, variables))
        return loss

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name="x")])
    def compute_prediction(x):
        prediction = predict(x, slope, offset)
        return prediction

    points = np.linspace(0.0, 2.0, 5).astype(np.float32)
    for step in range(steps):
        value = train_step(points, 3.0 * points).numpy()
        print("step %d: %.4f" % (step, value))
    print(np.round(compute_prediction([1.0, 2.0]).numpy(), 4).tolist())


if __name__ == "__main__":
    train(learning_rate=0.05, steps=4)
