import numpy as np
import tensorflow as tf

weights = {
    "generator": tf.Variable([[0.5, -0.5]]),
    "critic": tf.Variable([[1.0], [0.25]]),
}
noise = tf.placeholder(tf.float32, [None, 1])
real = tf.placeholder(tf.float32, [None, 2])

fake = tf.matmul(noise, weights["generator"])
critic_real = tf.matmul(real, weights["critic"])
critic_fake = tf.matmul(fake, weights["critic"])

generator_loss = -tf.reduce_mean(critic_fake)
critic_loss = tf.reduce_mean(critic_fake) - tf.reduce_mean(critic_real) + tf.reduce_sum(weights["critic"] ** 2)

generator_optimizer = tf.train.RMSPropOptimizer(0.01)
critic_optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
train_generator = generator_optimizer.minimize(generator_loss, var_list=[weights["generator"]])
train_critic = critic_optimizer.minimize(critic_loss, var_list=[weights["critic"]])

init = tf.global_variables_initializer()
batch = np.array([[1.0, 2.0], [3.0, 4.0]])
with tf.Session() as sess:
    sess.run(init)
    for i in range(3):
        _, c = sess.run([train_critic, critic_loss], feed_dict={noise: [[0.5], [1.5]], real: batch})
        _, g = sess.run([train_generator, generator_loss], feed_dict={noise: [[0.5], [1.5]]})
        print("%.5f %.5f" % (g, c))
    print(np.round(sess.run(weights["generator"]), 5))
