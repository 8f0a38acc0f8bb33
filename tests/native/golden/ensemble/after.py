import numpy as np
import tensorflow as tf
import compat

learning_rate = 0.1


class Model:

    def __init__(self, name):
        self.name = name
        self._build_net()

    def _build_net(self):
        store = compat.VariableStore()
        optimizer = compat.train.AdamOptimizer(
                    learning_rate=learning_rate)

        def logits_of(training, X):
            with compat.variable_scope(self.name):
                dense1 = compat.layers.dense(inputs=X, units=3, activation=tf.nn.relu,
                                         kernel_initializer=compat.constant_initializer(0.5))
                dropout1 = compat.layers.dropout(inputs=dense1, rate=0.0, training=training)

                # Logits (no activation) Layer
                logits = compat.layers.dense(inputs=dropout1, units=2,
                                              kernel_initializer=compat.constant_initializer([[1., 2.], [3., 4.], [5., 6.]]))
            return logits

        @tf.function(
            input_signature=[
                tf.TensorSpec(None, tf.bool),
                tf.TensorSpec([None, 4], tf.float32),
            ]
        )
        def compute_logits(training, X):
            with store:
                logits = logits_of(training, X)
            return logits

        self.compute_logits = compute_logits

        @compat.fast_dispatch
        @tf.function(
            input_signature=[
                tf.TensorSpec(None, tf.bool),
                tf.TensorSpec([None, 4], tf.float32),
                tf.TensorSpec([None, 2], tf.float32),
            ]
        )
        def train_step(training, X, Y):
            with store, tf.GradientTape() as tape:
                logits = logits_of(training, X)

                # define cost/loss & optimizer
                cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(
                    logits=logits, labels=Y))
            variables = store.trainable_variables
            gradients = tape.gradient(cost, variables)
            optimizer.apply_gradients(zip(gradients, variables))
            return cost

        self.train_step = train_step

    def predict(self, x_test, training=False):
        return self.compute_logits(training, x_test).numpy()

    def train(self, x_data, y_data, training=True):
        return [self.train_step(training, x_data, y_data).numpy(), None]


models = []
num_models = 2
for m in range(num_models):
    models.append(Model("model" + str(m)))

x = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
y = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
for epoch in range(3):
    for m_idx, m in enumerate(models):
        # the second model sees less
        c, _ = m.train(x[m_idx:], y[m_idx:])
        print(m_idx, c)

print(sum(m.predict(x).sum() for m in models))
