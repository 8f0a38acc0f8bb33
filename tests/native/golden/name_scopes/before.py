import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="input")

with tf.variable_scope("layer1") as scope:
    W = tf.get_variable("W", shape=[2, 2], initializer=tf.ones_initializer())
    b = tf.Variable(tf.zeros([2]), name="b")
    hidden = tf.nn.relu(tf.matmul(x, W) + b)

with tf.name_scope("layer2"):
    # The same short name as above, in another scope
    b2 = tf.Variable(0.5, name="b")
    output = tf.reduce_sum(hidden, axis=1) + b2

with tf.name_scope("loss"):
    loss = tf.reduce_mean(tf.square(output))

with tf.name_scope("train"):
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(3):
        loss_value, _ = sess.run((loss, train), {x: [[1.0, 2.0]]})
        print(i, loss_value)
    print(sess.run(b2))
