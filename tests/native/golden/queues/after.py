import os
import tempfile

import tensorflow as tf
import compat

folder = tempfile.mkdtemp()
for number in range(2):
    with open(os.path.join(folder, "scores%d.csv" % number), "w") as file:
        file.write("first,second,final\n")
        file.writelines("%d,%d,%d\n" % (n, number, 3 * n + number) for n in range(1, 6))

file_names = [os.path.join(folder, "scores0.csv"), os.path.join(folder, "scores1.csv")]
file_queue = tf.data.Dataset.from_tensor_slices(file_names).repeat(2)


def parse(line):
    # The defaults say what types the columns have
    columns = tf.io.decode_csv(line, record_defaults=[[0.0], [0.0], [0.0]])
    return columns[:2], columns[2]


examples = file_queue.flat_map(lambda file_name: tf.data.TextLineDataset(file_name).skip(1)).map(parse)
iterator = iter(examples.batch(3, drop_remainder=True).prefetch(1))


@tf.function(input_signature=iterator.element_spec)
def compute_scores(scores, final):
    return scores


w = tf.Variable([[0.1], [0.1]], name="w")
optimizer = compat.train.GradientDescentOptimizer(0.01)


@compat.fast_dispatch
@tf.function(input_signature=iterator.element_spec)
def train_step(scores, final):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(scores, w)[:, 0] - final))
    variables = [w]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


print(compute_scores(*next(iterator)).numpy().tolist())
step = 0
for scores, final in iterator:
    value = train_step(scores, final).numpy()
    step += 1
    print(step, value)
print("Done training")
print(w.numpy().tolist())
