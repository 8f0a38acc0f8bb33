import tensorflow as tf

amount = tf.placeholder(tf.int32, shape=())
total = tf.Variable(0, name="total")
last = tf.Variable(0, name="last")

update = [tf.assign_add(total, amount), tf.assign(last, 2 * amount)]
reset = total.assign(0)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for n in range(4):
        sess.run(update, {amount: n})
        values = sess.run({"total": total, "last": last})
        print(int(values["total"]), int(values["last"]))
    print(sess.run(reset))
    sess.run(last.assign(7))
    print(sess.run(last))
