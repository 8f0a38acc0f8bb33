"""Runs the programs of make_rnn.py through `compat`: eagerly, in a `tf.function` and under the bridge."""

from __future__ import annotations

import importlib
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import tensorflow as tf

import compat
from tests.goldens.half_precision import bound

HERE = Path(__file__).resolve().parent
MODES = ["eager", "function", "bridge"]
PRECISIONS = ("float16", "float64")


class Merged:
    """`compat` where it has a name, else TensorFlow: what a migrated program sees as `tf`."""

    def __init__(self, *modules: Any) -> None:
        self._modules = modules

    def __getattr__(self, name: str) -> Any:
        found = [getattr(module, name) for module in self._modules if hasattr(module, name)]
        if not found:
            raise AttributeError(name)
        return Merged(*found) if isinstance(found[0], ModuleType) and len(found) > 1 else found[0]


TF1 = Merged(compat, tf)


class Family:
    """The programs of one family with what TF 1.15.5 computed."""

    def __init__(self, family: str) -> None:
        module = importlib.import_module(f"tests.goldens.{family}_programs")
        self.programs: dict[str, Any] = module.PROGRAMS
        self.initial_value = module.initial_value
        with np.load(HERE / f"{family}.npz") as arrays:
            self.arrays = dict(arrays)

    def cases(self) -> list[tuple[str, str]]:
        """Every program in the mode that takes it least time."""
        return [(name, next(self._modes(name))) for name in self.programs]

    def further_cases(self) -> list[tuple[str, str]]:
        """Every program in every other mode in which it can run."""
        return [(name, mode) for name in self.programs for mode in list(self._modes(name))[1:]]

    def _modes(self, name: str) -> Iterator[str]:
        return (mode for mode in MODES if self.programs[name].eager or mode != "eager")

    def precise_cases(self) -> list[tuple[str, str]]:
        """Every program in every other precision in which TF 1.15.5 could run it, where it can run eagerly."""
        rows = [(name, dtype) for name, program in self.programs.items() if program.eager for dtype in PRECISIONS]
        return [(name, dtype) for name, dtype in rows if f"{name}|{dtype}/out/0" in self.arrays]

    def expected(self, name: str) -> dict[str, np.ndarray]:
        """The arrays of a program by their names."""
        prefix = name + "|"
        return {key[len(prefix) :]: self.arrays[key] for key in self.arrays if key.startswith(prefix)}

    def check(self, name: str, mode: str, rtol: float = 1.3e-6, atol: float = 1e-5) -> None:
        """Compares names, outputs and gradients of one program with TF 1.15.5's."""
        expected = {key: value for key, value in self.expected(name).items() if not key.startswith(PRECISIONS)}
        del expected["unknown"]
        actual = {"eager": self.eagerly, "function": self.in_function, "bridge": self.bridged}[mode](name)
        assert actual.pop("names") == json.loads(str(expected.pop("names")))
        assert sorted(actual) == sorted(expected)
        for key, value in expected.items():
            assert actual[key].dtype == value.dtype, key
            np.testing.assert_allclose(actual[key], value, rtol=rtol, atol=atol, err_msg=key)

    def check_precision(self, name: str, dtype: str) -> None:
        """Compares outputs and the gradients of the inputs in another precision with TF 1.15.5's."""
        expected = {
            key.removeprefix(dtype + "/"): value for key, value in self.expected(name).items() if key.startswith(dtype)
        }
        actual = self._native(name, lambda step, program: step, dtype)
        for key, value in expected.items():
            wide = self.arrays.get(f"{name}|float64/{key}")
            rtol, atol = (0.0, bound(value, wide)) if dtype == "float16" else (1e-6, 1e-7)
            assert actual[key].dtype == value.dtype, key
            np.testing.assert_allclose(actual[key], value, rtol=rtol, atol=atol, err_msg=key)

    def _shape(self, name: str, key: str) -> Any:
        """The static shape of an input: as the program asks, else without the first size where TF1 could do so."""
        program = self.programs[name]
        shape = program.feeds[key].shape
        return program.shapes.get(key, [None, *shape[1:]] if self.arrays[f"{name}|unknown"] else shape)

    def _assign(self, variables: Any) -> None:
        for variable in variables:
            value = self.initial_value(variable.name.split(":")[0], variable.shape.as_list())
            with tf.init_scope():
                variable.assign(tf.cast(value, variable.dtype))

    def _native(self, name: str, wrap: Any, dtype: str = "float32") -> dict[str, Any]:
        program = self.programs[name]
        store = compat.VariableStore()
        feeds = {
            key: tf.constant(value, dtype if value.dtype == np.float32 else None)
            for key, value in program.feeds.items()
        }

        def make(**inputs: Any) -> Any:
            with store:
                return program.build(TF1, **inputs)

        def step(**inputs: Any) -> Any:
            with store, tf.GradientTape() as tape:
                floating = {key: inputs[key] for key in sorted(inputs) if inputs[key].dtype.is_floating}
                tape.watch(floating)
                outputs = tf.nest.flatten(program.build(TF1, **inputs))
                total = objective(outputs)
            wanted = {variable.name.split(":")[0]: variable for variable in store.trainable_variables}
            return outputs, tape.gradient(total, wanted | floating)

        if wrap(make, program) is make:  # else it was traced, which made the variables
            make(**feeds)
        self._assign(store.variables)
        _save_and_load(store)
        outputs, gradients = wrap(step, program)(**feeds)
        arrays = {f"out/{i}": value.numpy() for i, value in enumerate(outputs)}
        arrays.update(_dense(gradients))
        arrays["names"] = _names(store.variables)
        return arrays

    def eagerly(self, name: str) -> dict[str, Any]:
        """The arrays of a program run eagerly over a store."""
        return self._native(name, lambda step, program: step)

    def in_function(self, name: str) -> dict[str, Any]:
        """The arrays of a program run in a `tf.function` over a store, with the shapes that TF1 could do with."""

        def wrap(step: Any, program: Any) -> Any:
            specs = {key: tf.TensorSpec(self._shape(name, key), value.dtype) for key, value in program.feeds.items()}
            # TF1's bits belong to an operation's seed alone; another test may have set a global one.
            tf.random.set_seed(None)
            # The second trace must find what the first one made.
            return tf.function(step, autograph=False).get_concrete_function(**specs)

        return self._native(name, wrap)

    def bridged(self, name: str) -> dict[str, Any]:
        """The arrays of a program built in a bridge graph and run by a session."""
        program = self.programs[name]
        with compat.Graph().as_default(), compat.Session() as session:
            inputs = {
                key: compat.placeholder(value.dtype, self._shape(name, key), name=key)
                for key, value in program.feeds.items()
            }
            outputs = tf.nest.flatten(program.build(TF1, **inputs))
            floating = [key for key in sorted(inputs) if inputs[key].dtype.is_floating]
            trainable = compat.trainable_variables()
            wanted = [variable.name.split(":")[0] for variable in trainable] + floating
            gradients = tf.gradients(objective(outputs), trainable + [inputs[key] for key in floating])
            session.run(compat.global_variables_initializer())
            self._assign(compat.global_variables())
            kept = {key: tf.convert_to_tensor(g) for key, g in zip(wanted, gradients, strict=True) if g is not None}
            feeds = {inputs[key]: value for key, value in program.feeds.items()}
            values, gradients = session.run([outputs, kept], feeds)
            arrays = {f"out/{i}": value for i, value in enumerate(values)}
            arrays.update({"grad/" + key: value for key, value in gradients.items()})
            arrays["names"] = _names(compat.global_variables())
            return arrays


