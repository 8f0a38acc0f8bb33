import numpy as np
import tensorflow as tf
import compat

GAMMA = 0.9


class Actor(object):
    def __init__(self, n_features, n_actions, lr=0.001):
        store = compat.VariableStore()
        optimizer = compat.train.AdamOptimizer(lr)

        @compat.fast_dispatch
        @tf.function(
            input_signature=[
                tf.TensorSpec([1, n_features], tf.float32, name="state"),
                tf.TensorSpec(None, tf.int32, name="act"),
                tf.TensorSpec(None, tf.float32, name="td_error"),
            ]
        )
        def train_step(s, a, td_error):
            with store, tf.GradientTape() as tape:
                with compat.variable_scope('Actor'):
                    l1 = compat.layers.dense(
                        inputs=s,
                        units=20,    # number of hidden units
                        activation=tf.nn.relu,
                        kernel_initializer=compat.constant_initializer(.1),    # weights
                        bias_initializer=compat.constant_initializer(0.1),  # biases
                        name='l1'
                    )

                    acts_prob = compat.layers.dense(
                        inputs=l1,
                        units=n_actions,    # output units
                        activation=compat.nn.softmax,   # get action probabilities
                        kernel_initializer=compat.constant_initializer(.1),  # weights
                        name='acts_prob'
                    )
                log_prob = tf.math.log(acts_prob[0, a])
                exp_v = tf.reduce_mean(log_prob * td_error)
                loss = -exp_v
            variables = store.trainable_variables
            gradients = tape.gradient(loss, variables)
            with store, compat.variable_scope('train'):
                optimizer.apply_gradients(zip(gradients, variables))
            return exp_v

        self.train_step = train_step

        @tf.function(input_signature=[tf.TensorSpec([1, n_features], tf.float32, name="state")])
        def compute_acts_prob(s):
            with store:
                with compat.variable_scope('Actor'):
                    l1 = compat.layers.dense(
                        inputs=s,
                        units=20,    # number of hidden units
                        activation=tf.nn.relu,
                        kernel_initializer=compat.constant_initializer(.1),    # weights
                        bias_initializer=compat.constant_initializer(0.1),  # biases
                        name='l1'
                    )

                    acts_prob = compat.layers.dense(
                        inputs=l1,
                        units=n_actions,    # output units
                        activation=compat.nn.softmax,   # get action probabilities
                        kernel_initializer=compat.constant_initializer(.1),  # weights
                        name='acts_prob'
                    )
            return acts_prob

        self.compute_acts_prob = compute_acts_prob

    def learn(self, s, a, td):
        s = s[np.newaxis, :]
        exp_v = self.train_step(s, a, td).numpy()
        return exp_v

    def choose_action(self, s):
        s = s[np.newaxis, :]
        probs = self.compute_acts_prob(s).numpy()
        return probs.ravel()


class Critic(object):
    def __init__(self, n_features, lr=0.01):
        store = compat.VariableStore()
        optimizer = compat.train.AdamOptimizer(lr)

        @tf.function(input_signature=[tf.TensorSpec([1, n_features], tf.float32, name="state")])
        def compute_v(s):
            with store:
                with compat.variable_scope('Critic'):
                    l1 = compat.layers.dense(s, 20, tf.nn.relu, kernel_initializer=compat.constant_initializer(.1), name='l1')
                    v = compat.layers.dense(l1, 1, kernel_initializer=compat.constant_initializer(.1), name='V')
            return v

        self.compute_v = compute_v

        @compat.fast_dispatch
        @tf.function(
            input_signature=[
                tf.TensorSpec([1, n_features], tf.float32, name="state"),
                tf.TensorSpec([1, 1], tf.float32, name="v_next"),
                tf.TensorSpec(None, tf.float32, name='r'),
            ]
        )
        def train_step(s, v_, r):
            with store, tf.GradientTape() as tape:
                with compat.variable_scope('Critic'):
                    l1 = compat.layers.dense(s, 20, tf.nn.relu, kernel_initializer=compat.constant_initializer(.1), name='l1')
                    v = compat.layers.dense(l1, 1, kernel_initializer=compat.constant_initializer(.1), name='V')
                td_error = r + GAMMA * v_ - v
                loss = tf.square(td_error)  # TD_error = (r+gamma*V_next) - V_eval
            variables = store.trainable_variables
            gradients = tape.gradient(loss, variables)
            with store, compat.variable_scope('train'), compat.name_scope("train_1/"):
                optimizer.apply_gradients(zip(gradients, variables))
            return td_error

        self.train_step = train_step

    def learn(self, s, r, s_):
        s, s_ = s[np.newaxis, :], s_[np.newaxis, :]

        v_ = self.compute_v(s_).numpy()
        td_error = self.train_step(s, v_, r).numpy()
        return td_error


actor = Actor(n_features=4, n_actions=2, lr=0.01)
critic = Critic(n_features=4, lr=0.1)  # the teacher learns faster

rng = np.random.RandomState(0)
for i in range(3):
    s, s_ = rng.rand(4), rng.rand(4)
    print(actor.choose_action(s))
    td_error = critic.learn(s, 1.0, s_)
    print(td_error)
    print(actor.learn(s, 1, td_error))
