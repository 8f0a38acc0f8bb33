import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
scale = tf.Variable(2.0)
scaled = x * scale
total = tf.reduce_sum(scaled)

sess = tf.InteractiveSession()
tf.global_variables_initializer().run()

print(total.eval(feed_dict={x: [[1, 2], [3, 4]]}))
print(scaled.eval({x: [[1, 2]]}, session=sess))
print(tf.reduce_max(scaled, axis=1).eval(feed_dict={x: [[5, 6]]}))
print(scale.eval())

largest = sess.run(scaled, feed_dict={x: [[9, 8]]})
print(sess.run(tf.argmax(largest, 1)))
sess.close()
