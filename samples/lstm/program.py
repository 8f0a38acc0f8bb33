"""Forecasts a sine wave with an LSTM: truncated backpropagation with the state fed back, then closed-loop forecasts."""

import numpy as np
import tensorflow as tf

num_units = 12
num_steps = 8
batch_size = 4
epochs = 2

tf.set_random_seed(1)


def waves(length):
    phase = np.linspace(0.0, 2.0, batch_size)[:, np.newaxis]
    time = np.arange(length)[np.newaxis, :]
    return np.sin(0.35 * time + phase).astype(np.float32)[..., np.newaxis]


inputs = tf.placeholder(tf.float32, [batch_size, None, 1], name="inputs")
targets = tf.placeholder(tf.float32, [batch_size, None, 1], name="targets")
init_c = tf.placeholder(tf.float32, [batch_size, num_units], name="init_c")
init_h = tf.placeholder(tf.float32, [batch_size, num_units], name="init_h")

cell = tf.nn.rnn_cell.BasicLSTMCell(num_units, forget_bias=1.0)
initial_state = tf.nn.rnn_cell.LSTMStateTuple(init_c, init_h)
outputs, final_state = tf.nn.dynamic_rnn(cell, inputs, initial_state=initial_state)

W = tf.get_variable("W", [num_units, 1], initializer=tf.random_normal_initializer(stddev=0.2))
b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
flat = tf.matmul(tf.reshape(outputs, [-1, num_units]), W) + b
predictions = tf.reshape(flat, tf.shape(targets))
loss = tf.losses.mean_squared_error(targets, predictions)
last = tf.matmul(outputs[:, -1], W) + b

tvars = tf.trainable_variables()
gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, tvars), 1.0)
learning_rate = tf.train.exponential_decay(0.05, tf.train.get_or_create_global_step(), 10, 0.9, staircase=True)
optimizer = tf.train.AdamOptimizer(learning_rate)
train_op = optimizer.apply_gradients(zip(gradients, tvars), global_step=tf.train.get_global_step())

data = waves(81)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(epochs):
        state_c = np.zeros((batch_size, num_units), np.float32)
        state_h = np.zeros((batch_size, num_units), np.float32)
        for start in range(0, 80, num_steps):
            x = data[:, start:start + num_steps]
            y = data[:, start + 1:start + num_steps + 1]
            feed = {inputs: x, targets: y, init_c: state_c, init_h: state_h}
            _, cost, (state_c, state_h) = sess.run([train_op, loss, final_state], feed_dict=feed)
        print("epoch %d: loss %.6f" % (epoch + 1, cost))

    # each forecast is the next input
    value = data[:, -1:]
    forecast = []
    for _ in range(5):
        step, (state_c, state_h) = sess.run(
            [last, final_state], feed_dict={inputs: value, init_c: state_c, init_h: state_h})
        forecast.append(step[0, 0])
        value = step[:, np.newaxis]
    print("forecast", np.round(forecast, 4))
