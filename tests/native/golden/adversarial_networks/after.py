"""A generator and a discriminator, each trained on its own variables, and both by clipped gradients."""

import tensorflow as tf
import compat
ones = compat.ones_initializer()


def generator(z, reuse=False):
    with compat.variable_scope('Generator', reuse=reuse):
        return compat.layers.dense(z, 2, kernel_initializer=ones)


def discriminator(x, reuse=False):
    with compat.variable_scope('Discriminator', reuse=reuse):
        h = compat.layers.dense(x, 3, tf.nn.tanh, kernel_initializer=ones)
        return compat.layers.dense(h, 1, kernel_initializer=ones)


store = compat.VariableStore()
train_gen_optimizer = compat.train.AdamOptimizer(0.01)
train_disc_optimizer = compat.train.AdamOptimizer(0.01)


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32),
        tf.TensorSpec([None, 2], tf.float32),
    ]
)
def train_disc_step(noise, real):
    with store, tf.GradientTape() as tape:
        fake = generator(noise)
        d_loss = tf.reduce_mean(tf.square(discriminator(real) - 1.0)) + tf.reduce_mean(tf.square(discriminator(fake, True)))
        tvars = store.trainable_variables
        disc_vars = [v for v in tvars if v.name.startswith('Disc')]
    variables = disc_vars
    gradients = tape.gradient(d_loss, variables)
    train_disc_optimizer.apply_gradients(zip(gradients, variables))
    return d_loss


# The variables of layers are made when the functions that use them are traced.
train_disc_step.get_concrete_function()


@compat.fast_dispatch
@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def train_gen_step(noise):
    with store, tf.GradientTape() as tape:
        fake = generator(noise)
        g_loss = tf.reduce_mean(tf.square(discriminator(fake, True) - 1.0))
        gen_vars = compat.get_collection(compat.GraphKeys.TRAINABLE_VARIABLES, scope='Generator')
    variables = gen_vars
    gradients = tape.gradient(g_loss, variables)
    train_gen_optimizer.apply_gradients(zip(gradients, variables))
    return g_loss


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32),
        tf.TensorSpec([None, 2], tf.float32),
    ]
)
def compute_norm(noise, real):
    with store, tf.GradientTape() as tape:
        fake = generator(noise)
        d_loss = tf.reduce_mean(tf.square(discriminator(real) - 1.0)) + tf.reduce_mean(tf.square(discriminator(fake, True)))
        tvars = store.trainable_variables
    grads, norm = tf.clip_by_global_norm(tape.gradient(d_loss, tvars), 0.5)
    return norm


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def compute_fake(noise):
    with store:
        fake = generator(noise)
    return fake


opt = compat.train.GradientDescentOptimizer(0.1)


@compat.fast_dispatch
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 2], tf.float32),
        tf.TensorSpec([None, 2], tf.float32),
    ]
)
def clipped_step(noise, real):
    with store, tf.GradientTape() as tape:
        fake = generator(noise)
        d_loss = tf.reduce_mean(tf.square(discriminator(real) - 1.0)) + tf.reduce_mean(tf.square(discriminator(fake, True)))
        tvars = store.trainable_variables
    grads, norm = tf.clip_by_global_norm(tape.gradient(d_loss, tvars), 0.5)
    opt.apply_gradients(zip(grads, tvars))


for i in range(2):
    g = train_gen_step([[0.1, 0.2]]).numpy()
    d = train_disc_step([[0.1, 0.2]], [[0.5, -0.5]]).numpy()
    print(g, d)
    clipped_step([[0.1, 0.2]], [[0.5, -0.5]])
print(compute_norm([[0.1, 0.2]], [[0.5, -0.5]]).numpy())
print(compute_fake([[0.1, 0.2]]).numpy())
