"""What a monitored session did around its runs, for steps that are functions called in a Python loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

import tensorflow as tf

from .. import variables as tf1
from .checkpoint_damage import restore_last_whole
from .monitored_training import NOT_GIVEN, training_hooks
from .saver import Saver
from .session_run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

_ENDS = (tf.errors.OutOfRangeError, StopIteration)


class TrainingLoop:
    """Restores, saves, logs and stops while a Python loop trains. Stands for ``tf.train.MonitoredTrainingSession``.

    It does without a graph and a session what that did around each ``run``: the loop says when a run is over, and gives
    the values that hooks ask for by name. Checkpoints have TF1's names and are written at TF1's steps, the first before
    any step and the last at the end; one that is there is restored. There is no graph, so ``graph.pbtxt`` and ``.meta``
    files are not written.

    >>> w, step = tf.Variable(8.0), tf.Variable(0, dtype=tf.int64, name="global_step")
    >>> hooks = [compat.train.StopAtStepHook(last_step=3), compat.train.NanTensorHook("loss")]
    >>> @tf.function
    ... def train_step():
    ...     step.assign_add(1)
    ...     return w.assign(w / 2)
    >>> with compat.train.TrainingLoop(global_step=step, hooks=hooks) as loop:
    ...     while not loop.should_stop():
    ...         loop.after_run(loss=train_step())
    >>> w.numpy()
    np.float32(1.0)

    The end of the input (``tf.errors.OutOfRangeError``, ``StopIteration``) ends the block as if the loop had ended.
    Any other error leaves it without a last checkpoint.

    Args:
        checkpoint_dir: where to restore from and save to; nothing is restored or saved without it.
        variables: what to restore and save: a list of variables.
        global_step: the counter that training steps increase; hooks that count need it.
        hooks: those of ``tf.train`` that feed nothing. In place of tensors they are given variables, which are read
            after each run, or the names under which :meth:`after_run` gets values.
        save_checkpoint_secs, save_checkpoint_steps: seconds (600 by default) or steps between checkpoints.
        save_summaries_steps, save_summaries_secs: a beginning is noted in the event file unless both are None or 0; the
            summaries themselves are for the program to write.
        log_step_count_steps: steps between notes of the speed, in steps a second.
        summary_dir: folder of the event file; ``checkpoint_dir`` by default.

    Raises:
        RuntimeError: a hook counts steps, and there is no ``global_step``.
        ValueError: both steps and seconds are given.
        tf.errors.DataLossError: there are checkpoints, and all are damaged.
    """

    def __init__(
        self,
        checkpoint_dir: str | None = None,
        *,
        variables: Iterable[tf.Variable] = (),
        global_step: tf.Variable | None = None,
        hooks: Sequence[SessionRunHook] | None = None,
        save_checkpoint_secs: float | None = NOT_GIVEN,
        save_summaries_steps: int | None = NOT_GIVEN,
        save_summaries_secs: float | None = NOT_GIVEN,
        log_step_count_steps: int | None = 100,
        save_checkpoint_steps: int | None = NOT_GIVEN,
        summary_dir: str | None = None,
    ) -> None:
        saver = Saver(list(variables), sharded=True, allow_empty=True) if checkpoint_dir else None
        own = training_hooks(
            checkpoint_dir,
            summary_dir,
            (save_checkpoint_steps, save_checkpoint_secs),
            (save_summaries_steps, save_summaries_secs),
            log_step_count_steps,
            saver=saver,
        )
        self._hooks = [*own, *(hooks or ())]
        self._state = _State()
        self._stop_requested = False
        self._closed = False
        counting = tf1.VariableStore()
        with counting:
            if global_step is not None:
                tf1.add_to_collection(tf1.GraphKeys.GLOBAL_STEP, global_step)
            for hook in self._hooks:
                hook.begin()
        if saver is not None:
            kept = restore_last_whole(str(checkpoint_dir), lambda found: saver.restore(None, found))
            saver.recover_last_checkpoints(kept)
        for hook in self._hooks:
            hook.after_create_session(self._state, None)

    def __enter__(self) -> TrainingLoop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        ended = kind is None or kind in _ENDS
        self._closed = True
        if ended:
            for hook in self._hooks:
                hook.end(self._state)
        return ended

    def should_stop(self) -> bool:
        """Whether a hook has asked to stop, or the block is left."""
        return self._closed or self._stop_requested

    def after_run(self, **values: Any) -> None:
        """Tells the hooks that a run is over: to be called behind each call that stands for one ``Session.run``.

        Args:
            values: tensors or arrays, under the names by which hooks ask for them.

        Raises:
            ValueError: a hook asks for a value that is not given, or feeds something.
            RuntimeError: a hook had asked to stop before this run.
            NanLossDuringTrainingError: raised by ``NanTensorHook``.
        """
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        self._state.values = values
        context = SessionRunContext(SessionRunArgs(None), self._state)
        asked = [hook.before_run(context) for hook in self._hooks]
        for hook, request in zip(self._hooks, asked, strict=True):
            results = None if request is None else self._state.run(request.fetches)
            if request is not None and request.feed_dict:
                raise ValueError(f"{type(hook).__name__} feeds placeholders, and there are none without a graph.")
            hook.after_run(context, SessionRunValues(results, None, None))
        self._stop_requested = context.stop_requested


class _State:
    """What hooks take for the session: variables as they are now, and the values that the last run gave."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def run(self, fetches: Any) -> Any:
        """The NumPy values of variables and names, in any structure."""
        return tf.nest.map_structure(self._value, fetches)

    def _value(self, fetch: Any) -> Any:
        if isinstance(fetch, str) and fetch not in self.values:
            raise ValueError(f"A hook asks for `{fetch}`: give it after each run, as `after_run({fetch}=…)`.")
        found = self.values[fetch] if isinstance(fetch, str) else fetch
        return found.numpy() if isinstance(found, (tf.Tensor, tf.Variable)) else found
