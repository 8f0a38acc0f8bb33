"""What TF 1.15 told callbacks: the number and size of each batch, and in `params` of what is trained, and how.

`tf_keras` gives `params` three keys (`epochs`, `steps`, `verbose`), batches none of their own, and the beginning and
the end of a training a dictionary where TF 1.15 gave None. Graphs told callbacks of batches then as they do now.

  >>> import numpy as np
  >>> from compat.keras2 import callbacks, layers, models
  >>> model = models.Sequential([layers.Dense(1, input_shape=(1,))])
  >>> model.compile("sgd", "mse")
  >>> seen = callbacks.LambdaCallback(on_batch_begin=lambda batch, logs: print(logs))
  >>> history = model.fit(np.ones([3, 1]), np.ones([3, 1]), batch_size=2, verbose=0, callbacks=[seen])
  {'batch': 0, 'size': 2}
  {'batch': 1, 'size': 1}
  >>> [history.params[key] for key in ("samples", "batch_size", "do_validation", "metrics")]
  [3, 2, False, ['loss']]
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf
from tf_keras.src import callbacks
from tf_keras.src.engine import data_adapter, training
from tf_keras.src.utils.mode_keys import ModeKeys

from .metric_names import expected_names

__all__ = ["install"]

_CALL = "_keras2_call"
_MODES = {"fit": ModeKeys.TRAIN, "evaluate": ModeKeys.TEST, "predict": ModeKeys.PREDICT}
_SHOWN = (callbacks.ProgbarLogger, callbacks.TensorBoard)
"""Callbacks that write all that they are given."""


class _Call:
    """A call of `fit`, `evaluate` or `predict`, and where its batches come from."""

    data: Any = None

    def __init__(self, mode: str, *, validates: bool, by_generator: bool) -> None:
        self.mode, self.validates, self.by_generator = mode, validates, by_generator


def _size(adapter: Any) -> int | None:
    """How many examples there are; None where nobody knows before they are read."""
    batches = adapter.get_size()
    if isinstance(adapter, data_adapter.KerasSequenceAdapter):
        return int(batches * adapter.representative_batch_size())
    size = adapter.batch_size()
    if not size or batches is None:
        return None
    return int(batches * size - (size - adapter.partial_batch_size() if adapter.has_partial_batch() else 0))


class _Telling:
    """What a list of callbacks is told of one call's batches."""

    def __init__(self, model: Any, call: _Call) -> None:
        self.model, self.call, self.data, self.last = model, call, call.data, None
        adapter = self.data._adapter
        of_dataset = isinstance(adapter, data_adapter.DatasetAdapter)
        self.counts = call.mode == ModeKeys.TRAIN and of_dataset and self.data._steps_per_epoch is None
        """Whether each epoch finds out how many batches there are."""
        self.params: dict[str, Any] = {}

    def complete(self, params: dict[str, Any]) -> dict[str, Any]:
        """The parameters that callbacks are given."""
        call, adapter = self.call, self.data._adapter
        steps = None if self.counts else params["steps"]
        size = None if call.by_generator else _size(adapter)
        is_array = size is not None and not isinstance(adapter, data_adapter.KerasSequenceAdapter)
        samples = size or steps if call.by_generator or call.mode == ModeKeys.TRAIN else size is not None
        self.params = {
            **params,
            "batch_size": adapter.batch_size() if is_array else None,
            "steps": steps,
            "samples": samples,
            "do_validation": call.validates,
            "metrics": [],
        }
        self.name_metrics()
        return self.params

    def name_metrics(self) -> None:
        """Names the metrics; a model that its first batch builds knows behind it whether it has several outputs."""
        if self.call.mode != ModeKeys.PREDICT and self.params:
            names = expected_names(self.model)
            self.params["metrics"][:] = [*names, *(f"val_{name}" for name in names if self.call.validates)]

    def begin_epoch(self) -> None:
        """Forgets how many batches there are, where that was found out."""
        if self.counts:
            self.data._inferred_steps = None

    def end_epoch(self) -> None:
        """Keeps what the first epoch found out."""
        if self.params.get("steps") is None:
            self.params["steps"] = self.data._inferred_steps
        self.name_metrics()

    def _source(self, mode: str) -> Any:
        return self.data if mode == self.call.mode else self.model._eval_data_handler

    def size_before(self, mode: str, batch: int) -> int:
        """The size that a batch is expected to have: TF 1.15 said 1 where it did not know."""
        adapter = self._source(mode)._adapter
        if self.call.by_generator and self.last is not None and batch:
            return int(self.last)
        if self.call.by_generator or isinstance(adapter, data_adapter.KerasSequenceAdapter):
            known = getattr(adapter, "representative_batch_size", adapter.batch_size)()
            return int(known) if known else 1
        size = _size(adapter)
        return 1 if size is None else int(min(adapter.batch_size(), size - batch * adapter.batch_size()))

    def size_behind(self, mode: str, batch: int, logs: dict[str, Any]) -> int:
        """The size that a batch had."""
        if mode == ModeKeys.PREDICT:
            outputs = tf.nest.flatten(logs["outputs"])
            self.last = outputs[0].shape[0] if self.call.by_generator else self.size_before(mode, batch)
        else:
            total = self.model.compiled_loss._total_loss_mean if self.model.compiled_loss is not None else None
            sizes = getattr(total, "sizes", {})
            self.last = int(sizes[mode].numpy()) if mode in sizes else 0
        return int(self.last or self.size_before(mode, batch))


