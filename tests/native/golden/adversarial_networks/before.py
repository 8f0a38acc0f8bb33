"""A generator and a discriminator, each trained on its own variables, and both by clipped gradients."""

import tensorflow as tf
ones = tf.ones_initializer()


def generator(z, reuse=False):
    with tf.variable_scope('Generator', reuse=reuse):
        return tf.layers.dense(z, 2, kernel_initializer=ones)


def discriminator(x, reuse=False):
    with tf.variable_scope('Discriminator', reuse=reuse):
        h = tf.layers.dense(x, 3, tf.nn.tanh, kernel_initializer=ones)
        return tf.layers.dense(h, 1, kernel_initializer=ones)


noise = tf.placeholder(tf.float32, [None, 2])
real = tf.placeholder(tf.float32, [None, 2])
fake = generator(noise)
d_loss = tf.reduce_mean(tf.square(discriminator(real) - 1.0)) + tf.reduce_mean(tf.square(discriminator(fake, True)))
g_loss = tf.reduce_mean(tf.square(discriminator(fake, True) - 1.0))
gen_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope='Generator')
tvars = tf.trainable_variables()
disc_vars = [v for v in tvars if v.name.startswith('Disc')]
train_gen = tf.train.AdamOptimizer(0.01).minimize(g_loss, var_list=gen_vars)
train_disc = tf.train.AdamOptimizer(0.01).minimize(d_loss, var_list=disc_vars)
grads, norm = tf.clip_by_global_norm(tf.gradients(d_loss, tvars), 0.5)
opt = tf.train.GradientDescentOptimizer(0.1)
clipped = opt.apply_gradients(zip(grads, tvars))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(2):
        _, g = sess.run([train_gen, g_loss], {noise: [[0.1, 0.2]], real: [[0.5, -0.5]]})
        _, d = sess.run([train_disc, d_loss], {noise: [[0.1, 0.2]], real: [[0.5, -0.5]]})
        print(g, d)
        sess.run(clipped, {noise: [[0.1, 0.2]], real: [[0.5, -0.5]]})
    print(sess.run(norm, {noise: [[0.1, 0.2]], real: [[0.5, -0.5]]}))
    print(sess.run(fake, {noise: [[0.1, 0.2]]}))
