"""Variables of bridged graphs where TF1's differ from TF2's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import compat

layers = compat.contrib.layers


def test_in_place_arithmetic_leaves_the_variable_alone() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        variable = compat.get_variable("v", initializer=np.float32([2.0, 3.0]))
        added = subtracted = multiplied = divided = raised = variable
        added += 1.0
        subtracted -= 1.0
        multiplied *= 2.0
        divided /= 2.0
        raised **= 2.0
        session.run(variable.initializer)
        values = [session.run(each).tolist() for each in (added, subtracted, multiplied, divided, raised, variable)]
    assert values == [[3.0, 4.0], [1.0, 2.0], [4.0, 6.0], [1.0, 1.5], [4.0, 9.0], [2.0, 3.0]]


def test_collections_must_be_listed() -> None:
    with compat.VariableStore(), pytest.raises(ValueError, match="collections argument"):
        compat.get_variable("v", [1], collections="mine")


def test_variables_made_in_branches_and_loops_belong_to_the_graph() -> None:
    with compat.Graph().as_default(), compat.Session() as session:
        flag = compat.placeholder(tf.bool, [])

        def scaled() -> Any:
            with compat.variable_scope("branch"):
                return compat.get_variable("w", [], initializer=compat.constant_initializer(3.0)) * 2.0

        chosen = compat.cond(flag, scaled, lambda: tf.constant(0.0))

        def body(count: Any, total: Any) -> Any:
            return count + 1, total + layers.fully_connected(tf.ones([1, 2]), 1, scope="step", reuse=compat.AUTO_REUSE)

        _, total = compat.while_loop(lambda count, total: count < 3, body, [0, tf.zeros([1, 1])])
        names = [variable.name for variable in compat.global_variables()]
        session.run(compat.global_variables_initializer())
        assert session.run(chosen, {flag: True}) == 6.0
        assert session.run(chosen, {flag: False}) == 0.0
        weights = {variable.name: session.run(variable) for variable in compat.global_variables()}
        expected = 3.0 * np.maximum(weights["step/weights:0"].sum(), 0.0)
        np.testing.assert_allclose(session.run(total), [[expected]], rtol=1e-6)
    assert names == ["branch/w:0", "step/weights:0", "step/biases:0"]


@pytest.mark.parametrize("options", [{"fused": True}, {"fused": False}, {"fused": True, "rank": 2}])
@pytest.mark.parametrize("updates", [None, "update_ops", "mine"])
def test_batch_norm_of_contrib_with_a_tensor_for_training(options: dict[str, Any], updates: str | None) -> None:
    shape = [6, 3] if options.get("rank") == 2 else [6, 2, 2, 3]
    batch = np.random.RandomState(2).normal(1.0, 2.0, size=shape).astype(np.float32)
    with compat.Graph().as_default(), compat.Session() as session:
        x = compat.placeholder(tf.float32, [None, *shape[1:]])
        training = compat.placeholder(tf.bool, [])
        outputs = layers.batch_norm(
            x, decay=0.5, is_training=training, updates_collections=updates, fused=options["fused"]
        )
        collected = compat.get_collection(updates) if updates else []
        session.run(compat.global_variables_initializer())
        feed = {x: batch, training: False}
        still = session.run([outputs, collected], feed)[0]
        np.testing.assert_allclose(still, batch / np.sqrt(1.001), rtol=1e-5)
        mean = compat.contrib.framework.get_unique_variable("BatchNorm/moving_mean")
        np.testing.assert_array_equal(session.run(mean), np.zeros(3))
        axes = tuple(range(len(shape) - 1))
        normalized = session.run(outputs, {x: batch, training: True})
        expected = (batch - batch.mean(axes)) / np.sqrt(batch.var(axes) + 0.001)
        np.testing.assert_allclose(normalized, expected, rtol=1e-4, atol=1e-5)
        moved = np.zeros(3) if updates else 0.5 * batch.mean(axes)
        np.testing.assert_allclose(session.run(mean), moved, rtol=1e-5)
        if updates:
            session.run(collected, {x: batch, training: True})
            np.testing.assert_allclose(session.run(mean), 0.5 * batch.mean(axes), rtol=1e-5)
