import tensorflow as tf

# Nothing is fed and nothing is remembered: plain eager code does.
a = tf.constant(2)
b = tf.constant(3)
left = tf.constant([[3.0, 3.0]])
right = tf.constant([[2.0], [2.0]])
product = tf.matmul(left, right)

print("sum: %i" % (a + b).numpy())
print("product: %i" % (a * b).numpy())

result = product.numpy()
print(result)
first, second = a.numpy(), product.numpy()
print(first + second)
