import tensorflow as tf
import compat

w = tf.Variable(4.0)
global_step = tf.Variable(0, trainable=False, name="global_step")

optimizer = compat.train.MomentumOptimizer(0.1, momentum=0.5)


@compat.fast_dispatch
@tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.square(w * x)
    variables = [w]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables), global_step=global_step)
    return loss, global_step.read_value()


for _ in range(4):
    # The step that is fetched is the one after the update.
    loss_value, at = (value.numpy() for value in train_step(1.0))
    print(at, loss_value)
