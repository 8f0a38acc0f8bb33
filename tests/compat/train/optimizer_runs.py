"""The set-ups of tests/goldens/make_train.py, run on TF2: eagerly, in a tf.function, and under the bridge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

import compat
from compat import train
from compat.contrib import opt

GOLDENS = np.load(Path(__file__).parents[2] / "goldens" / "train.npz")
PRECISIONS = np.load(Path(__file__).parents[2] / "goldens" / "train_precisions.npz")
STEPS = 50
KEYS = ("embedding", "hidden/kernel", "hidden/bias", "out")
RATES = {"adadelta": 0.5, "ftrl": 0.1, "lars": 1.0}
DENSE_ONLY = {"lars"}
PENALTIES = {"l1_regularization_strength": 0.0002, "l2_regularization_strength": 0.01}

SETUPS: dict[str, Any] = {
    "gradient_descent": lambda lr, step: train.GradientDescentOptimizer(lr),
    "momentum": lambda lr, step: train.MomentumOptimizer(lr, 0.9),
    "nesterov": lambda lr, step: train.MomentumOptimizer(lr, 0.9, use_nesterov=True),
    "adam": lambda lr, step: train.AdamOptimizer(lr, beta1=0.8),
    "adagrad": lambda lr, step: train.AdagradOptimizer(lr),
    "adagrad_da": lambda lr, step: train.AdagradDAOptimizer(lr, step, **PENALTIES),
    "adadelta": lambda lr, step: train.AdadeltaOptimizer(lr, epsilon=1e-4),
    "rmsprop": lambda lr, step: train.RMSPropOptimizer(lr, momentum=0.5),
    "rmsprop_centered": lambda lr, step: train.RMSPropOptimizer(lr, momentum=0.5, centered=True),
    "ftrl": lambda lr, step: train.FtrlOptimizer(lr, **PENALTIES),
    "proximal_gradient_descent": lambda lr, step: train.ProximalGradientDescentOptimizer(lr, **PENALTIES),
    "proximal_adagrad": lambda lr, step: train.ProximalAdagradOptimizer(lr, **PENALTIES),
    "ftrl_shrinkage": lambda lr, step: train.FtrlOptimizer(lr, l2_shrinkage_regularization_strength=0.01),
    "adam_w": lambda lr, step: opt.AdamWOptimizer(0.01, lr),
    "momentum_w": lambda lr, step: opt.MomentumWOptimizer(0.01, lr, 0.9),
    "lazy_adam": lambda lr, step: opt.LazyAdamOptimizer(lr),
    "nadam": lambda lr, step: opt.NadamOptimizer(lr),
    "adamax": lambda lr, step: opt.AdaMaxOptimizer(lr),
    "add_sign": lambda lr, step: opt.AddSignOptimizer(lr),
    "power_sign": lambda lr, step: opt.PowerSignOptimizer(lr),
    "reg_adagrad": lambda lr, step: opt.RegAdagradOptimizer(lr),
    "lars": lambda lr, step: opt.LARSOptimizer(lr),
    "moving_average": lambda lr, step: opt.MovingAverageOptimizer(train.AdamOptimizer(lr), average_decay=0.9),
}


def weights() -> dict[str, Any]:
    return {key: compat.get_variable(key, initializer=tf.constant(GOLDENS[f"start|{key}"])) for key in KEYS}


def loss_of(name: str, w: dict[str, Any], ids: Any, labels: Any) -> Any:
    rows = tf.gather(w["embedding"] * 1.0 if name in DENSE_ONLY else w["embedding"], ids)
    tilt = tf.constant(np.linspace(-0.5, 0.5, 6), tf.float32)
    hidden = tf.tanh(tf.matmul(rows, w["hidden/kernel"]) + w["hidden/bias"] + tilt)
    logits = tf.matmul(hidden, w["out"]) + rows[:, :3]
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def rate_of(name: str, step: Any) -> Any:
    return train.exponential_decay(RATES.get(name, 0.05), step, 10, 0.7)


def train_natively(name: str, traced: bool) -> tuple[list[float], dict[str, Any]]:
    """Trains with a GradientTape; the optimizer is made outside of the step, as a person would."""
    store = compat.VariableStore()
    with store:
        w = weights()
        step = train.get_or_create_global_step()
        optimizer = SETUPS[name](rate_of(name, step), step)

        def train_step(ids: Any, labels: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = loss_of(name, w, ids, labels)
            variables = list(w.values())
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True), step)
            return loss

        if traced:
            signature = [tf.TensorSpec([None], tf.int32)] * 2
            train_step = tf.function(train_step, input_signature=signature)
        losses = []
        for ids, labels in zip(GOLDENS["ids"], GOLDENS["labels"], strict=True):
            losses.append(float(train_step(tf.constant(ids), tf.constant(labels))))
    return losses, {v.name.split(":")[0]: v.numpy() for v in store.variables}


def step_precisely(name: str, dtype: str, path: str) -> dict[str, Any]:
    """All variables after three steps in another precision, saved and restored by name after the second."""
    store = compat.VariableStore()
    with store:
        start = [GOLDENS["start|embedding"], GOLDENS["start|hidden/kernel"]]
        embedding, kernel = (
            compat.get_variable(key, initializer=tf.constant(value.astype(dtype)))
            for key, value in zip(("embedding", "kernel"), start, strict=True)
        )
        step = train.get_or_create_global_step()
        optimizer = SETUPS[name](0.05, step)
        for number, ids in enumerate(GOLDENS["ids"][:3]):
            with tf.GradientTape() as tape:
                rows = tf.gather(embedding * 1.0 if name in DENSE_ONLY else embedding, tf.constant(ids))
                loss = tf.reduce_sum(tf.tanh(tf.matmul(rows, kernel)))
            gradients = tape.gradient(loss, [embedding, kernel])
            optimizer.apply_gradients(zip(gradients, [embedding, kernel], strict=True), step)
            if number == 1:
                _save_and_load(store, path)
    return {v.name.split(":")[0]: v.numpy() for v in store.variables}


def _save_and_load(store: compat.VariableStore, path: str) -> None:
    saver = train.Saver(store)
    saved = saver.save(None, path)
    for variable in store.variables:
        variable.assign(tf.zeros_like(variable))
    saver.restore(None, saved)


def train_bridged(name: str) -> tuple[list[float], dict[str, Any], str]:
    """Trains in a session, as the TF1 program did."""
    with compat.Graph().as_default(), compat.Session() as sess:
        ids_t = compat.placeholder(tf.int32, [None], "ids")
        labels_t = compat.placeholder(tf.int32, [None], "labels")
        loss = loss_of(name, weights(), ids_t, labels_t)
        step = train.get_or_create_global_step()
        op = SETUPS[name](rate_of(name, step), step).minimize(loss, global_step=step)
        sess.run(compat.global_variables_initializer())
        losses = []
        for ids, labels in zip(GOLDENS["ids"], GOLDENS["labels"], strict=True):
            feed = {ids_t: ids, labels_t: labels}
            losses.append(float(sess.run(loss, feed)))
            sess.run(op, feed)
        values = {v.op.name: sess.run(v) for v in compat.global_variables()}
    return losses, values, op.name
