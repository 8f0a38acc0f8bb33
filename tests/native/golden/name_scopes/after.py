import tensorflow as tf
import compat

with tf.name_scope("layer1"):
    W = tf.Variable(compat.ones_initializer()([2, 2]), name="W")
    b = tf.Variable(tf.zeros([2]), name="b")

with tf.name_scope("layer2"):
    # The same short name as above, in another scope
    b2 = tf.Variable(0.5, name="b")

optimizer = compat.train.AdagradOptimizer(0.1)


@compat.fast_dispatch
@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="input")])
def train_step(x):
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(tf.matmul(x, W) + b)
        output = tf.reduce_sum(hidden, axis=1) + b2
        loss = tf.reduce_mean(tf.square(output))
    variables = [W, b, b2]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


for i in range(3):
    loss_value = train_step([[1.0, 2.0]]).numpy()
    print(i, loss_value)
print(b2.numpy())
