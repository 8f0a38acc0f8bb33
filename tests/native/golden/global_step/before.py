import tensorflow as tf

x = tf.placeholder(tf.float32, [])
w = tf.Variable(4.0)
global_step = tf.Variable(0, trainable=False, name="global_step")

loss = tf.square(w * x)
optimizer = tf.train.MomentumOptimizer(0.1, momentum=0.5)
train_op = optimizer.minimize(loss, global_step=global_step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(4):
        # The step that is fetched is the one after the update.
        _, loss_value, at = sess.run([train_op, loss, global_step], {x: 1.0})
        print(at, loss_value)
