import tensorflow as tf


def parse(number):
    value = tf.cast(number, tf.float32)
    return {"x": value, "y": 2.0 * value}


def main():
    train_data = tf.data.Dataset.range(6).map(parse).batch(2)
    test_data = tf.data.Dataset.range(10, 14).map(parse).batch(3)
    iterator = tf.data.Iterator.from_structure(train_data.output_types, train_data.output_shapes)
    batch = iterator.get_next()
    train_init = iterator.make_initializer(train_data)
    test_init = iterator.make_initializer(test_data)

    rate = tf.placeholder(tf.float32, [])
    w = tf.Variable(0.5, name="w")
    loss = tf.reduce_mean(tf.square(batch["x"] * w - batch["y"]))
    update = tf.assign_sub(w, rate * tf.reduce_mean(batch["x"]))

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(2):
            # Train on the whole set
            sess.run(train_init)
            try:
                while True:
                    sess.run(update, feed_dict={rate: -0.1})
            except tf.errors.OutOfRangeError:
                pass
            print("epoch", epoch, sess.run(w))

            # Test on the whole set
            sess.run(test_init)
            for step in range(3):
                try:
                    print("test", step, sess.run(loss))
                except tf.errors.OutOfRangeError:
                    print("no more")


main()
