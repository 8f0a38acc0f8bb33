import numpy as np
import tensorflow as tf

learning_rate = 0.1


class Model:

    def __init__(self, sess, name):
        self.sess = sess
        self.name = name
        self._build_net()

    def _build_net(self):
        with tf.variable_scope(self.name):
            self.training = tf.placeholder(tf.bool)

            # input place holders
            self.X = tf.placeholder(tf.float32, [None, 4])
            self.Y = tf.placeholder(tf.float32, [None, 2])

            dense1 = tf.layers.dense(inputs=self.X, units=3, activation=tf.nn.relu,
                                     kernel_initializer=tf.constant_initializer(0.5))
            dropout1 = tf.layers.dropout(inputs=dense1, rate=0.0, training=self.training)

            # Logits (no activation) Layer
            self.logits = tf.layers.dense(inputs=dropout1, units=2,
                                          kernel_initializer=tf.constant_initializer([[1., 2.], [3., 4.], [5., 6.]]))

        # define cost/loss & optimizer
        self.cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(
            logits=self.logits, labels=self.Y))
        self.optimizer = tf.train.AdamOptimizer(
            learning_rate=learning_rate).minimize(self.cost)

    def predict(self, x_test, training=False):
        return self.sess.run(self.logits, feed_dict={self.X: x_test, self.training: training})

    def train(self, x_data, y_data, training=True):
        return self.sess.run([self.cost, self.optimizer], feed_dict={
            self.X: x_data, self.Y: y_data, self.training: training})


# initialize
sess = tf.Session()

models = []
num_models = 2
for m in range(num_models):
    models.append(Model(sess, "model" + str(m)))

sess.run(tf.global_variables_initializer())

x = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
y = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
for epoch in range(3):
    for m_idx, m in enumerate(models):
        # the second model sees less
        c, _ = m.train(x[m_idx:], y[m_idx:])
        print(m_idx, c)

print(sum(m.predict(x).sum() for m in models))
