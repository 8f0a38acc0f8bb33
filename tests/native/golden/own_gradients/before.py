import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
y = tf.placeholder(tf.float32, [None, 1])

W = tf.Variable([[0.5], [-0.5]], name="W")
b = tf.Variable([0.1], name="b")
loss = tf.reduce_mean(tf.square(tf.matmul(x, W) + b - y))

optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)
gvs = optimizer.compute_gradients(loss)
# Keep each step small
capped = [(tf.clip_by_value(grad, -1.0, 1.0), var) for grad, var in gvs]
train_op = optimizer.apply_gradients(capped)

# Another step over the same loss, clipped as a whole
adam = tf.train.AdamOptimizer(0.01)
tvars = tf.trainable_variables()
grads, norm = tf.clip_by_global_norm(tf.gradients(loss, tvars), 5.0)
adam_op = adam.apply_gradients(zip(grads, tvars))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        loss_value, pairs, _ = sess.run([loss, gvs, train_op], {x: [[1, 2], [3, 4]], y: [[1], [2]]})
        print("%.5f %.4f %.4f" % (loss_value, pairs[0][0][0, 0], pairs[1][1][0]))
    for _ in range(2):
        _, size = sess.run([adam_op, norm], {x: [[1, 2], [3, 4]], y: [[1], [2]]})
        print("%.4f" % size)
