import numpy as np
import tensorflow as tf
import compat

weights = {
    "generator": tf.Variable([[0.5, -0.5]]),
    "critic": tf.Variable([[1.0], [0.25]], name="Variable_1"),
}

generator_optimizer = compat.train.RMSPropOptimizer(0.01)
critic_optimizer = compat.train.MomentumOptimizer(0.1, 0.9)


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 1], tf.float32),
        tf.TensorSpec([None, 2], tf.float32),
    ]
)
def train_critic_step(noise, real):
    with tf.GradientTape() as tape:
        fake = tf.matmul(noise, weights["generator"])
        critic_real = tf.matmul(real, weights["critic"])
        critic_fake = tf.matmul(fake, weights["critic"])
        critic_loss = tf.reduce_mean(critic_fake) - tf.reduce_mean(critic_real) + tf.reduce_sum(weights["critic"] ** 2)
    variables = [weights["critic"]]
    gradients = tape.gradient(critic_loss, variables)
    critic_optimizer.apply_gradients(zip(gradients, variables))
    return critic_loss


@compat.fast_dispatch
@tf.function(input_signature=[tf.TensorSpec([None, 1], tf.float32)])
def train_generator_step(noise):
    with tf.GradientTape() as tape:
        fake = tf.matmul(noise, weights["generator"])
        critic_fake = tf.matmul(fake, weights["critic"])

        generator_loss = -tf.reduce_mean(critic_fake)
    variables = [weights["generator"]]
    gradients = tape.gradient(generator_loss, variables)
    generator_optimizer.apply_gradients(zip(gradients, variables))
    return generator_loss


batch = np.array([[1.0, 2.0], [3.0, 4.0]])
for i in range(3):
    c = train_critic_step([[0.5], [1.5]], batch).numpy()
    g = train_generator_step([[0.5], [1.5]]).numpy()
    print("%.5f %.5f" % (g, c))
print(np.round(weights["generator"].numpy(), 5))
