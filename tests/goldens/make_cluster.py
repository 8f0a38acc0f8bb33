"""Records the losses of two workers, and of one alone, under real TF 1.15.5: tests/goldens/cluster.json."""

import json
import os
import socket
import subprocess
import sys
import tempfile

import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = 6
assert tf.__version__ == "1.15.5", tf.__version__


def free_addresses(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("localhost", 0))
    found = [f"localhost:{one.getsockname()[1]}" for one in sockets]
    for one in sockets:
        one.close()
    return found


def losses_of(process):
    """The losses that a worker prints; not to its end, for a chief may wait there for ever."""
    found = []
    for line in process.stdout:
        if line.startswith(b"step "):
            found.append(float(line.split()[-1]))
        if len(found) == STEPS:
            break
    return found


def trained(workers):
    folder = tempfile.mkdtemp()
    server, *hosts = free_addresses(1 + workers)
    flags = ["--ps_hosts", server, "--worker_hosts", ",".join(hosts), "--train_dir", folder]
    jobs = [["--job_name", "ps"]] + [["--task_index", str(number)] for number in range(workers)]
    command = ["timeout", "120", sys.executable, os.path.join(HERE, "cluster_program.py")]
    processes = [subprocess.Popen(command + job + flags, stdout=subprocess.PIPE) for job in jobs]
    found = [losses_of(process) for process in processes[1:]]
    for process in processes:
        process.kill()
    return found


with open(os.path.join(HERE, "cluster.json"), "w") as file:
    json.dump({"two": trained(2), "one": trained(1)}, file, indent=1, sort_keys=True)
    file.write("\n")
