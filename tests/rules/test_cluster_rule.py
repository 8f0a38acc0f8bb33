"""Servers of clusters are told of; those of one process run as they are."""

from __future__ import annotations

import pytest

from tests.engine import migrated
from tf_migrate.report.model import Finding

SPEC = "cluster = tf.train.ClusterSpec({'ps': ps, 'worker': workers})\n"


def told(code: str) -> list[Finding]:
    return [finding for finding in migrated("import tensorflow as tf\n" + code).findings if finding.rule == "TFM204"]


def test_a_server_without_synchronous_updates_is_left_to_a_person_with_what_to_do() -> None:
    (finding,) = told(SPEC + "server = tf.train.Server(cluster, job_name=job, task_index=index)\n")
    assert (finding.line, finding.action) == (3, "manual")
    assert "asynchronous" in finding.message
    assert "ParameterServerStrategy" in (finding.next_step or "")


def test_synchronous_workers_run_and_are_told_of() -> None:
    (finding,) = told(SPEC + "s = tf.train.Server(cluster)\nopt = tf.train.SyncReplicasOptimizer(opt, 2)\n")
    assert (finding.line, finding.action) == (3, "shimmed")
    assert "asynchronous" not in finding.message
    assert "last checkpoint" in (finding.next_step or "")


@pytest.mark.parametrize(
    "code",
    [
        "server = tf.train.Server.create_local_server()\n",
        "server = tf.train.Server({'local': ['localhost:0']})\n",
        "server = tf.train.Server(server_or_cluster_def=tf.train.ClusterSpec({'worker': [address]}))\n",
        SPEC + "server = tf.train.Server(cluster)  # tf-migrate: skip\n",
        SPEC + "server = Server(cluster)\n",
    ],
)
def test_other_servers_are_not_told_of(code: str) -> None:
    assert not told(code)
