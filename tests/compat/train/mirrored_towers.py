"""The towers of `towers_program` as one step of `compat.train.Towers`, in this process. Prints losses and variables."""

import contextlib
import io
import json
import runpy
import sys
from pathlib import Path

import numpy as np
import tensorflow as tf

import compat

TOWERS, STEPS = 2, 6
SCRIPTS = Path(__file__).parents[2] / "native/towers"


def second():
    """What further towers on the same devices give, whose variables are their own."""
    towers = compat.train.Towers([f"/gpu:{number}" for number in range(TOWERS)])

    @towers.replicated(tf.TensorSpec([2]))
    def tower(i, x):
        w = compat.get_variable("w", initializer=tf.constant(2.0))
        loss = x[i] * w
        compat.train.GradientDescentOptimizer(0.5).minimize(loss / towers.count)
        return loss

    losses = tf.function(tower, input_signature=tower.signature)([1.0, 3.0])
    return [float(loss) for loss in losses] + [float(towers.store.find("w").numpy())]


def printed(name):
    """What a script of towers prints that tf-migrate has written."""
    sys.argv = [str(SCRIPTS / name)]
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        runpy.run_path(sys.argv[0], run_name="__main__")
    return out.getvalue()


def run():
    """Losses, variables, the towers' numbers, what a second object gives, and what is said of too many towers."""
    towers = compat.train.Towers([f"/gpu:{number}" for number in range(TOWERS)])

    @towers.replicated(tf.TensorSpec([8, 3]), tf.TensorSpec([8, 1]))
    def tower(i, features, labels):
        step = compat.train.get_or_create_global_step()
        rows, wanted = tf.split(features, TOWERS)[i], tf.split(labels, TOWERS)[i]
        with compat.name_scope(f"tower_{i}"), compat.variable_scope(compat.get_variable_scope(), reuse=i > 0):
            hidden = compat.get_variable("hidden", initializer=np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
            out = compat.get_variable("out", initializer=np.linspace(1, -1, 4).reshape(4, 1).astype(np.float32))
            loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(rows, hidden)), out) - wanted))
            optimizer = compat.train.MomentumOptimizer(compat.train.exponential_decay(0.1, step, 2, 0.7), 0.9)
            gradients = optimizer.compute_gradients(loss / towers.count)
        # TF1 left open whether the averages come before the update; there they did.
        compat.train.ExponentialMovingAverage(0.5, step).apply(compat.trainable_variables())
        optimizer.apply_gradients(gradients, step)
        return loss, {"number": tf.constant(i)}

    train_step = tf.function(tower, input_signature=tower.signature)
    random = np.random.RandomState(2)
    x, y = random.randn(STEPS, 8, 3).astype(np.float32), random.randn(STEPS, 8, 1).astype(np.float32)
    found = [train_step(rows, wanted) for rows, wanted in zip(x, y, strict=True)]
    values = {variable.name.split(":")[0]: variable.numpy().tolist() for variable in towers.store.variables}
    try:
        compat.train.Towers([f"/gpu:{number}" for number in range(TOWERS + 1)])
    except ValueError as error:
        late = str(error)
    return {
        "losses": [[float(loss) for loss, _ in towers_found] for towers_found in found],
        "numbers": [int(rest["number"]) for _, rest in found[0]],
        "variables": values,
        "again": second(),
        "late": late,
        "printed": printed("after.py"),
        "values": printed("values_after.py"),
    }


if __name__ == "__main__":
    print(json.dumps(run()))
