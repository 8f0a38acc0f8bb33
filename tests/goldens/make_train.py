"""Records what TF 1.15.5's optimizers, schedules and averages compute: run with Python 3.7 and TF 1.15.5.

python -m tests.goldens.make_train        # writes train.npz and train_precisions.npz beside this file
"""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = 50
opt = tf.contrib.opt

SETUPS = {
    "gradient_descent": lambda lr, step: tf.train.GradientDescentOptimizer(lr),
    "momentum": lambda lr, step: tf.train.MomentumOptimizer(lr, 0.9),
    "nesterov": lambda lr, step: tf.train.MomentumOptimizer(lr, 0.9, use_nesterov=True),
    "adam": lambda lr, step: tf.train.AdamOptimizer(lr, beta1=0.8),
    "adagrad": lambda lr, step: tf.train.AdagradOptimizer(lr),
    "adagrad_da": lambda lr, step: tf.train.AdagradDAOptimizer(
        lr, step, l1_regularization_strength=0.0002, l2_regularization_strength=0.01
    ),
    "adadelta": lambda lr, step: tf.train.AdadeltaOptimizer(lr, epsilon=1e-4),
    "rmsprop": lambda lr, step: tf.train.RMSPropOptimizer(lr, momentum=0.5),
    "rmsprop_centered": lambda lr, step: tf.train.RMSPropOptimizer(lr, momentum=0.5, centered=True),
    "ftrl": lambda lr, step: tf.train.FtrlOptimizer(
        lr, l1_regularization_strength=0.0002, l2_regularization_strength=0.01
    ),
    "proximal_gradient_descent": lambda lr, step: tf.train.ProximalGradientDescentOptimizer(
        lr, l1_regularization_strength=0.0002, l2_regularization_strength=0.01
    ),
    "proximal_adagrad": lambda lr, step: tf.train.ProximalAdagradOptimizer(
        lr, l1_regularization_strength=0.0002, l2_regularization_strength=0.01
    ),
    "ftrl_shrinkage": lambda lr, step: tf.train.FtrlOptimizer(lr, l2_shrinkage_regularization_strength=0.01),
    "adam_w": lambda lr, step: opt.AdamWOptimizer(0.01, lr),
    "momentum_w": lambda lr, step: opt.MomentumWOptimizer(0.01, lr, 0.9),
    "lazy_adam": lambda lr, step: opt.LazyAdamOptimizer(lr),
    "nadam": lambda lr, step: opt.NadamOptimizer(lr),
    "adamax": lambda lr, step: opt.AdaMaxOptimizer(lr),
    "add_sign": lambda lr, step: opt.AddSignOptimizer(lr),
    "power_sign": lambda lr, step: opt.PowerSignOptimizer(lr),
    "reg_adagrad": lambda lr, step: opt.RegAdagradOptimizer(lr),
    "lars": lambda lr, step: opt.LARSOptimizer(lr),
    "variable_clipping": lambda lr, step: opt.VariableClippingOptimizer(
        tf.train.GradientDescentOptimizer(lr), {_variable("embedding"): [1]}, 0.9
    ),
    "moving_average": lambda lr, step: opt.MovingAverageOptimizer(tf.train.AdamOptimizer(lr), average_decay=0.9),
}
RATES = {"adadelta": 0.5, "ftrl": 0.1, "lars": 1.0}
DENSE_ONLY = {"lars"}
DECAYING = {"adam_w", "momentum_w"}


def _variable(name):
    return next(v for v in tf.global_variables() if v.op.name == name)


def start_values():
    random = np.random.RandomState(7)
    return {
        "embedding": random.normal(0, 0.5, [12, 4]).astype(np.float32),
        "hidden/kernel": random.normal(0, 0.5, [4, 6]).astype(np.float32),
        "hidden/bias": np.zeros([6], np.float32),
        "out": random.normal(0, 0.5, [6, 3]).astype(np.float32),
    }


def batches():
    random = np.random.RandomState(11)
    ids = random.randint(0, 12, [STEPS, 8]).astype(np.int32)
    ids[:, 1] = ids[:, 0]  # every batch has duplicates
    return ids, random.randint(0, 3, [STEPS, 8]).astype(np.int32)


