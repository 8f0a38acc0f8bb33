"""Making the train op, and the loop that runs it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import tensorflow as tf

from ... import logging, summary
from ...bridge import get_default_graph
from ...bridge.v1 import RunMetadata, RunOptions
from ...private import timeline
from ...train.global_step import get_or_create_global_step
from ...train.optimizer import Optimizer
from ...train.saver import Saver
from ...train.supervisor import Supervisor
from ...variables.name_scope import name_scope
from ..framework.variables import op_name
from ..training import train_op as _training
from ..training.train_op import clip_gradient_norms as clip_gradient_norms
from ..training.train_op import multiply_gradients as multiply_gradients

GradsAndVars = list[tuple[Any, Any]]
_DEFAULT: Any = 0


def add_gradients_summaries(grads_and_vars: GradsAndVars) -> list[Any]:
    """A histogram and the norm of each gradient. Stands for ``slim.learning.add_gradients_summaries``."""
    made = []
    for gradient, variable in grads_and_vars:
        name = op_name(variable)
        if gradient is None:
            logging.info("Var %s has no gradient", name)
            continue
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        made.append(summary.histogram(f"{name}/gradient", values))
        made.append(summary.scalar(f"{name}/gradient_norm", tf.linalg.global_norm([values])))
    return made


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _DEFAULT,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None,
    clip_gradient_norm: float = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: dict[Any, Any] | None = None,
    check_numerics: bool = True,
) -> Any:
    """Makes the op that trains: its value is the loss. Stands for ``slim.learning.create_train_op``.

    Args:
        total_loss: a scalar.
        global_step: the counter, the program's own unless given; None for none.
        update_ops: what is to run before the loss, the collection ``UPDATE_OPS`` unless given.
        variables_to_train: the trainable variables unless given.
        clip_gradient_norm: the greatest norm of each gradient, 0 for none.
        gradient_multipliers: factors by variable or by its name.
        check_numerics: fails when the loss is not finite.

    Raises:
        ValueError: there is nothing to train.
    """

    def transform(pairs: GradsAndVars) -> GradsAndVars:
        if gradient_multipliers:
            with name_scope("multiply_grads"):
                pairs = multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with name_scope("clip_grads"):
                pairs = clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return _training.create_train_op(
        total_loss,
        optimizer,
        global_step=get_or_create_global_step() if global_step is _DEFAULT else global_step,
        update_ops=update_ops,
        variables_to_train=variables_to_train,
        transform_grads_fn=transform,
        summarize_gradients=summarize_gradients,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        check_numerics=check_numerics,
    )


def train_step(sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any]) -> tuple[Any, bool]:
    """One step of :func:`train`: the loss, and whether to stop. Stands for ``slim.learning.train_step``.

    Args:
        train_step_kwargs: ``should_log``, ``should_trace`` and ``should_stop``, tensors to be run; each may be missing.
            Traces go to ``logdir`` as ``tf_trace-<step>.json``, and to the ``summary_writer`` where there is one.

    Raises:
        ValueError: traces without a ``logdir``.
    """
    began = time.time()
    options = run_metadata = None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError("logdir must be present in train_step_kwargs when should_trace is present")
        if sess.run(train_step_kwargs["should_trace"]):
            options, run_metadata = RunOptions(trace_level=RunOptions.FULL_TRACE), RunMetadata()
    loss, step = sess.run([train_op, global_step], options=options, run_metadata=run_metadata)
    seconds = time.time() - began
    if run_metadata is not None:
        _save_trace(run_metadata, step, train_step_kwargs)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, seconds)
    stop = sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False
    return loss, bool(stop)


def _save_trace(run_metadata: Any, step: int, train_step_kwargs: dict[str, Any]) -> None:
    text = timeline.Timeline(run_metadata.step_stats).generate_chrome_trace_format()
    Path(train_step_kwargs["logdir"], f"tf_trace-{step}.json").write_text(text, encoding="utf-8")
    if "summary_writer" in train_step_kwargs:
        train_step_kwargs["summary_writer"].add_run_metadata(run_metadata, f"run_metadata-{step}")


def train(
    train_op: Any,
    logdir: str | None,
    train_step_fn: Callable[..., tuple[Any, bool]] = train_step,
    train_step_kwargs: Any = _DEFAULT,
    log_every_n_steps: int = 1,
    graph: Any = None,
    master: str = "",
    is_chief: bool = True,
    global_step: Any = None,
    number_of_steps: int | None = None,
    init_op: Any = _DEFAULT,
    init_feed_dict: Any = None,
    local_init_op: Any = _DEFAULT,
    init_fn: Callable[[Any], Any] | None = None,
    ready_op: Any = _DEFAULT,
    summary_op: Any = _DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: Any = _DEFAULT,
    startup_delay_steps: int = 0,
    saver: Any = None,
    save_interval_secs: float = 600,
    sync_optimizer: Any = None,
    session_config: Any = None,
    session_wrapper: Callable[[Any], Any] | None = None,
    trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Runs the train op until it is enough, saving as it goes. Stands for ``slim.learning.train``.

    Args:
        train_op: what :func:`create_train_op` made.
        logdir: where checkpoints and summaries go; None for nowhere.
        train_step_fn: one step, as :func:`train_step`.
        number_of_steps: where to stop; None for never (until the input ends).
        init_fn: called with the session after initialization, to restore weights.
        save_summaries_secs, save_interval_secs: seconds between summaries, and between checkpoints.
        session_wrapper: wraps the session.
        trace_every_n_steps: steps between traces, see :func:`train_step`; None for none.

    Returns:
        The last loss.

    Raises:
        ValueError: no train op; no steps; a saver, a summary or traces without a ``logdir``; a ``sync_optimizer`` or
            ``startup_delay_steps``, for which TensorFlow 2 has ``tf.distribute``.
    """
    _check(train_op, logdir, summary_op, saver, number_of_steps, trace_every_n_steps)
    if sync_optimizer is not None or startup_delay_steps:
        raise ValueError(
            "sync_optimizer and startup_delay_steps need TF 1.x's distributed runtime; use tf.distribute instead."
        )
    graph = graph or get_default_graph()
    with graph.as_default():
        step = get_or_create_global_step() if global_step is None else global_step
        saver = saver or Saver()
        if train_step_kwargs is _DEFAULT:
            traced = trace_every_n_steps if is_chief else None
            train_step_kwargs = _step_arguments(step, number_of_steps, log_every_n_steps, traced)
            train_step_kwargs |= {"logdir": logdir} if logdir else {}
    given = {"init_op": init_op, "local_init_op": local_init_op, "ready_op": ready_op, "summary_op": summary_op}
    options = {name: value for name, value in given.items() if value is not _DEFAULT}
    if summary_writer is not _DEFAULT:
        options["summary_writer"] = summary_writer
    supervisor = Supervisor(
        graph=graph,
        is_chief=is_chief,
        logdir=logdir,
        init_feed_dict=init_feed_dict,
        global_step=step,
        saver=saver,
        save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs,
        init_fn=init_fn,
        **options,
    )
    train_step_kwargs["summary_writer"] = supervisor.summary_writer
    loss = None
    with supervisor.managed_session(master, start_standard_services=False, config=session_config) as opened:
        session = opened if session_wrapper is None else session_wrapper(opened)
        if is_chief and logdir:
            supervisor.start_standard_services(session)
        threads = supervisor.start_queue_runners(session)
        try:
            while not supervisor.should_stop():
                loss, stop = train_step_fn(session, train_op, step, train_step_kwargs)
                if stop:
                    logging.info("Stopping Training.")
                    supervisor.request_stop()
        except tf.errors.OutOfRangeError as error:
            logging.info("Caught OutOfRangeError. Stopping Training. %s", error)
        if logdir and is_chief:
            logging.info("Finished training! Saving model to disk.")
            supervisor.saver.save(session, supervisor.save_path, global_step=step)
            # The session closes the writer when it ends.
            supervisor.stop(threads, close_summary_writer=False, ignore_live_threads=ignore_live_threads)
    return loss


def _check(
    train_op: Any,
    logdir: str | None,
    summary_op: Any,
    saver: Any,
    number_of_steps: int | None,
    trace_every_n_steps: int | None,
) -> None:
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None and summary_op is not _DEFAULT:
        raise ValueError("Cannot provide summary_op because logdir=None")
    if logdir is None and saver is not None:
        raise ValueError("Cannot provide saver because logdir=None")
    if logdir is None and trace_every_n_steps is not None:
        raise ValueError("Cannot provide trace_every_n_steps because logdir=None")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")


def _step_arguments(
    step: Any, number_of_steps: int | None, log_every_n_steps: int, trace_every_n_steps: int | None
) -> dict[str, Any]:
    with name_scope("train_step"):
        stop = tf.greater_equal(step, number_of_steps) if number_of_steps else tf.constant(False)
        arguments: dict[str, Any] = {"should_stop": stop}
        if log_every_n_steps > 0:
            arguments["should_log"] = tf.equal(tf.math.mod(step, log_every_n_steps), 0)
        if trace_every_n_steps is not None:
            arguments["should_trace"] = tf.equal(tf.math.mod(step, trace_every_n_steps), 0)
        return arguments