def _called(method: Callable[..., Any], mode: str) -> Callable[..., Any]:
    """`fit`, `evaluate` or `predict`, whose call is known to the callbacks that are made for it."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        told = signature.bind(self, *args, **kwargs).arguments
        before = vars(self).get(_CALL)
        by_generator = before is not None and before.by_generator and before.data is None
        validates = told.get("validation_data") is not None or bool(told.get("validation_split"))
        with _during(self, _Call(mode, validates=validates, by_generator=by_generator)):
            return method(self, *args, **kwargs)

    return called


def _by_generator(method: Callable[..., Any], mode: str) -> Callable[..., Any]:
    """`fit_generator` and its like, which looked at each batch before callbacks were told of it."""

    @functools.wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        with _during(self, _Call(mode, validates=False, by_generator=True)):
            return method(self, *args, **kwargs)

    return called


@contextlib.contextmanager
def _during(model: Any, call: _Call) -> Iterator[None]:
    """Remembers a model's call while it lasts, beside what Keras tracks."""
    before = vars(model).get(_CALL)
    object.__setattr__(model, _CALL, call)
    try:
        yield
    finally:
        object.__setattr__(model, _CALL, before)


def _remembered(get: Callable[..., Any]) -> Callable[..., Any]:
    """`get_data_handler`, whose data is the one of the model's call."""

    @functools.wraps(get)
    def data(*args: Any, model: Any = None, **kwargs: Any) -> Any:
        found = get(*args, model=model, **kwargs)
        call = None if model is None else vars(model).get(_CALL)
        if call is not None and call.data is None:
            call.data = found
        return found

    return data


def _with_params(begin: Callable[..., None]) -> Callable[..., None]:
    """Makes a list of callbacks, which knows of the call that it is made for."""

    @functools.wraps(begin)
    def begun(self: Any, *args: Any, model: Any = None, **kwargs: Any) -> None:
        call = None if model is None else vars(model).get(_CALL)
        self._telling = _Telling(model, call) if call is not None and call.data is not None else None
        begin(self, *args, model=model, **kwargs)
        self._check_timing = False

    return begun


def _set_params(set_params: Callable[..., None]) -> Callable[..., None]:
    """Gives callbacks their parameters, whose numbers are Python's."""

    @functools.wraps(set_params)
    def given(self: Any, params: Any) -> None:
        if self._telling is not None and "steps" in params and "samples" not in params:
            params = self._telling.complete(params)
        for key, value in params.items():
            params[key] = value.item() if isinstance(value, np.generic) else value
        set_params(self, params)

    return given


def _batch_hook(self: Any, hook_name: str, batch: int, logs: Any) -> None:
    """Tells callbacks of a batch; those that write all that they are given do not hear of its number and size."""
    telling, told = self._telling, self._process_logs(logs, is_batch_hook=True)
    if telling is not None:
        _, mode, _, when = hook_name.split("_")
        size = telling.size_before(mode, batch) if when == "begin" else telling.size_behind(mode, batch, told)
        if "outputs" in told:
            told = {**told, "outputs": tf.nest.flatten(told["outputs"])}
        if when == "end" and batch == 0:
            telling.name_metrics()
    for callback in self.callbacks:
        extended = telling is not None and not isinstance(callback, _SHOWN)
        getattr(callback, hook_name)(batch, {"batch": batch, "size": size, **told} if extended else told)


def _whole(name: str) -> Callable[..., None]:
    """Tells callbacks that a training, an evaluation or a prediction begins or ends: they are given no logs."""

    def hook(self: Any, logs: Any = None) -> None:
        telling = self._telling
        if telling is not None and name == "on_test_begin" and telling.call.mode == ModeKeys.TRAIN:
            telling.end_epoch()
            telling.params["verbose"] = 0
        told = self._process_logs(logs)
        for callback in self.callbacks:
            getattr(callback, name)(told if isinstance(callback, _SHOWN) else None)

    hook.__name__ = name
    return hook


def _of_epoch(method: Callable[..., None], tell: Callable[[_Telling], None]) -> Callable[..., None]:
    @functools.wraps(method)
    def hook(self: Any, epoch: int, logs: Any = None) -> None:
        if self._telling is not None:
            tell(self._telling)
        method(self, epoch, logs)

    return hook


def install() -> None:
    """Has callbacks told what TF 1.15 told them, from now on in this process."""
    model, several = training.Model, callbacks.CallbackList
    for name, mode in _MODES.items():
        setattr(model, name, _called(getattr(model, name), mode))
        setattr(model, f"{name}_generator", _by_generator(getattr(model, f"{name}_generator"), mode))
    data_adapter.get_data_handler = _remembered(data_adapter.get_data_handler)
    several.__init__ = _with_params(several.__init__)
    several.set_params = _set_params(several.set_params)
    several._call_batch_hook_helper = _batch_hook
    several.on_epoch_begin = _of_epoch(several.on_epoch_begin, _Telling.begin_epoch)
    several.on_epoch_end = _of_epoch(several.on_epoch_end, _Telling.end_epoch)
    for mode in _MODES.values():
        for when in ("begin", "end"):
            setattr(several, f"on_{mode}_{when}", _whole(f"on_{mode}_{when}"))