def build(name, start):
    ids = tf.placeholder(tf.int32, [None], "ids")
    labels = tf.placeholder(tf.int32, [None], "labels")
    weights = {}
    for key in ("embedding", "hidden/kernel", "hidden/bias", "out"):
        weights[key] = tf.get_variable(key, initializer=tf.constant(start[key]))
    rows = tf.gather(weights["embedding"] * 1.0 if name in DENSE_ONLY else weights["embedding"], ids)
    # Follow-the-leader kernels start from zero weights: the tilt and the skip keep the gradients alive there.
    tilt = tf.constant(np.linspace(-0.5, 0.5, 6), tf.float32)
    hidden = tf.tanh(tf.matmul(rows, weights["hidden/kernel"]) + weights["hidden/bias"] + tilt)
    logits = tf.matmul(hidden, weights["out"]) + rows[:, :3]
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    return ids, labels, loss


def run_setup(name, make, store):
    start, (ids, labels) = start_values(), batches()
    with tf.Graph().as_default(), tf.Session() as sess:
        ids_t, labels_t, loss = build(name, start)
        step = tf.train.get_or_create_global_step()
        rate = tf.train.exponential_decay(RATES.get(name, 0.05), step, 10, 0.7)
        optimizer = make(rate, step)
        grads = optimizer.compute_gradients(loss)
        # Weight decay waits for nothing in TF1, and may come before the forward pass: here it waits for the gradients.
        with tf.control_dependencies([tf.convert_to_tensor(grad) for grad, _ in grads] if name in DECAYING else []):
            train = optimizer.apply_gradients(grads, global_step=step)
        store[name + "|op"] = np.array(train.name)
        sess.run(tf.global_variables_initializer())
        losses = []
        for i in range(STEPS):
            feed = {ids_t: ids[i], labels_t: labels[i]}
            losses.append(sess.run(loss, feed))
            sess.run(train, feed)
        store[name + "|losses"] = np.array(losses)
        store[name + "|variables"] = np.array([v.op.name for v in tf.global_variables()])
        for variable in tf.global_variables():
            store[name + "|value|" + variable.op.name] = sess.run(variable)


def record_schedules(store):
    schedules = {
        "exponential": lambda s: tf.train.exponential_decay(0.1, s, 7, 0.9),
        "exponential_staircase": lambda s: tf.train.exponential_decay(0.1, s, 7, 0.9, staircase=True),
        "piecewise": lambda s: tf.train.piecewise_constant(s, [3, 10, 20], [1.0, 0.5, 0.25, 0.1]),
        "polynomial": lambda s: tf.train.polynomial_decay(0.1, s, 15, 0.01, power=0.5),
        "polynomial_cycle": lambda s: tf.train.polynomial_decay(0.1, s, 15, 0.01, power=2.0, cycle=True),
        "natural_exp": lambda s: tf.train.natural_exp_decay(0.1, s, 7, 0.9),
        "natural_exp_staircase": lambda s: tf.train.natural_exp_decay(0.1, s, 7, 0.9, staircase=True),
        "inverse_time": lambda s: tf.train.inverse_time_decay(0.1, s, 7, 0.9),
        "inverse_time_staircase": lambda s: tf.train.inverse_time_decay(0.1, s, 7, 0.9, staircase=True),
        "cosine": lambda s: tf.train.cosine_decay(0.1, s, 20, alpha=0.1),
        "cosine_restarts": lambda s: tf.train.cosine_decay_restarts(0.1, s, 5, alpha=0.1, m_mul=0.9),
        "cosine_restarts_linear": lambda s: tf.train.cosine_decay_restarts(0.1, s, 5, t_mul=1.0),
        "linear_cosine": lambda s: tf.train.linear_cosine_decay(0.1, s, 20),
        "noisy_linear_cosine": lambda s: tf.train.noisy_linear_cosine_decay(0.1, s, 20, initial_variance=1e-12),
    }
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(tf.int64, [], "step")
        rates = {name: make(step) for name, make in schedules.items()}
        values = [sess.run(rates, {step: i}) for i in range(31)]
        for name, rate in rates.items():
            store["schedule|" + name] = np.array([v[name] for v in values])
            store["schedule_name|" + name] = np.array(rate.op.name)


