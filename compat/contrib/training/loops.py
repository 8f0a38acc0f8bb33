"""Loops around training and evaluation."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ... import logging
from ...train.checkpoint_state import latest_checkpoint
from ...train.monitored_training import MonitoredTrainingSession
from ...train.session_run_hook import SessionRunHook


def train(
    train_op: Any,
    logdir: str | None,
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Sequence[SessionRunHook] | None = None,
    chief_only_hooks: Sequence[SessionRunHook] | None = None,
    save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
    max_wait_secs: float = 7200,
    run_metadata: Any = None,
) -> Any:
    """Runs ``train_op`` until a hook stops it, and returns what it gave last. Stands for ``tf.contrib.training.train``.

    Arguments other than these are those of ``compat.train.MonitoredTrainingSession``.

    Args:
        train_op: what to run.
        logdir: folder of checkpoints and summaries.
        run_metadata: accepted.

    Raises:
        ValueError: something is to be saved, and there is no ``logdir``.
    """
    if logdir is None and is_chief:
        if save_summaries_steps:
            raise ValueError("logdir cannot be None when save_summaries_steps is not None")
        if save_checkpoint_secs:
            raise ValueError("logdir cannot be None when save_checkpoint_secs is not None")
    with MonitoredTrainingSession(
        master=master,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        scaffold=scaffold,
        hooks=hooks,
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
        max_wait_secs=max_wait_secs,
    ) as session:
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss


def wait_for_new_checkpoint(
    checkpoint_dir: str, last_checkpoint: str | None = None, seconds_to_sleep: float = 1, timeout: float | None = None
) -> str | None:
    """The latest checkpoint as soon as it is another than ``last_checkpoint``.

    Stands for ``tf.contrib.training.wait_for_new_checkpoint``.

    Args:
        checkpoint_dir: the folder.
        last_checkpoint: the checkpoint that is known already.
        seconds_to_sleep: seconds between looks.
        timeout: seconds after which to give up and return None.
    """
    deadline = None if timeout is None else time.time() + timeout
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    while True:
        found = latest_checkpoint(checkpoint_dir)
        if found is not None and found != last_checkpoint:
            logging.info("Found new checkpoint at %s", found)
            return str(found)
        if deadline is not None and time.time() + seconds_to_sleep > deadline:
            return None
        time.sleep(seconds_to_sleep)
