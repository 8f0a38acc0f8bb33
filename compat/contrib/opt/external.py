"""Optimizers outside of TensorFlow, SciPy's among them, over a graph's variables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from ... import logging
from ... import variables as tf1
from ...bridge.session import get_default_session
from ...optional_session import session_optional


class ExternalOptimizerInterface:
    """Minimizes a loss of the graph with an algorithm outside of it. Stands for
    ``tf.contrib.opt.ExternalOptimizerInterface``; subclasses implement ``_minimize``.

    It runs parts of a graph: the bridge's, or that of a store.

    Args:
        loss: a scalar tensor of the graph.
        var_list: what to optimize; all trainable variables when None.
        equalities, inequalities: scalar tensors that are to be zero, and not negative.
        var_to_bounds: variables to pairs of lower and upper bounds.
        **optimizer_kwargs: passed to ``_minimize``.
    """

    def __init__(
        self,
        loss: Any,
        var_list: Sequence[Any] | None = None,
        equalities: Sequence[Any] | None = None,
        inequalities: Sequence[Any] | None = None,
        var_to_bounds: Mapping[Any, Any] | None = None,
        **optimizer_kwargs: Any,
    ) -> None:
        self._loss = loss
        self._equalities = list(equalities or ())
        self._inequalities = list(inequalities or ())
        self._vars = tf1.trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else _packed_bounds(self._vars, var_to_bounds)
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = _pack([tf.convert_to_tensor(variable) for variable in self._vars])
        self._packed_loss_grad = self._gradient(loss)
        self._packed_equality_grads = [self._gradient(equality) for equality in self._equalities]
        self._packed_inequality_grads = [self._gradient(inequality) for inequality in self._inequalities]
        ends = list(itertools.accumulate(variable.shape.num_elements() for variable in self._vars))
        self._packing_slices = [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]

    @session_optional(Mapping, name="session")
    def minimize(
        self,
        session: Any = None,
        feed_dict: Mapping[Any, Any] | None = None,
        fetches: Sequence[Any] | None = None,
        step_callback: Callable[..., Any] | None = None,
        loss_callback: Callable[..., Any] | None = None,
        **run_kwargs: Any,
    ) -> None:
        """Minimizes the loss and leaves the result in the variables.

        Args:
            session: the session; the default one when None, and what runs the steps of the loss's store without one.
            feed_dict: fed to each run.
            fetches: fetched with each loss and passed to ``loss_callback``.
            step_callback: called with the packed variables after each step.
            loss_callback: called with the values of ``fetches``.
            **run_kwargs: accepted.

        Raises:
            ValueError: there is no session.
        """
        del run_kwargs
        session = session or get_default_session() or getattr(self._loss.graph, "session", None)
        if session is None:
            raise ValueError("minimize() needs a session: pass one, or call it in `with session.as_default():`")
        watched, seen = list(fetches or ()), loss_callback or (lambda *values: None)

        def evaluate(tensors: Sequence[Any], callback: Callable[..., Any] | None = None) -> Callable[..., Any]:
            def function(x: Any) -> Any:
                self._load(x)
                values = session.run([*tensors, *watched], feed_dict)
                if callback is not None:
                    callback(*values[len(tensors) :])
                return values[: len(tensors)]

            return function

        result = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=evaluate([self._loss, self._packed_loss_grad], seen),
            equality_funcs=[evaluate([equality]) for equality in self._equalities],
            equality_grad_funcs=[evaluate([grad]) for grad in self._packed_equality_grads],
            inequality_funcs=[evaluate([inequality]) for inequality in self._inequalities],
            inequality_grad_funcs=[evaluate([grad]) for grad in self._packed_inequality_grads],
            packed_bounds=self._packed_bounds,
            step_callback=step_callback or (lambda xk: None),
            optimizer_kwargs=self.optimizer_kwargs,
        )
        self._load(result)

    def _minimize(self, **arguments: Any) -> Any:
        raise NotImplementedError(
            "To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method."
        )

    def _gradient(self, tensor: Any) -> tf.Tensor:
        gradients = tf.gradients(tensor, self._vars)
        return _pack(
            [
                tf.zeros_like(variable) if gradient is None else tf.convert_to_tensor(gradient)
                for variable, gradient in zip(self._vars, gradients, strict=True)
            ]
        )

    def _load(self, packed: Any) -> None:
        with tf.init_scope():
            for variable, part in zip(self._vars, self._packing_slices, strict=True):
                value = np.reshape(packed[part], variable.shape.as_list())
                variable.assign(value.astype(variable.dtype.as_numpy_dtype))


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes with ``scipy.optimize.minimize``, L-BFGS-B by default. Stands for
    ``tf.contrib.opt.ScipyOptimizerInterface``.

    >>> graph, session = compat.open_graph(), compat.Session()
    >>> w = compat.Variable([1.0, 2.0])
    >>> optimizer = compat.contrib.opt.ScipyOptimizerInterface(tf.reduce_sum((w - 3.0) ** 2), options={"maxiter": 100})
    >>> session.run(compat.global_variables_initializer())
    >>> optimizer.minimize(session)
    >>> np.round(session.run(w), 3)
    array([3., 3.], dtype=float32)
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(self, **arguments: Any) -> Any:
        import scipy.optimize

        loss_grad_func = arguments["loss_grad_func"]

        def loss_and_gradient(x: Any) -> tuple[Any, Any]:
            loss, gradient = loss_grad_func(x)
            return loss, gradient.astype("float64")

        options = dict(arguments["optimizer_kwargs"])
        method = options.pop("method", self._DEFAULT_METHOD)
        given: dict[str, Any] = {
            "jac": True,
            "callback": arguments["step_callback"],
            "method": method,
            "constraints": _constraints(arguments),
            "bounds": arguments["packed_bounds"],
        }
        for name in given:
            if name == "bounds" and name in options:
                raise ValueError("Bounds must be set using the var_to_bounds argument")
            if name in options:
                raise ValueError(f"Optimizer keyword arg '{name}' is set automatically and cannot be injected manually")
        result = scipy.optimize.minimize(loss_and_gradient, arguments["initial_val"], **given, **options)
        logging.info("Optimization terminated with: %s Objective function value: %f", result.message, result.fun)
        return result["x"]


def _constraints(arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": kind, "fun": lambda x, f=function: f(x)[0], "jac": lambda x, g=gradient: g(x)[0]}
        for kind, functions, gradients in (
            ("eq", arguments["equality_funcs"], arguments["equality_grad_funcs"]),
            ("ineq", arguments["inequality_funcs"], arguments["inequality_grad_funcs"]),
        )
        for function, gradient in zip(functions, gradients, strict=True)
    ]


def _pack(tensors: Sequence[tf.Tensor]) -> tf.Tensor:
    return tf.concat([tf.reshape(tensor, [-1]) for tensor in tensors], 0)


def _packed_bounds(variables: Sequence[Any], var_to_bounds: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    lower: list[Any] = []
    upper: list[Any] = []
    for variable in variables:
        low, high = var_to_bounds.get(variable, (-np.inf, np.inf))
        lower.extend(np.broadcast_to(low, variable.shape.as_list()).flat)
        upper.extend(np.broadcast_to(high, variable.shape.as_list()).flat)
    return list(zip(lower, upper, strict=True))