def _save_and_load(store: compat.VariableStore) -> None:
    """Saves the variables by their names, forgets their values, and restores them."""
    if not store.variables:
        return
    saver = compat.train.Saver(list(store.variables))
    with tempfile.TemporaryDirectory() as folder:
        path = saver.save(None, f"{folder}/model")
        saved = [name for name, _ in tf.train.list_variables(path)]
        # The parts of a partitioned variable are one tensor there.
        assert saved == sorted({re.sub(r"(/part_\d+)?:0$", "", variable.name) for variable in store.variables})
        for variable in store.variables:
            variable.assign(tf.zeros_like(variable))
        saver.restore(None, path)


def objective(outputs: list[tf.Tensor]) -> tf.Tensor:
    """The sum of the floating outputs, each element with its own weight; as in make_rnn.py."""
    total = tf.constant(0.0, tf.float64)
    for output in outputs:
        if output.dtype.is_floating:
            flat = tf.reshape(output, [-1])
            weights = tf.gather(tf.constant(np.cos(0.5 * np.arange(7)), flat.dtype), tf.range(tf.size(flat)) % 7)
            total += tf.cast(tf.reduce_sum(flat * weights), tf.float64)
    return total


def _dense(gradients: dict[str, Any]) -> dict[str, np.ndarray]:
    return {"grad/" + key: tf.convert_to_tensor(value).numpy() for key, value in gradients.items() if value is not None}


def _names(variables: Any) -> list[Any]:
    return [[variable.name.split(":")[0], variable.shape.as_list()] for variable in variables]
