"""Evaluating a checkpoint, or each new one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ... import summary
from ...bridge import Session
from ...train.checkpoint_reader import checkpoints_iterator as checkpoints_iterator
from ...train.global_step import get_or_create_global_step
from ...train.queue_runner import start_queue_runners
from ...train.saver import Saver
from ...train.scaffold import Scaffold
from ...variables.initialization import global_variables_initializer

_DEFAULT: Any = 0


def evaluate_once(
    master: str,
    checkpoint_path: str,
    logdir: str | None,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None,
    final_op: Any = None,
    final_op_feed_dict: Any = None,
    summary_op: Any = _DEFAULT,
    summary_op_feed_dict: Any = None,
    variables_to_restore: Sequence[Any] | None = None,
    session_config: Any = None,
    hooks: Sequence[Any] | None = None,
) -> Any:
    """Evaluates one checkpoint. Stands for ``slim.evaluation.evaluate_once``.

    Args:
        checkpoint_path: the checkpoint.
        logdir: where the summary goes.
        num_evals: how often ``eval_op`` runs.
        initial_op, final_op: run once before, and once after.
        summary_op: run at the end and written at the global step; all summaries unless given.
        variables_to_restore: the global variables unless given.

    Returns:
        What ``final_op`` gave.

    Raises:
        ValueError: hooks, which belong to ``compat.train.MonitoredSession``.
    """
    _refuse_hooks(hooks)
    return _evaluate(
        checkpoint_path,
        logdir,
        num_evals,
        (initial_op, initial_op_feed_dict),
        (eval_op, eval_op_feed_dict),
        (final_op, final_op_feed_dict),
        (summary.merge_all() if summary_op is _DEFAULT else summary_op, summary_op_feed_dict),
        Saver(variables_to_restore),
        session_config,
    )


def evaluation_loop(
    master: str,
    checkpoint_dir: str,
    logdir: str | None,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    init_fn: Callable[[Any], Any] | None = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None,
    final_op: Any = None,
    final_op_feed_dict: Any = None,
    summary_op: Any = _DEFAULT,
    summary_op_feed_dict: Any = None,
    variables_to_restore: Sequence[Any] | None = None,
    eval_interval_secs: float = 60,
    max_number_of_evaluations: int | None = None,
    session_config: Any = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
    hooks: Sequence[Any] | None = None,
) -> Any:
    """Evaluates each new checkpoint of a folder. Stands for ``slim.evaluation.evaluation_loop``.

    Args:
        eval_interval_secs: the least time between two evaluations, in seconds.
        max_number_of_evaluations: where to stop; None for never.
        timeout: how long to wait for a checkpoint, in seconds; then ``timeout_fn`` says whether to stop.

    Other arguments and the result as :func:`evaluate_once`.
    """
    _refuse_hooks(hooks)
    summaries = summary.merge_all() if summary_op is _DEFAULT else summary_op
    saver = Saver(variables_to_restore)
    paths = checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn)
    result = None
    for path in itertools.islice(paths, max_number_of_evaluations):
        result = _evaluate(
            path,
            logdir,
            num_evals,
            (initial_op, initial_op_feed_dict),
            (eval_op, eval_op_feed_dict),
            (final_op, final_op_feed_dict),
            (summaries, summary_op_feed_dict),
            saver,
            session_config,
            init_fn,
        )
    return result


def _refuse_hooks(hooks: Sequence[Any] | None) -> None:
    if hooks:
        raise ValueError("Hooks belong to compat.train.MonitoredSession; run the evaluation in one of these.")


def _evaluate(
    path: str,
    logdir: str | None,
    num_evals: int,
    initial: tuple[Any, Any],
    evaluation: tuple[Any, Any],
    final: tuple[Any, Any],
    summaries: tuple[Any, Any],
    saver: Any,
    config: Any,
    init_fn: Callable[[Any], Any] | None = None,
) -> Any:
    step = get_or_create_global_step()
    before = [global_variables_initializer(), Scaffold.default_local_init_op()]
    with Session(config=config) as session:
        session.run(before)
        saver.restore(session, path)
        if init_fn is not None:
            init_fn(session)
        if initial[0] is not None:
            session.run(*initial)
        coordinator = tf.train.Coordinator()
        threads = start_queue_runners(session, coordinator)
        if evaluation[0] is not None:
            for _ in range(num_evals):
                session.run(*evaluation)
        result = None if final[0] is None else session.run(*final)
        if logdir and summaries[0] is not None:
            with summary.FileWriter(logdir) as writer:
                writer.add_summary(session.run(*summaries), session.run(step))
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=10)
    return result
