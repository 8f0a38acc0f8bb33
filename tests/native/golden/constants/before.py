import tensorflow as tf

# Nothing is fed and nothing is remembered: plain eager code does.
a = tf.constant(2)
b = tf.constant(3)
left = tf.constant([[3.0, 3.0]])
right = tf.constant([[2.0], [2.0]])
product = tf.matmul(left, right)

with tf.Session() as sess:
    print("sum: %i" % sess.run(a + b))
    print("product: %i" % sess.run(a * b))

with tf.Session() as sess:
    result = sess.run(product)
    print(result)
    first, second = sess.run([a, product])
    print(first + second)
