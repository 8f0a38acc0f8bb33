"""Two lessons in one script: each initializes all variables, and so begins anew."""

import tensorflow as tf

rate = 0.1
sizes = [2, 1]
x = tf.placeholder(tf.float32, [None, 2])
weights = {"w": tf.Variable(tf.ones(sizes) * 0.5, name="w")}
b = tf.Variable([0.25], name="b")
steps = tf.Variable(0, trainable=False, name="steps")
y = tf.matmul(x, weights["w"]) + b
loss = tf.reduce_mean(tf.square(y - 1.0))
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=steps)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(3):
    sess.run(train, {x: [[1.0, 2.0]]})
print("%.5f %d" % (sess.run(loss, {x: [[1.0, 2.0]]}), sess.run(steps)))

# A second model over the first
v = tf.Variable(3.0, name="v")
z = v * y

# All of it begins anew
sess.run(tf.global_variables_initializer())
print("%.5f %d" % (sess.run(loss, {x: [[1.0, 2.0]]}), sess.run(steps)))
print("%.5f" % sess.run(z, {x: [[1.0, 2.0]]})[0, 0])
sess.run(train, {x: [[1.0, 2.0]]})
print("%.5f %d" % (sess.run(loss, {x: [[1.0, 2.0]]}), sess.run(steps)))
