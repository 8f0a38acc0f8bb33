"""A TF1 program for several machines: `--job_name`, `--task_index` and the hosts say which of them this is."""

import argparse
import os
import signal

import numpy as np
import tensorflow as tf

BATCH, STEPS = 8, 6


def batches(worker, workers):
    random = np.random.RandomState(2)
    x, y = random.randn(STEPS, BATCH, 3).astype(np.float32), random.randn(STEPS, BATCH, 1).astype(np.float32)
    share = BATCH // workers
    return x[:, worker * share : (worker + 1) * share], y[:, worker * share : (worker + 1) * share]


def main(flags):
    worker_hosts = flags.worker_hosts.split(",")
    cluster = tf.train.ClusterSpec({"ps": flags.ps_hosts.split(","), "worker": worker_hosts})
    server = tf.train.Server(cluster, job_name=flags.job_name, task_index=flags.task_index)
    if flags.job_name == "ps":
        server.join()
        return
    workers = len(worker_hosts)
    is_chief = flags.task_index == 0
    device = tf.train.replica_device_setter(worker_device=f"/job:worker/task:{flags.task_index}", cluster=cluster)
    with tf.device(device):
        global_step = tf.train.get_or_create_global_step()
        x = tf.placeholder(tf.float32, [None, 3])
        y = tf.placeholder(tf.float32, [None, 1])
        hidden = tf.layers.dense(x, 4, tf.nn.relu, kernel_initializer=tf.constant_initializer(np.linspace(-1, 1, 12)))
        out = tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(np.linspace(1, -1, 4)))
        loss = tf.reduce_mean(tf.square(out - y))
        rate = tf.train.exponential_decay(0.1, global_step, 2, 0.7)
        optimizer = tf.train.SyncReplicasOptimizer(
            tf.train.MomentumOptimizer(rate, 0.9), replicas_to_aggregate=workers, total_num_replicas=workers
        )
        train_op = optimizer.minimize(loss, global_step=global_step)
    hooks = [optimizer.make_session_run_hook(is_chief, num_tokens=0), tf.train.StopAtStepHook(last_step=STEPS)]
    xs, ys = batches(flags.task_index, workers)
    with tf.train.MonitoredTrainingSession(
        master=server.target,
        is_chief=is_chief,
        checkpoint_dir=flags.train_dir,
        save_checkpoint_steps=1,
        hooks=hooks,
        log_step_count_steps=None,
    ) as session:
        while not session.should_stop():
            done = session.run_step_fn(lambda step_context: step_context.session.run(global_step))
            if os.environ.get("DIES_BEFORE") == str(done):
                os.kill(os.getpid(), signal.SIGKILL)
            _, value = session.run([train_op, loss], {x: xs[done], y: ys[done]})
            print("step", done + 1, "loss", value, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--job_name", default="worker")
    parser.add_argument("--task_index", type=int, default=0)
    parser.add_argument("--ps_hosts", default="localhost:2222")
    parser.add_argument("--worker_hosts", default="localhost:2223")
    parser.add_argument("--train_dir", required=True)
    main(parser.parse_args())
