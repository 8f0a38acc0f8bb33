"""Loops that build a tower on each device are told of, and nothing else is."""

from __future__ import annotations

import pytest

from tests.engine import migrated
from tf_migrate.report.model import Finding

BODY = "        towers.append(optimizer.compute_gradients(loss(part)))\n"


def told(code: str) -> list[Finding]:
    return [finding for finding in migrated("import tensorflow as tf\n" + code).findings if finding.rule == "TFM203"]


@pytest.mark.parametrize(
    "device",
    [
        '"/gpu:%d" % i',
        '"/gpu:{}".format(i)',
        'f"/device:GPU:{i}"',
        'assign_to_device("/gpu:{}".format(i), ps_device="/cpu:0")',
        "tf.train.replica_device_setter(worker_device='/gpu:%d' % i, ps_tasks=1)",
    ],
)
def test_the_loop_is_told_of_once_with_what_to_do(device: str) -> None:
    with_scope = f"for i in range(2):\n    with tf.device({device}), tf.name_scope('tower_%d' % i):\n{BODY}"
    (finding,) = told(with_scope)
    assert (finding.line, finding.action, finding.severity) == (2, "shimmed", "info")
    assert "MirroredStrategy" in (finding.next_step or "")
    assert len(told(with_scope + with_scope)) == 2


def test_gradients_without_an_optimizer_are_towers_too() -> None:
    assert told("for d in devices:\n    with tf.device(d):\n        grads.append(tf.gradients(f(x), w))\n")


@pytest.mark.parametrize(
    "code",
    [
        f"for i in range(2):\n    with tf.device('/cpu:0'):\n{BODY}",
        "for i in range(2):\n    with tf.device('/gpu:%d' % i):\n        out.append(model(part))\n",
        f"for i in range(2):  # tf-migrate: skip\n    with tf.device('/gpu:%d' % i):\n{BODY}",
        f"if True:\n    with tf.device('/gpu:%d' % i):\n{BODY}",
        "for i in range(2):\n    def f():\n        with tf.device('/gpu:%d' % i):\n    " + BODY,
    ],
)
def test_other_loops_and_devices_are_no_towers(code: str) -> None:
    assert not told(code)
