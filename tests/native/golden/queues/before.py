import os
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
for number in range(2):
    with open(os.path.join(folder, "scores%d.csv" % number), "w") as file:
        file.write("first,second,final\n")
        file.writelines("%d,%d,%d\n" % (n, number, 3 * n + number) for n in range(1, 6))

file_names = [os.path.join(folder, "scores0.csv"), os.path.join(folder, "scores1.csv")]
file_queue = tf.train.string_input_producer(file_names, num_epochs=2, shuffle=False)
reader = tf.TextLineReader(skip_header_lines=1)
key, line = reader.read(file_queue)

# The defaults say what types the columns have
columns = tf.decode_csv(line, record_defaults=[[0.0], [0.0], [0.0]])
scores, final = tf.train.batch([columns[:2], columns[2]], batch_size=3)

w = tf.Variable([[0.1], [0.1]], name="w")
loss = tf.reduce_mean(tf.square(tf.matmul(scores, w)[:, 0] - final))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)

    print(sess.run(scores).tolist())
    step = 0
    try:
        while not coord.should_stop():
            _, value = sess.run([train, loss])
            step += 1
            print(step, value)
    except tf.errors.OutOfRangeError:
        print("Done training")
    finally:
        coord.request_stop()
    coord.join(threads)
    print(sess.run(w).tolist())