def record_averages(store):
    for name, options in {
        "plain": {"decay": 0.9},
        "num_updates": {"decay": 0.9, "num_updates": 3},
        "debias": {"decay": 0.9, "zero_debias": True, "name": "avg"},
    }.items():
        with tf.Graph().as_default(), tf.Session() as sess:
            with tf.variable_scope("net"):
                w = tf.get_variable("w", initializer=tf.constant([1.0, -2.0]))
            total = tf.multiply(w, 3.0, name="total")
            average = tf.train.ExponentialMovingAverage(**options)
            update = average.apply([w, total])
            grow = w.assign(w * 1.5)
            sess.run(tf.global_variables_initializer())
            for _ in range(5):
                sess.run(grow)
                sess.run(update)
            store["ema|" + name + "|w"] = sess.run(average.average(w))
            store["ema|" + name + "|total"] = sess.run(average.average(total))
            store["ema|" + name + "|names"] = np.array([v.op.name for v in tf.global_variables()])
            store["ema|" + name + "|op"] = np.array(update.name)
            restore = sorted((key, v.op.name) for key, v in average.variables_to_restore().items())
            store["ema|" + name + "|restore"] = np.array(restore)


def record_names(store):
    with tf.Graph().as_default():
        with tf.variable_scope("a"):
            w = tf.get_variable("w", [2])
        with tf.variable_scope("train"):
            tf.train.AdamOptimizer().minimize(tf.reduce_sum(w * w))
            tf.train.AdamOptimizer(name="Other").minimize(tf.reduce_sum(w))
        with tf.name_scope("scope"):
            tf.train.AdamOptimizer().minimize(tf.reduce_sum(w * 2.0))
            tf.train.RMSPropOptimizer(0.1, centered=True).minimize(tf.reduce_sum(w))
        last = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w))
        again = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w))
        store["names|variables"] = np.array([v.op.name for v in tf.global_variables()])
        store["names|ops"] = np.array([op.name for op in tf.get_collection(tf.GraphKeys.TRAIN_OP)])
        assert last.name != again.name


def step_precisely(name, make, dtype):
    """All variables after three steps in that type, with dense and sparse gradients; None where TF1 cannot."""
    start, ids = start_values(), batches()[0]
    with tf.Graph().as_default(), tf.Session() as sess:
        try:
            embedding = tf.get_variable("embedding", initializer=tf.constant(start["embedding"].astype(dtype)))
            kernel = tf.get_variable("kernel", initializer=tf.constant(start["hidden/kernel"].astype(dtype)))
            ids_t = tf.placeholder(tf.int32, [None])
            rows = tf.gather(embedding * 1.0 if name in DENSE_ONLY else embedding, ids_t)
            step = tf.train.get_or_create_global_step()
            optimizer = make(0.05, step)
            grads = optimizer.compute_gradients(tf.reduce_sum(tf.tanh(tf.matmul(rows, kernel))), [embedding, kernel])
            with tf.control_dependencies([tf.convert_to_tensor(grad) for grad, _ in grads]):
                train = optimizer.apply_gradients(grads, step)
            sess.run(tf.global_variables_initializer())
            for i in range(3):
                sess.run(train, {ids_t: ids[i]})
        except (TypeError, ValueError, tf.errors.OpError):
            return None
        return {variable.op.name: sess.run(variable) for variable in tf.global_variables()}


def record_precisions():
    store = {}
    for name, make in SETUPS.items():
        for dtype in ("float16", "float64"):
            for variable, value in (step_precisely(name, make, dtype) or {}).items():
                store["|".join([name, dtype, variable])] = value
    np.savez_compressed(os.path.join(HERE, "train_precisions.npz"), **store)


def main():
    record_precisions()
    store = {"start|" + key: value for key, value in start_values().items()}
    store["ids"], store["labels"] = batches()
    for name, make in SETUPS.items():
        run_setup(name, make, store)
    record_schedules(store)
    record_averages(store)
    record_names(store)
    np.savez_compressed(os.path.join(HERE, "train.npz"), **store)


if __name__ == "__main__":
    main()
