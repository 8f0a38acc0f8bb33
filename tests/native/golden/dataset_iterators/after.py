import tensorflow as tf


def parse(number):
    value = tf.cast(number, tf.float32)
    return {"x": value, "y": 2.0 * value}


def main():
    train_data = tf.data.Dataset.range(6).map(parse).batch(2)
    test_data = tf.data.Dataset.range(10, 14).map(parse).batch(3)
    w = tf.Variable(0.5, name="w")

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32), train_data.element_spec])
    def update(rate, batch):
        w.assign_sub(rate * tf.reduce_mean(batch["x"]))

    @tf.function(input_signature=[train_data.element_spec])
    def compute_loss(batch):
        loss = tf.reduce_mean(tf.square(batch["x"] * w - batch["y"]))
        return loss

    for epoch in range(2):
        # Train on the whole set
        iterator = iter(train_data)
        for batch in iterator:
            update(-0.1, batch)
        print("epoch", epoch, w.numpy())

        # Test on the whole set
        iterator = iter(test_data)
        for step in range(3):
            try:
                print("test", step, compute_loss(iterator.get_next()).numpy())
            except tf.errors.OutOfRangeError:
                print("no more")


main()
